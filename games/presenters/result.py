"""The end of a deal: who went out, what each seat laid, still held and scored, and who leads now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games import selectors
from games.engine import TILES, Deal, Hand
from games.gamenames import with_tiles
from games.models import Game, Seat
from games.presenters import tile_endings
from games.presenters.bill import Line, bill
from games.presenters.names import Former, formers, holders_in, seat_names, table_name
from games.presenters.standings import Lead
from games.presenters.terms import game_in_words
from games.presenters.tiles import exchanged

# Cards that overlap in one line on the narrowest phone.
CARDS_IN_LINE = 7


@dataclass(frozen=True)
class SeatResult:
    """One seat's deal."""

    name: str
    you: bool
    place: int
    was: int | None
    """The place before, where it was another."""
    went_out: bool
    resigned: bool
    score: int
    laid_groups: list[list[str]]
    """The cards that the seat laid, by meld."""
    laid: int
    hand_groups: list[list[str]]
    in_hand: int
    """Points, 0 or less."""
    bill: list[Line]
    """Of tiles: how the score comes about."""
    total: int


def result_context(*, game: Game, seats: list[Seat], number: int, user: User | AnonymousUser) -> dict[str, Any]:
    """What `games/_result.html` shows of deal `number`, counted from 0. Raises NoSuchTable where it is not over.

    `seats` with their users, in order.
    """
    found = selectors.result(game=game, number=number)
    sheet = selectors.sheet(game=game)
    row = next(row for row in sheet if row.deal == number)
    counted = [one.deal for one in sheet if one.deal is not None and one.points]
    viewer = next((seat for seat in seats if user.pk is not None and seat.user_id == user.pk), None)
    held = holders_in(number, formers(selectors.substitutions(game=game, seats=seats)))
    names = [held[index].name if index in held else name for index, name in enumerate(seat_names(seats))]
    above = selectors.before(sheet, number)
    before, after = (selectors.totals(rows, len(seats)) for rows in (above, [*above, row]))
    deal = found.deal
    winner = game.winner if number == counted[-1] else None
    mine = _own(seats, held, user)
    spoken = [_("You") if index == mine else name for index, name in enumerate(names)]
    dealer = game.deals.filter(number=number + 1).values_list("dealer", flat=True).first()
    return {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "target": game.rules.target,
        "number": number,
        "deal_number": number + 1,
        "turns": found.row.turns,
        "void": row.void,
        "headline": _void(number) if row.void else _headline(deal, names, mine, _lead(before, after, deal, winner)),
        "results": _results(deal, found.hands, row.points, before, after, names, mine, number),
        "next_deal": None if dealer is None else _next_deal(dealer, deal, names, mine),
        "previous": max((other for other in counted if other < number), default=None),
        "following": min((other for other in counted if other > number), default=None),
        "may_go_on": viewer is not None and viewer.seen_deal < number,
        "viewer": viewer,
        "absent": viewer is not None and viewer.absent,
        "tiles": with_tiles(game.variant),
        "exchanged": exchanged(deal.extra.given, spoken) if with_tiles(game.variant) else "",
    }


def _own(seats: list[Seat], held: dict[int, Former], user: User | AnonymousUser) -> int | None:
    """The seat whose deal counted for this person."""
    holders = [held[seat.index].user_id if seat.index in held else seat.user_id for seat in seats]
    return holders.index(user.pk) if user.pk is not None and user.pk in holders else None


def _place(totals: list[int], seat: int) -> int:
    """1 and how many have more: who shares a place has the better one."""
    return 1 + sum(total > totals[seat] for total in totals)


