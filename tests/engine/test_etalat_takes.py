"""Takes from the row: §4.10, with §1.8 held to the limits of §4.7; the exact tests against a search of everything."""

import random
import time
from typing import Any

import pytest

from games.engine import JOKER, Deal, Hand, Meld, RuleError, apply, legal_moves, view
from games.engine.cards import EMPTY, STANDS, add, plain, remove
from games.engine.melds import laid, listed
from games.engine.moves import LAY_OFF, MELD, SWAP, take
from games.engine.packing import Terms, all_melds, opening, opening_value

from .builders import legal, play, refused
from .tile_builders import at_table, codes, held, row, table, tiles_rules

SHORT = "2R 4B 6K"


# -- how many tiles are in hand ----------------------------------------------------------------------------------


def test_with_four_tiles_an_opened_seat_breaks_the_row_where_it_likes() -> None:
    deal = at_table(hands=["9Y 9B 2R 4R", "3B 3Y"], row="9R 13R 2B 9K 6B")
    assert legal(deal) == ["P2", "P5", "S"]
    deal = play(deal, "P5")
    assert (row(deal).count(" "), held(deal, 0)) == (0, "2R 4R 9R 13R 9Y 2B 6B 9B 9K")


def test_the_tile_taken_must_be_laid_this_turn() -> None:
    deal = play(at_table(hands=["9Y 9B 2R 4R", "3B 3Y"], row="9R 13R"), "P2")
    assert deal.must_use == codes("9R")[0]
    assert refused(deal, "D:2R") == "must_use_pickup"
    assert play(deal, "M:9R,9Y,9B D:2R").must_use is None


def test_the_last_discard_must_be_laid_too() -> None:
    deal = play(at_table(hands=["9Y 9B 2R 4R", "3B 3Y"], row="9R"), "P1")
    assert refused(deal, "D:2R") == "must_use_pickup"
    assert refused(deal, "D:9R") == "must_use_pickup"


def test_with_three_tiles_the_last_discard_may_be_taken_and_no_more() -> None:
    deal = at_table(hands=["9Y 9B 2R", "3B 3Y"], row="9R 9K")
    assert legal(deal) == ["P1", "S"]
    assert refused(deal, "P2") == "cannot_break_row"
    assert play(deal, "P1 M:9Y,9B,9K D:2R").reason == "out"


@pytest.mark.parametrize("hand", ["9Y 9B", "9Y"])
def test_with_one_or_two_tiles_a_seat_draws_from_the_stock(hand: str) -> None:
    deal = at_table(hands=[hand, "3B 3Y"], row="8Y 9R", melds=[(1, "6R 7R 8R")])
    assert legal(deal) == ["S"]
    assert refused(deal, "P1") == "must_draw_stock"
    assert refused(deal, "P2") == "must_draw_stock"


def test_faults_of_a_take_come_in_their_order() -> None:
    first = at_table(hands=["9Y", "3B"], row="9R", turns=0)
    assert [refused(first, move) for move in ("P3", "P2", "P1")] == ["row_too_short", "first_round", "first_round"]
    few = at_table(hands=["9Y", "3B"], row="9R")
    assert [refused(few, move) for move in ("P3", "P2", "P1")] == ["row_too_short", "dead_discard", "must_draw_stock"]
    closed = at_table(hands=["9Y 2R 4R", "3B"], row="9R 2B")
    assert [refused(closed, move) for move in ("P2", "P1")] == ["cannot_break_row", "pickup_unusable"]


# -- before the opening ------------------------------------------------------------------------------------------

FOURTEEN = "10R 10Y 1R 2R 4B 5B 6K 8K 9Y 12Y 13K 7R 4Y 11K"


def test_before_opening_the_last_discard_is_taken_where_it_opens() -> None:
    deal = at_table(hands=[FOURTEEN.replace("11K", "3R"), SHORT], row="10B", opened="1")
    assert legal(deal) == ["P1", "S"]
    deal = play(deal, "P1 M:10R,10Y,10B M:1R,2R,3R D:7R")
    assert deal.extra.opened[0]


def test_not_where_the_hand_cannot_be_opened_with_it() -> None:
    assert refused(at_table(hands=[FOURTEEN, SHORT], row="10B", opened="1"), "P1") == "pickup_unusable"
    # a tile that makes a meld, but one too cheap
    deal = at_table(hands=["2R 3R 5Y 5B 7Y 7K 9K 11B 13R 12Y 2K 4K 6Y 8B", SHORT], row="4R", opened="1")
    assert refused(deal, "P1") == "pickup_unusable"


def test_not_where_the_melds_that_open_leave_the_tile_out() -> None:
    deal = at_table(hands=["10R 10Y 10B 1R 2R 3R 4B 6K 8K 9Y 12Y 13K 7R 4Y", SHORT], row="11R", opened="1")
    assert refused(deal, "P1") == "pickup_unusable"


