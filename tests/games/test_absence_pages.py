"""What an absent player, the others and a substitute see and may tap."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from games import selectors
from games.models import Game, Reliability
from games.presenters.result import SeatResult, result_context
from games.services import absence, turns
from games.services.errors import NoSuchTable
from tests.games.pages import HTMX, said, visitor, words
from tests.games.playing import DAY, NOON, at, fresh, open_table, play, player, quick_turn, running, seat, settle

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LINK = Game.Visibility.LINK


def table(**terms: Any) -> Game:
    """Three play, and Ana has just become absent; Bogdan is on turn."""
    game = running("Ana", "Bogdan", "Chloé", absent_after=1, title="Joi", **terms)
    assert turns.expire(game_id=game.pk, now=NOON + DAY)
    return fresh(game)


def url(game: Game, more: str = "") -> str:
    return f"/t/{game.code}/{more}"


def rest_of(game: Game) -> None:
    """Play the present deal to its end and count it."""
    Game.objects.filter(pk=game.pk).update(absent_after=100)
    game.seats.update(absent_since=None, absent_until=None)
    while at(game).deal.phase != "over":
        quick_turn(game)
    settle(game)


# -- the absent player --------------------------------------------------------------------------


def test_an_absent_player_sees_their_hand_and_one_gold_button() -> None:
    game = table()
    page = visitor("Ana").get(url(game))
    html = page.content.decode()
    assert "The computer plays for you" in words(page)
    assert html.count("btn go") == 2  # the way past the navigation, and this
    assert f'<button class="btn go" formaction="/t/{game.code}/back/">I am back</button>' in html
    assert 'id="cards"' in html


def test_on_their_turn_nothing_is_offered_that_would_be_refused() -> None:
    game = table()
    quick_turn(game)
    quick_turn(game)
    assert (fresh(game).to_move, fresh(game).awaits_server) == (0, True)
    html = visitor("Ana").get(url(game)).content.decode()
    assert 'name="move"' not in html
    assert "I am back" in html


def test_back_is_one_tap_with_and_without_script() -> None:
    game = table()
    ana = visitor("Ana")
    answer = ana.post(url(game, "back/"))
    assert (answer.status_code, answer["Location"]) == (302, url(game))
    assert not seat(game, "Ana").absent
    again = table()
    fragment = ana.post(url(again, "back/"), headers=HTMX)
    assert fragment.status_code == 200
    assert "I am back" not in fragment.content.decode()
    assert "Your hand waits here" in words(fragment)


def test_a_move_from_before_is_answered_with_what_to_do() -> None:
    game = table()
    quick_turn(game)
    quick_turn(game)
    answer = visitor("Ana").post(url(game, "play/"), {"move": "S", "version": fresh(game).version}, headers=HTMX)
    assert "The computer plays for you at the moment. Say that you are back, and play on." in words(answer)
    assert "I am back" in answer.content.decode()


@pytest.mark.parametrize("more", ["log/", "deals/0/"])
def test_any_page_of_the_table_offers_the_way_back(more: str) -> None:
    game = table(options={"target": 1000})
    rest_of(game)
    game.seats.filter(index=0).update(absent_since=NOON, absent_until=NOON + DAY)
    page = visitor("Ana").get(url(game, more)).content.decode()
    assert f'action="/t/{game.code}/back/"' in page
    assert page.count("btn go") == 2
    assert f'action="/t/{game.code}/back/"' not in visitor("Bogdan").get(url(game, more)).content.decode()


def test_my_games_has_the_table_first_and_says_why() -> None:
    game = table()
    page = words(visitor("Ana").get("/tables/"))
    assert "1 table waits for you" in page
    assert "You are absent: the computer plays for you until you are back." in page
    back = visitor("Ana").post(url(game, "back/"))
    assert back.status_code == 302
    assert "You are absent" not in words(visitor("Ana").get("/tables/"))


def test_too_late_to_be_back_the_table_says_so_and_stays_in_sight() -> None:
    game = table(visibility=LINK)
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    ana = visitor("Ana")
    answer = ana.post(url(game, "back/"))
    assert answer["Location"] == url(game)
    page = said(ana, answer)
    assert "Somebody else has taken your seat over. You can still watch how it goes on." in page
    assert "You are watching" in page


def test_back_is_for_who_sits_there() -> None:
    game = table()
    assert visitor("Dan").post(url(game, "back/")).status_code == 404
    assert visitor().post(url(game, "back/")).status_code == 302
    assert visitor("Ana").get(url(game, "back/")).status_code == 405
    assert seat(game, "Ana").absent


# -- the others ---------------------------------------------------------------------------------


def test_the_others_see_for_whom_the_computer_plays() -> None:
    game = table()
    page = visitor("Bogdan").get(url(game))
    assert "the computer plays for Ana" in words(page)
    assert "stayed away: the computer plays meanwhile" in words(page)
    assert "I am back" not in words(page)


def test_a_table_left_by_all_says_that_it_waits() -> None:
    game = running("Ana", "Bogdan", absent_after=1)
    for _turn in range(2):
        turns.expire(game_id=game.pk, now=fresh(game).deadline or NOON)
    assert fresh(game).deserted
    assert "Everybody is absent: the table waits" in words(visitor("Dan").get(url(game)))
    for name in ("Ana", "Bogdan"):  # whose turn it is, and the other
        page = visitor(name).get(url(game))
        assert "<title>Everybody is absent: the table waits · " in page.content.decode()
        assert "The computer plays for you" not in words(page)


# -- the substitute -----------------------------------------------------------------------------


def test_the_lobby_offers_the_seat_with_what_comes_with_it() -> None:
    game = table()
    game.seats.filter(index=0).update(total=180)
    page = visitor("Dan").get("/lobby/")
    cards = len(at(game).hands[0].cards)
    assert f"Take over Joi: {cards} cards and 180 points" in words(page)
    assert f'href="/t/{game.code}/take-over/"' in page.content.decode()


def test_the_lobby_offers_no_seat_to_who_plays_or_has_played_there_nor_at_tables_by_link() -> None:
    game = table()
    table(visibility=LINK)
    for name in ("Ana", "Bogdan"):
        assert "A seat is free" not in words(visitor(name).get("/lobby/"))
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    for name in ("Ana", "Dan", "Eva"):
        assert "A seat is free" not in words(visitor(name).get("/lobby/"))


def test_the_filters_of_the_lobby_hold_for_free_seats() -> None:
    table()
    assert "A seat is free" in words(visitor("Dan").get("/lobby/?game=rami500"))
    assert "A seat is free" not in words(visitor("Dan").get("/lobby/?game=remi500"))


def test_the_queries_of_the_lobby_do_not_grow_with_the_seats_it_offers(django_assert_num_queries: Any) -> None:
    client = visitor("Dan")
    table()
    with django_assert_num_queries(9):
        client.get("/lobby/")
    for _table in range(3):
        table()
    with django_assert_num_queries(9):
        assert client.get("/lobby/").status_code == 200


def test_a_spectator_is_shown_the_free_seat_and_its_page_the_terms_and_the_score() -> None:
    game = table(options={"target": 1000})
    dan = visitor("Dan")
    assert f'class="btn go" href="/t/{game.code}/take-over/"' in dan.get(url(game)).content.decode()
    page = words(dan.get(url(game, "take-over/")))
    assert "The seat of Ana is free" in page
    assert "Deal 1 still counts for Ana; those after it count for you." in page
    assert "The terms Game Rami 500, first to 1000" in page


def test_taking_over_leads_to_the_table_with_the_hand() -> None:
    game = table()
    dan = visitor("Dan")
    answer = dan.post(url(game, "take-over/"), {"seat": "0"})
    assert answer["Location"] == url(game)
    page = dan.get(url(game))
    assert 'id="cards"' in page.content.decode()
    assert "You took over the seat of Ana" in words(page)
    assert seat(game, "Dan").index == 0


def test_a_move_at_a_table_with_a_substitute_is_at_most_a_dozen_queries(django_assert_max_num_queries: Any) -> None:
    game = table()
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    quick_turn(game)
    quick_turn(game)
    dan = visitor("Dan")
    for move in ("S", "D:" + at(game).hands[0].cards[0]):
        with django_assert_max_num_queries(12):
            answer = dan.post(url(game, "play/"), {"move": move, "version": fresh(game).version}, headers=HTMX)
        assert answer.status_code == 200
    assert fresh(game).to_move == 1


@pytest.mark.parametrize(
    "sent", [{}, {"seat": "1"}, {"seat": "x"}, {"seat": "-1"}, {"seat": "99999999999999999999"}, {"seat": "²"}]
)
def test_what_is_no_free_seat_is_refused_in_a_sentence(sent: dict[str, str]) -> None:
    game = table()
    dan = visitor("Dan")
    assert "This seat is not free." in said(dan, dan.post(url(game, "take-over/"), sent))
    assert not game.seats.filter(user=player("Dan")).exists()


def test_who_is_not_reliable_enough_reads_so() -> None:
    game = table(min_reliability=90)
    dan = visitor("Dan")
    Reliability.objects.create(user=player("Dan"), recent="0" * 10)
    assert "plays more of" not in said(dan, dan.post(url(game, "take-over/"), {"seat": "0"}))
    dan.post(url(game, "take-over/"), {"seat": "0"})
    assert "This table asks for players who play more of their turns in time." in words(dan.get(url(game)))


def test_a_visitor_with_the_link_takes_the_seat_over_as_a_guest() -> None:
    game = table(visibility=LINK)
    client = visitor()
    answer = client.get(url(game))
    assert answer["Location"] == url(game, "take-over/")
    assert "as a guest" in words(client.get(answer["Location"]))
    taken = client.post(url(game, "take-over/"), {"seat": "0"})
    assert taken["Location"] == url(game)
    guest = game.seats.get(index=0).user
    assert guest is not None and guest.is_guest


def test_a_table_by_link_shows_public_facts_while_a_seat_is_offered_and_nothing_else() -> None:
    game = table(visibility=LINK)
    page = visitor("Dan").get(url(game))
    assert page.status_code == 200
    assert 'id="cards"' not in page.content.decode()
    assert visitor("Dan").get(url(game, f"poll/{game.version}/")).status_code == 204
    absence.back(code=game.code, user=player("Ana"), now=NOON)
    for more in ("", "take-over/", "log/", f"poll/{game.version}/"):
        assert visitor("Dan").get(url(game, more)).status_code == 404


def test_a_former_player_watches_a_table_by_link_to_its_end() -> None:
    game = table(visibility=LINK, options={"target": 1000})
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    ana = visitor("Ana")
    page = ana.get(url(game)).content.decode()
    assert 'id="cards"' not in page and "You are watching" in page
    rest_of(game)
    assert ana.get(url(game, "deals/0/")).status_code == 200
    assert ana.get(url(game, f"poll/{fresh(game).version}/")).status_code == 204
    for name in ("Bogdan", "Chloé"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    settle(game)
    assert fresh(game).status == "finished"
    assert "wins the match" in words(ana.get(url(game)))
    assert visitor("Eva").get(url(game)).status_code == 404
    with pytest.raises(NoSuchTable):
        selectors.game_version(code=game.code, user=player("Eva"))


@pytest.mark.parametrize(
    ("totals", "place"), [((0, 0, 0), ""), ((5, 9, -3), "Number 2 by points."), ((9, 9, 1), "Number 1 by points.")]
)
def test_a_seat_that_is_offered_says_since_when_and_its_place_where_the_points_differ(
    totals: tuple[int, ...], place: str
) -> None:
    game = table()
    for index, total in enumerate(totals):
        game.seats.filter(index=index).update(total=total)
    page = words(visitor("Dan").get(url(game, "take-over/")))
    assert f"{place} The computer has played this seat since Mon 2 Mar 12:00." in page
    assert place or "by points" not in page


def test_the_page_of_a_seat_leads_to_the_table_once_nothing_is_offered() -> None:
    game = table()
    absence.back(code=game.code, user=player("Ana"), now=NOON)
    page = words(visitor("Dan").get(url(game, "take-over/")))
    assert "No seat is free any more" in page
    over = open_table("Ana")
    assert visitor("Dan").get(url(over, "take-over/"))["Location"] == url(over)


# -- names in the log, on results and at the end ------------------------------------------------


def results(game: Game, number: int, name: str) -> list[SeatResult]:
    """The seats of a deal that is over as a person sees them, by their names."""
    seats = list(game.seats.select_related("user"))
    context = result_context(game=fresh(game), seats=seats, number=number, user=player(name))
    return sorted(context["results"], key=lambda result: result.name)


def test_old_lines_of_the_log_keep_the_name_of_who_played_them() -> None:
    game = running("Ana", "Bogdan", "Chloé", absent_after=1)
    play(game, "S")
    turns.expire(game_id=game.pk, now=NOON + DAY)
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    quick_turn(game)
    quick_turn(game)
    quick_turn(game)
    for name, dan in (("Eva", "Dan"), ("Dan", "You")):
        page = words(visitor(name).get(url(game, "log/")))
        assert "Ana drew" in page and f"{dan} took over the seat of Ana" in page and f"{dan} drew, discarded" in page


def test_the_log_tells_the_turns_of_the_computer_from_those_of_its_player() -> None:
    game = table(computers=1)
    for _turn in range(2):
        quick_turn(game)
    while turns.serve(game_id=game.pk, now=NOON, rng=random.Random(1)):
        pass
    for name, who in (("Bogdan", "Ana"), ("Ana", "You")):
        page = words(visitor(name).get(url(game, "log/")))
        assert f"{who} (computer) " in page
        assert "Computer (computer)" not in page


def test_the_result_of_a_deal_names_for_whom_it_counted() -> None:
    game = table(options={"target": 1000})
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    rest_of(game)
    assert [result.name for result in results(game, 0, "Bogdan")] == ["Ana", "Bogdan", "Chloé"]
    assert [result.you for result in results(game, 0, "Ana")] == [True, False, False]
    assert not any(result.you for result in results(game, 0, "Dan"))
    rest_of(game)
    assert [result.name for result in results(game, 1, "Bogdan")] == ["Bogdan", "Chloé", "Dan"]
    assert [result.you for result in results(game, 1, "Dan")] == [False, False, True]


def test_the_end_of_the_match_says_from_when_on_a_substitute_played() -> None:
    game = table(options={"target": 1000})
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    rest_of(game)
    for name in ("Bogdan", "Chloé"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    settle(game)
    assert "from deal 2 on; before that Ana" in words(visitor("Bogdan").get(url(game)))


def test_a_substitute_for_whom_no_deal_counted_is_named_with_who_was_absent() -> None:
    game = table(options={"target": 1000})
    absence.take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    for name in ("Bogdan", "Chloé"):
        turns.resign(code=game.code, user=player(name), now=NOON)
    settle(game)
    assert "sat down in the place of Ana" in words(visitor("Bogdan").get(url(game)))


# -- reliability --------------------------------------------------------------------------------


def test_the_lobby_and_the_waiting_room_tell_how_reliable_people_are() -> None:
    Reliability.objects.create(user=player("Ana"), recent="1" * 99 + "0")
    game = open_table("Ana", "Bogdan", seats=4, computers=1)
    for page in ("/lobby/", url(game)):
        assert "Ana 99 % Bogdan new free Computer" in words(visitor("Dan").get(page))


def test_the_lobby_leaves_out_tables_of_less_reliable_people_where_that_is_asked() -> None:
    Reliability.objects.create(user=player("Ana"), recent="1" * 92 + "0" * 8)
    open_table("Ana", title="ninety-two")
    open_table("Bogdan", title="new")
    for query, shown in (
        ("90", {"ninety-two", "new"}),
        ("95", {"new"}),
        ("", {"ninety-two", "new"}),
        ("7x", {"ninety-two", "new"}),
    ):
        page = words(visitor("Dan").get(f"/lobby/?reliability={query}"))
        assert {name for name in ("ninety-two", "new") if f"{name} Rami 500" in page} == shown


def test_who_is_not_reliable_enough_is_told_why_they_cannot_join() -> None:
    Reliability.objects.create(user=player("Dan"), recent="0" * 10)
    game = open_table("Ana", min_reliability=90)
    dan = visitor("Dan")
    assert "90 % in time" in words(dan.get("/lobby/"))
    assert "90 % of turns in time, or new" in words(dan.get(url(game)))
    assert "This table asks for players who play more of their turns in time." in said(dan, dan.post(url(game, "join/")))


def test_time_is_told_until_when_one_may_be_back() -> None:
    with time_machine.travel(NOON + DAY + HOUR, tick=False):
        game = table()
        assert "You may be back until" in words(visitor("Ana").get(url(game)))
