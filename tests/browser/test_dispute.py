"""A dispute from the button beside a move to a corrected league table, in real browsers, with a real worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounts.leagues.audit import audit as audit_of_leagues
from accounts.models import LedgerRow, Standing
from games import engine
from games.models import Dispute, Game, Step
from tests.browser.players import DESK, PHONE, come_in
from tests.browser.test_play import no_sideways_scroll
from tests.conftest import Worker
from tests.games.cases import referee
from tests.games.playing import OUT_OF_TWO, at, differences, fresh, play, player, quick_turn
from tests.games.test_worker import until
from tests.leagues.playing import league, match

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def points() -> dict[str, int]:
    return dict(Standing.objects.values_list("player__username", "points"))


def test_a_dispute_goes_back_to_before_a_move_and_corrects_the_league(
    live_server: LiveServer, contexts: Any, worker: Worker
) -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    play(game, OUT_OF_TWO[1])
    until(lambda: fresh(game).status == Game.Status.FINISHED and LedgerRow.objects.count() == 2)
    until(lambda: points() == {"Ana": 55, "Bogdan": -43})

    bogdan = come_in(contexts(**PHONE), live_server.url, player("Bogdan"))
    bogdan.goto(f"{live_server.url}/t/{game.code}/deals/0/replay/2/")
    bogdan.get_by_role("link", name="Contest").click()
    bogdan.get_by_label("Mistake of my own").check(force=True)
    bogdan.get_by_label("What happened").fill("We had agreed to begin anew. <b>Ana</b> knows.")
    no_sideways_scroll(bogdan)
    bogdan.get_by_role("button", name="Open the dispute").click()
    bogdan.get_by_text("We had agreed to begin anew. <b>Ana</b> knows.").wait_for()
    case = Dispute.objects.get()
    assert (case.kind, case.deal, case.move) == ("mistake", 0, game.entries.filter(kind="move")[1].number)
    bogdan.goto(f"{live_server.url}/l/{season.league.code}/")
    expect(bogdan.locator(".standing")).to_contain_text("provisional")

    ana = come_in(contexts(**PHONE), live_server.url, player("Ana"))
    ana.goto(f"{live_server.url}/t/{game.code}/disputes/{case.pk}/")
    ana.get_by_label("Your answer").fill("True. I had not read it.")
    ana.get_by_role("button", name="Answer").click()
    until(lambda: Step.objects.filter(kind="answered").count() == 1)

    corina = referee("Corina")
    corina.is_staff = True
    corina.save()
    desk = come_in(contexts(**DESK), live_server.url, corina)
    desk.goto(f"{live_server.url}/admin/games/dispute/")
    desk.get_by_role("link", name=str(case.pk), exact=True).click()
    desk.get_by_role("button", name="Take the case up").click()
    expect(desk.locator("#position .hands")).to_have_count(0)
    desk.get_by_role("button", name="Look at all hands").click()
    expect(desk.locator("#position .hands .held")).to_have_count(2)
    expect(desk.locator("#voices")).to_contain_text("True. I had not read it.")
    expect(desk.locator("#checks [data-bad]")).to_have_count(0)
    desk.get_by_label("Go back to a move").check(force=True)
    desk.get_by_label("Back to just before move").fill("2")
    desk.get_by_label("Reason").fill("Both say so.")
    desk.get_by_role("button", name="Go back to the move").click()
    until(lambda: fresh(game).status == Game.Status.RUNNING)
    until(lambda: set(points().values()) <= {0})

    bogdan.goto(f"{live_server.url}/t/{game.code}/disputes/{case.pk}/")
    bogdan.get_by_text("Both say so.").wait_for()
    no_sideways_scroll(bogdan)
    ana.goto(f"{live_server.url}/t/{game.code}/")
    ana.locator("#play").wait_for()
    assert fresh(game).to_move == 0
    discard = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
    play(game, engine.move_text(discard, at(game).deal.rules.alphabet))
    while fresh(game).status == Game.Status.RUNNING:
        until(lambda: not fresh(game).awaits_server, seconds=20)
        if fresh(game).status == Game.Status.RUNNING:
            quick_turn(game)
    totals = dict(game.seats.values_list("user__username", "total"))
    assert totals != {"Ana": 55, "Bogdan": -43}
    until(lambda: points() == totals)
    bogdan.goto(f"{live_server.url}/l/{season.league.code}/")
    expect(bogdan.locator(".standing")).not_to_contain_text("provisional")
    best = max(totals, key=lambda name: totals[name])
    expect(bogdan.locator(".standing tbody tr").first).to_contain_text(best)
    assert differences(game) == []
    assert audit_of_leagues(season_id=season.pk) == []
