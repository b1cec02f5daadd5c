"""From a claim to a corrected league table: a match that had ended goes back to before a move, and is played to another end."""

from __future__ import annotations

import pytest
import time_machine
from django.utils import translation

from accounts.leagues.audit import audit
from accounts.leagues.services import members
from accounts.models import League, User
from games.engine.verify import verify
from games.models import Dispute, Game
from games.services import disputes, records, rulings, turns
from tests.games.cases import again as anew
from tests.games.cases import referee, rule, told, why_not
from tests.games.pages import visitor, words
from tests.games.playing import differences, fresh, play, settle, sweep
from tests.leagues.playing import NOON, again, end_deal, league, match, player, points, rows, score

pytestmark = pytest.mark.django_db


def test_from_a_claim_over_going_back_to_another_end_and_a_corrected_table() -> None:
    season = league("Ana", "Bogdan", season={"until": "matches", "matches_each": 1})
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    assert (fresh(game).status, points(season), again(season).status) == ("finished", {"Ana": 55, "Bogdan": -43}, "final")

    with time_machine.travel(NOON, tick=False), translation.override("en"):
        made = _contest(game)
    assert again(season).status == "provisional"
    assert why_not(rulings.claim, case=made.pk, user=_in_the_league(season.league)) == "partial_league"
    rulings.claim(case=made.pk, user=referee(), now=NOON)
    rulings.look(case=made.pk, user=referee(), deal=0, now=NOON)
    assert made.move is not None
    made = rule(made, "back", entry=made.move)

    assert (fresh(game).status, fresh(game).winner, fresh(game).to_move) == ("running", None, 0)
    assert points(season) == {} and differences(game) == []
    play(game, "D:TD")
    turns.resign(code=game.code, user=player("Bogdan"), now=NOON)
    assert settle(game)
    score(game)

    totals = list(game.seats.order_by("index").values_list("total", flat=True))
    assert fresh(game).status == "finished" and totals == [37, -43]
    assert points(season) == {"Ana": 37, "Bogdan": -43}
    assert {("void", "Ana"), ("void", "Bogdan")} <= {(kind, name) for kind, name, _points in rows(season)}
    assert audit(season_id=season.pk) == [] and differences(game) == []
    assert again(season).status == "final"
    assert told("ruled") == [("Ana", "ruled"), ("Bogdan", "ruled")]
    sweep(NOON)
    assert anew(made).state == "ruled"
    assert verify(records.export(game=fresh(game), names=["Ana", "Bogdan"]))["ok"]

    disputes.appeal(case=made.pk, user=player("Ana"), words="I had won.", now=NOON)
    assert again(season).status == "provisional"
    made = rule(_taken_up(made, "Dora"), "dismiss", by="Dora")
    assert (made.state, again(season).status) == ("closed", "final")
    assert points(season) == {"Ana": 37, "Bogdan": -43}
    assert audit(season_id=season.pk) == [] and differences(game) == []


def _contest(game: Game) -> Dispute:
    """Bogdan contests the third meld, from the replay."""
    bogdan = visitor("Bogdan")
    form = bogdan.get(f"/t/{game.code}/disputes/new/?deal=0&at=4")
    assert "laid off" in words(form)
    row = form.context["row"]
    bogdan.post(f"/t/{game.code}/disputes/new/", {"entry": row, "kind": "rule", "words": "The ten does not fit there."})
    assert "A dispute waits for a referee" in words(bogdan.get(f"/t/{game.code}/"))
    return Dispute.objects.get()


def _taken_up(made: Dispute, name: str) -> Dispute:
    """The case in the hands of another referee."""
    rulings.claim(case=made.pk, user=referee(name), now=NOON)
    return anew(made)


def _in_the_league(of: League) -> User:
    """A referee who is a member."""
    user = referee("Elena")
    members.join(code=of.code, user=user, now=NOON, invite=of.invite)
    return user