def test_before_opening_the_row_is_not_broken() -> None:
    deal = at_table(hands=[FOURTEEN, SHORT], row="3R 10B", opened="1")
    assert refused(deal, "P2") == "cannot_break_row"


def test_a_tile_must_be_left_to_discard() -> None:
    all_of_it = "10R 10Y 1R 2R 3R 5K 6K 7K 13R 13Y 13B 4B 5B 6B"
    deal = at_table(hands=[all_of_it, SHORT], row="10B", opened="1")
    assert legal(deal) == ["P1", "S"]  # one of the melds stays in hand
    # 15 tiles that open as one set and one run, and as nothing less
    run = "2R 3R 4R 5R 6R 7R 8R 9R 10R 11R 12R"
    deal = at_table(hands=[run + " 13Y 13B 1R", SHORT], row="13K", opened="1", opening=140)
    assert refused(deal, "P1") == "pickup_unusable"


def test_a_joly_from_the_row_must_be_of_use_too() -> None:
    deal = at_table(hands=["10R 10Y 1R 2R 3R 4B 6K 8K 9Y 12Y 13K 7R 4Y 5Y", SHORT], row="*", opened="1")
    deal = play(deal, "P1")
    assert refused(play(deal, "M:1R,2R,3R"), "D:7R") == "must_use_pickup"
    assert play(deal, "M:1R,2R,3R M:10R,10Y,*10B D:7R").extra.opened[0]
    deal = at_table(hands=["10R 8Y 1R 3R 5R 4B 6K 8K 9B 12Y 13K 7R 4Y 2B", SHORT], row="*", opened="1")
    assert refused(deal, "P1") == "pickup_unusable"


def test_a_take_that_leads_nowhere_is_taken_back() -> None:
    deal = at_table(hands=[FOURTEEN.replace("11K", "3R"), SHORT], row="10B", opened="1")
    back = play(deal, "P1 M:10R,10Y,10B U U")
    assert (back.hands, back.row, back.phase) == (deal.hands, deal.row, "draw")
    assert held(back._replace(hands=back.known), 0) == "10R 10Y"  # they were seen


def test_an_unused_take_is_given_back_when_the_turn_expires() -> None:
    deal = play(at_table(hands=[FOURTEEN.replace("11K", "3R"), SHORT], row="10B", opened="1", stock="5Y 6Y 7Y"), "P1 T")
    assert row(deal).split()[-2:] == ["10B", "5Y"]


# -- after the opening: exactly, with the limits of §4.7 ---------------------------------------------------------


def test_a_joly_that_may_not_lie_beside_another_reaches_nothing() -> None:
    melds = [(1, "5R 6R *7R")]
    deal = at_table(hands=["* 2B 4B 6K", SHORT], row="9R", melds=melds)
    assert refused(deal, "P1") == "pickup_unusable"
    # with the 7 itself in hand the joly on the table is swapped, and another may lie where it lay off
    deal = at_table(hands=["* 7R 4B 6K", SHORT], row="9R", melds=melds)
    assert play(deal, "P1 W:1:7R L:1:*8R,9R").must_use is None


def test_a_joly_beyond_the_naturals_reaches_nothing() -> None:
    deal = at_table(hands=["* 2B 4B 6K", SHORT], row="9R", melds=[(1, "*5R 6R 7R")])
    assert refused(deal, "P1") == "pickup_unusable"
    deal = at_table(hands=["* 4R 3R 6K", SHORT], row="9R", melds=[(1, "*5R 6R 7R")])
    assert play(deal, "P1 L:1:4R,3R,*8R,9R").must_use is None
    deal = at_table(hands=["* 4R 13B 6K", SHORT], row="9R", melds=[(1, "*5R 6R 7R")])
    assert refused(deal, "P1") == "pickup_unusable"


def test_two_joly_with_one_tile_make_no_meld_with_the_tile_taken() -> None:
    deal = at_table(hands=["* * 4B 13K", SHORT], row="9R")
    assert refused(deal, "P1") == "pickup_unusable"
    deal = at_table(hands=["* * 7R 13K", SHORT], row="9R")
    assert play(deal, "P1 M:7R,*8R,9R").must_use is None


def test_a_gap_that_leaves_no_tile_to_discard_is_not_closed() -> None:
    melds = [(1, "2R 3R 4R")]
    assert refused(at_table(hands=["5R 6R 7R", SHORT], row="9R", melds=melds), "P1") == "pickup_unusable"
    assert legal(at_table(hands=["5R 6R 9B", SHORT], row="7R", melds=melds)) == ["P1", "S"]


