"""What the database itself refuses, whatever a service does."""

from __future__ import annotations

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db


def test_the_ledger_is_there_and_guarded() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgname = 'accounts_ledgerrow_append_only'")
        assert cursor.fetchall() == [("accounts_ledgerrow_append_only",)]
