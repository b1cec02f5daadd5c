"""What an answer says once the marks that are new in each are taken out, and what the database was asked for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection

TOKENS = re.compile(
    rb'(csrf\w*"?[^>]*?value=|csrf\w*"?: ?|X-CSRFToken[^:]*: ?|name="(?:request|lot)" value=)(?:"|&quot;)\w+(?:"|&quot;)', re.I
)


class Said(NamedTuple):
    """All of an answer that somebody could read."""

    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: tuple[tuple[str, str], ...]
    body: bytes


def said(answer: Any) -> Said:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    headers = tuple(sorted((name, value) for name, value in answer.items() if name != "Content-Length"))
    cookies = [(name, morsel.OutputString()) for name, morsel in answer.cookies.items() if name not in ("csrftoken", "sessionid")]
    return Said(answer.status_code, headers, tuple(cookies), TOKENS.sub(rb"\1", body))


def difference(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    at = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(at - 60, 0) : at + 40]} | {other[max(at - 60, 0) : at + 40]}"


class Statements:
    """What the database was asked: whether anything was written, and whether cards could be in what was read."""

    WRITES = re.compile(r"\b(?:INSERT INTO|DELETE FROM|UPDATE(?! OF| SKIP|$))\s+\"?(\w+)|\bFOR (?:NO KEY )?UPDATE\b")
    SECRETS = re.compile(r"games_(?:deal|hand|answer|seal|seat|entry)\b")
    SESSIONS = ("django_session", "site_cache")
    """What looking may write: that a message was shown, and how often a door was tried."""

    def __init__(self) -> None:
        self.writes: list[str] = []
        self.secret = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        found = self.WRITES.search(sql)
        if found is not None and found[1] not in self.SESSIONS:
            self.writes.append(sql[:200])
        self.secret = self.secret or self.SECRETS.search(sql) is not None
        return execute(sql, params, many, context)


@contextmanager
def watched() -> Iterator[Statements]:
    """While it lasts, every statement is looked at."""
    seen = Statements()
    with connection.execute_wrapper(seen):
        yield seen
