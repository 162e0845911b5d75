"""What several modules need of their arguments: tokens of any type as numbers, and numbers of rows that agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence, Sized
from itertools import count

Tokens = Iterable[Hashable]


def number_tokens(
    predictions: Iterable[Tokens], references: Iterable[Iterable[Tokens]]
) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Give equal tokens equal numbers.

    The other libraries count tokens of any hashable type. They take a string for the list of its characters. This
    function makes token ids of all of these.

    >>> number_tokens(["ab"], [[["b", 1.5], "a"]])
    ([[0, 1]], [[[1, 2], [0]]])
    """
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    number = numbers.__getitem__
    numbered = [list(map(number, text)) for text in predictions]
    return numbered, [[list(map(number, text)) for text in texts] for texts in references]


def check_same_length(predictions: Sized, references: Sized, error: type[Exception] = ValueError) -> None:
    """Refuse predictions and references of different number by the library's own type of error."""
    if len(predictions) != len(references):
        raise error(
            f"{len(predictions)} predictions but {len(references)} entries of references; give one per prediction"
        )


def check_has_references(references: Sequence[Sized]) -> None:
    """Refuse a segment without a reference."""
    for row, texts in enumerate(references):
        if not len(texts):
            raise ValueError(f"segment {row} has no reference; give at least one")
