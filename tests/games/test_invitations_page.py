"""Inviting by name in the waiting room, the invitations among my tables, and the note that a table is looked at."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Looking, Message
from accounts.people.messages import spread
from games.models import Game
from games.services import tables
from games.views import waiting
from tests.games.pages import HTMX, said, visitor, words
from tests.games.playing import NOON, open_table, player, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    player("Chloé")
    return open_table("Ana", "Bogdan", seats=3, title="Vineri")


def invite(game: Game, name: str, *, by: str = "Ana") -> str:
    client = visitor(by)
    return said(client, client.post(f"/t/{game.code}/invite/", {"name": name}))


def invited(name: str) -> str:
    """What my tables say of invitations."""
    return words(visitor(name).get("/tables/")).partition("Invitations")[2]


def test_who_sits_there_invites_by_name_and_is_told_that_it_went(game: Game) -> None:
    assert "Chloé has the invitation." in invite(game, "chloé", by="Bogdan")
    assert "Vineri Rami 500, first to 500" in invited("Chloé")
    assert "Bogdan invites you." in invited("Chloé")


def test_only_who_sits_there_sees_the_field(game: Game) -> None:
    for name, offered in (("Ana", True), ("Bogdan", True), ("Chloé", False)):
        page = visitor(name).get(f"/t/{game.code}/").content.decode()
        assert (f'action="/t/{game.code}/invite/"' in page) is offered


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Nobody", "Nobody plays under this name."),
        ("", "Nobody plays under this name."),
        ("x" * 5000, "Nobody plays under this name."),
        ("<b>\x00", "Nobody plays under this name."),
        ("Bogdan", "This player sits here already."),
    ],
)
def test_a_name_that_cannot_be_invited_is_refused_with_a_sentence(game: Game, name: str, sentence: str) -> None:
    assert sentence in invite(game, name)
    assert not Message.objects.filter(kind="invitation").exists()


def test_a_stranger_cannot_invite(game: Game) -> None:
    assert visitor("Chloé").post(f"/t/{game.code}/invite/", {"name": "Ana"}).status_code == 404
    assert visitor().post(f"/t/{game.code}/invite/", {"name": "Ana"}).status_code == 302
    assert not Message.objects.filter(kind="invitation").exists()


def test_too_many_invitations_are_refused(game: Game) -> None:
    client = visitor("Ana")
    answers = [client.post(f"/t/{game.code}/invite/", {"name": "Nobody"}).status_code for _time in range(waiting.INVITATIONS + 1)]
    assert answers == [302] * waiting.INVITATIONS + [429]


def test_declined_it_is_gone_and_comes_back_for_nobody_s_asking(game: Game) -> None:
    invite(game, "Chloé")
    client = visitor("Chloé")
    assert client.post(f"/t/{game.code}/decline/")["Location"] == "/tables/"
    assert invited("Chloé") == ""
    assert "Chloé has the invitation." in invite(game, "Chloé", by="Bogdan")  # who declined is nobody's business
    assert invited("Chloé") == ""


def test_what_is_no_invitation_is_declined_without_harm(game: Game) -> None:
    assert visitor("Chloé").post(f"/t/{game.code}/decline/").status_code == 302
    assert visitor("Chloé").post("/t/nosuchtable/decline/").status_code == 302


def test_an_invitation_is_gone_once_one_sits_or_the_match_begins(game: Game) -> None:
    player("Dan")
    for name in ("Chloé", "Dan"):
        invite(game, name)
    tables.join(code=game.code, user=player("Chloé"), now=NOON)
    assert (invited("Chloé"), invited("Dan")) == ("", "")


def test_my_tables_are_refreshed_when_an_invitation_comes(game: Game) -> None:
    client = visitor("Chloé")
    seen = client.get("/tables/").context["seen"]
    invite(game, "Chloé")
    spread.spread(now=Message.objects.latest("pk").due_at)
    answer = client.get(f"/tables/?seen={seen}", headers=HTMX)
    assert answer.status_code == 200 and "invites you" in answer.content.decode()


# -- looking ---------------------------------------------------------------------------------------


def look(name: str | None, game: Game) -> tuple[int, bool]:
    """The status of the note, and whether it was taken."""
    client = visitor(name)
    status = client.post(f"/t/{game.code}/looking/").status_code
    return status, Looking.objects.filter(game=game.code).exists()


def test_a_player_s_page_notes_that_the_table_is_looked_at(game: Game) -> None:
    assert look("Ana", game) == (204, True)
    assert look("Ana", running("Ana", "Bogdan")) == (204, True)


@pytest.mark.parametrize(("name", "status"), [("Chloé", 204), (None, 302)])
def test_of_others_nothing_is_noted(game: Game, name: str | None, status: int) -> None:
    assert look(name, game) == (status, False)


def test_the_note_is_one_row_however_often_it_comes(game: Game) -> None:
    client = visitor("Ana")
    answers = [client.post(f"/t/{game.code}/looking/").status_code for _time in range(21)]
    assert (answers[-1], Looking.objects.count()) == (429, 1)


@pytest.mark.parametrize("name", ["Ana", "Dan"])
def test_the_script_that_notes_it_is_on_the_pages_of_players_alone(name: str) -> None:
    game = running("Ana", "Bogdan")
    page: Any = visitor(name).get(f"/t/{game.code}/").content.decode()
    assert ("js/looking.js" in page) is (name == "Ana")
