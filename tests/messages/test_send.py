"""Sending: each letter once or not at all, with the reason; tried again where that helps, and never where it might double."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Delivery, Looking, Message, User
from accounts.people import messages
from accounts.people.messages import send, spread, unsubscribe, wishes
from accounts.people.messages.carriers import Letter, Refused, Unsure
from accounts.people.messages.standing import Standing
from accounts.people.messages.ways import CARRIERS
from tests.messages.sink import HANG_UP, Sink
from tests.messages.telling import NOON, claim, delivery, go, person, tell, went, wish

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("become")]
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def test_a_letter_is_sent_once(sink: Sink) -> None:
    ana = person("Ana")
    tell(ana)
    for _time in range(3):
        go()
    assert sink.by_receiver() == {"ana@example.org": ["A referee has ruled at “Remi”"]}
    sent = delivery(ana)
    assert (sent.status, sent.attempts, sent.sent_at, sent.last_error) == ("sent", 1, NOON, "")


def test_many_letters_go_over_one_connection(sink: Sink) -> None:
    for number in range(5):
        tell(person(f"P{number}"))
    go()
    assert (len(sink.letters), sink.connections) == (5, 1)


# -- looked at again -------------------------------------------------------------------------------


def test_what_holds_no_more_when_it_is_sent_is_dropped_with_the_reason(sink: Sink, become: dict[str, Standing]) -> None:
    ana = person("Ana")
    tell(ana, "turn")
    spread.spread(now=NOON)
    become["turn"] = Standing(closed="played")
    go()
    assert (went(ana), sink.letters) == ([("turn", "played")], [])
    assert Message.objects.get().closed == "played"  # nor does the bell ring for it


def test_what_has_been_read_is_not_sent(sink: Sink) -> None:
    ana = person("Ana")
    tell(ana)
    spread.spread(now=NOON)
    messages.mark_read(user_id=ana.pk, now=NOON)
    go()
    assert (went(ana), sink.letters) == ([("ruling", "read")], [])


def test_what_is_turned_off_meanwhile_is_not_sent(sink: Sink) -> None:
    ana = person("Ana")
    tell(ana)
    spread.spread(now=NOON)
    wish(ana, "ruling", "mail", False)
    go()
    assert (went(ana), sink.letters) == ([("ruling", "off")], [])


def test_an_address_that_has_gone_is_not_written_to(sink: Sink) -> None:
    ana = person("Ana")
    tell(ana)
    spread.spread(now=NOON)
    EmailAddress.objects.all().delete()
    go()
    assert (went(ana), sink.letters) == ([("ruling", "nowhere")], [])


# -- not now ---------------------------------------------------------------------------------------


def test_quiet_hours_hold_it_back_until_their_end(sink: Sink) -> None:
    ana = person("Ana", zone="Europe/Bucharest", quiet_from=time(13), quiet_to=time(15, 30))
    tell(ana)  # 14:00 in Bucharest
    go()
    assert (went(ana), delivery(ana).next_at) == ([("ruling", "waiting")], NOON + 1.5 * HOUR)
    go(NOON + 1.5 * HOUR - MINUTE)
    assert sink.letters == []
    go(NOON + 1.5 * HOUR)
    assert (went(ana), len(sink.letters)) == ([("ruling", "sent")], 1)


def test_after_the_quiet_hours_it_is_looked_at_again(sink: Sink, become: dict[str, Standing]) -> None:
    ana = person("Ana", quiet_from=time(11), quiet_to=time(13))
    tell(ana, "turn")
    go()
    become["turn"] = Standing(closed="played")
    go(NOON + HOUR)
    assert (went(ana), sink.letters) == ([("turn", "played")], [])


def test_who_looks_at_the_table_is_told_later_and_only_if_it_was_not_seen(sink: Sink) -> None:
    ana = person("Ana")
    messages.look(user_id=ana.pk, game="x", now=NOON - MINUTE)
    tell(ana, "turn", game="x")
    go()
    assert (went(ana), delivery(ana).next_at) == ([("turn", "waiting")], NOON - MINUTE + Looking.FOR)
    go(NOON + MINUTE)
    assert len(sink.letters) == 1


def test_who_keeps_looking_has_seen_it(sink: Sink) -> None:
    ana = person("Ana")
    messages.look(user_id=ana.pk, game="x", now=NOON - MINUTE)
    tell(ana, "turn", game="x")
    go()
    messages.look(user_id=ana.pk, game="x", now=NOON + MINUTE)
    go(NOON + 2 * MINUTE)
    assert (went(ana), sink.letters) == ([("turn", "read")], [])


@pytest.mark.parametrize("why", ["another table", "long ago", "does not mind"])
def test_it_is_sent_at_once_to_who_looks_elsewhere(sink: Sink, why: str) -> None:
    ana = person("Ana", not_while_looking=why != "does not mind")
    at = NOON - timedelta(hours=2) if why == "long ago" else NOON
    messages.look(user_id=ana.pk, game="y" if why == "another table" else "x", now=at)
    tell(ana, "turn", game="x")
    go()
    assert len(sink.letters) == 1


def test_a_test_is_sent_whatever_is_set(sink: Sink) -> None:
    ana = person("Ana", quiet_from=time(11), quiet_to=time(13), digest_hour=20)
    wish(ana, "test", "mail", False)
    tell(ana, "test", facts={"way": "mail"})
    go()
    assert [str(letter["Subject"]) for letter in sink.letters] == ["A test from Remi"]


# -- the letter of the day -------------------------------------------------------------------------


def test_one_letter_a_day_has_all_that_still_holds(sink: Sink, become: dict[str, Standing]) -> None:
    ana = person("Ana", zone="Europe/Bucharest", digest_hour=20)
    for key in ("1", "2"):
        tell(ana, key=key)
    tell(ana, "turn")
    tell(ana, "started")
    go()
    assert {row.next_at for row in Delivery.objects.all()} == {NOON + 6 * HOUR}
    become["turn"] = Standing(closed="played")
    go(NOON + 6 * HOUR - MINUTE)
    assert sink.letters == []
    go(NOON + 6 * HOUR)
    assert went(ana) == [("ruling", "sent"), ("ruling", "sent"), ("turn", "played"), ("started", "sent")]
    assert sink.by_receiver() == {"ana@example.org": ["Remi: 3 messages"]}
    text = sink.letters[0].get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert text.count("A referee has ruled") == 2 and "has begun" in text and "Your turn" not in text


def test_the_letter_of_the_day_is_not_sent_where_nothing_is_left_to_tell(sink: Sink, become: dict[str, Standing]) -> None:
    tell(person("Ana", digest_hour=20), "turn")
    go()
    become["turn"] = Standing(closed="played")
    go(NOON + 8 * HOUR)
    assert sink.letters == []


def test_what_comes_after_the_letter_of_the_day_waits_for_the_next(sink: Sink) -> None:
    ana = person("Ana", digest_hour=12)
    tell(ana)
    go()
    assert delivery(ana).next_at == NOON + timedelta(days=1)


def test_each_reader_has_a_letter_of_ones_own(sink: Sink) -> None:
    for name in ("Ana", "Bogdan"):
        tell(person(name, digest_hour=13))
    go()
    go(NOON + HOUR)
    assert sink.by_receiver() == {"ana@example.org": ["Remi: 1 message"], "bogdan@example.org": ["Remi: 1 message"]}


def test_a_refused_letter_of_the_day_is_tried_again_as_a_whole(sink: Sink) -> None:
    ana = person("Ana", digest_hour=13)
    for key in ("1", "2"):
        tell(ana, key=key)
    go()
    sink.answers["RCPT"] = "451 try again later"
    go(NOON + HOUR)
    assert went(ana) == [("ruling", "waiting")] * 2
    sink.answers.clear()
    go(NOON + HOUR + MINUTE)
    assert sink.by_receiver() == {"ana@example.org": ["Remi: 2 messages"]}


def set_hours(user: User, now: datetime, **changed: Any) -> None:
    """Save the settings with these changed, as the page does."""
    wishes.save(user=user, wishes=replace(wishes.of(user), **changed), ways=["site", "mail"], now=now)


def test_without_the_letter_of_the_day_what_waited_for_it_goes_at_once(sink: Sink) -> None:
    ana, bogdan = person("Ana", digest_hour=20), person("Bogdan", digest_hour=20)
    for user in (ana, bogdan):
        tell(user), tell(user, "started")
    go()
    set_hours(ana, NOON + HOUR, digest_hour=None)
    go(NOON + HOUR)
    assert went(ana) == [("ruling", "sent"), ("started", "sent")]
    assert sorted(sink.by_receiver()) == ["ana@example.org"] and len(sink.letters) == 2
    assert went(bogdan) == [("ruling", "waiting"), ("started", "waiting")]


def test_in_quiet_hours_they_wait_for_the_end_of_those(sink: Sink) -> None:
    ana = person("Ana", digest_hour=20)
    tell(ana)
    go()
    set_hours(ana, NOON + HOUR, digest_hour=None, quiet=(time(11), time(15)))
    go(NOON + HOUR)
    assert sink.letters == [] and delivery(ana).next_at == NOON + 3 * HOUR
    go(NOON + 3 * HOUR)
    assert went(ana) == [("ruling", "sent")]


def test_another_hour_of_the_letter_holds_for_what_waits_too(sink: Sink) -> None:
    ana = person("Ana", digest_hour=20)
    tell(ana)
    go()
    set_hours(ana, NOON + HOUR, digest_hour=14)
    go(NOON + 2 * HOUR)
    assert sink.by_receiver() == {"ana@example.org": ["Remi: 1 message"]}


def test_a_letter_of_the_day_that_is_due_is_not_put_off_by_saving_the_settings(sink: Sink) -> None:
    ana = person("Ana", digest_hour=13)
    tell(ana)
    go()
    set_hours(ana, NOON + HOUR + MINUTE, hurry=50)
    go(NOON + HOUR + MINUTE)
    assert sink.by_receiver() == {"ana@example.org": ["Remi: 1 message"]}


def test_what_the_other_side_has_put_off_keeps_its_next_try(sink: Sink) -> None:
    ana = person("Ana", digest_hour=13)
    tell(ana)
    go()
    sink.answers["RCPT"] = "451 try again later"
    go(NOON + HOUR)
    before = delivery(ana).next_at
    set_hours(ana, NOON + HOUR, digest_hour=None)
    assert (delivery(ana).next_at, delivery(ana).digest) == (before, False)


# -- refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "."])
def test_refused_for_now_it_is_tried_again_later_and_later_and_then_given_up(sink: Sink, verb: str) -> None:
    ana, now, waits = person("Ana"), NOON, []
    tell(ana)
    sink.answers[verb] = "451 try again later"
    go(now)
    while (row := delivery(ana)).status == "waiting":
        assert row.next_at is not None and row.last_error == "451 try again later"
        waits.append((row.next_at - now) / MINUTE)
        go(row.next_at - MINUTE)
        assert delivery(ana).attempts == row.attempts
        now = row.next_at
        go(now)
    assert waits == [1, 5, 30, 120, 360]
    assert (row.status, row.attempts, row.last_error) == ("failed", 6, "451 try again later")
    assert sink.letters == []


def test_taken_at_last_it_was_sent_once_and_the_error_is_forgotten(sink: Sink) -> None:
    ana = person("Ana")
    tell(ana)
    sink.answers["RCPT"] = "451 try again later"
    go()
    sink.answers.clear()
    go(NOON + MINUTE)
    assert (delivery(ana).status, delivery(ana).last_error, len(sink.letters)) == ("sent", "", 1)


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA", "."])
def test_refused_for_good_it_is_not_tried_again_and_the_owner_may_read_why(sink: Sink, verb: str) -> None:
    ana = person("Ana")
    tell(ana)
    sink.answers[verb] = "550 no such mailbox"
    for hours in range(9):
        go(NOON + hours * HOUR)
    row = delivery(ana)
    assert (row.status, row.attempts, row.last_error) == ("failed", 1, "550 no such mailbox")


def test_one_refusal_does_not_keep_the_letters_of_others(sink: Sink) -> None:
    people = [person(f"P{number}") for number in range(3)]
    for user in people:
        tell(user)
    seen: list[str] = []

    def once(verb: str) -> None:
        if verb == "RCPT" and not seen:
            seen.append(verb)
            sink.answers["RCPT"] = "550 no"
        elif verb == "MAIL":
            sink.answers.pop("RCPT", None)

    sink.before_answer = once
    go()
    assert sorted(delivery(user).status for user in people) == ["failed", "sent", "sent"]


def test_broken_off_in_the_middle_nobody_knows_and_nobody_sends_it_again(sink: Sink) -> None:
    ana, bogdan = person("Ana"), person("Bogdan")
    tell(ana)
    sink.answers["."] = HANG_UP  # it has the letter by then
    go()
    sink.answers.clear()
    tell(bogdan)
    for hours in range(9):
        go(NOON + hours * HOUR)
    assert (delivery(ana).status, delivery(ana).attempts) == ("unknown", 1)
    assert delivery(ana).last_error == "The mail server broke off in the middle."
    assert sink.by_receiver() == {
        "ana@example.org": ["A referee has ruled at “Remi”"],
        "bogdan@example.org": ["A referee has ruled at “Remi”"],
    }


def test_a_connection_lost_between_two_letters_is_made_anew(sink: Sink) -> None:
    for number in range(3):
        tell(person(f"P{number}"))
    sink.answers["NOOP"] = HANG_UP
    go()
    assert (len(sink.letters), sink.connections) == (3, 3)


def test_with_nobody_answering_one_letter_is_tried_and_the_others_wait_a_minute(sink: Sink, settings: object) -> None:
    people = [person(f"P{number}") for number in range(3)]
    for user in people:
        tell(user)
    settings.EMAIL_PORT = 1  # type: ignore[attr-defined]
    go()
    assert sorted(delivery(user).attempts for user in people) == [0, 0, 1]
    assert {delivery(user).status for user in people} == {"waiting"}
    settings.EMAIL_PORT = sink.port  # type: ignore[attr-defined]
    go(NOON + timedelta(seconds=30))
    assert sink.letters == []
    go(NOON + timedelta(seconds=61))
    assert len(sink.letters) == 3


def test_what_was_being_sent_when_its_worker_died_is_unknown_and_not_sent_again(sink: Sink) -> None:
    ana = person("Ana")
    tell(ana)
    spread.spread(now=NOON)
    assert len(claim()) == 1  # and then the power goes
    go(NOON + 4 * MINUTE)
    assert delivery(ana).status == "sending"
    for hours in (1, 2, 30):
        go(NOON + hours * HOUR)
    assert (delivery(ana).status, sink.letters) == ("unknown", [])


def test_a_worker_that_was_only_slow_says_how_it_went_after_all() -> None:
    ana = person("Ana")
    tell(ana)
    spread.spread(now=NOON)
    claimed = claim()
    send.give_up_lost(now=NOON + HOUR)
    assert send.deliver(claimed, lambda letter: None)
    assert delivery(ana).status == "sent"


def broken(fault: Exception) -> str:
    """The status of a delivery whose carrier raises this."""
    ana = person("Ana")
    tell(ana, key=repr(fault)[:40])
    spread.spread(now=NOON)

    def carry(letter: Letter) -> None:
        raise fault

    send.deliver(claim(), carry)
    return delivery(ana).status


def test_whatever_goes_wrong_in_a_carrier_the_letter_is_not_sent_twice(caplog: pytest.LogCaptureFixture) -> None:
    assert broken(Unsure("half of it")) == "unknown"
    assert "broke" not in caplog.text
    assert broken(RuntimeError("a fault of ours")) == "unknown"
    assert "a letter by mail broke" in caplog.text


def test_a_refusal_of_any_length_is_kept_as_far_as_it_fits() -> None:
    assert broken(Refused("x" * 5000)) == "failed"
    assert Delivery.objects.get().last_error == "x" * 300


def test_every_way_that_a_delivery_may_go_has_its_carrier() -> None:
    assert "mail" in CARRIERS and set(CARRIERS) <= set(Delivery.Way.values)


def test_unsubscribed_everything_that_waits_is_dropped(sink: Sink) -> None:
    ana = person("Ana", quiet_from=time(11), quiet_to=time(13))
    tell(ana)
    tell(ana, "started")
    go()
    unsubscribe.stop_mail(user=ana, kind=unsubscribe.EVERYTHING)
    go(NOON + HOUR)
    assert (went(ana), sink.letters) == ([("ruling", "off"), ("started", "off")], [])
