"""The audit recomputes what the ledger and the tables should be, and finds what differs."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Sum

from accounts.leagues import exports
from accounts.leagues.audit import audit, audit_match
from accounts.leagues.projection import counting
from accounts.leagues.ratings import services as rates
from accounts.leagues.services import ledger, scoring, seasons
from accounts.models import LeagueMatch, LedgerRow, Season, Standing, User
from accounts.people.owndata import services as owndata
from games import signals
from games.models import Deal, Entry, Game, Hand, Seat
from games.services import absence, leaving
from games.services.audit import audit as audit_of_games
from games.services.store import entry_for
from tests.games.playing import NOON, differences, fresh, player, settle
from tests.leagues.bulk import finished_matches, players
from tests.leagues.playing import again, end_deal, league, match, rows, score, table

pytestmark = pytest.mark.django_db
LEAGUES, MATCHES, DEALS = 20, 20, 26


def told(season: Season) -> str:
    return "\n".join(audit(season_id=season.pk))


@pytest.fixture
def season() -> Season:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    assert told(season) == ""
    return season


def tamper(statement: str) -> None:
    """As somebody with the keys of the database might."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET session_replication_role = origin")


# -- what it finds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE accounts_ledgerrow SET points = 500 WHERE points = 55", "points differs"),
        ("UPDATE accounts_ledgerrow SET kind = 'forfeit' WHERE points = 55", "kind differs"),
        ("UPDATE accounts_ledgerrow SET won = true", "won differs"),
        ("UPDATE accounts_ledgerrow SET at = at - interval '1 day' WHERE points = 55", "at differs"),
        ("UPDATE accounts_ledgerrow SET server_turns = 3 WHERE points = 55", "server_turns differs"),
        ("UPDATE accounts_ledgerrow SET place = 3 - place", "the places are others"),
        ("DELETE FROM accounts_ledgerrow WHERE points = 55", "the ledger lacks it"),
        ("UPDATE accounts_ledgerrow SET counting = 1 WHERE points = 55", "the ledger has it, but no deal makes it"),
        ("UPDATE accounts_standing SET points = 56 WHERE points = 55", "points differs"),
        ("UPDATE accounts_standing SET rank = 1", "rank differs"),
        ("UPDATE accounts_standing SET last = '[4]'", "last differs"),
        ("DELETE FROM accounts_standing WHERE points = 55", "is missing"),
        ("UPDATE accounts_season SET reached_at = now()", "another was the first there"),
        ("UPDATE games_hand SET score = 500 WHERE score = 55", "points differs"),
    ],
)
def test_a_row_that_was_changed_is_found(season: Season, statement: str, sentence: str) -> None:
    tamper(statement)
    assert sentence in told(season)


def test_a_row_that_was_made_up_is_found(season: Season) -> None:
    row = LedgerRow.objects.filter(kind="played").first()
    assert row is not None
    row.pk, row.player = None, player("Zoe")
    row.save(force_insert=True)
    assert "the ledger has it, but no deal makes it" in told(season)


def test_a_player_who_should_not_be_in_the_table_is_found(season: Season) -> None:
    line = table(season)[0]
    line.pk, line.player = None, player("Zoe")
    line.save(force_insert=True)
    assert "should not be in it" in told(season)


def test_a_match_is_audited_alone_too(season: Season) -> None:
    found = LeagueMatch.objects.get()
    assert audit_match(found) == []
    tamper("UPDATE accounts_ledgerrow SET points = 500 WHERE points = 55")
    assert audit_match(found) == [
        f"match {found.game.code}, deal {found.rows.all()[0].deal_id}, player {player('Ana').pk}: points differs"
    ]


def test_the_audit_of_a_table_asks_the_leagues_whether_their_ledger_agrees(season: Season) -> None:
    game = Game.objects.get()
    assert differences(game) == []
    tamper("UPDATE accounts_ledgerrow SET points = 500 WHERE points = 55")
    [line] = audit_of_games(game_id=game.pk)
    assert line.endswith("points differs")


