"""What is measured: a database and a broker of its own, the site on them with two workers, players who are logged in, games."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from itertools import count as counted
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games import engine

if TYPE_CHECKING:
    from accounts.models import User

HOST = "127.0.0.1"
_numbers = counted()
"""Of the players: the parts that share a database never make the same one twice."""


@dataclass
class Person:
    """A player, and the session in which the player is logged in."""

    user: User
    session: str


@dataclass
class Played:
    """A game as its client has it: the deal, the version, and the sessions of its players by seat."""

    code: str
    deal: engine.Deal
    version: int
    sessions: list[str]


@cache
def stores() -> None:
    """A database and a broker until the process ends, with Django set up for them. All parts that need one share it."""
    from remi_site.local.family import Family
    from remi_site.local.stores import open_stores, socket_folder

    folder, sockets = Path(tempfile.mkdtemp(prefix="remi-bench-")), socket_folder()
    folder.chmod(0o711)
    stack = ExitStack()
    atexit.register(stack.close)
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    stack.callback(shutil.rmtree, sockets, ignore_errors=True)
    family = stack.enter_context(Family())
    addresses = stack.enter_context(open_stores(folder, sockets, family))
    settings = {
        "DJANGO_SETTINGS_MODULE": "tests.bench.settings", "SECRET_KEY": "only-for-the-bench", "VAR_DIR": str(folder),
        "LOG_LEVEL": "ERROR", "WEB_WORKERS": "2",
    }  # fmt: skip
    os.environ.update(settings | addresses)
    _prepare()


@contextmanager
def site() -> Iterator[int]:
    """The site, served; gives the port. Its broker is away: there are no workers who would do what is put there."""
    from remi_site.local.family import Family
    from remi_site.local.serve import answers, python

    stores()
    port, env = _free_port(), os.environ | {"BROKER_URL": "redis://127.0.0.1:1/0"}
    with Family() as family:
        family.start(python("web", "gunicorn", "--config", "python:remi_site.gunicorn", "--bind", f"{HOST}:{port}", env=env))
        while not answers(HOST, port):
            time.sleep(0.1)
        yield port


def _prepare() -> None:
    """Tables, translations and files, as for serving."""
    import django
    from django.core.management import call_command

    from remi_site import catalogues
    from remi_site.local.prepare import collect_files

    django.setup()
    catalogues.compile_all()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("createcachetable", verbosity=0)
    collect_files()


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def people(count: int) -> list[Person]:
    """So many players."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.utils import timezone

    from accounts.models import User

    found = []
    for number in islice(_numbers, count):
        user = User.objects.create(username=f"Player {number}", password="!", last_seen=timezone.now())
        store = SessionStore()
        store[SESSION_KEY] = str(user.pk)
        store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.save()
        assert store.session_key is not None
        found.append(Person(user, store.session_key))
    return found


def begun(variant: str, players: list[Person]) -> Played:
    """A match of these players that has begun."""
    from django.utils import timezone

    from games.services import tables
    from games.services.store import load

    terms: dict[str, Any] = {"options": {}, "turn_time": timedelta(days=7)}
    maker, *others = [person.user for person in players]
    game = tables.create(maker=maker, variant=variant, seats=len(players), now=timezone.now(), **terms)
    for user in others:
        game = tables.join(code=game.code, user=user, now=timezone.now())
    return Played(game.code, load(game).deal, game.version, [person.session for person in players])


def differences(games: list[Played]) -> list[str]:
    """Where the tables differ from their logs, or from what their clients think."""
    from games.models import Game
    from games.services.audit import audit

    found = []
    for played in games:
        game = Game.objects.get(code=played.code)
        found += audit(game_id=game.pk)
        if game.version != played.version:
            found.append(f"the client of {game.pk} has another version")
    return found
