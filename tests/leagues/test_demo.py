"""The league of `manage.py demo`, made small: all of it must be as the audits say, and made once."""

from __future__ import annotations

import random
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone, translation

from accounts.leagues.audit import audit as audit_league
from accounts.leagues.demo import services
from accounts.leagues.demo.services import Scale, make, there
from accounts.leagues.ratings.services import rerate
from accounts.models import League, LedgerRow, Message, Rating, Season, User
from games.models import Entry, Game
from games.services import reliability
from games.services.audit import audit
from tests.games.playing import player

pytestmark = pytest.mark.django_db
SMALL = Scale(members=4, matches_each=2, rounds=1, target=150)


def made(scale: Scale = SMALL, seed: int = 7) -> tuple[League, list[str]]:
    said: list[str] = []
    return make(now=timezone.now(), rng=random.Random(seed), say=said.append, scale=scale), said


def test_a_demonstration_is_whole_and_all_audits_agree_with_it() -> None:
    player("Bogdan")
    league, said = made()

    past, present = Season.objects.filter(league=league).order_by("number")
    assert past.status == Season.Status.FINAL
    assert past.standings.filter(rank=1).exists(), "a champion"
    assert present.is_open
    assert past.matches.count() == 2 and present.matches.count() == 3
    assert {match.game.status for match in past.matches.select_related("game")} == {Game.Status.FINISHED}
    assert sorted(match.game.status for match in present.matches.select_related("game")) == ["finished", "open", "running"]

    assert [fault for season in (past, present) for fault in audit_league(season_id=season.pk)] == []
    assert [fault for pk in Game.objects.values_list("pk", flat=True) for fault in audit(game_id=pk)] == []
    assert reliability.differences() == []
    assert rerate(keep=False) == []

    rows = LedgerRow.objects.filter(season__league=league)
    assert rows.filter(kind="forfeit").exists(), "somebody resigned, or stayed away"
    assert rows.filter(kind="adjustment").count() == 1
    assert Entry.objects.filter(text="R").exists()
    assert Rating.objects.filter(bot="greedy").exists()
    assert len(said) >= 5

    now = timezone.now()
    assert not Entry.objects.filter(at__gt=now).exists(), "nothing is from the future"
    running = Game.objects.get(status=Game.Status.RUNNING)
    assert running.deadline is not None and running.deadline > now, "and what runs has time left"
    assert not Message.objects.exists()

    people = User.objects.filter(email__endswith="@demo.invalid")
    assert people.count() == 4
    assert not any(user.has_usable_password() for user in people)
    assert "Bogdan 2" in {user.username for user in people}


def test_a_second_time_changes_nothing(monkeypatch: Any) -> None:
    tiny = Scale(members=2, matches_each=1, rounds=0, target=None, friendly=False)
    monkeypatch.setattr(services, "Scale", lambda: tiny)

    first, second = StringIO(), StringIO()
    call_command("demo", "--language", "ro", stdout=first)
    before = User.objects.count(), Game.objects.count(), Entry.objects.count()
    call_command("demo", stdout=second)

    assert (User.objects.count(), Game.objects.count(), Entry.objects.count()) == before
    league = there()
    assert league is not None
    with translation.override("ro"):
        assert league.name == translation.gettext("Friday league") != "Friday league"
    assert f"/l/{league.code}/" in first.getvalue()
    assert f"/l/{league.code}/" in second.getvalue()
    assert "nothing was changed" in second.getvalue()


def test_a_league_of_the_same_name_is_left_alone() -> None:
    from tests.leagues.playing import new_league

    mine = new_league("Ana", name="Friday league")
    league, _said = made(Scale(members=2, matches_each=1, rounds=0, target=None, friendly=False))

    assert league.pk != mine.pk
    assert league.name == "Friday league 2"
    assert league.made_at < timezone.now() - timedelta(days=60)
