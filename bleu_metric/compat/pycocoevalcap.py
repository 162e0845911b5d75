"""The BLEU of image captioning: import ``bleu_metric.compat.pycocoevalcap``, not ``pycocoevalcap.bleu.bleu``.

The numbers equal those of pycocoevalcap 1.2 (coco-caption). pycocoevalcap adds tiny numbers to counts and lengths. So
a perfect caption scores 0.9999999996, and a caption without a match scores about 1e-16. Captions are split at
whitespace. If you use pycocoevalcap's tokenizer, tokenize the captions with it before you score them here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._score import BleuScore
from .._statistics import score, score_sentences
from ._inputs import count_texts
from ._library import pass_on

__all__ = ["Bleu"]
__path__: list[str] = []  # `find_submodules` finds the submodules


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
        if not gts:
            return [0.0] * self._n, [[] for _ in range(self._n)]
        captions = [res[image][0] for image in gts]
        references = [*gts.values()]
        orders = range(1, self._n + 1)
        weights = [[1 / order] * order for order in orders]  # of BLEU-1 to BLEU-n
        statistics = count_texts(captions, references, "pycocoevalcap", weights=weights)
        corpus: Any = score(statistics)
        if verbose > 0:
            _print_counts(corpus)
        return corpus.bleu, score_sentences(statistics).T.tolist()

    def method(self) -> str:
        """Return the name of the metric."""
        return "Bleu"


def _print_counts(corpus: BleuScore) -> None:
    length, reference_length = corpus.translation_length, corpus.reference_length
    counts = {"guess": corpus.totals, "correct": corpus.counts}
    print({"testlen": length, "reflen": reference_length, **counts})
    print("ratio:", (length + 1e-15) / (reference_length + 1e-9))


def _check(gts: Mapping[Any, list[str]], res: Mapping[Any, list[str]]) -> None:
    if gts.keys() != res.keys():
        raise AssertionError("gts and res must have the same images as keys")
    for image, references in gts.items():
        captions = res[image]
        if not (isinstance(captions, list) and len(captions) == 1):
            raise AssertionError(f"res[{image!r}] must be a list of one caption, got {captions!r}")
        if not (isinstance(references, list) and references):
            raise AssertionError(f"gts[{image!r}] must be a list of at least one reference, got {references!r}")


__getattr__ = pass_on("pycocoevalcap", "", "bleu", "bleu.bleu")