def _results(
    deal: Deal,
    hands: tuple[Hand, ...],
    scores: list[int],
    before: list[int],
    after: list[int],
    names: list[str],
    mine: int | None,
    number: int,
) -> list[SeatResult]:
    """The seats by their totals."""
    rules, texts = deal.rules, deal.rules.alphabet.texts
    laid = rules.laid_points(deal)
    found = []
    for seat, hand in enumerate(hands):
        place, was = _place(after, seat), _place(before, seat)
        found.append(
            SeatResult(
                name=names[seat],
                you=seat == mine,
                place=place,
                was=was if number > 0 and was != place else None,
                went_out=deal.out == seat,
                resigned=seat in deal.resigned,
                score=scores[seat],
                laid_groups=_groups(
                    [texts[card] for card, by in zip(meld.cards, meld.by, strict=True) if by == seat] for meld in deal.melds
                ),
                laid=laid[seat],
                hand_groups=_groups([[texts[card] for card in hand.cards()]]),
                in_hand=-rules.in_hand(hand),
                bill=bill(deal, seat),
                total=after[seat],
            )
        )
    return sorted(found, key=lambda result: (result.resigned, -result.total))


def _groups(groups: Any) -> list[list[str]]:
    """The groups that are not empty, long ones cut so that a phone can show them."""
    return [group[at : at + CARDS_IN_LINE] for group in groups for at in range(0, len(group), CARDS_IN_LINE)]


def _lead(before: list[int], after: list[int], deal: Deal, winner: int | None) -> Lead:
    if winner is not None:
        return Lead(winner, True, False)
    leader = _leader(after, deal.seats_in)
    return Lead(leader, False, leader == _leader(before, deal.seats_in))


def _void(number: int) -> str:
    return _("Deal %(number)d is void: its points do not count.") % {"number": number + 1}


def _headline(deal: Deal, names: list[str], mine: int | None, lead: Lead) -> str:
    """How the deal ended and who leads: one sentence where both is the same seat's doing."""
    if deal.rules.alphabet is TILES and deal.reason in tile_endings.REASONS:
        return tile_endings.headline(deal, names, mine, lead, _who_leads(names, mine, lead))
    if deal.reason == "out" and deal.out is not None and deal.out == lead.seat:
        return _out_and_ahead(names[deal.out], deal.out == mine, lead)
    return f"{_how_it_ended(deal, names, mine)} {_who_leads(names, mine, lead)}"


def _out_and_ahead(name: str, you: bool, lead: Lead) -> str:
    facts = {"name": name}
    if lead.won:
        return _("You went out and win the match.") if you else _("%(name)s went out and wins the match.") % facts
    if lead.stays:
        return _("You went out and stay ahead.") if you else _("%(name)s went out and stays ahead.") % facts
    return _("You went out and take the lead.") if you else _("%(name)s went out and takes the lead.") % facts


def _how_it_ended(deal: Deal, names: list[str], mine: int | None) -> str:
    match deal.reason:
        case "out" if deal.out is not None:
            return _("You went out.") if deal.out == mine else _("%(name)s went out.") % {"name": names[deal.out]}
        case "resigned":
            return _("Only one player is left.")
        case "stalled":
            return _("Nobody drew or laid any more.")
    return _("The stock is used up.")


def _who_leads(names: list[str], mine: int | None, lead: Lead) -> str:
    if lead.seat is None:
        return _("The lead is shared.")
    you, facts = lead.seat == mine, {"name": names[lead.seat]}
    if lead.won:
        return _("You win the match.") if you else _("%(name)s wins the match.") % facts
    if lead.stays:
        return _("You stay ahead.") if you else _("%(name)s stays ahead.") % facts
    return _("You take the lead.") if you else _("%(name)s takes the lead.") % facts


def _leader(totals: list[int], seats_in: list[int]) -> int | None:
    """The seat that has most, None where several have."""
    best = max(totals[seat] for seat in seats_in)
    leaders = [seat for seat in seats_in if totals[seat] == best]
    return leaders[0] if len(leaders) == 1 else None


def _next_deal(dealer: int, deal: Deal, names: list[str], mine: int | None) -> str:
    """Who deals next and who plays first: the next seat after the dealer that is still in (§1.1, §1.12)."""
    count = deal.rules.count
    first = next(seat for step in range(1, count + 1) if (seat := (dealer + step) % count) not in deal.resigned)
    facts = {"dealer": names[dealer], "first": names[first]}
    if dealer == mine:
        return _("you deal, %(first)s plays first") % facts
    if first == mine:
        return _("%(dealer)s deals, you play first") % facts
    return pgettext("next deal", "%(dealer)s deals, %(first)s plays first") % facts
