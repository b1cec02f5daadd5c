"""The whole log of a table, for whoever may see the table."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.people.requests import PlayerRequest
from games import selectors
from games.decorators import hides_foreign_tables, signed_in
from games.gamenames import with_tiles
from games.models import Game
from games.presenters.disputes import may_open
from games.presenters.log import lines
from games.presenters.names import formers, seat_names, table_name
from games.presenters.terms import game_in_words
from games.selectors.disputes import may_dispute

ROWS_ON_A_PAGE = 200
WHOLE, BEGINNING = 64, 16
"""Signs of the head. Who has two whole ones of a running deal, one row apart, can try out the number in the second, and so count
the rows between that are sealed: how many were asked in the exchange of doubles."""


@require_safe
@never_cache
@signed_in
@hides_foreign_tables
def log(request: PlayerRequest, code: str) -> HttpResponse:
    """Who did what and when, newest first: what everybody at the table saw."""
    game = selectors.find_game(code=code, user=request.user)
    seats = list(game.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == request.user.pk), None)
    names = [""] * game.seat_count
    for seat, name in zip(seats, seat_names(seats), strict=True):
        names[seat.index] = _("You") if seat is mine else name
    plays = may_dispute(game=game, user=request.user)
    page = Paginator(selectors.whole_log(game=game), ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "game": game,
        "name": table_name(game),
        "words": game_in_words(game),
        "absent": mine is not None and mine.absent,
        "page": page,
        "signs": BEGINNING if game.status == Game.Status.RUNNING and with_tiles(game.variant) else WHOLE,
        "plays": plays,
        "may_dispute": plays and may_open(game, timezone.now()),
        "lines": lines(
            list(page.object_list),
            names,
            me=None if mine is None else mine.index,
            now=timezone.now(),
            tiles=with_tiles(game.variant),
            former=formers(selectors.substitutions(game=game, seats=seats)),
            computers=[seat.index for seat in seats if seat.bot],
            undone=selectors.undone(page.object_list),
        ),
    }
    return render(request, "games/log.html", context)
