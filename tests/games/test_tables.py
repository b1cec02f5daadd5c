"""Tables before the first deal: making, joining, leaving, starting, cancelling, lapsing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from games import engine
from games.models import Game
from games.services import tables
from games.services.errors import NoSuchTable, ServiceError
from tests.games.playing import DAY, NOON, at, chance, differences, fresh, open_table, player, rows, running

pytestmark = pytest.mark.django_db


def code_of(call: Callable[..., Any], **arguments: Any) -> str:
    """The code with which a service refuses. Fails where it does not, or where anything changed."""
    before = rows()
    try:
        call(now=NOON, **arguments)
    except ServiceError as fault:
        assert rows() == before
        return fault.code
    raise AssertionError("not refused")


def told(game: Game) -> list[str]:
    """The texts of the log, oldest first; the seals of shuffles apart."""
    return [entry.text for entry in game.entries.exclude(text="sealed")]


def seated(game: Game) -> list[str]:
    """Who sits where, in order of the seats."""
    return [seat.bot or str(seat.user) for seat in game.seats.order_by("index")]


# -- making -------------------------------------------------------------------------------------


def test_the_maker_takes_the_first_seat() -> None:
    game = open_table("Ana", seats=4)
    assert (game.status, game.version, game.deadline, game.made_at) == ("open", 1, None, NOON)
    assert [(seat.index, str(seat.user)) for seat in game.seats.all()] == [(0, "Ana")]
    assert told(game) == ["made"]


def test_a_table_keeps_all_its_options_and_the_version_of_the_rules() -> None:
    game = open_table("Ana", variant="remi500", options={"target": 300})
    assert game.options == {"target": 300, "top_card_free": False}
    assert game.rules_version == engine.RULES_VERSION
    assert game.rules.target == 300


def test_computers_sit_in_the_last_seats() -> None:
    game = open_table("Ana", seats=4, computers=2)
    assert [(seat.index, seat.bot) for seat in game.seats.all()] == [(0, ""), (2, "greedy"), (3, "greedy")]


def test_a_table_that_computers_fill_starts_at_once() -> None:
    game = open_table("Ana", seats=3, computers=2)
    assert (game.status, game.started_at) == ("running", NOON)
    assert told(game) == ["made", "started", "dealt"]
    assert differences(game) == []


def test_the_maker_s_seat_is_never_a_computer_s() -> None:
    assert seated(open_table("Ana", seats=2, computers=8)) == ["Ana", "greedy"]


@pytest.mark.parametrize(
    ("variant", "seats", "options"),
    [
        ("rami500", 5, {}),
        ("remi500", 9, {}),
        ("remi500", 1, {}),
        ("poker", 2, {}),
        ("rami500", 2, {"target": 0}),
        ("rami500", 2, {"target": "500"}),
        ("rami500", 2, {"opening": 45}),
        ("rami500", 2, {"top_card_free": 1}),
        ("rami500", 2, {"target": [500]}),
    ],
)
def test_a_game_that_does_not_exist_is_refused(variant: str, seats: int, options: dict[str, Any]) -> None:
    maker, before = player("Ana"), rows()
    with pytest.raises(engine.RuleError, match="bad_record"):
        tables.create(maker=maker, variant=variant, seats=seats, options=options, turn_time=DAY, now=NOON)
    assert rows()["Game"] == before["Game"] == []


@pytest.mark.parametrize(
    "terms",
    [
        {"turn_time": timedelta(minutes=4)},
        {"turn_time": timedelta(days=15)},
        {"increment": DAY},
        {"increment": DAY, "bank_cap": DAY / 2},
        {"increment": DAY, "bank_cap": timedelta(days=31)},
        {"quiet_from": 22},
        {"deadline_hour": 23, "quiet_from": 22, "quiet_to": 8},
        {"deadline_hour": 24},
        {"zone": "Europe/Atlantis"},
        {"zone": ""},
        {"turn_time": -DAY},
        {"absent_after": 0},
        {"absent_after": -1},
        {"title": "x" * 41},
        {"visibility": "secret"},
    ],
)
def test_terms_out_of_bounds_are_refused(terms: dict[str, Any]) -> None:
    maker = player("Ana")
    with pytest.raises(ValidationError):
        tables.create(maker=maker, variant="rami500", seats=2, options={}, now=NOON, **({"turn_time": DAY} | terms))
    assert not Game.objects.exists()


# -- joining ------------------------------------------------------------------------------------


def test_who_joins_takes_the_first_free_seat() -> None:
    game = open_table("Ana", "Bogdan", seats=4)
    assert seated(game) == ["Ana", "Bogdan"]
    tables.leave(code=game.code, user=player("Ana"), now=NOON)
    tables.join(code=game.code, user=player("Chloé"), now=NOON)
    assert seated(game) == ["Chloé", "Bogdan"]
    assert told(game) == ["made", "joined", "left", "joined"]


def test_the_last_seat_starts_the_match() -> None:
    game = open_table("Ana", "Bogdan", "Chloé", seats=3)
    assert (game.status, game.started_at, game.deadline) == ("running", NOON, NOON + DAY)
    table = at(game)
    assert [len(hand.cards) for hand in table.hands] == [7, 7, 7]
    assert (table.row.number, table.deal.to_move) == (0, game.to_move)
    assert differences(game) == []


def test_the_first_dealer_is_drawn_at_random() -> None:
    """§1.1"""
    dealers = set()
    for _match in range(60):
        dealers.add(at(open_table("Ana", "Bogdan", "Chloé", seats=3)).row.dealer)
        if len(dealers) == 3:
            break
    assert dealers == {0, 1, 2}


def test_the_seat_after_the_dealer_plays_first() -> None:
    """§1.1"""
    with chance("any", dealer=1):
        assert open_table("Ana", "Bogdan", "Chloé", seats=3).to_move == 2


def test_no_two_deals_share_a_deck() -> None:
    seeds = {bytes(at(open_table("Ana", "Bogdan")).row.seed) for _match in range(5)}
    assert len(seeds) == 5 and {len(seed) for seed in seeds} == {32}


def test_joining_twice_changes_nothing() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    before = rows()
    assert tables.join(code=game.code, user=player("Bogdan"), now=NOON + DAY) == game
    assert rows() == before


def test_a_player_of_a_match_that_runs_joins_it_again_without_harm() -> None:
    game = running("Ana", "Bogdan")
    before = rows()
    tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    assert rows() == before


def test_nobody_joins_a_match_that_has_begun() -> None:
    game, chloe = running("Ana", "Bogdan"), player("Chloé")
    assert code_of(tables.join, code=game.code, user=chloe) == "already_started"


def test_nobody_joins_a_table_that_was_given_up() -> None:
    game, bogdan = open_table("Ana"), player("Bogdan")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    assert code_of(tables.join, code=game.code, user=bogdan) == "table_gone"


VERBS = [tables.join, tables.leave, tables.start, tables.cancel]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("code", ["abcdefghjkmnpq", "", "x" * 500])
def test_a_table_that_is_not_there_is_told_so(verb: Callable[..., Any], code: str) -> None:
    ana = player("Ana")
    with pytest.raises(NoSuchTable):
        verb(code=code, user=ana, now=NOON)


# -- leaving ------------------------------------------------------------------------------------


def test_who_leaves_gives_the_seat_up() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    assert seated(game) == ["Ana"]
    assert fresh(game).version == game.version + 1
    assert told(game) == ["made", "joined", "left"]


def test_leaving_twice_changes_nothing() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    before = rows()
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    assert rows() == before


def test_when_the_maker_leaves_the_next_player_makes_the_table() -> None:
    game = open_table("Ana", "Bogdan", "Chloé", seats=4)
    tables.leave(code=game.code, user=player("Ana"), now=NOON)
    assert fresh(game).maker == player("Bogdan")
    tables.start(code=game.code, user=player("Bogdan"), now=NOON)
    assert fresh(game).status == "running"


def test_when_another_leaves_the_maker_stays() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    tables.leave(code=game.code, user=player("Bogdan"), now=NOON)
    assert fresh(game).maker == player("Ana")


def test_the_last_player_takes_the_table_along_computers_or_not() -> None:
    game = open_table("Ana", seats=4, computers=2)
    tables.leave(code=game.code, user=player("Ana"), now=NOON)
    after = fresh(game)
    assert (after.status, after.ended_at) == ("cancelled", NOON)
    assert told(game) == ["made", "left", "cancelled"]
    assert differences(game) == []


def test_nobody_leaves_a_match_that_has_begun() -> None:
    assert code_of(tables.leave, code=running("Ana", "Bogdan").code, user=player("Ana")) == "already_started"


# -- starting -----------------------------------------------------------------------------------


def test_the_maker_starts_with_computers_in_the_empty_seats() -> None:
    game = open_table("Ana", "Bogdan", seats=4)
    tables.start(code=game.code, user=player("Ana"), now=NOON + DAY)
    assert seated(game) == ["Ana", "Bogdan", "greedy", "greedy"]
    after = fresh(game)
    assert (after.status, after.started_at, after.deadline) == ("running", NOON + DAY, NOON + 2 * DAY)
    assert differences(game) == []


@pytest.mark.parametrize("name", ["Bogdan", "Chloé"])
def test_nobody_else_starts_it(name: str) -> None:
    game, user = open_table("Ana", "Bogdan", seats=3), player(name)
    assert code_of(tables.start, code=game.code, user=user) == "not_the_maker"


def test_a_match_is_started_once() -> None:
    game = open_table("Ana", seats=3)
    tables.start(code=game.code, user=player("Ana"), now=NOON)
    assert code_of(tables.start, code=game.code, user=player("Ana")) == "already_started"


def test_a_table_that_was_given_up_is_not_started() -> None:
    game = open_table("Ana")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    assert code_of(tables.start, code=game.code, user=player("Ana")) == "table_gone"


# -- cancelling and lapsing ---------------------------------------------------------------------


def test_the_maker_gives_a_table_up() -> None:
    game = open_table("Ana", "Bogdan", seats=3)
    tables.cancel(code=game.code, user=player("Ana"), now=NOON + DAY)
    after = fresh(game)
    assert (after.status, after.ended_at, after.version) == ("cancelled", NOON + DAY, game.version + 1)
    assert told(game) == ["made", "joined", "cancelled"]


def test_giving_it_up_twice_changes_nothing() -> None:
    game = open_table("Ana")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    before = rows()
    tables.cancel(code=game.code, user=player("Ana"), now=NOON + DAY)
    assert rows() == before


def test_nobody_else_gives_it_up() -> None:
    game, bogdan = open_table("Ana", "Bogdan", seats=3), player("Bogdan")
    assert code_of(tables.cancel, code=game.code, user=bogdan) == "not_the_maker"


def test_a_match_that_has_begun_is_not_given_up() -> None:
    assert code_of(tables.cancel, code=running("Ana", "Bogdan").code, user=player("Ana")) == "already_started"


def test_a_table_that_does_not_fill_in_a_week_lapses() -> None:
    old, young = open_table("Ana"), open_table("Bogdan", now=NOON + timedelta(seconds=1))
    assert tables.lapse(now=NOON + timedelta(days=7, seconds=1)) == 1
    assert (fresh(old).status, fresh(young).status) == ("cancelled", "open")
    assert told(old) == ["made", "lapsed"]


def test_a_match_that_runs_and_one_that_was_given_up_do_not_lapse() -> None:
    running("Ana", "Bogdan")
    given_up = open_table("Ana")
    tables.cancel(code=given_up.code, user=player("Ana"), now=NOON)
    before = rows()
    assert tables.lapse(now=NOON + 30 * DAY) == 0
    assert rows() == before


def test_lapsing_twice_changes_nothing() -> None:
    open_table("Ana")
    assert tables.lapse(now=NOON + 8 * DAY) == 1
    before = rows()
    assert tables.lapse(now=NOON + 9 * DAY) == 0
    assert rows() == before
