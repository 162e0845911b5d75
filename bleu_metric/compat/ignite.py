"""Drop-in replacement for ignite's BLEU: import ``bleu_metric.compat.ignite`` instead of ``ignite.metrics``.

`Bleu` is a subclass of ignite's `Bleu` that replaces only the counting of n-grams and, with ``average="macro"``, the
computation of sentence scores. Both classes can load each other's saved states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._statistics import score, score_sentences
from ._inputs import count_tokens, cut_to_shorter
from ._library import Lookup, needed, overrides, pass_on

with needed("ignite"):
    from ignite.metrics import nlp as theirs
    from ignite.metrics.metric import reinit__is_reduced

__all__ = ["Bleu"]

Text = Sequence[Any]  # tokens of any hashable type
References = Sequence[Sequence[Text]]  # a list of references for each prediction

_SMOOTHINGS: dict[str, dict[str, Any]] = {
    "no_smooth": {},
    "smooth1": {"smoothing": "method1"},
    "nltk_smooth2": {"smoothing": "method2"},
    "smooth2": {"smoothing": "method2", "total_floor": "none"},
}
_SENTENCE_METHODS = ("_sentence_bleu", "_corpus_bleu", "_n_gram_counter", "_brevity_penalty_smoothing")


class Bleu(theirs.Bleu):
    """BLEU of all texts passed to `update`: the mean of sentence scores (macro) or the corpus score (micro).

    >>> metric = Bleu(ngram=2, average="micro")
    >>> metric.update((["the cat sat".split()], [["the cat is here".split(), "the cat".split()]]))
    >>> round(metric.compute(), 4)
    0.5774
    """

    @reinit__is_reduced
    def update(self, output: tuple[Sequence[Text], References]) -> None:
        """Count the n-grams of a batch. `output` is a pair: predictions, and a list of references per prediction.

        All texts are lists of tokens. Warn if a text is a string. With ``average="macro"``, also warn if the numbers of
        predictions and of lists of references differ.
        """
        if self.average == "micro":
            super().update(output)  # calls `_n_gram_counter` once for the whole batch
            return

        predictions, references = cut_to_shorter([*output[0]], [*output[1]])
        has_equal_weights = [*self.weights] == [1 / self.ngrams_order] * self.ngrams_order
        has_own_formula = has_equal_weights and type(self.smoother) is theirs.bleu._Smoother
        if overrides(self, Bleu, _SENTENCE_METHODS) or not has_own_formula:
            # ignite's own code scores the sentences
            super().update((predictions, references))
        elif predictions:
            options = {"max_order": self.ngrams_order, **_SMOOTHINGS[self.smoother.smooth]}
            scores = score_sentences(count_tokens("ignite", predictions, references, dialect="ignite", **options))
            self._sum_of_bleu += scores.sum()
            self._num_sentences += len(scores)

    def _n_gram_counter(
        self, references: References, candidates: Sequence[Text], p_numerators: Any, p_denominators: Any
    ) -> tuple[int, int]:
        """Add the matches of order n to ``p_numerators[n]``, and the number of n-grams to ``p_denominators[n]``.

        Return the lengths of the candidates and of the references. Both arguments are dicts, or tensors of shape
        (orders + 1,).
        """
        if not len(candidates) or len(candidates) != len(references):
            # ignite returns (0, 0), or raises its own error
            return super()._n_gram_counter(references, candidates, p_numerators, p_denominators)

        statistics = count_tokens("ignite", candidates, references, "ignite-micro", max_order=self.ngrams_order)
        batch = score(statistics)
        for order in range(1, self.ngrams_order + 1):
            p_numerators[order] += batch.counts[order - 1]
            p_denominators[order] += batch.totals[order - 1]
        return batch.translation_length, int(batch.reference_length)


__getattr__: Lookup = pass_on(__name__, "ignite", "metrics", "", "metrics.nlp", "metrics.nlp.bleu")
