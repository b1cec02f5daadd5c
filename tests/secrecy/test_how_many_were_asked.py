"""How many were asked in the exchange of doubles is nobody's business while the deal lasts: no count of anything tells it."""

from __future__ import annotations

import json
import re

import pytest
import time_machine
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.people.owndata.collecting import collected
from games.models import Entry, Game
from games.services import tables
from tests.games.cases import keeper_and_referee
from tests.games.playing import NOON, at, chance, fresh, play, player
from tests.games.tiles import answer, dealt, open_table
from tests.leagues.playing import league
from tests.messages.telling import go
from tests.secrecy.answers import difference
from tests.secrecy.asking import everything
from tests.secrecy.twins import undone

pytestmark = pytest.mark.django_db

MINE = "1R 2B 4K 6Y 8R 9B 11K 12Y 13R 1B 3K 7Y 9R 10B 12K"
BOTH_ASKED, ONE_ASKED = [MINE, "5R 5R", "3Y 3Y"], [MINE, "5R 5R", "3Y 4Y"]
HASH = re.compile(r"\b[0-9a-f]{8,64}\b|(?<=<code>)[0-9a-f ]+(?=</code>)|(?<=<code class=\"print\">)[0-9a-f ]+(?=</code>)")
"""Of a row of the log, or its beginning: chance is in it."""


def begun(game: Game, hands: list[str]) -> list[str]:
    """Chloé, who is not asked, plays first once the others have answered; who of them was."""
    with dealt(hands), chance("the same", 2):
        tables.join(code=game.code, user=player("Bogdan"), now=NOON)
    asked = [("Chloé", "Ana", "Bogdan")[row.seat] for row in at(game).row.answers.all()]
    for name in asked:
        answer(game, "X:pass", by=name)
    play(game, "D:13R")
    go(NOON)
    return asked


def told(game: Game, clients: dict[str, Client]) -> list[str]:
    """All that Chloé, somebody who watches and who looks after the site are told, but for hashes."""
    table = f"/t/{game.code}/"
    pages = ["", "log/", "shuffle/", "chat/", "record.json", "record.txt", "deals/0/replay/1/", "deals/0/replay/0/", "poll/0/"]
    paths = [(table + page, False) for page in pages]
    paths += [(path, False) for path in ("/tables/", "/lobby/", "/messages/", "/messages/bell/", "/u/Ana/", "/u/Bogdan/")]
    admin = ["game/", f"game/{game.pk}/change/", "deal/", f"deal/{at(game).row.pk}/change/", "entry/", f"entry/?q={game.code}"]
    kept = [(f"/admin/games/{page}", False) for page in admin]
    kept += [(f"/admin/games/entry/{pk}/{page}/", False) for pk in range(10_004, 10_012) for page in ("change", "history")]
    seen = everything(clients, ["Chloé", "stranger"], paths) | everything(clients, ["referee", "boss"], paths + kept)
    data = json.dumps(collected(user=player("Chloé")), cls=DjangoJSONEncoder)
    return [f"{asked} {HASH.sub('', str(said))}" for asked, said in seen.items()] + [HASH.sub("", data)]


def number_anew() -> None:
    """Rows made from here on have the keys that they would have had."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(oid::regclass, 10000) FROM pg_class WHERE relkind = 'S'")


def test_nothing_tells_how_many_were_asked() -> None:
    with time_machine.travel(NOON, tick=False):
        game = open_table("Chloé", "Ana", seats=3, variant="etalat")
        league("Ana", "Bogdan")
        User.objects.create_superuser("boss")
        keeper_and_referee(player("Ref"))
        people = {"Chloé": "Chloé", "stranger": "Céline", "referee": "Ref", "boss": "boss"}
        clients = {name: Client() for name in people}
        for name, client in clients.items():
            client.force_login(player(people[name]))
        answers: list[tuple[list[str], list[str]]] = []
        for hands in (BOTH_ASKED, ONE_ASKED):
            number_anew()
            with undone():
                answers.append((begun(game, hands), told(fresh(game), clients)))
                assert Entry.objects.filter(game=game, text="X:pass").count() == len(answers[-1][0])
        (both, one), (alone, other) = answers
        assert (both, alone) == (["Ana", "Bogdan"], ["Ana"])
        differ = [f"{was[:60]}: {difference(was, now)}" for was, now in zip(one, other, strict=True) if was != now]
        assert not differ, "\n".join(differ)
