"""Collect the warnings about texts and scores, so that a page shows what a terminal shows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import NamedTuple

from .._advice import advise
from .._config import BleuConfig
from .._corpus import Corpus
from .._validation import short_repr
from ..comparison.result import Comparison


class Note(NamedTuple):
    """A warning about likely mistakes in texts, or about a score of 0."""

    system: str
    """The systems at the start of the warning, such as "A" or "A and 1 more"; "" if there are none."""
    text: str
    """The rest of the warning."""
    warning: str
    """The whole warning."""


def collect_notes(corpora: Mapping[str, Corpus], config: BleuConfig, comparison: Comparison) -> list[Note]:
    """Return the warnings of `advise`, without issuing them."""
    scores = {system.name: system.parts for system in comparison.ranked if system.parts}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        advise(corpora, [config], scores)

    notes = []
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        system, text = next((name for name in corpora if name and message.startswith(short_repr(name))), ""), message
        if system:
            more, _, text = message.removeprefix(short_repr(system)).partition(": ")
            system += more  # such as " and 1 more", if several systems have the same mistake
        notes.append(Note(system, text, message))
    return notes
