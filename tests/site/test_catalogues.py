"""The translations: found in every source, complete in every language, compiled without gettext tools."""

import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from remi_site import catalogues
from tests.conftest import ROOT


def words(template: str) -> list[tuple[str, object]]:
    return [(name, told) for _, name, told, _ in catalogues.extract_template(BytesIO(template.encode()), (), (), {})]


def test_a_template_s_words_are_found_with_contexts_plurals_and_placeholders() -> None:
    assert words(
        """<h1 class="a">{% translate "Play now" %}</h1>
        {% translate 'Run' context "a meld" %}
          <p>{% blocktranslate with n=name trimmed %}
             It’s {{ n }}’s turn: 100%.
          {% endblocktranslate %}
        {% blocktranslate count n=cards %}{{ n }} card{% plural %}{{ n }} cards{% endblocktranslate %}
        {% include "x.html" with title=_("A title") %}"""
    ) == [
        ("gettext", "Play now"),
        ("pgettext", ("a meld", "Run")),
        ("gettext", "It’s %(n)s’s turn: 100%%."),
        ("ngettext", ("%(n)s card", "%(n)s cards")),
        ("_", "A title"),
    ]


def test_the_words_of_the_sources_are_complete_in_every_language() -> None:
    assert catalogues.check() == []


@pytest.fixture
def spoken() -> Catalog:
    catalogue = Catalog(locale="ro")
    catalogue.add("%(name)s won", "%(name)s a câștigat")
    catalogue.add(("%(n)s card", "%(n)s cards"), ("%(n)s carte", "%(n)s cărți", "%(n)s de cărți"))
    return catalogue


def faults(source: str | tuple[str, ...], spoken: Catalog) -> list[str]:
    message = Message(source)
    return list(catalogues.faults(message, spoken.get(message.id), spoken.num_plurals))


@pytest.mark.parametrize("source", ["%(name)s won", ("%(n)s card", "%(n)s cards")])
def test_a_whole_translation_is_in_order(source: str | tuple[str, ...], spoken: Catalog) -> None:
    assert faults(source, spoken) == []


def test_a_missing_word_is_a_fault(spoken: Catalog) -> None:
    assert faults("Draw", spoken) == ["not in the catalogue (make messages)"]


def test_an_empty_translation_is_a_fault(spoken: Catalog) -> None:
    spoken.add("Draw", "")
    assert faults("Draw", spoken) == ["not translated"]


def test_a_missing_plural_is_a_fault(spoken: Catalog) -> None:
    spoken[("%(n)s card", "%(n)s cards")].string = ("%(n)s carte", "%(n)s cărți", "")
    assert faults(("%(n)s card", "%(n)s cards"), spoken) == ["not translated"]


def test_a_fuzzy_translation_is_a_fault(spoken: Catalog) -> None:
    spoken["%(name)s won"].flags.add("fuzzy")
    assert faults("%(name)s won", spoken) == ["fuzzy"]


def test_another_placeholder_is_a_fault(spoken: Catalog) -> None:
    spoken["%(name)s won"].string = "%(nume)s a câștigat"
    assert faults("%(name)s won", spoken) == ["other placeholders in “%(nume)s a câștigat”"]


def test_updating_keeps_what_is_translated_and_is_stable(tmp_path: Path) -> None:
    for language in catalogues.LANGUAGES:
        target = catalogues.po_file(language, tmp_path)
        target.parent.mkdir(parents=True)
        shutil.copy(catalogues.po_file(language), target)
    catalogues.update(tmp_path)
    first = {language: catalogues.po_file(language, tmp_path).read_text() for language in catalogues.LANGUAGES}
    catalogues.update(tmp_path)
    for language, text in first.items():
        assert catalogues.po_file(language, tmp_path).read_text() == text
        played = catalogues.read(language, tmp_path).get("Play now")
        assert played is not None and played.string == catalogues.read(language)["Play now"].string


def test_compiling_needs_no_tool_on_the_path(tmp_path: Path) -> None:
    """With an empty PATH: Babel compiles, and Django speaks Romanian from what it made."""
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    asked = (
        "import pathlib, sys, gettext; from remi_site import catalogues; folder = pathlib.Path(sys.argv[1]); "
        "catalogues.compile_all(folder); "
        "print(gettext.translation('django', folder, ['ro']).gettext('Play now'))"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked, str(tmp_path / "locale")],
        cwd=ROOT,
        env={"PATH": "", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == catalogues.read("ro")["Play now"].string
    assert told.stdout.strip() != "Play now"
