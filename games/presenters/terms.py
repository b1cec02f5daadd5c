"""The terms of a table in words: what its players agree to when they join."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import Rules
from games.gamenames import game_name, with_tiles
from games.models import Game
from games.presenters.absence_terms import absence_terms
from games.presenters.pace_terms import pace_badges, pace_terms
from games.presenters.tile_terms import Term, tile_badges, tile_terms


def terms(game: Game, *, now: datetime) -> list[Term]:
    """Every term of a table, which need not be stored yet; hours as the reader's clocks show them today."""
    rules = game.rules
    return [
        Term(pgettext("term of a table", "Game"), game_in_words(game)),
        Term(pgettext("term of a table", "Seats"), str(game.seat_count)),
        *(tile_terms(rules.options) if with_tiles(game.variant) else _card_terms(rules)),
        *pace_terms(game, now=now),
        *absence_terms(game),
        Term(pgettext("term of a table", "Join"), str(Game.Visibility(game.visibility).label)),
    ]


def _card_terms(rules: Rules) -> list[Term]:
    return [
        Term(_("Cards"), _cards(rules)),
        Term(_("Top card"), _("may be taken freely") if rules.options["top_card_free"] else _("must be used")),
        Term(_("Jokers"), _("may be swapped") if rules.swaps else _("stay where they lie")),
    ]


def game_in_words(game: Game) -> str:
    """The game and how long it lasts: "Remi 500, first to 500"."""
    name = game_name(game.variant)
    target = game.rules.target
    if target is None:
        return _("%(game)s, one deal") % {"game": name}
    return _("%(game)s, first to %(target)s") % {"game": name, "target": target}


def badges(game: Game, *, now: datetime) -> list[str]:
    """What a list says of the options and the hours, in a word or two each."""
    rules = game.rules
    if with_tiles(game.variant):
        found = tile_badges(rules.options)
    else:
        found = [_("top card free") if rules.options["top_card_free"] else _("top card must be used")]
        found += [_("jokers swap")] if rules.swaps else []
    asked = [] if game.min_reliability is None else [_("%(percent)s %% in time") % {"percent": game.min_reliability}]
    return found + pace_badges(game, now=now) + asked


def _cards(rules: Rules) -> str:
    each = ngettext("%(count)d each", "%(count)d each", rules.hand_size) % {"count": rules.hand_size}
    packs = ngettext("%(count)d pack", "%(count)d packs", rules.packs) % {"count": rules.packs}
    return _("%(each)s, %(packs)s") % {"each": each, "packs": packs}
