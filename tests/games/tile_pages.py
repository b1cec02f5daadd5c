"""Short ways to the pages of the tile game, for the tests, and tables in known states."""

from __future__ import annotations

import re
from typing import Any

from games import engine
from games.models import Game
from tests.games.pages import HTMX, visitor
from tests.games.playing import at, fresh, on_turn, play, seat
from tests.games.tiles import rigged

TILE = re.compile(r'(?:data-card|value)="((?:1[0-3]|[1-9])[RYBK]|\*)"')
MINUS = "\N{MINUS SIGN}"
OPENING = "12R 12B 12K 4B 5B 6B 9K 7Y"
"""45 with a set and a run, and two tiles that belong nowhere."""
SIMPLU = "1R 2R 3R 4R 7R 7Y 7B 10K 11K 12K 13K 5Y 5B 5K 9Y"
"""A board game, and the tile to close it with."""


def table(name: str, game: Game, path: str = "", **headers: str) -> Any:
    return visitor(name).get(f"/t/{game.code}/{path}", headers=headers)


def post(name: str, game: Game, path: str = "play/", *, htmx: bool = True, **data: Any) -> Any:
    data = {"version": fresh(game).version, **data}
    return visitor(name).post(f"/t/{game.code}/{path}", data, headers=HTMX if htmx else {})


def picked(name: str, game: Game, *tiles: str, **more: str) -> Any:
    """What the buttons say with these tiles picked."""
    query = "&".join(
        [f"version={fresh(game).version}", *(f"card={tile}" for tile in tiles), *(f"{k}={v}" for k, v in more.items())]
    )
    return table(name, game, f"buttons/?{query}", **HTMX)


def held(game: Game, name: str) -> list[str]:
    return at(game).hands[seat(game, name).index].cards


def body(answer: Any) -> str:
    return answer.content.decode()


def drawn(game: Game) -> str:
    """The tile that the player on turn has drawn."""
    deal = at(game).deal
    assert deal.drew is not None
    return engine.TILES.texts[deal.drew]


def round_of_discards(game: Game) -> None:
    """Everybody's first turn: the first seat discards, the others draw and discard what they drew."""
    first = on_turn(game).username
    play(game, f"D:{held(game, first)[0]}")
    while on_turn(game).username != first:
        play(game, "S")
        play(game, f"D:{drawn(game)}")


def ready_to_open(**options: Any) -> Game:
    """Ana, after the first round, has drawn and holds an opening of exactly 45."""
    game = rigged("Ana", "Bogdan", hands=[OPENING, ""], **{"exchange": False, **options})
    play(game, f"D:{next(tile for tile in held(game, 'Ana') if tile not in OPENING.split())}")
    play(game, "S")
    play(game, f"D:{drawn(game)} S")
    return game


def opened(**options: Any) -> Game:
    """Ana has opened, and it is her turn again, the draw made."""
    game = ready_to_open(**options)
    play(game, f"M:12R,12B,12K M:4B,5B,6B D:{drawn(game)} S")
    play(game, f"D:{drawn(game)} S")
    return game
