"""A score as an author reports it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


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
    if isinstance(digits, bool) or not hasattr(digits, "__index__"):
        raise TypeError(f"digits must be a whole number, got {digits!r}")
    if digits < 0:
        raise ValueError(f"digits must be at least 0, got {digits!r}")
    cell = f"{100 * bleu:.{digits}f}"
    if interval is not None:
        if isinstance(interval.score, list) or abs(interval.score - bleu) > 1e-12:
            raise ValueError(f"the interval is of another score: {interval.score!r}, not {bleu!r}")
        cell += f" [{100 * interval.low:.{digits}f}, {100 * interval.high:.{digits}f}]"
        signature = interval.signature
    return Citation(f"BLEU {cell}, signature {signature}", cell)
