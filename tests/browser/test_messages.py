"""Messages in a browser: the settings, the bell, the service worker that shows what is pushed."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accounts.models import Message, PushSubscription, User
from accounts.people.messages import bell, post, wishes
from accounts.people.messages.spread import spread
from tests.accounts.far import Phone
from tests.browser.players import come_in, good_move, make
from tests.games.playing import fresh, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


# The push service of a browser is elsewhere: it is played. All the rest is real.
PUSH_SERVICE = """
const subscription = { endpoint: told.endpoint, options: {}, toJSON: () => ({ endpoint: told.endpoint, keys: told }) };
subscription.unsubscribe = async () => delete localStorage.one;
PushManager.prototype.getSubscription = async () => (localStorage.one ? subscription : null);
PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
  if (key.length !== 65) throw new Error("no key");
  localStorage.one = "1";
  return subscription;
};
"""


@pytest.fixture
def ana(transactional_db: None) -> User:
    return User.objects.create_user("Ana", language="en", time_zone="Europe/Bucharest")


def watched(page: Page) -> list[str]:
    """What the browser complains of: errors of scripts, and what the policy blocks."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


SHOWN = """async (title) => {
    const registration = await navigator.serviceWorker.ready;
    const all = await registration.getNotifications();
    return all.length === 1 && all[0].title === title && [all[0].body, all[0].tag, all[0].data.url];
}"""
"""What a browser shows, if it is this one thing."""


