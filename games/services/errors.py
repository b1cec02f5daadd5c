"""Why a service refuses, beside the engine's own `RuleError`: codes again, worded in games.messages."""

from __future__ import annotations


class ServiceError(Exception):
    """A refusal with a stable code; nothing was changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Stale(ServiceError):
    """The table has moved on since the page was made; the answer is the fresh table."""

    def __init__(self) -> None:
        super().__init__("stale")


class NoSuchTable(ServiceError):
    """There is no such table, or it is not for this person."""

    def __init__(self) -> None:
        super().__init__("no_such_table")
