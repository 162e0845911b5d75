"""Compute the rewards of completions. The adapters for TRL and verl share this code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._bleu import corpus_statistics
from .._config import Dialect
from .._formula import counted, units_per_token
from .._lazy import np
from .._statistics import BleuStatistics, score_sentences
from .._validation import check_type, short_repr

Extract = str | Callable[[Any], Any] | None


def check_extract(extract: Any) -> None:
    """Raise ``TypeError`` if `extract` is not a function, the name of a tag, or None."""
    is_tag = isinstance(extract, str) and re.fullmatch(r"[\w.:-]+", extract)
    is_accepted = extract is None or callable(extract) or is_tag
    if not is_accepted:
        raise TypeError(f"extract must be a function or the name of a tag, e.g. 'answer', got {short_repr(extract)}")


def sentence_rewards(
    completions: Sequence[Any],
    references: Any,
    dialect: Dialect,
    extract: Extract,
    brevity: bool,
    options: Mapping[str, Any],
) -> list[float]:
    """Return the sentence score of each completion, or of the part of it that `extract` selects.

    `dialect`, `extract`, `brevity` and `options` are as for `bleu_metric.reward`.
    """
    check_extract(extract)
    if extract is not None:
        find_part = extract if callable(extract) else _finder_of_tag(extract)
        completions = [_part_to_score(find_part, completion) for completion in completions]

    statistics = corpus_statistics(completions, references, dialect, **options)
    if not brevity:
        statistics = _without_penalty(statistics)
    return score_sentences(statistics).tolist()  # type: ignore[no-any-return]


def _part_to_score(find_part: Callable[[Any], Any], completion: Any) -> Any:
    """Return the part of a completion that `find_part` finds. If there is none, return "" or [], which scores 0."""
    part = find_part(completion)
    if part is not None:
        return part
    return "" if isinstance(completion, str) else []


def _finder_of_tag(name: str) -> Callable[[Any], str | None]:
    """Return a function that returns the text in the last ``<name>…</name>``, or None without this tag."""
    opening, closing = f"<{name}>", f"</{name}>"

    def find(completion: Any) -> str | None:
        check_type("a completion", completion, str, f"a text, because extract={name!r} is the name of a tag")
        # `rpartition` returns "" in place of a missing tag
        before_closing, found_closing, _ = completion.rpartition(closing)
        _, found_opening, text = before_closing.rpartition(opening)
        return text if found_opening and found_closing else None

    return find


def _without_penalty(statistics: BleuStatistics) -> BleuStatistics:
    """Return statistics in which only empty predictions have a brevity penalty.

    For predictions of 3, 9 and 0 tokens, the reference lengths [5, 5, 5] become [3, 5, 5].
    """
    config = statistics.config
    table = statistics.table.copy()
    counts = counted(table.T, config.max_order)
    lengths = counts.length * units_per_token(config.reference_length)
    # `counts` has views of `table`, so `out` changes `table`
    np.minimum(counts.reference_length, lengths, out=counts.reference_length, where=lengths > 0)
    return statistics._changed(table=table)
