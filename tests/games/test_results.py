"""The end of a deal, the end of a match, and leaving one."""

from __future__ import annotations

import re
from itertools import chain
from typing import Any

import pytest

from games.models import Game
from games.presenters.result import result_context
from games.services import turns
from tests.games.pages import said, visitor, words
from tests.games.playing import NOON, OUT_OF_THREE, OUT_OF_TWO, fresh, play, player, rows, run_out, running, seat, settle

pytestmark = pytest.mark.django_db

MINUS = "\N{MINUS SIGN}"


def one_deal_over(**terms: Any) -> Game:
    """Ana went out in her first turn against Bogdan: 55 to −43."""
    seed, moves, _scores = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed, title="Friday", **terms)
    play(game, moves)
    settle(game)
    return fresh(game)


def context(game: Game, name: str, number: int = 0) -> dict[str, Any]:
    seats = list(game.seats.select_related("user"))
    return result_context(game=game, seats=seats, number=number, user=player(name))


# -- the result of a deal -----------------------------------------------------------------------


def test_after_a_deal_the_table_shows_its_result_first() -> None:
    game = one_deal_over()
    assert visitor("Ana").get(f"/t/{game.code}/")["Location"] == f"/t/{game.code}/deals/0/"


def test_the_result_tells_who_went_out_what_was_laid_held_and_scored() -> None:
    page = words(visitor("Bogdan").get(f"/t/{one_deal_over().code}/deals/0/"))
    assert "Ana went out and takes the lead." in page
    assert "1 Ana went out +55" in page
    assert "No card left 0 in hand" in page
    assert f"2 You {MINUS}43 Nothing laid 0 laid" in page
    assert f"{MINUS}43 in hand" in page
    assert "55 of 500" in page


def test_the_winner_of_the_deal_is_spoken_to() -> None:
    assert "You went out and take the lead." in words(visitor("Ana").get(f"/t/{one_deal_over().code}/deals/0/"))


def test_laid_less_held_is_the_score_and_the_totals_add_up() -> None:
    seed, moves, scores = OUT_OF_THREE
    game = running("Ana", "Bogdan", "Céline", seed=seed)
    play(game, moves)
    settle(game)
    results = {result.name: result for result in context(fresh(game), "Ana")["results"]}
    for name, score in zip(("Ana", "Bogdan", "Céline"), scores, strict=True):
        assert results[name].laid + results[name].in_hand == results[name].score == results[name].total == score
    assert [result.place for result in context(fresh(game), "Ana")["results"]] == [1, 2, 3]


def test_the_cards_shown_are_those_laid_and_held() -> None:
    game = one_deal_over()
    row = game.deals.get(number=0)
    for result, hand in zip(context(game, "Ana")["results"], row.hands.all(), strict=True):
        assert sorted(chain.from_iterable(result.hand_groups)) == sorted(hand.cards)
        assert all(len(group) <= 7 for group in result.hand_groups + result.laid_groups)


def test_a_change_of_places_is_told() -> None:
    game = one_deal_over()
    run_out(game)
    settle(game)
    second = context(fresh(game), "Ana", 1)
    totals = {result.name: result.total for result in second["results"]}
    assert totals == {str(seat.user): seat.total for seat in game.seats.all()}
    assert [result.was for result in second["results"]] == ([None, None] if totals["Ana"] > totals["Bogdan"] else [2, 1])


def test_the_next_deal_is_a_tap_away_and_then_seen() -> None:
    game = one_deal_over()
    client = visitor("Ana")
    page = client.get(f"/t/{game.code}/deals/0/")
    assert "Next deal Ana deals, you play first" in words(page) or "Next deal you deal, Bogdan plays first" in words(page)
    assert page.content.decode().count('class="btn go"') == 1

    for _tap in range(2):
        assert client.post(f"/t/{game.code}/deals/0/go-on/")["Location"] == f"/t/{game.code}/"
    assert seat(game, "Ana").seen_deal == 0
    assert client.get(f"/t/{game.code}/").status_code == 200
    assert "Next deal" not in words(client.get(f"/t/{game.code}/deals/0/"))


@pytest.mark.parametrize("number", [1, 5])
def test_nobody_goes_on_from_a_deal_that_is_not_over(number: int) -> None:
    game = one_deal_over()
    visitor("Ana").post(f"/t/{game.code}/deals/{number}/go-on/")
    assert seat(game, "Ana").seen_deal == -1


def test_a_deal_that_lasts_shows_nothing() -> None:
    game = one_deal_over()
    for number in (1, 2, 99999):
        assert visitor("Ana").get(f"/t/{game.code}/deals/{number}/").status_code == 404


def test_a_deal_that_is_over_but_not_counted_shows_nothing() -> None:
    seed, moves, _scores = OUT_OF_TWO
    game = running("Ana", "Bogdan", seed=seed)
    play(game, moves)
    assert visitor("Ana").get(f"/t/{game.code}/deals/0/").status_code == 404


def test_a_spectator_sees_the_result_of_a_public_table_and_has_nothing_to_go_on_from() -> None:
    game = one_deal_over()
    answer = visitor("Céline").get(f"/t/{game.code}/deals/0/")
    assert "Ana went out and takes the lead." in words(answer)
    assert "go-on" not in answer.content.decode()


