"""A score as an author reports it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from ._names import as_int, described

_DIGITS = 17  # a float has no more


class Citation(NamedTuple):
    """How to report a score."""

    sentence: str
    """Score, interval and signature, for the text."""
    cell: str
    """Score and interval, for a table."""


class HasInterval(Protocol):
    """What a citation needs of an `Interval`."""

    @property
    def score(self) -> Any: ...
    @property
    def low(self) -> Any: ...
    @property
    def high(self) -> Any: ...
    @property
    def signature(self) -> str: ...


def cite(bleu: float | list[float], signature: str, interval: HasInterval | None, digits: int) -> Citation:
    """Write a score between 0 and 1 in percent; see `BleuScore.citation`."""
    if isinstance(bleu, list):
        raise ValueError("weights is a list of lists: cite one score, counted with one list of weights")
    places = as_int(digits)
    if places is None:
        raise TypeError(f"digits must be a whole number, got {described(digits)}")
    if not 0 <= places <= _DIGITS:
        raise ValueError(f"digits must be at least 0 and at most {_DIGITS}, got {described(digits)}")
    cell = f"{100 * bleu:.{places}f}"
    if interval is not None:
        if not hasattr(interval, "score"):
            raise TypeError(f"interval must be what bootstrap gave, got {described(interval)}")
        if isinstance(interval.score, list) or abs(interval.score - bleu) > 1e-12:
            raise ValueError(f"the interval is of another score: {interval.score!r}, not {bleu!r}")
        cell += f" [{100 * interval.low:.{places}f}, {100 * interval.high:.{places}f}]"
        signature = interval.signature
    return Citation(f"BLEU {cell}, signature {signature}", cell)
