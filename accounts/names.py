"""What a name at the table may look like: readable, and no trap for the reader."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 24

# Letters and digits of any script, with single spaces, dots, hyphens, underscores or apostrophes between them.
_SHAPE = re.compile(r"[^\W_]+(?:[ .'’_-]{1,2}[^\W_]+)*\.?")

# Names that would pass for the house, the computer or oneself. Compared by their letters alone, without case.
RESERVED = frozenset(
    {
        "admin", "administrator", "arbitre", "arbitru", "calculator", "calculatorul", "computer", "lordinateur", "moderator",
        "modérateur", "ordinateur", "referee", "remi", "server", "tu", "vous", "you",
    }
)  # fmt: skip


def tidy_name(name: str) -> str:
    """The name as it is kept: one form of each letter, no spaces at the ends, single ones inside."""
    return " ".join(unicodedata.normalize("NFC", name).split())


JOINERS = "\u200c\u200d"
"""Signs without a shape that writing needs: scripts, and pictures made of several."""

BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters, marks and a picture that look like nothing, though they are no controls: fillers, variants, an empty Braille cell."""


def one_line(text: str) -> str:
    """A sentence as it is kept: in one line, without signs that cannot be seen or that turn the others around."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = "".join(sign for sign in text if sign in JOINERS or unicodedata.category(sign)[0] != "C").strip()
    return text if BLANK.sub("", text).strip(JOINERS + " ") else ""


def validate_name(name: str) -> None:
    """Refuse a name that is too short or long, unreadable, misleading or reserved; ``ValidationError`` says which."""
    if not 2 <= len(name) <= NAME_LENGTH:
        raise ValidationError(
            _("A name has %(shortest)s to %(longest)s characters."),
            code="length",
            params={"shortest": 2, "longest": NAME_LENGTH},
        )
    if name != tidy_name(name) or not _SHAPE.fullmatch(name) or _deceives(name):
        raise ValidationError(_("Use letters and digits; a space, dot or hyphen may stand between them."), code="shape")
    if not any(character.isalpha() for character in name):
        raise ValidationError(_("A name needs at least one letter."), code="no_letter")
    if len(_scripts(name)) > 1:
        # "Anа" with a Cyrillic а is another name that looks the same.
        raise ValidationError(_("Use the letters of one alphabet."), code="mixed")
    if "".join(filter(str.isalpha, name.casefold())) in RESERVED:
        raise ValidationError(_("This name is kept for the site. Choose another."), code="reserved")


def _deceives(name: str) -> bool:
    """Whether letters are there that cannot be seen, or that only look like the plain ones (wide, raised, in circles)."""
    return unicodedata.normalize("NFKC", name) != name or any("FILLER" in unicodedata.name(letter, "") for letter in name)


def _scripts(name: str) -> set[str]:
    """The alphabets of the letters: the first word of a letter's Unicode name is its script."""
    return {unicodedata.name(character, "").split(" ")[0] for character in name if character.isalpha()}
