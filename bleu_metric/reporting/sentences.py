"""Prepare the list of sentences of a report. Split each text into runs of tokens that get the same highlight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from .._corpus import Corpus
from .._display import escape_controls
from .._ngrams import Ngrams, Tokens, most_in_one
from .._statistics import BleuStatistics, score_sentences
from .._validation import Floats
from .matches import ORDERS, Segment, matching_orders, read_segments

_MOST_CHARACTERS = 4000  # maximum number of characters shown per text
_UNMARKED = "2"  # the mark of tokens that are not highlighted


class Sentence(NamedTuple):
    """One segment: its source, its references and the outputs of all systems. The page's script reads it from JSON.

    A text has one line per run of tokens with the same marks. In the lines "0the" and "2 cat sat", "the" has the mark
    0, and "cat" and "sat" have the mark 2. The mark 0 is for a token without a match in a reference, and 2 for a match.
    If there is only one system, 1 is for a token that matches alone, but not together with one of its neighbours. If
    there are several systems, the tokens of an output have a second mark: 2 if they match the output of the first
    system, otherwise 0; in that output itself, 2 if they match any other output. Tokens of a reference have one mark
    per system.
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
        rows: indices of the segments to return, in ascending order.
        source: the source text of each segment of the corpus, if there are any.
        groups: the index of the group of each segment of the corpus, if there are any.
    """
    counts_of_systems = list(statistics.values())
    config = counts_of_systems[0].config
    scores = _percents_by_segment(map(score_sentences, counts_of_systems), digits=4)
    effects = _percents_by_segment(map(corpus_effects, counts_of_systems), digits=6)

    sentences = []
    for row, segment in zip(rows, read_segments(corpora, config, rows), strict=True):
        outputs, references = _highlighted(segment, config.max_order)
        source_text = escape_controls(_shorten(source[row])) if source else ""
        group = -1 if groups is None else groups[row]
        sentences.append(Sentence(row + 1, scores[row], effects[row], outputs, references, source_text, group))
    return sentences


def _percents_by_segment(numbers: Iterable[Floats], digits: int) -> list[list[float]]:
    """Return numbers in percent, segment by segment: [[0.5, 0.1], [0.7, 0.2]] -> [[50, 70], [10, 20]]."""
    by_segment = np.stack(list(numbers), axis=1)
    return (100 * by_segment).round(digits).tolist()  # type: ignore[no-any-return]


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


def _highlighted(segment: Segment, max_order: int) -> tuple[list[str], list[str]]:
    """Return the outputs and the references of a segment. `Sentence` explains the form of a text."""
    _, *others = segment.output_tokens
    longest = 1 if others else min(max_order, ORDERS)
    of_outputs = [most_in_one([tokens], ORDERS) for tokens in segment.output_tokens]
    # What each output is compared with for its second mark
    compared = [most_in_one(others, ORDERS), *(of_outputs[0] for _ in others)] if others else []

    outputs, references = [], []
    for index, (original, tokens) in enumerate(zip(segment.outputs, segment.output_tokens, strict=True)):
        limits = [segment.limits, *compared[index : index + 1]]
        outputs.append(_split_into_runs(original, tokens, limits, longest))
    for original, tokens in zip(segment.references, segment.reference_tokens, strict=True):
        references.append(_split_into_runs(original, tokens, of_outputs, longest))
    return outputs, references


def _marks(orders: Sequence[Sequence[int]], longest: int) -> list[str]:
    """Return the marks of each token of a text, as `Sentence` explains. `orders`: one list per mark.

    >>> _marks([[1, 0, 2], [0, 1, 1]], longest=2)
    ['10', '01', '21']
    """
    longest_possible = min(len(orders[0]), longest)
    digits = [str(order) if order < longest_possible else _UNMARKED for order in range(longest + 1)]
    by_text = [[digits[order] for order in of_text] for of_text in orders]
    return list(map("".join, zip(*by_text, strict=True)))


def _split_into_runs(original: Any, tokens: Tokens, limits: Sequence[Sequence[Ngrams]], longest: int) -> str:
    """Return a text with one line per run, as `Sentence` explains. Text after the last token is not highlighted.

    `original`: the text that was tokenized, or its tokens. `limits`: those of `matching_orders`, one per mark.
    `longest`: the lowest order that is not highlighted.
    """
    whole_text, ends = _token_ends(original, tokens)
    text = _shorten(whole_text)
    n_shown = bisect_right(ends, _MOST_CHARACTERS)  # number of tokens
    marks = _marks([matching_orders(tokens, of_mark, longest) for of_mark in limits], longest)[:n_shown]

    runs = []
    start = 0
    for mark, next_mark, end in zip(marks, [*marks[1:], ""], ends, strict=False):
        if mark != next_mark:
            runs.append(mark + text[start:end])
            start = end
    if start < len(text):
        runs.append(_UNMARKED * len(limits) + text[start:])
    return "\n".join(map(escape_controls, runs))


def _token_ends(original: Any, given_tokens: Tokens) -> tuple[str, list[int]]:
    """Return the text to show, and the position at which each token ends.

    If `original` is a list or does not contain the tokens, the text is the tokens joined by spaces.
    """
    tokens = list(map(str, given_tokens))
    if isinstance(original, str):
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
        start = text.find(token, end)
        if start < 0 or text[end:start].strip():
            start = lowered.find(token, end)
            if start < 0 or text[end:start].strip():
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
