"""The rules page of the tile game says nothing that the engine does not do."""

from __future__ import annotations

import re

import pytest

from games.engine import JOKER, SET, TILES, Deal, Meld, rules_for
from games.engine.boards import BOARDS, dearest
from games.engine.cards import STANDS
from games.engine.etalat import BOARD_TURNS, CLOSED, FORGOTTEN, MOST_TILES, NOT_OPENED, TWIN, Etalat
from games.engine.exchange import SPOILS_FROM
from games.engine.melds import laid
from tests.engine.builders import play
from tests.engine.tile_builders import at_table, codes, hand, held, row, table, tiles_rules, words
from tests.games.test_rules_pages import cells, in_every_language, numbers, rows, text

NUMBER_WORDS = {"en": {3: "three"}, "ro": {3: "trei"}, "fr": {3: "trois"}}


def section(language: str, name: str) -> str:
    found = re.search(rf'<section class="panel" id="{name}">.*?</section>', text("etalat", language), re.S)
    assert found, name
    return found[0]


def rules() -> Etalat:
    found = tiles_rules(2)
    assert isinstance(found, Etalat)
    return found


def meld(tiles: str) -> Meld:
    found = laid(1, 0, tuple(codes(tiles)), True)
    assert found is not None, tiles
    return found


SHOWN_BY = {
    "low": [("2R 3R 4R", "2R"), ("9R 9B 9K", "9R")],
    "high": [("10R 11R 12R", "10R"), ("13R 13B 13K", "13K")],
    "one-low": [("1Y 2Y 3Y", "1Y")],
    "one-high": [("12R 13R 1R", "1R")],
    "one-set": [("1R 1B 1K", "1R")],
}


@in_every_language
def test_the_values_are_those_of_the_engine(language: str) -> None:
    listed = {re.findall(r'data-of="([\w-]+)"', line)[0]: cells(line) for line in rows(text("etalat", language), "value-table")}
    assert set(listed) == {*SHOWN_BY, "joker"}
    for kind, examples in SHOWN_BY.items():
        for tiles, tile in examples:
            lain, code = meld(tiles), codes(tile)[0]
            position = lain.positions()[lain.cards.index(code)]
            opening = meld_value(lain.kind, position)
            assert rules().laid_value(code, lain.kind, position) == rules().hand_value(code)
            assert listed[kind] == [str(opening), str(rules().hand_value(code))], kind
    as_it_stands, points = listed["joker"]
    assert (numbers(as_it_stands), points) == ([], str(rules().hand_value(JOKER)))
    assert rules().opening_worth(meld("12R *13R 1R")) == rules().opening_worth(meld("12R 13R 1R"))


def meld_value(kind: str, position: int) -> int:
    """What one tile counts in an opening: a set of three by its third part, a run by what it adds."""
    if kind == SET:
        return rules().opening_worth(meld(f"{position}R {position}B {position}K")) // 3
    ends = {1: ("1Y 2Y 3Y 4Y", "2Y 3Y 4Y"), 14: ("11Y 12Y 13Y 1Y", "11Y 12Y 13Y")}
    longer, shorter = ends.get(position, (f"{position}Y {position + 1}Y {position + 2}Y {position + 3}Y", ""))
    if not shorter:
        shorter = " ".join(longer.split()[1:])
    return rules().opening_worth(meld(longer)) - rules().opening_worth(meld(shorter))


@in_every_language
def test_tiles_and_racks_are_those_of_the_engine(language: str) -> None:
    (line,) = rows(text("etalat", language), "deal-table")
    seats = numbers(re.findall(r"<th.*?</th>", line)[0])
    assert seats == [Etalat.seats[0], Etalat.seats[-1]]
    pack = rules().pack()
    assert numbers(cells(line)[0]) == [len(pack), pack.count(JOKER)]
    assert numbers(cells(line)[1]) == [rules().hand_size, rules().hand_size + 1]


@in_every_language
def test_the_board_games_are_those_of_the_engine(language: str) -> None:
    told = {}
    for line in rows(text("etalat", language), "board-table"):
        tiles = " ".join(re.findall(r'{% meld "([^"]*)" %}', line))
        plain = " ".join("*" if tile.startswith("*") else tile for tile in tiles.split())
        board = dearest(hand(plain))
        assert board is not None, line
        assert re.findall(r'data-board="(\w+)"', line) == [board.name]
        told[board.name] = int(cells(line)[-1])
    assert told == {board.name: board.points for board in BOARDS}


@in_every_language
def test_what_is_added_to_a_score_is_what_the_engine_adds(language: str) -> None:
    listed = {re.findall(r'data-of="(\w+)"', line)[0]: cells(line)[0] for line in rows(text("etalat", language), "score-table")}
    minus = "\N{MINUS SIGN}"
    assert listed == {
        "closed": f"+{CLOSED}", "twin": f"+{TWIN}", "joly": "×2", "double": "×2", "forgotten": f"{minus}{-FORGOTTEN}",
    }  # fmt: skip
    assert f"{minus}{-NOT_OPENED}" in section(language, "score")


