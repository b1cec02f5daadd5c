"""Messages in words, in the active language and time zone: facts in, text out. One function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import Message, User
from accounts.people import zones
from accounts.people.messages import league_news, news, ruling_news
from accounts.people.times import how_long, moment


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


@dataclass(frozen=True)
class Said:
    """What a kind has to say."""

    title: str
    text: str
    action: str = ""


@contextmanager
def spoken_to(user: User) -> Iterator[None]:
    """The language and the time zone of a person."""
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(zone_of(user)):
        yield


def zone_of(user: User) -> ZoneInfo:
    """The time zone of a person; the site's for who has set none."""
    return ZoneInfo(user.time_zone if user.time_zone in zones.known_zones() else settings.TIME_ZONE)


def worded(message: Message, *, now: datetime) -> Worded:
    """A message in words."""
    said = _SAY[message.kind](message, message.facts, now)
    text = " ".join(part for part in (said.text, *_beside(message, now)) if part)
    path = message.facts.get("path") or (reverse("games:table", args=[message.game]) if message.game else reverse("settings"))
    plays = message.beside.asks and "path" not in message.facts
    action = said.action or (_("Play") if plays else _("Open the table"))
    return Worded(message.kind, said.title, text, path, action, message.game)


def _beside(message: Message, now: datetime) -> Iterator[str]:
    """What is to be said with a message: what is asked of its reader, and what older ones say that it hides.

    That there is news of a dispute need not be said beside news of a dispute.
    """
    beside = message.beside
    if beside.asks:
        yield _asked(beside.asks)
        yield _until(beside.until, now)
    steps = {older.facts.get("what") for older in beside.unread if older.kind == "ruling"}
    if steps & {None, "ruled"}:
        yield _("A referee has ruled at this table.")
    elif steps and message.kind != "ruling":
        yield _("There is news of a dispute at this table.")
    speakers = list(dict.fromkeys(older.facts.get("who", "") for older in beside.unread if older.kind == "mention"))
    if speakers:
        yield _("In the chat you were called by %(names)s.") % {"names": _listed([news.called(name) for name in speakers])}


def table_of(facts: dict[str, Any]) -> str:
    """What the table is called; one without a name by its game, as the catalogue calls it."""
    return facts.get("title") or _game_name(facts)


def _game_name(facts: dict[str, Any]) -> str:
    game = facts.get("game", "")
    return _(game) if game else "Remi"


