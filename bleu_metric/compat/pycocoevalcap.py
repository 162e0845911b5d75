"""The BLEU of image captioning: import ``bleu_metric.compat.pycocoevalcap``, not ``pycocoevalcap.bleu.bleu``.

The numbers equal those of pycocoevalcap 1.2 (coco-caption). pycocoevalcap adds tiny numbers to counts and lengths. So
a perfect caption scores 0.9999999996, and a caption without a match scores about 1e-16. Captions are split at white
space. If you use pycocoevalcap's tokenizer, tokenize the captions with it before you score them here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ._inputs import count_each
from ._library import pass_on

__all__ = ["Bleu"]
__path__: list[str] = []  # `find_submodules` finds the submodules

_OTHERS = (
    *("bleu.bleu_scorer", "tokenizer.ptbtokenizer", "rouge.rouge", "cider.cider", "meteor.meteor", "spice.spice"),
    "eval",
)
_TINY, _SMALL = 1e-15, 1e-9  # _TINY is added to each numerator, _SMALL to each denominator


class Bleu:
    """BLEU-1 to BLEU-n of captions.

    >>> references = {"image 1": ["a cat on a mat", "the cat is on a mat"]}
    >>> captions = {"image 1": ["a cat is on a mat"]}
    >>> corpus, per_caption = Bleu(2).compute_score(references, captions, verbose=0)
    >>> [round(score, 4) for score in corpus]
    [1.0, 1.0]
    """

    def __init__(self, n: int = 4) -> None:
        """Set the highest n-gram order, `n`."""
        self._n = n

    def compute_score(
        self, gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]], verbose: int = 1
    ) -> tuple[list[float], list[list[float]]]:
        """Score captions.

        Args:
            gts: a dict from image to the list of its reference captions.
            res: a dict from image to a list with the one caption to score.
            verbose: if above 0, print the sums of the counts and the length ratio.

        Returns:
            Two lists: the corpus scores BLEU-1 to BLEU-n, and for each of these scores a list with its value for every
            caption. The captions are in the order of `gts`.

        Raises:
            AssertionError: the images of `gts` and `res` differ, or an image has no reference or not just one caption.

        """
        _check(gts, res)
        rows: list[list[int]] = []
        if gts:
            captions = [res[image][0] for image in gts]
            rows = count_each(captions, [*gts.values()], "pycocoevalcap", max_order=self._n).tolist()
        total = [sum(column) for column in zip(*rows, strict=True)] or [0] * (2 * self._n + 2)
        if verbose > 0:
            print(
                {"testlen": total[-2], "reflen": total[-1], "guess": total[self._n : -2], "correct": total[: self._n]}
            )
            print("ratio:", _length_ratio(total))
        per_caption = [self._score(row) for row in rows]
        return self._score(total), [[scores[order] for scores in per_caption] for order in range(self._n)]

    def _score(self, counts: list[int]) -> list[float]:
        """Compute BLEU-1 to BLEU-n from one row of counts, with pycocoevalcap's arithmetic."""
        product, scores = 1.0, []
        for order in range(self._n):
            product *= (counts[order] + _TINY) / (counts[self._n + order] + _SMALL)
            scores.append(product ** (1.0 / (order + 1)))
        ratio = _length_ratio(counts)
        penalty = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
        return [score * penalty for score in scores]

    def method(self) -> str:
        """Return the name of the metric."""
        return "Bleu"


def _length_ratio(counts: list[int]) -> float:
    return (counts[-2] + _TINY) / (counts[-1] + _SMALL)


def _check(gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]]) -> None:
    if gts.keys() != res.keys():
        raise AssertionError("gts and res must have the same images as keys")
    for image in gts:
        if not (isinstance(res[image], list) and len(res[image]) == 1):
            raise AssertionError(f"res[{image!r}] must be a list of one caption, got {res[image]!r}")
        if not (isinstance(gts[image], list) and gts[image]):
            raise AssertionError(f"gts[{image!r}] must be a list of at least one reference, got {gts[image]!r}")


__getattr__ = pass_on("pycocoevalcap", "bleu", "bleu.bleu", others=_OTHERS)
