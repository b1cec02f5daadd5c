"""What the leagues' services promise, and the database saw to only in part; and the reckoning that goes with it."""

from django.db import migrations, models
from django.db.models import F, Q

TIED = """
ALTER TABLE accounts_ledgerrow ADD CONSTRAINT a_row_is_of_the_season_of_its_match
    FOREIGN KEY (match_id, season_id) REFERENCES accounts_leaguematch (id, season_id);

CREATE FUNCTION accounts_ledgerrow_deal_is_of_its_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.deal_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM accounts_leaguematch AS found JOIN games_deal AS deal ON deal.game_id = found.game_id
        WHERE found.id = NEW.match_id AND deal.id = NEW.deal_id
    ) THEN
        RAISE EXCEPTION 'the deal is none of the match' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER accounts_ledgerrow_deal_of_match BEFORE INSERT ON accounts_ledgerrow
    FOR EACH ROW EXECUTE FUNCTION accounts_ledgerrow_deal_is_of_its_match();

CREATE FUNCTION accounts_leaguematch_keeps_its_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a match keeps its table' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER accounts_leaguematch_same_game BEFORE UPDATE OF game_id ON accounts_leaguematch
    FOR EACH ROW WHEN (NEW.game_id <> OLD.game_id) EXECUTE FUNCTION accounts_leaguematch_keeps_its_game();

CREATE TRIGGER accounts_ledgerrow_not_emptied BEFORE TRUNCATE ON accounts_ledgerrow
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_ledgerrow_is_append_only();
"""
LOOSE = """
DROP TRIGGER accounts_ledgerrow_not_emptied ON accounts_ledgerrow;
DROP TRIGGER accounts_leaguematch_same_game ON accounts_leaguematch;
DROP FUNCTION accounts_leaguematch_keeps_its_game();
DROP TRIGGER accounts_ledgerrow_deal_of_match ON accounts_ledgerrow;
DROP FUNCTION accounts_ledgerrow_deal_is_of_its_match();
ALTER TABLE accounts_ledgerrow DROP CONSTRAINT a_row_is_of_the_season_of_its_match;
"""

# The next sweep writes the deals of those who were left alone with computer players, and makes the tables anew.
RECKON = """
UPDATE accounts_leaguematch AS found SET waiting = true
WHERE counts AND (
    EXISTS (SELECT FROM games_seat WHERE game_id = found.game_id AND bot <> '')
    OR id IN (
        SELECT max(one.id) FROM accounts_leaguematch AS one JOIN accounts_season AS season ON season.id = one.season_id
        WHERE one.counts AND season.until = 'points' GROUP BY one.season_id
    )
)
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_address_marks"),
        ("games", "0009_disputes"),
    ]

    operations = [
        # who organises a league its memberships say
        migrations.RemoveField(model_name="league", name="organiser"),
        migrations.AddField(model_name="season", name="reached_at", field=models.DateTimeField(blank=True, null=True)),
        migrations.AddField(model_name="season", name="reached_by", field=models.BigIntegerField(blank=True, null=True)),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=Q(reached_at=None, reached_by=None) | Q(reached_at__isnull=False, until="points"),
                name="the_first_reaches_points_alone",
            ),
        ),
        migrations.RemoveConstraint(model_name="season", name="seasons_say_when_they_end"),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=Q(until="date", ends_at__isnull=False, ends_at__gt=F("starts_at"), matches_each=None, first_to=None)
                | Q(until="matches", ends_at=None, matches_each__isnull=False, matches_each__gte=1, first_to=None)
                | Q(until="points", ends_at=None, matches_each=None, first_to__isnull=False, first_to__gte=1),
                name="seasons_say_when_they_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="leaguematch",
            constraint=models.UniqueConstraint(fields=["id", "season"], name="a_match_is_of_one_season"),
        ),
        migrations.RunSQL(TIED, LOOSE),
        migrations.RunSQL(RECKON, migrations.RunSQL.noop),
    ]
