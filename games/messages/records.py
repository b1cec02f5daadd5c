"""Why a record that somebody brought along is not taken."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.messages import Refusal, refusal


def record_refusal(code: str, facts: dict[str, Any], *, with_tiles: bool = False) -> Refusal:
    """The two sentences for a fault of a record, or of a move in it."""
    found = _of_file(code) or (_of_record(facts) if code == "bad_record" else _of_move(code))
    if found is None:
        return refusal(code, facts, with_tiles=with_tiles)
    return Refusal(format_html("{}", found[0]), format_html("{}", found[1]))


def _of_file(code: str) -> tuple[str, str] | None:
    match code:
        case "record_missing":
            return _("No file is chosen."), _("Choose a record: a file that ends in .json.")
        case "record_too_long":
            return _("The file is too long."), _("A record has at most one million bytes.")
        case "record_not_text":
            return _("The file is not text."), _("A record is text in UTF-8.")
        case "record_not_json":
            return _("The file is no JSON."), _("Choose one that was downloaded here, or made by the same rules.")
        case "record_key_twice":
            return _("A key stands twice in one object."), _("It is not clear which of the two counts.")
        case "record_not_whole":
            return _("There is a number in it that is not whole."), _("All numbers of a record are.")
        case "record_too_many_deals":
            return _("There are too many deals in it."), _("A record has at most 200.")
        case "record_too_many_moves":
            return _("There are too many moves in it."), _("A record has at most 20,000.")
        case "record_too_slow":
            return _("Playing it takes too long."), _("The program does it without a limit of time.")
        case "record_none_more":
            return _("You keep as many records as can be kept."), _("Forget one of them first.")
    return None


def _of_record(facts: dict[str, Any]) -> tuple[str, str]:
    """What is wrong with the record itself, or with a deal in it."""
    field = facts.get("field", "")
    if field == "deck":
        return _("The deck is not exactly the pack of this game."), _("Every card is in it as often as the game has it.")
    if field == "dealer":
        return _("The dealer is no seat of this table."), _("Seats are counted from 0.")
    if field == "moves":
        return _("The moves of this deal are no list of lines."), _("Each line is a seat and a move.")
    if field in ("voided", "rulings", "number"):
        return _("What it says of rulings is not whole."), _("Where deals are void, each deal has its number.")
    if field == "seats" or "seats" in facts:
        return _("The seats do not fit the game."), _("They are a list of names, as many as the game allows.")
    if field == "options" or "option" in facts:
        return _("There is an option in it that this game does not have."), _("Or its value is none of those allowed.")
    if "variant" in facts:
        return _("There is no such game."), _("The games are remi500, rami500 and etalat.")
    if field == "deals":
        return _("There is no list of deals in it."), _("A record without deals has an empty one.")
    return _("The file is no record."), _("A record says that its format is remi-record/1.")


def _of_move(code: str) -> tuple[str, str] | None:
    match code:
        case "bad_notation":
            return _("That is no move."), _("A line is a seat, a space and a move in notation.")
        case "not_your_turn":
            return _("Another seat was on turn."), _("Or this one had left the match.")
        case "deal_over":
            return _("The deal was over."), _("Nothing is played after its end.")
        case "deal_not_over":
            return _("The deal before is not over."), _("A next one begins after its end.")
        case "match_over":
            return _("The match was over."), _("No deal follows its end.")
    return None
