"""Decisions: adjustments of the organiser, rulings of a referee. Nothing that was written changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.leagues import selectors
from accounts.leagues.audit import audit
from accounts.leagues.services import ledger, members, seasons
from accounts.models import LeagueMatch, LedgerRow, Message, Season
from games import signals
from games.models import Deal, Entry, Game, Hand, Seat
from games.services.store import entry_for
from tests.games.playing import NOON, fresh, player, running
from tests.leagues.playing import again, end_deal, league, match, points, refused, rows, score, table

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def adjust(season: Season, name: str, more: int, *, by: str = "Ana", request: str = "a form", **given: Any) -> LedgerRow:
    given = {"reason": "Late again", "now": NOON + HOUR, **given}
    return ledger.adjust(code=season.league.code, by=player(by), user_id=player(name).pk, points=more, request=request, **given)


def rule(
    game: Game, *, number: int = 1, voided: Collection[int] = (), more: Mapping[str, int] | None = None, reason: str = "A mistake"
) -> None:
    """What a referee's ruling says to the leagues, in its transaction."""
    with transaction.atomic():
        signals.ruled.send(
            Game, game=game, ruling=SimpleNamespace(pk=number), referee=player("Zoe"), reason=reason, now=NOON + 9 * HOUR,
            voided=voided, points={player(name).pk: count for name, count in (more or {}).items()},
        )  # fmt: skip


def recount(game: Game, number: int, scores: tuple[int, int], *, at: timedelta = 10 * HOUR) -> None:
    """A deal that was gone back into is over again with these scores, and counted."""
    for seat, total in enumerate(scores):
        Hand.objects.filter(deal__game=game, deal__number=number, seat=seat).update(score=total)
        Seat.objects.filter(game=game, index=seat).update(total=total)
    Deal.objects.filter(game=game, number=number).update(out=scores.index(max(scores)), ended_at=NOON + at)
    found = fresh(game)
    facts = {"number": number, "scores": list(scores)}
    entry_for(found, text="counted", actor=Entry.Actor.SERVER, deal=number, facts=facts, now=NOON + at).save(force_insert=True)
    found.winner = scores.index(max(scores))
    found.save()
    signals.deal_counted.send(Game, game=found, deal=found.deals.get(number=number), now=NOON + at)
    score(game, now=NOON + at)


def sound(season: Season) -> bool:
    return audit(season_id=season.pk) == []


@pytest.fixture
def season() -> Season:
    return league("Ana", "Bogdan", "Chloé")


@pytest.fixture
def game(season: Season) -> Game:
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    return game


# -- the ledger itself --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    ["UPDATE accounts_ledgerrow SET points = 0", "DELETE FROM accounts_ledgerrow", "TRUNCATE accounts_ledgerrow CASCADE",
     "TRUNCATE accounts_season CASCADE"],
)  # fmt: skip
def test_the_database_refuses_to_change_what_was_written(game: Game, statement: str) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statement)


def test_the_database_refuses_a_deal_twice_and_a_decision_twice(season: Season, game: Game) -> None:
    adjust(season, "Ana", 5)
    for row in LedgerRow.objects.all():
        row.pk = None
        with pytest.raises(DatabaseError, match="once"), transaction.atomic():
            row.save(force_insert=True)


def test_the_database_refuses_a_decision_without_reason(season: Season, game: Game) -> None:
    row = adjust(season, "Ana", 5)
    row.pk, row.request, row.reason = None, "another", ""
    with pytest.raises(DatabaseError, match="reason"), transaction.atomic():
        row.save(force_insert=True)


def test_the_database_refuses_a_row_of_another_season_than_its_match(season: Season, game: Game) -> None:
    other = league("Ana", "Bogdan", name="Another")
    row = LedgerRow.objects.filter(kind="played").first()
    assert row is not None
    row.pk, row.season = None, other
    with pytest.raises(IntegrityError, match="of_the_season_of_its_match"), transaction.atomic():
        row.save(force_insert=True)
    with pytest.raises(IntegrityError, match="of_the_season_of_its_match"), transaction.atomic():
        LeagueMatch.objects.filter(game=game).update(season=other)


def test_the_database_refuses_a_deal_of_another_match(season: Season, game: Game) -> None:
    other = match(season, "Ana", "Bogdan")
    row = LedgerRow.objects.filter(kind="played").first()
    assert row is not None
    row.pk, row.deal = None, other.deals.get()
    with pytest.raises(IntegrityError, match="none of the match"), transaction.atomic():
        row.save(force_insert=True)
    LeagueMatch.objects.filter(game=other).update(game=other)
    free = Game.objects.exclude(pk__in=[game.pk, other.pk]).first() or running("Ana", "Bogdan")
    with pytest.raises(IntegrityError, match="keeps its table"), transaction.atomic():
        LeagueMatch.objects.filter(game=other).update(game=free)


