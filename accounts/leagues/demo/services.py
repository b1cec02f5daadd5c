"""The league of the demonstration: members, a season that is over, one under way, all from matches that were played."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.leagues.demo import cast
from accounts.leagues.demo.cast import Member
from accounts.leagues.demo.playing import Course, play
from accounts.leagues.ratings.services import rate
from accounts.leagues.services import leagues, ledger, matches, members, scoring, seasons
from accounts.models import League, Membership, Message, RatedMatch, Season, User
from games.models import Game
from games.services import tables

DAY = timedelta(days=1)
SEATS = 4
Say = Callable[[str], None]


@dataclass(frozen=True)
class Scale:
    """How much is played."""

    members: int = 12
    matches_each: int = 3
    """In the season that is over."""
    rounds: int = 1
    """Of the season under way, played to the end; one more is running."""
    target: int | None = 500
    friendly: bool = True
    """Whether some of them play other games too, outside of the league."""


def there() -> League | None:
    """The league, where it has been made."""
    first = Membership.objects.filter(user__email__endswith=cast.DOMAIN, role=Membership.Role.ORGANISER, until=None)
    return League.objects.filter(memberships__in=first).order_by("pk").first()


@transaction.atomic
def make(*, now: datetime, rng: random.Random, say: Say, scale: Scale | None = None) -> League:
    """Make it, all or nothing; where it is there already, nothing changes. The words are in the active language."""
    found = there()
    if found is not None:
        return found
    return _Making(now=now, rng=rng, say=say, scale=scale or Scale()).league()


class _Making:
    """What the steps share."""

    def __init__(self, *, now: datetime, rng: random.Random, say: Say, scale: Scale) -> None:
        self.now, self.rng, self.say, self.scale = now, rng, say, scale
        self.members: dict[int, Member] = {}
        self.first: User

    def league(self) -> League:
        begun = self.now - 75 * DAY
        cast_ = cast.make(self.scale.members, now=begun)
        self.members = {member.user.pk: member for member in cast_}
        self.first = cast_[0].user
        league = self._found(begun)
        for index, member in enumerate(cast_[1:]):
            members.join(code=league.code, user=member.user, now=begun + index * timedelta(hours=5))
        members.set_deputy(code=league.code, by=self.first, user_id=cast_[1].user.pk, deputy=True)
        self._past_season(league)
        if self.scale.friendly:
            self._friendly(cast_)
        self._present_season(league)
        self._rate()
        Message.objects.filter(user__in=self.members).delete()
        return league

    def _found(self, now: datetime) -> League:
        name, number = _("Friday league"), 1
        while League.objects.filter(name__iexact=name).exists():
            number += 1
            name = f"{_('Friday league')} {number}"
        rules = _(
            "We play for the joy of it, and for the list.\n\n"
            "Take your time, but say so when you go away: a table waits for a vacation, not for a silence. "
            "Every Friday the organiser opens new tables for those who have met least. "
            "Who leaves a match gets nothing for that deal. Be kind in words; the cards are unkind enough."
        )
        terms = {"turn_time": "2 00:00:00", "excuses": 1, "absent_after": 2, "vacation": True}
        return leagues.create(
            organiser=self.first, name=name, variant="remi500", now=now, options={"target": self.scale.target}, seats_min=2,
            seats_max=SEATS, rules=rules, terms=terms,
        )  # fmt: skip

    def _past_season(self, league: League) -> None:
        """So many matches each: it ends by itself with the last of them. Two did not play all of theirs."""
        begun = self.now - 70 * DAY
        season = seasons.start(
            code=league.code, by=self.first, now=begun, until=Season.Until.MATCHES, matches_each=self.scale.matches_each
        )
        quitter, sleeper = self.rng.sample(sorted(self.members), 2)
        step = 40 * DAY / self.scale.matches_each
        for number in range(self.scale.matches_each):
            for game in self._round(league, begun + number * step):
                course = self._course(game, step)
                people = set(game.seats.values_list("user_id", flat=True))
                course.resigns = (quitter, 0) if number == 1 and quitter in people else None
                course.sleeps = (sleeper, 1) if number == 0 and sleeper in people else None
                self._play(game, course, season)
        season.refresh_from_db()
        self.say(f"Season 1 is over: {season.matches.count()} matches.")

    def _present_season(self, league: League) -> None:
        """Under way: some rounds are over, one is being played, and a table waits for players."""
        begun = self.now - 24 * DAY
        season = seasons.start(code=league.code, by=self.first, now=begun)
        step = 18 * DAY / max(self.scale.rounds, 1)
        for number in range(self.scale.rounds):
            for game in self._round(league, begun + number * step):
                self._play(game, self._course(game, step * 0.9), season)
        for game in self._round(league, self.now - 2 * DAY):
            course = self._course(game, 40 * DAY)  # slow, so that it is far from its end
            course.until = self.now - timedelta(minutes=self.rng.uniform(5, 300))
            self._play(game, course, season)
        self._adjust(league)
        maker = self.members[self.rng.choice(sorted(self.members))].user
        matches.make_table(
            code=league.code, user=maker, seats=SEATS, now=self.now - timedelta(minutes=40), title=_("Who is in for Friday?")
        )
        self.say(f"Season 2 is under way: {season.matches.count()} matches.")

    def _adjust(self, league: League) -> None:
        who = self.members[self.rng.choice(sorted(self.members))].user
        ledger.adjust(
            code=league.code, by=self.first, user_id=who.pk, points=25, request="demo", now=self.now - DAY,
            reason=_("The table began without a word to them, and they missed the first turn"),
        )  # fmt: skip

    def _round(self, league: League, now: datetime) -> list[Game]:
        """As many tables as the members fill, begun at once."""
        count = -(-len(self.members) // SEATS)
        made = matches.make_tables(code=league.code, by=self.first, tables_wanted=count, seats=SEATS, now=now, rng=self.rng)
        return list(Game.objects.filter(pk__in=[game.pk for game in made]).order_by("pk"))

    def _course(self, game: Game, length: timedelta) -> Course:
        """A match of about that length: some dozens of turns to a deal, a dozen deals."""
        assert game.started_at is not None
        return Course(members=self.members, rng=self.rng, now=game.started_at, pause=length / 220)

    def _play(self, game: Game, course: Course, season: Season | None = None) -> None:
        played = play(game, course)
        if season is not None:
            scoring.score(season_id=season.pk, now=course.now)
        self.say(f"{played.title}: {played.status}, {played.log_length} rows in its log")

    def _friendly(self, cast_: list[Member]) -> None:
        """Some meet at other games, and with the computer."""
        terms: list[tuple[str, dict[str, Any], int, int]] = [
            ("rami500", {"target": 250}, 3, 1),
            ("rami500", {"target": 250}, 2, 1),
            ("rami500", {"target": None}, 4, 0),
            ("etalat", {"target": None}, 3, 1),
        ]
        for number, (variant, options, seats, computers) in enumerate(terms):
            now = self.now - (28 - 5 * number) * DAY
            people = [
                cast_[2].user,
                *(member.user for member in self.rng.sample([*cast_[:2], *cast_[3:]], seats - computers - 1)),
            ]
            game = tables.create(
                maker=people[0], variant=variant, seats=seats, options=options, turn_time=2 * DAY, now=now, computers=computers,
                title=_("At Maria’s, number %(number)s") % {"number": number + 1},
            )  # fmt: skip
            for user in people[1:]:
                tables.join(code=game.code, user=user, now=now)
            game.refresh_from_db()
            self._play(game, self._course(game, 10 * DAY))

    def _rate(self) -> None:
        for variant in sorted(set(RatedMatch.objects.filter(waiting=True).values_list("variant", flat=True))):
            rate(variant=variant)
