"""What a replay may not tell: of a running deal no more than the viewer's own seat saw at that step."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils import translation

from games import engine
from games.engine import rules_for
from games.models import Game
from games.presenters.replay import ALL, Asked
from games.presenters.steps import Made
from games.services import turns
from games.views.replay import show
from tests.engine import test_etalat_properties as tiles
from tests.engine import test_view as cards
from tests.engine.builders import Step, play_randomly
from tests.engine.tile_builders import play_tiles
from tests.games.pages import HTMX, visitor
from tests.games.playing import NOON, PATIENT, at, fresh, play, player, quick_turn, run_out, running, settle
from tests.games.test_replay_steps import source
from tests.games.tiles import ALL_BIG, answer, tile_table

PAIRS = {"remi500": 20, "rami500": 20, "etalat": 40}


def rendered(played: list[Step], viewer: int | None, *asked: Any, htmx: bool) -> str:
    """The page of a running deal, whole or as htmx gets it."""
    request: Any = RequestFactory().get("/", headers=HTMX if htmx else {})
    request.user, request.htmx = AnonymousUser(), htmx
    moves = [Made(step.seat, step.move) for step in played]
    made = source(played[0].before, moves, viewer=viewer)
    with translation.override("en"):
        return stable(show(request, made, Asked(*asked)).content.decode())


def stable(page: str) -> str:
    """Without the marks that are new in every answer."""
    return re.sub(r'(csrf\w*"?[^>]*?value=|csrf\w*"?: ?)"\w+"', "", page, flags=re.I)


def pairs(variant: str, seed: int, chance: random.Random) -> Any:
    """A deal in the middle, and one with the same history for a seat but other cards in hands and stock; by that seat."""
    rules = rules_for(variant, 2 + seed % 3, {"opening": 20} if variant == "etalat" else {})
    module = tiles if variant == "etalat" else cards
    played = (play_tiles if variant == "etalat" else play_randomly)(rules, seed, others=0.08)
    played = played[: chance.randrange(1, max(2, min(len(played), 70)))]
    if played[-1].after.phase == engine.OVER:
        return
    # places are those of the deck as it was shuffled, which tiles are arranged from
    deck = tiles.shuffled_pack(rules, seed) if variant == "etalat" else list(played[0].before.deck)
    if variant == "etalat":
        played = tiles.same_history(played, deck) or []
    for seat in [None, *range(rules.count)]:
        places = module.hidden_places(played[-1].after, seat, deck) if played else []
        again = module.same_history(played, cards.rearranged(tuple(deck), places, chance)) if len(places) > 1 else None
        if again is not None:
            yield seat, played, again


@pytest.mark.parametrize("variant", sorted(PAIRS))
def test_deals_that_differ_in_cards_never_seen_give_equal_pages(variant: str) -> None:
    chance = random.Random(f"replay {variant}")
    compared = differing = 0
    for seed in range(PAIRS[variant]):
        for viewer, one, other in pairs(variant, seed, chance):
            compared += 1
            differing += one[-1].after.hands != other[-1].after.hands
            card = chance.choice([text for text in one[0].before.rules.alphabet.texts[: engine.STANDS] if text])
            asked = (chance.randrange(len(one) + 1), chance.choice([None, ALL, 0, 1]), card)
            htmx = chance.random() < 0.5
            assert rendered(one, viewer, *asked, htmx=htmx) == rendered(other, viewer, *asked, htmx=htmx)
    assert compared > 20 and differing > 5, "the test has seen too few pairs"


def test_it_would_be_seen_if_a_page_did_tell() -> None:
    chance, seen = random.Random("told"), 0
    for seed in range(20):
        for viewer, one, other in pairs("rami500", seed, chance):
            if viewer is None and one[0].before.hands[0] != other[0].before.hands[0]:
                seen += rendered(one, 0, 0, htmx=True) != rendered(other, 0, 0, htmx=True)
    assert seen


# -- at a table ----------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db
CARD = re.compile(r'value="((?:1[0-3]|[A2-9TJQK])[SHDCRYBK]|\*)"')


def steps(name: str, game: Game, last: int, query: str = "", deal: int = 0) -> str:
    """All that the replay answers to somebody, step by step."""
    client = visitor(name)
    pages = [client.get(f"/t/{game.code}/deals/{deal}/replay/{step}/{query}") for step in range(last + 1)]
    assert {page.status_code for page in pages} == {200}
    return "".join(page.content.decode() for page in pages)


@pytest.mark.parametrize("query", ["", "?seat=0", "?seat=1", "?seat=all"])
def test_pages_of_a_running_deal_hold_no_card_that_only_others_have_seen(query: str) -> None:
    game = running("Ana", "Bogdan", seed="secrecy")
    for _turn in range(4):
        quick_turn(game)
    play(game, "S")
    deal = at(game).deal
    for name, seat in (("Ana", 0), ("Bogdan", 1), ("Chloé", None)):
        shown = set(CARD.findall(steps(name, game, 9, query)))
        texts = deal.rules.alphabet.texts
        start = engine.start(deal.rules, deal.dealer, deal.deck)
        own = [] if seat is None else [*deal.hands[seat].cards(), *start.hands[seat].cards()]
        seen = {texts[card] for card in (*start.row, *own)}
        seen |= {text for entry in game.entries.all() for text in entry.facts.get("cards", [])}
        assert shown <= seen
        hidden = {texts[card] for other, hand in enumerate(deal.hands) if other != seat for card in hand.cards()}
        assert hidden - seen


@pytest.mark.parametrize("name", ["Ana", "Bogdan", "Chloé", "stranger"])
def test_no_answer_to_the_exchange_is_told_while_the_deal_lasts(name: str) -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    for by, text in (("Ana", "X:10R"), ("Bogdan", "X:13Y"), ("Chloé", "X:pass")):
        answer(game, text, by=by)
    everything = steps(name, game, 1) + steps(name, game, 1, "?card=10R") + steps(name, game, 1, "?card=13Y")
    assert "The exchange of doubles is over" in everything
    assert "X:" not in everything.replace("HX:", "") and "passed" not in everything and "offered" not in everything
    assert ("· swapped" in everything) == (name in ("Ana", "Bogdan"))


def test_a_single_answer_changes_no_step_that_others_see() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    before = {name: steps(name, game, 0) for name in ("Bogdan", "Chloé", "stranger")}
    answer(game, "X:10R")
    for name, was in before.items():
        assert stable(steps(name, game, 0)) == stable(was)


def test_the_answers_are_told_once_the_deal_is_over() -> None:
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    for by, text in (("Ana", "X:10R"), ("Bogdan", "X:13Y"), ("Chloé", "X:pass")):
        answer(game, text, by=by)
    for name in ("Ana", "Bogdan"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    told = steps("stranger", game, 1)
    assert "passed in the exchange" in told and "offered" in told and "1 X:13Y" in told


def test_hands_that_are_sorted_by_hand_now_do_not_order_what_is_shown_of_another_deal() -> None:
    game = running("Ana", "Bogdan", absent_after=PATIENT)
    run_out(game)
    settle(game)
    before = stable(steps("Bogdan", game, 3, "?seat=0"))
    seat = at(game).seats[0]
    held = at(game).hands[0].cards
    for order in (held, held[::-1]):
        seat.sort, seat.arrangement = "hand", order
        seat.save()
        assert stable(steps("Bogdan", game, 3, "?seat=0")) == before


def test_the_next_deal_stays_closed_while_the_last_is_open() -> None:
    game = running("Ana", "Bogdan", absent_after=PATIENT)
    run_out(game)
    settle(game)
    assert "· All" not in steps("Ana", game, 0, "?seat=1", deal=1)
    client = visitor("Ana")
    over = client.get(f"/t/{game.code}/deals/0/replay/0/?seat=1").content.decode()
    runs = client.get(f"/t/{game.code}/deals/1/replay/0/?seat=1").content.decode()
    assert "Hand of Bogdan" in over and "Seen by" in over
    assert "Hand of Bogdan" not in runs and "Seen by" not in runs
    assert fresh(game).status == Game.Status.RUNNING
