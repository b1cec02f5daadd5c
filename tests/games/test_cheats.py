"""Somebody who owns the database changes it, the guards taken away: `manage.py audit` finds it in each case."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import engine
from games.engine.verify import verify
from games.models import Entry, Game
from games.services import evidence, records
from tests.games.playing import OUT_OF_TWO, fresh, play, quick_turn, running, settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """The second deal of a match, in the middle of a turn."""
    game = running("Ana", "Bogdan", seed=OUT_OF_TWO[0])
    play(game, OUT_OF_TWO[1])
    settle(game)
    quick_turn(game)
    play(game, "S")
    return fresh(game)


def sql(statement: str, *values: str | int) -> None:
    """Run a statement with the triggers of the log disabled."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_entry DISABLE TRIGGER ALL")
        cursor.execute(statement, values)
        cursor.execute("ALTER TABLE games_entry ENABLE TRIGGER ALL")


def found(game: Game, *more: str) -> str:
    """What the command lists; fails where it finds nothing."""
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("audit", "--game", game.code, *more, stdout=out)
    assert failed.value.returncode == 1
    return out.getvalue()


def rehash(game: Game) -> None:
    """Hang the log together anew, so that it is a chain again and ends with the head that the game has."""
    again = Game(code=game.code)
    for entry in game.entries.order_by("number"):
        evidence.chain(entry, again)
        sql("UPDATE games_entry SET hash = %s, salt = %s WHERE id = %s", entry.hash, entry.salt, entry.pk)
    Game.objects.filter(pk=game.pk).update(log_head=again.log_head, log_length=game.entries.count())


def row(game: Game, **which: object) -> Entry:
    return game.entries.filter(**which).first() or pytest.fail("no such row")


def change_move(game: Game) -> None:
    sql("UPDATE games_entry SET text = 'D:7D' WHERE id = %s", row(game, text="D:8S").pk)


def change_facts(game: Game) -> None:
    sql("""UPDATE games_entry SET facts = '{"cards": ["7D"]}' WHERE id = %s""", row(game, text="D:8S").pk)


def change_score(game: Game) -> None:
    """In all places where it is told."""
    game.deals.get(number=0).hands.filter(seat=0).update(score=500)
    game.seats.filter(index=0).update(total=500)
    counted = row(game, text="counted")
    told = json.dumps(counted.facts | {"scores": [500, -43], "totals": [500, -43]})
    sql("UPDATE games_entry SET facts = %s::jsonb WHERE id = %s", told, counted.pk)


def swap_rows(game: Game) -> None:
    one, other = row(game, text="S"), row(game, text="M:6H,7H,8H")
    for pk, number in ((one.pk, 9_999), (other.pk, one.number), (one.pk, other.number)):
        sql("UPDATE games_entry SET number = %s WHERE id = %s", number, pk)


def remove_last(game: Game) -> None:
    sql("DELETE FROM games_entry WHERE game_id = %s AND number = %s", game.pk, game.log_length - 1)


def change_hand(game: Game) -> None:
    hand = game.deals.get(number=1).hands.get(seat=0)
    hand.cards = ["AS", *hand.cards[1:]]
    hand.save()


def change_deal(game: Game) -> None:
    game.deals.filter(number=0).update(out=1)


def reshuffle(game: Game) -> None:
    """A deck of another seed, sealed beforehand by the look of it."""
    deal = game.deals.get(number=0)
    deal.seed = engine.seed_of("better for the house")
    deal.deck = engine.deck_text(game.rules, engine.shuffled(game.rules, deal.seed))
    deal.save()
    seal = engine.seal(deal.seed, engine.deal_id(game.code, 0))
    for text, told in (("sealed", {"seal": seal}), ("dealt", {"key": engine.key_print(deal.seed)})):
        event = row(game, text=text, facts__number=0)
        sql("UPDATE games_entry SET facts = %s::jsonb WHERE id = %s", json.dumps(event.facts | told), event.pk)


CHAIN, LAST = "is not what was written", "does not end with the row that was its last"
CHEATS: list[tuple[Callable[[Game], None], str, str]] = [
    # what it says as it is, and once the chain was made anew
    (change_move, CHAIN, "of the log is refused (not_in_hand)"),
    (change_facts, CHAIN, "tells of another move than was made"),
    (change_score, CHAIN, "the score differs"),
    (swap_rows, CHAIN, "of the log is refused (must_draw_first)"),
    (remove_last, LAST, "another seat is on turn by the log|the state differs"),
    (reshuffle, CHAIN, "of the log is refused"),
    (change_hand, "the hand differs", "the hand differs"),
    (change_deal, "its end differs", "its end differs"),
]


@pytest.mark.parametrize(("cheat", "plainly", "rehashed"), CHEATS)
def test_each_cheat_is_found_with_the_chain_as_it_was_and_made_anew(
    game: Game, cheat: Callable[[Game], None], plainly: str, rehashed: str
) -> None:
    cheat(game)
    assert plainly in found(game)
    rehash(fresh(game))
    listed = found(game)
    assert "is not what was written" not in listed and any(words in listed for words in rehashed.split("|"))


def test_a_time_changed_and_the_chain_made_anew_is_found_by_the_head_that_a_player_noted(game: Game) -> None:
    kept = json.loads(json.dumps(records.export(game=game, names=["Ana", "Bogdan"])))
    noted = fresh(game).log_head
    call_command("audit", "--game", game.code, "--head", noted, stdout=StringIO())
    call_command("audit", "--game", game.code, "--head", kept["log"]["head"][:8].upper(), stdout=StringIO())
    sql("UPDATE games_entry SET at = at - interval '1 hour' WHERE id = %s", row(game, text="D:8S").pk)
    rehash(fresh(game))
    call_command("audit", "--game", game.code, stdout=StringIO())  # it looks whole
    for head in (noted, kept["log"]["head"], noted[:16]):
        assert "no row has the hash that was noted" in found(game, "--head", head)
    assert verify(kept)["ok"]
    assert records.export(game=fresh(game), names=["Ana", "Bogdan"])["log"]["head"] != kept["log"]["head"]


@pytest.mark.parametrize("arguments", [["--head", "0" * 64], ["--game", "{code}", "--head", "0" * 7]])
def test_a_head_is_asked_of_one_table_and_long_enough(game: Game, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="--head wants"):
        call_command("audit", *[argument.format(code=game.code) for argument in arguments], stdout=StringIO())
