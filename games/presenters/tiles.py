"""What a table of tiles shows beside what every table shows: the atu, who has opened, the board game, the exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import engine
from games.engine import TILES, View
from games.engine.boards import BOARDS
from games.engine.exchange import BIG, KEY
from games.engine.moves import BOARD, PASS, SPOIL
from games.engine.tiles import Given, Question
from games.gamenames import BOARD_GAMES
from games.presenters.buttons import ALTERNATIVES, text
from games.presenters.hand import HandCard
from games.templatetags.cards import write_card


class Answer(NamedTuple):
    """One of the answers to the exchange of doubles."""

    value: str
    pair: tuple[str, ...]
    """The double, as texts; nothing where none is offered."""
    label: str
    small: str
    words: SafeString
    """What the button says while it is chosen."""


@dataclass
class Exchange:
    """The exchange of doubles as the viewer knows it: the question, their answer, or only that it goes on."""

    answers: tuple[Answer, ...]
    """Empty where the viewer is not asked, or has answered."""
    doubles: int
    swaps: bool
    """Whether doubles are exchanged at this table, or the deal is at most spoiled."""
    legend: str
    given: SafeString | None
    """What the viewer has answered."""

    @property
    def many(self) -> bool:
        """Whether there are more answers than the words of a button can follow."""
        return len(self.answers) > ALTERNATIVES


@dataclass
class TilesPage:
    """The part of a table's page that only tiles have."""

    atu: str
    shelves: list[list[list[HandCard]]]
    count: int
    """Tiles on the rack."""
    badges: list[str]
    """By seat, in a word: not opened, on the board; empty where the seat has opened."""
    twin: bool
    """Whether the viewer was dealt the atu's twin."""
    offers_board: bool
    """Whether the viewer may announce the board game now."""
    boards: list[tuple[str, int]]
    """What there is to announce, and its points."""
    swapped: SafeString | None
    """What the viewer gave and got in the exchange."""
    exchange: Exchange | None


def tiles_page(view: View, names: list[str], shelves: list[list[list[HandCard]]], answer: str | None) -> TilesPage:
    """`answer` is what the viewer has answered in the exchange that goes on; `names` by seat, the viewer's own as "You"."""
    tiles = view.extra
    board = view.on_turn and view.phase != engine.EXCHANGE and not view.rules.other_fault(view, engine.Move(BOARD))
    return TilesPage(
        atu=TILES.texts[tiles.atu],
        shelves=shelves,
        count=view.hand.size,
        badges=[_badge(view, seat) for seat in range(view.rules.count)],
        twin=view.seat is not None and tiles.twin == view.seat,
        offers_board=board,
        boards=[(BOARD_GAMES[kind.name], kind.points) for kind in reversed(BOARDS)],
        swapped=_swapped(view, names),
        exchange=_exchange(view, answer) if view.phase == engine.EXCHANGE else None,
    )


def _badge(view: View, seat: int) -> str:
    if view.phase == engine.EXCHANGE:
        first = next(other for step in range(1, view.rules.count + 1)
                     if (other := (view.dealer + step) % view.rules.count) not in view.resigned)  # fmt: skip
        return _("begins") if seat == first else pgettext("badge", "deals") if seat == view.dealer else ""
    if seat in view.extra.board:
        return _("on the board")
    return "" if view.extra.opened[seat] else _("not opened")


def _swapped(view: View, names: list[str]) -> SafeString | None:
    gave = next((given for given in view.extra.given if given.giver == view.seat), None)
    got = next((given for given in view.extra.given if given.taker == view.seat), None)
    if view.seat is None or gave is None or got is None or view.phase == engine.OVER:
        return None
    swapped = {"gave": write_card(TILES.texts[gave.tile]), "got": write_card(TILES.texts[got.tile])}
    return format_html(_("You gave {name} the {gave} and got the {got}."), name=names[gave.taker], **swapped)


# -- the exchange of doubles ---------------------------------------------------------------------


def _exchange(view: View, answer: str | None) -> Exchange:
    question: Question | None = view.extra.question
    swaps = view.rules.options["exchange"]
    if question is None or answer is not None:
        return Exchange((), 0, swaps, "", None if answer is None else _given(answer))
    doubles = dict(question.doubles)
    answers = []
    passes = None
    for move in question.answers:
        if move.answer == PASS:
            passes = Answer(text(view, move), (), pgettext("answer", "Pass"), _keeps(question), _passes(question))
        elif move.answer == SPOIL:
            continue
        else:
            answers.append(_offer(view, move, doubles[move.cards[0]]))
    assert passes is not None
    answers.append(passes)
    if question.may_spoil:
        spoil = engine.Move(engine.moves.EXCHANGE, answer=SPOIL)
        small = _("no one scores, it is dealt again")
        answers.append(Answer(text(view, spoil), (), _("Spoil the deal"), small, format_html("{}", _("Spoil the deal"))))
    return Exchange(tuple(answers), len(doubles), swaps, _legend(len(doubles)), None)


def _legend(doubles: int) -> str:
    return ngettext("You hold %(count)d double", "You hold %(count)d doubles", doubles) % {"count": doubles}


def _keeps(question: Question) -> str:
    return ngettext("keep the double", "keep the doubles", len(question.doubles))


def _passes(question: Question) -> SafeString:
    return format_html("{}", ngettext("Pass and keep the double", "Pass and keep the doubles", len(question.doubles)))


def _offer(view: View, move: engine.Move, kind: str) -> Answer:
    tile = TILES.texts[move.cards[0]]
    number = {"number": tile[:-1]}
    return Answer(
        value=text(view, move),
        pair=(tile, tile),
        label=pgettext("a tile", "Offer %(number)s") % number,
        small=class_name(kind),
        words=format_html(_("Offer the {tile}"), tile=write_card(tile)),
    )


def class_name(kind: str) -> str:
    """The class of a double in words."""
    if kind == KEY:
        return _("key double")
    return _("big double") if kind == BIG else _("small double")


def _given(answer: str) -> SafeString:
    said = answer.partition(":")[2]
    if said == PASS:
        return format_html("{}", _("You pass."))
    if said == SPOIL:
        return format_html("{}", _("You spoil the deal."))
    return format_html(_("You offer the {tile}."), tile=write_card(said))


def exchanged(given: tuple[Given, ...], names: list[str]) -> SafeString:
    """Who swapped what before a deal that is over, pair by pair."""
    pairs = zip(given[::2], given[1::2], strict=True)
    words = _("{one} and {other}: {gave} for {got}")
    return format_html_join(
        " · ",
        "{}",
        (
            (
                format_html(
                    words, one=names[one.giver], other=names[one.taker],
                    gave=write_card(TILES.texts[one.tile]), got=write_card(TILES.texts[back.tile]),
                ),
            )
            for one, back in pairs
        ),
    )  # fmt: skip