@in_every_language
def test_every_option_is_told_with_its_default(language: str) -> None:
    options = dict(re.findall(r'<div data-option="(\w+)"><dt>.*?</dt><dd>(.*?)</dd></div>', section(language, "options")))
    assert list(options) == list(Etalat.defaults)
    usual = {"en": "Usually {}.", "ro": "De obicei {}.", "fr": "D’habitude {}."}[language]
    yes, no = {"en": ("yes", "no"), "ro": ("da", "nu"), "fr": ("oui", "non")}[language]
    for name, default in Etalat.defaults.items():
        if isinstance(default, bool):
            assert options[name].startswith(usual.format(yes if default else no)), name
    assert numbers(options["target"]) == [Etalat.defaults["target"]]
    assert numbers(options["opening"]) == [Etalat.defaults["opening"]]


@in_every_language
def test_the_limits_are_those_of_the_engine(language: str) -> None:
    assert MOST_TILES in numbers(section(language, "turn"))
    assert numbers(section(language, "announce")) == [-FORGOTTEN]
    assert rules().options["opening"] in numbers(section(language, "opening"))
    three = NUMBER_WORDS[language][3]
    assert (SPOILS_FROM, BOARD_TURNS) == (3, 3)
    assert three in section(language, "exchange") and three in section(language, "board")


# -- the example ---------------------------------------------------------------------------------


def example_table() -> Deal:
    """Ana (0), Mihai (1) and the reader (2) at the turn that is shown."""
    return at_table(
        hands=[
            "9R 3B 3K 7K",
            "2Y 2B 5Y 6K 8R 8K 10B 11Y 11K 13Y 13B 1Y 9Y 12Y",
            "12R 12B 12K 5B 6B 1R 1B 7Y 8Y 11R 2R 6R 9K 13K",
        ],
        row="13B 6Y 4K 11Y 4B",
        melds=[(0, "10R *11R 12R 13R"), (0, "5R 5B 5K")],
        stock="9B 4K 9Y 3Y 10Y 10K 7B 6B",
        to_move=2,
        opened="0",
    )


STEPS = [
    "P1", "M:12R,12B,12K", "M:4B,5B,6B", "D:2R", "S", "D:9B", "S", "D:4K",
    "S", "M:7Y,8Y,9Y", "W:1:11R", "M:1R,1B,*1K", "A", "D:13K",
]  # fmt: skip
REST = "S M:3Y,3B,3K L:1:9R D:7K"


@in_every_language
def test_the_example_shows_the_position_that_the_engine_has(language: str) -> None:
    deal, example = example_table(), section(language, "example")
    assert re.findall(r'{% cards "([^"]*)" taken=1 dead=1 %}', example) == [row(deal)]
    shown = re.findall(r'{% rack "([^"]*)" %}', example)[0]
    assert sorted(re.findall(r"[^\s|/]+", shown)) == sorted(held(deal, 2).split())
    assert re.findall(r'{% meld "([^"]*)" %}</div>', example) == table(deal)


@in_every_language
def test_each_step_of_the_example_brings_the_points_it_says(language: str) -> None:
    plain = section(language, "example").replace("\N{NO-BREAK SPACE}", "")
    said = [int(points) for points in re.findall(r"<li><p><b>[^\n]*?:\s?(\d+)\.</b>", plain)]
    shown = re.findall(r'</p>{% meld "([^"]*)" %}</li>', plain)
    deal, brought, lain = example_table(), [], []
    for step in STEPS:
        opening = not deal.extra.opened[2]
        after = play(deal, step)
        if step[0] in "MW":
            number = int(step.split(":")[1]) if step[0] == "W" else len(after.melds)
            made = after.melds[number - 1]
            points = after.laid[2] - deal.laid[2]
            brought.append(rules().opening_worth(made) if opening else points)
            lain.append(words(made.cards))
        deal = after
    assert said == brought
    assert shown == lain
    assert deal.to_move == 0


@in_every_language
def test_the_score_of_the_example_is_that_of_the_engine(language: str) -> None:
    deal = play(example_table(), " ".join([*STEPS, REST]))
    assert (deal.reason, deal.out) == ("out", 0)
    assert deal.scores is not None
    for line in rows(text("etalat", language), "example-table"):
        seat = int(re.findall(r'data-seat="(\d)"', line)[0])
        score = rules_for("etalat", 3).breakdown(deal)[seat]  # type: ignore[attr-defined]
        assert numbers(" ".join(cells(line))) == [score.laid, score.in_hand, deal.scores[seat]]
    assert max(deal.scores) == deal.scores[2]
    assert held(deal, 2) == "6R 9K"


@pytest.mark.parametrize("language", ["en", "ro", "fr"])
def test_every_meld_that_is_shown_is_one(language: str) -> None:
    shown = re.findall(
        r'{% meld "([^"]*)" %}', re.sub(r'<table id="board-table">.*?</table>', "", text("etalat", language), flags=re.S)
    )
    for tiles in shown:
        assert words(meld(tiles).cards) == tiles
        assert all(code < JOKER or code >= STANDS for code in codes(tiles))
        assert all(tile in TILES.codes for tile in tiles.split())
