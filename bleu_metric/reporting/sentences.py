"""Prepare the list of sentences of a report. Split each text into runs of tokens that get the same highlight."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any, NamedTuple

import numpy as np

from .._config import BleuConfig, tokenization_of
from .._corpus import Corpus, is_arrow
from .._display import escape_controls
from .._statistics import BleuStatistics, score_sentences
from .._ngrams import most_in_one
from .._tokens import tokenize
from .._validation import Floats, Ints
from ..comparison.systems import join_systems
from .matches import matching_orders

# Tokens with this mark are not highlighted. The style sheet highlights tokens with a lower mark
MARKED_ORDERS = 4
_MOST_CHARACTERS = 4000  # maximum number of characters shown per text
MOST_READ = 500  # maximum number of segments that are read at once
_UNMARKED = str(MARKED_ORDERS)
_SPACES = re.compile(r"\s*")


class Sentence(NamedTuple):
    """One segment: its source, its references and the outputs of all systems. The page's script reads it from JSON.

    A text has one line per run of tokens with the same mark. In the lines "0the" and "2 cat sat", "the" has the mark 0,
    and "cat" and "sat" have the mark 2. The mark is the order of the longest matched n-gram that contains the token. If
    a longer n-gram is not possible, the mark is `MARKED_ORDERS`, so a matched text of one word is not highlighted. In a
    reference, a mark has one digit per system.
    """

    number: int  # number of the segment, counted from 1
    scores: list[float]  # one per system, in percent
    effects: list[float]  # one per system, as `corpus_effects` returns them, in percent
    predictions: list[str]  # one text per system
    references: list[str]
    source: str  # the source text without marks
    group: int  # index of its group's label; -1 if there are no groups


def read_sentences(
    corpora: Mapping[str, Corpus],
    statistics: Mapping[str, BleuStatistics],
    rows: Sequence[int],
    source: Sequence[str] | None = None,
    groups: Sequence[int] | None = None,
) -> list[Sentence]:
    """Return one `Sentence` per segment in `rows`. All systems must have the same references.

    Args:
        corpora: system's name -> corpus.
        statistics: system's name -> counts, with one row per segment.
        rows: indices of the segments to read, in the order of the result.
        source: the source text of each segment of the corpus, if there are any.
        groups: the index of the group of each segment of the corpus, if there are any.
    """
    counts_of_systems = list(statistics.values())
    config = counts_of_systems[0].config
    scores = _percents_by_segment(map(score_sentences, counts_of_systems), digits=4)
    effects = _percents_by_segment(map(corpus_effects, counts_of_systems), digits=6)
    corpus = join_systems(corpora)

    sentences = []
    for first in range(0, len(rows), MOST_READ):
        rows_of_batch = rows[first : first + MOST_READ]
        texts = _texts_of_rows(pick_rows(corpus, rows_of_batch), config)
        for row, (predictions, references) in zip(rows_of_batch, texts, strict=True):
            source_text = escape_controls(_shorten(source[row])) if source else ""
            group = -1 if groups is None else groups[row]
            sentence = Sentence(row + 1, scores[row], effects[row], predictions, references, source_text, group)
            sentences.append(sentence)
    return sentences


def _percents_by_segment(numbers: Iterable[Floats], digits: int) -> list[list[float]]:
    """Return numbers in percent, segment by segment: [[0.5, 0.1], [0.7, 0.2]] -> [[50, 70], [10, 20]]."""
    by_segment = np.stack(list(numbers), axis=1)
    return (100 * by_segment).round(digits).tolist()  # type: ignore[no-any-return]


def pick_rows(corpus: Corpus, rows: Sequence[int]) -> Corpus:
    """Return a corpus with only the rows at the indices `rows`."""

    def pick(texts: Any) -> Any:
        if is_arrow(texts):
            return texts.take(list(rows))
        return [texts[row] for row in rows]

    systems = tuple(map(pick, corpus.systems))
    references = pick(corpus.references)
    return corpus._replace(systems=systems, references=references)


def corpus_effects(statistics: BleuStatistics) -> Floats:
    """Compute each sentence's effect: the corpus score minus the score of the corpus without this sentence.

    A sentence with a negative effect lowers the corpus score. Effects are the influence values of the jackknife (Efron
    1982, https://doi.org/10.1137/1.9781611970319). A sentence's effect on the difference between two systems is the
    difference of the sentence's two effects.

    Args:
        statistics: the counts of one system, with one row per segment.

    Returns:
        Effects on a scale of -1 to 1, of shape (segments,). If the corpus has only one sentence, its effect is 0.

    >>> from bleu_metric import corpus_statistics
    >>> corpus_effects(corpus_statistics(["a b", "x"], ["a b", "a"], max_order=1)).round(3).tolist()
    [0.667, -0.333]
    """
    n_sentences = len(statistics)
    if n_sentences == 1:
        return np.zeros(1)
    part = statistics.summable()
    corpus_row = part.table.sum(axis=0)
    rows_without = corpus_row - part.table  # row i: the sums without sentence i
    if part.n_last_columns:
        # The columns at the end are not sums, but describe the last sentence. In the last row, that is the last but one
        last_columns = part.table[:, -part.n_last_columns :]
        corpus_row[-part.n_last_columns :] = last_columns[-1]
        rows_without[:, -part.n_last_columns :] = last_columns[-1]
        rows_without[-1, -part.n_last_columns :] = last_columns[-2]
    return part.score_sums(corpus_row) - part.score_sums(rows_without)


def _texts_of_rows(corpus: Corpus, config: BleuConfig) -> Iterator[tuple[list[str], list[str]]]:
    """Yield, for each segment, the outputs and the references. `Sentence` explains the form of a text."""
    checked, options = corpus.checked(), tokenization_of(config)
    are_texts = corpus.kind == "text"
    outputs = [tokenize(texts, corpus.kind, options) for texts in checked.systems]
    for segment, originals in enumerate(checked.references):
        references = tokenize(originals, corpus.kind, options)
        limits_of_references = most_in_one(references, config.max_order)
        of_segment = [tokens[segment] for tokens in outputs]
        limits_of_outputs = [most_in_one([tokens], config.max_order) for tokens in of_segment]

        shown_outputs, shown_references = [], []
        for texts, tokens in zip(checked.systems, of_segment, strict=True):
            orders = np.array([matching_orders(tokens, limits_of_references)])
            original = texts[segment] if are_texts else None
            shown_outputs.append(_split_into_runs(original, list(map(str, tokens)), orders, config.max_order))
        for original, tokens in zip(originals, references, strict=True):
            orders = np.array([matching_orders(tokens, limits) for limits in limits_of_outputs])
            original = original if are_texts else None
            shown_references.append(_split_into_runs(original, list(map(str, tokens)), orders, config.max_order))
        yield shown_outputs, shown_references


def _marks(orders: Ints, max_order: int) -> list[str]:
    """Return the mark of each token of a text, as `Sentence` explains. `orders`: the text's part of `find_matches`.

    >>> _marks(np.array([[1, 0, 3], [0, 2, 2]]), max_order=2)
    ['10', '04', '44']
    """
    _, n_tokens = orders.shape
    longest_possible = min(n_tokens, max_order, MARKED_ORDERS)
    digits = np.where(orders < longest_possible, orders, MARKED_ORDERS)
    digits_by_token = digits.T.tolist()
    return ["".join(map(str, token_digits)) for token_digits in digits_by_token]


def _split_into_runs(original: str | None, tokens: list[str], orders: Ints, max_order: int) -> str:
    """Return a text with one line per run, as `Sentence` explains. Text after the last token is not highlighted.

    `original`: the text that was tokenized; None if unknown. `orders`: the text's part of `find_matches`.
    """
    whole_text, ends = _token_ends(original, tokens)
    text = _shorten(whole_text)
    n_shown = bisect_right(ends, _MOST_CHARACTERS)  # number of tokens
    marks = _marks(orders, max_order)

    runs = []
    start = 0
    for mark, run_indices in groupby(range(n_shown), key=marks.__getitem__):
        *_, last_token = run_indices
        end = ends[last_token]
        runs.append(mark + text[start:end])
        start = end
    if start < len(text):
        runs.append(_UNMARKED * len(orders) + text[start:])  # one digit per system
    return "\n".join(map(escape_controls, runs))


def _token_ends(original: str | None, tokens: list[str]) -> tuple[str, list[int]]:
    """Return the text to show, and the position at which each token ends.

    If `original` is None or does not contain the tokens, the text is the tokens joined by spaces.
    """
    if original is not None:
        text = original.strip()
        ends = _find_tokens(text, tokens)
        if ends is not None:
            return text, ends

    lengths_with_space = [len(token) + 1 for token in tokens]
    # A token ends before its space
    ends = [end - 1 for end in accumulate(lengths_with_space)]
    return " ".join(tokens), ends


def _find_tokens(text: str, tokens: list[str]) -> list[int] | None:
    """Return the position in the text at which each token ends, or None if a token is not found.

    Tokens may be lower-cased. Between tokens, the text may have only whitespace.

    >>> _find_tokens("The cat.", ["the", "cat", "."]), _find_tokens("The cat.", ["a"])
    ([3, 7, 8], None)
    """
    lowered = text.lower()
    # Lower-casing changed the length, so positions would be wrong
    if len(lowered) != len(text):
        lowered = text

    ends = []
    end = 0
    for token in tokens:
        start = _SPACES.match(text, end).end()  # type: ignore[union-attr]
        is_found = text.startswith(token, start) or lowered.startswith(token, start)
        if not is_found:
            return None
        end = start + len(token)
        ends.append(end)
    return ends


def _shorten(text: str) -> str:
    """Return the first 4,000 characters of a text. If the text is longer, add the number of further characters."""
    n_more = len(text) - _MOST_CHARACTERS
    if n_more <= 0:
        return text
    return f"{text[:_MOST_CHARACTERS]} … ({n_more:,} more characters)"
