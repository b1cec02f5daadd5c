"""Running deals to be looked at by everybody: one of each game, each in the middle of a turn or of the exchange."""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import User
from games import engine
from games.models import Game
from games.services import pauses, turns
from tests.games import absent
from tests.games.cases import keeper_and_referee
from tests.games.playing import (
    NOON,
    OUT_OF_THREE,
    PATIENT,
    at,
    fresh,
    on_turn,
    play,
    player,
    quick_turn,
    running,
    settle,
)
from tests.games.test_every_url import furnish
from tests.games.tile_pages import SIMPLU, opened
from tests.games.tiles import ALL_BIG, answer, rigged, tile_table
from tests.leagues.playing import league, match


def remi() -> Game:
    """Three seats, the second deal, a pause that was refused, and Dan in the place of Chloé, who stayed away."""
    game = running("Ana", "Bogdan", "Chloé", variant="remi500", seed=OUT_OF_THREE[0], then="second", absent_after=1)
    play(game, OUT_OF_THREE[1])
    settle(game)
    for name in ("Ana", "Bogdan", "Chloé"):
        turns.go_on(code=game.code, user=player(name), deal=0)
    pauses.agree(code=game.code, user=player("Ana"), version=fresh(game).version, now=NOON)
    pauses.refuse(code=game.code, user=player("Bogdan"), version=fresh(game).version, now=NOON)
    while on_turn(game) != player("Chloé"):
        quick_turn(game)
    absent.expire(game)
    absent.take_over(game, "Dan", index=2)
    Game.objects.filter(pk=game.pk).update(absent_after=PATIENT)
    _until_ana(game)
    return game


def rami() -> Game:
    """Two seats, a match of a league; Bogdan is a superuser besides, and Ana a referee."""
    game = match(league("Ana", "Bogdan"), "Ana", "Bogdan", seed="rami")
    for _turn in range(4):
        quick_turn(game)
    play(game, "S")
    User.objects.filter(username="Bogdan").update(is_staff=True, is_superuser=True)
    keeper_and_referee(player("Ana"))
    return game


def vacant() -> Game:
    """Three seats, one of them absent and offered to whoever comes."""
    game = running("Ana", "Bogdan", "Chloé", seed="vacant", absent_after=1)
    while on_turn(game) != player("Chloé"):
        quick_turn(game)
    absent.expire(game)
    Game.objects.filter(pk=game.pk).update(absent_after=PATIENT)
    _until_ana(game)
    return game


def asked() -> Game:
    """The exchange of doubles: Ana holds three, Bogdan two, and has answered."""
    game = rigged("Ana", "Bogdan", "Chloé", hands=["5R 5R 11B 11B 1K 1K", "3Y 3Y 12Y 12Y", ""])
    answer(game, "X:3Y", by="Bogdan")
    return game


def exchanged() -> Game:
    """Tiles after an exchange in which Ana and Bogdan have swapped."""
    game = tile_table("Ana", "Bogdan", "Chloé", seed=ALL_BIG)
    for by, text in (("Ana", "X:10R"), ("Bogdan", "X:13Y"), ("Chloé", "X:pass")):
        answer(game, text, by=by)
    _until_ana(game)
    return game


def board() -> Game:
    """Ana plays on the board."""
    game = rigged("Ana", "Bogdan", hands=[SIMPLU, ""], exchange=False)
    play(game, "B")
    play(game, f"D:{at(game).hands[0].cards[0]}")
    _until_ana(game)
    return game


TABLES: dict[str, Callable[[], Game]] = {
    "remi500": remi, "rami500": rami, "vacant": vacant, "asked": asked, "exchanged": exchanged, "opened": opened, "board": board,
}  # fmt: skip
"""By name, what makes a table at which Ana and Bogdan sit."""


def made(name: str) -> Game:
    """Such a table, with all that may hang on one."""
    game = TABLES[name]()
    if name != "rami500":
        league("Ana", "Bogdan")
    furnish(game)
    return fresh(game)


def _until_ana(game: Game) -> None:
    """Turns until Ana is on turn again and has drawn."""
    while True:
        draws = at(game).deal.phase == engine.DRAW
        if draws:
            play(game, "S")
        if draws and on_turn(game) == player("Ana") and at(game).row.turns >= game.seat_count:
            return
        deal = at(game).deal
        moves = (engine.move_text(move, deal.rules.alphabet) for move in engine.legal_moves(deal) if move.kind == "D")
        play(game, next(moves))
