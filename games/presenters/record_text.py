"""A record as a page of text: what was played in notation, the rest in words."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine import replay
from games.gamenames import with_tiles
from games.models import Game
from games.presenters.names import table_name
from games.presenters.terms import game_in_words
from games.presenters.times import day_of
from games.templatetags.cards import signed


def record_text(game: Game, record: dict[str, Any], *, now: datetime) -> str:
    """The record of a match, as `services.records.export` gives it, for people to read."""
    names = record["seats"]
    played, void = replay(record), record.get("voided", [])
    totals = [0] * len(names)
    lines = [f"{table_name(game)} · {game_in_words(game)}", ", ".join(names), day_of(now), ""]
    listed = [(deal["number"], deal, end.scores) for deal, end in zip(record["deals"], played.deals, strict=True)]
    listed += [(deal["number"], deal, None) for deal in void]
    for number, deal, scores in sorted(listed, key=lambda each: each[0]):
        lines += _adjusted(record, number, names, totals)
        lines += _deal(deal, names)
        if scores is None:
            lines += [_("Void: it does not count."), ""]
            continue
        totals[:] = [total + score for total, score in zip(totals, scores, strict=True)]
        lines += [_sums(_("Scores"), names, list(scores)), _sums(_("Totals"), names, totals), ""]
    lines += _adjusted(record, len(listed), names, totals)
    if not listed:
        lines += [_("No deal is over yet."), ""]
    mark = _("Fingerprint of the log")
    lines += [*_signs(with_tiles(game.variant)), "", f"{_titled(mark)} {record['log']['head']}", ""]
    return "\n".join(lines)


def _adjusted(record: dict[str, Any], number: int, names: list[str], totals: list[int]) -> list[str]:
    """What a referee added before a deal; `totals` are changed by it."""
    lines = []
    for one in record.get("rulings", []):
        if one["before"] == number and "points" in one:
            totals[:] = [total + added for total, added in zip(totals, one["points"], strict=True)]
            lines += [_sums(_("Adjusted by a referee"), names, one["points"]), _sums(_("Totals"), names, totals), ""]
    return lines


def _deal(deal: dict[str, Any], names: list[str]) -> list[str]:
    title = _("Deal %(number)d, dealt by %(name)s") % {"number": deal["number"] + 1, "name": names[deal["dealer"]]}
    added = deal["shuffle"]["contributions"]
    lines = [title, "=" * len(title), _("Pack: %(deck)s") % {"deck": deal["deck"]}]
    lines.append(_("Seed: %(seed)s") % {"seed": deal["shuffle"]["seed"]})
    lines += [_("Added by %(name)s: %(line)s") % {"name": names[seat], "line": line} for seat, line in enumerate(added) if line]
    width = max(len(name) for name in names)
    turns = groupby((move.split(" ", 1) for move in deal["moves"]), key=lambda move: int(move[0]))
    lines += ["", *(f"{names[seat]:<{width}}  {' '.join(text for _seat, text in moves)}" for seat, moves in turns), ""]
    return lines


def _sums(title: str, names: list[str], points: list[int]) -> str:
    return f"{_titled(title)} " + ", ".join(f"{name} {signed(score)}" for name, score in zip(names, points, strict=True))


def _titled(title: str) -> str:
    """With a colon as the language sets it: in French after a space."""
    return _("%(name)s:") % {"name": title}


def _signs(tiles: bool) -> list[str]:
    """What the signs of the notation mean."""
    signs = [
        ("S", pgettext("notation", "drew from the stock")),
        ("P3", pgettext("notation", "took the last three of the row")),
        ("M:", pgettext("notation", "laid a meld")),
        ("L:2:", pgettext("notation", "laid off on the second meld")),
        ("W:2:", pgettext("notation", "swapped a joker of the second meld")),
        ("D:", pgettext("notation", "discarded")),
        ("U", pgettext("notation", "took the last move back")),
        ("E", pgettext("notation", "ended the deal, the stock being empty")),
        ("T", pgettext("notation", "the time ran out, the server played")),
        ("R", pgettext("notation", "resigned")),
    ]
    if tiles:
        signs += [
            ("A", pgettext("notation", "announced")),
            ("B", pgettext("notation", "announced a board game")),
            ("C:", pgettext("notation", "closed the board game")),
            ("X:", pgettext("notation", "answered to the exchange of doubles")),
        ]
    return [f"{sign:<4}  {words}" for sign, words in signs]
