"""The audit of a table asks the leagues whether their ledger agrees."""

from __future__ import annotations

import pytest
from django.db import connection

from games.services.audit import audit
from tests.games.playing import differences
from tests.leagues.playing import end_deal, league, match

pytestmark = pytest.mark.django_db


def test_a_ledger_that_agrees_adds_nothing_and_one_that_does_not_is_found() -> None:
    game = match(league("Ana", "Bogdan"), "Ana", "Bogdan")
    end_deal(game)
    assert differences(game) == []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE accounts_ledgerrow DISABLE TRIGGER ALL")
        cursor.execute("UPDATE accounts_ledgerrow SET points = 500 WHERE points = 55")
        cursor.execute("ALTER TABLE accounts_ledgerrow ENABLE TRIGGER ALL")
    [line] = audit(game_id=game.pk)
    assert line.endswith("points differs")
