"""Letters: in the reader's words and time, with the one click that ends them."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.utils.translation import override

from accounts.people.messages.kinds import KINDS
from accounts.people.messages.wording import worded
from tests.messages.sink import Sink
from tests.messages.telling import NOON, go, person, tell, wish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("become")]

FACTS: dict[str, Any] = {
    "title": "Vineri",
    "game": "Remi on tiles",
    "with": ["Bogdan", "", "Chloé"],
    "who": "Bogdan",
    "deal": 2,
    "seat": 0,
    "winner": 0,
    "scores": [55, -43],
    "totals": [180, -90],
    "free": 2,
    "league": "Liga de joi",
    "rank": 3,
    "before": 5,
    "news": "absent",
    "way": "mail",
}
SUBJECTS = {
    "turn": ("Your turn at “Vineri”", "Rândul tău la masa „Vineri”", "À vous de jouer : table « Vineri »"),
    "hurry": ("Your time at “Vineri”: 8 h", "Mai ai 8 h la masa „Vineri”", "Table « Vineri » : il vous reste 8 h"),
    "missed": (
        "Your time ran out at “Vineri”",
        "Ți-a expirat timpul la masa „Vineri”",
        "Votre temps est écoulé : table « Vineri »",
    ),
    "invitation": (
        "Bogdan invites you to “Vineri”",
        "Bogdan te invită la masa „Vineri”",
        "Bogdan vous invite à la table « Vineri »",
    ),
    "joined": (
        "Bogdan sits down at “Vineri”",
        "Bogdan s-a așezat la masa „Vineri”",
        "Bogdan s’installe à la table « Vineri »",
    ),
    "started": ("“Vineri” has begun", "A început partida la masa „Vineri”", "La partie a commencé : table « Vineri »"),
    "deal_over": (
        "Deal 3 is over at “Vineri”",
        "Manșa 3 s-a încheiat la masa „Vineri”",
        "Manche 3 terminée à la table « Vineri »",
    ),
    "match_over": ("You have won at “Vineri”", "Ai câștigat la masa „Vineri”", "Vous avez gagné à la table « Vineri »"),
    "away": ("News from “Vineri”", "Noutăți de la masa „Vineri”", "Des nouvelles de la table « Vineri »"),
    "mention": (
        "Bogdan speaks to you at “Vineri”",
        "Bogdan ți-a scris la masa „Vineri”",
        "Bogdan vous écrit à la table « Vineri »",
    ),
    "league": ("News from Liga de joi", "Noutăți din Liga de joi", "Des nouvelles de Liga de joi"),
    "ruling": (
        "A referee has ruled at “Vineri”",
        "Un arbitru a decis la masa „Vineri”",
        "Un arbitre a tranché à la table « Vineri »",
    ),
    "test": ("A test from Remi", "O probă de la Remi", "Un essai de Remi"),
}
TEXTS = {
    "turn": (
        "Remi on tiles with Bogdan, Computer and Chloé. You have until Mon 2 Mar 22:00 (8 h).",
        "Remi pe etalate cu Bogdan, Calculatorul și Chloé. Ai timp până lun. 2 mar. 22:00 (8 h).",
        "Rémi roumain (jetons) avec Bogdan, Ordinateur et Chloé. Vous avez jusqu’au lun. 2 mars 22:00 (8 h).",
    ),
    "hurry": (
        "It is your turn. You have until Mon 2 Mar 22:00 (8 h).",
        "E rândul tău. Ai timp până lun. 2 mar. 22:00 (8 h).",
        "C’est à vous de jouer. Vous avez jusqu’au lun. 2 mars 22:00 (8 h).",
    ),
    "invitation": (
        "Look at the table, and sit down if you like.",
        "Uită-te la masă și așază-te, dacă vrei.",
        "Regardez la table et installez-vous si vous voulez.",
    ),
    "deal_over": (
        "+55 for you; you have 180 points.",
        "+55 pentru tine; în total, 180 puncte.",
        "+55 pour vous ; total : 180 points.",
    ),
}


def letter(sink: Sink, kind: str, language: str, **about: Any) -> EmailMessage:
    """A message of a kind as it arrives."""
    user = person("Ana", language=language, zone="Europe/Bucharest")
    wish(user, kind, "mail", True)
    tell(user, kind, game="" if kind in ("league", "test") else "abc", **{"facts": FACTS, **about})
    go()
    [found] = sink.letters
    return found


def subject(found: EmailMessage) -> str:
    """As a mail program shows it: a line that was folded is one again."""
    return str(found["Subject"]).strip()


def text_of(found: EmailMessage) -> str:
    body = found.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def html_of(found: EmailMessage) -> str:
    body = found.get_body(("html",))
    assert body is not None
    return str(body.get_content())


@pytest.mark.parametrize("language", ["en", "ro", "fr"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_words_in_each_language(sink: Sink, kind: str, language: str) -> None:
    until = NOON + timedelta(hours=8)
    place = ("en", "ro", "fr").index(language)
    found = letter(sink, kind, language, until=until)
    assert subject(found) == SUBJECTS[kind][place]
    if kind in TEXTS:
        assert TEXTS[kind][place] in text_of(found)
    assert f'<html lang="{language}">' in html_of(found)
    for part in (text_of(found), html_of(found)):
        assert "%(" not in part and "None" not in part and "{" not in re.sub(r"<style.*?</style>", "", part)


NEWS = (
    *("excused", "absent", "back", "taken_over", "resigned"),
    *("pause_asked", "pause_refused", "pause_withdrawn", "paused", "resumed", "x"),
)
LEAGUES = (
    *("accepted", "refused", "expelled", "asked", "organiser"),
    *("season_started", "season_over", "adjusted", "ruled", "x"),
)


@pytest.mark.parametrize("language", ["ro", "fr"])
@pytest.mark.parametrize("kind", ["away", "missed", "league"])
def test_each_event_is_worded_in_each_language(kind: str, language: str) -> None:
    ana, said = person("Ana"), {}
    events, name = (LEAGUES, "what") if kind == "league" else (NEWS, "news")
    facts = {**FACTS, "player": "Chloé", "by": "Dan", "points": -20, "reason": "Why", "number": 2}
    for code in ("en", language):
        with override(code):
            said[code] = [
                worded(tell(ana, kind, key=f"{code}{event}", game="abc", facts={**facts, name: event}), now=NOON).text
                for event in events
            ]
    assert all(mine != theirs for mine, theirs in zip(said["en"], said[language], strict=True))
    if kind != "missed":
        assert len(set(said["en"])) == len(events)


@pytest.mark.parametrize(
    ("event", "titles"),
    [
        ("absent", ("Your time ran out at “Vineri”", "Ți-a expirat timpul la masa „Vineri”")),
        ("taken_over", ("Your seat at “Vineri” has been taken over", "Locul tău de la masa „Vineri” a fost preluat")),
        ("resigned", ("Your seat at “Vineri” has resigned", "Locul tău de la masa „Vineri” a abandonat")),
    ],
)
def test_what_comes_of_a_seat_is_not_called_a_turn_that_ran_out(event: str, titles: tuple[str, str]) -> None:
    told = tell(person("Ana"), "missed", key="once", game="abc", facts={**FACTS, "news": event})
    for code, title in zip(("en", "ro"), titles, strict=True):
        with override(code):
            assert worded(told, now=NOON).title == title


def test_a_letter_has_both_forms_and_leads_to_the_table(sink: Sink, settings: Any) -> None:
    settings.SITE_URL = "https://remi.example"
    found = letter(sink, "turn", "en")
    lines = text_of(found).splitlines()
    assert "Play: https://remi.example/t/abc/" in lines
    assert subject(found) in lines  # what happened is said in the letter, and not above it alone
    assert 'href="https://remi.example/t/abc/"' in html_of(found)
    assert found["To"] == "ana@example.org"
    assert found["Auto-Submitted"] == "auto-generated"
    assert re.fullmatch(r"<letter-\d+@remi\.example>", str(found["Message-ID"]))
    assert found["References"] == "<table-abc@remi.example>"


def test_one_click_ends_it(sink: Sink, settings: Any) -> None:
    settings.SITE_URL = "https://remi.example"
    found = letter(sink, "turn", "en")
    assert found["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = str(found["List-Unsubscribe"]).strip(" <>")
    assert address.startswith("https://remi.example/messages/stop/")
    assert address in text_of(found) and address in html_of(found)


@pytest.mark.parametrize("title", ["Bad\r\nBcc: all@example.org", "<b>Fat</b>", "“Ș” & Co"])
def test_the_name_of_a_table_does_no_harm(sink: Sink, title: str) -> None:
    found = letter(sink, "turn", "en", facts={**FACTS, "title": title})
    assert subject(found) == f"Your turn at “{' '.join(title.split())}”"
    assert found["Bcc"] is None and "<b>Fat" not in html_of(found)


def test_a_table_without_a_name_is_called_by_its_game(sink: Sink) -> None:
    assert subject(letter(sink, "turn", "ro", facts={"game": "Remi on tiles"})) == "Rândul tău la masa „Remi pe etalate”"


def test_nothing_of_a_letter_comes_from_elsewhere(sink: Sink) -> None:
    page = html_of(letter(sink, "turn", "en"))
    assert not re.search(r"<(img|script|link|iframe)|url\(|src=", page)
