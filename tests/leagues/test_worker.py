"""A real worker on a real broker: a deal that is over is in the table without anybody asking for it."""

from __future__ import annotations

import pytest

from accounts.leagues.audit import audit
from remi_site import celery
from tests.conftest import Worker
from tests.games.playing import NOON, OUT_OF_TWO, play
from tests.games.test_worker import until
from tests.leagues.playing import end_deal, league, match, points

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_worker_counts_a_deal_and_writes_it_into_the_ledger(worker: Worker) -> None:
    season = league("Ana", "Bogdan")
    play(match(season, "Ana", "Bogdan"), OUT_OF_TWO[1], now=NOON)
    until(lambda: points(season) == {"Ana": 55, "Bogdan": -43})
    assert audit(season_id=season.pk) == []


def test_what_was_lost_is_written_by_the_sweep_that_beat_sends(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as quiet:
        for sender in ("accounts.leagues.receivers", "games.services.store"):  # the messages are lost
            quiet.setattr(f"{sender}.send", lambda *task: True)
        season = league("Ana", "Bogdan")
        end_deal(match(season, "Ana", "Bogdan"), scored=False)
    assert points(season) == {}
    assert celery.send("accounts.leagues.tasks.sweep")
    until(lambda: points(season) == {"Ana": 55, "Bogdan": -43})