def test_the_result_takes_few_queries(django_assert_max_num_queries: Any) -> None:
    game = one_deal_over()
    client = visitor("Ana")
    with django_assert_max_num_queries(11):
        client.get(f"/t/{game.code}/deals/0/")


# -- the finished match -------------------------------------------------------------------------


def test_the_finished_match_has_its_winner_totals_and_sheet() -> None:
    game = one_deal_over(options={"target": 50})
    page = words(visitor("Bogdan").get(f"/t/{game.code}/"))
    assert "Ana wins the match." in page
    assert "Friday: Rami 500, first to 50. 1 deal, finished on March 1, 2026." in page
    assert f"1 Ana won 55 2 You {MINUS}43" in page
    assert f"Ana You Deal 1 55 {MINUS}43 Total 55 {MINUS}43" in page


def test_the_winner_is_spoken_to_and_can_play_again() -> None:
    game = one_deal_over(options={"target": 50})
    page = visitor("Ana").get(f"/t/{game.code}/")
    assert "You win the match." in words(page)
    assert f'href="/tables/new/?like={game.code}"' in page.content.decode()
    assert f'href="/t/{game.code}/deals/0/"' in page.content.decode()


def test_the_last_deal_leads_to_the_sheet() -> None:
    game = one_deal_over(options={"target": 50})
    page = words(visitor("Ana").get(f"/t/{game.code}/deals/0/"))
    assert "You went out and win the match." in page
    assert "To the match sheet" in page


def test_the_finished_match_takes_few_queries(django_assert_max_num_queries: Any) -> None:
    game = one_deal_over(options={"target": 50})
    client = visitor("Ana")
    with django_assert_max_num_queries(9):
        client.get(f"/t/{game.code}/")


def test_a_single_deal_has_no_bar_to_a_target() -> None:
    game = one_deal_over(options={"target": None})
    page = visitor("Ana").get(f"/t/{game.code}/deals/0/")
    assert "Total 55" in words(page)
    assert "meter" not in page.content.decode()


# -- resigning ----------------------------------------------------------------------------------


def test_resigning_is_asked_first() -> None:
    game = running("Ana", "Bogdan", title="Friday")
    client = visitor("Ana")
    before = rows()
    page = words(client.get(f"/t/{game.code}/resign/"))
    assert "Resign from Friday?" in page
    assert "The match ends at once, and Bogdan wins it." in page
    assert rows() == before


def test_of_three_the_others_play_on() -> None:
    game = running("Ana", "Bogdan", "Céline")
    client = visitor("Ana")
    assert "Bogdan and Céline play on; your seat is passed over." in words(client.get(f"/t/{game.code}/resign/"))
    answer = client.post(f"/t/{game.code}/resign/")
    assert "You have resigned." in said(client, answer)
    assert seat(game, "Ana").resigned


def test_resigning_twice_is_resigning_once() -> None:
    game = running("Ana", "Bogdan", "Céline")
    client = visitor("Ana")
    for _tap in range(2):
        assert client.post(f"/t/{game.code}/resign/")["Location"] == f"/t/{game.code}/"
    assert [entry.text for entry in game.entries.all()].count("R") == 1
    assert client.get(f"/t/{game.code}/resign/")["Location"] == f"/t/{game.code}/"


def test_the_last_one_left_wins() -> None:
    game = running("Ana", "Bogdan")
    visitor("Ana").post(f"/t/{game.code}/resign/")
    settle(game)
    page = words(visitor("Bogdan").get(f"/t/{game.code}/"))
    assert "You win the match." in page
    assert "2 Ana resigned" in page
    assert "Only one player is left. You win the match." in words(visitor("Bogdan").get(f"/t/{game.code}/deals/0/"))


def test_from_a_finished_match_nobody_resigns() -> None:
    game = one_deal_over(options={"target": 50})
    client = visitor("Bogdan")
    assert client.get(f"/t/{game.code}/resign/")["Location"] == f"/t/{game.code}/"
    answer = client.post(f"/t/{game.code}/resign/")
    assert answer["Location"] == f"/t/{game.code}/"
    assert not seat(game, "Bogdan").resigned


def test_a_stranger_has_nothing_to_resign() -> None:
    game = running("Ana", "Bogdan")
    for method in (visitor("Céline").get, visitor("Céline").post):
        assert method(f"/t/{game.code}/resign/").status_code == 404


def test_a_player_who_has_gone_has_no_name_any_more() -> None:
    game = one_deal_over(options={"target": 50})
    bogdan = player("Bogdan")
    bogdan.is_active = False
    bogdan.save()
    page = words(visitor("Ana").get(f"/t/{game.code}/"))
    assert "2 deleted player" in page
    assert "Bogdan" not in page


def test_a_seat_that_resigned_is_last_whatever_its_points() -> None:
    seed, moves, _scores = OUT_OF_THREE
    game = running("Ana", "Bogdan", "Céline", seed=seed, options={"target": 1000})
    play(game, moves)
    settle(game)
    for name in ("Ana", "Bogdan"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    settle(game)
    places = re.findall(r"(\d) (Ana|Bogdan|You)", words(visitor("Céline").get(f"/t/{game.code}/")))
    assert places[:3] == [("1", "You"), ("2", "Ana"), ("3", "Bogdan")]
