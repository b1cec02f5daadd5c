"""Telling people what happens: an outbox, written with what it tells of and sent behind the pages.

`post` writes one row for each person, in the caller's transaction. A sweep decides which ways a message goes (`spread`),
sends it (`send`) and says when time runs out (`remind`). Before each step it is looked at again: what no longer holds is
dropped, with the reason.
"""

from accounts.people.messages.news import GONE
from accounts.people.messages.outbox import close, goes_on, look, mark_read, post

__all__ = ["GONE", "close", "goes_on", "look", "mark_read", "post"]
