"""The steps of a replay in words: those of the log, and of draws the card where the reader may know it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import engine
from games.engine.moves import EXCHANGE
from games.presenters import log
from games.presenters.steps import Made, Step, drawn
from games.templatetags.cards import write_card


class Row(NamedTuple):
    """A step in the list of all moves."""

    at: int
    words: SafeString
    notation: str
    current: bool
    hit: bool
    """Whether something became of the card whose way is asked for."""


@dataclass(frozen=True)
class Telling:
    """To whom the steps are told, and what of them may be."""

    names: list[str]
    """By seat, the reader's own as "You"."""
    viewer: int | None
    eyes: Collection[int]
    """The seats whose draws are told."""
    opened: bool
    """Whether the answers to the exchange of doubles are."""
    number: int
    """Of the deal, counted from 0."""

    def rows(self, steps: Sequence[Step], at: int, hits: Collection[int]) -> list[Row]:
        """All steps, newest first."""
        return [
            Row(place, self.step(step, bold=True), self._notation(step), place == at, place in hits)
            for place, step in reversed(list(enumerate(steps)))
        ]

    def step(self, step: Step, *, bold: bool = False) -> SafeString:
        """What happened in a step."""
        if not step.moves:
            return log.dealt(self.number + 1, step.deal.dealer, self.names, self.viewer)
        if step.kind == EXCHANGE and not self.opened:
            return mark_safe(_("The exchange of doubles is over"))
        pattern = "<b>{}</b> {}" if bold else "{} {}"
        said = ((log.subject(move.name or self.names[move.seat]), self._words(step, move)) for move in step.moves)
        return format_html_join(" · ", pattern, said)

    def when(self, step: Step, now: datetime) -> str:
        """At what time it was, where that is known."""
        at = step.moves[-1].at if step.moves else None
        return "" if at is None else log.when(at, now)

    def _words(self, step: Step, move: Made) -> SafeString:
        tiles = step.deal.rules.alphabet is engine.TILES
        card = drawn(step, move.seat) if move.seat in self.eyes else None
        if card is None:
            return log.move_words(move, self.names, self.viewer, tiles=tiles)
        written = write_card(step.deal.rules.alphabet.texts[card], tiles=tiles)
        return format_html(pgettext("log", "drew {card}"), card=written)

    def _notation(self, step: Step) -> str:
        if step.kind == EXCHANGE and not self.opened:
            return ""
        return " ".join(f"{move.seat} {move.text}" if step.kind == EXCHANGE else move.text for move in step.moves)
