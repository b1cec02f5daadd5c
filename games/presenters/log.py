"""The log in words: one line a turn, with the notation beside it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from games.engine import RUN
from games.models import Entry
from games.presenters import absence_log, case_log, clock_log, ruling_log, shuffle_log, tile_log
from games.presenters.names import Former, holders_in, joined, names_at
from games.templatetags.cards import signed, write_card


class Line(NamedTuple):
    """A turn, or an event."""

    name: str
    words: SafeString
    at: datetime
    when: str
    notation: str
    deal: int | None
    """The deal that its moves belong to; None of an event."""
    hash: str
    """Of its last row."""
    undone: bool = False
    """Whether a referee has undone its moves."""


class Told(Protocol):
    """A move as it is put in words: a row of the log, or one that a record has."""

    @property
    def text(self) -> str: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def actor(self) -> str: ...
    @property
    def facts(self) -> dict[str, Any]: ...


def lines(
    entries: Sequence[Entry],
    names: list[str],
    *,
    me: int | None,
    now: datetime,
    tiles: bool = False,
    former: Sequence[Former] = (),
    computers: Collection[int] = (),
    undone: Collection[int] = (),
) -> list[Line]:
    """The log, newest first, from rows newest first; `names` by seat, that of the reader's seat `me` as "You". What a
    referee has `undone` is struck out: these rows, by their numbers.

    `tiles` at a table of tiles. What stood in the log before a substitute sat down was a `former` holder's. For
    seats that are not of these `computers`, one has played in the place of an absent player.
    """
    turns: list[list[Entry]] = []
    for entry in reversed(entries):
        last = turns[-1][-1] if turns else None
        if last and _same_turn(last, entry):
            turns[-1].append(entry)
        else:
            turns.append([entry])
    seats = (_then(turn[0], names, me, former, computers) for turn in reversed(turns))
    found = [_line(turn, seated, now, tiles) for turn, seated in zip(reversed(turns), seats, strict=True)]
    for at, turn in enumerate(reversed(turns)):
        move = _gone_back_to(turn[-1])
        if move is not None:
            told = _told_move(move, _then(move, names, me, former, computers), now, tiles)
            words = format_html(_("{told}. Back to before: {move}"), told=found[at].words, move=told)
            found[at] = found[at]._replace(words=words)
    moved = [turn[0] if turn[0].kind == Entry.Kind.MOVE else None for turn in reversed(turns)]
    return [line._replace(undone=row is not None and row.number in undone) for line, row in zip(found, moved, strict=True)]


def _gone_back_to(row: Entry) -> Entry | None:
    """Of the row of a referee who went back, the move that is played anew: the first that does not count."""
    if row.text != "rolled_back":
        return None
    return Entry.objects.filter(game=row.game_id, number=row.facts["to"] + 1, kind=Entry.Kind.MOVE).first()


def _told_move(move: Entry, seats: _Seats, now: datetime, tiles: bool) -> SafeString:
    """A move with whose it was and when."""
    words = move_words(move, seats.names, seats.me, tiles=tiles)
    return format_html("{} {} ({})", subject(_who(move, seats)), words, when(move.at, now))


def undone_by(entries: Sequence[Entry]) -> set[int]:
    """What is undone by rows that are among these, as `lines` wants it."""
    spans = [range(entry.facts["to"] + 1, entry.number) for entry in entries if entry.text == "rolled_back"]
    return set().union(*spans)


class _Seats(NamedTuple):
    """What the seats were called when a line was written, and before it, and which was the reader's."""

    names: list[str]
    before: list[str]
    me: int | None
    computers: Collection[int]


def _then(row: Entry, names: list[str], me: int | None, former: Sequence[Former], computers: Collection[int]) -> _Seats:
    number = row.number
    if row.text == "counted" and row.deal is not None:  # a deal counts for who held the seat when it was dealt
        held = holders_in(row.deal, former)
        names = [held[index].name if index in held else name for index, name in enumerate(names)]
    was_mine = not any(holder.seat == me and number < holder.until for holder in former)
    return _Seats(names_at(number, names, former), names_at(number - 1, names, former), me if was_mine else None, computers)


