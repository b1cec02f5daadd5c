"""What referees and superusers are shown of a deal that is played: no card but after a look at a case that is theirs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.models import Dispute, Game, Step
from games.services import rulings
from tests.games.pages import HTMX
from tests.games.playing import NOON, at, fresh, on_turn, player, quick_turn, running
from tests.games.test_desk import act, as_user, disputed, page_of, referee
from tests.leagues.playing import league, match
from tests.secrecy.answers import Said
from tests.secrecy.asking import Asked, everything, read
from tests.secrecy.twins import drawn_later, twin

pytestmark = pytest.mark.django_db

QUEUE = "/admin/games/dispute/"


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # the check of a shuffle tells a table from its twin, whose deck is that of no seed
    monkeypatch.setattr("games.services.checks.check", lambda **_game: None)
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def game() -> Game:
    game = running("Ana", "Bogdan", "Chloé", seed="referees")
    for _turn in range(7):
        quick_turn(game)
    return fresh(game)


@pytest.fixture
def case(game: Game) -> Dispute:
    """Taken up by Corina."""
    found = disputed(game)
    rulings.claim(case=found.pk, user=referee(), now=NOON)
    return found


def desk(case: Dispute) -> list[Asked]:
    """What one can ask about a case."""
    own, deal = f"{QUEUE}{case.pk}/", at(case.game).row.number
    pages = ["change/", "change/?log=all", f"change/?deal={deal}&at=3", f"change/?deal={deal}&at=999", f"replay/{deal}/"]
    steps = [f"replay/{deal}/{step}/{way}" for step in (0, 999) for way in ("?seat=all", "?seat=1&card=7H")]
    found = [(QUEUE, False), *((own + page, False) for page in pages), *((own + step, False) for step in steps)]
    return [*found, (f"{own}replay/{deal}/4/?seat=0", True)]


def told(case: Dispute, clients: dict[str, Client], places: list[int] | None = None) -> list[str]:
    """What these are answered otherwise where cards are others that they may not know."""
    asked = desk(case)
    one = everything(clients, clients, asked)
    with twin(case.game, None, places):
        other = everything(clients, clients, asked)
    return [f"{name} {path}" for (name, path, htmx), was in one.items() if other[name, path, htmx] != was]


def boss() -> Client:
    return as_user(User.objects.create_superuser("boss"))


def test_without_a_look_nobody_sees_a_hand(case: Dispute) -> None:
    clients = {"referee of the case": as_user(referee()), "another": as_user(referee("Dora")), "superuser": boss()}
    assert told(case, clients) == []


def test_a_look_opens_what_was_dealt_and_drawn_until_then_and_no_more(case: Dispute) -> None:
    corina = {"referee of the case": as_user(referee())}
    act(corina["referee of the case"], case, "look", deal="0")
    drawn = at(case.game).deal.drawn
    for _turn in range(4):
        quick_turn(case.game)
    case.game = fresh(case.game)
    assert told(case, corina, drawn_later(case.game, drawn)) == []
    assert told(case, corina), "the hands that were looked at"
    others = {"another": as_user(referee("Dora")), "superuser": boss()}
    assert told(case, others) == []
    assert [(step.kind, step.user) for step in Step.objects.filter(kind="looked")] == [("looked", player("Corina"))]


def test_a_superuser_looks_at_no_case_that_is_another_s(case: Dispute) -> None:
    client = boss()
    for what in ("look", "ask", "freeze", "thaw", "release", "rule", "claim"):
        act(client, case, what, deal="0", words="So", hours="1", reason="So", rule="dismiss")
    assert Dispute.objects.get().referee == player("Corina")
    assert not Step.objects.filter(user=User.objects.get(username="boss")).exists()


@pytest.mark.parametrize("name", ["Bogdan", "Ana"])
def test_who_sits_at_the_table_reads_nothing_of_its_case_as_a_referee(name: str, game: Game) -> None:
    found = disputed(game, opener="Chloé")
    client = as_user(referee(name))
    if name == "Ana":
        User.objects.filter(username="Ana").update(is_superuser=True)
    for what in ("claim", "look", "rule"):
        act(client, found, what, deal="0", rule="dismiss", reason="So")
    assert Dispute.objects.get().referee is None and not Step.objects.filter(kind__in=["claimed", "looked"]).exists()
    assert b"Look at that move" not in read(client, page_of(found)).body


def test_who_plays_in_the_league_takes_no_case_up_and_who_has_looked_joins_no_more(game: Game) -> None:
    season = league("Eva", "Dan", "Fae", name="Another league")
    played = match(season, "Eva", "Fae")
    quick_turn(played)
    found = disputed(played, back=0, opener="Eva")
    act(as_user(referee("Dan")), found, "claim")
    assert Dispute.objects.get(pk=found.pk).referee is None


def test_a_referee_who_has_seen_the_hands_takes_no_seat_there(case: Dispute) -> None:
    corina = as_user(referee())
    act(corina, case, "look", deal="0")
    act(corina, case, "release")
    game = case.game
    seat = game.seats.get(user=on_turn(game))
    seat.absent_since, seat.absent_until = NOON, NOON.replace(year=2100)
    seat.save()
    corina.post(f"/t/{game.code}/take-over/", {"seat": seat.index})
    assert game.seats.get(index=seat.index).user == seat.user


def test_the_desk_is_closed_to_players_in_every_way(case: Dispute) -> None:
    for name in ("Ana", "Céline"):
        client = as_user(player(name))
        answers: list[Said] = [read(client, path, htmx=htmx) for path, htmx in desk(case)]
        assert {answer.status for answer in answers} == {302}
        assert all(dict(answer.headers)["Location"].startswith("/admin/login/") for answer in answers)
        assert client.post(f"{QUEUE}{case.pk}/act/", {"act": "look", "deal": "0"}, headers=HTMX).status_code == 302
    assert not Step.objects.filter(kind="looked").exists()
