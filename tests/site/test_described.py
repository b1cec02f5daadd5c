"""What describes a field to a screen reader is there: its help, and what is wrong with what was entered."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.games.pages import visitor
from tests.leagues.playing import league
from tests.leagues.test_pages import home
from tests.leagues.test_pages_manage import FORM

pytestmark = pytest.mark.django_db

NAMED = re.compile(r'aria-(?:describedby|labelledby)="([^"]+)"')


def missing(answer: Any) -> set[str]:
    """What fields are said to be described by, and nothing is."""
    page = answer.content.decode()
    there = re.findall(r'\bid="([^"]+)"', page)
    assert len(there) == len(set(there)), [one for one in there if there.count(one) > 1]
    named = {one for group in NAMED.findall(page) for one in group.split()}
    assert named, "nothing is described"
    return named - set(there)


@pytest.mark.parametrize("path", ["/tables/new/", "/leagues/new/"])
@pytest.mark.parametrize("sent", [None, {}, dict.fromkeys(FORM, "nonsense"), dict.fromkeys(FORM, "x" * 5_000)])
def test_every_field_of_a_table_and_a_league_is_described_by_what_is_there(path: str, sent: dict[str, str] | None) -> None:
    client = visitor("Ana")
    answer = client.get(path) if sent is None else client.post(path, sent)
    assert answer.status_code == (200 if sent is None else 422)
    assert missing(answer) == set()
    wrong = re.findall(r'<(?:input(?! type="radio")|select|textarea)[^>]*aria-invalid="true"[^>]*>', answer.content.decode())
    assert bool(wrong) is (sent is not None)
    assert all("_error" in field for field in wrong), wrong


@pytest.mark.parametrize(
    ("rest", "sent"), [("adjust/", {}), ("season/", {"until": "date"}), ("season/", {"until": "points", "first_to": "x"})]
)
def test_what_is_wrong_on_the_organiser_s_page_describes_its_field(rest: str, sent: dict[str, str]) -> None:
    season = league("Ana", "Bogdan")
    if rest == "season/":
        visitor("Ana").post(home(season) + "season/end/")
    answer = visitor("Ana").post(home(season) + rest, sent)
    assert answer.status_code == 422 and missing(answer) == set()
