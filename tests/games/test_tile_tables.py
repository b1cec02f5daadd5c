"""Tables of tiles: announcing with the discard, openings that run out, closing, whole matches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games import engine
from games.models import Game
from games.services import turns
from games.services.store import Table
from tests.engine.builders import Step
from tests.games.playing import DAY, NOON, at, differences, fresh, play, player, refused, rows, seat, settle
from tests.games.tiles import answer, dealt, follow, script, tile_table

pytestmark = pytest.mark.django_db
DUE = NOON + DAY
SCRIPT = 3
"""A deal that is closed, in which both seats announce on the way."""


def until(holds: Callable[[Step], bool], number: int = SCRIPT, **options: object) -> tuple[Game, Step]:
    """A table just before the first step of which this holds, and that step."""
    terms, steps = script(number)
    place = next(place for place, step in enumerate(steps) if holds(step))
    game = tile_table("Ana", "Bogdan", **terms, options=options)
    follow(game, steps[:place])
    return game, steps[place]


def may_announce(step: Step) -> bool:
    """Whether the seat that discards would be left with three tiles, and has not said so."""
    before = step.before
    announce = "A" in [engine.move_text(move, engine.TILES) for move in engine.legal_moves(before)]
    return step.move[:2] == "D:" and announce and 2 <= before.hand.size <= 4


def discard(game: Game, step: Step, *, announce: bool) -> Table:
    name = ("Ana", "Bogdan")[step.seat]
    version = fresh(game).version
    return turns.play(code=game.code, user=player(name), move=step.move, version=version, now=NOON, announce=announce)


def last(game: Game, count: int) -> list[str]:
    return [entry.text for entry in game.entries.order_by("-number")[:count]][::-1]


# -- announcing (§4.13) ---------------------------------------------------------------------------


def test_announcing_and_the_discard_are_one_step() -> None:
    game, step = until(may_announce)
    version = fresh(game).version
    table = discard(game, step, announce=True)
    assert last(game, 2) == ["A", step.move]
    assert (table.game.version, table.game.to_move) == (version + 1, 1 - step.seat)
    assert table.deal.extra.forgot == frozenset()
    assert differences(game) == []


def test_whoever_forgets_is_not_told_before_the_discard_and_pays_for_it() -> None:
    game, step = until(may_announce)
    table = discard(game, step, announce=False)
    assert last(game, 1) == [step.move]
    assert table.deal.extra.forgot == {step.seat}
    assert differences(game) == []


def test_where_the_server_announces_nobody_forgets() -> None:
    game, step = until(may_announce, announce="auto")
    assert discard(game, step, announce=False).deal.extra.forgot == frozenset()


def announced(game: Game, step: Step) -> str:
    before = rows()
    with pytest.raises(engine.RuleError) as raised:
        discard(game, step, announce=True)
    assert rows() == before
    return raised.value.code


def test_if_there_is_nothing_to_announce_the_discard_is_not_played_either() -> None:
    assert announced(*until(lambda step: step.move[:2] == "D:" and step.before.hand.size > 4)) == "too_many_to_announce"
    assert announced(*until(may_announce, announce="auto")) == "already_announced"
    assert announced(*until(lambda step: step.move == "S")) == "must_draw_first"


def test_if_the_discard_is_refused_nothing_has_been_announced() -> None:
    game, step = until(may_announce)
    assert announced(game, step._replace(move="D:*")) in ("not_in_hand", "too_many_to_announce")
    assert discard(game, step, announce=True).deal.extra.forgot == frozenset()


def test_what_was_announced_by_itself_is_not_announced_again() -> None:
    game, step = until(may_announce)
    play(game, "A")
    assert announced(game, step) == "already_announced"
    assert discard(game, step, announce=False).deal.extra.forgot == frozenset()
    assert differences(game) == []


def test_a_turn_that_runs_out_is_announced_by_the_server() -> None:
    game, step = until(may_announce)
    assert turns.expire(game_id=game.pk, now=DUE)
    assert at(game).deal.extra.forgot == frozenset()
    assert step.seat in at(game).deal.extra.low
    assert differences(game) == []


# -- openings (§4.8) ------------------------------------------------------------------------------


def opens_short(step: Step) -> bool:
    """Whether the step comes while an opening falls short."""
    opening = engine.view(step.before, step.seat).extra.opening
    return opening is not None and opening.points > 0 and not opening.complete


def test_an_opening_that_falls_short_does_not_end_the_turn() -> None:
    game, step = until(opens_short)
    tile = engine.TILES.texts[next(tile for tile in step.before.hand.cards() if tile != engine.JOKER)]
    assert refused(game, f"D:{tile}") == "opening_incomplete"


def test_an_opening_that_runs_out_goes_back_to_the_hand() -> None:
    game, step = until(opens_short)
    assert turns.expire(game_id=game.pk, now=DUE)
    table = at(game)
    assert not [meld for meld in table.deal.melds if meld.owner == step.seat]
    assert not table.deal.extra.opened[step.seat]
    assert (table.hands[step.seat].laid, len(table.hands[step.seat].cards)) == (0, 14)
    assert (table.game.to_move, table.game.deadline) == (1 - step.seat, DUE + DAY)
    assert seat(game, ("Ana", "Bogdan")[step.seat]).expired == 1
    assert differences(game) == []


# -- whole deals and matches ----------------------------------------------------------------------


def test_a_deal_is_closed_and_counted_and_the_next_one_dealt() -> None:
    terms, steps = script(SCRIPT)
    game = tile_table("Ana", "Bogdan", **terms)
    table = follow(game, steps)
    scores = list(steps[-1].after.scores or ())
    assert (table.row.reason, table.row.out, table.game.awaits_server) == ("out", steps[-1].after.out, True)
    assert differences(game) == []
    assert settle(game)
    assert [hand.score for hand in game.deals.get(number=0).hands.all()] == scores
    assert [one.total for one in at(game).seats] == scores
    assert (at(game).row.number, at(game).row.dealer) == (1, 1 - table.row.dealer)
    assert differences(game) == []


def test_the_turns_are_those_played_not_the_answers_before() -> None:
    terms, steps = script(SCRIPT)
    game = tile_table("Ana", "Bogdan", **terms)
    assert steps[0].before.phase == "exchange"
    table = follow(game, steps)
    assert table.row.turns == sum(step.move[:2] in ("D:", "C:") for step in steps)


def test_a_board_game_is_closed_at_one_stroke() -> None:
    doubles = "2R 2R 4R 4R 6Y 6Y 8Y 8Y 10B 10B 12B 12B 13K 13K 5K"
    with dealt([doubles, ""]):
        game = tile_table("Ana", "Bogdan")
        answer(game, "X:pass")
        play(game, "B C:5K")
        assert (at(game).row.reason, at(game).row.out) == ("board", 0)
        assert differences(game) == []
        settle(game)
        assert (fresh(game).status, fresh(game).winner) == ("finished", 0)
        assert [one.total for one in game.seats.all()] == [1300, -100]
        assert differences(game) == []
