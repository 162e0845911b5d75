"""Minimum Bayes risk decoding: the candidate with the highest expected BLEU."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from .._config import DEFAULT, BleuOptions, Dialect, columns_of, config_of
from .._corpus import as_rows, is_list
from .._display import amount, percent
from .._formula import bleu_of_rows, units_per_token
from .._ngrams import Tokens, clipped_matches, ngrams
from .._result import Column, Result, Row
from .._score import signature_of
from .._statistics import segment_row
from .._validation import Floats, Ints, Progress, check_finite, short_repr
from .pairwise import Pairs, read_pairs, score_pairs
from .texts import Segments, refuse_missing_references


@dataclass(frozen=True, repr=False)
class MbrResult(Result):
    """The best candidate of each segment by minimum Bayes risk decoding, and the expected scores of all candidates.

    >>> mbr(["a cat sat", "the cat sat", "the cat sat down"], max_order=2)
    <MbrResult best=[1], texts=['the cat sat'], expected=[0.7646]>
    """

    best: Ints
    """Index of each segment's best candidate, shape (segments,). If several are equally good, the first one."""
    texts: list[Any]
    """The best candidate of each segment."""
    scores: list[Floats]
    """Expected scores of all candidates: one array of shape (candidates,) per segment, on a scale of 0 to 1."""
    signature: str
    """All settings that determine the scores. The beginning is ``mbr:expected`` for means of BLEU scores, and
    ``mbr:aggregate`` for the BLEU of mean counts (``aggregate=True``)."""

    @property
    def expected(self) -> Floats:
        """Return the expected score of each segment's best candidate, shape (segments,).

        >>> mbr([["a b", "a b c"], ["d"]], max_order=1).expected.round(2)
        array([0.83, 1.  ])
        """
        segments = zip(self.scores, self.best.tolist(), strict=True)
        return np.array([scores[best] for scores, best in segments])

    def facts(self) -> Row:
        """Return the signature."""
        return {"signature": self.signature}

    def rows(self, in_percent: bool = False) -> list[Row]:
        """Return one row per segment: the index and the text of the best candidate, and the scores of all."""
        scale = 100 if in_percent else 1
        segments = zip(self.best.tolist(), self.texts, self.scores, strict=True)
        return [{"best": best, "text": text, "scores": (scale * scores).tolist()} for best, text, scores in segments]

    def title(self, digits: int = 1) -> str:
        """Return the mean of the expected scores in percent."""
        mean = percent(float(self.expected.mean()), digits)
        return f"expected BLEU {mean} of {amount(len(self.texts), 'segment')}"

    def columns(self, digits: int = 1) -> list[Column]:
        """Return a table with one row per segment: the best candidate and its expected score."""
        expected = [percent(score, digits) for score in self.expected.tolist()]
        texts = [" ".join(map(str, text)) if is_list(text) else text for text in self.texts]
        return [
            Column("best", list(map(str, self.best.tolist()))),
            Column("expected", expected, metric="BLEU"),
            Column("text", texts, is_text=True),
        ]

    def notes(self) -> list[str]:
        """Return the signature."""
        return [self.signature]

    def __repr__(self) -> str:
        """Return a string with the results. Long lists are shortened."""
        best = short_repr(self.best.tolist())
        texts = short_repr(self.texts)
        expected = short_repr([round(score, 4) for score in self.expected.tolist()])
        return f"<MbrResult best={best}, texts={texts}, expected={expected}>"


