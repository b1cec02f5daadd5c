"""What is known of two of those concerned in a case: how much they play together, and what became of their discards."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games import selectors
from games.presenters.desk_checks import telling
from games.selectors import cases
from games.selectors.discards import Share, discards


class Fact(NamedTuple):
    """A line of the table: the same of the one and of the other."""

    what: str
    one: str
    other: str


class History(NamedTuple):
    """Two players beside each other."""

    one: User
    other: User
    facts: list[Fact]
    words: list[str]
    """What the shares of discards tell, sentence by sentence."""


def history(one: User, other: User) -> History:
    """The record of two players, from public facts alone; at most seven queries."""
    pair = (one.pk, other.pk)
    played, thrown = cases.matches(pair), discards(*pair)
    in_time, opened = selectors.reliability(pair), cases.disputes_of(pair)
    together = str(len(played[one.pk] & played[other.pk]))
    facts = [
        Fact(pgettext("how many", "Matches"), *(str(len(played[pk])) for pk in pair)),
        Fact(pgettext("matches", "Together"), together, together),
        Fact(_("Discards the other took"), *(_share(thrown[pk].to_other) for pk in pair)),
        Fact(_("Discards that others took"), *(_share(thrown[pk].to_rest) for pk in pair)),
        Fact(_("Turns in time"), *(_percent(in_time[pk]) for pk in pair)),
        Fact(_("Disputes opened, upheld"), *("{}, {}".format(*opened.get(pk, (0, 0))) for pk in pair)),
    ]
    return History(
        one, other, facts, [_sentence(user, thrown[user.pk].to_other, thrown[user.pk].to_rest) for user in (one, other)]
    )


def _share(share: Share) -> str:
    return "–" if share.percent is None else _("%(percent)s %% of %(count)s") % {"percent": share.percent, "count": share.of}


def _percent(share: int | None) -> str:
    return pgettext("turns in time", "new") if share is None else _("%(percent)s %%") % {"percent": share}


def _sentence(user: User, to_other: Share, to_rest: Share) -> str:
    words = telling(to_other.taken, to_other.of, to_rest.taken, to_rest.of)
    return _("%(name)s: %(words)s") % {"name": user.username, "words": words}
