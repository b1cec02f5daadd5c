"""A check of the database whose condition is unknown lets a row pass: with NULL, a comparison is unknown. Here none ever is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.db.models import Q

Facts = dict[str, bool]
"""Of columns, whether they are NULL, and of comparisons, whether they hold."""
TOGETHER = {"no_turn_ends_in_quiet_hours": "hours_of_the_day"}
"""Checks that another one spares a NULL."""


def checks() -> list[Any]:
    made = [(model, check) for model in apps.get_models() for check in model._meta.constraints]
    ours = [(model, check) for model, check in made if model._meta.app_label in ("accounts", "games")]
    return [pytest.param(*one, id=one[1].name) for one in ours if isinstance(one[1], models.CheckConstraint)]


def columns(model: type[models.Model], found: Any) -> Iterator[str]:
    """The columns that a condition, or an expression in it, names and that may be NULL."""
    if isinstance(found, Q):
        for part in found.children:
            yield from columns(model, part)
    elif isinstance(found, tuple):
        yield from columns(model, models.F(found[0].partition("__")[0]))
        yield from columns(model, found[1]) if isinstance(found[1], models.F) else ()
    elif isinstance(found, models.F):
        field = model._meta.get_field(found.name)  # type: ignore[attr-defined]
        if getattr(field, "null", False):
            yield field.name


def leaves(found: Q) -> Iterator[Any]:
    for part in found.children:
        yield from leaves(part) if isinstance(part, Q) else [part]


def holds(model: type[models.Model], found: Any, facts: Facts) -> bool | None:
    """Whether a condition holds; None where that is unknown."""
    if isinstance(found, Q):
        parts = [holds(model, part, facts) for part in found.children]
        decisive = found.connector == Q.OR
        answer = decisive if decisive in parts else None if None in parts else not decisive
        return answer if answer is None or not found.negated else not answer
    name, value = found if isinstance(found, tuple) else ("", found)
    if value is None or name.endswith("__isnull"):
        field = name.partition("__")[0]
        return facts.get(field, False) is (value is None or value)
    return None if any(facts[name] for name in columns(model, found)) else facts[str(found)]


@pytest.mark.parametrize(("model", "check"), checks())
def test_no_check_is_unknown_for_a_null(model: type[models.Model], check: models.CheckConstraint) -> None:
    assert isinstance(check.condition, Q)
    nullable = sorted(set(columns(model, check.condition)))
    compared = sorted({str(leaf) for leaf in leaves(check.condition)})
    names = [*nullable, *compared]
    for values in product((False, True), repeat=len(names)):
        if check.name not in TOGETHER:
            assert holds(model, check.condition, dict(zip(names, values, strict=True))) is not None


def test_a_check_that_forgets_a_null_is_found() -> None:
    season, later = apps.get_model("accounts", "Season"), ("ends_at__gt", models.F("starts_at"))
    facts = {"ends_at": True, str(later): True, str(("until", "date")): True}
    assert holds(season, Q(later, until="date"), facts) is None
    assert holds(season, Q(later, until="date", ends_at__isnull=False), facts) is False
    assert holds(season, ~Q(later, until="date") | Q(ends_at=None), facts) is True
