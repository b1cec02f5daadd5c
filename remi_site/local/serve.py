"""`make run`: everything up, watched, and down again."""

import http.client
import os
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from remi_site.local import processes
from remi_site.local.claim import Claim, claim, secret_key
from remi_site.local.family import Family, say
from remi_site.local.processes import Command, Refused
from remi_site.local.stores import open_stores

ROOT = Path(__file__).resolve().parent.parent.parent
TICK = 0.25
# Seconds from the start of the web server to its first answer.
WEB_LIMIT = 120.0


def var_folder() -> Path:
    return Path(os.environ.get("VAR_DIR") or ROOT / "var").resolve()


def environment(var: Path, addresses: Mapping[str, str]) -> dict[str, str]:
    """What the Django processes are told: our own environment, completed."""
    given = {name: value for name, value in os.environ.items() if value}
    ours = {"SECRET_KEY": secret_key(var), "DJANGO_SETTINGS_MODULE": "remi_site.settings", "PYTHONUNBUFFERED": "1"}
    return {**ours, **addresses, **given, "VAR_DIR": str(var)}


def python(name: str, *arguments: str, env: Mapping[str, str]) -> Command:
    # Modules, never the scripts in .venv/bin: their first lines break when the path is long or has a space.
    return Command(name, [sys.executable, "-m", *arguments], env=env, folder=ROOT)


def apps(var: Path, host: str, port: int, env: Mapping[str, str]) -> list[Command]:
    celery = ("celery", "--quiet", "--app", "remi_site.celery:app")
    schedule = var / "beat" / "schedule"
    schedule.parent.mkdir(parents=True, exist_ok=True)
    return [
        python("web", "gunicorn", "--config", "python:remi_site.gunicorn", "--bind", f"{host}:{port}", env=env),
        python(
            *("worker", *celery, "worker", "--concurrency", "2", "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            # As root it would warn that tasks could be unpickled; they are JSON.
            env={**env, "PYTHONWARNINGS": "ignore:You're running the worker with superuser"},
        ),
        python(*("beat", *celery, "beat", "--pidfile=", f"--schedule={schedule}", "--loglevel", "WARNING"), env=env),
    ]


def check_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as trying:
        trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trying.bind((host.strip("[]"), port))
        except OSError as error:
            raise Refused(f"{host}:{port} cannot be used ({error.strerror}). Try another: PORT={port + 1} make run") from None


def answers(host: str, port: int) -> bool:
    local = "127.0.0.1" if host == "0.0.0.0" else host
    connection = http.client.HTTPConnection(local, port, timeout=5)
    try:
        connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
        return bool(connection.getresponse().status)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def site(host: str, port: int) -> str:
    """Where the site is, for who sits at this machine."""
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"


def watch(held: Claim, host: str, port: int) -> None:
    """Tell when the site answers; then start again whoever dies, until we are interrupted."""
    started, told = time.monotonic(), False
    while True:
        for family in held.families:
            family.revive()
        if not told and answers(host, port):
            say(f"  Remi is at {site(host, port)}/   (Ctrl-C ends it)")
            told = True
        elif not told and time.monotonic() - started > WEB_LIMIT:
            raise Refused("The web server does not answer; what it said stands above.")
        time.sleep(TICK)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 65536):
        raise Refused(f"PORT={text} is no port: choose a number from 1 to 65535.")
    return int(text)


def serve() -> None:
    host, port = os.environ.get("HOST") or "127.0.0.1", _port(os.environ.get("PORT") or "8000")
    var = var_folder()
    with claim(var) as held:
        check_port(host, port)
        say("Remi: starting the servers.")
        with (
            Family(held.write) as stores,
            open_stores(
                var,
                held.sockets,
                stores,
                database=not os.environ.get("DATABASE_URL"),
                broker=not os.environ.get("BROKER_URL"),
            ) as addresses,
        ):
            held.addresses = addresses
            held.families.append(stores)
            env = {"SITE_URL": site(host, port), **environment(var, addresses)}
            if processes.run(python("prepare", "remi_site.local.prepare", env=env)):
                raise Refused("The database or the files could not be made ready; what went wrong stands above.")
            with Family(held.write) as family:
                held.families.append(family)
                for command in apps(var, host, port, env):
                    family.start(command)
                watch(held, host, port)
