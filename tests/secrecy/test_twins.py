"""Nobody can tell a table from one that differs in what they may not know: at no address, in no part of any answer."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.test import Client

from games.models import Game
from tests.games.playing import NOON
from tests.secrecy.asking import addresses, everything, of_the_admin, seats, visitors, who_knows
from tests.secrecy.tables import TABLES, made
from tests.secrecy.twins import twin

pytestmark = pytest.mark.django_db


WATCHING = {"remi500": "stranger", "vacant": "guest", "asked": "stranger", "exchanged": "referee", "board": "superuser"}
"""Who asks as a spectator at which table: all of them are shown the same, and each is asked somewhere."""
STAFF = ("referee", "superuser")


def told(game: Game, clients: dict[str, Client], names: list[str], seat: int | None) -> list[Any]:
    """At which addresses one of these is answered otherwise where cards are others that this seat has not seen."""
    paths, kept = addresses(game), of_the_admin(game)
    staff = [name for name in names if name in STAFF]
    one = everything(clients, names, paths) | everything(clients, staff, kept)
    with twin(game, seat):
        other = everything(clients, names, paths) | everything(clients, staff, kept)
    return [asked for asked, was in one.items() if other[asked] != was]


@pytest.mark.parametrize("name", TABLES)
def test_no_answer_depends_on_a_card_that_the_visitor_may_not_know(name: str) -> None:
    with time_machine.travel(NOON, tick=False):
        game = made(name)
        clients = visitors(game)
        for seat in [None, *range(game.seat_count)]:
            names = who_knows(game, clients, seat)
            if seat is None:
                names = [WATCHING.get(name, "superuser")]
            assert told(game, clients, names, seat) == []


def test_it_would_be_seen_if_an_answer_did() -> None:
    with time_machine.travel(NOON, tick=False):
        game = made("opened")
        clients = visitors(game)
        seen = {path.replace(game.code, "") for _name, path, _htmx in told(game, clients, ["Ana", "Bogdan"], None)}
        assert {"/t//", "/t//poll/0/"} <= seen and any("/replay/" in path for path in seen)
        assert told(game, clients, ["Bogdan"], seats(game)["Ana"])