def test_a_joly_won_by_a_swap_may_serve() -> None:
    deal = at_table(hands=["4Y 7R 2B 13K", SHORT], row="9R", melds=[(1, "4R *4Y 4K")])
    assert play(deal, "P1 W:1:4Y M:7R,*8R,9R").must_use is None


def test_a_tile_from_the_row_may_be_swapped_for_a_joly() -> None:
    deal = at_table(hands=["2B 8K 13K 6Y", SHORT], row="4Y", melds=[(1, "4R *4Y 4K")])
    deal = play(deal, "P1 W:1:4Y")
    assert deal.must_use is None
    assert refused(deal, "D:2B") == "must_use_joker"


def test_a_joly_from_the_row_is_laid_where_there_is_room() -> None:
    assert legal(at_table(hands=["2B 8K 13K 6Y", SHORT], row="*", melds=[(1, "4R 4Y 4K")])) == ["P1", "S"]
    assert legal(at_table(hands=["2B 8K 13K 6Y", SHORT], row="*", melds=[(1, "4R 4Y *4K")])) == ["S"]
    assert legal(at_table(hands=["2B 3B 13K 6Y", SHORT], row="*")) == ["P1", "S"]
    assert legal(at_table(hands=["2B 8K 13K 6Y", SHORT], row="*", melds=[(1, "4R 5R *6R")])) == ["S"]
    assert legal(at_table(hands=["7R 8R 13K 6Y", SHORT], row="* 2K", melds=[(1, "4R 5R *6R")])) == ["P2", "S"]


def test_tiles_that_lie_on_the_one_taken_may_serve() -> None:
    deal = at_table(hands=["2B 8K 13K 6Y", SHORT], row="9R 10R 11R 4B")
    assert legal(deal) == ["P4", "S"]


def random_position(chance: random.Random) -> Deal:
    """A seat that has opened, with three to seven tiles close to one another and to a few melds on the table."""
    number, suits = chance.randrange(13), chance.sample(range(4), 2)
    near = [suit * 13 + (number + step) % 13 for suit in suits for step in range(chance.randrange(3, 8))]
    left = [tile for tile in near for _ in range(2)] + [JOKER, JOKER]
    chance.shuffle(left)
    texts = tiles_rules(2).alphabet.texts
    lain: list[tuple[int, str]] = []
    for _ in range(chance.randrange(3)):
        choice = [move for move in listed(*add(EMPTY, left), True) if len(move.cards) < 6]
        if not choice:
            continue
        jokers = [move for move in choice if any(tile >= STANDS for tile in move.cards)]
        meld = chance.choice(jokers if jokers and chance.random() < 0.6 else choice)
        for tile in meld.cards:
            left.remove(plain(tile))
        lain.append((1, " ".join(texts[tile] for tile in meld.cards)))
    chance.shuffle(left)
    size = chance.randrange(3, 7)
    mine, rest = left[:size], left[size : size + 3]
    return at_table(hands=[" ".join(texts[tile] for tile in mine), ""], row=" ".join(texts[tile] for tile in rest), melds=lain)


def can_be_laid(deal: Deal, card: int) -> bool:
    """Whether some sequence of table moves lays the tile that must be used: all of them are tried."""
    seen = set()
    waiting = [deal]
    while waiting:
        at = waiting.pop()
        for move in legal_moves(at):
            if move.kind not in (MELD, LAY_OFF, SWAP):
                continue
            if card in [plain(tile) for tile in move.cards]:
                return True
            after = apply(at, 0, move)
            key = (after.hands[0], tuple(meld.cards for meld in after.melds))
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return False


def test_a_take_is_legal_exactly_where_some_sequence_of_moves_lays_the_tile() -> None:
    chance = random.Random(4)
    met = {True: 0, False: 0}
    for _ in range(700):
        deal = random_position(chance)
        takes = deal.rules.legal_takes(deal)
        most = len(deal.row) - 1 if deal.hand.size > 3 else min(1, len(deal.row) - 1)
        for n in range(1, most + 1):
            card = deal.row[-n]
            taken = deal._replace(
                phase="play", hands=(add(deal.hand, deal.row[-n:]), EMPTY), row=deal.row[:-n], must_use=card, prev=None, last=None
            )
            expected = can_be_laid(taken, card)
            assert (n in takes) == expected, (table(deal), held(deal, 0), row(deal), n)
            assert (deal.rules.take_fault(deal, n) is None) == expected
            met[expected] += 1
    assert min(met.values()) > 100


# -- whether a hand can be opened, exactly -----------------------------------------------------------------------


