"""Drop-in replacement for the BLEU of pycocoevalcap: import this module instead of ``pycocoevalcap.bleu.bleu``.

The scores equal those of pycocoevalcap 1.2 (coco-caption). pycocoevalcap adds tiny numbers to counts and lengths, so a
perfect caption scores 0.9999999996, and a caption without a match scores about 1e-16.

Captions are split at whitespace. Apply pycocoevalcap's tokenizer, if you use it, to captions and references first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from .._config import BleuConfig, config_of
from .._formula import bleu_of_row, bleu_of_rows
from .._statistics import score, total_row
from ._inputs import count_texts
from ._library import Lookup, pass_on

__all__ = ["Bleu"]

Captions = Mapping[Any, list[str]]  # image -> captions


class Bleu:
    """Compute BLEU-1 to BLEU-n of image captions.

    >>> references = {"image 1": ["a cat on a mat", "the cat is on a mat"]}
    >>> captions = {"image 1": ["a cat is on a mat"]}
    >>> corpus, per_caption = Bleu(2).compute_score(references, captions, verbose=0)
    >>> [round(score, 4) for score in corpus]
    [1.0, 1.0]
    """

    def __init__(self, n: int = 4) -> None:
        """Set the highest n-gram order, `n`."""
        self._n = n

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 1) -> tuple[list[float], list[list[float]]]:
        """Compute the scores of all captions together, and of each caption.

        Args:
            gts: a dict that maps each image to a list of its reference captions.
            res: a dict that maps each image to a list with one item: the caption to score.
            verbose: if above 0, print the n-gram counts, the lengths and the length ratio of the corpus.

        Returns:
            Two lists. The first has the corpus scores BLEU-1 to BLEU-n. The second has n lists: the BLEU-1 of each
            caption, the BLEU-2 of each caption, and so on. The captions are in the order of `gts`.

        Raises:
            AssertionError: `gts` and `res` have different images, or an image does not have exactly one caption and at
                least one reference.
        """
        _check(gts, res)
        if not gts:
            return [0.0] * self._n, [[] for _ in range(self._n)]

        captions = [res[image][0] for image in gts]
        references = [*gts.values()]
        statistics = count_texts(captions, references, "pycocoevalcap", max_order=self._n)
        if verbose > 0:
            total_score = score(statistics)
            length, reference_length = total_score.translation_length, total_score.reference_length
            counts = {"guess": total_score.totals, "correct": total_score.counts}
            print({"testlen": length, "reflen": reference_length, **counts})
            # pycocoevalcap adds these numbers, so that it never divides by 0
            print("ratio:", (length + 1e-15) / (reference_length + 1e-9))

        total, table = total_row(statistics), statistics.table
        configs = _configs(self._n)
        corpus_scores = [bleu_of_row(total, config)[0] for config in configs]
        if len(table) == 1:
            return corpus_scores, [[bleu] for bleu in corpus_scores]
        return corpus_scores, [bleu_of_rows(table, config, sentences=True).tolist() for config in configs]

    def method(self) -> str:
        """Return the name of the metric."""
        return "Bleu"


@cache
def _configs(n: int) -> list[BleuConfig]:
    """Return the configurations of BLEU-1 to BLEU-n. All use one table of counts: BLEU-1 has the weights [1, 0, …]."""
    weights = [[1 / order] * order + [0.0] * (n - order) for order in range(1, n + 1)]
    return [config_of("pycocoevalcap", {"weights": of_order}) for of_order in weights]


def _check(gts: Captions, res: Captions) -> None:
    """Raise ``AssertionError`` unless each image has exactly one caption and at least one reference."""
    if gts.keys() != res.keys():
        raise AssertionError("gts and res must have the same images as keys")
    for image, references in gts.items():
        captions = res[image]
        if not isinstance(captions, list) or len(captions) != 1:
            raise AssertionError(f"res[{image!r}] must be a list of one caption, got {captions!r}")
        if not isinstance(references, list) or not references:
            raise AssertionError(f"gts[{image!r}] must be a list of at least one reference, got {references!r}")


__getattr__: Lookup = pass_on(__name__, "pycocoevalcap", "", "bleu", "bleu.bleu")
