"""Table and ledger for spreadsheets and programs."""

from __future__ import annotations

import csv
import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.leagues import exports
from accounts.leagues.services import ledger
from accounts.models import Season, User
from games import signals
from games.models import Game, Reliability
from tests.games.playing import NOON, player
from tests.leagues.playing import end_deal, league, match

pytestmark = pytest.mark.django_db
EVIL = "=cmd|' /C calc'!A0"


@pytest.fixture
def season() -> Season:
    season = league("Ana", "Bogdan", name="Liga <b>„Vineri”</b>")
    end_deal(match(season, "Ana", "Bogdan"))
    ledger.adjust(
        code=season.league.code, by=player("Ana"), user_id=player("Bogdan").pk, points=-7, reason=EVIL, request="1", now=NOON
    )
    return season


def read(names: tuple[str, ...], rows: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(exports.csv_lines(names, rows)))


def test_the_table_as_csv(season: Season) -> None:
    ana, bogdan = read(exports.TABLE, exports.table_rows(season))
    assert (ana["rank"], ana["player"], ana["points"], ana["average"], ana["best"], ana["last"]) == (
        "1",
        "Ana",
        "55",
        "55.0",
        "55",
        "1",
    )
    assert (bogdan["rank"], bogdan["points"], bogdan["deals"], bogdan["average"]) == ("2", "-50", "1", "-43.0")
    assert ana["provisional"] == "False"


def test_the_table_says_how_many_turns_are_played_in_time_and_nothing_of_who_is_new(season: Season) -> None:
    Reliability.objects.update_or_create(user=player("Ana"), defaults={"recent": "1" * 19 + "0"})
    Reliability.objects.filter(user=player("Bogdan")).delete()
    ana, bogdan = read(exports.TABLE, exports.table_rows(season))
    assert (ana["reliability"], bogdan["reliability"]) == ("95", "")
    assert [row["reliability"] for row in exports.table_rows(season)] == [95, None]


def test_the_ledger_as_csv(season: Season) -> None:
    first, second, third = read(exports.LEDGER, exports.ledger_rows(season))
    code = Game.objects.get().code
    assert (first["kind"], first["player"], first["points"], first["table"], first["deal"]) == ("played", "Ana", "55", code, "0")
    assert (first["out"], first["place"], second["place"], first["at"]) == ("True", "1", "2", "2026-03-01T12:00:00.000Z")
    assert (third["kind"], third["points"], third["author"], third["table"], third["deal"]) == ("adjustment", "-7", "Ana", "", "")


@pytest.mark.parametrize("text", [EVIL, "+1", "-1+2", "@SUM(A1)", "\tx", "\rx"])
def test_nothing_in_csv_is_a_formula(season: Season, text: str) -> None:
    User.objects.filter(username="Bogdan").update(username=text)
    assert text.startswith(("\t", "\r")) or read(exports.TABLE, exports.table_rows(season))[1]["player"] == f"'{text}"
    assert read(exports.LEDGER, exports.ledger_rows(season))[2]["reason"] == f"'{EVIL}"
    lines = "".join(exports.csv_lines(exports.LEDGER, exports.ledger_rows(season)))
    assert f",{text}" not in lines and f'"{text}' not in lines


@pytest.mark.parametrize("text", ["So;=1+1", "So; =1+1", "So;-1;@A1", "＝1+1"])
def test_nor_where_a_spreadsheet_takes_a_semicolon_for_the_end_of_a_cell(season: Season, text: str) -> None:
    User.objects.filter(username="Bogdan").update(username=text)
    lines = "".join(exports.csv_lines(exports.TABLE, exports.table_rows(season)))
    assert not re.search("[;,]\\s*[=@＝]|;\\s*-", lines)


def test_negative_points_stay_numbers(season: Season) -> None:
    assert ",-43," in "".join(exports.csv_lines(exports.LEDGER, exports.ledger_rows(season)))


def test_table_and_ledger_as_json(season: Season) -> None:
    signals.disputed.send(Game, game=Game.objects.get(), is_open=True, now=NOON)
    table = json.loads("".join(exports.json_lines(season, "table", exports.table_rows(season))))
    assert (table["format"], table["league"], table["season"], table["ended"]) == (
        "remi-league-table/1", "Liga <b>„Vineri”</b>", 1, None,
    )  # fmt: skip
    ana = table["table"][0]
    assert (ana["player"], ana["points"], ana["last"], ana["provisional"]) == ("Ana", 55, [1], True)
    rows = json.loads("".join(exports.json_lines(season, "ledger", exports.ledger_rows(season))))["ledger"]
    assert [row["points"] for row in rows] == [55, -43, -7]
    assert rows[2]["reason"] == EVIL  # JSON is no spreadsheet


def test_a_season_without_rows_is_an_empty_list() -> None:
    season = league("Ana", "Bogdan")
    assert json.loads("".join(exports.json_lines(season, "ledger", exports.ledger_rows(season))))["ledger"] == []
    assert read(exports.LEDGER, exports.ledger_rows(season)) == []


def test_an_export_asks_the_same_however_long_the_ledger_is(season: Season) -> None:
    with CaptureQueriesContext(connection) as asked:
        list(exports.ledger_rows(season))
        list(exports.table_rows(season))
    assert len(asked) == 4
    assert not any(f'"games_deal"."{secret}"' in asked[0]["sql"] for secret in ("deck", "seed", "state"))