def _same_turn(last: Entry, entry: Entry) -> bool:
    if entry.kind != Entry.Kind.MOVE or last.kind != Entry.Kind.MOVE:
        return False
    ended = last.text[:1] in ("D", "T", "E", "R", "C", "X")
    return not ended and (last.seat, last.deal) == (entry.seat, entry.deal)


def _line(turn: list[Entry], seats: _Seats, now: datetime, tiles: bool) -> Line:
    last, names, me = turn[-1], seats.names, seats.me
    name = "" if last.seat is None or last.text in ("dealt", "counted") else subject(_who(last, seats))
    if last.kind == Entry.Kind.EVENT:
        told = absence_log.event(last, seats.before) or clock_log.event(last) or ruling_log.event(last, names)
        words = told or case_log.event(last) or _event(last, names, me)
        return Line(name, words, last.at, when(last.at, now), "", None, last.hash)
    notation = " ".join(entry.text for entry in turn)
    return Line(name, _turn_words(turn, names, me, tiles), last.at, when(last.at, now), notation, last.deal, last.hash)


_known: dict[tuple[Any, ...], SafeString] = {}
"""Turns in words, by the hash of their last row and by all else that the words depend on."""
KNOWN = 20_000


def _turn_words(turn: list[Entry], names: list[str], me: int | None, tiles: bool) -> SafeString:
    """The moves of a turn in words. A table is drawn at every move, and of its log but one line is new."""
    key = (turn[-1].hash, len(turn), *names, me, tiles, get_language())
    words = _known.get(key)
    if words is None:
        if len(_known) >= KNOWN:
            _known.clear()
        words = _known[key] = mark_safe(", ".join(move_words(entry, names, me, tiles=tiles) for entry in turn))
    return words


def _who(entry: Entry, seats: _Seats) -> str:
    """Who did what a row of a seat tells: its player, or the computer in the place of one who is absent."""
    assert entry.seat is not None
    name = seats.names[entry.seat]
    if entry.kind == Entry.Kind.MOVE and entry.actor == Entry.Actor.COMPUTER and entry.seat not in seats.computers:
        return pgettext("log", "%(name)s (computer)") % {"name": name}
    return name


def subject(name: str) -> str:
    """A name in front of what its player did."""
    # Translators: a player in front of what the log tells; with a colon where participles follow
    return pgettext("log", "%(name)s") % {"name": name}


def move_words(move: Told, names: list[str], me: int | None, *, tiles: bool) -> SafeString:
    """What a move did, without the name of who made it; `me` is the reader's seat."""
    return (tile_log.move(move) if tiles else None) or _move(move, names, me)


def dealt(number: int, dealer: int, names: list[str], me: int | None) -> SafeString:
    """Which deal it is, counted from 1, and who deals it."""
    if dealer == me:
        return format_html(_("Deal {number}, you deal"), number=number)
    return format_html(_("Deal {number}, dealt by {name}"), number=number, name=names[dealer])


def when(at: datetime, now: datetime) -> str:
    """The time of a row: of today the hour, of this week the day too, else the date."""
    local, today = timezone.localtime(at), timezone.localtime(now)
    days = (today.date() - local.date()).days
    if not days:
        return f"{local:%H:%M}"
    return date_format(local, "D H:i" if days < 7 else "SHORT_DATE_FORMAT")


def _cards(entry: Told) -> SafeString:
    return mark_safe(" ".join(write_card(text) for text in entry.facts.get("cards", [])))


