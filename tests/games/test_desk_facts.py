"""What the desk works out of the logs: discards that others took, what that tells, and what the checks find."""

from __future__ import annotations

import random
from datetime import date

import pytest

from accounts.people.marks import Shared
from games import engine
from games.engine.bots import BOTS
from games.forms.ruling import ruling_form
from games.models import Deal, Entry, Game, Seal
from games.presenters import desk_checks
from games.selectors import cases
from games.selectors.discards import Discards, Share, discards
from games.services import checks, history, turns
from tests.games.cases import claimed
from tests.games.playing import DAY, NOON, at, fresh, play, player, quick_turn, running
from tests.games.ruling import rule, void

pytestmark = pytest.mark.django_db


def play_well(game: Game, moves: int) -> None:
    """So many moves as a computer player would make them, each by its player."""
    rng = random.Random(7)
    for _move in range(moves):
        deal = at(game).deal
        if deal.to_move is None:
            return
        play(game, engine.move_text(BOTS["greedy"](engine.view(deal, deal.to_move), rng), deal.rules.alphabet))


def by_hand(game: Game) -> dict[tuple[str, str], Share]:
    """By who discarded and who came after, what became of the discards, move by move."""
    found: dict[tuple[str, str], Share] = {}
    names = {seat.index: seat.user.username for seat in game.seats.select_related("user") if seat.user}
    last = None
    for entry in game.entries.filter(kind=Entry.Kind.MOVE).order_by("number"):
        who = names[entry.seat or 0]
        if entry.text[0] in "SP" and last is not None:
            before = found.get((last, who), Share())
            found[last, who] = Share(before.taken + (entry.text[0] == "P"), before.of + 1)
        last = who if entry.text[0] == "D" else None
    return found


def shares(one: str, other: str) -> tuple[Discards, Discards]:
    found = discards(player(one).pk, player(other).pk)
    return found[player(one).pk], found[player(other).pk]


# -- discards ---------------------------------------------------------------------------------------


def test_discards_are_counted_for_who_threw_them_and_who_could_take_them() -> None:
    game = running("Ana", "Bogdan", "Zoe", seed="three of them", variant="remi500")
    play_well(game, 60)
    while at(game).deal.phase != engine.DRAW:
        play_well(game, 1)
    counted = by_hand(fresh(game))
    assert sum(share.taken for share in counted.values()) > 2  # else it tells nothing
    ana, bogdan = shares("Ana", "Bogdan")  # round the table: Ana before Bogdan, Bogdan before Zoe
    assert ana == Discards(to_other=counted["Ana", "Bogdan"], to_rest=Share())
    assert bogdan == Discards(to_other=Share(), to_rest=counted["Bogdan", "Zoe"])
    zoe, ana = shares("Zoe", "Ana")
    assert (zoe.to_other, ana.to_rest) == (counted["Zoe", "Ana"], counted["Ana", "Bogdan"])


def test_a_take_that_was_taken_back_does_not_count() -> None:
    game = running("Ana", "Bogdan", seed="three of them", variant="remi500")
    quick_turn(game)
    while not (takes := [move for move in engine.legal_moves(at(game).deal) if move.kind == "P"]):
        play_well(game, 1)
    deal = at(game).deal
    assert deal.to_move is not None and deal.row
    thrower = ("Bogdan", "Ana")[deal.to_move]
    before = shares("Ana", "Bogdan")[thrower == "Bogdan"].to_other
    play(game, f"P{takes[0].number} U S")
    assert shares("Ana", "Bogdan")[thrower == "Bogdan"].to_other == before  # the turn is not over
    discard = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
    play(game, engine.move_text(discard, deal.rules.alphabet))
    assert shares("Ana", "Bogdan")[thrower == "Bogdan"].to_other == Share(before.taken, before.of + 1)


def test_turns_that_the_server_played_do_not_count() -> None:
    game = running("Ana", "Bogdan", seed="two of them")
    quick_turn(game)
    assert turns.expire(game_id=game.pk, now=NOON + DAY)
    quick_turn(game, now=NOON + DAY)
    assert shares("Ana", "Bogdan") == (Discards(Share(), Share()), Discards(Share(), Share()))


def test_who_never_met_shares_nothing() -> None:
    assert shares("Ana", "Zoe") == (Discards(Share(), Share()), Discards(Share(), Share()))
    assert Share().percent is None and Share(1, 3).percent == 33


