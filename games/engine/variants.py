"""The games there are. A further one is a module and a line here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .errors import RuleError
from .etalat import Etalat
from .rami500 import Rami500
from .remi500 import Remi500
from .rules import Rules

VARIANTS: dict[str, type[Rules]] = {variant.name: variant for variant in (Remi500, Rami500, Etalat)}

RULES_VERSION = 1
"""Raised when a change of rules would make a recorded game replay differently."""


def rules_for(variant: Any, seats: int, options: Any = None) -> Rules:
    """The rules of a match. Raises `bad_record` for a game, seats or options that do not exist."""
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise RuleError("bad_record", variant=str(variant)[:40])
    if options is not None and not (isinstance(options, dict) and all(isinstance(name, str) for name in options)):
        raise RuleError("bad_record", field="options")
    return _one(VARIANTS[variant](seats, options))


@lru_cache(maxsize=500)
def _one(rules: Rules) -> Rules:
    """The same object for the same rules, however their options were given."""
    return rules
