"""Asking the site as everybody."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction
from django.test import Client

from games.models import Game
from tests.games.pages import HTMX
from tests.games.playing import at
from tests.games.test_every_url import everybody
from tests.secrecy.answers import Said, said


def read(client: Client, path: str, *, htmx: bool = False, head: bool = False) -> Said:
    """What a page answers. It is asked where nothing can be written: a GET that writes breaks here."""
    headers = {**HTMX, "HX-Current-URL": "http://testserver/t/"} if htmx else {}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        return said((client.head if head else client.get)(path, headers=headers))


def visitors(game: Game) -> dict[str, Client]:
    """A browser of everybody: those of the table of addresses, and whoever else sits here."""
    clients = everybody()
    for seat in at(game).seats:
        if seat.user is not None and seat.user.username not in clients:
            clients[seat.user.username] = Client()
            clients[seat.user.username].force_login(seat.user)
    return clients


def seats(game: Game) -> dict[str, int]:
    """By name, who sits where."""
    return {seat.user.username: seat.index for seat in at(game).seats if seat.user is not None}


def who_knows(game: Game, names: Iterable[str], seat: int | None) -> list[str]:
    """Of these visitors those who know what that seat knows, or no more than a spectator."""
    places = seats(game)
    return [name for name in names if places.get(name) == seat]


Asked = tuple[str, bool]
"""A path, and whether htmx asks for it."""


def addresses(game: Game) -> list[Asked]:
    """Where something stands of a deal that is being played, and the questions that one can put to it."""
    table, deal = f"/t/{game.code}/", at(game).row
    texts = [text for text in dict.fromkeys(deal.deck.split()) if text != "*"]
    every = "".join(f"&card={text}" for text in texts[::3])
    replay = f"{table}deals/{deal.number}/replay/"
    last = game.entries.filter(kind="move", deal=deal.number).count()
    return [
        (table, False),
        (table, True),
        (f"{table}poll/0/", True),
        (f"{table}poll/{game.version}/?said=0", True),
        (f"{table}buttons/?version={game.version}{every}", True),
        (f"{table}buttons/?version={game.version}&card={texts[0]}", True),
        *(
            (f"{table}{page}", False)
            for page in ("log/", "chat/", "shuffle/", "take-over/", "resign/", "record.json", "record.txt")
        ),
        (f"{table}deals/{deal.number}/", False),
        (f"{table}deals/{deal.number}/check/", False),
        (f"{replay}0/?seat=all", False),
        (f"{replay}{last}/", False),
        (f"{replay}{last + 1}/?seat=0&card={texts[0]}", True),
        (f"{replay}{last // 2}/?seat=1", True),
        ("/tables/", True),
        ("/lobby/", False),
    ]


def of_the_admin(game: Game) -> list[Asked]:
    """The same for who looks after the site: lists, what they are searched and filtered by, and single rows."""
    known = {"game": game.pk, "deal": at(game).row.pk, "entry": game.entries.latest("number").pk}
    text = next(text for text in at(game).row.deck.split() if text != "*")
    pages = [
        "game/", f"game/?q={text}", f"game/?deals__hands__cards__contains={text}", "game/{game}/change/",
        "deal/", f"deal/?q={text}", f"deal/?deck__startswith={text}", "deal/{deal}/change/",
        "entry/", f"entry/?q={game.code}", f"entry/?text__startswith=D:{text}", "entry/?kind__exact=move&actor__exact=player",
        "entry/{entry}/change/", "entry/{entry}/history/", "chatreport/",
    ]  # fmt: skip
    return [("/admin/games/" + page.format(**known), False) for page in pages]


def everything(clients: dict[str, Client], names: Iterable[str], asked: Iterable[Asked]) -> dict[tuple[str, str, bool], Said]:
    """What these visitors are told at these addresses."""
    asked = list(asked)
    return {(name, path, htmx): read(clients[name], path, htmx=htmx) for name in names for path, htmx in asked}
