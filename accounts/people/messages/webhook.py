"""A message to a chat tool: one JSON that Slack, Mattermost and Discord take, each reading what it knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import Webhook
from accounts.people.messages import answers, outward
from accounts.people.messages.carriers import Carry, Letter, Refused

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


@contextmanager
def carrier() -> Iterator[Carry]:
    yield carry


def carry(letter: Letter) -> None:
    """Tell a letter to its reader's chat tool."""
    url = Webhook.objects.filter(user=letter.user).values_list("url", flat=True).first()
    if url is None:
        raise Refused(_("There is no address any more."))
    news = letter.news[0]
    told = payload(title=news.title, body=news.text, url=settings.SITE_URL + news.path, kind=news.kind, game=news.game)
    answers.taken(answers.status_of(lambda: post(url, told)))
