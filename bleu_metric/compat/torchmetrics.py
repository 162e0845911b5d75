"""torchmetrics' BLEU: write ``bleu_metric.compat.torchmetrics`` instead of ``torchmetrics.text``.

The module also has the BLEU functions of ``torchmetrics.functional.text``.

The classes are subclasses of `torchmetrics.Metric`: Lightning can log them, and their states are summed over processes.
The states are 64-bit integers. The states of torchmetrics 1.9.0 are float32 numbers, which cannot count beyond 2**24.
Scores are computed in float64 and then rounded to torch's default type.
"""

# Do not import `annotations` from `__future__`, because torch.jit.script cannot read types that are strings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torchmetrics import Metric
from torchmetrics.functional.text.sacre_bleu import _SacreBLEUTokenizer

from .._bleu import corpus_statistics
from .._dialects import config_of
from .._statistics import BleuStatistics, score
from ._inputs import check_same_length, cut_to_shorter, warn_of_mistake
from ._library import pass_on

__all__ = ["BLEUScore", "SacreBLEUScore", "bleu_score", "sacre_bleu_score"]

Texts = Sequence[str]
Targets = Sequence[str | Sequence[str]]


def bleu_score(
    preds: str | Texts, target: Targets, n_gram: int = 4, smooth: bool = False, weights: Sequence[float] | None = None
) -> Tensor:
    """Score a corpus of strings, split at white space.

    Args:
        preds: the predictions, or a single prediction.
        target: for each prediction, a list of references or one reference.
        n_gram: the highest n-gram order.
        smooth: add 1 to the number of matches and to the number of n-grams of each order except order 1. If an
            order has no match, BLEU is still 0.
        weights: one weight per order. The default weights are equal.

    Returns:
        BLEU from 0 to 1, as a tensor without dimensions.

    Raises:
        ValueError: there are not `n_gram` weights, `preds` and `target` differ in length, or a text has no reference.

    >>> bleu_score(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
    tensor(0.7598)
    """
    preds = [preds] if isinstance(preds, str) else preds
    target = [[texts] if isinstance(texts, str) else texts for texts in target]
    return _score(preds, target, _options(n_gram, smooth, weights))


def sacre_bleu_score(
    preds: Texts,
    target: Targets,
    n_gram: int = 4,
    smooth: bool = False,
    tokenize: str = "13a",
    lowercase: bool = False,
    weights: Sequence[float] | None = None,
) -> Tensor:
    """Score a corpus of strings, tokenized as sacrebleu does.

    Args:
        preds: the predictions.
        target: for each prediction, a list of references.
        n_gram: as for `bleu_score`.
        smooth: as for `bleu_score`.
        tokenize: the name of a sacrebleu tokenizer.
        lowercase: whether to ignore case.
        weights: as for `bleu_score`.

    Returns:
        BLEU from 0 to 1, as a tensor without dimensions.

    Raises:
        ValueError: as for `bleu_score`, or the tokenizer is unknown.

    >>> sacre_bleu_score(["The cat is on the mat."], [["the cat is on the mat ."]], lowercase=True)
    tensor(1.)
    """
    return _score(preds, target, _options(n_gram, smooth, weights) | _tokenization(tokenize, lowercase))


def _options(n_gram: int, smooth: bool, weights: Sequence[float] | None) -> Any:
    if weights is None:
        weights = [1 / n_gram] * n_gram
    if len(weights) != n_gram:
        raise ValueError(f"weights must have one number per order: got {len(weights)} weights for n_gram={n_gram}")
    smoothing = "method2" if smooth else "none"
    return {"max_order": n_gram, "weights": tuple(map(float, weights)), "smoothing": smoothing}


def _tokenization(tokenize: str, lowercase: bool) -> Any:
    return {"tokenizer": tokenize, "lowercase": "after" if lowercase else False}


def _count(preds: Sequence[Any], target: Sequence[Any], options: Any) -> BleuStatistics:
    """Return the total counts of all texts. As in torchmetrics, a missing text (None) counts as an empty text."""
    if isinstance(preds, str):
        warn_of_mistake("preds is one string, and torchmetrics scores each of its characters as a text; pass [text]")
    if any(isinstance(texts, str) for texts in target):
        warn_of_mistake(
            "target has strings, and torchmetrics uses each of their characters as a reference; pass a list "
            "of references for each prediction: [[text] for text in target]"
        )
    references = [[text or "" for text in texts] for texts in target]
    return corpus_statistics([text or "" for text in preds], references, "torchmetrics", **options).total()


