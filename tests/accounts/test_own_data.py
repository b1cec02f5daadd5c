"""One's data: the download of everything, and an account that is deleted while the games of others stay whole."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import Export, League, Membership, Message, PushSubscription, User, Vacation
from accounts.people import absence, services
from accounts.people import messages as people_messages
from accounts.people.owndata import services as owndata
from games import engine, selectors
from games.models import Game, Reliability, Saying
from games.selectors.owndata import seats_of_the_gone
from games.services import chat, leaving, reliability
from games.services.absence import take_over
from games.services.audit import audit
from tests.games.absent import serve
from tests.games.pages import visitor, words
from tests.games.playing import DAY, NOON, OUT_OF_TWO, at, fresh, open_table, play, player, quick_turn, running, seat, settle
from tests.leagues.playing import new_league

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"


def made(name: str) -> dict[str, Any]:
    """What the zip has for a player, by part."""
    owndata.ask(user=player(name), now=NOON)
    assert owndata.make(user_id=player(name).pk, now=NOON)
    with zipfile.ZipFile(io.BytesIO(bytes(Export.objects.get(user=player(name)).content or b""))) as archive:
        return {entry[: -len(".json")]: json.loads(archive.read(entry)) for entry in archive.namelist()}


def delete(name: str) -> User:
    user = player(name)
    owndata.delete(user_id=user.pk, now=NOON)
    for game_id in seats_of_the_gone(user_id=user.pk):
        leaving.vacate(game_id=game_id, now=NOON)
    user.refresh_from_db()
    return user


# -- download ---------------------------------------------------------------------------------------


def test_the_download_has_all_about_oneself() -> None:
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    chat.say(code=game.code, user=player("Ana"), text="well dealt", now=NOON)
    chat.mute(user=player("Ana"), other=player("Bogdan"), now=NOON)
    new_league("Ana", "Bogdan")
    absence.plan(user=player("Ana"), first=NOON.date() + DAY, last=NOON.date() + 3 * DAY, now=NOON)
    found = made("Ana")
    assert found["account"]["username"] == "Ana" and len(found["settings"]["vacations"]) == 1
    [table] = found["tables"]
    assert table["code"] == game.code and table["players"] == ["Ana", "Bogdan"]
    assert [move["text"] for move in table["seats"][0]["moves"]] == OUT_OF_TWO[1].split()
    assert [hand["score"] for hand in table["seats"][0]["hands"]] == [OUT_OF_TWO[2][0]]
    assert [said["text"] for said in found["chat"]["said"]] == ["well dealt"] and found["chat"]["muted"] == ["Bogdan"]
    assert [row["league__name"] for row in found["leagues"]["memberships"]] == ["Friday league"]
    assert all(message["kind"] for message in found["messages"])


def test_the_download_has_no_cards_of_a_running_deal_and_nothing_of_others() -> None:
    game = running("Ana", "Bogdan")
    for _turn in range(4):
        quick_turn(game)
    chat.say(code=game.code, user=player("Bogdan"), text="my own words", now=NOON)
    found = made("Ana")
    [held] = found["tables"][0]["seats"]
    assert held["hands"] == [] and held["seat"] == 0
    told = json.dumps(found)
    assert "my own words" not in told
    table = at(game)
    hidden = {table.deal.rules.alphabet.texts[card] for card in engine.view(table.deal, 1).hand.cards()}
    shown = {text for move in held["moves"] for text in move["text"].split(":")[-1].split(",")}
    assert shown and not hidden & shown
    assert table.row.deck[:20] not in told and bytes(table.row.seed).hex() not in told


def test_a_substitute_gets_the_moves_that_were_theirs() -> None:
    game = running("Ana", "Bogdan", "Céline")
    quick_turn(game)
    delete("Ana")
    take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    assert made("Dan")["tables"][0]["seats"][0]["moves"] == []
    assert len(made("Bogdan")["tables"][0]["seats"]) == 1


def test_one_is_made_at_a_time_once_a_day_and_kept_for_a_week() -> None:
    ana = player("Ana")
    owndata.ask(user=ana, now=NOON)
    owndata.ask(user=ana, now=NOON)
    assert owndata.waiting() == [ana.pk]
    assert owndata.make(user_id=ana.pk, now=NOON) and not owndata.make(user_id=ana.pk, now=NOON)
    with pytest.raises(owndata.NotYet):
        owndata.ask(user=ana, now=NOON + timedelta(hours=23))
    owndata.ask(user=ana, now=NOON + DAY)
    owndata.make(user_id=ana.pk, now=NOON + DAY)
    owndata.forget_old(now=NOON + 7 * DAY)
    assert Export.objects.exists()
    owndata.forget_old(now=NOON + 9 * DAY)
    assert not Export.objects.exists()


def test_the_pages_lead_to_the_own_download_alone() -> None:
    client, other = visitor("Ana"), visitor("Bogdan")
    assert "Make the download" in words(client.get("/settings/data/"))
    client.post("/settings/data/ask/")
    assert client.get("/settings/data/remi.zip").status_code == 404
    assert "It is being made." in words(client.get("/settings/data/"))
    owndata.make(user_id=player("Ana").pk, now=timezone.now())
    answer = client.get("/settings/data/remi.zip")
    assert answer.status_code == 200 and answer.content[:2] == b"PK" and "no-store" in answer["Cache-Control"]
    assert other.get("/settings/data/remi.zip").status_code == 404
    assert "once a day" in words(client.post("/settings/data/ask/", follow=True))


# -- deletion ---------------------------------------------------------------------------------------


def with_password(name: str) -> Client:
    user = player(name)
    user.set_password(PASSWORD)
    user.save()
    return visitor(name)


def test_the_right_password_deletes_and_logs_out_and_nobody_logs_in_again() -> None:
    client, elsewhere = with_password("Ana"), visitor("Ana")
    assert client.post("/settings/data/delete/", {"proof": "another"}).status_code == 422
    assert User.objects.filter(username="Ana", is_active=True).exists()
    answer = client.post("/settings/data/delete/", {"proof": PASSWORD}, follow=True)
    assert "Your account is deleted." in words(answer)
    for browser in (client, elsewhere):
        assert browser.get("/settings/").status_code == 302
    told = Client().post("/account/login/", {"login": "Ana", "password": PASSWORD})
    assert told.status_code == 200 and "_auth_user_id" not in client.session


def test_who_has_no_password_types_the_name() -> None:
    guest = services.make_guest(language="en", now=NOON)
    client = Client()
    client.force_login(guest)
    assert client.post("/settings/data/delete/", {"proof": "Guest"}).status_code == 422
    assert client.post("/settings/data/delete/", {"proof": guest.username}).status_code == 302
    guest.refresh_from_db()
    assert not guest.is_active


def test_passwords_are_not_tried_without_end() -> None:
    client = with_password("Ana")
    statuses = {client.post("/settings/data/delete/", {"proof": f"guess {number}"}).status_code for number in range(22)}
    assert statuses == {422, 429}


def test_everything_personal_goes_and_the_row_keeps_its_key() -> None:
    game = running("Ana", "Bogdan")
    ana = player("Ana")
    EmailAddress.objects.create(user=ana, email="ana@example.org", verified=True, primary=True)
    User.objects.filter(pk=ana.pk).update(email="ana@example.org", first_name="A", time_zone="Europe/Paris", is_staff=True)
    PushSubscription.objects.create(user=ana, endpoint="https://example.org/1", p256dh="x", auth="y", made_at=NOON)
    people_messages.post(kind="mention", user_ids=[ana.pk], key="x", now=NOON, facts={"who": "Bogdan"})
    chat.say(code=game.code, user=ana, text="my secret", now=NOON)
    absence.plan(user=ana, first=NOON.date(), last=NOON.date() + DAY, now=NOON)
    gone = delete("Ana")
    assert gone.pk == ana.pk and gone.username.startswith("deleted-") and not gone.has_usable_password()
    assert (gone.email, gone.first_name, gone.time_zone, gone.is_active, gone.is_staff) == ("", "", "", False, False)
    for model in (EmailAddress, PushSubscription, Message, Vacation, Reliability):
        assert not model._default_manager.filter(user=ana.pk).exists(), model
    assert not Saying.objects.filter(text__contains="secret").exists()
    assert "Gone with the account" in words(visitor("Bogdan").get(f"/t/{game.code}/chat/"))
    owndata.delete(user_id=ana.pk, now=NOON)
    assert User.objects.create_user("Ana").pk != ana.pk


def test_a_seat_in_a_match_is_absent_at_once_and_a_substitute_may_sit_and_the_audit_is_clean() -> None:
    game = running("Ana", "Bogdan", "Céline")
    quick_turn(game)
    gone = delete("Ana")
    assert at(game).seats[0].absent and fresh(game).status == Game.Status.RUNNING
    page = words(visitor("Bogdan").get(f"/t/{game.code}/"))
    assert "deleted player" in page and "deleted-" not in page
    assert audit(game_id=game.pk) == []
    take_over(code=game.code, user=player("Dan"), seat=0, now=NOON)
    assert audit(game_id=game.pk) == [] and seat(game, "Dan").index == 0
    assert not leaving.vacate(game_id=game.pk, now=NOON)
    assert not Message.objects.filter(user=gone).exists()


def test_on_turn_the_computer_plays_on_for_who_is_gone() -> None:
    game = running("Ana", "Bogdan")
    delete("Ana")
    assert fresh(game).awaits_server and not fresh(game).deserted


def test_turns_that_the_computer_plays_for_who_is_gone_make_no_figure_anew() -> None:
    game = running("Ana", "Bogdan")
    quick_turn(game)
    assert Reliability.objects.filter(user=player("Ana")).exists()
    quick_turn(game)
    gone = delete("Ana")
    assert serve(game) and fresh(game).to_move == 1
    assert not Reliability.objects.filter(user=gone).exists()
    reliability.rebuild(user_id=gone.pk)
    assert not Reliability.objects.filter(user=gone).exists() and reliability.differences() == []


def test_a_table_of_none_but_the_gone_waits_and_ends_by_its_limit() -> None:
    game = running("Ana", computers=1)
    delete("Ana")
    assert fresh(game).deserted and selectors.absences_over(now=NOON + 31 * DAY) == [game.pk]
    assert audit(game_id=game.pk) == []


def test_tables_that_have_not_begun_are_left() -> None:
    alone, together = open_table("Ana"), open_table("Ana", "Bogdan", seats=3)
    delete("Ana")
    assert fresh(alone).status == Game.Status.CANCELLED
    assert fresh(together).maker == player("Bogdan") and together.seats.count() == 1


def test_the_sweep_finds_the_seats_that_were_lost_on_the_way() -> None:
    game = running("Ana", "Bogdan")
    owndata.delete(user_id=player("Ana").pk, now=NOON)
    assert seats_of_the_gone() == [game.pk]
    leaving.vacate(game_id=game.pk, now=NOON)
    assert seats_of_the_gone() == []


def test_others_read_of_a_deleted_player_in_their_language() -> None:
    game = running("Ana", "Bogdan", "Céline")
    delete("Ana")
    for language, name in (("en", "deleted player"), ("fr", "joueur supprimé")):
        User.objects.filter(username="Céline").update(language=language)
        told = words(visitor("Céline").get("/messages/")) + words(visitor("Céline").get(f"/t/{game.code}/log/"))
        assert name in told and "deleted-" not in told


def test_a_league_goes_on_without_the_organiser() -> None:
    made_league = new_league("Ana", "Bogdan")
    delete("Ana")
    assert League.objects.get(pk=made_league.pk).organiser == player("Bogdan")
    assert not Membership.objects.filter(user__is_active=False, until=None).exists()
    assert "deleted-" not in words(visitor("Bogdan").get(f"/leagues/{made_league.code}/"))
