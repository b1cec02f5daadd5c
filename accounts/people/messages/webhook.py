"""A message to a chat tool: one JSON that Slack, Mattermost and Discord take, each reading what it knows."""

from __future__ import annotations

import json
from typing import Any

from accounts.people.messages import outward

# Discord's limit for a message is 2000 characters.
LONGEST = 1500


def payload(*, title: str, body: str, url: str, kind: str, game: str) -> bytes:
    """`text` is what Slack and Mattermost show, `content` what Discord does; the rest is for programs."""
    words = "\n".join(part for part in (f"{title}: {body}" if body else title, url) if part)[:LONGEST]
    told: dict[str, Any] = {
        "text": _for_slack(words),
        "content": words,
        "allowed_mentions": {"parse": []},
        "kind": kind,
        "table": game,
        "title": title,
        "body": body,
        "url": url,
    }
    return json.dumps(told, ensure_ascii=False).encode()


def _for_slack(words: str) -> str:
    """Its three signs written out, and nobody called: the name of a table is what players make of it."""
    written = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return written.replace("@", "@\N{ZERO WIDTH SPACE}")


def post(url: str, told: bytes) -> outward.Answer:
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "Remi"}
    return outward.post(url, told, headers)
