import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import accounts.models.leagues

GUARD = """
CREATE FUNCTION accounts_ledgerrow_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger of a league is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER accounts_ledgerrow_append_only BEFORE UPDATE OR DELETE ON accounts_ledgerrow
    FOR EACH ROW EXECUTE FUNCTION accounts_ledgerrow_is_append_only();
"""
OPEN = """
DROP TRIGGER accounts_ledgerrow_append_only ON accounts_ledgerrow;
DROP FUNCTION accounts_ledgerrow_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_vacation"),
        ("games", "0003_exchange_of_doubles"),
    ]

    operations = [
        migrations.CreateModel(
            name="League",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "code",
                    models.CharField(default=accounts.models.leagues.new_league_code, editable=False, max_length=8, unique=True),
                ),
                ("name", models.CharField(max_length=50, verbose_name="name")),
                ("variant", models.CharField(max_length=16, verbose_name="game")),
                ("options", models.JSONField(default=dict, verbose_name="options")),
                ("seats_min", models.PositiveSmallIntegerField(default=2, verbose_name="fewest seats")),
                ("seats_max", models.PositiveSmallIntegerField(default=4, verbose_name="most seats")),
                (
                    "joining",
                    models.CharField(
                        choices=[("open", "whoever likes"), ("link", "by link"), ("approval", "whom the organiser lets in")],
                        default="open",
                        max_length=8,
                        verbose_name="who may join",
                    ),
                ),
                (
                    "invite",
                    models.CharField(default=accounts.models.leagues.new_invite, editable=False, max_length=14, unique=True),
                ),
                ("rules", models.TextField(blank=True, max_length=4000, verbose_name="rules of the league")),
                (
                    "terms",
                    models.JSONField(
                        default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name="terms of a table"
                    ),
                ),
                (
                    "same_people",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="matches of the same people that count in a season",
                    ),
                ),
                (
                    "forfeit",
                    models.SmallIntegerField(
                        default=0,
                        validators=[django.core.validators.MinValueValidator(-500), django.core.validators.MaxValueValidator(0)],
                        verbose_name="what a forfeited deal counts at most",
                    ),
                ),
                ("bots", models.BooleanField(default=False, verbose_name="computer players may sit in")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leagues_organised",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="organiser",
                    ),
                ),
            ],
            options={
                "verbose_name": "league",
                "verbose_name_plural": "leagues",
            },
        ),
        migrations.CreateModel(
            name="JoinRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField()),
                ("accepted", models.BooleanField(blank=True, null=True)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="league_requests_answered",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="league_requests", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="requests", to="accounts.league"),
                ),
            ],
            options={
                "verbose_name": "request to join",
                "verbose_name_plural": "requests to join",
                "ordering": ["made_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="LeagueMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("forfeit", models.SmallIntegerField(default=0)),
                ("bots", models.BooleanField(default=False)),
                ("made_at", models.DateTimeField()),
                ("people", models.JSONField(default=list)),
                ("counts", models.BooleanField(blank=True, null=True)),
                ("waiting", models.BooleanField(default=False)),
                ("provisional", models.BooleanField(default=False)),
                ("ranks", models.JSONField(default=dict)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="league_match", to="games.game"
                    ),
                ),
            ],
            options={
                "verbose_name": "league match",
                "verbose_name_plural": "league matches",
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("member", "member"), ("deputy", "deputy"), ("organiser", "organiser")],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("ended", models.CharField(blank=True, choices=[("left", "left"), ("expelled", "expelled")], max_length=8)),
                ("reason", models.CharField(blank=True, max_length=300)),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="accounts.league"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="memberships", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "membership",
                "verbose_name_plural": "memberships",
                "ordering": ["since", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("starts_at", models.DateTimeField(verbose_name="starts")),
                (
                    "until",
                    models.CharField(
                        choices=[
                            ("date", "until a day"),
                            ("matches", "so many matches each"),
                            ("points", "the first to so many points"),
                        ],
                        default="points",
                        max_length=8,
                        verbose_name="lasts",
                    ),
                ),
                ("ends_at", models.DateTimeField(blank=True, null=True, verbose_name="ends")),
                ("matches_each", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="matches each")),
                ("first_to", models.PositiveIntegerField(blank=True, null=True, verbose_name="points")),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "under way"), ("provisional", "ended, disputes are open"), ("final", "ended")],
                        default="open",
                        max_length=12,
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "league",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="seasons", to="accounts.league"),
                ),
            ],
            options={
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="LedgerRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("played", "played"), ("forfeit", "forfeited"), ("adjustment", "adjusted"), ("void", "void")],
                        max_length=10,
                    ),
                ),
                ("points", models.IntegerField(default=0)),
                ("at", models.DateTimeField()),
                ("counting", models.PositiveSmallIntegerField(default=0)),
                ("server_turns", models.PositiveSmallIntegerField(default=0)),
                ("out", models.BooleanField(default=False)),
                ("won", models.BooleanField(default=False)),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("request", models.CharField(blank=True, max_length=80)),
                ("made_at", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger_rows_written",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "deal",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger_rows",
                        to="games.deal",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rows",
                        to="accounts.leaguematch",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="ledger_rows", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="rows", to="accounts.season"),
                ),
            ],
            options={
                "verbose_name": "ledger row",
                "verbose_name_plural": "ledger rows",
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="leaguematch",
            name="season",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="matches", to="accounts.season"),
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rank", models.PositiveIntegerField()),
                ("points", models.IntegerField()),
                ("matches", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("laps", models.PositiveIntegerField()),
                ("deals", models.PositiveIntegerField()),
                ("deal_points", models.IntegerField()),
                ("best", models.IntegerField(null=True)),
                ("outs", models.PositiveIntegerField()),
                ("deals_won", models.PositiveIntegerField()),
                ("head_to_head", models.IntegerField()),
                ("forfeits", models.PositiveIntegerField()),
                ("server_turns", models.PositiveIntegerField()),
                ("last", models.JSONField(default=list)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="standings", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="standings", to="accounts.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "standing",
                "verbose_name_plural": "standings",
                "ordering": ["rank", "player__username"],
            },
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower("name"), name="one_league_of_a_name"),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("seats_max__lte", 8), ("seats_min__gte", 2), ("seats_min__lte", models.F("seats_max"))),
                name="seats_of_a_league_within_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("forfeit__gte", -500), ("forfeit__lte", 0)), name="nobody_wins_by_a_forfeit"
            ),
        ),
        migrations.AddConstraint(
            model_name="league",
            constraint=models.CheckConstraint(
                condition=models.Q(("same_people", None), ("same_people__gte", 1), _connector="OR"),
                name="some_match_of_people_counts",
            ),
        ),
        migrations.AddConstraint(
            model_name="joinrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("accepted", None)), fields=("league", "user"), name="one_open_request"
            ),
        ),
        migrations.AddConstraint(
            model_name="joinrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("accepted", None), ("answered_at", None), ("answered_by", None)),
                    models.Q(("accepted__isnull", False), ("answered_at__isnull", False), ("answered_by__isnull", False)),
                    _connector="OR",
                ),
                name="answered_requests_say_by_whom",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until", None)), fields=("league", "user"), name="one_membership_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                condition=models.Q(("role", "organiser"), ("until", None)), fields=("league",), name="one_organiser_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended", ""), ("until", None)),
                    models.Q(("until__isnull", False), models.Q(("ended", ""), _negated=True)),
                    _connector="OR",
                ),
                name="ended_memberships_say_how",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended", "expelled"), _negated=True), models.Q(("reason", ""), _negated=True), _connector="OR"
                ),
                name="nobody_is_expelled_without_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="season",
            index=models.Index(
                models.F("ends_at"), condition=models.Q(("status", "open"), ("until", "date")), name="seasons_by_their_end"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(fields=("league", "number"), name="one_row_per_season"),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "open")), fields=("league",), name="one_season_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at", None), ("status", "open")),
                    models.Q(models.Q(("status", "open"), _negated=True), ("ended_at__isnull", False)),
                    _connector="OR",
                ),
                name="ended_seasons_have_an_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("ends_at__gt", models.F("starts_at")), ("first_to", None), ("matches_each", None), ("until", "date")
                    ),
                    models.Q(("ends_at", None), ("first_to", None), ("matches_each__gte", 1), ("until", "matches")),
                    models.Q(("ends_at", None), ("first_to__gte", 1), ("matches_each", None), ("until", "points")),
                    _connector="OR",
                ),
                name="seasons_say_when_they_end",
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerrow",
            index=models.Index(models.F("season"), models.F("player"), models.F("at"), name="ledger_by_player"),
        ),
        migrations.AddConstraint(
            model_name="ledgerrow",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", ("played", "forfeit"))),
                fields=("season", "deal", "player", "counting"),
                name="a_deal_counts_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerrow",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind__in", ("played", "forfeit")), _negated=True),
                fields=("request", "player"),
                name="a_decision_counts_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("author", None),
                        ("deal__isnull", False),
                        ("kind__in", ("played", "forfeit")),
                        ("match__isnull", False),
                        ("request", ""),
                    ),
                    models.Q(("deal__isnull", False), ("kind", "void"), ("match__isnull", False), ("place", None), ("points", 0)),
                    models.Q(("deal", None), ("kind", "adjustment")),
                    _connector="OR",
                ),
                name="ledger_rows_are_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ("played", "forfeit")),
                    models.Q(models.Q(("reason", ""), _negated=True), models.Q(("request", ""), _negated=True)),
                    _connector="OR",
                ),
                name="decisions_have_a_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="leaguematch",
            index=models.Index(models.F("season"), condition=models.Q(("waiting", True)), name="matches_to_be_scored"),
        ),
        migrations.AddIndex(
            model_name="leaguematch",
            index=models.Index(models.F("season"), condition=models.Q(("provisional", True)), name="matches_under_dispute"),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.UniqueConstraint(fields=("season", "player"), name="one_line_per_player"),
        ),
        migrations.RunSQL(GUARD, OPEN),
    ]
