"""What an address elsewhere answered, as carriers tell it: taken, later, never, or nobody knows."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from accounts.people.messages.carriers import Later, Refused, Unsure
from accounts.people.messages.outward import Answer, BadAddress, Unreachable

BUSY = (408, 425, 429)


def status_of(ask: Callable[[], Answer]) -> int:
    """The status of an answer; where none came, what that means."""
    try:
        return ask().status
    except BadAddress:
        raise Refused(_("This address does not lead to the open internet.")) from None
    except Unreachable as fault:
        words = _words(fault.code)
        if fault.sent:
            raise Unsure(words) from None
        raise (Refused if fault.code == "private" else Later)(words) from None


def taken(status: int) -> None:
    """Nothing, where a status says that it was taken; else it is raised what to do."""
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        raise Refused(_("It points to another address (status %(status)d). Give the one it leads to.") % {"status": status})
    words = _("It answered with status %(status)d.") % {"status": status}
    raise (Later if status in BUSY or status >= 500 else Refused)(words)


def _words(code: str) -> str:
    match code:
        case "name":
            return _("No machine is known by this name.")
        case "private":
            return _("This address does not lead to the open internet.")
        case "time":
            return _("No answer came within 5 seconds.")
        case "certificate":
            return _("Its certificate is not in order.")
        case "long":
            return _("It answered with more than 64 KB.")
        case "answer":
            return _("It answered with something that is no answer.")
    return _("No connection came about.")
