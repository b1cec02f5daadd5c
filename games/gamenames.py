"""What the games are called, and whether they are played with cards or with tiles."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.engine import TILES, VARIANTS

# The two card games have one name everywhere, like people; that of the tile game is spoken.
NAMES: dict[str, str | Promise] = {"remi500": "Remi 500", "rami500": "Rami 500", "etalat": gettext_lazy("Remi on tiles")}

# The board games of the tile game (§4.14) keep their Romanian names in every language.
BOARD_GAMES = {
    "simplu": "Simplu", "bete": "Bețe", "mozaic": "Mozaic", "bicolor": "Bicolor", "duble": "Duble", "monocolor": "Monocolor",
}  # fmt: skip


def game_name(variant: str) -> str:
    """The name of a game by its variant, in the active language; ``KeyError`` for a game that there is not."""
    return str(NAMES[variant])


def game_choices() -> list[tuple[str, Any]]:
    """The games as a form offers them."""
    return list(NAMES.items())


def with_tiles(variant: str) -> bool:
    """Whether a game is played with tiles; ``KeyError`` for a game that there is not."""
    return VARIANTS[variant].alphabet is TILES
