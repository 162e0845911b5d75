"""Compute the sentence BLEU of every hypothesis with every reference: one matrix per segment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Unpack

import numpy as np

from .._config import DEFAULT, BleuConfig, BleuOptions, Dialect, config_of, fit_to_kind, tokenization_of
from .._corpus import EXPECTED, Corpus
from .._counting import count_corpus
from .._display import amount
from .._statistics import score_sentences
from .._tokens import tokenize
from .._validation import Floats, Progress
from .texts import Segments, as_segments, refuse_missing_references

_MOST_PAIRS = 1 << 16  # counted at once


def pairwise_bleu(
    hypotheses: Any,
    references: Any = None,
    dialect: Dialect = DEFAULT,
    *,
    progress: Progress | None = None,
    **options: Unpack[BleuOptions],
) -> Floats | list[Floats]:
    """Compute the sentence BLEU of every hypothesis with every reference of its segment.

    Args:
        hypotheses: N texts of one segment, or a batch: a list with one such list per segment. Segments can have
            different numbers of texts. A text is a string, a list of tokens or a list of token ids. Lists of tokens
            must be in a batch, because ``[["a", "b"]]`` is read as a batch with two strings.
        references: M texts of one segment, or a batch with one such list per segment. By default, the hypotheses of the
            same segment.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        progress: a function, called at intervals as ``progress(done, total)``, with numbers of hypotheses.
        **options: override the dialect's settings: any field of `BleuConfig` except `unit`
            and `empty_references`.

    Returns:
        Scores on a scale of 0 to 1, float64 of shape (N, M). Cell (i, j) is the `sentence_bleu` of hypothesis i with
        reference j as the only reference. For a batch, return a list with one such array per segment.

    Raises:
        TypeError: a text or an option has the wrong type; the message says which.
        ValueError: a segment has no text, the batches have different numbers of segments, or a dialect or option value
            is unknown.

    >>> pairwise_bleu(["the cat sat", "a cat sat", "a dog"], max_order=2).round(2)
    array([[1.  , 0.58, 0.  ],
           [0.58, 1.  , 0.29],
           [0.  , 0.3 , 1.  ]])
    """
    pairs = read_pairs(hypotheses, references, config_of(dialect, options))
    matrices = list(score_pairs(pairs, progress))
    return matrices if pairs.hypotheses.is_batch else matrices[0]


class Pairs(NamedTuple):
    """The hypotheses and references of all segments, and the configuration that scores each pair."""

    hypotheses: Segments
    references: Segments  # the same object as `hypotheses` if the caller passed no references
    config: BleuConfig


def score_pairs(pairs: Pairs, progress: Progress | None) -> Iterator[Floats]:
    """Yield one matrix per segment: the score of each hypothesis with each reference. Count blocks of rows at once."""
    refuse_missing_references(pairs.config)
    kind = pairs.hypotheses.kind
    tokenization = tokenization_of(pairs.config)
    sides = [pairs.hypotheses.checked(), pairs.references.checked()]
    pairs.hypotheses.warn(pairs.config)
    if kind == "text" and tokenization.rules is None:  # a tokenizer function is called once per text
        kind, sides = "tokens", [[tokenize(texts, "text", tokenization) for texts in side] for side in sides]
    n_done, n_hypotheses = 0, sum(map(len, sides[0]))
    for rows, columns in zip(*sides, strict=True):
        blocks = []
        n_at_once = max(1, _MOST_PAIRS // len(columns))
        for first in range(0, len(rows), n_at_once):
            block = rows[first : first + n_at_once]
            hypotheses = [text for text in block for _ in columns]
            corpus = Corpus((hypotheses,), columns * len(block), kind, nested=False, findings=set())
            (statistics,) = count_corpus(corpus, [pairs.config])
            blocks.append(score_sentences(statistics).reshape(len(block), len(columns)))
            n_done += len(block)
            if progress:
                progress(n_done, n_hypotheses)
        yield np.concatenate(blocks)


def read_pairs(hypotheses: Any, references: Any, config: BleuConfig, name: str = "hypotheses") -> Pairs:
    """Check the arguments, and return them as `Pairs`. `name`: what errors call `hypotheses`."""
    hypothesis_lists = as_segments(hypotheses, name)
    if references is None:
        return Pairs(hypothesis_lists, hypothesis_lists, fit_to_kind(config, hypothesis_lists.kind))

    reference_lists = as_segments(references, "references")
    if _shows_no_kind(reference_lists):
        reference_lists = reference_lists._replace(kind=hypothesis_lists.kind)
    elif _shows_no_kind(hypothesis_lists):
        hypothesis_lists = hypothesis_lists._replace(kind=reference_lists.kind)
    form, reference_form = _form(hypothesis_lists), _form(reference_lists)
    if form != reference_form:
        raise TypeError(f"{name} are {form}, but references are {reference_form}; give both in the same form")
    n_segments, n_references = len(hypothesis_lists.lists), len(reference_lists.lists)
    if n_segments != n_references:
        raise ValueError(
            f"{amount(n_segments, 'segment')} of {name} but {n_references} of references; the numbers must be equal"
        )
    return Pairs(hypothesis_lists, reference_lists, fit_to_kind(config, hypothesis_lists.kind))


def _shows_no_kind(segments: Segments) -> bool:
    """Return whether all texts are empty lists, which may be lists of tokens or of token ids."""
    return segments.kind == "tokens" and not any(len(text) for texts in segments.lists for text in texts)


def _form(segments: Segments) -> str:
    """Return the form of segments, such as "a list of strings"."""
    lists = "a batch of lists" if segments.is_batch else "a list"
    return f"{lists} of {EXPECTED[segments.kind]}"