def opens(hand: Hand, terms: Terms, card: int | None) -> bool:
    """Whether a hand opens with the tile, by trying every choice of melds."""
    seen = set()

    def found(rest: Hand, points: int, kinds: frozenset[str], used: bool) -> bool:
        needed = {kind for kind, needs in (("set", terms.needs_set), ("run", terms.needs_run)) if needs}
        shape = points >= terms.points and kinds >= needed
        if (shape or (terms.ones_open and "ones" in kinds)) and used and rest.size:
            return True
        if (key := (rest, points, kinds, used)) in seen:
            return False
        seen.add(key)
        for move in listed(*rest, True):
            meld = laid(1, 0, move.cards, True)
            less = remove(rest, [plain(tile) for tile in move.cards])
            if meld is None or less is None:
                continue
            worth = sum(opening_value(meld.kind, place) for place in meld.positions())
            ones = {"ones"} if meld.kind == "set" and meld.positions()[0] == 1 else set()
            uses = used or card in [plain(tile) for tile in move.cards]
            if found(less, points + worth, kinds | {meld.kind} | ones, uses):
                return True
        return False

    return found(hand, 0, frozenset(), card is None)


def close_hand(chance: random.Random, size: int, jokers: int) -> Hand:
    """Tiles close enough to one another to make melds."""
    number, suits = chance.randrange(13), chance.sample(range(4), chance.randrange(1, 5))
    near = [suit * 13 + (number + step) % 13 for suit in suits for step in range(chance.randrange(2, 8))] * 2
    near += [chance.randrange(52) for _ in range(3)]
    chance.shuffle(near)
    hand = EMPTY
    for tile in near:
        if hand.size < size - jokers and hand.copies(tile) < 2:
            hand = add(hand, (tile,))
    return hand._replace(jokers=jokers)


def test_a_hand_opens_exactly_where_some_choice_of_melds_does() -> None:
    chance = random.Random(8)
    met = {True: 0, False: 0}
    for _ in range(2_500):
        jokers = chance.choice([0, 0, 1, 1, 2])
        hand = close_hand(chance, chance.randrange(5, 12 if jokers < 2 else 9), jokers)
        terms = Terms(chance.choice([0, 15, 30, 45, 45, 60]), chance.random() < 0.6, chance.random() < 0.9, chance.random() < 0.3)
        card = chance.choice([*hand.cards(), None])
        melds = opening(hand, terms, card)
        expected = opens(hand, terms, card)
        assert (melds is not None) == expected, (hand, terms, card)
        met[expected] += 1
        if melds is not None:
            rest = remove(hand, [plain(tile) for move in melds for tile in move.cards])
            assert rest is not None and rest.size
            assert card is None or card in [plain(tile) for move in melds for tile in move.cards]
    assert min(met.values()) > 200


def test_a_hand_is_all_melds_exactly_where_some_choice_leaves_none() -> None:
    def all_of(hand: Hand) -> bool:
        lesser = (remove(hand, [plain(tile) for tile in move.cards]) for move in listed(*hand, True))
        return not hand.size or any(all_of(less) for less in lesser if less is not None)

    chance = random.Random(15)
    met = {True: 0, False: 0}
    for _ in range(4_000):
        jokers = chance.choice([0, 0, 1, 2])
        hand = close_hand(chance, chance.choice([6, 7, 8, 9]) + jokers // 2, jokers)
        assert (all_melds(*hand) is not None) == all_of(hand), hand
        met[all_of(hand)] += 1
    assert min(met.values()) > 50


def test_the_test_of_an_opening_is_quick_for_fifteen_tiles_and_two_joly() -> None:
    chance = random.Random(16)
    times = []
    for _ in range(150):
        hand = close_hand(chance, 15, 2)
        card = chance.choice(hand.cards())
        opening.cache_clear()
        begun = time.perf_counter()
        opening(hand, Terms(45, True, True, False), card)
        times.append(time.perf_counter() - begun)
    assert sorted(times)[-8] < 0.02  # all but the few that another process held up


def test_what_the_seat_on_turn_may_take_depends_on_its_view_alone() -> None:
    deal = at_table(hands=["9Y 9B 2R 4R", "3B 3Y"], row="9R 13R 2B 9K 6B")
    assert legal_moves(view(deal, 0)) == legal_moves(deal)
    assert [move for move in legal_moves(deal) if move.kind == "P"] == [take(2), take(5)]


def test_a_refused_take_says_which_tile() -> None:
    deal: Any = at_table(hands=["2B 8K 13K 6Y", SHORT], row="9R")
    with pytest.raises(RuleError) as refusal:
        apply(deal, 0, "P1")
    assert refusal.value.facts == {"card": "9R", "n": 1}


def test_melds_are_those_of_the_table() -> None:
    deal = at_table(hands=["2B 8K 13K 6Y", SHORT], melds=[(1, "4R 4Y *4K")])
    assert isinstance(deal.melds[0], Meld)
    assert table(deal) == ["4R 4Y *4K"]