def _names(facts: dict[str, Any]) -> str:
    """Those one plays with: "Ana, Bogdan and Computer"."""
    return _listed([news.called(name) for name in facts.get("with", ())])


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return pgettext("names", "%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def _game(facts: dict[str, Any]) -> str:
    """The game, and with whom, as a sentence."""
    game, names = _game_name(facts), _names(facts)
    return (_("%(game)s with %(names)s") % {"game": game, "names": names} if names else game) + "."


def _asked(what: str) -> str:
    """What is asked of the reader, as in `Beside.asks`."""
    return _("You are asked in the exchange of doubles.") if what == "exchange" else _("It is your turn.")


def _until(until: datetime | None, now: datetime) -> str:
    """How long the reader has, or had: a message is still read when its turn is long over."""
    if until is None:
        return _("The clock stands still for now.")
    if until <= now:
        return _("You had until %(until)s.") % {"until": moment(until)}
    return _("You have until %(until)s (%(left)s).") % {"until": moment(until), "left": how_long(until - now)}


def _turn(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    table = {"table": table_of(facts)}
    if facts.get("exchange"):
        title, what = _("Exchange of doubles at “%(table)s”") % table, _("A new deal: answer the exchange of doubles.")
    else:
        title, what = _("Your turn at “%(table)s”") % table, _game(facts)
    if facts.get("excused"):
        what = _("Your time ran out, and you are excused this time.")
    return Said(title, f"{what} {_until(message.until, now)}", _("Play"))


def _hurry(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    table = {"table": table_of(facts)}
    if message.until is None:
        title = _("Your turn at “%(table)s”") % table
    elif message.until <= now:
        return Said(_("Little time left at “%(table)s”") % table, _until(message.until, now))
    else:
        title = _("Your time at “%(table)s”: %(left)s") % {**table, "left": how_long(message.until - now)}
    what = _asked("exchange" if facts.get("exchange") else "turn")
    return Said(title, f"{what} {_until(message.until, now)}", _("Play"))


def _missed(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    table = {"table": table_of(facts)}
    match facts.get("news"):  # what comes of a seat comes days after its time ran out
        case "taken_over":
            title = _("Your seat at “%(table)s” has been taken over") % table
        case "resigned":
            title = _("Your seat at “%(table)s” has resigned") % table
        case _:
            title = _("Your time ran out at “%(table)s”") % table
    return Said(title, news.of_you(facts))


def _invitation(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    names = {"name": facts.get("who", ""), "table": table_of(facts)}
    title = _("%(name)s invites you to “%(table)s”") % names
    what = _("Look at the table, and sit down if you like.")
    return Said(title, f"{_game(facts)} {what}", _("Look at the table"))


def _joined(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    free = int(facts.get("free", 0))
    title = _("%(name)s sits down at “%(table)s”") % {"name": facts.get("who", ""), "table": table_of(facts)}
    return Said(title, ngettext("%(count)d seat is free.", "%(count)d seats are free.", free) % {"count": free})


def _started(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    return Said(_("“%(table)s” has begun") % {"table": table_of(facts)}, _game(facts))


def _deal_over(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    title = _("Deal %(number)d is over at “%(table)s”") % {"number": facts.get("deal", 0) + 1, "table": table_of(facts)}
    return Said(title, _points(facts), _("Look at the result"))


def _match_over(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    table = {"table": table_of(facts)}
    if facts.get("winner") == facts.get("seat"):
        return Said(_("You have won at “%(table)s”") % table, _points(facts), _("Look at the result"))
    won = _("%(name)s has won.") % {"name": news.called(facts.get("who", ""))}
    why = [news.of_you(facts)] if facts.get("news") == "resigned" else []
    text = " ".join([*why, won, _points(facts)])
    return Said(_("The match is over at “%(table)s”") % table, text, _("Look at the result"))


def _points(facts: dict[str, Any]) -> str:
    """The reader's own points in the deal, and in all."""
    scores, totals, seat = facts.get("scores", ()), facts.get("totals", ()), facts.get("seat")
    if seat is None or not totals:
        return ""
    total = _number(totals[seat])
    if not scores:
        return _("You have %(total)s points.") % {"total": total}
    change = _number(scores[seat], sign=True)
    return _("%(change)s for you; you have %(total)s points.") % {"change": change, "total": total}


def _number(points: int, *, sign: bool = False) -> str:
    return f"{points:+d}".replace("-", "−") if sign else f"{points}".replace("-", "−")


def _away(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    return Said(_("News from “%(table)s”") % {"table": table_of(facts)}, news.of_the_table(facts))


def _mention(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    title = _("%(name)s speaks to you at “%(table)s”") % {"name": facts.get("who", ""), "table": table_of(facts)}
    return Said(title, _("Read it at the table."))


def _league(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    title = pgettext("league", "News from %(league)s") % {"league": facts.get("league", "")}
    return Said(title, league_news.of_league(facts), _("Open the league"))


def _ruling(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    return Said(ruling_news.title(facts, table_of(facts)), ruling_news.of_case(facts), _("Open the case"))


def _test(message: Message, facts: dict[str, Any], now: datetime) -> Said:
    return Said(_("A test from Remi"), _("This is how messages reach you here."), _("Open the settings"))


_SAY: dict[str, Callable[[Message, dict[str, Any], datetime], Said]] = {
    "turn": _turn,
    "hurry": _hurry,
    "missed": _missed,
    "invitation": _invitation,
    "joined": _joined,
    "started": _started,
    "deal_over": _deal_over,
    "match_over": _match_over,
    "away": _away,
    "mention": _mention,
    "league": _league,
    "ruling": _ruling,
    "test": _test,
}
