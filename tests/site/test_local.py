"""`make run`: up, watched, down, and never in its own way."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from remi_site.local import __main__ as command_line
from remi_site.local import postgres, processes
from remi_site.local.claim import claim
from tests.conftest import ROOT


def free_port() -> int:
    with socket.socket() as trying:
        trying.bind(("127.0.0.1", 0))
        return int(trying.getsockname()[1])


class Copy:
    """One copy of the site under a `var` folder of its own."""

    def __init__(self, var: Path, log: Path) -> None:
        self.var, self.log, self.port = var, log, free_port()
        self.process: Any = None

    def start(self, **said: str) -> "Copy":
        env = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "BROKER_URL", "SECRET_KEY"}}
        env |= {"VAR_DIR": str(self.var), "PORT": str(self.port), "DJANGO_SETTINGS_MODULE": "remi_site.settings", **said}
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "remi_site.local", "run"], cwd=ROOT, env=env, stdout=output, stderr=output
            )
        return self

    def told(self) -> str:
        return self.log.read_text()

    def says(self, words: str) -> bool:
        return words in self.told()

    def wait(self, seen: Callable[[], Any], seconds: float = 180) -> None:
        end = time.monotonic() + seconds
        while not seen():
            assert time.monotonic() < end, self.told()
            time.sleep(0.1)

    def serving(self, times: int = 1) -> "Copy":
        def seen() -> bool:
            assert self.process.poll() is None, self.told()
            return self.told().count("Remi is at") >= times

        self.wait(seen)
        return self

    def page(self) -> tuple[int, str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=10) as answer:
            return answer.status, answer.read().decode()

    def running(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((self.var / "running.json").read_text())
        return told

    def family(self) -> list[psutil.Process]:
        return [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]

    def end(self, by: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(by)
        return int(self.process.wait(30))


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files, compressed once for all copies: it is the long part of a first start."""
    var = tmp_path_factory.mktemp("collected")
    asked = "import django; django.setup(); from remi_site.local import prepare; prepare.collect_files()"
    env = {**os.environ, "VAR_DIR": str(var), "SECRET_KEY": "k", "DJANGO_SETTINGS_MODULE": "remi_site.settings"}
    subprocess.run([sys.executable, "-c", asked], cwd=ROOT, env=env, check=True)
    return var / "static"


@pytest.fixture
def copies(tmp_path: Path, collected: Path) -> Iterator[Callable[[str], Copy]]:
    made: list[Copy] = []

    def make(name: str) -> Copy:
        made.append(Copy(tmp_path / name / "var", tmp_path / f"{len(made)}.log"))
        shutil.copytree(collected, made[-1].var / "static", dirs_exist_ok=True)
        return made[-1]

    yield make
    for copy in made:
        if copy.process is not None and copy.process.poll() is None:
            copy.end(signal.SIGTERM)


def named(family: list[psutil.Process], word: str) -> psutil.Process:
    return next(process for process in family if word in " ".join(process.cmdline()))


# A folder with a space and far beyond the 107 bytes that a socket's path may have.
LONG = "a checkout with a long name " + "x" * 100


def test_it_runs_is_watched_ends_and_runs_again(copies: Callable[[str], Copy]) -> None:
    copy = copies(LONG).start().serving()
    assert copy.page()[0] == 200
    assert len(re.findall(r"admin account: admin +password: \S{16}", copy.told())) == 1

    # A second start in the same place is refused, and harms nothing.
    twin = copies(LONG).start()
    assert twin.process.wait(30) == 1
    assert f"running here already (process {copy.process.pid})" in twin.told()

    # Neither is a taken port.
    neighbour = copies("neighbour")
    neighbour.port = copy.port
    assert neighbour.start().process.wait(30) == 1
    assert f"PORT={copy.port + 1} make run" in neighbour.told()

    # Who dies is started again; the site goes on.
    for word in ("celery", "postgres"):
        victim = named(copy.family(), word)
        victim.kill()
        said = "worker ended" if word == "celery" else f"{word} ended"
        copy.wait(partial(copy.says, said))
    copy.wait(lambda: all(word in str([p.cmdline() for p in copy.family()]) for word in ("celery", "postgres", "gunicorn")))
    copy.wait(lambda: copy.page()[0] == 200)

    # Ctrl-C ends all of it.
    family, sockets = copy.family(), Path(copy.running()["sockets"])
    assert copy.end(signal.SIGINT) == 0
    assert psutil.wait_procs(family, timeout=5)[1] == []
    assert not sockets.exists() and not (copy.var / "running.json").exists()

    # The next start finds everything there, the admin too.
    copy.start().serving(times=2)
    assert copy.told().count("admin account") == 1
    assert copy.end(signal.SIGTERM) == 0


