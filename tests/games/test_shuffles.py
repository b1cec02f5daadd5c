"""A seed is sealed before anybody adds to its shuffle; what is added counts for one deal and stays secret until then."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest

from games import engine
from games.models import Deal, Game, Seal
from games.services import shuffles, tables, turns
from games.services.audit import audit
from games.services.errors import NoSuchTable, ServiceError
from tests.games.playing import (
    NOON,
    OUT_OF_TWO,
    at,
    chance,
    differences,
    fresh,
    open_table,
    play,
    player,
    quick_turn,
    rows,
    running,
    seat,
    settle,
)

pytestmark = pytest.mark.django_db


def add(game: Game, name: str, text: str) -> None:
    shuffles.contribute(code=game.code, user=player(name), text=text, now=NOON)


def refused_to_add(game: Game, name: str, text: str = "mine") -> str:
    """The code with which an addition is refused. Fails where it is not, or where anything changed."""
    user, before = player(name), rows()
    with pytest.raises(ServiceError) as fault:
        shuffles.contribute(code=game.code, user=user, text=text, now=NOON)
    assert rows() == before
    return fault.value.code


def seals(game: Game) -> dict[int, str]:
    """By deal the seal that the log tells."""
    return {entry.facts["number"]: entry.facts["seal"] for entry in game.entries.filter(text="sealed")}


def begin(game: Game, *names: str) -> Game:
    """Fill a table."""
    for name in names:
        tables.join(code=game.code, user=player(name), now=NOON)
    return fresh(game)


# -- the seal -----------------------------------------------------------------------------------


def test_the_first_seed_is_sealed_when_the_table_is_made_and_kept_until_it_is_dealt_from() -> None:
    game = open_table("Ana")
    sealed = Seal.objects.get(game=game)
    seed = bytes(sealed.seed)
    assert (sealed.number, len(seed)) == (0, 32)
    told = hashlib.sha256(seed + f"{game.code}#0".encode() + b"remi-shuffle/2").hexdigest()
    assert seals(game) == {0: told}
    assert bytes(at(begin(game, "Bogdan")).row.seed) == seed


def test_every_later_seed_is_sealed_when_the_deal_before_it_begins() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    assert game.seal.number == 1 and sorted(seals(game)) == [0, 1]
    then = bytes(game.seal.seed)
    texts = list(game.entries.values_list("text", flat=True))
    assert texts[-2:] == ["dealt", "sealed"]  # before anybody can move, or add to it
    play(game, OUT_OF_TWO[1])
    settle(game, then="another")
    assert bytes(at(game).row.seed) == then
    assert bytes(fresh(game).seal.seed) == engine.seed_of("another") and sorted(seals(game)) == [0, 1, 2]
    assert differences(game) == []


def test_a_match_that_is_over_keeps_the_seed_it_did_not_need() -> None:
    game = running("Ana", "Bogdan")
    turns.resign(code=game.code, user=player("Ana"), now=NOON)
    settle(game)
    assert fresh(game).status == "finished" and fresh(game).seal.number == 1
    assert differences(game) == []


def test_no_two_seeds_are_alike() -> None:
    games = [open_table("Ana"), open_table("Ana"), open_table("Ana", computers=1)]
    kept = [bytes(sealed.seed) for sealed in Seal.objects.filter(game__in=games)]
    dealt = [bytes(deal.seed) for deal in Deal.objects.filter(game__in=games)]
    assert len(kept) == 3 and len(dealt) == 1 and len(set(kept + dealt)) == 4


# -- what players add ---------------------------------------------------------------------------


def test_what_is_added_from_joining_on_changes_the_deck_and_is_used_up() -> None:
    with chance("any", dealer=1):
        game = open_table("Ana", "Bogdan", seats=3)
        add(game, "Bogdan", "  three blue ducks ")
        add(game, "Ana", "first try")
        add(game, "Ana", "ț")
        game = begin(game, "Chloé")
    row = at(game).row
    assert row.contributions == ["ț", "three blue ducks", None]
    told = b"remi-shuffle/2" + engine.seed_of("any")
    told += bytes([0, 0, 2]) + "ț".encode() + bytes([1, 0, 16]) + b"three blue ducks"
    key = hashlib.sha256(told).digest()
    assert row.deck == engine.deck_text(game.rules, engine.shuffled(game.rules, key))
    dealt = game.entries.get(text="dealt")
    print_ = hashlib.sha256(b"remi-shuffle/2 key" + key).hexdigest()
    assert dealt.facts == {"number": 0, "key": print_, "added": [0, 1]}
    assert [one.contribution for one in game.seats.all()] == ["", "", ""]
    assert differences(game) == []


def test_nobody_needs_to_add_anything() -> None:
    row = at(running("Ana", "Bogdan", seed="any")).row
    assert row.contributions == []
    assert row.deck == engine.deck_text(engine.rules_for("rami500", 2), engine.shuffled(row.game.rules, engine.seed_of("any")))


def test_what_is_added_during_a_deal_counts_for_the_next_alone() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    deck = at(game).row.deck
    add(game, "Ana", "for the second")
    assert at(game).row.deck == deck and at(game).row.contributions == []
    play(game, OUT_OF_TWO[1])
    settle(game)
    assert at(game).row.contributions == ["for the second", None]
    assert seat(game, "Ana").contribution == ""
    for _turn in range(200):
        if at(game).deal.phase == engine.OVER:
            break
        quick_turn(game)
    settle(game)
    assert at(game).row.contributions == []
    assert differences(game) == []


def test_an_empty_text_takes_back_what_was_added() -> None:
    game = open_table("Ana")
    add(game, "Ana", "something")
    add(game, "Ana", " ")
    assert at(begin(game, "Bogdan")).row.contributions == []


def test_who_leaves_takes_along_what_they_added() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    add(game, "Bogdan", "gone")
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    assert at(begin(game, "Chloé", "Dan")).row.contributions == []


def test_adding_is_seen_by_nobody_until_the_deal() -> None:
    game = running("Ana", "Bogdan")
    before = rows()
    add(game, "Ana", "quiet")
    after = rows()
    after["Seat"][0]["contribution"] = ""
    assert after == before


@pytest.mark.parametrize("text", ["x" * 64, "ș" * 64, "1", "🂡 🂮", "<b>&amp;"])
def test_any_line_of_up_to_64_signs_may_be_added(text: str) -> None:
    game = open_table("Ana")
    add(game, "Ana", text)
    assert at(begin(game, "Bogdan")).row.contributions == [text, None]
    assert differences(game) == []


@pytest.mark.parametrize("text", ["x" * 65, "two\nlines", "a\0b", "\ud800", "\u202eback", "\u200b"])
def test_what_is_no_line_of_signs_is_refused(text: str) -> None:
    assert refused_to_add(open_table("Ana"), "Ana", text) == "bad_contribution"


def test_the_same_text_written_in_two_ways_is_the_same() -> None:
    game = open_table("Ana")
    add(game, "Ana", "e\u0301")
    assert seat(game, "Ana").contribution == "é"


def test_a_stranger_adds_nothing() -> None:
    with pytest.raises(NoSuchTable):
        add(open_table("Ana"), "Bogdan", "mine")
    with pytest.raises(NoSuchTable):
        shuffles.contribute(code="nowhere", user=player("Ana"), text="mine", now=NOON)


def test_nothing_is_added_where_nothing_is_dealt_any_more() -> None:
    cancelled, three = open_table("Ana"), running("Ana", "Bogdan", "Chloé")
    tables.cancel(code=cancelled.code, user=player("Ana"), now=NOON)
    assert refused_to_add(cancelled, "Ana") == "table_gone"
    turns.resign(code=three.code, user=player("Ana"), now=NOON)
    assert refused_to_add(three, "Ana") == "already_resigned"
    over = running("Ana", "Bogdan")
    turns.resign(code=over.code, user=player("Ana"), now=NOON)
    settle(over)
    assert refused_to_add(over, "Bogdan") == "match_over"


# -- cheating -----------------------------------------------------------------------------------


def reshuffle(game: Game) -> None:
    """Another seed, and the deck that it makes: so that only the seal tells."""
    row = game.deals.get(number=0)
    row.seed = engine.seed_of("better for the house")
    row.deck = engine.deck_text(game.rules, engine.shuffled(game.rules, engine.key_of(row.seed, row.contributions)))
    row.save()


CHEATS: list[tuple[Callable[[Game], object], str]] = [
    (reshuffle, "deal 0: its seed is not the sealed one"),
    (reshuffle, "deal 0: dealt from another seed than the log says"),
    (lambda game: game.deals.update(contributions=["mine", "yours"]), "deal 0: dealt from another seed than the log says"),
    (lambda game: game.deals.update(contributions=[]), "deal 0: the deck is not that of its seed"),
    (lambda game: Seal.objects.filter(game=game).update(seed=bytes(32)), "deal 1: its seed is not the sealed one"),
    (lambda game: Seal.objects.filter(game=game).update(number=2), "the seed of the next deal is not sealed"),
    (lambda game: Seal.objects.filter(game=game).delete(), "the seed of the next deal is not sealed"),
]


@pytest.mark.parametrize(("cheat", "sentence"), CHEATS)
def test_a_shuffle_that_was_tampered_with_is_found(cheat: Callable[[Game], object], sentence: str) -> None:
    game = open_table("Ana")
    add(game, "Ana", "mine")
    game = begin(game, "Bogdan")
    assert differences(game) == []
    cheat(game)
    assert sentence in audit(game_id=game.pk)
