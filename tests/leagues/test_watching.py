"""Who may look at the tables of a league, and what stands in the place of a seat for who does not belong to it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from accounts.leagues.services import members
from accounts.models import Message, Season
from accounts.people.services import make_guest
from games.models import Game
from games.services import turns
from tests.games.pages import visitor, words
from tests.games.playing import DAY, NOON, awake, fresh, player
from tests.leagues.playing import end_deal, league, match
from tests.leagues.test_pages import home

pytestmark = pytest.mark.django_db
PATIENCE: dict[str, Any] = {"turn_time": DAY, "excuses": 0, "absent_after": 1}


def closed(joining: str) -> Season:
    """A league that not everybody may join, with four members."""
    season = league("Ana", "Bogdan", "Céline", "Dan", joining="link")
    season.league.joining = joining
    season.league.save()
    return season


def statuses(name: str | None, game: Game) -> set[int]:
    """Of the pages of a table."""
    client = visitor(name)
    return {client.get(f"/t/{game.code}/{page}").status_code for page in ("", "log/", "poll/0/", "record.json", "shuffle/")}


@pytest.mark.parametrize("joining", ["link", "approval"])
def test_members_watch_the_tables_of_a_league_and_nobody_else_does(joining: str) -> None:
    season = closed(joining)
    game = match(season, "Ana", "Bogdan")
    assert game.visibility == Game.Visibility.LINK
    for name in ("Ana", "Bogdan", "Céline"):
        assert statuses(name, game) == {200}
    assert statuses("Eva", game) == {404} and statuses(None, game) == {302}
    stranger = visitor()
    stranger.force_login(make_guest(language="en", now=NOON))
    assert stranger.get(f"/t/{game.code}/").status_code == 404
    end_deal(game)
    assert statuses("Céline", game) == {200, 286} and statuses("Eva", game) == {404}  # nothing comes any more: ask no further
    assert visitor("Céline").get(f"/t/{game.code}/deals/0/").status_code == 200


def test_who_watches_sees_no_hand_and_plays_nothing() -> None:
    game = match(closed("link"), "Ana", "Bogdan")
    client = visitor("Céline")
    assert "You are watching" in words(client.get(f"/t/{game.code}/"))
    assert client.post(f"/t/{game.code}/play/", {"move": "S", "version": fresh(game).version}).status_code == 404
    assert client.get(f"/t/{game.code}/chat/").status_code == 404  # what is said there is for those who sit there


def test_who_is_no_member_any_more_watches_no_longer() -> None:
    season = closed("link")
    game = match(season, "Ana", "Bogdan")
    members.leave(code=season.league.code, user=player("Céline"), now=NOON)
    members.expel(code=season.league.code, by=player("Ana"), user_id=player("Dan").pk, reason="So", now=NOON)
    assert statuses("Céline", game) == statuses("Dan", game) == {404}
    members.leave(code=season.league.code, user=player("Bogdan"), now=NOON)
    assert statuses("Bogdan", game) == {200}  # who plays there stays there


def test_the_members_of_another_league_are_strangers() -> None:
    game = match(closed("link"), "Ana", "Bogdan")
    league("Eva", "Florin", name="Another league", joining="link")
    assert statuses("Eva", game) == {404}


def test_the_pages_of_the_league_link_the_tables_for_those_who_may_look() -> None:
    season = closed("approval")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    running = match(season, "Ana", "Bogdan")
    pages = {"": (game, running), "seasons/1/matches/": (game, running), "seasons/1/ledger/": (game,)}
    for rest, tables in pages.items():
        for table in tables:
            link = f'href="/t/{table.code}/"'
            assert link in visitor("Céline").get(home(season) + rest).content.decode(), rest
            assert link not in visitor("Eva").get(home(season) + rest).content.decode(), rest
            assert link not in visitor().get(home(season) + rest).content.decode(), rest


# -- a seat that is not for everybody ------------------------------------------------------------


def test_the_lobby_offers_the_seats_of_a_league_to_its_members_alone(django_assert_max_num_queries: Any) -> None:
    season = league("Ana", "Bogdan")
    visitor("Ana").post(home(season) + "table/", {"seats": 3})
    game = Game.objects.get()
    member, stranger = visitor("Bogdan").get("/lobby/"), visitor("Dan").get("/lobby/")
    assert f'formaction="/t/{game.code}/join/"' in member.content.decode() and "To the league" not in words(member)
    assert "/join/" not in stranger.content.decode() and f'href="{home(season)}"' in stranger.content.decode()
    assert "To the league Friday league: Friday league 1 its members play here" in words(stranger)
    assert "Friday league" in words(member)


def test_the_lobby_asks_the_same_however_many_tables_of_leagues_there_are() -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts, client = [], visitor("Dan")
    for number in range(3):
        season = league("Ana", name=f"League {number}")
        visitor("Ana").post(home(season) + "table/", {"seats": 3})
        client.get("/lobby/")
        with CaptureQueriesContext(connection) as asked:
            client.get("/lobby/")
        counts.append(len(asked))
    assert counts[1] == counts[2]


def test_an_absent_player_s_seat_in_a_league_is_offered_to_members_alone() -> None:
    season = league("Ana", "Bogdan", "Céline", terms=PATIENCE)
    game = match(season, "Bogdan", "Céline")
    awake(NOON + 2 * DAY)
    assert turns.expire(game_id=game.pk, now=NOON + 2 * DAY)
    for address in ("/lobby/", f"/t/{game.code}/", f"/t/{game.code}/take-over/"):
        member, stranger = visitor("Ana").get(address), visitor("Dan").get(address)
        assert "Take" in words(member) and "its members play here" not in words(member), address
        assert f'href="{home(season)}"' in stranger.content.decode() and "its members play here" in words(stranger), address
        assert "Take over" not in words(stranger) and "Take a seat over" not in words(stranger), address


def test_a_table_that_belongs_to_no_league_is_for_everybody() -> None:
    from tests.games.playing import open_table

    game = open_table("Bogdan")
    page = visitor("Dan").get("/lobby/")
    assert f'formaction="/t/{game.code}/join/"' in page.content.decode() and "To the league" not in words(page)


def test_the_waiting_room_of_a_league_s_table_speaks_of_its_members() -> None:
    season = league("Ana", "Bogdan")
    visitor("Ana").post(home(season) + "table/", {"seats": 3})
    path = f"/t/{Game.objects.get().code}/"
    seated, member, stranger = (words(visitor(name).get(path)) for name in ("Ana", "Bogdan", "Dan"))
    assert "Members of the league who open it may join." in seated and "Whoever opens it" not in seated
    assert "Add to the first shuffle" in member and "Add to the first shuffle" not in stranger
    assert "Only members of its league sit at this table." in stranger


@pytest.mark.parametrize(
    ("name", "told"), [("Dan", "There is no seat for this player"), ("Bogdan", "Bogdan has the invitation.")]
)
def test_to_a_table_of_a_league_its_members_are_invited_alone(name: str, told: str) -> None:
    season = league("Ana", "Bogdan")
    player("Dan")
    boss = visitor("Ana")
    boss.post(home(season) + "table/", {"seats": 3})
    path = f"/t/{Game.objects.get().code}/"
    assert told in words(boss.get(boss.post(path + "invite/", {"name": name})["Location"]))
    assert Message.objects.filter(kind="invitation", user=player(name)).exists() is (name == "Bogdan")


# -- what is shown where it can be used ----------------------------------------------------------


def test_decisions_are_offered_about_those_whom_they_can_be_about() -> None:
    season = league("Ana", "Bogdan", "Céline", "Dan")
    season.league.memberships.filter(user__in=[player("Bogdan"), player("Céline")]).update(role="deputy")

    def offered(name: str) -> list[str]:
        page = visitor(name).get(home(season) + "members/").content.decode()
        return re.findall(rf'href="{home(season)}members/([^/"]+)/"', page)

    assert offered("Ana") == ["Bogdan", "C%C3%A9line", "Dan"]
    assert offered("Bogdan") == ["Dan"]
    assert offered("Dan") == offered("Eva") == []


def test_a_league_of_one_begins_with_its_link() -> None:
    season = league("Ana")
    page = words(visitor("Ana").get(home(season)))
    assert page.index("Invite to the league") < page.index("Standing") and page.count("Invite to the league") == 1
    assert "Invite to the league" not in words(visitor("Bogdan").get(home(season)))
    visitor("Bogdan").post(home(season) + "join/")
    page = words(visitor("Ana").get(home(season)))
    assert page.index("Invite to the league") > page.index("Standing") and page.count("Invite to the league") == 1


@pytest.mark.parametrize("joining", ["link", "open"])
def test_the_link_to_send_is_the_same_on_every_page(joining: str) -> None:
    season = league("Ana", "Bogdan", joining=joining)
    links = {
        re.search(r'id="link" readonly value="([^"]+)"', visitor("Ana").get(home(season) + rest).content.decode())[1]  # type: ignore[index]
        for rest in ("", "manage/")
    }
    assert len(links) == 1 and ("?invite=" in links.pop()) is (joining == "link")
