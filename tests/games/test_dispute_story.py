"""A dispute from the claim to a finished match and a corrected league table, by the pages of players and referee."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from accounts.leagues.audit import audit as audit_of_leagues
from accounts.models import LeagueMatch, Season
from games import engine, selectors
from games.engine.bots import BOTS
from games.models import Dispute, Entry, Game
from games.services.audit import audit
from tests.games.pages import said, visitor, words
from tests.games.playing import NOON, OUT_OF_TWO, at, fresh, play, player, settle
from tests.games.test_desk import as_user, referee
from tests.leagues.playing import end_deal, league, match, points, score

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return league("Ana", "Bogdan", options={"target": 60})


@pytest.fixture
def game(season: Season) -> Game:
    """A match that Ana has won with her third deal, 67 to -31; the table of the league says so."""
    game = match(season, "Ana", "Bogdan")
    for _deal in range(3):
        end_deal(game)
    assert fresh(game).status == Game.Status.FINISHED and points(season) == {"Ana": 67, "Bogdan": -31}
    return fresh(game)


def play_on(game: Game) -> None:
    """To the end of the match, as computer players would play."""
    rng = random.Random(3)
    while fresh(game).status == Game.Status.RUNNING:
        deal = at(game).deal
        if deal.to_move is None:
            settle(game)
        else:
            play(game, engine.move_text(BOTS["greedy"](engine.view(deal, deal.to_move), rng), deal.rules.alphabet))


def opened(game: Game, bogdan: Client) -> Dispute:
    """Bogdan disputes Ana's last meld, from the replay."""
    step = OUT_OF_TWO[1].split().index("L:2:TD") + 1
    assert "laid off" in words(bogdan.get(f"/t/{game.code}/disputes/new/?deal=2&at={step}"))
    sent = {"kind": "rule", "words": "That ten did not belong there.", "deal": "2", "at": str(step)}
    assert "The dispute is open" in said(bogdan, bogdan.post(f"/t/{game.code}/disputes/new/", sent))
    return Dispute.objects.get()


def test_from_the_claim_to_a_finished_match_and_a_corrected_table(game: Game, season: Season) -> None:
    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        ana, bogdan, corina = visitor("Ana"), visitor("Bogdan"), as_user(referee())
        case = opened(game, bogdan)
        desk = f"/admin/games/dispute/{case.pk}"
        assert LeagueMatch.objects.get().provisional
        assert "That ten did not belong there." in words(ana.get(f"/t/{game.code}/disputes/{case.pk}/"))

        for sent in ({"act": "claim"}, {"act": "ask", "words": "Ana, why there?"}, {"act": "look", "deal": "2"}):
            assert corina.post(f"{desk}/act/", sent).status_code == 302
        page = words(corina.get(f"{desk}/change/"))
        assert "Deal 3, move 4, all hands" in page and "Replay equals what is stored" in page
        ruling = {"act": "rule", "rule": "back", "to": "4", "reason": "It is taken back."}
        assert "It is ruled." in said(corina, corina.post(f"{desk}/act/", ruling))

        score(game)
        assert fresh(game).status == Game.Status.RUNNING and points(season) == {"Ana": 12, "Bogdan": 12}
        assert not LeagueMatch.objects.get().provisional
        assert [move.text for move in moves(game, 2)] == OUT_OF_TWO[1].split()[:3]
        assert "It is taken back." in words(bogdan.get(f"/t/{game.code}/disputes/{case.pk}/"))
        assert audit(game_id=game.pk) == []

        play(game, "D:8S")
        play_on(game)
        score(game)
    totals = {seat.user.username: seat.total for seat in game.seats.select_related("user") if seat.user}
    assert fresh(game).winner is not None and points(season) == totals and totals != {"Ana": 67, "Bogdan": -31}
    assert audit(game_id=game.pk) == [] and audit_of_leagues(season_id=season.pk) == []


def moves(game: Game, deal: int) -> list[Entry]:
    """The moves of a deal that stand."""
    return selectors.replayed(game=game, number=deal).moves


def test_the_players_are_told_of_the_look_and_of_the_ruling(game: Game) -> None:
    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        case = opened(game, visitor("Bogdan"))
        corina = as_user(referee())
        for sent in ({"act": "claim"}, {"act": "look", "deal": "2"}, {"act": "rule", "rule": "dismiss", "reason": "It did."}):
            assert corina.post(f"/admin/games/dispute/{case.pk}/act/", sent).status_code == 302
        for name in ("Ana", "Bogdan"):
            assert player(name).messages.filter(kind="ruling").exists()
            page = words(visitor(name).get(f"/t/{game.code}/disputes/{case.pk}/"))
            assert "Corina" in page and "It did." in page
