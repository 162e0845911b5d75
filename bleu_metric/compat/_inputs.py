"""Functions that compat modules share: replace tokens with ids, cut columns to one length, and warn of mistakes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence, Sized
from itertools import count
from typing import Any

from .._bleu import prepare
from .._bleu import score_each_text as score_each_text
from .._bleu import score_texts as score_texts
from .._config import fit_to_kind
from .._corpus import Corpus, Layout
from .._counting import count_corpus
from .._dialects import config_of
from .._statistics import total_row
from .._validation import Ints, short_repr, warn

Tokens = Iterable[Hashable]
_NOT_THE_CALLER = ("sacrebleu", "evaluate", "torchmetrics", "torch", "ignite")


def number_tokens(
    predictions: Iterable[Tokens], references: Iterable[Iterable[Tokens]], kind: type = object
) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Return predictions and references with each token replaced by a token id. Equal tokens get equal ids.

    As in the other libraries, a token is any hashable value, and a string is a list of characters. Raise ``TypeError``
    if a token is not of the type `kind`.

    >>> number_tokens(["ab"], [[["b", 1.5], "a"]])
    ([[0, 1]], [[[1, 2], [0]]])
    """
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    number = numbers.__getitem__
    numbered = [list(map(number, text)) for text in predictions]
    references_of_each = [[list(map(number, text)) for text in texts] for texts in references]
    wrong = [token for token in numbers if not isinstance(token, kind)]
    if wrong:
        raise TypeError(f"tokens must be of the type {kind.__name__}, got {short_repr(wrong[0])}")
    return numbered, references_of_each


def count_each(predictions: Any, references: Any, dialect: str, **options: Any) -> Ints:
    """Return the counts of each segment: matches by order, n-grams by order, length and reference length."""
    corpus, config = prepare(predictions, references, dialect, options)
    return count_corpus(corpus, [config])[0].table


def count_matches(predictions: list[list[int]], references: list[list[list[int]]], max_order: int) -> list[int]:
    """Return the total clipped matches of each order. The arguments are what `number_tokens` returns."""
    corpus = Corpus((predictions,), references, Layout("ids", nested=True))
    config = fit_to_kind(config_of("nltk", {"max_order": max_order}), "ids")
    (total,) = count_corpus(corpus, [config], keep_rows=False)
    return total_row(total)[:max_order]


def warn_of_mistake(message: str) -> None:
    """Warn of input that is almost certainly a mistake. The warning shows the line of the user's code."""
    warn(message, *_NOT_THE_CALLER)


def cut_to_shorter(
    predictions: Sequence[Any], references: Sequence[Any], advice: str = "pass one entry of references per prediction"
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return both columns, cut to the length of the shorter one. If the lengths differ, warn and add `advice`.

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


def check_same_length(predictions: Sized, references: Sized, error: type[Exception] = ValueError) -> None:
    """Raise an error of type `error` if the number of predictions differs from the number of references."""
    if len(predictions) != len(references):
        raise error(
            f"{len(predictions)} predictions but {len(references)} entries of references; pass one entry per prediction"
        )


def warn_of_strings(references: Any, hypothesis: Any, library: str) -> None:
    """Warn if the hypothesis or the first reference is a string: the library compares the characters of strings."""
    if _is_text(hypothesis):
        warn_of_mistake(f"the hypothesis is a string, and {library} compares its characters; pass hypothesis.split()")
    elif isinstance(references, (list, tuple)) and references and isinstance(references[0], str):
        has_words = not isinstance(hypothesis, str) and any(isinstance(word, str) and word[1:] for word in hypothesis)
        if has_words or _is_text(references[0]):
            warn_of_mistake(
                f"the first reference is a string, and {library} compares its characters; pass [reference.split()], or "
                "[reference] if the reference is already a list of words"
            )


def _is_text(value: object) -> bool:
    """Return whether a value is a string of several words: a text that somebody forgot to split."""
    return isinstance(value, str) and " " in value.strip()
