"""The way to the referees' desk: who finds it on the pages of the site, and how many cases it says wait."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client, RequestFactory

from accounts.models import User
from games.selectors.door import to_the_desk
from games.services import disputes
from tests.games.cases import claimed, dispute, keeper_and_referee, rule
from tests.games.playing import NOON, player, running

pytestmark = pytest.mark.django_db
DESK = "/admin/games/dispute/"


def page_for(user: User) -> str:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client.get("/rules/").content.decode()


def door(page: str) -> str:
    found = re.search(rf'<a [^>]*href="{DESK}">.*?</a>', page)
    assert found
    return " ".join(re.sub(r"<[^>]*>", " ", found[0]).split())


def test_a_referee_finds_the_desk_and_how_many_cases_wait() -> None:
    corina = keeper_and_referee(player("Corina"))
    assert door(page_for(corina)) == "Referees’ desk"
    dispute(running("Ana", "Bogdan"))
    assert door(page_for(corina)) == "1 Referees’ desk: 1 case waits"
    dispute(running("Dana", "Emil"), "Dana")
    assert door(page_for(corina)) == "2 Referees’ desk: 2 cases wait"


def test_what_is_taken_up_or_of_the_own_table_does_not_wait() -> None:
    corina = keeper_and_referee(player("Corina"))
    claimed(running("Ana", "Bogdan"), to="Corina")
    dispute(running("Ana", "Corina"))
    assert door(page_for(corina)) == "Referees’ desk"


def test_an_appeal_waits_for_another_referee_alone() -> None:
    corina, dan = keeper_and_referee(player("Corina")), keeper_and_referee(player("Dan"))
    made = rule(claimed(running("Ana", "Bogdan"), to="Corina"), by="Corina")
    disputes.appeal(case=made.pk, user=player("Ana"), words="No.", now=NOON)
    assert door(page_for(corina)) == "Referees’ desk"
    assert door(page_for(dan)) == "1 Referees’ desk: 1 case waits"


def test_nobody_else_is_shown_the_desk() -> None:
    dispute(running("Ana", "Bogdan"))
    keeper = player("Vlad")
    keeper.is_staff = True
    keeper.save()
    not_staff = player("Irina")
    not_staff.user_permissions.add(Permission.objects.get(codename="referee"))
    assert not any(DESK in page_for(user) for user in (player("Ana"), keeper, not_staff))
    assert DESK not in Client().get("/rules/").content.decode()


def test_who_is_no_staff_costs_no_query(django_assert_num_queries: Any) -> None:
    request = RequestFactory().get("/")
    request.user = player("Ana")
    with django_assert_num_queries(0):
        assert to_the_desk(request) == {"is_referee": False, "waiting_cases": 0}
