"""The BLEU of image captioning: write ``bleu_metric.compat.pycocoevalcap`` for ``pycocoevalcap.bleu.bleu``.

The numbers are those of pycocoevalcap 1.2 (coco-caption). It adds tiny amounts to counts and lengths, so that a perfect
caption scores 0.9999999996, and one without a match some 1e-16. Captions are split at white space: run its tokenizer
before, if your numbers come from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._arrays import Floats, Ints
from .._bleu import corpus_statistics

__all__ = ["Bleu"]

_TINY, _SMALL = 1e-15, 1e-9  # added to what is divided, and to what it is divided by


class Bleu:
    """BLEU-1 to BLEU-n of captions.

    >>> references = {"image 1": ["a cat on a mat", "the cat is on a mat"]}
    >>> captions = {"image 1": ["a cat is on a mat"]}
    >>> corpus, per_caption = Bleu(2).compute_score(references, captions, verbose=0)
    >>> [round(score, 4) for score in corpus]
    [1.0, 1.0]
    """

    def __init__(self, n: int = 4) -> None:
        """`n` is the longest n-gram."""
        self._n = n

    def compute_score(
        self, gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]], verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """Score captions.

        Args:
            gts: per image, a list of reference captions.
            res: per image, a list of one caption.
            verbose: if above 0, print the sums of the counts and the length ratio.

        Returns:
            The corpus' BLEU-1 to BLEU-n, and for each of them the list of the captions' scores in the order of `gts`.

        Raises:
            AssertionError: the images are not the same, or an image has no reference or not exactly one caption.

        """
        _check(gts, res)
        rows = np.zeros((0, 2 * self._n + 2), np.int64)
        if gts:
            captions = [res[image][0] for image in gts]
            options: Any = {"tokenizer": "whitespace", "max_order": self._n}
            rows = corpus_statistics(captions, [gts[image] for image in gts], **options).table
        total = rows.sum(axis=0)
        if verbose > 0:
            self._print(total)
        return self._score(total).tolist(), self._score(rows).T.tolist()

    def _score(self, table: Ints) -> Floats:
        """BLEU-1 to BLEU-n of rows of counts: shape (…, columns) -> (…, n)."""
        matches, totals = table[..., : self._n], table[..., self._n : 2 * self._n]
        products = np.cumprod((matches + _TINY) / (totals + _SMALL), axis=-1)
        ratio = _ratio(table)[..., np.newaxis]
        penalty = np.exp(1 - 1 / np.minimum(ratio, 1))
        scores: Floats = products ** (1 / np.arange(1, self._n + 1)) * penalty
        return scores

    def _print(self, total: Ints) -> None:
        *counts, length, reference_length = total.tolist()
        lengths = {"testlen": length, "reflen": reference_length}
        print({**lengths, "guess": counts[self._n :], "correct": counts[: self._n]})
        print("ratio:", float(_ratio(total)))

    def method(self) -> str:
        """Name the metric."""
        return "Bleu"


def _ratio(table: Ints) -> Floats:
    ratio: Floats = (table[..., -2] + _TINY) / (table[..., -1] + _SMALL)
    return ratio


def _check(gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]]) -> None:
    if gts.keys() != res.keys():
        raise AssertionError("gts and res must have the same images as keys")
    for image in gts:
        if not (isinstance(res[image], list) and len(res[image]) == 1):
            raise AssertionError(f"res[{image!r}] must be a list of one caption, got {res[image]!r}")
        if not (isinstance(gts[image], list) and gts[image]):
            raise AssertionError(f"gts[{image!r}] must be a list of at least one reference, got {gts[image]!r}")
