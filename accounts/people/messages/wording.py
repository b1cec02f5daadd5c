"""Messages in words, in the active language and time zone. A family of sentences for each kind; facts in, text out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Worded:
    """A message as its reader sees it."""

    kind: str
    title: str
    """Short: the subject of a mail, the headline of a push."""
    text: str
    path: str
    """Where it leads, on this site."""
    action: str
    """The words of the button that leads there."""
    game: str = ""
    """The code of the table, so that a newer message takes the place of an older one."""
