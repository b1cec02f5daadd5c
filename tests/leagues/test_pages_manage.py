"""The organiser's pages: forms, what they do, what they refuse, and to whom they are closed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from accounts.leagues.services import members
from accounts.models import League, LedgerRow, Membership, Season
from games.models import Game
from tests.games.pages import visitor, words
from tests.games.playing import player
from tests.leagues.playing import DAY, NOON, again, end_deal, league, match, new_league
from tests.leagues.test_pages import home, in_league, said

pytestmark = pytest.mark.django_db

TERMS = {
    "pace": "1d", "bank": "none", "cap": "2", "deadline_hour": "none", "quiet_from": "none", "quiet_to": "none", "zone": "UTC",
    "excuses": "1", "absent_after": "2", "absence_limit": "7", "min_reliability": "0", "vacations": "14",
}  # fmt: skip
FORM = {
    "name": "Friday league", "variant": "remi500", "seats_min": "2", "seats_max": "4", "joining": "approval", "target": "500",
    "top_card": "usual", "same_people": "3", "forfeit": "-50", "rules": "Be kind.", **TERMS,
}  # fmt: skip


# -- a new league, and changing it ---------------------------------------------------------------


def test_a_league_is_made_from_its_form() -> None:
    client = visitor("Ana")
    answer = client.post("/leagues/new/", FORM)
    made = League.objects.get()
    assert answer["Location"] == f"/l/{made.code}/manage/"
    assert (made.organiser, made.variant, made.options["target"]) == (player("Ana"), "remi500", 500)
    assert (made.seats_min, made.seats_max, made.same_people, made.forfeit, made.bots) == (2, 4, 3, -50, False)
    assert made.terms["vacation_days"] == 14
    assert "The first season" in words(client.get(answer["Location"]))


def test_a_league_of_tiles_has_their_options() -> None:
    tiles = {**FORM, "variant": "etalat", "tiles_target": "one", "opening": "60", "opening_shape": "run", "announce": "auto"}
    visitor("Ana").post("/leagues/new/", tiles)
    made = League.objects.get()
    assert (made.options["opening"], made.options["target"], made.options["announce"]) == (60, None, "auto")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": "  "}, "A league's name has 3 to 50 signs that can be seen."),
        ({"name": "x"}, "A league's name has 3 to 50 signs that can be seen."),
        ({"name": "Taken"}, "There is a league of this name."),
        ({"variant": "poker"}, "There is no such choice."),
        ({"seats_min": "4", "seats_max": "3"}, "These are fewer than the fewest."),
        ({"variant": "rami500", "seats_max": "6"}, "Rami 500 has at most 4 seats."),
        ({"forfeit": "50"}, "There is no such choice."),
        ({"same_people": "0"}, "There is no such choice."),
        ({"joining": ""}, "Something is missing here"),
        ({"rules": "x" * 4001}, "at most 4000 characters"),
        ({"pace": "1s"}, "There is no such choice."),
    ],
)
def test_what_makes_no_league_is_told_at_its_place(wrong: dict[str, str], told: str) -> None:
    new_league("Bogdan", name="Taken")
    answer = visitor("Ana").post("/leagues/new/", {**FORM, **wrong})
    assert answer.status_code == 422
    assert told in words(answer)
    assert League.objects.count() == 1


def test_an_empty_form_is_no_error_of_the_server() -> None:
    assert visitor("Ana").post("/leagues/new/", {}).status_code == 422


def test_the_form_of_a_league_begins_with_what_it_is() -> None:
    client = visitor("Ana")
    client.post("/leagues/new/", FORM)
    made = League.objects.get()
    page = client.get(f"/l/{made.code}/edit/")
    chosen = dict(re.findall(r'<select name="(\w+)".*?<option value="([^"]*)" selected', page.content.decode(), re.S))
    assert (chosen["same_people"], chosen["forfeit"], chosen["vacations"], chosen["seats_max"]) == ("3", "-50", "14", "4")
    assert page.content.decode().count('name="variant"') == 1
    same = dict(League.objects.values().get())
    client.post(f"/l/{made.code}/edit/", FORM)
    assert League.objects.values().get() == same
    client.post(f"/l/{made.code}/edit/", {**FORM, "name": "Saturday", "seats_max": "5"})
    made.refresh_from_db()
    assert (made.name, made.seats_max) == ("Saturday", 5)
    client.post(f"/l/{made.code}/edit/", {**FORM, "variant": "etalat"})
    made.refresh_from_db()
    assert made.variant == "remi500"


# -- to whom they are closed ---------------------------------------------------------------------

POSTS = ["answer/", "season/", "season/end/", "season/reopen/", "adjust/", "change/", "substitute/", "tables/", "edit/",
         "members/Bogdan/decide/"]  # fmt: skip


@pytest.mark.parametrize("path", POSTS)
def test_nobody_else_posts_to_the_organiser_s_addresses(path: str, snapshot: Any) -> None:
    season = league("Ana", "Bogdan", joining="approval")
    members.answer(code=season.league.code, by=player("Ana"), user_id=_asked(season, "Bogdan"), accept=True, now=NOON)
    everything = {
        "act": "expel", "reason": "So", "name": "Ana", "points": "50", "request": "x", "player": player("Bogdan").pk, "lot": "1",
        "tables": "1", "seats": "2", "until": "points", "first_to": "100", "seat": "x-0",
    }  # fmt: skip
    before = snapshot()
    for name, status in ((None, 302), ("Bogdan", 403), ("Dan", 403)):
        assert visitor(name).post(home(season) + path, everything).status_code == status
        assert visitor("Ana").post(home(season).replace(season.league.code, "nosuchone") + path, everything).status_code == 404
    assert snapshot() == before


def _asked(season: Season, name: str) -> int:
    members.join(code=season.league.code, user=player(name), now=NOON)
    return int(player(name).pk)


@pytest.fixture
def snapshot() -> Any:
    player("Dan")

    def rows() -> list[Any]:
        return [
            list(model.objects.order_by("pk").values()) for model in (League, Season, Membership, LedgerRow, Game)
        ]  # fmt: skip

    return rows


def test_a_deputy_does_what_deputies_do_and_not_what_organisers_do() -> None:
    season = league("Ana", "Bogdan", "Céline")
    boss, deputy = visitor("Ana"), visitor("Bogdan")
    assert "Bogdan is a deputy now." in said(boss, home(season) + "members/Bogdan/decide/", act="deputy")
    assert deputy.get(home(season) + "manage/").status_code == 200
    assert "Adjusted." in said(deputy, home(season) + "adjust/", name="Céline", points="5", reason="Why", request="r")
    for path, data in (
        ("season/end/", {}), ("change/", {"act": "invite"}), ("members/Céline/decide/", {"act": "deputy"}),
        ("members/Ana/decide/", {"act": "expel", "reason": "No"}), ("edit/", FORM),
    ):  # fmt: skip
        answer = deputy.post(home(season) + path, data)
        assert answer.status_code in (302, 403, 422), path
    assert again(season).is_open and in_league(season, "Ana")
    assert season.league.memberships.filter(role="deputy").count() == 1
    assert League.objects.get().name == "Friday league"


# -- seasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({"until": "points", "first_to": "2000"}, {"first_to": 2000, "ends_at": None, "matches_each": None}),
        ({"until": "matches", "matches_each": "7", "first_to": "2000"}, {"first_to": None, "ends_at": None, "matches_each": 7}),
        ({"until": "points", "first_to": ""}, {"first_to": 5000, "ends_at": None, "matches_each": None}),
    ],
)
def test_a_season_begins_as_the_form_says(asked: dict[str, str], kept: dict[str, Any]) -> None:
    made = new_league("Ana")
    assert "The season has begun." in said(visitor("Ana"), f"/l/{made.code}/season/", **asked)
    season = Season.objects.get()
    assert {name: getattr(season, name) for name in kept} == kept


def test_a_season_until_a_day_ends_with_that_day() -> None:
    made = new_league("Ana")
    day = timezone.localdate() + 30 * DAY
    page = said(visitor("Ana"), f"/l/{made.code}/season/", until="date", ends_on=f"{day:%Y-%m-%d}")
    ends = Season.objects.get().ends_at
    assert ends is not None and f"{ends:%Y-%m-%d %H:%M}" == f"{day + DAY:%Y-%m-%d} 00:00"
    assert f"until {day:%B} {day.day}, {day.year}" in page


@pytest.mark.parametrize(
    "asked",
    [{}, {"until": "never"}, {"until": "points", "first_to": "-4"}, {"until": "date", "ends_on": "x"}, {"until": "date"},
     {"until": "date", "ends_on": "2001-01-01"}, {"until": "matches"}],
)  # fmt: skip
def test_a_season_of_nonsense_is_told_at_its_place(asked: dict[str, str]) -> None:
    made = new_league("Ana")
    answer = visitor("Ana").post(f"/l/{made.code}/season/", asked)
    assert answer.status_code == 422 and b'role="alert"' in answer.content
    assert not Season.objects.exists()


def test_where_no_season_can_begin_the_answer_says_why_whatever_was_filled_in() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    season.league.memberships.filter(user=player("Bogdan")).update(role="deputy")
    for form in ({"until": "points"}, {"until": "x"}, {}):
        assert "A season is under way." in said(boss, home(season) + "season/", **form)
        assert visitor("Bogdan").post(home(season) + "season/", form).status_code == 403
    said(boss, home(season) + "season/end/")
    said(boss, home(season) + "change/", act="close")
    for form in ({"until": "points"}, {"until": "x"}):
        assert "This league is closed." in said(boss, home(season) + "season/", **form)
    assert Season.objects.count() == 1


def test_without_a_season_there_are_no_points_to_adjust() -> None:
    made, boss = new_league("Ana", "Bogdan"), visitor("Ana")
    for form in ({}, {"name": "Bogdan", "points": "5", "reason": "So", "request": "a"}):
        assert "There is no such season under way." in said(boss, f"/l/{made.code}/adjust/", **form)
    assert not LedgerRow.objects.exists()


def test_a_season_is_ended_taken_up_and_the_league_closed_only_between_two() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    end_deal(match(season, "Ana", "Bogdan"))
    assert "A season is under way." in said(boss, home(season) + "change/", act="close")
    assert "The season is over." in said(boss, home(season) + "season/end/")
    assert "The season goes on." in said(boss, home(season) + "season/reopen/")
    assert again(season).is_open
    said(boss, home(season) + "season/end/")
    assert "The league is closed." in said(boss, home(season) + "change/", act="close")
    assert boss.get(home(season) + "manage/").status_code == 200
    assert "The league is taken up again." in said(boss, home(season) + "change/", act="reopen")
    assert boss.post(home(season) + "change/", {"act": "burn"}).status_code == 404


# -- members -------------------------------------------------------------------------------------


def test_a_member_is_expelled_with_a_reason_and_taken_back() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    path = home(season) + "members/Bogdan/decide/"
    assert "A reason is needed." in said(boss, path, act="expel", reason=" ")
    assert "Bogdan is expelled, and told why." in said(boss, path, act="expel", reason="Spoils the <i>game</i>")
    assert not in_league(season, "Bogdan")
    page = boss.get(home(season) + "members/Bogdan/").content.decode()
    assert "Spoils the &lt;i&gt;game" in page
    assert "Spoils" not in visitor("Bogdan").get(home(season) + "members/").content.decode()  # told to the person alone
    assert "Bogdan is a member again." in said(boss, path, act="readmit")
    assert in_league(season, "Bogdan")


def test_the_league_is_handed_over() -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    said(boss, home(season) + "members/Bogdan/decide/", act="hand-over")
    assert League.objects.get().organiser == player("Bogdan")
    assert "You have left the league." in said(boss, home(season) + "leave/")
    assert boss.get(home(season) + "manage/").status_code == 403


@pytest.mark.parametrize(("name", "act"), [("Nobody", "expel"), ("Bogdan", "crown"), ("Dan", "deputy")])
def test_decisions_about_nobody_change_nothing(name: str, act: str, snapshot: Any) -> None:
    season = league("Ana", "Bogdan")
    before = snapshot()
    answer = visitor("Ana").post(home(season) + f"members/{name}/decide/", {"act": act, "reason": "So"})
    assert answer.status_code in (302, 404)
    assert snapshot() == before
    assert visitor("Ana").get(home(season) + "members/Nobody/").status_code == 404
    assert visitor("Ana").get(home(season) + "members/Dan/").status_code == 404


# -- tables for the members ----------------------------------------------------------------------

NAMES = ("Ana", "Bogdan", "Céline", "Dan", "Eva", "Florin")


def shown(page: Any) -> list[list[str]]:
    groups = re.findall(r'<ol class="group">(.*?)</ol>', page.content.decode(), re.S)
    return [re.findall(r"<li>(.*?)</li>", group) for group in groups]


def hidden(page: Any) -> dict[str, Any]:
    """What the form carries that makes the tables shown."""
    form = page.content.decode().split('<form class="stack" method="post">')[1].split("</form>")[0]
    fields: dict[str, Any] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(value)
    return fields


def test_tables_begin_just_as_they_were_shown_and_once() -> None:
    season, boss = league(*NAMES), visitor("Ana")
    page = boss.get(home(season) + "tables/", {"tables": 2, "seats": 3, "lot": 5})
    groups, form = shown(page), hidden(page)
    assert sorted(name for group in groups for name in group) == sorted(NAMES)
    assert [len(group) for group in groups] == [3, 3]
    assert "2 tables have begun." in said(boss, home(season) + "tables/", **form)
    made = [[str(seat.user) for seat in game.seats.order_by("index")] for game in Game.objects.order_by("pk")]
    assert made == groups
    assert all(game.status == "running" for game in Game.objects.all())
    boss.post(home(season) + "tables/", form)
    assert Game.objects.count() == 2


def test_who_joins_meanwhile_changes_nothing_and_who_leaves_is_missed() -> None:
    season, boss = league(*NAMES), visitor("Ana")
    page = boss.get(home(season) + "tables/", {"tables": 2, "seats": 3, "lot": 5})
    said(visitor("Zoe"), home(season) + "join/")
    said(visitor("Florin"), home(season) + "leave/")
    assert "That is not a member of this league." in said(boss, home(season) + "tables/", **hidden(page))
    said(visitor("Florin"), home(season) + "join/")
    said(boss, home(season) + "tables/", **hidden(page))
    made = [[str(seat.user) for seat in game.seats.order_by("index")] for game in Game.objects.order_by("pk")]
    assert made == shown(page)


def test_those_who_have_met_sit_apart_the_next_time() -> None:
    season, boss = league("Ana", "Bogdan", "Céline", "Dan"), visitor("Ana")
    first = boss.get(home(season) + "tables/", {"tables": 2, "seats": 2, "lot": 5})
    said(boss, home(season) + "tables/", **hidden(first))
    second = boss.get(home(season) + "tables/", {"tables": 2, "seats": 2, "lot": 6})
    assert {frozenset(group) for group in shown(first)}.isdisjoint({frozenset(group) for group in shown(second)})


def test_tables_for_some_members_alone() -> None:
    season, boss = league(*NAMES), visitor("Ana")
    some = [player(name).pk for name in ("Bogdan", "Dan")]
    asked: dict[str, Any] = {"tables": 1, "seats": 2, "lot": 5, "who": some}
    page = boss.get(home(season) + "tables/", asked)
    assert sorted(shown(page)[0]) == ["Bogdan", "Dan"]


@pytest.mark.parametrize(
    "asked",
    [{"tables": 9, "seats": 4}, {"tables": 0, "seats": 4}, {"tables": "x", "seats": 4}, {"tables": 1, "seats": 8},
     {"tables": 1, "seats": 2, "lot": "x"}, {"tables": 1, "seats": 2, "among": "1,x"}, {"tables": 1, "seats": 2, "who": "77777"}],
)  # fmt: skip
def test_tables_that_cannot_be_are_told_so(asked: dict[str, Any]) -> None:
    season, boss = league("Ana", "Bogdan"), visitor("Ana")
    asked = {"lot": 1, **asked}
    page = boss.get(home(season) + "tables/", asked)
    assert page.status_code in (200, 422) and shown(page) == []
    assert b"refusal" in page.content
    assert boss.post(home(season) + "tables/", asked).status_code == 302
    assert not Game.objects.exists()


def test_without_a_season_there_is_no_table_to_make() -> None:
    made = new_league("Ana", "Bogdan")
    assert visitor("Ana").get(f"/l/{made.code}/tables/").status_code == 404


def test_a_substitute_is_put_in_the_seat_of_an_absent_player() -> None:
    from games.services import turns
    from tests.games.playing import DAY, awake, fresh

    terms = {"turn_time": DAY, "excuses": 0, "absent_after": 1}
    season, boss = league("Ana", "Bogdan", "Céline", terms=terms), visitor("Ana")
    game = match(season, "Bogdan", "Céline")
    path = home(season) + "substitute/"
    assert "Substitutes" not in words(boss.get(home(season) + "manage/"))
    awake(NOON + 2 * DAY)
    assert turns.expire(game_id=game.pk, now=NOON + 2 * DAY)
    page = boss.get(home(season) + "manage/")
    assert "Friday league 1 Bogdan Substitute" in words(page)
    assert "That is not a member of this league." in said(boss, path, seat=f"{game.code}-0", name="Zoe")
    assert boss.post(path, {"seat": "nosuch-0", "name": "Ana"}).status_code == 404
    assert "The substitute holds the seat now." in said(boss, path, seat=f"{game.code}-0", name="Ana")
    assert fresh(game).seats.get(index=0).user == player("Ana")
