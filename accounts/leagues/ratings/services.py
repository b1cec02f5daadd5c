"""Rating the matches that have ended, once each and in the order in which they ended, whatever the order of the tasks.

Where a match comes late, or its result changes, everything from it on is rated anew: so the ratings are at all times what
`rerate` makes of the results alone.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.leagues.ratings.fold import Holder, Placed, Standing, after, counts
from accounts.leagues.ratings.results import results
from accounts.leagues.ratings.selectors import games_to_rate
from accounts.models import RatedMatch, Rating
from games.models import Game

AT_ONCE = 500
TOLD = 50
"""Differences: more are only counted."""


@transaction.atomic
def mark(*, game: Game) -> None:
    """Note that a match has ended. In the transaction in which it does."""
    assert game.ended_at is not None
    made = {"variant": game.variant, "at": game.ended_at, "waiting": True}
    RatedMatch.objects.update_or_create(game=game, defaults={"waiting": True}, create_defaults=made)


@transaction.atomic
def mark_again(**which: object) -> list[str]:
    """Have rated matches rated anew, for their results are others now; the games that this is about."""
    found = RatedMatch.objects.select_for_update(no_key=True, of=("self",)).filter(**which).order_by("pk")
    known = dict(found.values_list("pk", "variant"))
    RatedMatch.objects.filter(pk__in=known).update(waiting=True)
    return sorted(set(known.values()))


@transaction.atomic
def rate(*, variant: str) -> int:
    """Rate the matches of a game that wait, and what has ended after them; how many. Two at once: one waits, and finds none."""
    rows = RatedMatch.objects.select_for_update(no_key=True, of=("self",)).filter(variant=variant, waiting=True)
    waiting = list(rows.select_related("game").order_by("pk"))
    if not waiting:
        return 0
    first = min((row.at, row.pk) for row in waiting)
    over = [row for row in waiting if row.game.status == Game.Status.FINISHED]
    for row in over:
        assert row.game.ended_at is not None
        row.at, row.waiting = row.game.ended_at, False
    first = min([first, *((row.at, row.pk) for row in over)])
    Rating.objects.filter(_from(*first, "match"), variant=variant).delete()
    RatedMatch.objects.filter(pk__in={row.pk for row in waiting} - {row.pk for row in over}).delete()
    RatedMatch.objects.bulk_update(over, ["at", "waiting"], batch_size=AT_ONCE)
    return _replay(variant, first)


def _from(at: datetime, pk: int, name: str) -> Q:
    """What comes at this place in the order of matches, or later."""
    return Q(at__gt=at) | Q(("at", at), (f"{name}__gte", pk))


def _replay(variant: str, first: tuple[datetime, int]) -> int:
    matches = list(RatedMatch.objects.filter(_from(*first, "pk"), variant=variant).order_by("at", "pk").values_list("pk", "at"))
    known: dict[Holder, Standing] = {}
    for start in range(0, len(matches), AT_ONCE):
        chunk = matches[start : start + AT_ONCE]
        found = results([pk for pk, _at in chunk])
        _remember(variant, known, {seat.holder for result in found.values() for seat in result} - known.keys())
        rows = [row for pk, at in chunk for row in _rated(variant, pk, at, found[pk], known)]
        Rating.objects.bulk_create(rows, batch_size=2_000)
    return len(matches)


def _remember(variant: str, known: dict[Holder, Standing], asked: set[Holder]) -> None:
    """Add the present standing of these: that from before the first match to be rated, for what came later is deleted."""
    for holder in asked:
        last = Rating.objects.filter(variant=variant, user=holder.user, bot=holder.bot).order_by("-at", "-match")
        values = last.values_list("mu", "sigma", "matches").first()
        known[holder] = Standing(*values) if values else Standing()


def _rated(variant: str, pk: int, at: datetime, result: list[Placed], known: dict[Holder, Standing]) -> list[Rating]:
    """The ratings after a match; none where it does not count."""
    if not counts(result):
        return []
    found = after(result, known.__getitem__)
    known |= {holder: standing for holder, (standing, _place) in found.items()}
    return [
        Rating(match_id=pk, variant=variant, at=at, user_id=holder.user, bot=holder.bot, place=place, **standing._asdict())
        for holder, (standing, place) in found.items()
    ]


@transaction.atomic
def rerate(*, keep: bool = True) -> list[str]:
    """Rate all finished matches anew from their results; the differences, as sentences. Without `keep` nothing is changed.

    Matches that wait are rated before, so that they are none.
    """
    for variant in games_to_rate():
        rate(variant=variant)
    before = _written()
    missing = Game.objects.filter(status=Game.Status.FINISHED, rated=None, ended_at__isnull=False)
    RatedMatch.objects.bulk_create(
        [RatedMatch(game=game, variant=game.variant, at=game.ended_at or game.made_at) for game in missing.iterator(2_000)],
        batch_size=2_000,
    )
    mark_again()
    for variant in games_to_rate():
        rate(variant=variant)
    found = _differences(before, _written())
    if not keep:
        transaction.set_rollback(True)
    return found


Written = dict[tuple[str, str, int, str], tuple[object, ...]]


def _written() -> Written:
    """Every rating that is kept: by game, match, and whom it rates."""
    rows = Rating.objects.order_by("at", "match", "pk")
    fields = ("variant", "match__game__code", "user_id", "bot", "at", "place", "matches", "mu", "sigma")
    return {
        (game, code, user or 0, bot): tuple(rest) for game, code, user, bot, *rest in rows.values_list(*fields).iterator(5_000)
    }


def _differences(before: Written, now: Written) -> list[str]:
    found = []
    for key in [key for key in now if key not in before] + list(before):
        if before.get(key) != now.get(key):
            variant, code, user, bot = key
            what = "is missing" if key not in before else "should not be" if key not in now else "is another"
            found.append(f"{variant}, match {code}: the rating of {f'player {user}' if user else bot} {what}")
    return found[:TOLD] + ([f"and {len(found) - TOLD} more"] if len(found) > TOLD else [])
