"""How cards, tiles and numbers are drawn."""

import re

import pytest
from django.template import Context, Template
from django.utils import translation

from games.templatetags.cards import change, signed


def draw(source: str, language: str = "en", **context: object) -> str:
    with translation.override(language):
        html = Template("{% load cards %}" + source).render(Context(context))
    return re.sub(r'href="[^"#]*#', 'href="#', html)


def test_a_card_is_its_index_and_its_suit() -> None:
    assert draw('{% card "7H" %}') == (
        '<span class="card" data-s="H" role="img" aria-label="7 of hearts"><b>7</b>'
        '<svg aria-hidden="true"><use href="#H"/></svg><svg aria-hidden="true"><use href="#H"/></svg></span>'
    )


def test_a_court_card_has_its_figure() -> None:
    html = draw('{% card "QS" %}')

    assert 'data-s="S" data-f' in html
    assert 'href="#Q"' in html


@pytest.mark.parametrize(("language", "letters"), [("en", "A10JQK"), ("ro", "A10JQK"), ("fr", "A10VDR")])
def test_the_letters_are_those_of_the_language(language: str, letters: str) -> None:
    html = draw('{% card "AS" %}{% card "TS" %}{% card "JS" %}{% card "QS" %}{% card "KS" %}', language)

    assert "".join(re.findall(r"<b>(.*?)</b>", html)) == letters


def test_a_joker_in_hand_has_a_star_and_no_index() -> None:
    html = draw('{% card "*" %}')

    assert 'data-s="J"' in html
    assert "<b>" not in html
    assert re.findall(r'href="#(\w+)"', html) == ["star", "joker"]


def test_a_joker_laid_shows_what_it_stands_for() -> None:
    html = draw('{% card "*JH" %}')

    assert 'data-s="H" data-j role="img" aria-label="joker as jack of hearts"' in html
    assert "data-f" not in html
    assert re.findall(r'href="#(\w+)"', html) == ["H", "joker"]


def test_marks_are_attributes_and_words() -> None:
    html = draw('{% card "7H" new=True must=True can=True %}')

    assert "data-new data-must data-can" in html
    assert 'aria-label="7 of hearts, new this turn, must be used this turn, may be taken"' in html


def test_a_card_in_a_pick_is_for_the_eye_alone() -> None:
    html = draw('{% card "7H" hidden=True %}')

    assert '<span class="card" data-s="H" aria-hidden="true">' in html
    assert "aria-label" not in html


def test_a_name_on_a_card_is_text_whatever_it_says() -> None:
    html = draw('{% card "7H" by=name %}', name='<b onclick="x">')

    assert "<b onclick" not in html
    assert "&lt;b onclick=" in html


@pytest.mark.parametrize("source", ['{% card "7X" %}', '{% card "" %}', '{% card "12K" %}', '{% tile "7H" %}', '{% w "no" %}'])
def test_what_is_no_card_is_not_drawn(source: str) -> None:
    with pytest.raises(ValueError):
        draw(source)


def test_a_tile_has_its_number_and_the_mark_of_its_colour() -> None:
    assert draw('{% tile "12K" %}') == (
        '<span class="tile" data-c="K" role="img" aria-label="black 12"><b>12</b>'
        '<svg aria-hidden="true"><use href="#mK"/></svg></span>'
    )


def test_a_joly_in_hand_and_laid() -> None:
    assert 'data-c="J"' in draw('{% tile "*" %}')
    laid = draw('{% tile "*12R" %}')
    assert 'data-c="R" data-j' in laid
    assert re.findall(r'href="#(\w+)"', laid) == ["mR", "joly"]


def test_a_card_in_running_text() -> None:
    assert draw('{% w "TD" %}') == (
        '<span class="w">10<svg class="s" data-s="D" role="img" aria-label="diamonds"><use href="#D"/></svg></span>'
    )
    assert draw('{% w "*" %}') == '<span class="w">joker</span>'
    assert draw('{% w "*QH" %}', "fr").startswith('joker en <span class="w">D<svg')
    assert 'data-c="Y"' in draw('{% w "5Y" %}')


def test_an_icon_is_for_the_eye_alone() -> None:
    assert draw('{% icon "i-back" %}') == '<svg class="i" aria-hidden="true"><use href="#i-back"/></svg>'
    assert draw('{% icon "logo" "" %}') == '<svg aria-hidden="true"><use href="#logo"/></svg>'


def test_a_bar_to_the_target_sets_off_what_came_with_the_deal() -> None:
    gained = draw("{% meter 260 500 laid=45 %}")
    assert gained == (
        '<svg class="meter" role="img" aria-label="260 of 500"><rect class="plus" width="52.0%"/><rect width="43.0%"/></svg>'
    )
    lost = draw("{% meter 233 500 laid=loss %}", loss=-7)
    assert '<rect class="minus" width="48.0%"/><rect width="46.6%"/>' in lost
    assert draw("{% meter 90 500 %}").count("<rect") == 1


@pytest.mark.parametrize(("value", "width"), [(-40, "0.0"), (0, "0.0"), (900, "100.0")])
def test_a_bar_never_leaves_its_bounds(value: int, width: str) -> None:
    assert f'<rect width="{width}%"/>' in draw("{% meter value 500 %}", value=value)


def test_points_have_a_true_minus_sign() -> None:
    assert [signed(points) for points in (12, 0, -12)] == ["12", "0", "\u221212"]
    assert [change(points) for points in (45, 0, -7)] == ["+45", "0", "\u22127"]