def _score(preds: Texts, target: Targets, options: Any) -> Tensor:
    check_same_length(preds, target)
    config_of("torchmetrics", options)  # checks the options even if there is nothing to count
    return torch.tensor(score(_count(preds, target, options)).bleu if len(preds) else 0.0)


class BLEUScore(Metric):
    """BLEU of all texts seen, split at white space.

    >>> metric = BLEUScore(n_gram=2)
    >>> metric.update(["the cat sat"], [["the cat is here", "the cat"]])
    >>> metric.update(["a dog"], [["a dog"]])
    >>> metric.compute(), metric.numerator
    (tensor(0.5979), tensor([4, 2]))
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False  # so that `forward` counts each batch only once
    plot_lower_bound = 0.0
    plot_upper_bound = 1.0

    preds_len: Tensor
    target_len: Tensor
    numerator: Tensor
    denominator: Tensor

    def __init__(
        self, n_gram: int = 4, smooth: bool = False, weights: Sequence[float] | None = None, **kwargs: Any
    ) -> None:
        """Accept `n_gram`, `smooth` and `weights` as `bleu_score` does, and `kwargs` as every torchmetrics metric."""
        super().__init__(**kwargs)
        self.n_gram = n_gram
        self.smooth = smooth
        self.weights = [1 / n_gram] * n_gram if weights is None else weights
        config_of("torchmetrics", _options(n_gram, smooth, weights))
        for name in ("preds_len", "target_len"):
            self.add_state(name, torch.tensor(0), dist_reduce_fx="sum")
        for name in ("numerator", "denominator"):
            self.add_state(name, torch.zeros(n_gram, dtype=torch.int64), dist_reduce_fx="sum")

    def update(self, preds: Texts, target: Targets) -> None:
        """Count a batch of predictions, with a list of references for each.

        Warn if targets are strings instead of lists, or if the numbers of predictions and targets differ.
        """
        texts, references = cut_to_shorter(preds if isinstance(preds, str) else [*preds], [*target])
        if not len(texts):
            return
        options = _options(self.n_gram, self.smooth, self.weights) | self._find_tokens()
        counts = torch.from_numpy(_count(texts, references, options).table[0]).to(self.device)
        self.numerator += counts[: self.n_gram]
        self.denominator += counts[self.n_gram : 2 * self.n_gram]
        self.preds_len += counts[-2]
        self.target_len += counts[-1]

    def _find_tokens(self) -> Any:
        return _tokenization("whitespace", lowercase=False)

    def compute(self) -> Tensor:
        """Compute the score of all texts counted since the last reset, in all processes."""
        lengths = torch.stack([self.preds_len, self.target_len])
        table = torch.cat([self.numerator, self.denominator, lengths]).cpu().numpy()[np.newaxis]
        config = config_of("torchmetrics", _options(self.n_gram, self.smooth, self.weights))
        bleu = score(BleuStatistics(table, config, is_total=True)).bleu
        return torch.tensor(bleu, dtype=self.dtype, device=self.device)

    def set_dtype(self, dst_type: "str | torch.dtype") -> "BLEUScore":
        """Set the type of the score and return the metric. The counts stay integers."""
        self._dtype = torch.empty(0).type(dst_type).dtype
        return self

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot the scores in `val`, by default the current score. Return the figure and its axes."""
        return self._plot(val, ax)


class SacreBLEUScore(BLEUScore):
    """BLEU of all texts seen, tokenized as sacrebleu does.

    >>> metric = SacreBLEUScore()
    >>> metric(["The cat is on the mat."], [["The cat is on a mat ."]])
    tensor(0.4889)
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
        **kwargs: Any,
    ) -> None:
        """Accept `tokenize` and `lowercase` as `sacre_bleu_score` does, and all arguments of `BLEUScore`.

        The attribute `tokenizer` is a function from a text to a list of tokens. If you replace it, all later texts
        are tokenized by the new function.
        """
        super().__init__(n_gram, smooth, weights, **kwargs)
        self.tokenizer: Any = _SacreBLEUTokenizer(tokenize, lowercase)  # type: ignore[arg-type]
        self._first_tokenizer = self.tokenizer
        self._tokenize = tokenize

    def _find_tokens(self) -> Any:
        if self.tokenizer is not self._first_tokenizer:
            return {"tokenizer": self.tokenizer}
        return _tokenization(self._tokenize, self.tokenizer.lowercase)


__getattr__ = pass_on(
    *(__name__, "torchmetrics", "text", "text.bleu", "text.sacre_bleu", "functional", "functional.text"),
    *("functional.text.bleu", "functional.text.sacre_bleu"),
    first="text",
)
