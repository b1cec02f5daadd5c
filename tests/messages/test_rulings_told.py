"""Disputes and rulings in messages: every step as a sentence, in each language."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from accounts.models import Message
from accounts.people.messages.wording import worded
from games.models import Ruling, Step
from games.services import disputes, rulings
from tests.games.cases import HOUR, claimed, dispute, referee, rule
from tests.games.playing import NOON, player, running

pytestmark = pytest.mark.django_db

SAID = {
    "opened": "Ana disputes something at this table. You may answer.",
    "answered": "Bogdan has answered.",
    "asked": "The referee Corina asks the players something.",
    "looked": "The referee Corina has looked at all hands of deal 2.",
    "frozen": "The referee Corina has frozen the clock, until Sun 1 Mar 14:00 at the latest.",
    "thawed": "The clock is no longer frozen: it goes on with what was left.",
    "appealed": "Bogdan appeals: another referee will look into it.",
    "withdrawn": "Ana has withdrawn the dispute.",
}
FACTS: dict[str, Any] = {"until": "2026-03-01T14:00:00+00:00", "deal": 1, "title": "Friday"}
WHO = {"opened": "Ana", "withdrawn": "Ana", "answered": "Bogdan", "appealed": "Bogdan"}


def said(what: str, language: str = "en", **facts: Any) -> tuple[str, str]:
    told = {"what": what, "who": WHO.get(what, "Corina"), **FACTS, **facts}
    with translation.override(language):
        found = worded(Message(kind="ruling", key="x", facts=told, game="abc"), now=NOON)
    return found.title, found.text


@pytest.mark.parametrize("what", SAID)
def test_every_step_is_said(what: str) -> None:
    assert said(what) == ("A dispute at “Friday”", SAID[what])


def test_an_appeal_that_is_withdrawn_leaves_the_ruling() -> None:
    assert said("withdrawn", appeal=True)[1] == "Ana has withdrawn the appeal: the ruling stands."


def test_a_ruling_is_said_by_its_kind() -> None:
    texts = {kind: said("ruled", ruling=kind)[1] for kind in Ruling.Kind.values}
    assert said("ruled", ruling="void")[0] == "A referee has ruled at “Friday”"
    assert len(set(texts.values())) == len(Ruling.Kind.values)
    assert texts["void"] == "A deal is void: its points count no more. The reason stands on the page of the case."
    assert said("ruled", ruling="dismiss", appeal=True)[1].startswith("The appeal is dismissed")


@pytest.mark.parametrize("language", ["ro", "fr"])
def test_in_the_other_languages_it_says_the_same_otherwise(language: str) -> None:
    for what in SAID:
        assert "stands on the page" not in said("ruled", language, ruling="void")[1]
        assert said(what, language) != said(what) and said(what, language)[1] != SAID[what]


def test_who_is_gone_has_no_name() -> None:
    assert said("opened", who="?")[1].startswith("deleted player disputes")


def test_messages_lead_players_to_the_case_and_the_referee_to_the_desk() -> None:
    game = running("Ana", "Bogdan")
    made = claimed(game)
    rulings.freeze(case=made.pk, user=referee(), span=HOUR, now=NOON)
    disputes.answer(case=made.pk, user=player("Bogdan"), words="No.", now=NOON)
    paths = {message.user.username: message.facts["path"] for message in Message.objects.filter(facts__what="answered")}
    assert paths == {"Ana": f"/t/{game.code}/disputes/{made.pk}/", "Corina": f"/admin/games/dispute/{made.pk}/change/"}


def test_no_message_has_the_words_of_a_claim_or_a_reason() -> None:
    game = running("Ana", "Bogdan")
    rule(claimed(game, words="They help each other."))
    dispute(game, "Bogdan", words="So do they.")
    told = str([message.facts for message in Message.objects.filter(kind="ruling")])
    assert "help" not in told and "So do" not in told and "looked at it" not in told
    assert Step.objects.filter(kind="opened").count() == 2
