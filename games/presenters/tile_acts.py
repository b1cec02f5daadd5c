"""The buttons under a rack of tiles: opening, announcing and the board game beside what all games have."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import engine
from games.engine import Offer, Offers, View
from games.engine.boards import closing, dearest, less
from games.engine.etalat import MOST_TILES, Etalat
from games.engine.melds import laid
from games.engine.moves import ANNOUNCE, CLOSE_BOARD, LAY_OFF
from games.engine.tiles import Opening
from games.gamenames import BOARD_GAMES
from games.messages.tiles import missing
from games.presenters import buttons, takes
from games.presenters.buttons import NOTHING_MORE, Acts, Announcement, Button, Chosen, safe, whose, write, written


def acts(view: View, names: list[str], chosen: Chosen, *, script: bool) -> Acts:
    """What the seat on turn may do."""
    if view.phase == engine.DRAW:
        return _drawing(view, names, chosen, script=script)
    announcement = _announcement(view, chosen)
    codes = [view.rules.alphabet.codes.get(text, -1) for text in chosen.cards]
    picked = codes if codes and all(0 <= code <= engine.JOKER for code in codes) else []
    if picked:
        found = _precise(view, names, chosen, engine.offers(view, picked))
        if not script:
            found = found._replace(buttons=_general(view))
    else:
        general = buttons.idle(_general(view)) if script else _general(view)
        found = Acts(_need(view, view.extra.opening), general, meter=_meter(view.extra.opening))
    if announcement and announcement.place == "off":
        found = found._replace(buttons=[button for button in found.buttons if button.place != "off"])
    return found._replace(announcement=announcement)


# -- drawing -------------------------------------------------------------------------------------


def _drawing(view: View, names: list[str], chosen: Chosen, *, script: bool) -> Acts:
    left = _("the atu, the last tile")
    if view.stock_left > 1:
        left = ngettext("%(count)d tile left", "%(count)d tiles left", view.stock_left) % {"count": view.stock_left}
    draw = Button("from", "S", safe(pgettext("tile", "Draw from the stock")), safe(left), gold=True)
    take = takes.button(view, chosen.take, script=script)
    drop = Button("drop", "", safe(_("Discard")), safe(_("after drawing")))
    return Acts(safe(_draw_words(view)), [take, draw, drop], tell=takes.tell(view, names, chosen.take))


def _draw_words(view: View) -> str:
    seat, tiles = view.to_move, view.extra
    if not tiles.turns[seat]:
        return _("Your first turn: draw from the stock, then discard")
    if view.hand.size < 3 and seat not in tiles.board:
        return _("Draw from the stock: with so few tiles nothing is taken")
    if view.hand.size == 3 or not tiles.opened[seat]:
        return _("Draw one, or take the last discard")
    return pgettext("tile", "Draw one, or take from the row")


# -- playing -------------------------------------------------------------------------------------


def _need(view: View, opening: Opening | None) -> SafeString:
    """The one thing that is asked; `opening` is how far that is, with what is picked."""
    tiles, seat = view.extra, view.to_move
    if view.must_use is not None:
        card = format_html("<mark>{}</mark>", write(view, view.must_use))
        if not tiles.opened[seat]:
            return format_html(pgettext("tile", "Open with the {card} this turn"), card=card)
        return format_html(_("Use the {card} before you discard"), card=card)
    if tiles.owed:
        return safe(_("Lay the joly again before you discard"))
    more = view.hand.size - 1 - MOST_TILES
    if more > 0:
        return safe(ngettext("Lay down %(count)d more tile", "Lay down %(count)d more tiles", more) % {"count": more})
    if seat in tiles.board:
        return safe(_("Close the board game, or discard") if closing(view.hand) else _("On the board: discard one tile"))
    if not tiles.turns[seat]:
        return safe(_("Your first turn: discard one tile"))
    if opening is not None:
        return safe(_opening_words(opening))
    if view.hand.size == 1:
        return safe(_("Discard your last tile: that closes the deal"))
    return safe(pgettext("tile", "Lay down what you like, then discard"))


def _opening_words(opening: Opening) -> str:
    facts = {"points": opening.points, "needed": opening.needed}
    if not opening.points:
        return _("Open with %(needed)s points, or discard") % facts
    if opening.complete:
        return _("%(points)s of %(needed)s: discard, and you have opened") % facts
    said, lacks = _("%(points)s of %(needed)s to open") % facts, missing(opening)
    return _("%(points_of)s, %(missing)s") % {"points_of": said, "missing": lacks} if lacks else said


def _meter(opening: Opening | None) -> tuple[int, int] | None:
    return (opening.points, opening.needed) if opening is not None and opening.points else None


def _announcement(view: View, chosen: Chosen) -> Announcement | None:
    """The box beside the discard. Until there is anything to lay off it stands in that place; later where it may be ticked."""
    seat, tiles = view.to_move, view.extra
    if view.rules.options["announce"] == "auto" or seat in tiles.low or seat in tiles.board:
        return None
    place = "off" if view.rules.table_fault(view, LAY_OFF) else "say"
    if tiles.announced:
        return Announcement(place, _("announced"), checked=True)
    if not view.rules.other_fault(view, engine.Move(ANNOUNCE)):
        return Announcement(place, "", checked=chosen.announce)
    return Announcement(place, _("with 4 tiles left"), checked=False) if place == "off" else None


def _general(view: View) -> list[Button]:
    """Before anything is picked, and without script: the tiles that are ticked decide."""
    drop = Button("drop", "D", safe(_("Discard")), safe(_("the picked tile")))
    return [_general_lay(view), _general_off(view), buttons.undo_button(view), _blocked_drop(view) or drop]


def _general_lay(view: View) -> Button:
    if view.to_move in view.extra.board:
        return Button("lay", CLOSE_BOARD, safe(_("Close the board game")), safe(_("with the picked tile")))
    blocked = _blocked_lay(view)
    if blocked:
        return blocked
    swaps = view.extra.opened[view.to_move] and any(meld.jokers for meld in view.melds)
    return Button("lay", "M", safe(_("Lay the picked tiles")), safe(_("or take a joly for one")) if swaps else NOTHING_MORE)


def _blocked_lay(view: View) -> Button | None:
    fault = view.rules.table_fault(view, engine.moves.MELD)
    return Button("lay", "", safe(_("Lay")), safe(_("not in your first turn"))) if fault else None


def _general_off(view: View) -> Button:
    return _blocked_off(view) or Button("off", "L", safe(_("Lay off")), safe(_("the picked tiles")))


def _blocked_off(view: View) -> Button | None:
    fault = view.rules.table_fault(view, LAY_OFF)
    if not fault:
        return None
    reasons = {"first_round": _("not in your first turn"), "board_player": _("not on the board")}
    return Button("off", "", safe(_("Lay off")), safe(reasons.get(fault, _("once you have opened"))))


def _blocked_drop(view: View) -> Button | None:
    """The discard while the turn is not finished, with what comes before it."""
    if view.must_use is not None:
        after = format_html(pgettext("tile", "after the {card}"), card=write(view, view.must_use))
        return Button("drop", "", safe(_("Discard")), after)
    if view.rules.discards(view):
        return None
    fault = view.rules.discard_fault(view, view.hand.cards()[0])
    reasons = {"must_use_joker": _("after the joly"), "too_many_tiles": _("at most 14 may stay")}
    return Button("drop", "", safe(_("Discard")), safe(reasons.get(fault or "", _("after the opening"))))


# -- with tiles picked ---------------------------------------------------------------------------


def _precise(view: View, names: list[str], chosen: Chosen, found: Offers) -> Acts:
    """The buttons for a selection: one gold, the dearest thing it can do."""
    opening = view.extra.opening
    reached = [_reached(view, offer) for offer in found.lay] if opening is not None else []
    worths: list[str | int] = [_of(after) for after in reached] or [offer.worth for offer in found.lay]
    plates: tuple[buttons.Plate, ...] = ()
    legend = ""
    if len(found.lay) > 1:
        small = [safe(str(worth)) if opening is not None else buttons.points(offer.worth)
                 for worth, offer in zip(worths, found.lay, strict=True)]  # fmt: skip
        plates, legend = buttons.plates_of(view, found.lay, small), _legend(found.lay)
    elif not found.lay and len(found.off) > 1:
        plates, legend = _off_plates(view, found.off), _("Where they go")
    lay = _lay(view, found, names, worths)
    off = _off(view, found, names, by_choice=bool(plates) and not found.lay)
    drop = _drop(view, found, gold=not lay.value and not off.value)
    with_these = reached[0] if len(reached) == 1 else opening
    need = safe(_("What does the joly stand for?")) if plates and "*" in chosen.cards else _need(view, with_these)
    fits = buttons.fits_of(view, found.off)
    return Acts(need, [lay, off, buttons.undo_button(view), drop], legend, plates, fits, meter=_meter(with_these))


def _off_plates(view: View, offers: list[Offer]) -> tuple[buttons.Plate, ...]:
    return buttons.plates_of(view, offers, [buttons.points(offer.worth) for offer in offers])


def _reached(view: View, offer: Offer) -> Opening:
    """How far the opening would be with this meld."""
    seat = view.to_move
    meld = laid(len(view.melds) + 1, seat if seat is not None else 0, offer.move.cards, view.rules.tight)
    rules = view.rules
    assert meld is not None and isinstance(rules, Etalat)
    return rules.progress(view._replace(melds=(*view.melds, meld)))


def _of(opening: Opening) -> str:
    return _("%(points)s of %(needed)s") % {"points": opening.points, "needed": opening.needed}


def _lay(view: View, found: Offers, names: list[str], worths: list[str | int]) -> Button:
    if view.to_move in view.extra.board:
        return _close(view, found)
    if found.swap:
        offer = found.swap[0]
        small = format_html(_("in {meld}"), meld=whose(view, offer.meld, names))
        return Button("lay", buttons.text(view, offer), safe(_("Take the joly for it")), small, offer.worth, gold=True)
    if found.lay:
        return buttons.lay_value(found.lay, view, worths)
    return Button("lay", "", safe(_("Lay")), safe(_lay_fault(found.lay_fault)))


def _close(view: View, found: Offers) -> Button:
    """Closing the board game with the picked tile: its type and points."""
    for offer in found.others:
        if offer.move.kind == CLOSE_BOARD:
            board = dearest(less(view.hand, offer.move.cards[0]))
            words = _("Close with %(board)s") % {"board": BOARD_GAMES[board.name] if board else ""}
            return Button("lay", buttons.text(view, offer), safe(words), worth=offer.worth, gold=True)
    fault = found.other_faults.get(CLOSE_BOARD)
    reason = _("pick the tile that goes") if fault == "one_card" else _("the other 14 make no board game")
    return Button("lay", "", safe(_("Close the board game")), safe(reason))


def _lay_fault(fault: str | None) -> str:
    reasons = {
        "too_few": _("pick three or more"),
        "not_a_meld": _("no meld"),
        "first_round": _("not in your first turn"),
        "must_keep_discard": _("one tile must stay"),
    }
    return reasons.get(fault or "", _("not possible now"))


def _off(view: View, found: Offers, names: list[str], *, by_choice: bool) -> Button:
    blocked = _blocked_off(view)
    if blocked:
        return blocked
    if not found.off:
        reason = _("one tile must stay") if found.off_fault == "must_keep_discard" else _("fits no meld")
        return Button("off", "", safe(_("Lay off")), safe(reason))
    return buttons.off_button(view, found.off, names, by_choice=by_choice, gold=not found.lay and not found.swap)


def _drop(view: View, found: Offers, *, gold: bool) -> Button:
    if found.discard is not None:
        label = _("Close the deal") if view.hand.size == 1 else _("Discard")
        return Button("drop", buttons.text(view, found.discard), safe(label), written(view, found.discard.cards), gold=gold)
    blocked = _blocked_drop(view)
    if blocked:
        return blocked
    reasons = {"one_card": _("pick one tile"), "cannot_discard_pickup": _("not back at once")}
    return Button("drop", "", safe(_("Discard")), safe(reasons.get(found.discard_fault or "", _("not possible now"))))


def _legend(offers: list[Offer]) -> str:
    numbers = {card % engine.STANDS % 13 for card in offers[0].move.cards}
    if len(numbers) == 1:
        return _("One of the colours the set lacks; it stays that tile for good")
    return _("It stays that tile for good")