def mbr(
    candidates: Any,
    references: Any = None,
    reference_weights: Any = None,
    dialect: Dialect = DEFAULT,
    *,
    aggregate: bool = False,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> MbrResult:
    """Choose, for each segment, the candidate with the highest expected sentence BLEU (Kumar and Byrne 2004).

    Pseudo-references are translations, such as samples from the model, that replace the unknown references. The
    expected score of a candidate is the weighted mean of its sentence BLEU against each pseudo-reference.

    Args:
        candidates: N texts of one segment, or a batch with one such list per segment; as for `pairwise_bleu`.
        references: M pseudo-references of one segment, or a batch with one such list per segment. By default, the
            candidates of the same segment.
        reference_weights: a list with one weight per pseudo-reference, e.g. its probability; for a batch, one such list
            per segment. The weights of each segment are divided by their sum. By default, all weights are equal.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        aggregate: whether to score each candidate once, against the weighted means of the pseudo-references' n-gram
            counts and lengths (DeNero et al. 2009). Time grows with N + M instead of N * M. The scores change: each
            is the BLEU of mean counts instead of the mean of BLEU scores.
        progress: a function, called at intervals as ``progress(done, total)``, with numbers of candidates.
        **options: override the dialect's settings: any field of `BleuConfig` except `unit`
            and `empty_references`.

    Returns:
        For each segment, the best candidate with its index, and the expected scores of all candidates.

    Raises:
        TypeError: a text, a weight or an option has the wrong type.
        ValueError: as for `pairwise_bleu`; the numbers of weights and pseudo-references differ; a reference weight is
            below 0 or not finite; all reference weights of a segment are 0.

    >>> result = mbr(["a cat sat", "the cat sat", "the cat sat down"], max_order=2)
    >>> result.texts, result.scores[0].round(2)
    (['the cat sat'], array([0.66, 0.76, 0.71]))
    """
    pairs = read_pairs(candidates, references, config_of(dialect, options), "candidates")
    probabilities = _check_reference_weights(reference_weights, pairs.references)

    if aggregate:
        scores = _aggregated_scores(pairs, probabilities)
    else:
        matrices = score_pairs(pairs, progress)
        scores = [matrix @ weights for matrix, weights in zip(matrices, probabilities, strict=True)]

    best = np.array([np.argmax(segment_scores) for segment_scores in scores], np.int64)
    texts = [candidates[index] for candidates, index in zip(pairs.hypotheses.lists, best.tolist(), strict=True)]

    numbers_of_references = list(map(len, pairs.references.lists))
    nrefs = min(numbers_of_references), max(numbers_of_references)
    return MbrResult(
        best,
        texts,
        scores,
        signature=f"mbr:{'aggregate' if aggregate else 'expected'}|{signature_of(pairs.config, nrefs)}",
    )


def _check_reference_weights(weights: Any, references: Segments) -> list[Floats]:
    """Check the weights. Return one array per segment, with the sum 1: [[1, 3]] -> [[0.25, 0.75]]."""
    sizes = list(map(len, references.lists))
    if weights is None:
        return [np.full(size, 1 / size) for size in sizes]

    name = "reference_weights"
    if not references.is_batch:
        return [_probabilities(weights, name, sizes[0])]
    lists = _as_list(weights, name, len(sizes), "segments")
    return [_probabilities(lists[segment], f"{name}[{segment}]", size) for segment, size in enumerate(sizes)]


def _as_list(weights: Any, name: str, size: int, what: str) -> Sequence[Any]:
    """Return `weights` as a list. Raise ``ValueError`` if the list does not have `size` entries.

    `what`: a plural noun for the error message, such as "segments".
    """
    values: Sequence[Any] = list(as_rows(weights, name))
    if len(values) != size:
        raise ValueError(f"{name} has {len(values)} entries for {size} {what}; the numbers must be equal")
    return values


def _probabilities(weights: Any, name: str, size: int) -> Floats:
    """Check the weights of one segment. Return the weights divided by their sum.

    `name`: what errors call `weights`. `size`: the number of references. Raise ``ValueError`` if a weight is below 0 or
    not finite, or if all weights are 0.

    >>> _probabilities([1, 3], "reference_weights", 2)
    array([0.25, 0.75])
    """
    numbers = []
    for index, value in enumerate(_as_list(weights, name, size, "references")):
        number = check_finite(f"{name}[{index}]", value)
        if number < 0:
            raise ValueError(f"{name}[{index}] is {number}; weights must be >= 0; convert log-probabilities with exp")
        numbers.append(number)
    if not any(numbers):
        raise ValueError(f"{name} are all 0; at least one must be above 0")

    # Without this division, the sum of very large weights could be infinite
    at_most_one = np.array(numbers) / max(numbers)
    probabilities: Floats = at_most_one / at_most_one.sum()
    return probabilities


def _aggregated_scores(pairs: Pairs, probabilities: Sequence[Floats]) -> list[Floats]:
    """Return the score of each candidate with the expected n-gram counts of the references (DeNero et al. 2009)."""
    refuse_missing_references(pairs.config)
    columns = columns_of(pairs.config)
    references = pairs.references.tokens(pairs.config)
    candidates = references if pairs.hypotheses is pairs.references else pairs.hypotheses.tokens(pairs.config)
    units = units_per_token(pairs.config.reference_length)
    orders = range(1, columns.highest_order + 1)
    scores = []
    for own, others, weights in zip(candidates, references, probabilities, strict=True):
        expected_length = float(weights @ list(map(len, others)))
        expected: list[Any] = [_expected_counts(others, weights.tolist(), order) for order in orders]
        rows = []
        for text in own:
            matches = clipped_matches(text, expected)
            rows.append(segment_row(matches, len(text), expected_length * units, columns))
        scores.append(bleu_of_rows(np.array(rows, np.float64), pairs.config, sentences=True))
    return scores


def _expected_counts(texts: Sequence[Tokens], weights: Sequence[float], order: int) -> dict[Any, float]:
    """Return the mean count of each n-gram in the texts."""
    expected: dict[Any, float] = defaultdict(float)
    for text, weight in zip(texts, weights, strict=True):
        for gram, count in ngrams(text, order).items():
            expected[gram] += weight * count
    return expected
