"""Functions that compat modules share: count n-grams, cut columns to the same length, and warn of mistakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence, Sized
from itertools import chain, count
from typing import Any

from .._bleu import prepare
from .._config import Dialect, config_of, fit_to_kind
from .._corpus import Corpus
from .._counting import count_corpus
from .._display import amount
from .._statistics import BleuStatistics
from .._validation import warn

Tokens = Iterable[Hashable]

_NOT_THE_CALLER = ("sacrebleu", "evaluate", "torchmetrics", "torch", "ignite")


def count_texts(predictions: Any, references: Any, dialect: Dialect, **options: Any) -> BleuStatistics:
    """Count the n-grams of each segment, without the warnings of `corpus_statistics`.

    Raise ``AttributeError`` for a text that is not a string, as the libraries do.
    """
    try:
        corpus, config = prepare(predictions, references, dialect, options)
        if corpus.kind != "text":
            raise TypeError("each text must be a string, not a list")
        (statistics,) = count_corpus(corpus, [config])
    except (TypeError, ValueError) as error:
        if all(isinstance(text, str) for text in chain(predictions, *references)):
            raise
        raise AttributeError(str(error)) from error
    return statistics


def count_tokens(
    library: str,
    predictions: Sequence[Tokens],
    references: Sequence[Iterable[Tokens]],
    dialect: Dialect,
    **options: Any,
) -> BleuStatistics:
    """Count the n-grams of texts that are lists of tokens. A token is any hashable value.

    A string is a list of characters, as in `library`. Warn if the first segment probably has a string by mistake.

    Return the sum of all segments. If the dialect averages sentence scores, return one row per segment.
    """
    _warn_of_strings(references[0], predictions[0], library)

    # A new token gets the next id
    id_of_token: defaultdict[Hashable, int] = defaultdict(count().__next__)

    def ids_of(text: Tokens) -> list[int]:
        return list(map(id_of_token.__getitem__, text))

    ids_of_predictions = [ids_of(text) for text in predictions]
    ids_of_references = [[ids_of(text) for text in texts] for texts in references]

    # Build the corpus without `as_corpus`, because lists of integers need no check
    corpus = Corpus((ids_of_predictions,), ids_of_references, "ids", nested=True, findings=set())
    config = fit_to_kind(config_of(dialect, options), "ids")
    (statistics,) = count_corpus(corpus, [config], keep_rows=False)
    return statistics


def warn_of_mistake(message: str) -> None:
    """Warn that the input is almost certainly a mistake. The warning shows the line in the user's code."""
    warn(message, *_NOT_THE_CALLER)


def cut_to_shorter(
    predictions: Sequence[Any], references: Sequence[Any], advice: str = "pass one entry of references per prediction"
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return predictions and references, both cut to the length of the shorter list. Warn if the lengths differ.

    `advice`: the end of the warning, with what to pass instead.

    >>> cut_to_shorter(["a", "b"], [["a"], ["b"]])
    (['a', 'b'], [['a'], ['b']])
    """
    if len(predictions) == len(references):
        return predictions, references

    n_scored = min(len(predictions), len(references))
    warn_of_mistake(
        f"{amount(len(predictions), 'prediction')} but references for {amount(len(references), 'segment')}: the "
        f"library scores only the first {n_scored}; {advice}"
    )
    return predictions[:n_scored], references[:n_scored]


def assert_same_length(predictions: Sized, references: Sized) -> None:
    """Raise ``AssertionError`` if the number of predictions differs from the number of references."""
    if len(predictions) != len(references):
        raise AssertionError(
            f"{amount(len(predictions), 'prediction')} but {len(references)} entries of references; "
            "pass one entry per prediction"
        )


def warn_of_one_string(name: str, texts: Any, library: str) -> None:
    """Warn if `texts`, the argument called `name`, is one string instead of a list of texts."""
    if isinstance(texts, str):
        warn_of_mistake(f"{name} is one string, and {library} scores each of its characters as a text; pass [text]")


def _warn_of_strings(references: Any, hypothesis: Any, library: str) -> None:
    """Warn if the hypothesis or the first reference is a string that should probably be a list of words.

    Warn of a string with spaces. If the hypothesis is a list of words, warn of any first reference that is a string.
    """
    if _has_spaces(hypothesis):
        warn_of_mistake(f"the hypothesis is a string, and {library} compares its characters; pass hypothesis.split()")
        return

    if _has_spaces(references):
        warn_of_mistake(
            f"the references are one string, and {library} scores each of its characters as a reference; pass "
            "[references.split()]"
        )
        return

    first_reference = references[0] if isinstance(references, (list, tuple)) and references else None
    if not isinstance(first_reference, str):
        return
    # If a token has two or more characters, the hypothesis is a list of words
    if _has_spaces(first_reference) or any(isinstance(token, str) and len(token) > 1 for token in hypothesis):
        warn_of_mistake(
            f"the first reference is a string, and {library} compares its characters; pass [reference.split()], or "
            "[reference] if the reference is already a list of words"
        )


def _has_spaces(value: object) -> bool:
    """Return whether a value is a string with spaces between words."""
    return isinstance(value, str) and " " in value.strip()
