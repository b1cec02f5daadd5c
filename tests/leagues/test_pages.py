"""The pages of leagues as people meet them: reading, joining, leaving, making tables, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.leagues import presenters
from accounts.leagues.services import leagues, ledger, members, seasons
from accounts.models import League, Membership, Message, Season, User
from accounts.people.services import make_guest
from games.models import Game
from tests.games.pages import visitor, words
from tests.games.playing import DAY, NOON, player
from tests.leagues.playing import again, end_deal, league, match, new_league

pytestmark = pytest.mark.django_db


def home(season: Season) -> str:
    return f"/l/{season.league.code}/"


def said(client: Client, path: str, **data: Any) -> str:
    """What the page says to which a POST leads."""
    answer = client.post(path, data)
    assert answer.status_code == 302, words(answer)
    return words(client.get(answer["Location"]))


def in_league(season: Season, name: str) -> bool:
    return season.league.memberships.filter(user=player(name), until=None).exists()


def adjusted(season: Season, name: str, more: int, reason: str) -> None:
    code, user_id = season.league.code, player(name).pk
    ledger.adjust(code=code, by=player("Ana"), user_id=user_id, points=more, reason=reason, request="a", now=NOON)


# -- the list ------------------------------------------------------------------------------------


def test_an_empty_list_offers_to_make_the_first_league() -> None:
    page = visitor("Ana").get("/leagues/")
    assert "There is no league yet" in words(page)
    assert page.content.count(b'class="btn go"') == 1


def test_my_leagues_come_first_and_those_by_link_are_not_offered() -> None:
    new_league("Ana", name="Mine")
    new_league("Bogdan", name="Open to all")
    new_league("Bogdan", name="Behind a link", joining="link")
    page = words(visitor("Ana").get("/leagues/"))
    assert page.index("Mine") < page.index("Open to all")
    assert "Behind a link" not in page
    assert "Behind a link" in words(visitor("Bogdan").get("/leagues/"))


# -- the league ----------------------------------------------------------------------------------


def test_the_table_moves_with_a_match_and_its_pages_say_so() -> None:
    season = league("Ana", "Bogdan", "Céline")
    game = match(season, "Ana", "Bogdan")
    before = words(visitor("Ana").get(home(season)))
    assert "No deal has been finished in this season." in before and "Matches under way" in before
    end_deal(game)
    page = words(visitor("Ana").get(home(season)))
    assert "You are in place 1, 445 points from lap 1." in page
    assert "1 Ana (you) 0 laps 55 1 1 55 55 1 0 new 1 55" in page
    assert "2 Bogdan 0 laps 0 1 0 −43 −43 0 0 new 2 −43" in page
    assert "Not in the table yet: Céline" in page
    assert "You 55 , Bogdan −43" in page.replace("You 55, ", "You 55 , ")
    for address in (f"/t/{game.code}/", f"/t/{game.code}/deals/0/"):
        over = words(visitor("Bogdan").get(address))
        assert "Friday league Points and places in season 1" in over
        assert "Ana new, place 1 +55 You new, place 2 −43" in over


def test_a_rank_that_changes_is_told_on_both_pages() -> None:
    season = league("Ana", "Bogdan")
    adjusted(season, "Bogdan", 60, "Gift")
    end_deal(match(season, "Ana", "Bogdan"))
    page = visitor("Bogdan").get(home(season))
    assert "Ana" in words(page) and page.content.count("▲".encode()) == 0  # Ana was in no place before
    end_deal(match(season, "Bogdan", "Ana"))  # 72 for Bogdan, 12 for Ana
    page = visitor("Ana").get(home(season))
    assert page.content.count("▲".encode()) == page.content.count("▼".encode()) == 1
    assert "up 1 place" in page.content.decode()


def test_the_order_is_printed_and_what_is_level_shares_the_place() -> None:
    season = league("Ana", "Bogdan")
    for name in ("Ana", "Bogdan"):
        adjusted(season, name, 9, "So")
    page = words(visitor("Ana").get(home(season)))
    assert "Order: points, then matches won" in page
    assert "You share place 1, 491 points from lap 1." in page


def test_results_under_dispute_are_marked_provisional() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    season.matches.update(provisional=True)
    page = words(visitor("Ana").get(home(season)))
    assert page.count("provisional") == 3  # two lines, one result
    assert "these points are provisional" in words(visitor("Ana").get(f"/t/{game.code}/"))


def test_the_chart_has_its_words_for_those_who_do_not_see_it() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    page = visitor("Bogdan").get(home(season)).content.decode()
    assert 'aria-label="Cumulative points over time. Ana leads with 55. You have −43."' in page
    assert page.count("<polyline") == 2 and 'class="me"' in page
    end_deal(match(season, "Bogdan", "Ana"))
    assert "Cumulative points over time. Ana shares the first place, with 12." in visitor().get(home(season)).content.decode()


def test_rows_say_why_and_a_player_s_rows_add_up() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    adjusted(season, "Bogdan", -7, "Was late")
    page = words(visitor().get(f"{home(season)}seasons/1/players/Bogdan/"))
    assert "Friday league 1 , deal 1 −43" in page.replace("league 1, deal", "league 1 , deal")
    assert "adjusted Was late — Ana −7" in page and "Points −50" in page
    whole = words(visitor().get(f"{home(season)}seasons/1/ledger/"))
    assert "Bogdan" in whole and "+55" in whole
    assert visitor().get(f"{home(season)}seasons/1/players/Nobody/").status_code == 404


def test_what_set_two_apart_who_are_level_stands_among_the_figures() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    path = f"{home(season)}seasons/1/players/Ana/"
    assert "Head to head" not in words(visitor().get(path))
    season.standings.filter(player=player("Ana")).update(head_to_head=2)
    assert "Head to head +2" in words(visitor().get(path))


def test_a_season_that_is_over_has_its_champion_and_its_page() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    seasons.close(code=season.league.code, by=player("Ana"), now=NOON)
    assert "Champion: Ana" in words(visitor().get(home(season)))
    seasons.start(code=season.league.code, by=player("Ana"), now=NOON + DAY)
    page = words(visitor("Bogdan").get(home(season)))
    assert "Past seasons Season 1" in page and "Ana 55" in page
    past = words(visitor().get(f"{home(season)}seasons/1/"))
    assert "Champion: Ana" in past and "ended on March 1, 2026" in past and "Bogdan" in past
    assert visitor().get(f"{home(season)}seasons/9/").status_code == 404


def test_the_table_takes_five_queries_and_the_page_few(django_assert_max_num_queries: Any) -> None:
    from accounts.leagues import presenters

    season = league("Ana", "Bogdan", "Céline")
    end_deal(match(season, "Ana", "Bogdan"))
    season, reader = again(season), player("Céline")
    with django_assert_max_num_queries(5):
        assert len(presenters.standing(season, reader).lines) == 2
    client = visitor("Ana")
    client.get(home(season))
    with django_assert_max_num_queries(24):
        client.get(home(season))


def test_a_long_table_comes_in_pages_with_the_own_line_on_the_first() -> None:
    from accounts.models import Standing

    season = league("Ana", "Bogdan")
    users = User.objects.bulk_create([User(username=f"Player {number:03}") for number in range(250)])
    rest = dict.fromkeys(
        ("matches", "won", "laps", "deals", "deal_points", "outs", "deals_won", "head_to_head", "forfeits", "server_turns"), 0
    )
    everybody = [*users, player("Ana")]
    Standing.objects.bulk_create(
        [Standing(season=season, player=user, rank=place, points=300 - place, **rest) for place, user in enumerate(everybody, 1)]
    )
    page = visitor("Ana").get(home(season))
    rows = re.findall(r"<tr[ >]", page.content.decode().split('<table class="standing">')[1].split("</table>")[0])
    assert len(rows) == 1 + 50 + 1
    assert "251 Ana (you)" in words(page) and "page 1 of 6" in words(page)
    assert len(page.content) < 80_000
    last = words(visitor("Ana").get(home(season) + "?page=5"))
    assert "Player 249" in last and last.count("(you)") == 1


# -- coming and going ----------------------------------------------------------------------------


def test_joining_is_one_tap_and_twice_is_once() -> None:
    season = league("Ana")
    client = visitor("Bogdan")
    assert "Join the league" in words(client.get(home(season)))
    for _tap in range(2):
        assert "You are a member now." in said(client, home(season) + "join/")
    assert season.league.memberships.filter(user=player("Bogdan")).count() == 1


def test_the_link_of_a_league_opens_it_and_no_other_does() -> None:
    season = league("Ana", joining="link")
    client = visitor("Bogdan")
    assert "joined by a link alone" in words(client.get(home(season)))
    assert "This league is joined by a link alone." in said(client, home(season) + "join/", invite="wrong")
    assert not in_league(season, "Bogdan")
    invited = client.get(home(season), {"invite": season.league.invite})
    assert "Join the league" in words(invited)
    said(client, home(season) + "join/", invite=season.league.invite)
    assert in_league(season, "Bogdan")
    assert season.league.invite in client.get(home(season)).content.decode()
    assert season.league.invite not in visitor("Céline").get(home(season)).content.decode()


def test_who_asks_waits_for_the_organiser_and_may_ask_no_more() -> None:
    season = league("Ana", joining="approval")
    client = visitor("Bogdan")
    assert "You have asked to join; the organiser decides." in said(client, home(season) + "join/")
    assert "Ask to join" in said(client, home(season) + "withdraw/")
    client.post(home(season) + "join/")
    boss = visitor("Ana")
    assert "1 asks to join" in words(boss.get(home(season)))
    assert "Let in." in said(boss, home(season) + "answer/", player=player("Bogdan").pk, act="accept")
    assert in_league(season, "Bogdan")
    assert "Nobody waits for this answer" in said(boss, home(season) + "answer/", player=player("Bogdan").pk, act="refuse")


def test_guests_are_told_to_sign_up_and_join_nothing() -> None:
    season, guest = league("Ana"), Client()
    person = make_guest(language="en", now=NOON)
    guest.force_login(person)
    assert "Sign up to join" in words(guest.get(home(season)))
    assert "A guest cannot belong to a league" in words(guest.get("/leagues/new/"))
    assert "A guest cannot belong to a league." in said(guest, home(season) + "join/")
    assert not Membership.objects.filter(user=person).exists()
    assert guest.post("/leagues/new/", {"name": "Mine"}).status_code == 200
    assert League.objects.count() == 1


def test_who_is_logged_out_comes_back_to_the_league() -> None:
    season = league("Ana")
    assert f"/account/login/?next=%2Fl%2F{season.league.code}%2F" in visitor().get(home(season)).content.decode()
    assert visitor().post(home(season) + "join/").status_code == 302
    assert season.league.memberships.count() == 1


def test_leaving_with_a_match_under_way_keeps_what_is_played() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    assert "You have left the league." in said(visitor("Bogdan"), home(season) + "leave/")
    end_deal(game)
    assert "Bogdan 0 laps 0 1 0 −43" in words(visitor("Ana").get(home(season)))
    assert "The organiser cannot leave the league." in said(visitor("Ana"), home(season) + "leave/")


def test_a_closed_league_takes_nobody_in_and_makes_no_table() -> None:
    season = league("Ana", "Bogdan")
    seasons.close(code=season.league.code, by=player("Ana"), now=NOON)
    leagues.close(code=season.league.code, by=player("Ana"), now=NOON)
    page = words(visitor("Céline").get(home(season)))
    assert "This league is closed" in page and "Join the league" not in page
    assert "This league is closed." in said(visitor("Céline"), home(season) + "join/")
    assert "There is no such season under way." in said(visitor("Bogdan"), home(season) + "table/", seats=2)
    assert not in_league(season, "Céline") and not Game.objects.exists()


def test_the_expelled_do_not_come_back_by_themselves() -> None:
    season = league("Ana", "Bogdan")
    members.expel(code=season.league.code, by=player("Ana"), user_id=player("Bogdan").pk, reason="Cheated", now=NOON)
    assert "You were expelled from this league." in said(visitor("Bogdan"), home(season) + "join/")


# -- tables --------------------------------------------------------------------------------------


def test_a_member_opens_a_table_by_the_terms_of_the_league_and_others_find_it() -> None:
    season = league("Ana", "Bogdan")
    answer = visitor("Bogdan").post(home(season) + "table/", {"seats": 2})
    game = Game.objects.get()
    assert answer["Location"] == f"/t/{game.code}/"
    assert (game.variant, game.turn_time, game.excuses) == ("rami500", DAY, 0)
    page = visitor("Ana").get(home(season))
    assert "Friday league 1 Bogdan · 1 seat free Join" in words(page)
    assert f'formaction="/t/{game.code}/join/"' in page.content.decode()
    assert "Friday league season 1" in words(visitor("Ana").get(f"/t/{game.code}/"))


def test_a_table_that_waits_for_players_stands_before_however_many_are_under_way() -> None:
    season = league("Ana", "Bogdan")
    visitor("Bogdan").post(home(season) + "table/", {"seats": 2})
    waiting = Game.objects.get()
    for _number in range(2):
        match(season, "Ana", "Bogdan", now=NOON + DAY)
    shown = presenters.matches(season, player("Ana"), ["open", "running"], member=True, most=2)
    assert [row.status for row in shown] == ["open", "running"] and shown[0].code == waiting.code


def test_a_table_of_a_league_shows_its_door_to_members_alone() -> None:
    season = league("Ana", "Bogdan", "Eva")
    visitor("Bogdan").post(home(season) + "table/", {"seats": 3})
    path = f"/t/{Game.objects.get().code}/"
    assert "formaction" not in visitor("Dan").get(path).content.decode()
    for client in (visitor("Dan"), visitor()):
        page = words(client.get(path))
        assert "Only members of its league sit at this table." in page and "Join" not in page.split("The terms")[0]
    assert "Join" in words(visitor("Ana").get(path))
    maker = words(visitor("Bogdan").get(path))
    assert "Start now" not in maker and "It starts by itself" in maker  # no computer plays in this league


def test_where_computers_may_sit_the_maker_may_begin_with_them() -> None:
    season = league("Ana", "Bogdan", bots=True)
    visitor("Ana").post(home(season) + "table/", {"seats": 3, "computers": 1})
    game = Game.objects.get()
    assert game.seats.exclude(bot="").count() == 1
    alone = words(visitor("Ana").get(f"/t/{game.code}/"))
    assert "Start now" in alone and "With the computer alone the match does not count in the league." in alone


def test_at_a_table_with_another_member_nothing_speaks_of_not_counting() -> None:
    season = league("Ana", "Bogdan", bots=True)
    visitor("Ana").post(home(season) + "table/", {"seats": 3})
    game = Game.objects.get()
    visitor("Bogdan").post(f"/t/{game.code}/join/")
    both = words(visitor("Ana").get(f"/t/{game.code}/"))
    assert "Start now" in both and "does not count" not in both


def test_whoever_was_expelled_reads_so_in_place_of_the_button() -> None:
    season = league("Ana", "Bogdan")
    bogdan = visitor("Bogdan")
    members.expel(code=season.league.code, by=player("Ana"), user_id=player("Bogdan").pk, reason="Words", now=NOON)
    page = words(bogdan.get(home(season)))
    assert "You were expelled from this league. The organiser may take you back." in page and "Join the league" not in page
    members.readmit(code=season.league.code, by=player("Ana"), user_id=player("Bogdan").pk, now=NOON)
    assert "You were expelled" not in words(bogdan.get(home(season)))
    assert "Join the league" in words(visitor("Dan").get(home(season)))


@pytest.mark.parametrize("seats", ["", "9", "x", "-2", "9" * 30, "²"])
def test_a_table_of_no_such_seats_is_refused(seats: str) -> None:
    season = league("Ana", "Bogdan")
    assert "The league does not play with so many seats." in said(visitor("Ana"), home(season) + "table/", seats=seats)
    assert not Game.objects.exists()


def test_a_stranger_makes_no_table_and_sits_at_none() -> None:
    season = league("Ana", "Bogdan")
    assert "Only members of its league sit at this table." in said(visitor("Dan"), home(season) + "table/", seats=2)
    visitor("Ana").post(home(season) + "table/", {"seats": 2})
    game = Game.objects.get()
    refused = said(visitor("Dan"), f"/t/{game.code}/join/")
    assert "Join the league first" in refused and "Friday league season 1" in refused
    assert game.seats.count() == 1


def test_the_table_names_its_league_while_it_is_played() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    page = visitor("Ana").get(f"/t/{game.code}/").content.decode()
    assert f'href="/l/{season.league.code}/"' in page and "Friday league" in page


def test_a_league_without_a_season_has_its_page() -> None:
    made = new_league("Ana")
    assert "No season is under way." in words(visitor("Ana").get(f"/l/{made.code}/"))


# -- names that are more than names --------------------------------------------------------------

HTML = "<b onclick=x>&\"'"


def test_names_rules_and_reasons_are_never_markup() -> None:
    season = league("Ana", "Bogdan", name=f"L {HTML}", rules=f"R {HTML}\nsecond line")
    end_deal(match(season, "Ana", "Bogdan"))
    adjusted(season, "Ana", 5, f"Y {HTML}")
    members.leave(code=season.league.code, user=player("Bogdan"), now=NOON)
    boss, game = visitor("Ana"), Game.objects.get()
    paths = [
        "/leagues/", home(season), *(home(season) + rest for rest in (
            "embed/", "members/", "members/Bogdan/", "manage/", "edit/", "seasons/1/ledger/", "seasons/1/", "seasons/1/matches/",
        )), f"/t/{game.code}/", f"/t/{game.code}/deals/0/",
    ]  # fmt: skip
    for path in paths:
        page = boss.get(path)
        assert page.status_code == 200, path
        assert "<b onclick" not in page.content.decode(), path
        assert "L &lt;b onclick=x&gt;" in page.content.decode(), path
    frame = re.search(r"<textarea[^>]*>(.*?)</textarea>", boss.get(home(season) + "manage/").content.decode(), re.S)
    assert frame and "&amp;lt;b onclick" in frame[1]  # what is copied is safe where it is pasted


def test_news_of_a_league_lead_to_it() -> None:
    season = league("Ana", "Bogdan")
    told = Message.objects.filter(kind="league").first()
    assert told is not None and told.facts["path"] == home(season)


def test_members_are_listed_as_an_alphabet_has_them() -> None:
    names = ["Vlad", "Élodie", "Ștefan", "ana", "Zoe", "Emil", "Sanda", "Țuțu"]
    season = league(*names)
    listed = re.findall(r'href="/u/[^"]+/">([^<]+)</a>', visitor("Vlad").get(home(season) + "members/").content.decode())
    assert listed == ["ana", "Élodie", "Emil", "Sanda", "Ștefan", "Țuțu", "Vlad", "Zoe"]
