"""Somebody who owns the database changes what referees ruled, or where a dispute stands: the audit finds it beside the log."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection

from games.models import Dispute, Game
from games.services import rulings
from tests.games.cases import HOUR, again, claimed, dispute, freeze, last_move, referee, rule
from tests.games.playing import NOON, differences, fresh, player, quick_turn, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruled() -> Dispute:
    """A case for which the clock stood for an hour, and points were adjusted."""
    game = running("Ana", "Bogdan")
    quick_turn(game)
    made = freeze(game)
    rulings.thaw(case=made.pk, user=referee(), now=NOON + HOUR)
    made = rule(made, "points", points={0: -30}, now=NOON + HOUR)
    player("Dan")
    assert differences() == []
    return made


def change(table: str, statement: str) -> None:
    """Run a statement on a table with its triggers disabled."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        cursor.execute(statement)
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")


RULINGS, ANOTHER = "the rulings are not those of the log", "the log tells of another"
STEPS, CLOCK, STANDS = "its steps tell of other rulings", "not frozen as the log tells", "by its steps it stands elsewhere"
CHEATS = {
    "another kind": ("games_ruling", "UPDATE games_ruling SET kind = 'dismiss'", RULINGS),
    "another row of the log": ("games_ruling", "UPDATE games_ruling SET entry = entry + 100", RULINGS),
    "no ruling": ("games_ruling", "DELETE FROM games_ruling", RULINGS),
    "other points": ("games_ruling", """UPDATE games_ruling SET facts = '{"points": {"0": -3}}'""", ANOTHER),
    "another time": ("games_ruling", "UPDATE games_ruling SET at = at - interval '1 hour'", ANOTHER),
    "another referee": (
        "games_ruling", "UPDATE games_ruling SET referee_id = (SELECT id FROM accounts_user WHERE username = 'Dan')", STEPS,
    ),
    "no step of the ruling": ("games_step", "DELETE FROM games_step WHERE kind = 'ruled'", STEPS),
    "never frozen": ("games_step", "DELETE FROM games_step WHERE kind = 'frozen'", CLOCK),
    "gone on sooner": ("games_step", "UPDATE games_step SET at = at - interval '1 hour' WHERE kind = 'thawed'", CLOCK),
    "withdrawn": ("games_dispute", "UPDATE games_dispute SET state = 'withdrawn'", STANDS),
    "ruled for good": ("games_dispute", "UPDATE games_dispute SET state = 'closed'", STANDS),
    "never taken up": ("games_step", "DELETE FROM games_step WHERE kind IN ('opened', 'claimed', 'ruled')", STEPS),
}  # fmt: skip


@pytest.mark.parametrize("cheat", CHEATS)
def test_each_change_of_a_ruling_a_step_or_a_dispute_is_found(ruled: Dispute, cheat: str) -> None:
    table, statement, words = CHEATS[cheat]
    change(table, statement)
    assert any(words in sentence for sentence in differences(fresh(ruled.game)))


def test_a_row_gone_back_to_that_is_another_than_the_log_tells_is_found() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    made = rule(claimed(game), "back", entry=last_move(game).number)
    assert differences(game) == []
    change("games_ruling", """UPDATE games_ruling SET facts = jsonb_set(facts, '{drawn}', '{"0": 9}')""")
    assert differences(game) == [f"{game.pk}: ruling {made.rulings.get().pk}: {ANOTHER}"]


def test_who_looks_into_a_case_is_who_has_taken_it_up(ruled: Dispute) -> None:
    made = claimed(fresh(ruled.game), "Bogdan", now=NOON + timedelta(hours=2))
    assert differences() == []
    Dispute.objects.filter(pk=made.pk).update(referee=player("Dan"))
    assert [STANDS in sentence for sentence in differences()] == [True]


def test_a_dispute_in_each_state_is_as_its_steps_say() -> None:
    game: Game = running("Ana", "Bogdan")
    made = dispute(game)
    rulings.claim(case=made.pk, user=referee(), now=NOON)
    rulings.release(case=made.pk, user=referee(), now=NOON)
    assert (again(made).state, differences()) == ("open", [])
