"""Disputes and rulings in messages: every step as a sentence, in each language."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from accounts.models import Message
from accounts.people.messages import bell, inbox
from accounts.people.messages.wording import worded
from games.models import Dispute, Ruling, Step
from games.services import disputes, rulings
from tests.games.cases import HOUR, claimed, dispute, keeper_and_referee, referee, rule
from tests.games.playing import NOON, player, quick_turn, running
from tests.games.ruling import standing
from tests.leagues.playing import league, match
from tests.messages.telling import go

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
    assert texts["void"] == "Deal 2 is void: its points count no more. The reason stands on the page of the case."
    assert said("ruled", ruling="dismiss", appeal=True)[1].startswith("The appeal is dismissed")


REASON = " The reason stands on the page of the case."


def told_to(name: str) -> str:
    """The message of a ruling, as this player has it."""
    found = Message.objects.filter(kind="ruling", user=player(name), facts__what="ruled").latest("pk")
    with translation.override("en"):
        return worded(found, now=NOON).text.removesuffix(REASON)


def test_a_ruling_says_what_it_is_about() -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(3):
        quick_turn(game)
    move = standing(game)[2]
    rule(claimed(game), "back", entry=move.number)
    who = ("Ana", "Bogdan")[move.seat or 0]
    assert told_to("Ana") == f"The match goes back to before a move in deal 1: that of {who}, Sun 1 Mar 12:00."
    rule(claimed(game), "points", points={0: -30, 1: 20})
    assert told_to("Ana") == "Points are adjusted: Ana −30, Bogdan +20."
    rule(claimed(game), "void", deal=0)
    assert told_to("Ana") == "Deal 1 is void: its points count no more."
    rule(claimed(game), "remove", seat=1)
    assert told_to("Ana") == "Bogdan is removed from the match."


def test_a_message_from_before_that_still_has_its_words() -> None:
    with translation.override("en"):
        for kind, text in {
            "void": "A deal is void: its points count no more.", "back": "The match goes back to before a move.",
            "points": "Points are adjusted.", "remove": "A player is removed from the match.",
        }.items():  # fmt: skip
            message = Message(kind="ruling", key="x", facts={"what": "ruled", "ruling": kind}, game="abc")
            assert worded(message, now=NOON).text == text + REASON


def test_news_of_a_dispute_does_not_say_besides_that_there_is_some() -> None:
    game = running("Ana", "Bogdan")
    made = claimed(game)
    rulings.ask(case=made.pk, user=referee(), words="Why?", now=NOON)
    rule(made)
    go(NOON)
    with translation.override("en"):
        [line] = [line for line in inbox.told(list(bell.inbox(user=player("Bogdan"))), now=NOON) if line.unread]
    assert Message.objects.filter(user=player("Bogdan"), kind="ruling").count() == 3
    assert line.said.text.startswith("The dispute is dismissed." + REASON)
    assert "news of a dispute" not in line.said.text


@pytest.mark.parametrize("language", ["ro", "fr"])
def test_in_the_other_languages_it_says_the_same_otherwise(language: str) -> None:
    for what in SAID:
        assert "stands on the page" not in said("ruled", language, ruling="void")[1]
        assert said(what, language) != said(what) and said(what, language)[1] != SAID[what]


def test_who_is_gone_has_no_name() -> None:
    assert said("opened", who="?")[1].startswith("deleted player disputes")


def called(made: Dispute) -> dict[str, str]:
    """By name, what the referees are told who may take a case up. It leads them to the desk."""
    found = Message.objects.filter(kind="ruling", facts__what="waits", facts__case=made.pk).select_related("user")
    assert {message.facts["path"] for message in found} <= {f"/admin/games/dispute/{made.pk}/change/"}
    with translation.override("en"):
        return {message.user.username: worded(message, now=NOON).text for message in found}


def test_referees_who_may_take_a_case_up_are_told_that_it_waits() -> None:
    for name in ("Corina", "Dan", "Ana"):
        keeper_and_referee(player(name))
    referee("Irina")  # whom the admin does not let in
    keeper = player("Vlad")
    keeper.is_staff = keeper.is_superuser = True
    keeper.save()
    made = dispute(running("Ana", "Bogdan"))
    assert called(made) == {"Corina": "It waits for a referee.", "Dan": "It waits for a referee."}


def test_of_an_appeal_those_are_told_who_have_not_ruled() -> None:
    made = rule(claimed(running("Ana", "Bogdan")))
    for name in ("Corina", "Dan"):
        keeper_and_referee(player(name))
    disputes.appeal(case=made.pk, user=player("Bogdan"), words="No.", now=NOON)
    assert called(made) == {"Dan": "An appeal waits for another referee."}


def test_no_referee_is_called_who_plays_in_the_league_of_the_table() -> None:
    for name in ("Corina", "Dan"):
        keeper_and_referee(player(name))
    season = league("Ana", "Bogdan", "Corina")
    assert called(dispute(match(season, "Ana", "Bogdan"))) == {"Dan": "It waits for a referee."}


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
