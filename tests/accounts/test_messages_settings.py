"""What a player sets about messages: kept by kind and way, and refused by the field where it cannot be."""

from __future__ import annotations

import re
from datetime import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import Delivery, Message, MessageSettings, Preference, PushSubscription, User, Webhook
from accounts.people.messages import wishes
from accounts.people.messages.kinds import KINDS, SETTABLE, WAYS

pytestmark = pytest.mark.django_db
URL = "/settings/"
HOOK = "https://hooks.slack.com/services/T0/B0/x"


def posted(*boxes: str, ways: str = "site mail push", **other: str) -> dict[str, str]:
    """The whole form, with these boxes ticked."""
    about = {"name": "Ana", "language": "en", "time_zone": "Europe/Bucharest", "deck": "2", "felt": "green", "theme": ""}
    told = {"ways": ways, "hurry": "20", "quiet_from": "22:30", "quiet_to": "07:30", "digest_hour": "", "webhook": ""}
    return {**about, **told, **dict.fromkeys(boxes, "on"), **other}


def wanted(user: User) -> set[str]:
    return {f"{kind}-{way}" for (kind, way), wish in wishes.of(user).wanted.items() if wish}


def defaults(*ways: str) -> set[str]:
    return {f"{kind.name}-{way}" for kind in SETTABLE for way in ways if kind.goes_by(way)}


def test_who_has_set_nothing_sees_what_holds(ana_client: Client) -> None:
    page = ana_client.get(URL).content.decode()

    ticked = set(re.findall(r'name="([a-z_]+-[a-z]+)"[^>]* checked', page))
    assert ticked == defaults("site", "mail", "push")


def test_each_kind_is_kept_by_each_way(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, posted("turn-push", "deal_over-mail", "mention-site"))

    assert wanted(ana) & defaults(*WAYS) - defaults("webhook") == {"turn-push", "mention-site", "ruling-site"}
    assert "deal_over-mail" in wanted(ana)


def test_only_what_differs_is_stored(ana: User, ana_client: Client) -> None:
    boxes = defaults("site", "mail", "push") - {"turn-mail"} | {"deal_over-push"}
    ana_client.post(URL, posted(*boxes))

    stored = set(Preference.objects.filter(user=ana).values_list("kind", "way", "wanted"))
    assert stored == {("turn", "mail", False), ("deal_over", "push", True)}


def test_setting_it_back_leaves_nothing_stored(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, posted())
    ana_client.post(URL, posted(*defaults("site", "mail", "push")))

    assert not Preference.objects.filter(user=ana).exists()


def test_a_ruling_is_always_on_the_site(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, posted())

    assert wanted(ana) - defaults("webhook") == {"ruling-site"}
    assert Preference.objects.filter(user=ana, kind="ruling", way="site").count() == 0


def test_a_page_from_before_the_webhook_does_not_turn_it_off(ana: User, ana_client: Client) -> None:
    Webhook.objects.create(user=ana, url=HOOK, made_at=timezone.now())

    ana_client.post(URL, posted(ways="site mail push", webhook=HOOK))

    assert defaults("webhook") <= wanted(ana)


def test_the_column_of_the_chat_tool_comes_with_its_address(ana: User, ana_client: Client) -> None:
    assert "turn-webhook" not in ana_client.get(URL).content.decode()

    ana_client.post(URL, posted(webhook=f" {HOOK} "))
    page = ana_client.get(URL).content.decode()

    assert 'name="turn-webhook"' in page and "hooks.slack.com" in page
    ana_client.post(URL, posted("turn-webhook", ways="site mail push webhook", webhook=HOOK))
    assert {name for name in wanted(ana) if name.endswith("webhook")} == {"turn-webhook"}


def test_taking_the_address_away_ends_it(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, posted(webhook=HOOK))
    ana_client.post(URL, posted(webhook=""))

    assert not Webhook.objects.filter(user=ana).exists()


