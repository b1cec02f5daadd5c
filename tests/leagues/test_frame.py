"""The table of a league to keep, and in a frame on another site; ties and days as all its pages write them."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from accounts.leagues.services import seasons
from accounts.models import Standing, User
from tests.games.pages import visitor, words
from tests.games.playing import DAY, NOON, player
from tests.leagues.playing import end_deal, league, match, new_league
from tests.leagues.test_pages import home

pytestmark = pytest.mark.django_db

# -- to keep, and elsewhere ----------------------------------------------------------------------


def test_table_and_ledger_can_be_kept() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    for kind in ("table", "ledger"):
        data = visitor().get(f"{home(season)}seasons/1/{kind}.json")
        assert [row["points"] for row in json.loads(data.getvalue())[kind]] == [55, -43]
        lines = visitor().get(f"{home(season)}seasons/1/{kind}.csv").getvalue().decode().splitlines()
        assert len(lines) == 3 and "Bogdan" in lines[2]
        assert "attachment" in data["Content-Disposition"]
    assert visitor().get(f"{home(season)}seasons/1/deck.csv").status_code == 404
    assert visitor().get(f"{home(season)}seasons/1/table.xml").status_code == 404


def test_the_frame_alone_may_stand_on_another_site() -> None:
    season = league("Ana", "Bogdan")
    end_deal(match(season, "Ana", "Bogdan"))
    framed = visitor("Ana").get(home(season) + "embed/")
    policy = framed.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy and "script-src" not in policy and "form-action 'none'" in policy
    assert "X-Frame-Options" not in framed.headers
    page = framed.content.decode()
    assert "(you)" not in page and "<script" not in page and "<form" not in page and "csrf" not in page
    assert set(re.findall(r'<a [^>]*href="([^"]+)"', page)) == {f"/l/{season.league.code}/"}
    assert len(framed.content) < 20_000
    other = visitor("Ana").get(home(season))
    assert other.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]
    assert "Classement" not in page and "Joueur" in visitor().get(home(season) + "embed/?lang=fr").content.decode()
    assert visitor().get("/l/nosuchone/embed/").status_code == 404


def test_a_frame_is_the_same_for_everybody_who_asks_in_the_same_language() -> None:
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": datetime(2026, 12, 21, tzinfo=ZoneInfo("Asia/Tokyo"))})
    User.objects.filter(username="Ana").update(time_zone="Asia/Tokyo")
    User.objects.filter(username="Bogdan").update(language="fr", time_zone="America/New_York")
    path, asked = home(season) + "embed/", {"Accept-Language": "ro;q=0.5, xx, en;q=0.4"}
    plain = visitor(**asked).get(path)
    cookies = visitor(**asked)
    cookies.cookies.load({"django_language": "fr", "time_zone": "America/New_York"})
    for client in (visitor("Bogdan", **asked), cookies):
        assert client.get(path).content == plain.content
    page = plain.content.decode()
    assert '<html lang="ro">' in page and "20 decembrie 2026" in page
    assert plain.headers["Content-Language"] == "ro" and "Accept-Language" in plain.headers["Vary"]
    chosen = visitor("Bogdan", **asked).get(path + "?lang=en")
    assert '<html lang="en">' in chosen.content.decode() and chosen.headers["Content-Language"] == "en"
    for nonsense in ("", "x" * 9_000, "*", "fr-CA;q=x", "zz"):
        assert '<html lang="en">' in visitor(**{"Accept-Language": nonsense}).get(path + "?lang=xx").content.decode()
    assert '<html lang="fr">' in visitor(**{"Accept-Language": "fr-CA"}).get(path).content.decode()


def test_a_frame_says_what_there_is_of_a_season_in_which_nothing_was_played() -> None:
    made = new_league("Ana")
    path = f"/l/{made.code}/embed/"
    assert "Friday league" in words(visitor().get(path)) and "No season is under way." in words(visitor().get(path))
    seasons.start(code=made.code, by=player("Ana"), now=NOON)
    assert "The table begins with the first." in words(visitor().get(path))
    seasons.close(code=made.code, by=player("Ana"), now=NOON)
    assert "No deal was finished in this season." in words(visitor().get(path))


# -- ties and days ------------------------------------------------------------------------------


def test_what_is_level_is_shown_so_though_the_end_of_a_page_parts_it() -> None:
    season = league("Ana", "Zoe")
    names = ("matches", "won", "laps", "deals", "deal_points", "outs", "deals_won", "head_to_head", "forfeits", "server_turns")
    rest, users = dict.fromkeys(names, 0), User.objects.bulk_create([User(username=f"P{number:02}") for number in range(1, 52)])
    ranks = [*range(1, 20), 20, 20, *range(22, 50), 50, 50]  # level are the 20th and the 21st, the 50th and the 51st
    lines = zip([*users[:50], player("Zoe")], ranks, strict=True)
    Standing.objects.bulk_create([Standing(season=season, player=user, rank=rank, points=-rank, **rest) for user, rank in lines])

    def tied(page: Any) -> list[str]:
        return re.findall(r"<td>(\d+)<span title=\"shared\">", page.content.decode())

    assert tied(visitor().get(home(season))) == ["20", "20", "50"]
    assert tied(visitor().get(home(season) + "?page=2")) == ["50"]
    assert tied(visitor().get(home(season) + "embed/")) == ["20"]
    own = visitor("Zoe").get(home(season))
    assert tied(own) == ["20", "20", "50", "50"] and "You share place 50" in words(own)
    assert "Rank 50 shared" in words(visitor().get(home(season) + "seasons/1/players/Zoe/"))
    assert "shares place 50 of 51" in words(visitor().get("/u/Zoe/"))
    assert "Rank 49 Points" in words(visitor().get(home(season) + "seasons/1/players/P49/"))


@pytest.mark.parametrize(("zone", "day"), [("Europe/Bucharest", "December 20"), ("Asia/Tokyo", "December 21")])
def test_a_season_by_date_names_its_last_day_and_not_the_one_after(zone: str, day: str) -> None:
    until = datetime(2026, 12, 21, tzinfo=ZoneInfo("Europe/Bucharest"))
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": until})
    User.objects.filter(username="Ana").update(time_zone=zone)
    assert f"until {day}, 2026" in words(visitor("Ana").get(home(season)))
    assert f"until {day}, 2026" in words(visitor("Ana").get(home(season) + "manage/"))
    assert seasons.end_due(season_id=season.pk, now=until + DAY)
    for rest in ("", "seasons/1/", "embed/"):
        assert f"ended on {day}, 2026" in words(visitor("Ana").get(home(season) + rest)), rest


def test_a_season_that_ends_before_its_day_names_the_day_on_which_it_ended() -> None:
    season = league("Ana", "Bogdan", season={"until": "date", "ends_at": NOON + 30 * DAY})
    seasons.close(code=season.league.code, by=player("Ana"), now=NOON)
    assert "ended on March 1, 2026" in words(visitor().get(home(season)))
