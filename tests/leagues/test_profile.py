"""A player's page: what stands there for whom, and what it costs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from accounts.leagues.profile import presenter, selectors
from accounts.leagues.profile.chart import MOST_BARS, POINTS, bars, curve, sample
from accounts.leagues.ratings.services import rate
from accounts.leagues.services import leagues, seasons
from accounts.models import League, User
from games.models import Deal, Game, Reliability, Seat
from tests.games.playing import DAY, NOON, player, running
from tests.leagues.finished import deals, over, scored, takes_over
from tests.leagues.playing import again, end_deal, league, match

pytestmark = pytest.mark.django_db


def page(client: Client, name: str, **query: str) -> Any:
    return client.get(f"/u/{quote(name)}/", query)


def as_(name: str) -> Client:
    client = Client()
    client.force_login(player(name))
    return client


# -- whose page there is -------------------------------------------------------------------------


def test_a_new_player_has_an_empty_page_that_offers_the_next_step_to_its_owner_alone(client: Client) -> None:
    player("Ana")
    assert "Nothing has been played to its end yet" in page(client, "Ana").content.decode()
    assert 'class="btn go"' not in page(client, "Ana").content.decode().split("<main")[1]

    mine = page(as_("Ana"), "Ana").content.decode()
    assert "After your first match" in mine
    assert 'href="/lobby/"' in mine.split("<main")[1]


def test_a_name_in_another_case_leads_to_the_page(client: Client) -> None:
    player("Maria Dobrescu")
    answer = page(client, "maria dobrescu")
    assert (answer.status_code, answer.url) == (302, "/u/Maria%20Dobrescu/")


@pytest.mark.parametrize("name", ["Nobody", "..", "<script>", "a" * 300, "Ana\x00", "%", "'; DROP", "Ana\u202e", "👻", " "])
def test_names_that_nobody_has_are_a_404(name: str, client: Client) -> None:
    player("Ana")
    assert page(client, name).status_code == 404


def test_names_of_any_letters_work(client: Client) -> None:
    for name in ("Ștefan", "D'Artagnan", "J. R.", "Élodie-Anne", "Νίκος", "o’Neill"):
        player(name)
        assert page(client, name).status_code == 200


def test_guests_and_who_is_gone_have_no_page(client: Client) -> None:
    User.objects.filter(pk=player("Guest 1234").pk).update(is_guest=True)
    User.objects.filter(pk=player("Gone").pk).update(is_active=False)

    for visitor in (client, as_("Guest 1234"), as_("Ana")):
        assert page(visitor, "Guest 1234").status_code == 404
        assert page(visitor, "Gone").status_code == 404


def test_a_name_that_is_html_is_text(client: Client) -> None:
    user = player("Ana")
    User.objects.filter(pk=user.pk).update(username="<b>Ana</b>")  # as a service would never write it
    over(("<b>Ana</b>", 510), ("Bogdan", 100))
    rate(variant="rami500")

    seen = page(client, "Bogdan").content.decode()
    assert "<b>Ana</b>" not in seen and "&lt;b&gt;Ana&lt;/b&gt;" in seen


def test_only_looking_is_possible(client: Client) -> None:
    player("Ana")
    assert client.post("/u/Ana/").status_code == 405


# -- what stands there ---------------------------------------------------------------------------


def test_the_record_tells_rating_matches_wins_average_and_best_deal(client: Client) -> None:
    scored(over(("Ana", 110), ("Bogdan", 60)), (60, 40), (-10, 30), (60, -10))
    scored(over(("Ana", 20), ("Bogdan", 130), at=NOON + DAY), (20, 130))
    scored(over(("Ana", 300), ("Clara", 250), at=NOON + 2 * DAY, variant="remi500"), (300, 250))
    rate(variant="rami500")
    rate(variant="remi500")

    found = presenter.profile(player=_player("Ana"), viewer=_player("Ana"), variant="")

    rami, remi = found.record
    assert (rami.name, rami.matches, rami.won, rami.share, rami.average, rami.best) == ("Rami 500", 2, 1, "50 %", "32", "60")
    assert (remi.matches, remi.won, remi.best) == (1, 1, "300")
    assert rami.figure is not None and rami.figure.provisional
    assert found.shown == "rami500"
    assert found.deals is not None and found.deals.words == "4 deals; half of them between −10 and 70 points."
    other = page(client, "Ana", game="remi500").context["page"]
    assert (other.shown, other.deals.words) == ("remi500", "1 deal")  # which has no middle half
    assert page(client, "Ana", game="whist").context["page"].shown == "rami500"


def test_a_rating_is_provisional_until_ten_matches() -> None:
    for number in range(10):
        over(("Ana", 510), ("Bogdan", 100), at=NOON + number * DAY)
        rate(variant="rami500")
        figure = presenter.profile(player=_player("Ana"), viewer=_player("Ana"), variant="").record[0].figure
        assert figure is not None and figure.provisional == (number < 9)
    assert figure is not None and figure.rating.startswith("1,") and int(figure.give) < 250


def test_deals_count_for_who_held_the_seat_and_not_after_resigning(client: Client) -> None:
    game = over(("Ana", 100), ("Bogdan", 100))
    scored(game, (10, 20), (30, 40), (50, 60))
    takes_over(game, 1, "Clara", from_deal=2)
    Seat.objects.filter(game=game, index=0).update(resigned=True)
    Deal.objects.filter(game=game, number__gte=1).update(state={"resigned": [0]})

    counted = {name: selectors.deals(user=player(name)).get("rami500") for name in ("Ana", "Bogdan", "Clara")}
    assert {name: found and (found.count, found.points) for name, found in counted.items()} == {
        "Ana": (1, 10),
        "Bogdan": (2, 60),
        "Clara": (1, 60),
    }


@pytest.mark.parametrize("why", [{"reason": "spoiled"}, {"voided": True}], ids=["spoiled", "void"])
def test_spoiled_and_void_deals_are_none(client: Client, why: dict[str, Any]) -> None:
    game = over(("Ana", 100), ("Bogdan", 50))
    scored(game, (200, 0), (100, 50))
    Deal.objects.filter(game=game, number=0).update(**why)
    found = selectors.deals(user=player("Ana"))["rami500"]
    assert (found.count, found.best) == (1, 100)


def test_head_to_head_counts_who_came_before_whom() -> None:
    over(("Ana", 510), ("Bogdan", 100), ("Clara", 300))
    over(("Ana", 110), ("Bogdan", 500), at=NOON + DAY)
    over(("Ana", 500), ("Bogdan", 500), ("*greedy", 600), at=NOON + 2 * DAY)
    rate(variant="rami500")

    met = {foe.name or foe.bot: (foe.together, foe.won, foe.lost) for foe in selectors.foes(user=player("Ana"))}
    assert met == {"Bogdan": (3, 1, 1), "Clara": (1, 1, 0), "greedy": (1, 0, 1)}


def test_those_who_are_gone_have_no_name_among_the_met(client: Client) -> None:
    over(("Ana", 510), ("Bogdan", 100))
    rate(variant="rami500")
    User.objects.filter(username="Bogdan").update(is_active=False)

    seen = page(client, "Ana").content.decode()
    assert "deleted player" in seen and "Bogdan" not in seen


def test_tables_by_link_are_for_those_who_sat_there() -> None:
    over(("Ana", 510), ("Bogdan", 100), title="In the open")
    over(("Ana", 510), ("Bogdan", 100), at=NOON + DAY, title="Behind a link", visibility=Game.Visibility.LINK)
    rate(variant="rami500")

    for viewer, sees in ((Client(), False), (as_("Clara"), False), (as_("Bogdan"), True), (as_("Ana"), True)):
        seen = page(viewer, "Ana").content.decode()
        assert "In the open" in seen
        assert ("Behind a link" in seen) == sees


def test_leagues_stand_with_rank_and_points_and_those_by_link_for_members_alone() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    hidden = leagues.create(
        organiser=player("Ana"), name="Secret league", variant="rami500", now=NOON, options={}, terms={"turn_time": DAY},
        joining=League.Joining.LINK,
    )  # fmt: skip

    mine, others = page(as_("Ana"), "Ana").content.decode(), page(as_("Bogdan"), "Ana").content.decode()
    assert "Friday league" in others and "place 1 of 2" in others
    assert hidden.name in mine and hidden.name not in others
    assert "no match yet" in mine

    seasons.close(code=season.league.code, by=player("Ana"), now=NOON + DAY)
    assert again(season).status == "final"
    assert "won season 1" in page(as_("Bogdan"), "Ana").content.decode()
    assert "won season" not in page(as_("Ana"), "Bogdan").content.decode()


def test_reliability_stands_there_or_that_the_player_is_new(client: Client) -> None:
    Reliability.objects.create(user=player("Ana"), recent="1" * 19 + "0")
    assert "<b>95 %</b> of turns in time" in page(client, "Ana").content.decode()
    player("Bogdan")
    assert "new: few turns played yet" in page(client, "Bogdan").content.decode()


def test_settings_are_a_button_for_the_owner_alone() -> None:
    player("Ana")
    assert 'href="/settings/"' in page(as_("Ana"), "Ana").content.decode()
    assert 'href="/settings/"' not in page(as_("Bogdan"), "Ana").content.decode()


def test_names_lead_to_pages_in_lists_of_tables_and_after_matches() -> None:
    from games.services import tables

    User.objects.filter(pk=player("Guest 7").pk).update(is_guest=True)
    game = tables.create(
        maker=player("Ana"), variant="rami500", seats=4, options={}, turn_time=DAY, now=timezone.now(), computers=1
    )
    tables.join(code=game.code, user=player("Guest 7"), now=timezone.now())
    lobby = as_("Clara").get("/lobby/").content.decode()
    assert 'href="/u/Ana/"' in lobby
    assert "Guest 7" in lobby and "/u/Guest" not in lobby

    ended = running("Ana", "Bogdan", options={"target": None})
    from games.services import turns
    from tests.games.playing import settle

    turns.resign(code=ended.code, user=player("Bogdan"), now=NOON)
    settle(ended)
    assert 'href="/u/Bogdan/"' in as_("Ana").get(f"/t/{ended.code}/").content.decode()


# -- what it costs -------------------------------------------------------------------------------


def test_a_page_takes_as_many_queries_for_long_careers_as_for_short_ones(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    scored(over(("Ana", 110), ("Bogdan", 60)), (60, 40))
    for number in range(60):
        game = over(("Ana", 100 + number % 7), ("Bogdan", 103), ("*greedy", 90), at=NOON + number * timedelta(hours=9))
        deals(game, 3)
    rate(variant="rami500")
    league("Ana", "Bogdan")

    with django_assert_max_num_queries(11):
        answer = page(client, "Ana")
    assert answer.status_code == 200
    assert len(answer.content) < 40_000


def _player(name: str) -> User:
    found = selectors.find_player(name=name)
    assert found is not None
    return found


# -- drawings ------------------------------------------------------------------------------------


def test_a_curve_starts_left_ends_right_and_stays_within_its_band() -> None:
    drawn = curve([(1500, 400), (1550, 300), (1600, 200)])
    assert [point.split(",")[0] for point in drawn.line.split()] == ["0.0", "50.0", "100.0"]
    assert len(drawn.band.split()) == 6
    heights = [float(point.split(",")[1]) for point in drawn.band.split()]
    assert min(heights) == 0 and max(heights) == 100
    assert drawn.ticks and all(0 <= float(y) <= 100 for _value, y in drawn.ticks)


def test_a_long_curve_has_its_first_and_last_match_and_few_points() -> None:
    assert sample(5) == [0, 1, 2, 3, 4]
    found = sample(5_000)
    assert (found[0], found[-1], len(found)) == (0, 4_999, POINTS)
    assert found == sorted(set(found))


def test_bars_hold_every_deal_and_are_few() -> None:
    bins = {-12: 1, -1: 2, 0: 30, 4: 20, 131: 1}
    drawn = bars(bins, 10)
    assert sum(bar.count for bar in drawn) == 54
    assert len(drawn) <= MOST_BARS
    assert drawn[0].low <= -120 and drawn[-1].high >= 1_310
    assert {bar.height for bar in drawn} >= {"100.0"}
    assert [len(bars({3: 1}, 10)), bars({3: 1}, 10)[0].low] == [1, 30]


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Maria Dobrescu", "MD"), ("Ana", "A"), ("Jean-Baptiste", "JB"), ("Tanti Lenuța", "TL"), ("élodie", "É")],
)
def test_initials(name: str, letters: str) -> None:
    assert presenter.initials(name) == letters