# -- adjustments --------------------------------------------------------------------------------


def test_an_adjustment_is_a_further_row_with_reason_and_author(season: Season, game: Game) -> None:
    row = adjust(season, "Bogdan", 100, reason=" Too  hard\non him ")
    assert rows(season)[-1] == ("adjustment", "Bogdan", 100)
    assert (row.reason, row.author, row.at) == ("Too hard on him", player("Ana"), NOON + HOUR)
    assert points(season) == {"Bogdan": 57, "Ana": 55}
    assert sound(season)


def test_the_same_form_sent_twice_counts_once(season: Season, game: Game) -> None:
    assert adjust(season, "Ana", -5) == adjust(season, "Ana", -5)
    adjust(season, "Ana", -5, request="another form")
    assert points(season)["Ana"] == 45


def test_everybody_is_told_the_more_so_of_the_own_score(season: Season, game: Game) -> None:
    adjust(season, "Ana", 500)
    told = Message.objects.filter(kind="league", facts__what="adjusted")
    assert {message.user.username for message in told} == {"Ana", "Bogdan", "Chloé"}
    facts = told.first().facts  # type: ignore[union-attr]
    assert (facts["player"], facts["by"], facts["points"], facts["reason"]) == ("Ana", "Ana", 500, "Late again")
    assert facts["own"] is True


def test_deputies_adjust_and_members_do_not(season: Season, game: Game) -> None:
    given: dict[str, Any] = {
        "code": season.league.code,
        "user_id": player("Bogdan").pk,
        "points": 9,
        "reason": "So",
        "request": "1",
        "now": NOON,
    }
    assert refused(ledger.adjust, by=player("Bogdan"), **given) == "not_the_organiser"
    members.set_deputy(code=season.league.code, by=player("Ana"), user_id=player("Bogdan").pk, deputy=True)
    ledger.adjust(by=player("Bogdan"), **given)
    assert points(season)["Bogdan"] == -34


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"points": 0}, "bad_points"),
        ({"points": 10_001}, "bad_points"),
        ({"points": -10_001}, "bad_points"),
        ({"reason": " \n "}, "reason_missing"),
        ({"reason": "x" * 301}, "reason_too_long"),
        ({"number": 7}, "no_season"),
        ({"code": "nowhere"}, "no_such_league"),
        ({"user_id": 0}, "not_in_the_season"),
    ],
)
def test_what_is_no_adjustment_is_refused(season: Season, wanted: dict[str, Any], code: str) -> None:
    given: dict[str, Any] = {
        "code": season.league.code, "by": player("Ana"), "user_id": player("Bogdan").pk, "points": 5, "reason": "So",
        "request": "1", "now": NOON,
    }  # fmt: skip
    assert refused(ledger.adjust, **{**given, **wanted}) == code


def test_a_stranger_has_no_part_in_a_season_but_who_left_has(season: Season, game: Game) -> None:
    player("Zoe")
    with pytest.raises(Exception, match="not_in_the_season"):
        adjust(season, "Zoe", 5)
    members.leave(code=season.league.code, user=player("Bogdan"), now=NOON)
    adjust(season, "Bogdan", 5)
    assert points(season)["Bogdan"] == -38
    assert Message.objects.filter(user=player("Bogdan"), facts__what="adjusted").exists()


def test_a_season_that_has_ended_may_still_be_put_right(season: Season, game: Game) -> None:
    seasons.close(code=season.league.code, by=player("Ana"), now=NOON)
    with pytest.raises(Exception, match="no_season"):
        adjust(season, "Bogdan", 200)
    adjust(season, "Bogdan", 200, number=1)
    assert (points(season), again(season).status) == ({"Bogdan": 157, "Ana": 55}, "final")
    assert sound(season)


def test_an_adjustment_may_end_the_season() -> None:
    season = league("Ana", "Bogdan", season={"first_to": 500})
    adjust(season, "Bogdan", 500)
    assert (again(season).status, again(season).ended_at) == ("final", NOON + HOUR)


# -- rulings ------------------------------------------------------------------------------------


def test_points_of_a_ruling_are_adjustments_in_its_name(season: Season, game: Game) -> None:
    rule(game, more={"Ana": -30, "Bogdan": 30})
    assert rows(season)[2:] == [("adjustment", "Ana", -30), ("adjustment", "Bogdan", 30)]
    row = LedgerRow.objects.filter(kind="adjustment").first()
    assert row is not None and (row.reason, row.author, row.request) == ("A mistake", player("Zoe"), "ruling:1:points")
    assert points(season) == {"Ana": 25, "Bogdan": -13}
    told = Message.objects.filter(facts__what="ruled").values_list("user__username", flat=True)
    assert set(told) == {"Ana", "Bogdan"}
    assert sound(season)


