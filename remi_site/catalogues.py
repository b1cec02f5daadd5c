"""The translations: gather the words of the sources, bring the catalogues up to date, compile and check them.

`python -m remi_site.catalogues update|compile|check`. Babel does it all in Python, so that no gettext tools are needed.
"""

import ast
import re
import sys
import tokenize
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
LANGUAGES = ("ro", "fr")
SOURCES = ("accounts", "games", "remi_site", "templates")
METHODS = [
    ("**.py", "python"),
    ("**.html", "remi_site.catalogues:extract_template"),
    ("**.txt", "remi_site.catalogues:extract_template"),
]
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
CALL = re.compile(r"\b(_|gettext|ngettext|pgettext|npgettext)\(")
Found = tuple[int, str, str | tuple[str, ...], list[str]]


def extract_template(file: BytesIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Found]:
    """Babel's view of a Django template: its translation tags, which Django itself turns into calls."""
    from django.utils.translation.template import templatize

    calls = templatize(file.read().decode())
    for call in CALL.finditer(calls):
        line = calls.count("\n", 0, call.start()) + 1
        words = tuple(_strings(calls[call.end() :]))
        yield line, call[1], words[0] if len(words) == 1 else words, []


def _strings(call: str) -> Iterator[str]:
    """The string arguments of a call whose text starts after its opening parenthesis."""
    for token in tokenize.generate_tokens(StringIO(call).readline):
        if token.type == tokenize.STRING:
            # templatize writes plain literals with a prefix `u`.
            yield ast.literal_eval(token.string)
        elif token.string == ")":
            return


def gather() -> Catalog:
    """All that the sources say to a player."""
    found = Catalog(project="Remi", charset="utf-8", header_comment="# The words of Remi.")
    for source in SOURCES:
        for name, line, words, comments, context in extract_from_dir(
            str(ROOT / source), METHODS, keywords=KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
        ):
            found.add(words, locations=[(f"{source}/{name}", line)], auto_comments=comments, context=context)
    return found


def po_file(language: str, folder: Path = LOCALE) -> Path:
    return folder / language / "LC_MESSAGES" / "django.po"


def read(language: str, folder: Path = LOCALE) -> Catalog:
    path = po_file(language, folder)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8")


def update(folder: Path = LOCALE) -> None:
    """Bring each catalogue to what the sources say now: new words come in empty, gone ones leave."""
    found = gather()
    for language in LANGUAGES:
        catalogue = read(language, folder)
        catalogue.update(found, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        out = BytesIO()
        # No line numbers and no dates: a catalogue changes when its words do.
        write_po(out, catalogue, width=120, no_location=True, sort_by_file=True, omit_header=True)
        path = po_file(language, folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_header(catalogue).encode() + out.getvalue())


def _header(catalogue: Catalog) -> str:
    lines = [
        "Project-Id-Version: Remi",
        f"Language: {catalogue.locale}",
        f"Plural-Forms: {catalogue.plural_forms}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in lines) + "\n"


def compile_all(folder: Path = LOCALE) -> None:
    """Make the `.mo` files that are missing or older than their words."""
    for language in LANGUAGES:
        source = po_file(language, folder)
        target = source.with_suffix(".mo")
        if not source.exists() or (target.exists() and target.stat().st_mtime >= source.stat().st_mtime):
            continue
        out = BytesIO()
        write_mo(out, read(language, folder))
        fresh = target.with_suffix(".mo.new")
        fresh.write_bytes(out.getvalue())
        fresh.replace(target)


def check(folder: Path = LOCALE) -> list[str]:
    """What is wrong with the catalogues, one sentence each."""
    found = gather()
    wrong: list[str] = []
    for language in LANGUAGES:
        catalogue = read(language, folder)
        for message in found:
            if message.id:
                told = catalogue.get(message.id, message.context)
                wrong += [f"{language}: {_name(message)}: {fault}" for fault in faults(message, told, catalogue.num_plurals)]
        wrong += [
            f"{language}: {_name(message)}: no source says this any more"
            for message in catalogue
            if message.id and found.get(message.id, message.context) is None
        ]
    return wrong


def faults(message: Message, told: Message | None, plurals: int) -> Iterator[str]:
    """What is wrong with one translation (`told`) of a message."""
    if told is None:
        yield "not in the catalogue (make messages)"
        return
    if told.fuzzy:
        yield "fuzzy"
    strings = [string or "" for string in (told.string if isinstance(told.string, tuple | list) else (told.string,))]
    if not all(strings) or (message.pluralizable and len(strings) != plurals):
        yield "not translated"
        return
    sources = list(message.id) if isinstance(message.id, tuple | list) else [message.id]
    wanted = [_placeholders(source) for source in sources]
    for string in strings:
        if _placeholders(string) not in wanted:
            yield f"other placeholders in “{string}”"


def _placeholders(text: str) -> list[str]:
    return sorted(match[0] for match in PLACEHOLDER.finditer(text.replace("%%", "")))


def _name(message: Message) -> str:
    source = message.id[0] if isinstance(message.id, tuple | list) else message.id
    place = f"{message.locations[0][0]}:{message.locations[0][1]} " if message.locations else ""
    return f"{place}“{' '.join(source.split())[:80]}”"


def main(arguments: list[str]) -> int:
    match arguments:
        case ["update"]:
            update()
        case ["compile"]:
            compile_all()
        case ["check"]:
            wrong = check()
            print("\n".join(wrong[:60]) or "The catalogues are complete.")
            if len(wrong) > 60:
                print(f"… and {len(wrong) - 60} more")
            return 1 if wrong else 0
        case _:
            print("usage: python -m remi_site.catalogues update|compile|check")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
