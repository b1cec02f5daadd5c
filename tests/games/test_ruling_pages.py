"""What the pages of a table show of rulings: void deals, moves that are undone, points adjusted."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games import engine
from games.models import Game, Seat
from games.services import history, turns
from tests.games.pages import visitor, words
from tests.games.playing import NOON, OUT_OF_TWO, at, fresh, play, player, quick_turn, running, seat, settle
from tests.games.ruling import go_back, rule, standing, void
from tests.games.tiles import BOTH_SMALL, answer, tile_table

pytestmark = pytest.mark.django_db

LUCKY, MOVES, _SCORES = OUT_OF_TWO


def page(game: Game, path: str = "", *, by: str = "Ana") -> Any:
    return visitor(by).get(f"/t/{game.code}/{path}")


def body(answer: Any) -> str:
    assert answer.status_code == 200, answer.status_code
    text: str = answer.content.decode()
    return text


def void_in_the_middle() -> Game:
    """Deal 0 counted, deal 1 void after a turn and a draw, deal 2 played."""
    game = running("Ana", "Bogdan", seed=LUCKY)
    play(game, MOVES)
    settle(game, then="one")
    for name in ("Ana", "Bogdan"):
        turns.go_on(code=game.code, user=player(name), deal=0)
    quick_turn(game)
    play(game, "S")
    void(game, 1)
    return game


def text_of(card: int) -> str:
    return engine.CARDS.texts[card]


# -- a void deal -----------------------------------------------------------------------------------


def test_nobody_is_led_to_the_result_of_a_deal_that_was_never_over() -> None:
    game = void_in_the_middle()
    assert 'id="play"' in body(page(game)) or "Deal 3" in words(page(game))
    assert page(game).status_code == 200
    assert page(game, "deals/1/").status_code == 404


def test_the_match_sheet_strikes_a_void_deal_and_lists_what_was_adjusted() -> None:
    game = void_in_the_middle()
    rule(game, history.adjust, {1: -12})
    void(game, 0)
    shown = body(page(game))
    sheet = re.search(r'<table class="sheet">.*?</table>', shown, flags=re.S)
    assert sheet is not None
    assert "<del>55</del>" in sheet[0] and "<del>−43</del>" in sheet[0]
    assert "Deal 2 <small>void</small>" in sheet[0] and "Adjusted" in sheet[0] and "−12" in sheet[0]
    assert f"/t/{game.code}/deals/1/replay/" in sheet[0] and f'/t/{game.code}/deals/0/"' in sheet[0]


def test_the_result_of_a_void_deal_says_that_it_counts_no_more() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY)
    play(game, MOVES)
    settle(game)
    void(game, 0)
    shown = words(page(game, "deals/0/"))
    assert "Deal 1 is void: its points do not count." in shown
    assert "0 of 500" in shown  # the totals after it


def test_a_void_deal_is_shown_again_with_all_hands_and_its_stock_to_whoever_may_see_the_table() -> None:
    game = void_in_the_middle()
    row = game.deals.get(number=1)
    deal = engine.load(game.rules, row.deck, row.state, [hand.cards for hand in row.hands.all()])
    shown = body(page(game, "deals/1/replay/3/?seat=all", by="Dan"))
    assert "deal 2, void" in words(page(game, "deals/1/replay/3/?seat=all", by="Dan"))
    held = {text_of(card) for hand in deal.hands for card in hand.cards()}
    assert all(f'value="{text}"' in shown or f">{text}" in shown or text in shown for text in held)
    assert page(game, "deals/1/replay/0/?seat=1", by="Ana").status_code == 200


def test_of_the_deal_that_is_played_instead_nobody_sees_more_than_before() -> None:
    game = void_in_the_middle()
    shown = body(page(game, "deals/2/replay/0/?seat=1", by="Ana"))
    mine = {text_of(card) for card in at(game).deal.hands[0].cards()}
    theirs = {text_of(card) for card in at(game).deal.hands[1].cards()} - mine - {text_of(at(game).deal.row[0])}
    found = set(re.findall(r'value="([2-9TJQKA][SHDC])"', shown))
    assert not theirs & found


def test_the_shuffle_of_a_void_deal_can_be_checked() -> None:
    game = void_in_the_middle()
    shown = body(page(game, "deals/1/check/"))
    assert 'data-deal="1"' in shown and bytes(game.deals.get(number=1).seed).hex()[:4] in shown
    assert f"/t/{game.code}/deals/1/replay/" in shown  # there is no result to go back to
    assert f"/t/{game.code}/deals/1/check/" in body(page(game, "shuffle/"))
    assert page(game, "deals/2/check/").status_code == 404


def test_answers_of_a_void_deal_are_open_and_those_never_played_stay_sealed() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    answer(game, "X:2R")
    void(game, 0)
    assert "2R" not in words(page(game, "log/", by="Bogdan"))
    other = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    answer(other, "X:2R")
    answer(other, "X:3Y", by="Bogdan")
    assert "X:2R" not in body(page(other, "log/"))
    void(other, 0)
    assert "X:2R" in body(page(other, "log/"))


def test_who_was_asked_in_a_void_deal_is_not_waited_for_any_more() -> None:
    game = tile_table("Ana", "Bogdan", seed=BOTH_SMALL)
    void(game, 0, then="tiles 7")
    while fresh(game).in_exchange:  # the next deal may ask too: then for itself alone
        for name in ("Ana", "Bogdan"):
            if game.deals.get(number=1).answers.filter(seat=seat(game, name).index, text="").exists():
                answer(game, "X:pass", by=name, deal=1)
    assert fresh(game).to_move is not None
    waits = [other for other in Seat.objects.filter(game=game) if other.index != fresh(game).to_move]
    assert "Your turn" not in words(visitor(str(waits[0].user)).get("/tables/"))


# -- moves that are undone -------------------------------------------------------------------------


def undone() -> Game:
    game = running("Ana", "Bogdan")
    for _turn in range(3):
        quick_turn(game)
    go_back(game, standing(game)[2].number)
    return game


def test_the_log_strikes_out_what_is_undone_and_says_who_has_seen_what() -> None:
    game = undone()
    shown = body(page(game, "log/"))
    assert shown.count('<li class="undone">') == 2
    assert "A referee went back: what is struck out does not count. Drawn from the stock and seen: You 1 · Bogdan 1" in words(
        page(game, "log/")
    )
    assert body(page(game)).count('<li class="undone">') == 2
    quick_turn(game)
    assert body(page(game, "log/")).count('<li class="undone">') == 2


def test_what_is_undone_is_struck_out_on_every_page_of_a_long_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.log.ROWS_ON_A_PAGE", 3)
    game = undone()
    found = [body(page(game, f"log/?page={number}")).count('<li class="undone">') for number in (1, 2, 3)]
    assert sum(found) >= 2 and found[1] > 0


def test_the_replay_plays_what_stands() -> None:
    game = undone()
    assert "Move 2 of 2" in words(page(game, "deals/0/replay/2/"))


def test_my_tables_say_that_a_referee_went_back() -> None:
    game = undone()
    mine = str(at(game).seats[fresh(game).to_move or 0].user)
    assert "A referee went back to this turn." in words(visitor(mine).get("/tables/"))


def test_the_result_of_a_deal_gone_back_into_is_not_shown_until_it_is_counted_again() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY, options={"target": 50})
    play(game, MOVES)
    settle(game)
    assert page(game, "deals/0/").status_code == 200
    go_back(game, standing(game)[-1].number)
    assert page(game, "deals/0/").status_code == 404
    assert "Deal 1 </a>" not in body(page(game)) and page(game).status_code == 200
    play(game, MOVES.split()[-1])
    settle(game)
    assert words(page(game, "deals/0/")).count("You went out and win the match.") == 1
    for name in ("Ana", "Bogdan"):
        turns.go_on(code=game.code, user=player(name), deal=0)
    assert "1 deal, finished on" in words(page(game))


# -- the rest --------------------------------------------------------------------------------------


def test_the_log_tells_of_every_ruling_in_words() -> None:
    game = running("Ana", "Bogdan", "Chloé")
    rule(game, history.adjust, {0: 5, 2: -10})
    void(game, 0)
    rule(game, history.remove, 1)
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    rule(game, history.reopen)
    told = words(page(game, "log/", by="Chloé"))
    for sentence in (
        "A referee has adjusted points: Ana +5 · You −10", "A referee has made deal 1 void: it counts no more",
        "Bogdan was removed by a referee", "A referee has taken the match up again; back in it: Ana",
    ):  # fmt: skip
        assert sentence in told, told


def test_the_page_of_a_match_that_is_over_counts_the_deals_that_count() -> None:
    game = running("Ana", "Bogdan", seed=LUCKY, options={"target": 50})
    void(game, 0, then=LUCKY)
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    for name in ("Ana", "Bogdan"):
        turns.go_on(code=game.code, user=player(name), deal=1)
    shown = words(page(game))
    assert "1 deal, finished on" in shown and "Deal 1 void" in shown
