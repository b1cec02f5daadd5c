"""What was checked of a table, and hints at what it may mean, as a referee reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.marks import Shared
from accounts.people.times import day_of_the_year
from games.services.checks import Checked

FEW, SIGNS_OF_MORE = 30, 2.58
"""Discards that say nothing yet; and how many standard deviations are more than chance explains, in one of a hundred."""


class Check(NamedTuple):
    """One thing that was looked at."""

    good: bool
    title: str
    words: str
    found: Sequence[str] = ()
    """As the audit says it, in English: for whoever mends it."""


def checks(checked: Checked | None, *, league: bool) -> list[Check]:
    """What the audit of a table has found."""
    if checked is None:
        return [Check(False, _("Not checked"), _("The table moves on just now. Open this page again in a moment."))]
    found = [
        _check(checked.chain, _("Chain unbroken"), _("no entry missing or altered"), _("The chain is broken")),
        _check(
            checked.shuffle, _("Shuffle as promised"), _("each deck is that of its sealed seed"),
            _("Another shuffle than promised"),
        ),
        _check(
            checked.replay, _("Replay equals what is stored"), _("every hand, every score, all totals"),
            _("What is stored differs from the log"),
        ),
    ]  # fmt: skip
    if league:
        books = _check(
            checked.books, _("The league has the same points"), _("its ledger is what the deals make"), _("The ledger differs")
        )
        found.append(books)
    return found


def _check(found: Sequence[str], good: str, words: str, bad: str) -> Check:
    if not found:
        return Check(True, good, words)
    return Check(False, bad, _("A keeper of the site finds more with the audit."), found)


def hints(shared: Sequence[Shared], names: Mapping[int, str]) -> list[Check]:
    """Who of the players was at one address; one good line where nobody was."""
    if not shared:
        return [Check(True, _("No address in common"), _("of two of the players, in the last 30 days"))]
    return [Check(False, _("Two players, one address"), _hint(one, names)) for one in shared]


def _hint(one: Shared, names: Mapping[int, str]) -> str:
    first, last = day_of_the_year(one.first_day), day_of_the_year(one.last_day)
    days = ngettext("on %(days)d day", "on %(days)d days", one.days) % {"days": one.days}
    who = _("%(one)s and %(other)s") % {"one": names[one.user_a], "other": names[one.user_b]}
    span = first if one.days == 1 else f"{first} – {last}"
    return _("%(who)s, %(days)s (%(span)s). People who live together have one too.") % {"who": who, "days": days, "span": span}


def telling(taken: int, of: int, taken_by_rest: int, of_rest: int) -> str:
    """Whether two shares differ by more than chance explains, in a sentence."""
    if min(of, of_rest) < FEW:
        return _("There are too few discards to tell anything.")
    pooled = (taken + taken_by_rest) / (of + of_rest)
    spread = (pooled * (1 - pooled) * (1 / of + 1 / of_rest)) ** 0.5
    if spread and (taken / of - taken_by_rest / of_rest) / spread > SIGNS_OF_MORE:
        return _("That is more than chance explains; it proves nothing alone.")
    return _("That is within what chance explains.")
