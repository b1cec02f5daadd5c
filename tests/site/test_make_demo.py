"""`make demo` as somebody types it who has just cloned: on a database in which there is nothing yet."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.conftest import ROOT

NAME = "nothing_yet"


@pytest.fixture
def empty_database(database_url: str) -> Iterator[str]:
    """The address of a database without a table, on the tests' server."""
    with psycopg.connect(database_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {NAME}")
        try:
            yield urlsplit(database_url)._replace(path=f"/{NAME}").geturl()
        finally:
            server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def make_demo(database: str, var: Path, arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "DATABASE_URL": database, "VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "remi_site.settings"}
    # what is installed is installed: make is not to look after that
    command = ["make", "--no-print-directory", "-o", ".venv/.installed", "demo", f"PY={sys.executable}", f"ARGS={arguments}"]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)


def test_the_tables_are_made_before_the_demonstration_is(empty_database: str, tmp_path: Path) -> None:
    made = make_demo(empty_database, tmp_path, "--help")  # the demonstration itself is tested with the leagues
    assert made.returncode == 0, made.stderr
    assert "Twice makes it once." in made.stdout
    with psycopg.connect(empty_database) as there:
        found = there.execute("SELECT count(*) FROM accounts_league").fetchone()
    assert found == (0,)
