"""The exchange of doubles, several at once over real connections: every answer counts, and it is resolved once."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Answer, Game
from games.services import turns
from tests.games.playing import NOON, differences, fresh, player
from tests.games.test_races import DUE, Call, both_orders, click, crowd, doing, expiry, moves, race
from tests.games.tiles import ALL_BIG, BOTH_SMALL, THREE_DOUBLES, answer, tile_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    """Ana holds two 2R, Bogdan two 3Y."""
    return tile_table("Ana", "Bogdan", seed=BOTH_SMALL)


def says(game: Game, by: str, text: str, *, late: bool = False) -> Call:
    player(by)
    return lambda: answer(game, text, by=by, deal=0, now=DUE if late else NOON) and "answered"


def given(game: Game) -> list[tuple[int, str, str]]:
    return [(row.seat, row.text, row.actor) for row in Answer.objects.filter(deal__game=game)]


@both_orders
def test_two_who_answer_at_once_both_count_and_it_is_resolved_once(game: Game, swapped: bool) -> None:
    version = fresh(game).version
    assert race(game, says(game, "Ana", "X:2R"), says(game, "Bogdan", "X:3Y"), swapped=swapped) == ["answered", "answered"]
    assert moves(game) == ["X:2R", "X:3Y"]
    assert (fresh(game).version, fresh(game).to_move) == (version + 1, 0)


def test_a_double_click_answers_once(game: Game) -> None:
    assert race(game, says(game, "Ana", "X:2R"), says(game, "Ana", "X:2R")) == ["answered", "already_answered"]
    assert given(game)[0] == (0, "X:2R", "player")
    assert moves(game) == []


def test_a_double_click_on_the_last_answer_resolves_once(game: Game) -> None:
    answer(game, "X:3Y", by="Bogdan")
    assert race(game, says(game, "Ana", "X:2R"), says(game, "Ana", "X:2R")) == ["answered", "stale"]
    assert moves(game) == ["X:2R", "X:3Y"]


@both_orders
def test_of_two_tabs_the_first_answers(game: Game, swapped: bool) -> None:
    answers = race(game, says(game, "Ana", "X:2R"), says(game, "Ana", "X:pass"), swapped=swapped)
    assert answers == (["already_answered", "answered"] if swapped else ["answered", "already_answered"])
    assert given(game)[0][1] == ("X:pass" if swapped else "X:2R")


@both_orders
def test_an_answer_at_the_last_moment_beside_the_clock(game: Game, swapped: bool) -> None:
    answers = race(game, says(game, "Ana", "X:2R", late=True), expiry(game), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["answered", True])
    assert given(game) == [(0, "X:pass" if swapped else "X:2R", "clock" if swapped else "player"), (1, "X:pass", "clock")]


@both_orders
def test_the_last_answer_at_the_last_moment_beside_the_clock(game: Game, swapped: bool) -> None:
    answer(game, "X:3Y", by="Bogdan")
    answers = race(game, says(game, "Ana", "X:2R", late=True), expiry(game), swapped=swapped)
    assert answers == (["stale", True] if swapped else ["answered", False])
    assert moves(game) == ["X:pass" if swapped else "X:2R", "X:3Y"]


def test_two_sweeps_pass_once(game: Game) -> None:
    assert race(game, expiry(game), expiry(game)) == [True, False]
    assert moves(game) == ["X:pass", "X:pass"]


@both_orders
def test_an_answer_beside_somebody_who_resigns(swapped: bool) -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    answer(game, "X:12B", by="Chloé")
    answers = race(game, says(game, "Ana", "X:10R"), doing(turns.resign, game, "Bogdan"), swapped=swapped)
    assert answers == ["answered", "done"]
    assert moves(game) == ["R", "X:10R", "X:12B"]


@both_orders
def test_an_answer_beside_one_s_own_resignation(swapped: bool) -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    answers = race(game, says(game, "Ana", "X:10R"), doing(turns.resign, game, "Ana"), swapped=swapped)
    assert answers == (["not_your_turn", "done"] if swapped else ["answered", "done"])
    assert moves(game) == ["R"]


@both_orders
def test_a_first_move_cannot_overtake_the_last_answer(game: Game, swapped: bool) -> None:
    answer(game, "X:2R")
    answers = race(game, says(game, "Bogdan", "X:3Y"), click(game, "D:1R"), swapped=swapped)
    assert answers == ["answered", "wrong_phase" if swapped else "stale"]


@both_orders
def test_spoiling_beside_an_offer_spoils(swapped: bool) -> None:
    game = tile_table("Ana", "Bogdan", seed=THREE_DOUBLES)
    assert race(game, says(game, "Ana", "X:spoil"), says(game, "Bogdan", "X:2Y"), swapped=swapped) == ["answered", "answered"]
    assert game.deals.get().reason == "spoiled"


def test_all_answer_at_once_in_browsers_without_order() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    offers = {"Ana": "X:10R", "Bogdan": "X:13Y", "Chloé": "X:12B"}
    statuses: list[int] = []

    def posts(name: str, text: str) -> Call:
        client = Client(headers={"HX-Request": "true"})
        client.force_login(player(name), backend="django.contrib.auth.backends.ModelBackend")

        def call() -> None:
            for _again in range(3):
                answer = client.post(f"/t/{game.code}/answer/", {"answer": text, "deal": "0"})
                statuses.append(answer.status_code)

        return call

    with crowd(*[posts(name, text) for name, text in offers.items()]):
        pass
    assert set(statuses) == {200}
    assert moves(game) == list(offers.values())
    assert differences(game) == []
