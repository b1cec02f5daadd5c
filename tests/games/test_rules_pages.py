"""The rules pages: there in every language, and saying nothing that the engine does not do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.people.absence import DAYS_A_YEAR
from games.engine import CARDS, JOKER, VARIANTS, Deal, Meld, Rules, rules_for
from games.engine.melds import laid
from games.gamenames import NAMES
from games.models import Game
from tests.engine.builders import CARD_GAMES, codes, dealt, held, play, row, table

LANGUAGES = [code for code, _ in settings.LANGUAGES]
TEXTS = Path(__file__).parents[2] / "templates" / "games" / "rules"

in_every_language = pytest.mark.parametrize("language", LANGUAGES)
of_every_game = pytest.mark.parametrize("variant", sorted(NAMES))
of_card_games = pytest.mark.parametrize("variant", CARD_GAMES)


def page(client: Client, variant: str, language: str) -> str:
    response = client.get(reverse("games:rules", args=[variant]), headers={"Accept-Language": language})
    assert response.status_code == 200
    return response.content.decode()


def text(variant: str, language: str) -> str:
    """The text of a page as it is written, with the tags that draw its cards."""
    return (TEXTS / f"{variant}.{language}.html").read_text(encoding="utf-8")


def cells(markup: str) -> list[str]:
    return re.findall(r"<td[^>]*>(.*?)</td>", markup)


def rows(markup: str, table_id: str) -> list[str]:
    found = re.search(rf'<table id="{table_id}">.*?<tbody>(.*?)</tbody>', markup, re.S)
    assert found, f"no table {table_id}"
    return re.findall(r"<tr.*?</tr>", found[1], re.S)


def numbers(markup: str) -> list[int]:
    """The numbers in a piece of text, with their true minus signs."""
    plain = re.sub(r"<[^>]*>", " ", markup)
    return [int(found.replace("\N{MINUS SIGN}", "-")) for found in re.findall(r"\N{MINUS SIGN}?\d+", plain)]


# -- the pages -----------------------------------------------------------------------------------


@in_every_language
@of_every_game
def test_each_game_has_its_rules_in_each_language(client: Client, variant: str, language: str) -> None:
    shown = page(client, variant, language)
    assert f'<html lang="{language}"' in shown
    assert text(variant, language).count("<section") == shown.count("<section")


@in_every_language
def test_the_index_leads_to_the_rules_of_every_game(client: Client, language: str) -> None:
    response = client.get(reverse("games:rules_index"), headers={"Accept-Language": language})
    assert response.status_code == 200
    for variant in NAMES:
        assert f'href="{reverse("games:rules", args=[variant])}"' in response.content.decode()


@pytest.mark.parametrize("variant", ["gin", "REMI500", "remi", "..", "1"])
def test_a_game_that_there_is_not_has_no_rules(client: Client, variant: str) -> None:
    assert client.get(f"/rules/{variant}/").status_code == 404


def test_whoever_speaks_another_language_reads_english(client: Client) -> None:
    shown = page(client, "remi500", "de")
    assert '<html lang="en"' in shown
    assert "<h2>The row</h2>" in shown


def test_the_rules_are_only_read(client: Client) -> None:
    for address in (reverse("games:rules_index"), reverse("games:rules", args=["remi500"])):
        assert client.post(address).status_code == 405
        assert client.head(address).status_code == 200


@in_every_language
@of_every_game
def test_nothing_on_the_page_breaks_the_policy_for_content(client: Client, variant: str, language: str) -> None:
    shown = page(client, variant, language)
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", shown)


@in_every_language
@of_every_game
def test_the_contents_lead_to_every_section_in_order(variant: str, language: str) -> None:
    written = text(variant, language)
    sections = re.findall(r'<section class="panel" id="([\w-]+)">', written)
    assert re.findall(r'<li><a href="#([\w-]+)">', written) == sections
    headings = re.findall(r"<section[^>]*>\s*<h2>(.*?)</h2>", written)
    assert re.findall(r'<li><a href="#[\w-]+">(.*?)</a>', written) == headings


@of_every_game
def test_the_languages_have_the_same_sections_and_the_same_cards(variant: str) -> None:
    def bones(language: str) -> list[str]:
        return re.findall(
            r'id="[\w-]+"|{% (?:cards|picks|meld|rack) "[^%]*%}|<(?:tr|div) data-\w+="[\w-]+"', text(variant, language)
        )

    assert {language: bones(language) for language in LANGUAGES} == dict.fromkeys(LANGUAGES, bones("en"))


# -- the numbers ---------------------------------------------------------------------------------


def worth(rules: Rules, cards: str, card: str) -> int:
    """What one card of a meld counts there."""
    meld = laid(1, 0, tuple(codes(cards)), False)
    assert isinstance(meld, Meld)
    values = {
        CARDS.texts[code]: rules.laid_value(code, meld.kind, place)
        for code, place in zip(meld.cards, meld.positions(), strict=True)
    }
    return values[card]


def in_hand(rules: Rules, card: str) -> int:
    return rules.hand_value(codes(card)[0])


SHOWN_BY = {
    "figure": [("JS QS KS", "JS"), ("JS QS KS", "QS"), ("KS KH KD", "KD")],
    "ace-low": [("AS 2S 3S", "AS")],
    "ace-high": [("QS KS AS", "AS")],
    "ace-set": [("AS AH AD", "AS")],
}


@in_every_language
@of_card_games
def test_the_values_are_those_of_the_engine(variant: str, language: str) -> None:
    rules = rules_for(variant, 2)
    listed = {re.findall(r'data-of="([\w-]+)"', line)[0]: cells(line) for line in rows(text(variant, language), "value-table")}
    assert set(listed) == {"number", "joker", *SHOWN_BY}
    for kind, examples in SHOWN_BY.items():
        for cards, card in examples:
            assert listed[kind] == [str(worth(rules, cards, card)), str(in_hand(rules, card))], kind


@in_every_language
@of_card_games
def test_numbers_count_as_themselves(variant: str, language: str) -> None:
    rules = rules_for(variant, 2)
    line = next(line for line in rows(text(variant, language), "value-table") if 'data-of="number"' in line)
    assert not numbers(" ".join(cells(line)))
    for number, index in enumerate("23456789T", start=2):
        assert in_hand(rules, f"{index}H") == number
        assert worth(rules, f"{index}S {index}H {index}D", f"{index}H") == number


@in_every_language
@of_card_games
def test_the_joker_counts_as_the_page_says(variant: str, language: str) -> None:
    rules = rules_for(variant, 2)
    line = next(line for line in rows(text(variant, language), "value-table") if 'data-of="joker"' in line)
    on_table, held_back = cells(line)
    assert held_back == str(in_hand(rules, "*"))
    cases = [("6H 7H *8H", "*8H", "8H"), ("*AS 2S 3S", "*AS", "AS"), ("QS KS *AS", "*AS", "AS"), ("KS KH *KD", "*KD", "KD")]
    laid_jokers = [worth(rules, cards, joker) for cards, joker, _ in cases]
    if numbers(on_table):
        assert laid_jokers == numbers(on_table) * len(cases)
    else:
        assert laid_jokers == [worth(rules, cards.replace(joker, natural), natural) for cards, joker, natural in cases]


@in_every_language
@of_card_games
def test_packs_and_hands_are_those_of_the_engine(variant: str, language: str) -> None:
    told = {}
    for line in rows(text(variant, language), "deal-table"):
        seats = numbers(re.findall(r"<th.*?</th>", line)[0])
        for count in range(seats[0], seats[-1] + 1):
            cards, jokers = numbers(cells(line)[0])
            told[count] = (cards, jokers, int(cells(line)[1]))
    dealt_by_engine = {}
    for count in VARIANTS[variant].seats:
        rules = rules_for(variant, count)
        pack = rules.pack()
        dealt_by_engine[count] = (len(pack), pack.count(codes("*")[0]), rules.hand_size)
    assert told == dealt_by_engine


@in_every_language
@of_card_games
def test_every_option_of_the_game_is_told(variant: str, language: str) -> None:
    written = text(variant, language)
    options = re.findall(r"<dt>.*?</dt><dd>(.*?)</dd>", written[written.index('id="options"') :])
    defaults = VARIANTS[variant].defaults
    assert list(defaults) == ["target", "top_card_free"]
    assert numbers(options[0]) == [defaults["target"]]
    usual = {"en": "Usually {}.", "ro": "De obicei {}.", "fr": "D’habitude {}."}[language]
    yes, no = {"en": ("yes", "no"), "ro": ("da", "nu"), "fr": ("oui", "non")}[language]
    assert options[1].startswith(usual.format(yes if defaults["top_card_free"] else no))
    assert len(options) == 2


@in_every_language
@of_every_game
def test_what_becomes_of_a_seat_that_stays_silent_is_what_the_model_says(variant: str, language: str) -> None:
    written = text(variant, language)
    *_before, said, vacations = re.findall(r"<p>.*?</p>", written[written.index('id="time"') : written.index('id="resign"')])
    assert numbers(vacations) == [DAYS_A_YEAR]
    limit = Game._meta.get_field("absence_limit").default
    assert numbers(said) == [Game._meta.get_field("absent_after").default, limit.days]
    assert Game._meta.get_field("excuses").default == 1
    assert {"en": "Once in a match", "ro": "O dată pe partidă", "fr": "Une fois par partie"}[language] in said


@in_every_language
def test_the_index_tells_the_numbers_of_the_engine(language: str) -> None:
    written = text("index", language)
    lines = re.findall(r"<tr><th.*?</tr>", written)
    for column, variant in enumerate(["remi500", "rami500"]):
        seats = VARIANTS[variant].seats
        assert numbers(cells(lines[0])[column]) == [seats[0], seats[-1]]
        sizes = [rules_for(variant, count).hand_size for count in (seats[-1], 2)]
        assert numbers(cells(lines[1])[column]) == list(dict.fromkeys(sizes))
        rules = rules_for(variant, 2)
        assert (
            numbers(cells(lines[5])[column])[:2]
            == {
                "remi500": [worth(rules, "QS KS AS", "AS"), worth(rules, "AS 2S 3S", "AS")],
                "rami500": [worth(rules, "AS AH AD", "AS"), worth(rules, "QS KS AS", "AS")],
            }[variant]
        )
    tiles = rules_for("etalat", 2)
    assert numbers(cells(lines[0])[2]) == [VARIANTS["etalat"].seats[0], VARIANTS["etalat"].seats[-1]]
    assert numbers(cells(lines[1])[2]) == [tiles.hand_size, tiles.hand_size + 1]
    assert cells(lines[4])[2] == str(tiles.hand_value(JOKER))
    assert cells(lines[5])[2] == str(tiles.hand_value(0))
    assert numbers(cells(lines[7])[2]) == [tiles.options["opening"]]
    assert cells(lines[4])[0] == str(worth(rules_for("remi500", 2), "6H 7H *8H", "*8H"))
    assert not numbers(cells(lines[4])[1])


# -- the examples --------------------------------------------------------------------------------


def dealing(hands: list[str], *, turned_up: str, draws: str) -> str:
    """The top of a deck that deals these hands, one card at a time, and has these cards drawn."""
    cards = zip(*(hand.split() for hand in hands), strict=True)
    return " ".join([*(card for cards_of_round in cards for card in cards_of_round), turned_up, draws])


def remi_example() -> Deal:
    """Ana (0), Bogdan (1) and the reader (2) up to the turn that is shown."""
    hands = ["TS TD 4D 3D 2H QH AS", "4C 6C 7H 9S 9D TH 5S", "8H QD KD AD 7C 2S QS"]
    draws = "6S JD 9H TC 5C KC 9C"
    deal = dealt("remi500", 3, top=dealing(hands, turned_up="KS", draws=draws))
    return play(deal, "S D:4D S D:7H S D:QS S M:TS,TD,TC D:3D S M:4C,5C,6C D:JD")


def rami_example() -> Deal:
    """Chloé (0), Hugo (1) and the reader (2) up to the turn that is shown."""
    hands = ["2H 4H 9D 4D AS 5D 2D", "TH 2C 8C 5S 7S 8S 4C", "JH KS KD AC 8D 8H TS"]
    draws = "9C * 3C 3H QH 7D 6S"
    deal = dealt("rami500", 3, top=dealing(hands, turned_up="QC", draws=draws))
    return play(deal, "S D:9D S D:2C S D:TS S M:2H,3H,4H D:4D S M:TH,*JH,QH D:8C")


EXAMPLES = {
    "remi500": (remi_example, "P4", ["M:7H,8H,9H", "M:JD,QD,KD,AD", "L:2:7C"], "D:QS", "S D:KC S M:9S,9D,9C L:3:TH D:5S"),
    "rami500": (
        rami_example,
        "P4",
        ["M:AC,2C,3C", "W:2:JH", "M:KS,KD,*KC", "M:8H,8D,8C"],
        "D:TS",
        "S D:7D S M:5S,6S,7S,8S L:3:4C",
    ),
}


@in_every_language
@of_card_games
def test_the_example_shows_the_position_that_the_engine_reaches(variant: str, language: str) -> None:
    deal = EXAMPLES[variant][0]()
    example = text(variant, language)[text(variant, language).index('id="example"') :]
    shown_row, shown_hand = re.findall(r'{% cards "([^"]*)"', example)
    assert shown_row == row(deal)
    assert sorted(shown_hand.split()) == held(deal, 2).split()
    assert re.findall(r'{% meld "([^"]*)" %}</div>', example) == table(deal)


@in_every_language
@of_card_games
def test_each_step_of_the_example_brings_the_points_it_says(variant: str, language: str) -> None:
    start, take, steps, discard, _ = EXAMPLES[variant]
    example = text(variant, language)[text(variant, language).index('id="example"') :]
    said = [int(points) for points in re.findall(r"<li><p><b>[^\n]*?:\s?(\d+)\.</b>", example.replace("\N{NO-BREAK SPACE}", ""))]
    deal = play(start(), take)
    brought = []
    for step in steps:
        after = play(deal, step)
        brought.append(after.laid[2] - deal.laid[2])
        deal = after
    assert said == brought
    assert play(deal, discard).to_move == 0


@in_every_language
@of_card_games
def test_the_score_of_the_example_is_that_of_the_engine(variant: str, language: str) -> None:
    start, take, steps, discard, rest = EXAMPLES[variant]
    deal = play(start(), " ".join([take, *steps, discard, rest]))
    assert (deal.reason, deal.out) == ("out", 1)
    assert deal.scores is not None
    for line in rows(text(variant, language), "example-table"):
        seat = int(re.findall(r'data-seat="(\d)"', line)[0])
        assert numbers(" ".join(cells(line))) == [deal.laid[seat], deal.rules.in_hand(deal.hands[seat]), deal.scores[seat]]
    assert max(deal.scores) == deal.scores[2]
