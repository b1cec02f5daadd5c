"""A dispute from the claim to a corrected league table: ruled on, gone back, played to the end once more, counted once more."""

from __future__ import annotations

import pytest

from accounts.leagues.audit import audit
from accounts.leagues.selectors import provisional_players
from accounts.models import LeagueMatch, Season
from games import engine
from games.engine.verify import verify
from games.models import Game
from games.services import disputes, records, rulings
from tests.games.cases import again as case_again
from tests.games.cases import referee, steps, told
from tests.games.playing import DAY, NOON, OUT_OF_TWO, at, differences, fresh, play, player, quick_turn, settle
from tests.leagues.playing import end_deal, league, match, points, rows, score

pytestmark = pytest.mark.django_db


def play_on(game: Game) -> tuple[int, ...]:
    """The deal to its end by drawing and discarding, counted and written; its scores."""
    while at(game).deal.phase != engine.OVER:
        quick_turn(game, now=NOON + 3 * DAY)
    scores = at(game).deal.scores
    assert scores is not None
    settle(game, now=NOON + 3 * DAY)
    score(game, now=NOON + 3 * DAY)
    return scores


def sound(season: Season, game: Game) -> None:
    """The audits of tables and of leagues find nothing, and neither does a stranger with the record."""
    assert differences(game) == []
    assert audit(season_id=season.pk) == []
    record = records.export(game=fresh(game), names=["Ana", "Bogdan"])
    assert verify(record)["ok"] == bool(record["deals"])  # without a deal there is nothing to check


def test_a_dispute_goes_from_the_claim_to_a_corrected_table() -> None:
    season = league("Ana", "Bogdan")
    game = match(season, "Ana", "Bogdan")
    end_deal(game)
    assert fresh(game).status == Game.Status.FINISHED
    assert points(season) == {"Ana": 55, "Bogdan": -43}

    # Bogdan disputes the move with which Ana laid her first meld. The result is provisional, and both may speak.
    laid = game.entries.get(kind="move", text=OUT_OF_TWO[1].split()[1])
    case = disputes.open_dispute(
        code=game.code, user=player("Bogdan"), kind="mistake", words="We had agreed to begin anew.", move=laid.number,
        now=NOON + DAY,
    )  # fmt: skip
    assert provisional_players(season=season) == {player("Ana").pk, player("Bogdan").pk}
    assert told("opened") == [("Ana", "opened")]
    disputes.answer(case=case.pk, user=player("Ana"), words="True. I had not read it.", now=NOON + DAY)

    # A referee takes it up, looks at all hands, and goes back to before that move.
    corina = referee("Corina")
    rulings.claim(case=case.pk, user=corina, now=NOON + 2 * DAY)
    rulings.look(case=case.pk, user=corina, deal=0, now=NOON + 2 * DAY)
    rulings.rule(
        case=case.pk, user=corina, kind="back", entry=laid.number, reason="Both say so.", now=NOON + 2 * DAY
    )  # fmt: skip
    assert steps(case) == [
        ("opened", "Bogdan"), ("answered", "Ana"), ("claimed", "Corina"), ("looked", "Corina"), ("ruled", "Corina"),
    ]  # fmt: skip
    assert sorted(told("ruled")) == [("Ana", "ruled"), ("Bogdan", "ruled")]
    assert case_again(case).state == "ruled"

    # What it counted is taken back, the match runs again, the undone moves stay in the log.
    assert fresh(game).status == Game.Status.RUNNING
    assert fresh(game).to_move == 0
    assert at(game).deal.phase != engine.OVER
    assert game.entries.filter(pk=laid.pk).exists()
    assert set(points(season).values()) <= {0}
    assert provisional_players(season=season) == set()
    sound(season, game)

    # Ana, who has drawn already, discards; they play to the end. The table tells the new result alone.
    discard = next(move for move in engine.legal_moves(at(game).deal) if move.kind == "D")
    play(game, engine.move_text(discard, at(game).deal.rules.alphabet), now=NOON + 3 * DAY)
    ana, bogdan = play_on(game)
    assert (ana, bogdan) != (55, -43)
    if fresh(game).status == Game.Status.RUNNING:  # level: a single deal more decides
        play_on(game)
    assert fresh(game).status == Game.Status.FINISHED
    totals = dict(game.seats.values_list("user__username", "total"))
    assert points(season) == totals
    assert not LeagueMatch.objects.get(game=game).waiting
    kinds = [kind for kind, _name, _points in rows(season)]
    assert kinds.count("void") == 2
    sound(season, game)

    # An appeal in time makes it provisional once more; another referee lets the ruling stand, for good.
    disputes.appeal(case=case.pk, user=player("Ana"), words="I had won.", now=NOON + 3 * DAY)
    assert provisional_players(season=season) == {player("Ana").pk, player("Bogdan").pk}
    dora = referee("Dora")
    rulings.claim(case=case.pk, user=dora, now=NOON + 4 * DAY)
    rulings.rule(case=case.pk, user=dora, kind="dismiss", reason="The ruling stands.", now=NOON + 4 * DAY)
    assert case_again(case).state == "closed"
    assert provisional_players(season=season) == set()
    assert points(season) == totals
    sound(season, game)
