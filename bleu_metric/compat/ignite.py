"""ignite's BLEU: write ``bleu_metric.compat.ignite`` instead of ``ignite.metrics``.

`Bleu` is an `ignite.metrics.Metric` as in pytorch-ignite 0.5.5. It can be attached to engines, and its states are
summed over processes. The states have ignite's names, so this metric and ignite's can load each other's saved states.
Error messages begin with the text of ignite's messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from ignite.exceptions import NotComputableError
from ignite.metrics.metric import Metric, reinit__is_reduced, sync_all_reduce
from torch import Tensor

from .._bleu import corpus_statistics, score_each_text, score_texts
from .._dialects import config_of
from .._statistics import BleuStatistics, score
from .._validation import short_repr, unknown_message
from ._inputs import Tokens, cut_to_shorter, number_tokens, warn_of_strings
from ._library import pass_on

__all__ = ["Bleu"]

_SMOOTHINGS: dict[str, dict[str, Any]] = {
    "no_smooth": {},
    "smooth1": {"smoothing": "method1"},
    "nltk_smooth2": {"smoothing": "method2"},
    "smooth2": {"smoothing": "method2", "total_floor": "none"},
}
_DIALECTS = {"macro": "ignite", "micro": "ignite-micro"}
_MACRO_STATES = ("_sum_of_bleu", "_num_sentences")
_MICRO_STATES = ("p_numerators", "p_denominators", "hyp_length_sum", "ref_length_sum")


def _as_it_is(output: Any) -> Any:
    return output


class Bleu(Metric):
    """BLEU of all texts seen: the mean sentence score (macro) or the corpus score (micro).

    >>> metric = Bleu(ngram=2, average="micro")
    >>> metric.update((["the cat sat".split()], [["the cat is here".split(), "the cat".split()]]))
    >>> round(metric.compute(), 4)
    0.5774
    """

    def __init__(
        self,
        ngram: int = 4,
        smooth: str = "no_smooth",
        output_transform: Callable[..., Any] = _as_it_is,
        device: str | torch.device = torch.device("cpu"),  # noqa: B008
        average: str = "macro",
    ) -> None:
        """Set the options of the score.

        Args:
            ngram: the highest n-gram order.
            smooth: ``"no_smooth"``, ``"smooth1"``, ``"nltk_smooth2"`` or ``"smooth2"``.
            output_transform: converts an engine's output to ``(y_pred, y)``.
            device: the torch device of the states.
            average: ``"macro"`` for the mean of the sentence scores, ``"micro"`` for the corpus score.

        Raises:
            ValueError: an `ngram` below 1, or an unknown `smooth` or `average`.
        """
        if ngram <= 0:
            raise ValueError(f"ngram order must be greater than zero, got {ngram}")
        if smooth not in _SMOOTHINGS:
            raise ValueError(f"Smooth is not valid: {unknown_message('smooth', smooth, _SMOOTHINGS)}")
        if average not in _DIALECTS:
            raise ValueError(f'Average must be either "macro" or "micro", got {short_repr(average)}')
        self.ngrams_order = ngram
        self.average = average
        self._dialect = _DIALECTS[average]
        self._options: Any = {"max_order": ngram, **_SMOOTHINGS[smooth]}
        self._state_dict_all_req_keys = _MICRO_STATES if average == "micro" else _MACRO_STATES
        super().__init__(output_transform=output_transform, device=device)

    @reinit__is_reduced
    def reset(self) -> None:
        """Reset all counts."""
        if self.average == "micro":
            orders = self.ngrams_order + 1  # as in ignite, entry n is for order n, and entry 0 stays 0
            self.p_numerators = torch.zeros(orders, dtype=torch.int64, device=self._device)
            self.p_denominators = torch.zeros(orders, dtype=torch.int64, device=self._device)
            self.hyp_length_sum = 0
            self.ref_length_sum = 0
        else:
            self._sum_of_bleu = torch.tensor(0.0, dtype=self._double_dtype, device=self._device)
            self._num_sentences = 0

    @reinit__is_reduced
    def update(self, output: tuple[Sequence[Tokens], Sequence[Sequence[Tokens]]]) -> None:
        """Count a batch. `output` is a pair: the tokens of each prediction, and the references of each prediction."""
        y_pred, y = output
        if self.average == "micro":
            length, reference_length = self._n_gram_counter(y, y_pred, self.p_numerators, self.p_denominators)
            self.hyp_length_sum += length
            self.ref_length_sum += reference_length
            return
        predictions, references = _number(*cut_to_shorter([*y_pred], [*y]))
        if predictions:
            self._sum_of_bleu += score_each_text(predictions, references, self._dialect, **self._options).sum()
            self._num_sentences += len(predictions)

    def _n_gram_counter(
        self,
        references: Sequence[Sequence[Tokens]],
        candidates: Sequence[Tokens],
        p_numerators: Any,
        p_denominators: Any,
    ) -> tuple[int, int]:
        """Add the counts of each order to the two arrays. Return the total lengths of predictions and references."""
        predictions, numbered = _number(candidates, references)
        if not predictions:
            return 0, 0
        statistics = corpus_statistics(predictions, numbered, "ignite-micro", max_order=self.ngrams_order).total()
        for order in range(1, self.ngrams_order + 1):
            p_numerators[order] += int(statistics.matches[0, order - 1])
            p_denominators[order] += int(statistics.totals[0, order - 1])
        return int(statistics.lengths[0]), int(statistics.reference_lengths[0])

    def _sentence_bleu(self, references: Sequence[Tokens], candidates: Tokens) -> float:
        predictions, numbered = _number([candidates], [references])
        return float(score_each_text(predictions, numbered, self._dialect, **self._options)[0])

    def _corpus_bleu(self, references: Sequence[Sequence[Tokens]], candidates: Sequence[Tokens]) -> float:
        predictions, numbered = _number(candidates, references)
        return score_texts(predictions, numbered, "ignite-micro", **self._options).bleu or 0

    @sync_all_reduce(*_MACRO_STATES)
    def _compute_macro(self) -> Tensor:
        if not self._num_sentences:
            raise NotComputableError("Bleu has counted no sentence; call update before compute")
        return self._sum_of_bleu / self._num_sentences

    @sync_all_reduce(*_MICRO_STATES)
    def _compute_micro(self) -> float:
        config = config_of(self._dialect, self._options)
        counts = [*self.p_numerators.tolist()[1:], *self.p_denominators.tolist()[1:]]
        table = np.array([[*counts, self.hyp_length_sum, self.ref_length_sum]], dtype=np.int64)
        return score(BleuStatistics(table, config, is_total=True)).bleu or 0  # ignite returns the integer 0, not 0.0

    def compute(self) -> Any:
        """Compute the score of all texts counted since the last reset, in all processes.

        Returns:
            BLEU from 0 to 1, as a tensor without dimensions (macro) or a float (micro).

        Raises:
            NotComputableError: nothing was counted, and `average` is ``"macro"``.
        """
        return self._compute_macro() if self.average == "macro" else self._compute_micro()


def _number(
    candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> tuple[list[list[int]], list[list[list[int]]]]:
    if len(candidates) != len(references):
        raise ValueError(
            f"nb of candidates should be equal to nb of reference lists: {len(candidates)} != {len(references)}"
        )
    if len(candidates):
        warn_of_strings(references[0], candidates[0], "ignite")
    return number_tokens(candidates, references)


__getattr__ = pass_on(__name__, "ignite", "metrics", "metrics.nlp", "metrics.nlp.bleu", first="metrics")