def test_a_form_without_this_part_changes_none_of_it(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, posted("turn-site", webhook=HOOK, hurry="50"))
    before = wishes.of(ana)
    only = {"name": "Ana", "language": "en", "time_zone": "", "deck": "4", "felt": "green", "theme": ""}

    assert ana_client.post(URL, only).status_code == 302
    assert wishes.of(ana) == before


def test_times_are_kept(ana: User, ana_client: Client) -> None:
    times = {"quiet": "on", "quiet_from": "23:00", "quiet_to": "06:15", "hurry": "10", "digest_hour": "7"}
    ana_client.post(URL, posted(not_while_looking="on", **times))

    kept = MessageSettings.objects.get(user=ana)
    assert (kept.quiet_from, kept.quiet_to, kept.hurry, kept.digest_hour) == (time(23), time(6, 15), 10, 7)
    assert kept.not_while_looking


def test_no_quiet_hours_and_letters_one_by_one(ana: User, ana_client: Client) -> None:
    ana_client.post(URL, posted(quiet="on", digest_hour="7"))
    ana_client.post(URL, posted())

    kept = MessageSettings.objects.get(user=ana)
    assert (kept.quiet_from, kept.quiet_to, kept.digest_hour, kept.not_while_looking) == (None, None, None, False)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"quiet": "on", "quiet_from": "", "quiet_to": "07:00"}, "two times that differ"),
        ({"quiet": "on", "quiet_from": "07:00", "quiet_to": "07:00"}, "two times that differ"),
        ({"quiet": "on", "quiet_from": "25:00"}, "Enter a valid time"),
        ({"quiet_to": "\x00"}, "Null characters|Enter a valid time"),
        ({"hurry": "15"}, "Select a valid choice"),
        ({"hurry": "x"}, "Select a valid choice"),
        ({"hurry": ""}, "This field is required"),
        ({"digest_hour": "24"}, "Select a valid choice"),
        ({"digest_hour": "-1"}, "Select a valid choice"),
        ({"webhook": "http://hooks.slack.com/x"}, "no address of a webhook"),
        ({"webhook": "javascript:alert(1)"}, "no address of a webhook"),
        ({"webhook": "https://127.0.0.1/x"}, "open internet"),
        ({"webhook": "https://example.org:22/x"}, "port 443, or to one from 1024 on"),
        ({"webhook": "https://2130706433/x"}, "open internet"),
        ({"webhook": "https://[::ffff:169.254.169.254]/x"}, "open internet"),
        ({"webhook": "https://hooks.example.org/" + "a" * 1000}, "at most 1000 characters"),
        ({"webhook": "https://hooks.example.org/\x00"}, "Null characters"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field_and_nothing_is_kept(
    ana: User, ana_client: Client, wrong: dict[str, str], sentence: str
) -> None:
    response = ana_client.post(URL, posted(name="Ana Pop", **wrong))

    assert response.status_code == 422
    assert re.search(sentence, response.content.decode())
    ana.refresh_from_db()
    assert ana.username == "Ana"
    assert not MessageSettings.objects.exists() and not Preference.objects.exists() and not Webhook.objects.exists()


@pytest.mark.parametrize("ways", ["", "telegram", "webhook", "site " * 500, "\x00", "mail;push"])
def test_ways_that_are_none_are_not_asked_about(ana: User, ana_client: Client, ways: str) -> None:
    ana_client.post(URL, posted("turn-webhook", "nonsense-mail", ways=ways))

    kept = Preference.objects.filter(user=ana).exclude(way="site")
    assert not kept.exists()


def test_a_name_that_is_taken_keeps_the_messages_as_they_were(ana: User, ana_client: Client) -> None:
    User.objects.create_user("Bogdan")

    assert ana_client.post(URL, posted(name="bogdan")).status_code == 422
    assert not Preference.objects.exists()


def test_a_guest_is_asked_about_site_and_devices_alone(guest: User, guest_client: Client) -> None:
    page = guest_client.get(URL).content.decode()
    assert 'name="turn-push"' in page and 'name="turn-mail"' not in page
    assert 'name="webhook"' not in page and 'name="digest_hour"' not in page

    about = posted("turn-site", "turn-mail", ways="site mail push webhook", name=guest.username, webhook=HOOK, digest_hour="7")
    assert guest_client.post(URL, about).status_code == 302
    assert not Webhook.objects.exists()
    assert not Preference.objects.filter(way__in=("mail", "webhook")).exists()


def test_the_settings_speak_three_languages(ana: User, ana_client: Client) -> None:
    for language, words in (("ro", "Ore de liniște"), ("fr", "Heures calmes"), ("en", "Quiet hours")):
        User.objects.filter(pk=ana.pk).update(language=language)
        assert words in ana_client.get(URL).content.decode()


# -- what the page says of each way ---------------------------------------------------------------


def ways_of(page: str) -> str:
    return page[page.index('id="ways"') : page.index('id="devices"')]


def ended(user: User, way: str, status: str, **other: Any) -> Delivery:
    now = timezone.now()
    made = Message.objects.create(
        user=user, kind="turn", key=f"{Message.objects.count()}", made_at=now, due_at=now, spread_at=now
    )
    return Delivery.objects.create(message=made, way=way, status=status, began_at=now, **other)


def test_without_an_address_it_says_to_add_one(ana_client: Client) -> None:
    shown = ways_of(ana_client.get(URL).content.decode())

    assert "No address yet" in shown and "Add an address" in shown
    assert 'value="mail"' not in shown


def test_an_address_that_is_not_confirmed_says_what_to_do(ana: User, ana_client: Client) -> None:
    EmailAddress.objects.create(user=ana, email="ana@example.org", primary=True, verified=False)
    shown = ways_of(ana_client.get(URL).content.decode())

    assert "not confirmed yet" in shown and 'href="/account/email/"' in shown
    assert 'value="mail"' not in shown


def test_a_confirmed_address_can_be_tested(ana: User, ana_client: Client) -> None:
    EmailAddress.objects.create(user=ana, email="ana@example.org", primary=True, verified=True)
    shown = ways_of(ana_client.get(URL).content.decode())

    assert "ana@example.org" in shown and 'value="mail"' in shown


@pytest.mark.parametrize(
    ("status", "other", "words"),
    [
        ("failed", {"last_error": "550 <no> such mailbox"}, "failed: 550 &lt;no&gt; such mailbox"),
        ("unknown", {}, "unknown: the server was interrupted while sending"),
        ("sent", {"sent_at": timezone.now()}, "Last one: sent "),
        ("waiting", {"last_error": "451 try later", "next_at": timezone.now()}, "451 try later · next try "),
    ],
)
def test_how_the_last_letter_went_stands_by_its_way(
    ana: User, ana_client: Client, status: str, other: dict[str, Any], words: str
) -> None:
    EmailAddress.objects.create(user=ana, email="ana@example.org", primary=True, verified=True)
    ended(ana, "mail", "sent", sent_at=timezone.now())
    ended(ana, "mail", status, **other)
    ended(User.objects.create_user("Bogdan"), "mail", "failed", last_error="not Ana's")

    shown = ways_of(ana_client.get(URL).content.decode())
    assert words in shown and "not Ana" not in shown


def test_the_settings_take_as_many_queries_for_ten_devices_as_for_one(ana: User, ana_client: Client) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            ana_client.get(URL)
        return len(seen)

    devices = [
        PushSubscription(user=ana, endpoint=f"https://push.example.org/{n}", p256dh="", auth="", made_at=timezone.now())
        for n in range(10)
    ]
    devices[0].save()
    first = queries()
    PushSubscription.objects.bulk_create(devices[1:])

    assert queries() == first


def test_every_kind_has_its_row_and_every_box_its_words(ana_client: Client) -> None:
    page = ana_client.get(URL).content.decode()

    matrix = page[page.index('class="matrix"') : page.index("</table>")]
    assert matrix.count("<tr>") == len(SETTABLE) + 1
    assert matrix.count('type="checkbox"') == matrix.count('<span class="sr">') == 3 * len(SETTABLE)
    assert "test" not in {kind.name for kind in SETTABLE} and "test" in KINDS
