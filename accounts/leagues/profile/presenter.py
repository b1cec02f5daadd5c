"""A player's profile in words and drawings, as this viewer may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from babel.dates import format_date, format_skeleton
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.leagues.numbers import points_text
from accounts.leagues.profile import chart, selectors
from accounts.leagues.profile.selectors import BIN, Deals, Foe, Viewer
from accounts.leagues.ratings.fold import NINE_OF_TEN, PROVISIONAL_UNDER
from accounts.models import Membership, Rating, User
from games.gamenames import game_name
from games.presenters.lists import Past, past, share_in_words
from games.presenters.times import date_locale, month_of
from games.selectors import percent

FEWEST_FOR_A_CHART = 2


class Figure(NamedTuple):
    """A rating as it is shown."""

    rating: str
    give: str
    """How far the true strength may be, behind ±."""
    provisional: bool


@dataclass(frozen=True)
class Line:
    """A line of the record."""

    variant: str
    name: str
    figure: Figure | None
    matches: int
    won: int
    share: str
    average: str
    best: str


@dataclass(frozen=True)
class RatingPanel:
    words: str
    drawing: chart.Curve | None
    ticks: list[tuple[str, str]]
    """What stands at the side, and how high."""
    dates: list[tuple[str, str, str]]
    """Places on the axis in percent, which part of the words is there, and the words."""
    spoken: str
    computers: str


@dataclass(frozen=True)
class DealsPanel:
    words: str
    bars: list[chart.Bar]
    labels: list[tuple[str, str]]
    spoken: str


@dataclass(frozen=True)
class Versus:
    name: str
    linked: bool
    won: int
    lost: int
    share: str
    """Of those in which one of the two was ahead, in percent."""
    spoken: str


class InLeague(NamedTuple):
    code: str
    name: str
    place: str
    points: str
    titles: str


@dataclass(frozen=True)
class Profile:
    player: User
    initials: str
    mine: bool
    since: str
    reliability: str
    record: list[Line]
    shown: str
    """The game that the two drawings are of; empty where nothing was played."""
    game: str
    """What it is called."""
    rating: RatingPanel | None
    deals: DealsPanel | None
    leagues: list[InLeague]
    versus: list[Versus]
    tables: list[Past]


def profile(*, player: User, viewer: Viewer, variant: str) -> Profile:
    """The profile, with the drawings of one game: `variant`, or the most played one where that was not played."""
    rated, dealt = selectors.ratings(user=player), selectors.deals(user=player)
    played = list(rated) + sorted((game for game in dealt if game not in rated), key=lambda game: -dealt[game].count)
    shown = variant if variant in played else next(iter(played), "")
    recent = getattr(player, "reliability", None)
    share = None if recent is None else percent(recent.recent)
    return Profile(
        player=player,
        initials=initials(player.username),
        mine=viewer.pk == player.pk,
        since=_("since %(month)s") % {"month": month_of(player.date_joined)},
        reliability="" if share is None else share_in_words(share),
        record=[_line(game, rated.get(game, []), dealt.get(game)) for game in played],
        shown=shown,
        game=game_name(shown) if shown else "",
        rating=_rating(shown, rated[shown]) if shown in rated else None,
        deals=_deals(dealt[shown]) if shown in dealt else None,
        leagues=_leagues(player, viewer),
        versus=[_versus(foe) for foe in selectors.foes(user=player)] if rated else [],
        tables=[past(game, player) for game in selectors.recent_tables(user=player, viewer=viewer)],
    )


def initials(name: str) -> str:
    """One or two letters that stand for a name: "MD" for Maria Dobrescu."""
    words = [word for word in name.replace("-", " ").split() if word[0].isalnum()]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words[:1])).upper()


def figure(rating: Rating) -> Figure:
    """A rating with how far off it may be."""
    return Figure(points_text(rating.mu), points_text(rating.sigma), rating.matches < PROVISIONAL_UNDER)


def _line(variant: str, rated: Sequence[Rating], dealt: Deals | None) -> Line:
    won = sum(row.place == 1 for row in rated)
    return Line(
        variant=variant,
        name=game_name(variant),
        figure=figure(rated[-1]) if rated else None,
        matches=len(rated),
        won=won,
        share=f"{100 * won / len(rated):.0f} %" if rated else "",
        average=points_text(dealt.average) if dealt else "–",
        best=points_text(dealt.best) if dealt else "–",
    )


def _rating(variant: str, rated: list[Rating]) -> RatingPanel:
    last = rated[-1]
    reach = NINE_OF_TEN * last.sigma
    values = {
        "rating": points_text(last.mu), "low": points_text(last.mu - reach), "high": points_text(last.mu + reach),
        "first": points_text(rated[0].mu), "matches": len(rated),
    }  # fmt: skip
    words = _("%(rating)s, nine times out of ten between %(low)s and %(high)s. The band narrows with every match.") % values
    if last.matches < PROVISIONAL_UNDER:
        words += " " + _("Provisional: it says little before ten matches.")
    drawing = None
    if len(rated) >= FEWEST_FOR_A_CHART:
        drawing = chart.curve([(row.mu, NINE_OF_TEN * row.sigma) for row in rated])
    spoken = (
        ngettext(
            "Rating over %(matches)s match, from %(first)s to %(rating)s; the band shows how certain it is.",
            "Rating over %(matches)s matches, from %(first)s to %(rating)s; the band shows how certain it is.",
            len(rated),
        )
        % values
    )
    dates = _dates([rated[index] for index in drawing.chosen]) if drawing else []
    ticks = [(points_text(value), y) for value, y in drawing.ticks] if drawing else []
    return RatingPanel(words, drawing, ticks, dates, spoken, _computers(variant))


def _dates(drawn: list[Rating]) -> list[tuple[str, str, str]]:
    """When the first drawn match ended, the middle one and the last: as days, or as months where that is long."""
    long = (drawn[-1].at - drawn[0].at).days >= 180
    middle = [("50", "middle", len(drawn) // 2)] if len(drawn) > 4 else []
    found: list[tuple[str, str, str]] = []
    for x, anchor, index in [("0", "start", 0), *middle, ("100", "end", len(drawn) - 1)]:
        local = timezone.localtime(drawn[index].at)
        day = (
            str(format_skeleton("yMMM", local, locale=date_locale()))
            if long
            else format_date(local, "d MMM", locale=date_locale())
        )
        if not found or found[-1][2] != day:
            found.append((x, anchor, day))
    return found


def _computers(variant: str) -> str:
    """How strong the computer is, to compare with."""
    greedy = next((row for row in selectors.computers(variant=variant) if row.bot == "greedy"), None)
    if greedy is None:
        return ""
    rating, give, _provisional = figure(greedy)
    return _("The computer plays at %(rating)s ± %(give)s.") % {"rating": rating, "give": give}


def _deals(dealt: Deals) -> DealsPanel:
    bars = chart.bars(dealt.bins, BIN)
    count = ngettext("%(count)s deal", "%(count)s deals", dealt.count) % {"count": points_text(dealt.count)}
    half = _middle_half(dealt)
    words = count if dealt.count == 1 else _("%(deals)s; half of them between %(low)s and %(high)s points.") % {
        "deals": count, "low": points_text(half[0]), "high": points_text(half[1]),
    }  # fmt: skip
    parts = [
        _("%(low)s to %(high)s points: %(count)s") % {
            "low": points_text(bar.low), "high": points_text(bar.high), "count": bar.count,
        }
        for bar in bars
        if bar.count
    ]  # fmt: skip
    every = -(-len(bars) // 6)
    labels = [(f"{100 * place / len(bars):.1f}", points_text(bar.low)) for place, bar in enumerate(bars) if place % every == 0]
    return DealsPanel(words, bars, labels, "; ".join(parts))


def _middle_half(dealt: Deals) -> tuple[int, int]:
    """Between which points the middle half of the deals lies, to the grain of the bins."""
    seen, low = 0, None
    for bin_ in sorted(dealt.bins):
        seen += dealt.bins[bin_]
        if low is None and 4 * seen >= dealt.count:
            low = bin_ * BIN
        if low is not None and 4 * seen >= 3 * dealt.count:
            return low, (bin_ + 1) * BIN
    raise AssertionError("no deals")


def _versus(foe: Foe) -> Versus:
    name = foe.name if foe.linked else _("Computer") if foe.bot else _("deleted player")
    decided = foe.won + foe.lost
    spoken = _("ahead: %(won)s, behind: %(lost)s") % {"won": foe.won, "lost": foe.lost}
    return Versus(name, foe.linked, foe.won, foe.lost, f"{100 * foe.won / decided:.0f}" if decided else "50", spoken)


def _leagues(player: User, viewer: Viewer) -> list[InLeague]:
    titles = selectors.titles(user=player, viewer=viewer)
    return [_league(found, titles.get(found.league_id, [])) for found in selectors.leagues(user=player, viewer=viewer)]


def _league(found: Membership, won: list[int]) -> InLeague:
    rank, size, points = found.rank, found.size, found.points  # type: ignore[attr-defined]
    words = _("shares place %(place)s of %(count)s") if found.tied else _("place %(place)s of %(count)s")  # type: ignore[attr-defined]
    place = _("no match yet") if rank is None else words % {"place": rank, "count": size}
    titles = ""
    if won:
        seasons = ", ".join(map(str, won))
        titles = ngettext("won season %(numbers)s", "won seasons %(numbers)s", len(won)) % {"numbers": seasons}
    return InLeague(found.league.code, found.league.name, place, "" if rank is None else points_text(points), titles)
