"""Short ways to the pages around the table, for the tests."""

from __future__ import annotations

import html
import re
from typing import Any

from django.test import Client

from tests.games.playing import player

HTMX = {"HX-Request": "true"}


def visitor(name: str | None = None, **headers: str) -> Client:
    """A browser, logged in as the player of that name where one is given."""
    client = Client(headers=headers)
    if name:
        client.force_login(player(name))
    return client


def words(answer: Any) -> str:
    """What a page says, without its markup."""
    page = re.sub(r"<(title|script|style)\b.*?</\1>", " ", answer.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def said(client: Client, answer: Any) -> str:
    """What the page says that an answer leads to."""
    return words(client.get(answer["Location"]))
