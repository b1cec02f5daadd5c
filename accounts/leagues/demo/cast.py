"""Who plays in the demonstration, and how well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User

DOMAIN = "@demo.invalid"
"""Of the addresses of these accounts: no letter can reach one, and nobody can have one."""


@dataclass(frozen=True)
class Member:
    user: User
    luckless: float
    """How often a move is one of those that may be made, and not the best one."""


# Names that are read aloud on Friday evenings between Cluj and Lyon; how often each plays whatever comes to mind.
NAMES = (
    ("Ioana Mureșan", 0.02), ("Bogdan", 0.06), ("Maria Dobrescu", 0.0), ("Jean-Baptiste", 0.1), ("Ștefan", 0.04),
    ("Tanti Lenuța", 0.01), ("Élodie", 0.08), ("Radu C.", 0.15), ("Ana-Maria", 0.03), ("Nea Costică", 0.12), ("Camille", 0.05),
    ("Vlad", 0.2), ("Crina", 0.07), ("Matei", 0.09), ("Sandrine", 0.02), ("Horia", 0.11),
)  # fmt: skip


def make(count: int, *, now: datetime) -> list[Member]:
    """The first so many: accounts without a password, to which nobody can log in. A name that is taken gets a number."""
    return [Member(_account(name, index, now), luckless) for index, (name, luckless) in enumerate(NAMES[:count])]


def _account(name: str, index: int, now: datetime) -> User:
    free, number = name, 1
    while User.objects.filter(username__iexact=free).exists():
        number += 1
        free = f"{name} {number}"
    return User.objects.create_user(free, f"member{index}{DOMAIN}", date_joined=now, last_seen=now)
