"""The one click that ends letters: without logging in, by a person or a mail program, and by nobody else."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Delivery, Preference, User
from accounts.people.messages import spread, unsubscribe
from accounts.people.messages.carriers import Letter
from accounts.people.messages.kinds import SETTABLE
from tests.games.pages import words
from tests.messages.telling import NOON, delivery, person, tell

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("become")]
EVERY = {kind.name for kind in SETTABLE}


@pytest.fixture
def ana() -> User:
    return person("Ana")


def address(user: User, kind: str = "turn", *, digest: bool = False) -> str:
    """Where a letter's click leads."""
    tell(user, kind, facts={"way": "mail"})
    spread.spread(now=NOON)
    row = delivery(user)
    row.digest = digest
    return f"/messages/stop/{unsubscribe.token(Letter(user, (row,), ()))}/"


def stopped(user: User) -> set[str]:
    return set(Preference.objects.filter(user=user, way="mail", wanted=False).values_list("kind", flat=True))


def test_a_mail_program_ends_the_kind_by_itself(ana: User) -> None:
    program = Client(enforce_csrf_checks=True)
    answer = program.post(address(ana), {"List-Unsubscribe": "One-Click"})
    assert (answer.status_code, stopped(ana)) == (200, {"turn"})


def test_looking_asks_and_ends_nothing(ana: User) -> None:
    answer = Client().get(address(ana))
    assert (answer.status_code, stopped(ana)) == (200, set())
    assert "Stop these letters: Your turn?" in words(answer) and "These letters go to Ana." in words(answer)


def test_a_person_may_end_all_at_once(ana: User) -> None:
    answer = Client().post(address(ana), {"everything": "1"})
    assert (stopped(ana), "All letters are stopped" in words(answer)) == (EVERY, True)


@pytest.mark.parametrize("kind", ["test", "digest"])
def test_of_a_test_and_of_the_letter_of_the_day_all_are_ended(ana: User, kind: str) -> None:
    Client().post(address(ana, "test" if kind == "test" else "turn", digest=kind == "digest"))
    assert stopped(ana) == EVERY


def test_twice_is_once(ana: User) -> None:
    there = address(ana)
    assert [Client().post(there).status_code for _time in range(2)] == [200, 200]
    assert stopped(ana) == {"turn"}


def test_a_link_that_has_worked_says_so_when_it_is_opened_again(ana: User) -> None:
    there = address(ana)
    Client().post(there)
    again = words(Client().get(there))
    assert "These letters are stopped: Your turn" in again and "Stop these letters" not in again
    assert "Stop all" in again  # the others go on
    Client().post(there, {"everything": "1"})
    assert "Stop all" not in words(Client().get(there))


def test_it_asks_again_once_its_reader_wants_those_letters_anew(ana: User) -> None:
    there = address(ana)
    Client().post(there)
    Preference.objects.all().delete()
    assert "Stop these letters: Your turn?" in words(Client().get(there))


def test_it_ends_letters_and_no_other_way_and_nobody_elses(ana: User) -> None:
    bogdan = person("Bogdan")
    Client().post(address(ana))
    assert set(Preference.objects.values_list("user", "way")) == {(ana.pk, "mail")}
    assert stopped(bogdan) == set()


def test_logged_in_as_another_it_is_still_the_reader_s(ana: User) -> None:
    client = Client()
    client.force_login(person("Bogdan"))
    client.post(address(ana))
    assert list(Preference.objects.values_list("user", flat=True)) == [ana.pk]


@pytest.mark.parametrize(
    "change", [lambda path: path[:-5] + "xxxx/", lambda path: "/messages/stop/x:y:z/", lambda path: "/messages/stop/%00/"]
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_that_was_changed_ends_nothing(ana: User, change: object, method: str) -> None:
    there = change(address(ana))  # type: ignore[operator]
    answer = getattr(Client(), method)(there)
    assert (answer.status_code, Preference.objects.count()) == (404, 0)


def test_of_an_account_that_is_gone_there_is_nothing_to_end(ana: User) -> None:
    there = address(ana)
    Delivery.objects.all().delete()
    ana.delete()
    assert Client().post(there).status_code == 404


@pytest.mark.parametrize(
    ("language", "said"), [("ro", "Oprești aceste e‑mailuri: E rândul tău?"), ("fr", "Arrêter ces e-mails : À vous de jouer ?")]
)
def test_it_asks_in_the_language_of_the_browser(ana: User, language: str, said: str) -> None:
    assert said in words(Client(headers={"Accept-Language": language}).get(address(ana)))