def test_a_ruling_carried_out_twice_counts_once(season: Season, game: Game) -> None:
    for _time in range(2):
        rule(game, voided=[0], more={"Ana": -30})
    assert points(season) == {"Ana": -30}
    rule(game, number=2, more={"Ana": -30})
    assert points(season) == {"Ana": -60}


def test_a_deal_made_void_is_gone_from_the_table_with_the_places_it_gave(season: Season, game: Game) -> None:
    other = match(season, "Ana", "Chloé")
    end_deal(other)
    rule(game, voided=[0])
    kinds = [row[:2] for row in rows(season)]
    assert kinds.count(("void", "Ana")) == kinds.count(("void", "Bogdan")) == 1
    assert points(season) == {"Ana": 55, "Chloé": -43}
    assert [(line.matches, line.won, line.deals) for line in table(season)] == [(1, 1, 1), (1, 0, 1)]
    assert sound(season)


def test_a_deal_made_void_before_it_was_written_is_never_written(season: Season) -> None:
    game = match(season, "Ana", "Bogdan")
    end_deal(game, scored=False)
    rule(game, voided=[0])
    score(game)
    assert [kind for kind, _who, _points in rows(season)] == ["void", "void"]
    assert points(season) == {}
    assert sound(season)


def test_a_deal_that_was_gone_back_into_counts_as_it_ends_the_second_time(season: Season, game: Game) -> None:
    assert table(season)[0].player.username == "Ana"
    rule(game, voided=[0])
    recount(game, 0, (-20, 120))
    assert points(season) == {"Bogdan": 120, "Ana": -20}
    assert [(line.matches, line.won, line.deals, line.outs) for line in table(season)] == [(1, 1, 1, 1), (1, 0, 1, 0)]
    assert [row.counting for row in LedgerRow.objects.order_by("pk")] == [0, 0, 0, 0, 1, 1]
    found = selectors.outcome(game=game)
    assert found is not None and [(gain.points, gain.after) for gain in found.gains] == [(120, 1), (-20, 2)]
    rule(game, number=2, voided=[0])
    recount(game, 0, (3, 1), at=11 * HOUR)
    assert points(season) == {"Ana": 3, "Bogdan": 1}


def test_an_earlier_deal_made_void_may_make_another_the_winner(season: Season) -> None:
    season = league("Ana", "Bogdan", name="To sixty", options={"target": 60})
    game = match(season, "Ana", "Bogdan")
    for _deal in range(3):
        end_deal(game)
    assert [(line.player.username, line.won) for line in table(season)] == [("Ana", 1), ("Bogdan", 0)]
    totals = {0: 67 - 55, 1: -31 + 43}  # without the first deal
    totals[1] += 80  # as if the ruling said so
    for seat, total in totals.items():
        Seat.objects.filter(game=game, index=seat).update(total=total)
    Game.objects.filter(pk=game.pk).update(winner=1)
    rule(game, voided=[0], more={"Bogdan": 80})
    assert points(season) == {"Bogdan": 92, "Ana": 12}
    assert [(line.player.username, line.won, line.last) for line in table(season)] == [("Bogdan", 1, [1]), ("Ana", 0, [2])]
    moved = LedgerRow.objects.filter(place__isnull=False, kind="adjustment").order_by("pk")
    assert [(row.player.username, row.place, row.points) for row in moved] == [("Ana", 2, 0), ("Bogdan", 1, 0)]
    assert sound(season)


def test_a_match_that_is_reopened_has_no_winner_in_the_table(season: Season) -> None:
    season = league("Ana", "Bogdan", name="To sixty", options={"target": 60})
    game = match(season, "Ana", "Bogdan")
    for _deal in range(3):
        end_deal(game)
    now = fresh(game)
    fields = {"status": "running", "winner": None, "ended_at": None, "deadline": NOON, "ticking_since": NOON, "to_move": 0}
    Game.objects.filter(pk=now.pk).update(**fields)
    rule(now, voided=[2])
    assert [(line.matches, line.won, line.last) for line in table(season)] == [(0, 0, []), (0, 0, [])]
    assert points(season) == {"Ana": 12, "Bogdan": 12}
    found = selectors.outcome(game=now)
    assert found is not None and {gain.after for gain in found.gains} == {None}


def test_a_ruling_about_a_match_that_never_counted_changes_nothing(season: Season) -> None:
    season = league("Ana", "Bogdan", name="Once", same_people=1)
    end_deal(match(season, "Ana", "Bogdan"))
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    rule(game, voided=[0], more={"Ana": 500})
    assert points(season) == {"Ana": 55, "Bogdan": -43} and len(rows(season)) == 2


def test_the_ledger_of_a_player_is_read_with_who_wrote_what(season: Season, game: Game) -> None:
    adjust(season, "Ana", -5)
    found = selectors.rows(season=season, user_id=player("Ana").pk)
    read = [(row.kind, row.points, row.author and row.author.username) for row in found]
    assert read == [("adjustment", -5, "Ana"), ("played", 55, None)]