def test_the_command_tells_and_says_so_with_its_exit_code(season: Season, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit_leagues")
    assert "Seasons looked at: 1. All are as their deals and decisions say." in capsys.readouterr().out
    tamper("UPDATE accounts_ledgerrow SET points = 500 WHERE points = 55")
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("audit_leagues", league=season.league.code)
    assert "points differs" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no season"):
        call_command("audit_leagues", league="nowhere")


# -- accounts that are no more -------------------------------------------------------------------


def test_the_audit_agrees_after_players_and_the_organiser_have_deleted_their_accounts(capsys: pytest.CaptureFixture[str]) -> None:
    season = league("Ana", "Bogdan", "Chloé", "Doru", options={"target": 60})
    over, under_way, open_ = match(season, "Ana", "Bogdan"), match(season, "Chloé", "Bogdan"), match(season, "Ana", "Doru")
    for _deal in range(3):
        end_deal(over)
    end_deal(under_way)
    end_deal(open_, scored=False)
    gave = LedgerRow.objects.filter(match__game=over).order_by("pk").values_list("player", "points")
    before = list(gave)
    for name in ("Bogdan", "Ana"):
        owndata.delete(user_id=player(name).pk, now=NOON)
    for game in (under_way, open_):
        leaving.vacate(game_id=game.pk, now=NOON)
        absence.end(game_id=game.pk, now=NOON + timedelta(days=30))
        settle(game, now=NOON + timedelta(days=30))
    score(under_way, now=NOON + timedelta(days=30))
    rates.rate(variant="rami500")

    assert {fresh(game).status for game in (over, under_way, open_)} == {"finished"}
    assert list(gave) == before, "results stay"
    call_command("audit_leagues")
    assert "All are as their deals and decisions say." in capsys.readouterr().out
    assert rates.rerate(keep=False) == [] and differences(over, under_way, open_) == []
    assert [line.matches for line in table(season)].count(2) == 2 and len(table(season)) == 4
    found = again(season)
    assert found.league.organiser == player("Chloé")
    assert {row["player"] for row in exports.ledger_rows(found)} == {"deleted player", "Chloé", "Doru"}


# -- ten thousand events ------------------------------------------------------------------------


def test_after_ten_thousand_random_events_the_audit_agrees_with_the_tables() -> None:
    """Several leagues: deals counted in any order, some twice; adjustments, voids, deals gone back into, disputes, ends."""
    rng = random.Random(11)
    people = players(40)
    events = 0
    found = []
    for number in range(LEAGUES):
        season = league(f"Organiser {number}", name=f"League {number}", season=_ending(rng))
        groups = [rng.sample(people, rng.choice([2, 3, 4])) for _match in range(MATCHES)]
        listed = finished_matches(season, groups, deals=DEALS, rng=rng, start=NOON)
        events += DEALS * len(listed)
        events += _happen(season, listed, people, rng)
        found.append(season)
    assert events >= 10_000
    for season in found:
        assert told(season) == ""
        assert _sums(season) == dict(Standing.objects.filter(season=season).values_list("player", "points"))
        assert Standing.objects.filter(season=season).count() >= 4
    assert LedgerRow.objects.filter(kind="void").exists() and LedgerRow.objects.filter(counting=1).exists()
    assert LedgerRow.objects.filter(kind="forfeit").exists() and Season.objects.exclude(status="open").exists()


def _sums(season: Season) -> dict[int, int]:
    """By player, the sum of the rows that the ledger's own page says count."""
    season.refresh_from_db()
    rows = season.rows.filter(counting(season)).order_by()
    return dict(rows.values_list("player").annotate(total=Sum("points")))


def _ending(rng: random.Random) -> dict[str, object]:
    if rng.random() < 0.3:
        return {"until": "date", "ends_at": NOON + timedelta(hours=rng.randint(90, 170))}
    return {"until": "points", "first_to": rng.choice([900, 100_000])}


def _happen(season: Season, listed: list[LeagueMatch], people: list[User], rng: random.Random) -> int:
    """The waiting matches are scored in any order and portions, and between them happens what may."""
    LeagueMatch.objects.filter(season=season).update(waiting=False)
    left, events = rng.sample(listed, len(listed)), 0
    while left:
        portion, left = left[:10], left[10:]
        LeagueMatch.objects.filter(pk__in=[one.pk for one in portion]).update(waiting=True)
        for _task in range(rng.choice([1, 1, 2])):
            scoring.score(season_id=season.pk, now=NOON)
        for _event in range(5):
            events += 1
            rng.choice([_adjust, _rule, _rule, _dispute])(season, rng.choice(listed), rng.choice(people), events, rng)
    seasons.end_due(season_id=season.pk, now=NOON + timedelta(days=40))
    return events


def _adjust(season: Season, one: LeagueMatch, user: User, number: int, rng: random.Random) -> None:
    if not season.rows.filter(player=user).exists():
        return
    organiser = season.league.organiser
    assert organiser is not None
    ledger.adjust(
        code=season.league.code, by=organiser, user_id=user.pk, points=rng.choice([-200, 70, 600]), reason="So", number=1,
        request=str(number), now=NOON + timedelta(hours=rng.randint(0, 190)),
    )  # fmt: skip


def _rule(season: Season, one: LeagueMatch, user: User, number: int, rng: random.Random) -> None:
    """A deal is made void; the last one of a match is mostly gone back into and counted again. Sometimes with points besides."""
    game = fresh(one.game)
    ruling, deal = SimpleNamespace(pk=1_000 * season.pk + number), rng.randrange(DEALS)
    points = {rng.choice(one.people): rng.randint(-50, 50)} if rng.random() < 0.5 else {}
    now = NOON + timedelta(hours=200, minutes=number)
    if deal == DEALS - 1:
        playing = {"status": "running", "winner": None, "ended_at": None, "deadline": now, "ticking_since": now, "to_move": 0}
        Game.objects.filter(pk=game.pk).update(**playing)
    signals.ruled.send(Game, game=game, ruling=ruling, referee=user, reason="A mistake", now=now, voided=[deal], points=points)
    if deal == DEALS - 1:
        _count_again(game, deal, now + timedelta(seconds=30), rng)


def _count_again(game: Game, number: int, at: datetime, rng: random.Random) -> None:
    seats = list(game.seats.order_by("index"))
    for hand in Hand.objects.filter(deal__game=game, deal__number=number):
        more = rng.randint(-40, 40)
        Hand.objects.filter(pk=hand.pk).update(score=(hand.score or 0) + more)
        Seat.objects.filter(pk=seats[hand.seat].pk).update(total=seats[hand.seat].total + more)
    Deal.objects.filter(game=game, number=number).update(ended_at=at)
    finished = {"status": "finished", "winner": 0, "ended_at": at, "deadline": None, "ticking_since": None, "to_move": None}
    Game.objects.filter(pk=game.pk).update(**finished)
    game = fresh(game)
    game.log_length = game.entries.count()
    entry_for(game, text="counted", actor=Entry.Actor.SERVER, deal=number, now=at).save(force_insert=True)
    signals.deal_counted.send(Game, game=game, deal=game.deals.get(number=number), now=at)


def _dispute(season: Season, one: LeagueMatch, user: User, number: int, rng: random.Random) -> None:
    signals.disputed.send(Game, game=one.game, is_open=rng.random() < 0.5, now=NOON)


def test_a_deal_written_again_by_a_repeat_of_everything_is_not_written_twice(season: Season) -> None:
    LeagueMatch.objects.update(waiting=True)
    assert score(LeagueMatch.objects.get().game) == 0
    assert len(rows(season)) == 2
