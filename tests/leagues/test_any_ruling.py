"""Matches, rulings, seasons and members in any order: ledger, table, chart, ratings and logs keep telling the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.leagues import selectors
from accounts.leagues.audit import audit
from accounts.leagues.ratings.services import rate, rerate
from accounts.leagues.services import leagues, ledger, matches, members, seasons
from accounts.models import LeagueMatch, Season, Standing, User
from games import engine
from games.models import Dispute, Game, Ruling, Seat
from games.services import absence, rulings, tables, turns
from games.services.errors import ServiceError
from tests.games.cases import claimed
from tests.games.playing import NOON, OUT_OF_TWO, chance, differences, on_turn, play, player, settle
from tests.leagues.playing import new_league, score

pytestmark = pytest.mark.django_db
NAMES = ("Ana", "Bogdan", "Chloé", "Doru", "Elena")


@dataclass
class League:
    """A league that Ana organises, as it is at `now`, and the dice that say what is done there."""

    code: str
    dice: random.Random
    now: datetime = NOON
    cases: int = 0

    def anybody(self) -> User:
        return player(self.dice.choice(NAMES))

    def ana(self, **given: Any) -> dict[str, Any]:
        """What the organiser says in a deed."""
        return {"code": self.code, "by": player("Ana"), "now": self.now, **given}

    def game(self, *status: str) -> Game | None:
        """One of the six newest matches in these states, if there is any."""
        found = list(Game.objects.filter(status__in=status).order_by("-pk")[:6])
        return self.dice.choice(found) if found else None


def sits_down(league: League) -> None:
    """Somebody joins a table, or makes one: where none is open, and now and then besides."""
    user, game = league.anybody(), league.game("open")
    if game is not None and league.dice.random() < 0.8:
        tables.join(code=game.code, user=user, now=league.now)
    else:
        matches.make_table(code=league.code, user=user, seats=league.dice.choice([2, 2, 3]), now=league.now)


def plays(league: League) -> None:
    """Whoever is on turn goes out, or resigns; the deal is counted, and often, not always, written at once."""
    if (game := league.game("running")) is None or game.to_move is None:
        return
    if game.seat_count > 2 or league.dice.random() < 0.25:
        turns.resign(code=game.code, user=on_turn(game), now=league.now)
    else:
        play(game, OUT_OF_TWO[1], now=league.now)
    settle(game, now=league.now, then=OUT_OF_TWO[0])
    if league.dice.random() < 0.7:
        score(game, now=league.now)


def is_replaced(league: League) -> None:
    """Somebody sits down in the place of whoever is on turn, who has been absent for a moment."""
    if (game := league.game("running")) is None or game.to_move is None:
        return
    seat = Seat.objects.filter(game=game, index=game.to_move)
    seat.update(absent_since=league.now, absent_until=league.now)
    with suppress(ServiceError):
        absence.take_over(code=game.code, user=league.anybody(), seat=game.to_move, now=league.now)
    seat.update(absent_since=None, absent_until=None)


def comes_or_goes(league: League) -> None:
    """A member leaves or is expelled, or a former one is in again: mostly in."""
    user, verb = player(league.dice.choice(NAMES[1:])), league.dice.choice(["join", "join", "join", "leave", "expel", "readmit"])
    whom = {"code": league.code, "user": user, "now": league.now} if verb in ("join", "leave") else league.ana(user_id=user.pk)
    getattr(members, verb)(**whom, **({"reason": "Never there."} if verb == "expel" else {}))


def season_starts(league: League) -> None:
    """The next season, with one of the three ends that there are, and none far off."""
    terms = league.ana(ends_at=league.now + timedelta(hours=league.dice.randint(1, 60)), matches_each=league.dice.randint(1, 3))
    seasons.start(until=league.dice.choice(["date", "matches", "points"]), first_to=league.dice.choice([60, 120, 300]), **terms)


def season_ends(league: League) -> None:
    """A season whose day has come ends; now and then the organiser ends one, or takes the last one up again."""
    how = league.dice.choice(["due", "due", "close", "reopen"])
    if how == "close":
        seasons.close(**league.ana())
    elif how == "reopen":
        seasons.reopen(**league.ana(), number=Season.objects.count())
    else:
        for pk in selectors.seasons_to_end(now=league.now):
            seasons.end_due(season_id=pk, now=league.now)


def adjusts(league: League) -> None:
    """The organiser adds points or takes some away, in the open season or in any."""
    number = league.dice.choice([None, *range(1, Season.objects.count() + 1)])
    wager = {"points": league.dice.choice([-300, -50, 20, 200]), "reason": "A wager.", "user_id": league.anybody().pk}
    ledger.adjust(**league.ana(**wager, request=str(league.now), number=number))


def edits(league: League) -> None:
    """Other rules, for the tables to come and for the matches that begin."""
    same, forfeit, target = (league.dice.choice(some) for some in ([None, 1, 2], [0, -100], [60, 100, None]))
    leagues.edit(code=league.code, by=player("Ana"), same_people=same, forfeit=forfeit, options={"target": target})


ABOUT: dict[str, Callable[[Game, random.Random], dict[str, Any]]] = {
    "void": lambda game, dice: {"deal": dice.randrange(game.deals.count())},
    "back": lambda game, dice: {"entry": dice.choice([0, *game.entries.filter(kind="move").values_list("number", flat=True)])},
    "points": lambda game, dice: {"points": {seat: dice.choice([-150, -20, 0, 30, 200]) for seat in range(game.seat_count)}},
    "remove": lambda game, dice: {"seat": dice.randrange(game.seat_count)},
}
"""What a ruling of a kind names: any deal, any move, any seat."""


def rules(league: League) -> None:
    """A referee rules on a case that waits at a match, or on one that is opened now; some cases are left to wait."""
    game = league.game("running", "finished")
    if game is None or (sitter := User.objects.filter(seats__game=game).order_by("seats__index").first()) is None:
        return
    league.cases += 1
    waiting = Dispute.objects.filter(game=game, state__in=Dispute.UNSETTLED, referee__isnull=False).first()
    case = waiting or claimed(game, sitter.username, to=f"Referee {league.cases}", now=league.now)
    kind = league.dice.choice(["dismiss", "void", "void", "back", "back", "points", "points", "remove", "reopen", "reopen"])
    if league.cases % 10 and case.referee is not None:
        about = ABOUT[kind](game, league.dice) if kind in ABOUT else {}
        rulings.rule(case=case.pk, user=case.referee, kind=kind, reason="I looked.", now=league.now, **about)


HOW_OFTEN: dict[Callable[[League], None], int] = {
    sits_down: 8, plays: 10, is_replaced: 1, comes_or_goes: 2, season_starts: 3, season_ends: 3, adjusts: 2, edits: 1, rules: 14
}  # fmt: skip


def keep_telling_the_same(now: datetime) -> None:
    """No audit of a season finds anything; ledger, table and chart have the same points."""
    for season in Season.objects.all():
        assert audit(season_id=season.pk) == []
        rows = [(row.player_id, row.points) for row in selectors.rows(season=season) if row.counts]
        sums = {player_id: sum(points for who, points in rows if who == player_id) for player_id, _points in rows}
        table = dict(Standing.objects.filter(season=season).values_list("player_id", "points"))
        lines = selectors.series(season=season, user_ids=table.keys(), now=now)[1]
        assert table == sums == {who: line[-1] for who, line in lines.items()}


@pytest.mark.parametrize("seed", [5, 11, 21])
def test_ledger_table_chart_and_ratings_survive_whatever_is_ruled(seed: int) -> None:
    league = League(new_league(*NAMES, options={"target": 60}).code, random.Random(seed))
    season_starts(league)
    for step in range(1, 71):
        league.now += timedelta(minutes=league.dice.randint(0, 200))
        [deed] = league.dice.choices([*HOW_OFTEN], [*HOW_OFTEN.values()])
        with suppress(ServiceError, engine.RuleError), chance(OUT_OF_TWO[0], 1, then=OUT_OF_TWO[0]):
            deed(league)
        if step % 5 == 0:
            keep_telling_the_same(league.now)
    for match in LeagueMatch.objects.filter(waiting=True):
        score(match.game, now=league.now)
    keep_telling_the_same(league.now)
    rate(variant="rami500")
    assert rerate(keep=False) == [] and differences() == []
    carried_out = Ruling.objects.exclude(kind="dismiss").values_list("kind", flat=True)
    assert len(carried_out) >= 8 and len(set(carried_out)) >= 4
