"""Making leagues, coming and going, and who may do what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from accounts.leagues.messages import league_refusal
from accounts.leagues.services import leagues, matches, members, seasons
from accounts.models import JoinRequest, League, Membership, Message, User
from accounts.people import services as people
from accounts.people.owndata import services as owndata
from games.models import Game
from games.services import tables
from tests.games.playing import NOON, fresh, player
from tests.leagues.playing import TERMS, league, match, new_league, refused

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=1)


def by(name: str) -> dict[str, Any]:
    return {"by": player(name), "now": NOON}


def names(made: League) -> set[str]:
    return set(User.objects.filter(memberships__league=made, memberships__until=None).values_list("username", flat=True))


def told(name: str) -> list[str]:
    """What a person was told of leagues."""
    return [row.facts["what"] for row in Message.objects.filter(user=player(name), kind="league").order_by("pk")]


# -- making and changing ------------------------------------------------------------------------


def test_who_makes_a_league_organises_it() -> None:
    made = new_league("Ana", name="  Liga\u00a0de   vineri ", rules="Vineri seara.\r\nFără grabă.\n")
    assert (made.name, made.rules, names(made)) == ("Liga de vineri", "Vineri seara.\nFără grabă.", {"Ana"})
    assert Membership.objects.get().role == "organiser"
    assert made.options["target"] is None and made.single_deal


def test_a_name_that_is_html_is_a_name() -> None:
    assert new_league("Ana", name="<script>alert(1)</script>").name == "<script>alert(1)</script>"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"name": "ab"}, "bad_name"),
        ({"name": "x" * 51}, "bad_name"),
        ({"name": "Fri\u202eday"}, "bad_name"),
        ({"name": "Fri\x00day"}, "bad_name"),
        ({"name": "\u3164\u3164\u3164"}, "bad_name"),
        ({"name": "\u2800\u2800\u2800"}, "bad_name"),
        ({"name": "\u0301\u0301\u0301"}, "bad_name"),
        ({"name": "Friday\ufe0f league"}, "bad_name"),
        ({"name": "friday LEAGUE"}, "name_taken"),
        ({"variant": "chess"}, "bad_record"),
        ({"options": {"target": -4}}, "bad_record"),
        ({"options": {"magic": True}}, "bad_record"),
        ({"seats_min": 2, "seats_max": 5}, "bad_record"),
        ({"seats_min": 1}, "bad_record"),
        ({"seats_min": 4, "seats_max": 3}, "bad_record"),
        ({"terms": {}}, "bad_terms"),
        ({"terms": {"turn_time": "soon"}}, "bad_terms"),
        ({"terms": {"turn_time": timedelta(days=99)}}, "bad_terms"),
        ({"terms": {**TERMS, "status": "finished"}}, "bad_terms"),
        ({"terms": {**TERMS, "nonsense": 1}}, "bad_terms"),
        ({"joining": "never"}, "bad_terms"),
        ({"forfeit": 100}, "bad_terms"),
        ({"forfeit": -501}, "bad_terms"),
        ({"same_people": 0}, "bad_terms"),
        ({"rules": "x" * 4001}, "rules_too_long"),
    ],
)
def test_what_makes_no_league_is_refused(wanted: dict[str, Any], code: str) -> None:
    new_league("Ana")
    given: dict[str, Any] = {"name": "Another", "variant": "rami500", "options": {}, "terms": TERMS, **wanted}
    assert refused(leagues.create, organiser=player("Ana"), now=NOON, **given) == code


def test_a_guest_makes_no_league() -> None:
    guest = people.make_guest(language="en", now=NOON)
    given: dict[str, Any] = {"name": "Guests", "variant": "rami500", "options": {}, "terms": TERMS}
    assert refused(leagues.create, organiser=guest, now=NOON, **given) == "guests_no_league"


def test_terms_come_back_from_the_database_as_a_table_takes_them() -> None:
    made = new_league("Ana", terms={"turn_time": timedelta(hours=36), "excuses": 2})
    found = leagues.table_terms(League.objects.get(pk=made.pk))
    assert found == {"turn_time": timedelta(hours=36), "excuses": 2}


def test_the_terms_of_a_league_are_those_of_its_tables() -> None:
    season = league("Ana", "Bogdan", terms={"turn_time": timedelta(hours=36), "excuses": 2}, options={"target": 250})
    game = fresh(match(season, "Ana", "Bogdan"))
    assert (game.turn_time, game.excuses, game.options["target"]) == (timedelta(hours=36), 2, 250)
    assert game.visibility == Game.Visibility.PUBLIC


def test_the_organiser_changes_a_league_and_nobody_else() -> None:
    made = new_league("Ana", "Bogdan")
    members.set_deputy(code=made.code, by=player("Ana"), user_id=player("Bogdan").pk, deputy=True)
    changed = leagues.edit(code=made.code, by=player("Ana"), name="Saturday", forfeit=-50, seats_max=3, same_people=4)
    assert (changed.name, changed.forfeit, changed.seats_max, changed.same_people) == ("Saturday", -50, 3, 4)
    assert refused(leagues.edit, code=made.code, by=player("Bogdan"), name="Mine") == "not_the_organiser"
    assert refused(leagues.edit, code=made.code, by=player("Chloé"), name="Mine") == "not_the_organiser"
    assert refused(leagues.edit, code="nowhere", by=player("Ana"), name="Mine") == "no_such_league"


def test_its_own_name_may_stay() -> None:
    made = new_league("Ana")
    assert leagues.edit(code=made.code, by=player("Ana"), name="friday league").name == "friday league"


def test_a_name_that_another_takes_at_the_same_moment_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    made = new_league("Ana", name="Saturday")
    given: dict[str, Any] = {"variant": "rami500", "options": {}, "terms": TERMS, "now": NOON}
    plain = leagues._fill

    def filled(league: League, **wanted: Any) -> None:
        """The name is free as it is looked for, and taken as it is written."""
        plain(league, **wanted)
        if not League.objects.filter(name="Friday").exists():
            League.objects.create(name="friday", variant="rami500", made_at=NOON, options={}, terms={})

    monkeypatch.setattr(leagues, "_fill", filled)
    assert refused(leagues.create, organiser=player("Bogdan"), name="Friday", **given) == "name_taken"
    assert refused(leagues.edit, code=made.code, by=player("Ana"), name="FRIDAY") == "name_taken"


# -- joining ------------------------------------------------------------------------------------


def test_an_open_league_is_joined_at_once_and_twice_changes_nothing() -> None:
    made = new_league("Ana")
    first = members.join(code=made.code, user=player("Bogdan"), now=NOON)
    assert members.join(code=made.code, user=player("Bogdan"), now=LATER) == first
    assert names(made) == {"Ana", "Bogdan"} and Membership.objects.count() == 2


def test_a_guest_joins_no_league() -> None:
    made = new_league("Ana")
    guest = people.make_guest(language="en", now=NOON)
    assert refused(members.join, code=made.code, user=guest, now=NOON) == "guests_no_league"


def test_a_closed_league_takes_nobody_in() -> None:
    made = new_league("Ana")
    leagues.close(code=made.code, **by("Ana"))
    assert refused(members.join, code=made.code, user=player("Bogdan"), now=NOON) == "league_closed"
    assert refused(seasons.start, code=made.code, **by("Ana")) == "league_closed"
    assert refused(leagues.edit, code=made.code, by=player("Ana"), name="Open") == "league_closed"
    leagues.reopen(code=made.code, by=player("Ana"))
    members.join(code=made.code, user=player("Bogdan"), now=NOON)
    assert names(made) == {"Ana", "Bogdan"}


def test_a_league_with_a_season_under_way_is_not_closed() -> None:
    season = league("Ana", "Bogdan")
    assert refused(leagues.close, code=season.league.code, **by("Ana")) == "season_open"


def test_a_league_by_link_is_joined_by_its_link_as_it_is_now() -> None:
    made = new_league("Ana", joining="link")
    assert refused(members.join, code=made.code, user=player("Bogdan"), now=NOON) == "wrong_link"
    assert refused(members.join, code=made.code, user=player("Bogdan"), now=NOON, invite="é") == "wrong_link"
    renewed = leagues.renew_invite(code=made.code, by=player("Ana"))
    assert refused(members.join, code=made.code, user=player("Bogdan"), now=NOON, invite=made.invite) == "wrong_link"
    members.join(code=made.code, user=player("Bogdan"), now=NOON, invite=renewed.invite)
    assert names(made) == {"Ana", "Bogdan"}
    assert refused(leagues.renew_invite, code=made.code, by=player("Bogdan")) == "not_the_organiser"


def test_where_the_organiser_decides_one_asks_and_is_let_in() -> None:
    made = new_league("Ana", joining="approval")
    asked = members.join(code=made.code, user=player("Bogdan"), now=NOON)
    assert isinstance(asked, JoinRequest) and members.join(code=made.code, user=player("Bogdan"), now=NOON) == asked
    assert (names(made), told("Ana")) == ({"Ana"}, ["asked"])
    assert Message.objects.get(user=player("Ana")).facts["path"] == f"/l/{made.code}/"
    assert (
        refused(members.answer, code=made.code, user_id=player("Bogdan").pk, accept=True, **by("Bogdan")) == "not_the_organiser"
    )
    members.answer(code=made.code, user_id=player("Bogdan").pk, accept=True, **by("Ana"))
    assert (names(made), told("Bogdan")) == ({"Ana", "Bogdan"}, ["accepted"])
    assert refused(members.answer, code=made.code, user_id=player("Bogdan").pk, accept=True, **by("Ana")) == "no_such_request"


def test_who_is_not_let_in_may_ask_again() -> None:
    made = new_league("Ana", joining="approval")
    for _time in range(2):
        members.join(code=made.code, user=player("Bogdan"), now=NOON)
        members.answer(code=made.code, user_id=player("Bogdan").pk, accept=False, **by("Ana"))
    assert names(made) == {"Ana"} and JoinRequest.objects.filter(accepted=False).count() == 2


def test_who_has_asked_may_think_better_of_it() -> None:
    made = new_league("Ana", joining="approval")
    members.join(code=made.code, user=player("Bogdan"), now=NOON)
    members.withdraw(code=made.code, user=player("Bogdan"))
    assert refused(members.answer, code=made.code, user_id=player("Bogdan").pk, accept=True, **by("Ana")) == "no_such_request"


def test_a_league_that_was_opened_meanwhile_forgets_the_question() -> None:
    made = new_league("Ana", joining="approval")
    members.join(code=made.code, user=player("Bogdan"), now=NOON)
    leagues.edit(code=made.code, by=player("Ana"), joining="open")
    members.join(code=made.code, user=player("Bogdan"), now=NOON)
    assert names(made) == {"Ana", "Bogdan"} and not JoinRequest.objects.exists()


# -- leaving ------------------------------------------------------------------------------------


def test_who_leaves_may_come_back() -> None:
    made = new_league("Ana", "Bogdan")
    members.leave(code=made.code, user=player("Bogdan"), now=NOON)
    members.leave(code=made.code, user=player("Bogdan"), now=NOON)
    assert names(made) == {"Ana"}
    members.join(code=made.code, user=player("Bogdan"), now=LATER)
    assert names(made) == {"Ana", "Bogdan"} and Membership.objects.filter(user=player("Bogdan")).count() == 2


def test_the_organiser_leaves_only_once_another_organises() -> None:
    made = new_league("Ana", "Bogdan")
    assert refused(members.leave, code=made.code, user=player("Ana"), now=NOON) == "organiser_stays"
    assert refused(members.hand_over, code=made.code, user_id=player("Chloé").pk, **by("Ana")) == "not_a_member"
    assert refused(members.hand_over, code=made.code, user_id=player("Ana").pk, **by("Ana")) == "not_a_member"
    members.hand_over(code=made.code, user_id=player("Bogdan").pk, **by("Ana"))
    assert League.objects.get().organiser == player("Bogdan") and told("Bogdan") == ["organiser"]
    members.leave(code=made.code, user=player("Ana"), now=NOON)
    assert names(made) == {"Bogdan"}


def test_whoever_is_expelled_is_told_why_and_stays_out() -> None:
    made = new_league("Ana", "Bogdan")
    bogdan = player("Bogdan").pk
    assert refused(members.expel, code=made.code, user_id=bogdan, reason="  ", **by("Ana")) == "reason_missing"
    assert refused(members.expel, code=made.code, user_id=bogdan, reason="x" * 301, **by("Ana")) == "reason_too_long"
    members.expel(code=made.code, user_id=bogdan, reason=" Never <b>plays</b>. ", **by("Ana"))
    assert (names(made), told("Bogdan")) == ({"Ana"}, ["expelled"])
    assert Message.objects.get(user=bogdan).facts["reason"] == "Never <b>plays</b>."
    assert refused(members.join, code=made.code, user=player("Bogdan"), now=LATER) == "expelled"
    assert refused(members.expel, code=made.code, user_id=bogdan, reason="Again", **by("Ana")) == "not_a_member"
    members.readmit(code=made.code, user_id=bogdan, **by("Ana"))
    assert names(made) == {"Ana", "Bogdan"}
    assert refused(members.readmit, code=made.code, user_id=bogdan, **by("Ana")) == "not_expelled"


def test_deputies_run_the_league_but_do_not_own_it() -> None:
    made = new_league("Ana", "Bogdan", "Chloé", "Doru")
    ana, bogdan, chloe, doru = (player(name).pk for name in ("Ana", "Bogdan", "Chloé", "Doru"))

    def expelling(user_id: int) -> str:
        return refused(members.expel, code=made.code, user_id=user_id, reason="No", **by("Bogdan"))

    assert expelling(doru) == "not_the_organiser"
    for user_id in (bogdan, chloe):
        members.set_deputy(code=made.code, by=player("Ana"), user_id=user_id, deputy=True)
    members.expel(code=made.code, user_id=doru, reason="He asked for it.", **by("Bogdan"))
    assert names(made) == {"Ana", "Bogdan", "Chloé"}
    assert (expelling(chloe), expelling(ana)) == ("not_the_organiser", "organiser_stays")
    given: dict[str, Any] = {"code": made.code, "by": player("Bogdan")}
    assert refused(members.set_deputy, user_id=chloe, deputy=False, **given) == "not_the_organiser"
    assert refused(seasons.start, now=NOON, **given) == "not_the_organiser"
    members.set_deputy(code=made.code, by=player("Ana"), user_id=bogdan, deputy=False)
    assert expelling(chloe) == "not_the_organiser"
    assert refused(members.set_deputy, code=made.code, by=player("Ana"), user_id=ana, deputy=True) == "not_a_member"


def test_an_account_that_is_no_more_leaves_its_leagues_to_others() -> None:
    mine, alone = new_league("Ana", "Bogdan", "Chloé"), new_league("Ana", name="Alone")
    asked = new_league("Bogdan", name="Asked", joining="approval")
    members.join(code=asked.code, user=player("Ana"), now=NOON)
    members.set_deputy(code=mine.code, by=player("Ana"), user_id=player("Chloé").pk, deputy=True)
    for _time in range(2):
        members.gone(user_id=player("Ana").pk, now=LATER)
    mine, alone = League.objects.get(pk=mine.pk), League.objects.get(pk=alone.pk)
    assert (mine.organiser, names(mine), told("Chloé")) == (player("Chloé"), {"Bogdan", "Chloé"}, ["organiser"])
    assert (names(alone), alone.closed_at) == (set(), LATER)
    assert not JoinRequest.objects.exists()


def test_without_a_deputy_the_eldest_member_organises() -> None:
    new_league("Ana", "Bogdan", "Chloé")
    User.objects.filter(username="Bogdan").update(is_active=False)
    members.gone(user_id=player("Ana").pk, now=LATER)
    assert League.objects.get().organiser == player("Chloé")


# -- at the tables ------------------------------------------------------------------------------


def test_members_alone_sit_at_the_tables_of_a_league() -> None:
    season = league("Ana", "Bogdan")
    given: dict[str, Any] = {"code": season.league.code, "seats": 2, "now": NOON}
    assert refused(matches.make_table, user=player("Chloé"), **given) == "league_members_only"
    game = matches.make_table(user=player("Ana"), **given)
    assert refused(tables.join, code=game.code, user=player("Chloé"), now=NOON) == "league_members_only"
    tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    assert fresh(game).status == "running"


def test_who_has_left_sits_down_no_more() -> None:
    season = league("Ana", "Bogdan")
    game = matches.make_table(code=season.league.code, user=player("Ana"), seats=2, now=NOON)
    members.leave(code=season.league.code, user=player("Bogdan"), now=NOON)
    assert refused(tables.join, code=game.code, user=player("Bogdan"), now=NOON) == "league_members_only"


def test_an_account_that_is_no_more_is_not_let_in() -> None:
    made = new_league("Ana", "Bogdan", joining="approval")
    zoe = player("Zoe")
    members.join(code=made.code, user=zoe, now=NOON)
    members.answer(code=made.code, user_id=zoe.pk, accept=True, **by("Ana"))
    members.expel(code=made.code, user_id=zoe.pk, reason="No", **by("Ana"))
    owndata.delete(user_id=zoe.pk, now=NOON)
    assert refused(members.readmit, code=made.code, user_id=zoe.pk, **by("Ana")) == "account_gone"
    JoinRequest.objects.create(league=made, user=zoe, made_at=NOON)
    assert refused(members.answer, code=made.code, user_id=zoe.pk, accept=True, **by("Ana")) == "account_gone"
    members.answer(code=made.code, user_id=zoe.pk, accept=False, **by("Ana"))
    assert refused(members.join, code=made.code, user=zoe, now=NOON) == "guests_no_league"


def test_a_table_has_the_seats_that_the_league_plays_with() -> None:
    season = league("Ana", "Bogdan", seats_min=3, seats_max=4)
    given: dict[str, Any] = {"code": season.league.code, "user": player("Ana"), "now": NOON}
    assert refused(matches.make_table, seats=2, **given) == "bad_seats"
    assert refused(matches.make_table, seats=5, **given) == "bad_seats"
    game = matches.make_table(seats=3, **given)
    assert (game.title, game.seat_count) == ("Friday league 1", 3)


def test_a_double_tap_makes_one_table() -> None:
    season = league("Ana", "Bogdan")
    given: dict[str, Any] = {"code": season.league.code, "user": player("Ana"), "seats": 2}
    first = matches.make_table(now=NOON, **given)
    assert matches.make_table(now=NOON + timedelta(seconds=2), **given) == first
    assert matches.make_table(now=NOON + timedelta(seconds=20), **given) != first


def test_a_double_tap_for_the_last_match_of_the_season_makes_one_table_too() -> None:
    season = league("Ana", "Bogdan", season={"until": "matches", "matches_each": 1})
    given: dict[str, Any] = {"code": season.league.code, "user": player("Ana"), "seats": 2}
    first = matches.make_table(now=NOON, **given)
    assert matches.make_table(now=NOON + timedelta(seconds=2), **given) == first
    assert refused(matches.make_table, now=NOON + timedelta(seconds=20), **given) == "league_matches_played"


def test_without_a_season_no_table_is_made() -> None:
    made = new_league("Ana")
    assert refused(matches.make_table, code=made.code, user=player("Ana"), seats=2, now=NOON) == "no_season"


def test_a_league_that_is_not_open_to_all_has_its_tables_by_link() -> None:
    season = league("Ana", "Bogdan", joining="link")
    game = matches.make_table(code=season.league.code, user=player("Ana"), seats=2, now=NOON)
    assert game.visibility == Game.Visibility.LINK


def test_a_name_may_have_letters_of_any_kind_and_pictures() -> None:
    names = ["Liga \u2764\ufe0f", "Țestoasele și șerpii", "ลีกวันศุกร์"]
    assert [new_league("Ana", name=name).name for name in names] == names


def test_every_refusal_is_worded() -> None:
    codes = """
        no_such_league not_the_organiser guests_no_league bad_name name_taken rules_too_long bad_terms expelled wrong_link
        no_such_request not_a_member not_expelled account_gone organiser_stays no_season season_open season_over bad_season
        bad_seats bad_tables bad_points not_in_the_season reason_missing reason_too_long league_members_only league_closed
        league_season_over league_matches_played league_no_computers stale
    """
    unknown = league_refusal("no such code").what
    found = [league_refusal(code) for code in codes.split()]
    assert unknown not in {refusal.what for refusal in found}
    assert len({refusal.what for refusal in found}) == len(found)
