"""The promises about what knows what, those that import-linter cannot keep."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

ENGINE = sorted((ROOT / "games" / "engine").rglob("*.py"))


@pytest.mark.parametrize("module", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_uses_the_standard_library_alone(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        else:
            continue
        for name in names:
            assert name.split(".")[0] in sys.stdlib_module_names or name.startswith("games.engine"), f"{module} imports {name}"


def test_the_engine_starts_without_django() -> None:
    asked = (
        "import sys, games.engine; print(sorted(m for m in sys.modules if m.split('.')[0] in {'django', 'celery', 'psycopg'}))"
    )
    told = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_package_of_games_is_empty() -> None:
    assert (ROOT / "games" / "__init__.py").read_text() == ""


def test_the_beat_asks_for_tasks_that_exist() -> None:
    from remi_site.celery import app

    app.loader.import_default_modules()
    asked = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert asked == {
        "accounts.leagues.tasks.sweep",
        "accounts.people.messages.tasks.forget_old",
        "accounts.people.messages.tasks.sweep",
        "accounts.people.tasks.forget_marks",
        "accounts.people.tasks.purge_guests",
        "accounts.people.tasks.sweep_exports",
        "games.tasks.forget_records",
        "games.tasks.lapse_tables",
        "games.tasks.sweep",
    }
    assert asked <= set(app.tasks)
