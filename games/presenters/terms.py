"""The terms of a table in words: what its players agree to when they join."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import Rules
from games.gamenames import game_name, with_tiles
from games.models import Game
from games.presenters.absence_terms import absence_terms
from games.presenters.tile_terms import Term, tile_badges, tile_terms
from games.presenters.times import turn_length


def terms(game: Game) -> list[Term]:
    """Every term of a table, which need not be stored yet."""
    rules = game.rules
    return [
        Term(pgettext("term of a table", "Game"), game_in_words(game)),
        Term(pgettext("term of a table", "Seats"), str(game.seat_count)),
        *(tile_terms(rules.options) if with_tiles(game.variant) else _card_terms(rules)),
        Term(pgettext("term of a table", "Turn"), _("%(time)s, then the server plays") % {"time": turn_length(game.turn_time)}),
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


def badges(game: Game) -> list[str]:
    """What a list says of the options, in a word or two each."""
    rules = game.rules
    if with_tiles(game.variant):
        return tile_badges(rules.options)
    found = [_("top card free") if rules.options["top_card_free"] else _("top card must be used")]
    return [*found, _("jokers swap")] if rules.swaps else found


def pace(game: Game) -> str:
    """How long a turn may take, as a list says it: "1 day a turn"."""
    return _("%(time)s a turn") % {"time": turn_length(game.turn_time)}


def _cards(rules: Rules) -> str:
    each = ngettext("%(count)d each", "%(count)d each", rules.hand_size) % {"count": rules.hand_size}
    packs = ngettext("%(count)d pack", "%(count)d packs", rules.packs) % {"count": rules.packs}
    return _("%(each)s, %(packs)s") % {"each": each, "packs": packs}