@pytest.mark.parametrize(("shares", "words"), [
    ((10, 29, 10, 200), "too few"), ((10, 200, 10, 29), "too few"), ((0, 0, 0, 0), "too few"),
    ((208, 612, 240, 1000), "more than chance"), ((60, 200, 50, 200), "within"), ((0, 100, 0, 100), "within"),
    ((100, 100, 100, 100), "within"), ((10, 100, 60, 100), "within"),
])  # fmt: skip
def test_only_a_great_difference_over_many_discards_is_called_one(shares: tuple[int, int, int, int], words: str) -> None:
    assert words in desk_checks.telling(*shares)


# -- checks -----------------------------------------------------------------------------------------


@pytest.fixture
def game() -> Game:
    game = running("Ana", "Bogdan", seed="checked")
    for _turn in range(3):
        quick_turn(game)
    return fresh(game)


def found(game: Game) -> checks.Checked:
    checked = checks.check(game=game)
    assert checked is not None
    return checked


def test_a_table_that_is_in_order_passes_every_check(game: Game) -> None:
    assert found(game) == checks.Checked([], [], [], [])


def test_a_head_that_is_not_the_last_row_s_breaks_the_chain(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(log_head="0" * 64)
    assert found(game).chain == ["the log does not end with the row that was its last"]


def test_a_log_that_was_longer_breaks_the_chain(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(log_length=game.log_length + 1)
    assert "the log has gaps, or is not as long as it was" in found(game).chain


def test_another_seed_than_was_sealed_is_another_shuffle(game: Game) -> None:
    seed = engine.seed_of("another")
    deck = engine.deck_text(game.rules, engine.shuffled(game.rules, engine.key_of(seed, at(game).row.contributions)))
    Deal.objects.filter(game=game).update(seed=seed, deck=deck)
    checked = found(game)
    assert checked.shuffle == ["deal 0: its seed is not the sealed one"] and checked.replay and not checked.chain


def test_the_seal_of_the_deal_to_come_is_checked_too(game: Game) -> None:
    Seal.objects.filter(game=game).update(seed=engine.seed_of("another"))
    assert found(game).shuffle == ["deal 1: its seed is not the sealed one"]


def test_what_differs_is_told_in_words_with_the_sentences_of_the_audit() -> None:
    told = desk_checks.checks(checks.Checked([], ["deal 0: wrong"], ["deal 0: other"], []), league=True)
    assert [(check.good, check.title) for check in told] == [
        (True, "Chain unbroken"), (False, "Another shuffle than promised"), (False, "What is stored differs from the log"),
        (True, "The league has the same points"),
    ]  # fmt: skip
    assert told[1].found == ["deal 0: wrong"]
    assert [check.title for check in desk_checks.checks(None, league=False)] == ["Not checked"]


def test_a_hint_names_both_and_the_days() -> None:
    shared = [Shared(1, 2, date(2026, 3, 2), date(2026, 3, 6), 2), Shared(1, 3, date(2026, 3, 2), date(2026, 3, 2), 1)]
    several, single = desk_checks.hints(shared, {1: "Ana", 2: "Bogdan", 3: "Zoe"})
    assert several.words == "Ana and Bogdan, on 2 days (2 March – 6 March). People who live together have one too."
    assert single.words == "Ana and Zoe, on 1 day (2 March). People who live together have one too."
    assert not several.good and desk_checks.hints([], {})[0].good


# -- which rulings are offered ---------------------------------------------------------------------


def offered(game: Game) -> list[str]:
    """The rulings that the desk offers in a dispute about a table."""
    found = cases.case(pk=claimed(game).pk)
    assert found is not None
    return [plate.kind for plate in ruling_form(found).plates]


def test_of_a_running_match_every_ruling_is_offered_but_to_take_it_up_again() -> None:
    assert offered(running("Ana", "Bogdan")) == ["dismiss", "back", "void", "points", "remove"]


def test_where_the_last_deal_is_void_nobody_can_go_back() -> None:
    game = running("Ana", "Bogdan")
    rule(game, history.adjust, {0: 600})
    void(game, 0)
    assert fresh(game).status == Game.Status.FINISHED
    assert offered(game) == ["dismiss", "points", "reopen"]