def rings(page: Page, count: int) -> None:
    page.locator(f'#bell[data-unread="{count}"]').wait_for()
    page.wait_for_function(
        "count => document.title.startsWith('(') ? document.title.startsWith(`(${count})`) : !count", arg=count
    )


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_both_pages_are_whole_at_every_width(live_server: Any, contexts: Any, ana: User, width: int) -> None:
    now = timezone.now()
    wished = replace(wishes.of(ana), webhook="https://chat.example.org/hook")
    wishes.save(user=ana, wishes=wished, ways=[], now=now)
    post(kind="league", user_ids=[ana.pk], key="1", facts={"league": "x" * 60, "path": "/settings/"}, now=now)
    spread(now=timezone.now())
    page = come_in(contexts(width=width), live_server.url, ana)
    complaints = watched(page)
    for address in ("/settings/", "/messages/"):
        page.goto(live_server.url + address, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        small = page.evaluate(
            """() => [...document.querySelectorAll('main :is(button, a, select, .check)')].filter((each) => {
                const { width, height } = each.getBoundingClientRect();
                return width && (height < 44 || width < 44);
            }).map((each) => each.outerHTML)"""
        )
        assert small == [], address
    assert complaints == []


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_settings_are_changed_and_a_test_rings_the_bell_until_it_is_read(
    live_server: Any, contexts: Any, ana: User, script: bool
) -> None:
    page = come_in(contexts(java_script_enabled=script), live_server.url, ana)
    page.goto(f"{live_server.url}/settings/")
    page.get_by_label("Your turn: by mail").uncheck()
    page.get_by_label("A deal is over: on your devices").check()
    page.get_by_label("On", exact=True).check()
    page.locator("[name=quiet_from]").fill("21:15")
    page.get_by_role("button", name="Save").click()

    page.get_by_text("Saved.").wait_for()
    assert not page.get_by_label("Your turn: by mail").is_checked()
    assert page.get_by_label("A deal is over: on your devices").is_checked()
    kept = wishes.of(ana)
    assert kept.quiet and f"{kept.quiet[0]:%H:%M}" == "21:15"
    assert (kept.wanted["turn", "mail"], kept.wanted["deal_over", "push"]) == (False, True)

    page.get_by_role("button", name="Send me a test On the site").click()
    page.get_by_text("A test is on its way").wait_for()
    spread(now=timezone.now())
    page.locator("#bell").click()
    assert page.locator("#bell").get_attribute("data-unread") == "1" and page.title().startswith("(1) ")
    page.get_by_role("button", name="A test from Remi").click()

    page.wait_for_url("**/settings/")
    assert page.locator("#bell").get_attribute("data-unread") == "0" and page.title() == "Settings · Remi"
    assert bell.unread(user=ana) == 0 and Message.objects.get().read_at is not None


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_bell_at_a_table_keeps_its_number_when_the_table_changes(
    live_server: Any, contexts: Any, ana: User, width: int
) -> None:
    now = timezone.now()
    game = running("Ana", "Bogdan", title="A long name of a table", now=now - timedelta(minutes=1))
    post(kind="league", user_ids=[ana.pk], key="1", facts={"league": "x"}, now=now)
    spread(now=timezone.now())
    page = come_in(contexts(width=width, height=844), live_server.url, ana)
    complaints = watched(page)
    page.goto(f"{live_server.url}/t/{game.code}/")
    rings(page, 2)
    assert page.title().startswith("(2) Your turn")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    make(page, "S")
    rings(page, 2)
    make(page, good_move(fresh(game), ana, random.Random(1)))
    while fresh(game).to_move == 0:
        make(page, good_move(fresh(game), ana, random.Random(1)))
    rings(page, 1)  # the turn asks no more; and nobody loads the page anew
    assert page.title().startswith("(1) Bogdan to move")
    page.locator("#bell").click()
    page.wait_for_url("**/messages/")
    assert complaints == []


def test_without_script_the_page_says_what_a_device_needs(live_server: Any, contexts: Any, ana: User) -> None:
    page = come_in(contexts(java_script_enabled=False), live_server.url, ana)
    page.goto(f"{live_server.url}/settings/")

    assert page.locator("#devices noscript p").is_visible()
    assert not page.get_by_role("button", name="Add this device").is_visible()


def test_a_browser_that_is_not_allowed_to_says_so(live_server: Any, contexts: Any, ana: User) -> None:
    page = come_in(contexts(permissions=[]), live_server.url, ana)
    page.goto(f"{live_server.url}/settings/")

    page.get_by_text("This browser does not let Remi show messages.").wait_for()
    assert not page.get_by_role("button", name="Add this device").is_visible()


def test_a_push_service_that_cannot_be_reached_changes_nothing(live_server: Any, contexts: Any, ana: User) -> None:
    page = come_in(contexts(permissions=["notifications"]), live_server.url, ana)
    page.goto(f"{live_server.url}/settings/")
    page.get_by_role("button", name="Add this device").click()

    page.get_by_text("The browser could not be reached for messages.").wait_for()
    assert page.url == f"{live_server.url}/settings/"


def test_a_device_is_added_and_knows_itself_in_the_list(live_server: Any, contexts: Any, ana: User) -> None:
    page = come_in(contexts(permissions=["notifications"]), live_server.url, ana)
    told = Phone("https://push.example.org/one").told
    page.add_init_script(f"const told = {json.dumps(told)};{PUSH_SERVICE}")
    page.goto(f"{live_server.url}/settings/")
    page.get_by_role("button", name="Add this device").click()

    page.get_by_text("Messages reach this device now.").wait_for()
    page.get_by_text("This device is one of them.").wait_for()
    assert page.locator("[data-device] [data-this]").is_visible()
    assert PushSubscription.objects.get(user=ana).auth == told["auth"]
    page.get_by_role("button", name="Remove").click()
    page.get_by_text("do not go to that device any more").wait_for()
    assert not PushSubscription.objects.exists()


def test_what_is_pushed_is_shown_and_rings_the_bell(live_server: Any, contexts: Any, ana: User) -> None:
    context = contexts(permissions=["notifications"])
    page = come_in(context, live_server.url, ana)
    complaints = watched(page)
    devtools = context.new_cdp_session(page)
    registered: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registered.extend(each["registrationId"] for each in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.goto(f"{live_server.url}/settings/")
    scope = page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.scope)")
    assert scope == f"{live_server.url}/"
    for _moment in range(200):  # devtools tell of it in their own time
        if registered:
            break
        page.wait_for_timeout(50)

    post(kind="test", user_ids=[ana.pk], key="1", facts={"way": "push"}, now=timezone.now())
    spread(now=timezone.now())
    data = {"title": "Your turn", "body": "at Tuesday", "url": "/t/abc/", "tag": "abc", "lang": "en"}
    for title in ("Your turn", "Little time left"):
        pushed = {"origin": live_server.url, "registrationId": registered[0], "data": json.dumps({**data, "title": title})}
        devtools.send("ServiceWorker.deliverPushMessage", pushed)
        # asked anew from here: a function that is waited for would be done with its promise, whatever comes of it
        for _moment in range(200):
            if shown := page.evaluate(SHOWN, title):
                break
            page.wait_for_timeout(50)
        assert shown == ["at Tuesday", "abc", "/t/abc/"]  # the newer one stands in the place of the older
    rings(page, 1)
    assert complaints == []


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_logging_out_ends_the_messages_on_this_device(live_server: Any, contexts: Any, ana: User, script: bool) -> None:
    page = come_in(contexts(permissions=["notifications"], java_script_enabled=script), live_server.url, ana)
    page.add_init_script(f"const told = {json.dumps(Phone('https://push.example.org/one').told)};{PUSH_SERVICE}")
    page.goto(f"{live_server.url}/settings/")
    if script:
        page.get_by_role("button", name="Add this device").click()
        page.get_by_text("This device is one of them.").wait_for()
    page.goto(f"{live_server.url}/account/logout/")
    page.get_by_role("button", name="Log out").click()

    page.wait_for_url(f"{live_server.url}/")
    assert not script or page.evaluate("localStorage.one === undefined")