def _move(entry: Told, names: list[str], me: int | None) -> SafeString:
    facts, cards = entry.facts, _cards(entry)
    points = facts.get("points", 0)
    match entry.text[:1]:
        case "S":
            return mark_safe(pgettext("log", "drew"))
        case "P":
            return _take(entry)
        case "M":
            return format_html(pgettext("log", "laid {cards} for {points}"), cards=cards, points=points)
        case "L":
            return format_html(_lay_off_words(entry, me), cards=cards, points=points, name=_owner(entry, names))
        case "W":
            return format_html(pgettext("log", "put {cards} in place of the joker for {points}"), cards=cards, points=points)
        case "D":
            return format_html(pgettext("log", "discarded {cards}"), cards=cards)
        case "U":
            return mark_safe(pgettext("log", "took that back"))
        case "E":
            return mark_safe(pgettext("log", "ended the deal"))
        case "R" if entry.actor == Entry.Actor.CLOCK:
            return mark_safe(pgettext("log", "resigned: the time to come back was over"))
        case "R" if entry.actor == Entry.Actor.REFEREE:
            return mark_safe(pgettext("log", "was removed by a referee"))
        case "R":
            return mark_safe(pgettext("log", "resigned"))
        case "T":
            return _expired(entry)
    return format_html("{}", entry.text)


def _take(entry: Told) -> SafeString:
    texts = entry.facts.get("cards", [])
    if len(texts) == 1:
        return format_html(pgettext("log", "took {card} from the row"), card=write_card(texts[0]))
    words = ngettext(
        "took %(count)d card from the row, {card} first", "took %(count)d cards from the row, {card} first", len(texts)
    ) % {"count": len(texts)}
    return format_html(words, card=write_card(texts[0]))


def _owner(entry: Told, names: list[str]) -> str:
    owner = entry.facts.get("owner")
    return names[owner] if isinstance(owner, int) else ""


def _lay_off_words(entry: Told, me: int | None) -> str:
    run = entry.facts.get("kind") == RUN
    if entry.facts.get("owner") == entry.seat:
        return pgettext("log", "laid off {cards} for {points}")
    if entry.facts.get("owner") == me and run:
        return pgettext("log", "laid off {cards} on your run for {points}")
    if entry.facts.get("owner") == me:
        return pgettext("log", "laid off {cards} on your set for {points}")
    if run:
        return pgettext("log", "laid off {cards} on the run of {name} for {points}")
    return pgettext("log", "laid off {cards} on the set of {name} for {points}")


def _expired(entry: Told) -> SafeString:
    if not entry.facts.get("cards"):
        return mark_safe(pgettext("log", "ran out of time"))
    if entry.actor == Entry.Actor.COMPUTER:
        return format_html(pgettext("log", "discarded {cards}"), cards=_cards(entry))
    return format_html(pgettext("log", "ran out of time: the server discarded {cards}"), cards=_cards(entry))


def _event(entry: Entry, names: list[str], me: int | None) -> SafeString:
    number = int(entry.facts.get("number", 0)) + 1
    match entry.text:
        case "made":
            return mark_safe(pgettext("log", "opened the table"))
        case "joined":
            return mark_safe(pgettext("log", "sat down"))
        case "left":
            return mark_safe(pgettext("log", "left"))
        case "started":
            return mark_safe(_("The match begins"))
        case "dealt" if entry.seat is not None:
            return dealt(number, entry.seat, names, me) + shuffle_log.added(entry, names)
        case "counted":
            listed = zip(names, entry.facts.get("scores", []), strict=False)
            scores = " · ".join(f"{name} {signed(score)}" for name, score in listed)
            return format_html(_("Deal {number} is over: {scores}"), number=number, scores=scores)
        case "exchanged":
            return mark_safe(_("The exchange of doubles is over"))
        case "spoiled":
            by = joined([names[seat] for seat in entry.facts.get("by", [])])
            return format_html(_("Spoiled by {names}: the deal is not scored"), names=by)
        case "finished":
            return mark_safe(pgettext("log", "won the match"))
        case "sealed":
            return shuffle_log.sealed(entry)
        case "lapsed":
            return mark_safe(_("The table did not fill in a week"))
        case "cancelled":
            return mark_safe(_("The table was cancelled"))
    return format_html("{}", entry.text)
