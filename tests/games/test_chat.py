"""The chat of a table: who says and reads what, muting, calling by name, reporting, and what referees do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Message, User
from games import selectors
from games.models import SAYING_LENGTH, ChatReport, Entry, Game, Mute, Saying
from games.presenters.chat import Chat, chat_of
from games.services import chat, records, tables, turns
from games.services.audit import audit
from games.services.errors import NoSuchTable, ServiceError
from tests.games.playing import DAY, NOON, fresh, open_table, play, player, running, seat, settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return running("Ana", "Bogdan", "Céline")


def say(game: Game, name: str, text: str, after: timedelta = timedelta(0)) -> Saying:
    return chat.say(code=game.code, user=player(name), text=text, now=NOON + after)


def read(game: Game, name: str) -> Chat:
    game = fresh(game)
    found = chat_of(game=game, user=player(name), seats=list(game.seats.select_related("user")), now=NOON)
    assert found is not None
    return found


def heard(game: Game, name: str) -> list[str]:
    return [line.text for line in read(game, name).lines]


def refused(game: Game, name: str, text: str, after: timedelta = timedelta(0)) -> str:
    with pytest.raises(ServiceError) as fault:
        say(game, name, text, after)
    return fault.value.code


def referee(name: str = "Ref") -> User:
    user = player(name)
    user.user_permissions.add(Permission.objects.get(codename="referee", content_type__app_label="games"))
    return User.objects.get(pk=user.pk)


def called(name: str) -> list[str]:
    return [message.facts["who"] for message in Message.objects.filter(user=player(name), kind="mention")]


# -- saying -----------------------------------------------------------------------------------------


def test_all_at_the_table_read_what_one_of_them_says(game: Game) -> None:
    say(game, "Ana", "Good luck!")
    say(game, "Bogdan", "Thanks.")
    assert heard(game, "Ana") == heard(game, "Céline") == ["Good luck!", "Thanks."]
    assert [line.name for line in read(game, "Ana").lines] == ["You", "Bogdan"]


def test_talking_changes_neither_version_nor_log_and_is_in_no_record(game: Game) -> None:
    before = fresh(game)
    say(game, "Ana", "between us")
    after = fresh(game)
    assert (after.version, after.log_length, after.log_head, after.deadline) == (
        before.version, before.log_length, before.log_head, before.deadline,
    )  # fmt: skip
    assert not Entry.objects.filter(game=game, facts__icontains="between us").exists()
    assert "between us" not in str(records.export(game=after, names=["Ana", "Bogdan", "Céline"]))
    assert not audit(game_id=game.pk)


def test_a_spectator_reads_a_public_table_and_says_nothing(game: Game) -> None:
    say(game, "Ana", "hello")
    shown = read(game, "Zoe")
    assert [line.text for line in shown.lines] == ["hello"] and not shown.may_write and not shown.unread
    with pytest.raises(NoSuchTable):
        say(game, "Zoe", "me too")


def test_only_who_plays_there_reads_the_chat_of_a_table_by_link() -> None:
    game = open_table("Ana", visibility="link")
    say(game, "Ana", "psst")
    assert chat_of(game=fresh(game), user=player("Zoe"), seats=list(game.seats.all()), now=NOON) is None
    assert heard(game, "Ana") == ["psst"]


@pytest.mark.parametrize("text", ["", "   ", "\u200d", "\u202e \x00\n"])
def test_nothing_is_not_said(game: Game, text: str) -> None:
    assert refused(game, "Ana", text) == "chat_empty"
    assert fresh(game).said == 0


def test_words_have_a_longest_length(game: Game) -> None:
    assert say(game, "Ana", "a" * SAYING_LENGTH).text == "a" * SAYING_LENGTH
    assert refused(game, "Ana", "a" * (SAYING_LENGTH + 1)) == "chat_long"


@given(st.text(max_size=SAYING_LENGTH))
def test_kept_words_are_one_line_without_signs_that_cannot_be_seen(text: str) -> None:
    try:
        kept = chat.cleaned(text)
    except ServiceError as fault:
        assert fault.code in ("chat_empty", "chat_long")
        return
    assert kept == kept.strip() and not set(kept) & set("\n\r\t\x00\u202e\u2066\u200b")


def test_a_picture_made_of_several_signs_stays_whole(game: Game) -> None:
    assert say(game, "Ana", "👩‍👧 ❤️").text == "👩‍👧 ❤️"


def test_the_same_words_at_once_are_said_once_and_later_again(game: Game) -> None:
    say(game, "Ana", "hm")
    say(game, "Ana", "hm", timedelta(seconds=5))
    assert heard(game, "Bogdan") == ["hm"]
    say(game, "Ana", "hm", timedelta(seconds=30))
    assert heard(game, "Bogdan") == ["hm", "hm"]


def test_people_talk_while_the_table_waits_and_two_weeks_after_the_match() -> None:
    game = open_table("Ana")
    say(game, "Ana", "anybody?")
    tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    settle(game)
    assert fresh(game).status == Game.Status.FINISHED
    say(game, "Bogdan", "well played", 14 * DAY)
    assert refused(game, "Ana", "too late", 15 * DAY) == "chat_closed"


def test_nobody_talks_at_a_cancelled_table() -> None:
    game = open_table("Ana")
    tables.cancel(code=game.code, user=player("Ana"), now=NOON)
    assert refused(game, "Ana", "hello?") == "chat_closed"


def test_words_of_who_has_gone_have_no_name(game: Game) -> None:
    say(game, "Ana", "bye")
    User.objects.filter(username="Ana").update(is_active=False)
    assert [(line.name, line.who) for line in read(game, "Bogdan").lines] == [("deleted player", "")]


def test_the_table_shows_the_last_words_alone(game: Game) -> None:
    for number in range(12):
        say(game, "Ana", f"word {number}")
    assert heard(game, "Bogdan") == [f"word {number}" for number in range(4, 12)]
    assert selectors.sayings(game=game, user=player("Bogdan")).count() == 12


# -- what is new ------------------------------------------------------------------------------------


def test_words_are_new_until_they_are_seen(game: Game) -> None:
    assert not read(game, "Bogdan").unread
    say(game, "Ana", "hello")
    assert read(game, "Bogdan").unread and not read(game, "Ana").unread
    chat.see(code=game.code, user=player("Bogdan"), number=1)
    assert not read(game, "Bogdan").unread


def test_one_sees_never_less_than_before_nor_more_than_there_is(game: Game) -> None:
    say(game, "Ana", "one")
    chat.see(code=game.code, user=player("Bogdan"), number=999)
    assert seat(game, "Bogdan").seen_chat == 1
    chat.see(code=game.code, user=player("Bogdan"), number=0)
    assert seat(game, "Bogdan").seen_chat == 1
    with pytest.raises(NoSuchTable):
        chat.see(code=game.code, user=player("Zoe"), number=1)


def test_a_move_keeps_what_was_said_and_seen(game: Game) -> None:
    say(game, "Bogdan", "your turn")
    play(game, "S")
    assert fresh(game).said == 1 and seat(game, "Bogdan").seen_chat == 1


# -- muting -----------------------------------------------------------------------------------------


def test_who_is_muted_is_not_read_by_that_reader_and_is_by_others(game: Game) -> None:
    say(game, "Ana", "blah")
    chat.mute(user=player("Bogdan"), other=player("Ana"), now=NOON)
    chat.mute(user=player("Bogdan"), other=player("Ana"), now=NOON)
    assert heard(game, "Bogdan") == [] and not read(game, "Bogdan").unread
    assert heard(game, "Céline") == ["blah"]
    chat.unmute(user=player("Bogdan"), other=player("Ana"))
    assert heard(game, "Bogdan") == ["blah"]


def test_nobody_mutes_themselves(game: Game) -> None:
    with pytest.raises(ServiceError):
        chat.mute(user=player("Ana"), other=player("Ana"), now=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        Mute.objects.create(user=player("Ana"), muted=player("Ana"), at=NOON)


# -- calling by name --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Bogdan, your turn", "@bogdan?", "well, BOGDAN!"])
def test_who_is_named_is_told_of_it_once(game: Game, text: str) -> None:
    say(game, "Ana", text)
    say(game, "Ana", text, timedelta(seconds=1))
    assert called("Bogdan") == ["Ana"] and called("Céline") == [] and called("Ana") == []


@pytest.mark.parametrize("text", ["Bogdana, your turn", "Zoe, look!", "Ana is on turn"])
def test_others_are_not_called(game: Game, text: str) -> None:
    player("Zoe")
    say(game, "Ana", text)
    assert not Message.objects.filter(kind="mention").exists()


def test_who_has_muted_the_speaker_is_not_called(game: Game) -> None:
    chat.mute(user=player("Bogdan"), other=player("Ana"), now=NOON)
    say(game, "Ana", "Bogdan and Céline!")
    assert called("Bogdan") == [] and called("Céline") == ["Ana"]


# -- reports and referees ---------------------------------------------------------------------------


def test_a_report_waits_for_a_referee_and_is_made_once_by_each(game: Game) -> None:
    say(game, "Ana", "rude")
    for name in ("Bogdan", "Bogdan", "Zoe"):
        chat.report(game=game, number=1, user=player(name), now=NOON)
    assert [report.outcome for report in ChatReport.objects.all()] == ["open", "open"]


def test_own_words_and_words_that_are_not_there_are_not_reported(game: Game) -> None:
    say(game, "Ana", "rude")
    for name, number, code in (("Ana", 1, "own_words"), ("Bogdan", 2, "words_gone")):
        with pytest.raises(ServiceError) as fault:
            chat.report(game=game, number=number, user=player(name), now=NOON)
        assert fault.value.code == code
    assert not ChatReport.objects.exists()


def test_removed_words_are_kept_for_the_referees_alone(game: Game) -> None:
    saying = say(game, "Ana", "rude")
    chat.report(game=game, number=1, user=player("Bogdan"), now=NOON)
    chat.report(game=game, number=1, user=player("Céline"), now=NOON)
    before = fresh(game).said
    for _twice in range(2):
        chat.rule(saying=saying, remove=True, by=referee(), now=NOON)
    assert fresh(game).said == before + 1
    assert [(line.text, line.removed) for line in read(game, "Ana").lines] == [("", True)]
    saying.refresh_from_db()
    assert saying.text == "rude" and saying.removed_by == player("Ref")
    assert {report.outcome for report in ChatReport.objects.all()} == {"removed"}
    with pytest.raises(ServiceError):
        chat.report(game=game, number=1, user=player("Bogdan"), now=NOON)


def test_words_may_stay(game: Game) -> None:
    saying = say(game, "Ana", "hm")
    chat.report(game=game, number=1, user=player("Bogdan"), now=NOON)
    chat.rule(saying=saying, remove=False, by=referee(), now=NOON)
    assert heard(game, "Bogdan") == ["hm"]
    assert ChatReport.objects.get().outcome == "kept"


def test_only_referees_decide_and_none_at_their_own_table(game: Game) -> None:
    saying = say(game, "Ana", "rude")
    for by, code in ((player("Bogdan"), "not_a_referee"), (referee("Céline"), "partial")):
        with pytest.raises(ServiceError) as fault:
            chat.rule(saying=saying, remove=True, by=by, now=NOON)
        assert fault.value.code == code
    assert heard(game, "Bogdan") == ["rude"]
