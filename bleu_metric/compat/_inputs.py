"""Functions that compat modules share: count n-grams, cut columns to the same length, and warn of mistakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence, Sized
from itertools import count
from typing import Any

from .._bleu import prepare
from .._config import fit_to_kind
from .._corpus import Corpus, Layout
from .._counting import count_corpus
from .._dialects import config_of
from .._statistics import BleuStatistics, score
from .._validation import short_repr, warn

Tokens = Iterable[Hashable]

_NOT_THE_CALLER = ("sacrebleu", "evaluate", "torchmetrics", "torch", "ignite")
_NOT_IN_OTHERS = ("counts", "totals", "signature")


def count_texts(predictions: Any, references: Any, dialect: str, **options: Any) -> BleuStatistics:
    """Count the n-grams of each segment as `corpus_statistics` does, but do not warn about the content of texts."""
    corpus, config = prepare(predictions, references, dialect, options)
    (statistics,) = count_corpus(corpus, [config])
    return statistics


def count_tokens(
    predictions: Iterable[Tokens],
    references: Iterable[Iterable[Tokens]],
    dialect: str,
    kind: type = object,
    **options: Any,
) -> BleuStatistics:
    """Count the n-grams of texts that are lists of tokens. Tokens are hashable values of the type `kind`.

    Return counts summed over all segments or, if the dialect averages sentence scores, one row per segment. The corpus
    is not validated, because `number_tokens` always returns plain lists of ids.
    """
    ids, reference_ids = number_tokens(predictions, references, kind)
    corpus = Corpus((ids,), reference_ids, Layout("ids", nested=True))
    config = fit_to_kind(config_of(dialect, options), "ids")
    (statistics,) = count_corpus(corpus, [config], keep_rows=False)
    return statistics


def number_tokens(
    predictions: Iterable[Tokens], references: Iterable[Iterable[Tokens]], kind: type = object
) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Return predictions and references with each token replaced by an integer id. Equal tokens get equal ids.

    Any hashable value can be a token. A string is read as a list of characters, as in the other libraries. Raise
    ``TypeError`` if a token is not of the type `kind`.

    >>> number_tokens(["ab"], [[["b", 1.5], "a"]])
    ([[0, 1]], [[[1, 2], [0]]])
    """
    next_id = count().__next__
    ids: defaultdict[Hashable, int] = defaultdict(next_id)
    id_of = ids.__getitem__
    numbered = [list(map(id_of, text)) for text in predictions]
    numbered_references = [[list(map(id_of, text)) for text in texts] for texts in references]
    wrong = [token for token in ids if not isinstance(token, kind)]
    if wrong:
        raise TypeError(f"tokens must be of the type {kind.__name__}, got {short_repr(wrong[0])}")
    return numbered, numbered_references


def score_parts(statistics: BleuStatistics) -> dict[str, Any]:
    """Return BLEU, precisions, brevity penalty, length ratio and both lengths as a dict.

    Names and order equal those of evaluate and bleuscore. The tuple of tensorflow/nmt has the same order.
    """
    parts = score(statistics).to_dict()
    return {name: part for name, part in parts.items() if name not in _NOT_IN_OTHERS}


def warn_of_mistake(message: str) -> None:
    """Warn that the input is almost certainly a mistake. The warning points to the line in the user's code."""
    warn(message, *_NOT_THE_CALLER)


def cut_to_shorter(
    predictions: Sequence[Any], references: Sequence[Any], advice: str = "pass one entry of references per prediction"
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return both columns, cut to the length of the shorter one. If the lengths differ, warn.

    `advice` is the end of the warning. It tells the user what to pass.

    >>> cut_to_shorter(["a", "b"], [["a"], ["b"]])
    (['a', 'b'], [['a'], ['b']])
    """
    if len(predictions) == len(references):
        return predictions, references
    shorter = min(len(predictions), len(references))
    warn_of_mistake(
        f"{len(predictions)} predictions but references for {len(references)} segments: the library scores only the "
        f"first {shorter} segments; {advice}"
    )
    return predictions[:shorter], references[:shorter]


def assert_same_length(predictions: Sized, references: Sized) -> None:
    """Raise ``AssertionError`` if the number of predictions differs from the number of references."""
    if len(predictions) != len(references):
        raise AssertionError(
            f"{len(predictions)} predictions but {len(references)} entries of references; pass one entry per prediction"
        )


def warn_of_one_string(name: str, texts: Any, library: str) -> None:
    """Warn if the argument called `name`, which must be a list of texts, is a single string."""
    if isinstance(texts, str):
        warn_of_mistake(f"{name} is one string, and {library} scores each of its characters as a text; pass [text]")


def warn_of_strings(references: Any, hypothesis: Any, library: str) -> None:
    """Warn if the hypothesis or the first reference is a string that should probably be a list of words.

    The library reads a string as a list of characters, so the score would compare characters instead of words.
    """
    if _is_text(hypothesis):
        warn_of_mistake(f"the hypothesis is a string, and {library} compares its characters; pass hypothesis.split()")
        return
    reference = references[0] if isinstance(references, (list, tuple)) and references else None
    if isinstance(reference, str) and (_is_text(reference) or _has_words(hypothesis)):
        warn_of_mistake(
            f"the first reference is a string, and {library} compares its characters; pass [reference.split()], or "
            "[reference] if the reference is already a list of words"
        )


def _is_text(value: object) -> bool:
    """Return whether a value is a string of several words, such as a sentence that the user forgot to split."""
    return isinstance(value, str) and " " in value.strip()


def _has_words(tokens: Any) -> bool:
    """Return whether a list of tokens contains a string of two or more characters. Return False for a string."""
    return not isinstance(tokens, str) and any(isinstance(token, str) and len(token) > 1 for token in tokens)
