"""Count the segments of sacrebleu's chrF and TER, so that they are resampled and tested like BLEU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from .._bootstrap import MetricStatistics
from .._corpus import Corpus, offsets_of
from .._display import Metric
from .._lazy import np
from .._validation import Array, Floats, unknown_message

SACREBLEU_METRICS = ("chrf", "ter")


def sacrebleu_statistics(
    metric: str, corpus: Corpus, names: Sequence[str], options: Mapping[str, Any]
) -> dict[str, MetricStatistics]:
    """Return a dict from names to the statistics of a metric that sacrebleu computes.

    sacrebleu returns the counts of each segment only from private methods. No other function calls these.

    Args:
        metric: one of `SACREBLEU_METRICS`.
        corpus: the texts of all systems.
        names: the names of the systems.
        options: arguments of sacrebleu's class, such as ``{"word_order": 2}``.

    Raises:
        ImportError: sacrebleu is not installed.
        TypeError: the texts are tokens or token ids, or an option is unknown.
    """
    try:
        from sacrebleu.metrics import CHRF, TER
    except ImportError as error:
        raise ImportError(f'{metric} needs sacrebleu: pip install "bleu_metric[sacrebleu]"') from error

    if corpus.kind != "text":
        raise TypeError(f"{metric} is computed from texts, but the predictions are {corpus.kind}: pass strings")
    texts, per_segment = corpus.read()
    strings = list(texts.strings())
    bounds = offsets_of(per_segment).tolist()
    references = [strings[start:end] for start, end in pairwise(bounds)]
    # One list per reference, as sacrebleu expects them; None if a segment has fewer references
    most = max(map(len, references))
    lists = [[row[number] if number < len(row) else None for row in references] for number in range(most)]

    scorer = {"chrf": CHRF, "ter": TER}[metric](**options, references=lists)
    statistics = {}
    for number, name in enumerate(names):
        start = bounds[-1] + number * corpus.segments
        predictions = strings[start : start + corpus.segments]
        table = np.array(scorer._extract_corpus_statistics(predictions, None))
        statistics[name] = MetricStatistics(_shown(scorer, table), table, _score_sums(scorer), _signature(scorer))
    return statistics


def _score_sums(scorer: Any) -> Callable[[Array], Floats]:
    """Return a function from sums of counts, shape (…, columns), to scores on a scale of 0 to 1, shape (…,)."""

    def score_sums(sums: Array) -> Floats:
        rows = sums.reshape(-1, sums.shape[-1]).tolist()
        scores = [scorer._compute_score_from_stats(row).score for row in rows]
        return np.array(scores).reshape(sums.shape[:-1]) / 100

    return score_sums


def _shown(scorer: Any, table: Array) -> Metric:
    """Return how the scores of sacrebleu's metric are shown, with its name, such as "chrF2++"."""
    name = scorer._compute_score_from_stats(table[0].tolist()).name
    return Metric(name, lower_is_better=name == "TER")


def _signature(scorer: Any) -> str:
    """Return sacrebleu's signature of a metric."""
    return str(scorer.get_signature().format())


def check_metric_names(metrics: Mapping[str, Any] | Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Return a dict from the names of metrics to their options. Raise ``ValueError`` for an unknown name."""
    names = [metrics] if isinstance(metrics, str) else metrics
    for name in names:
        if name not in ("bleu", *SACREBLEU_METRICS):
            raise ValueError(unknown_message("metric", name, ("bleu", *SACREBLEU_METRICS)))
    return dict(metrics) if isinstance(metrics, Mapping) else {name: {} for name in names}
