"""Every code by which something is refused has its sentences, in every language: the codes are gathered from the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import override

from accounts.leagues.messages import league_refusal
from games.messages import disputes, refusal
from games.messages.records import record_refusal

ROOT = Path(__file__).parents[2]
RAISED = ("ServiceError", "RuleError", "RecordFault")
"""The errors that carry a code as their first argument."""
NEVER_SHOWN = {
    "no_such_table",  # for whoever asks it is a page that is not there
    "bad_span",  # the form of the admin words it
}
UNREAD = "bad_notation"
"""The code whose sentences everything gets that is not known."""
UNKNOWN = "no such code"
TILES = {"opening": None, "announces": True, "opened": False, "board": False, "needed": 45, "tiles": 14}


def codes(*places: str) -> set[str]:
    """Every code that is raised in these files and folders, or given back as a fault."""
    files = (path for place in places for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py")))
    return {code for path in files for code in _raised(ast.parse(path.read_text()))}


def _raised(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in RAISED and node.args:
            yield from _texts(node.args[0])
        elif isinstance(node, ast.ClassDef) and any(_name(base) in RAISED for base in node.bases):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__":
                    yield from (text for arg in call.args for text in _texts(arg))


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (text for value in node.values for text in _texts(value))


Sentences = Callable[[str], tuple[str, str]]


def _plain(code: str, **how: Any) -> tuple[str, str]:
    return tuple(map(str, refusal(code, dict(TILES), **how)))  # type: ignore[return-value]


def at_cards(code: str) -> tuple[str, str]:
    return _plain(code)


def at_tiles(code: str) -> tuple[str, str]:
    return _plain(code, with_tiles=True)


def of_records(code: str) -> tuple[str, str]:
    return tuple(map(str, record_refusal(code, {})))  # type: ignore[return-value]


def of_disputes(code: str) -> tuple[str, str]:
    return disputes.sentences(code) or at_cards(UNKNOWN)


def of_leagues(code: str) -> tuple[str, str]:
    return tuple(map(str, league_refusal(code)))  # type: ignore[return-value]


EVERYWHERE: list[Sentences] = [at_cards, at_tiles, of_records, of_disputes]
PLACES: list[tuple[str, tuple[str, ...], list[Sentences]]] = [
    ("the games", ("games/services", "games/views", "games/forms"), EVERYWHERE),
    ("the engine", ("games/engine",), EVERYWHERE),
    ("the leagues", ("accounts",), [of_leagues]),
]


def worded(code: str, tables: list[Sentences]) -> list[tuple[str, str]]:
    """The sentences for a code in each table that knows it, in the active language."""
    return [found for table in tables if (found := table(code)) != table(UNKNOWN) or code == UNREAD]


@pytest.mark.parametrize(("files", "tables"), [place[1:] for place in PLACES], ids=[place[0] for place in PLACES])
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_code_has_its_sentences(language: str, files: tuple[str, ...], tables: list[Sentences]) -> None:
    found = codes(*files) - NEVER_SHOWN
    assert len(found) > 20
    with override("en"):
        english = {code: worded(code, tables) for code in found}
    assert sorted(code for code, sentences in english.items() if not sentences) == []
    with override(language):
        for code in found:
            for sentences, plain in zip(worded(code, tables), english[code], strict=True):
                assert all(sentence.strip() for sentence in sentences), code
                assert language == "en" or sentences != plain, f"{code} is not translated"


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_code_of_the_notation_has_its_sentences_at_the_tables(language: str) -> None:
    """What the engine finds out in a function, and does not name where it raises it, is in that list too."""
    text = (ROOT / "docs/notation.md").read_text().partition("## Error codes")[2].partition("Codes are stable")[0]
    listed = set(re.findall(r"`([a-z_]+)`", text))
    assert codes("games/engine") <= listed and len(listed) > 30
    with override(language):
        assert sorted(code for code in listed if not worded(code, EVERYWHERE)) == []


def test_a_code_that_nobody_words_would_be_found() -> None:
    tree = ast.parse('raise ServiceError("nobody_s" if x else "paused")\nclass Fault(RuleError):\n    code = "x"')
    assert set(_raised(tree)) == {"nobody_s", "paused"}
    assert [code for code in ("nobody_s", "paused") if not worded(code, EVERYWHERE)] == ["nobody_s"]
    assert worded("nobody_s", [of_leagues]) == []
