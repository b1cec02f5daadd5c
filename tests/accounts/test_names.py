"""Which names may sit at a table."""

import pytest
from django.core.exceptions import ValidationError

from accounts.names import NAME_LENGTH, tidy_name, validate_name


@pytest.mark.parametrize(
    "name",
    ["Ana", "Ștefania M.", "Jean-Baptiste", "O'Neil", "D’Artagnan", "Ion_2", "Ömer 7", "Елена", "小明", "x" * NAME_LENGTH],
)
def test_a_name_people_have_is_fine(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("A", "length"),
        ("", "length"),
        ("x" * (NAME_LENGTH + 1), "length"),
        (" Ana", "shape"),
        ("Ana  Pop", "shape"),
        ("ana@example.org", "shape"),
        ("<b>Ana</b>", "shape"),
        ("Ana\u202egro", "shape"),
        ("Ana\u200b", "shape"),
        ("Ana\n", "shape"),
        ("...", "shape"),
        ("1234", "no_letter"),
        ("An\u0430", "mixed"),
        ("Admin", "reserved"),
        ("ARBITRU", "reserved"),
    ],
)
def test_a_name_that_misleads_or_cannot_be_read_is_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_name(name)
    assert refusal.value.code == code


def test_a_name_is_kept_in_one_form_of_its_letters() -> None:
    assert tidy_name("  S\u0326tefania   M. ") == "\u0218tefania M."