def test_two_copies_run_side_by_side_and_one_survives_the_other_s_kill(copies: Callable[[str], Copy]) -> None:
    first, second = copies("first").start(), copies("second").start()
    first.serving()
    second.serving()
    family, sockets = first.family(), Path(first.running()["sockets"])
    first.process.kill()
    first.process.wait()
    # What a kill leaves ends by itself (Linux tells it), or at the next start.
    assert sockets.exists()
    first.start().serving(times=2)
    assert psutil.wait_procs(family, timeout=20)[1] == []
    assert not sockets.exists()
    assert first.page()[0] == second.page()[0] == 200
    assert first.end() == second.end() == 0


def test_a_data_folder_of_another_postgresql_is_left_alone(tmp_path: Path) -> None:
    data = tmp_path / "postgres"
    data.mkdir()
    (data / "PG_VERSION").write_text("9.6\n")
    with pytest.raises(processes.Refused, match=r"is of PostgreSQL 9\.6"):
        postgres.initialise(data, tmp_path / "log")
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


# -- a command beside it ---------------------------------------------------------------------------


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `var` folder that is held by whoever claims it first, for commands that are given no servers."""
    for name in ("DATABASE_URL", "BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    monkeypatch.setattr("remi_site.local.__main__.signal.signal", lambda number, handler: None)  # pytest's own stay
    return tmp_path


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The addresses that each command was run with, in place of running it; on servers of its own none."""
    found: list[dict[str, str]] = []

    def run(arguments: object, addresses: dict[str, str]) -> int:
        found.append(addresses)
        return 0

    monkeypatch.setattr(command_line, "_run", run)
    monkeypatch.setattr(command_line, "open_stores", lambda *given: nullcontext({}))
    return found


def test_a_command_waits_for_a_site_that_is_starting(var: Path, ran: list[Any], capsys: Any) -> None:
    with claim(var) as held:

        def ready() -> None:
            held.addresses = {"DATABASE_URL": "postgresql:///there"}
            held.write()

        starting = threading.Timer(0.5, ready)
        starting.start()
        assert command_line.main(["manage", "audit"]) == 0
        starting.join()
    told = capsys.readouterr().err
    assert told == f"Remi is starting here (process {os.getpid()}): waiting for it. Ctrl-C gives up.\n"
    assert ran == [{"DATABASE_URL": "postgresql:///there"}]


def test_a_command_waits_for_another_and_then_runs_by_itself(var: Path, ran: list[Any], capsys: Any) -> None:
    ended, begun = threading.Event(), threading.Event()

    def other() -> None:
        with claim(var, command=True):
            begun.set()
            ended.wait(30)

    first = threading.Thread(target=other)
    first.start()
    begun.wait(30)
    threading.Timer(0.5, ended.set).start()
    assert command_line.main(["manage", "audit"]) == 0
    first.join()
    assert "Another command runs here" in capsys.readouterr().err and ran == [{}]


def test_who_gives_up_waiting_runs_nothing(var: Path, ran: list[Any], capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("remi_site.local.__main__.time.sleep", interrupted)
    with claim(var):
        assert command_line.main(["manage", "audit"]) == 130
    assert ran == [] and "has ended" not in capsys.readouterr().out


def test_beside_a_command_the_site_says_what_is_in_its_way(var: Path, capsys: Any) -> None:
    with claim(var, command=True):
        assert command_line.main(["run"]) == 1
    assert f"A command of `make manage` runs here (process {os.getpid()})" in capsys.readouterr().err
    with claim(var):
        assert command_line.main(["run"]) == 1
    assert "A second copy needs a checkout of its own." in capsys.readouterr().err
