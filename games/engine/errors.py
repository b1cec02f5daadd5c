"""What can be wrong with a move or a record: stable codes with facts, never sentences."""

from __future__ import annotations


class RuleError(ValueError):
    """A refused move or record.

    `code` is one of the stable codes of docs/notation.md; `facts` hold plain values (card texts,
    counts) for whoever words the sentence. The state that was played on is untouched.
    """

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.facts = facts
        super().__init__(code, facts)

    def __str__(self) -> str:
        if not self.facts:
            return self.code
        told = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.code} ({told})"
