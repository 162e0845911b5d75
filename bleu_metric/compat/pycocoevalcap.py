"""The BLEU of image captioning: write ``bleu_metric.compat.pycocoevalcap`` for ``pycocoevalcap.bleu.bleu``.

The numbers are those of pycocoevalcap 1.2 (coco-caption). It adds tiny amounts to counts and lengths, so that a perfect
caption scores 0.9999999996, and one without a match some 1e-16. Captions are split at white space: run its tokenizer
before, if your numbers come from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._bleu import corpus_statistics
from .._counts import number_of_columns
from .._dialects import config_of
from .._formula import score_tables
from .._smoothing import SMOOTHINGS
from .._validation import Ints
from ._library import pass_on

__all__ = ["Bleu"]


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
        weights = [[1 / order] * order for order in range(1, self._n + 1)]
        config = config_of("pycocoevalcap", {"weights": weights})
        rows = np.zeros((0, number_of_columns(config)), np.int64)
        if gts:
            captions = [res[image][0] for image in gts]
            references = [gts[image] for image in gts]
            rows = corpus_statistics(captions, references, "pycocoevalcap", weights=weights).table
        total = rows.sum(axis=0)
        if verbose > 0:
            self._print(total)
        corpus, per_caption = score_tables(total, config).bleu, score_tables(rows, config, sentences=True).bleu
        return corpus.tolist(), per_caption.T.tolist()

    def _print(self, total: Ints) -> None:
        *counts, length, reference_length = total.tolist()
        lengths = {"testlen": length, "reflen": reference_length}
        print({**lengths, "guess": counts[self._n :], "correct": counts[: self._n]})
        added, added_to_reference = SMOOTHINGS["add-tiny"].added_to_lengths
        print("ratio:", (length + added) / (reference_length + added_to_reference))

    def method(self) -> str:
        """Name the metric."""
        return "Bleu"


def _check(gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]]) -> None:
    if gts.keys() != res.keys():
        raise AssertionError("gts and res must have the same images as keys")
    for image in gts:
        if not (isinstance(res[image], list) and len(res[image]) == 1):
            raise AssertionError(f"res[{image!r}] must be a list of one caption, got {res[image]!r}")
        if not (isinstance(gts[image], list) and gts[image]):
            raise AssertionError(f"gts[{image!r}] must be a list of at least one reference, got {gts[image]!r}")


__getattr__ = pass_on(__name__, "pycocoevalcap", "bleu", "bleu.bleu", "bleu.bleu_scorer")
