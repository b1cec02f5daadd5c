"""Points as the reader's language writes them."""

from __future__ import annotations

from babel.numbers import format_decimal

from games.presenters.times import date_locale
from games.templatetags.cards import MINUS


def points_text(value: float) -> str:
    """Whole points with marks between thousands and a true minus sign: "1,810", "−35"."""
    return str(format_decimal(round(value), locale=date_locale())).replace("-", MINUS)


def change_text(value: int) -> str:
    """A gain or loss with its sign; nothing before 0."""
    return f"+{points_text(value)}" if value > 0 else points_text(value)
