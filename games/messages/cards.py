"""What is refused at a table of cards, and what may be refused at any table."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def sentences(code: str, facts: dict[str, Any]) -> tuple[str, str]:
    """Patterns with {card} and {cards} left open."""
    match code:
        case "stale":
            return _("The table has moved on."), _("This is how it stands now; nothing of yours was lost.")
        case "deal_over":
            return _("The deal is over."), _("It is being counted; the next one follows at once.")
        case "match_over":
            return _("The match is over."), _("Play another one whenever you like.")
        case "not_your_turn":
            return _("It is not your turn."), _("You can look at everything and sort your hand meanwhile.")
        case "wrong_phase":
            return _("That is not possible now."), _("The table shows what is asked.")
        case "must_draw_first":
            return _("Draw first."), _("Take from the stock, or a card of the row with all that follow.")
        case "already_drawn":
            return _("You have drawn already."), _("Now lay down what you like, then discard.")
        case "stock_empty":
            return _("The stock is empty."), _("Take from the row, or end the deal.")
        case "stock_not_empty":
            return _("The deal cannot be ended yet."), _("There are still cards in the stock: draw one.")
        case "row_too_short":
            return _row_too_short(facts)
        case "pickup_unusable":
            return _("The {card} cannot be used this turn."), _(
                "A card taken from the row must be laid at once. Choose one that fits, or draw from the stock."
            )
        case "must_use_pickup":
            return _("First use the {card} that you took."), _("Lay it in a meld, lay it off, or take the take back.")
        case "cannot_discard_pickup":
            return _("The {card} you just took cannot go straight back."), _("Discard another card.")
        case "not_in_hand":
            return _not_in_hand(facts)
        case "joker_undeclared":
            return _("The joker must stand for a card."), _("Say which one when you lay it.")
        case "not_a_meld":
            return _("These cards make no meld."), _(
                "Three or four of one number in different suits, or at least three in a row of one suit."
            )
        case "no_such_meld":
            return _("That meld does not lie here."), _("Choose one of the melds on the table.")
        case "cannot_lay_off":
            return _("The {card} does not fit on that meld."), _(
                "A set takes the suit it lacks, a run what comes next at either end."
            )
        case "joker_locked":
            return _("In this game a joker is never swapped."), _("It stays where it lies, for good.")
        case "no_such_joker":
            return _("No joker stands for the {card} in that meld."), _("Only exactly that card takes its place.")
        case "nothing_to_undo":
            return _("There is nothing to take back."), _("A card drawn from the stock stays drawn.")
        case "bad_contribution":
            return _("That cannot be added."), _("At most 64 letters, digits and signs, in one line.")
        case "chat_empty":
            return _("There is nothing to send."), _("Write something first.")
        case "chat_long":
            return _("That is too long."), _("At most 300 letters and signs at once.")
        case "chat_closed":
            return _("The chat of this table is closed."), _("It can still be read.")
        case "own_words":
            return _("These words are your own."), _("You can only mute or report what others say.")
        case "words_gone":
            return _("These words are gone."), _("A referee has removed them.")
        case "partial":
            return _("You play at this table, or have played there."), _("Another referee looks at it.")
        case "not_a_referee":
            return _("Only referees decide on that."), _("You can report what they should look at.")
        case "already_resigned":
            return _("You have resigned from this match."), _("You can still watch it.")
        case "already_started":
            return _("This match has begun."), _("Its seats are taken; others are open in the lobby.")
        case "table_gone":
            return _("This table was cancelled."), _("Open another one, or look in the lobby.")
        case "broken_log":
            return _("This deal cannot be shown again: its log does not add up."), _(
                "The keepers of this server can find out why."
            )
        case "no_such_player":
            return _("Nobody plays under this name."), _("Names are spelled as at the tables. Or send the link.")
        case "sits_here":
            return _("This player sits here already."), _("Invite another, or wait until the seats are taken.")
        case "no_seat_for_them":
            return _("There is no seat for this player at a table of the league."), _(
                "Its members sit here, until they have played all their matches of the season."
            )
        case "not_the_maker":
            return _("Only who made the table can do that."), _("You may leave it as long as it has not begun.")
        case "paused":
            return _("The table is paused."), _("Any of you can end the pause; then everything goes on where it stood.")
        case "not_paused":
            return _("The table is not paused any more."), _("Everything goes on where it stood.")
        case "nothing_asked":
            return _("Nobody asks for a pause any more."), _("Ask for one yourself if you like.")
        case "no_say":
            return _("Only those who play here can pause the table."), _("You can watch how it goes on.")
        case "absent":
            return _("The computer plays for you at the moment."), _("Say that you are back, and play on.")
        case "seat_taken_over":
            return _("Somebody else has taken your seat over."), _("You can still watch how it goes on.")
        case "seat_not_free":
            return _("This seat is not free."), _("Its player is back, or somebody was faster. Other tables are in the lobby.")
        case "already_seated":
            return _("You sit at this table already."), _("One seat a player is enough.")
        case "held_another_seat":
            return _("You have held another seat in this match."), _("You have seen too many cards of it to sit down again.")
        case "not_reliable":
            return _("This table asks for players who play more of their turns in time."), _(
                "Each turn that you play in time raises your figure. Until then others are open in the lobby."
            )
        case "league_members_only":
            return _("Only members of its league sit at this table."), _("Join the league first; then there is a seat for you.")
        case "league_closed":
            return _("This league is closed."), _("Its tables and results can still be read.")
        case "league_season_over":
            return _("The season is over."), _("Its table is settled; wait for the next season.")
        case "league_matches_played":
            return _("You have played all your matches of this season."), _("You can watch the others until it ends.")
        case "league_no_computers":
            return _("No computer players sit at this table of the league."), _("Wait until members have taken the seats.")
        case "choose_joker":
            return _("What does the joker stand for?"), _("Choose below: it stays that card for good.")
        case "choose_meld":
            return _("These cards fit in more than one place."), _("Choose below where they go.")
        case "none_chosen":
            return _("No card is chosen."), _("Tick the cards in your hand first.")
        case "one_card":
            return _("One card is discarded, no more and no fewer."), _("Tick that one alone.")
        case "too_few":
            return _("A meld has at least three cards."), _("Tick three or more that belong together.")
    return _("That move could not be read."), _("Nothing was changed. Use the buttons, or the notation of the rules.")


def _row_too_short(facts: dict[str, Any]) -> tuple[str, str]:
    cards = facts.get("row")
    count = cards if isinstance(cards, int) else 0
    if not count:
        return _("The row is empty."), _("Draw from the stock.")
    what = ngettext("The row has only %(count)d card.", "The row has only %(count)d cards.", count) % {"count": count}
    return what, _("Choose a card that lies there.")


def _not_in_hand(facts: dict[str, Any]) -> tuple[str, str]:
    if facts.get("cards"):
        return _("You do not hold {cards}."), _("Choose from your hand as it is now.")
    return _("You do not hold that card."), _("Choose from your hand as it is now.")
