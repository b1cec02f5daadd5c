"""Players in the admin."""

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin_client(db: None) -> Client:
    client = Client()
    client.force_login(
        User.objects.create_superuser("chief", password="a long password"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client


def test_the_list_and_the_page_of_a_player_open(admin_client: Client, ana: User) -> None:
    assert admin_client.get("/admin/accounts/user/?q=ana").status_code == 200
    assert admin_client.get(f"/admin/accounts/user/{ana.pk}/change/").status_code == 200
    assert admin_client.get("/admin/accounts/user/add/").status_code == 200


def test_no_page_shows_what_opens_an_account(admin_client: Client, ana: User) -> None:
    page = admin_client.get(f"/admin/accounts/user/{ana.pk}/change/").content.decode()

    assert ana.password.split("$")[0] not in page
    assert ana.password.split("$")[-1] not in page


def test_a_player_does_not_get_in(ana_client: Client) -> None:
    assert ana_client.get("/admin/accounts/user/").status_code == 302
