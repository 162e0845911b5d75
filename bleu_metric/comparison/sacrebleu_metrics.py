"""Count the segments of sacrebleu's chrF and TER, so that they are resampled and tested like BLEU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._corpus import Corpus
from .._display import Metric
from .._lazy import missing_package, np
from .._statistics import MetricStatistics
from .._validation import Array, Floats, check_count, check_type, has_length, short_repr, unknown_message

# Metric -> option of sacrebleu's class -> least integer, or None for a Boolean option
METRIC_OPTIONS: dict[str, dict[str, int | None]] = {
    "bleu": {},
    "chrf": {
        "word_order": 0,
        "char_order": 1,
        "beta": 1,
        "lowercase": None,
        "whitespace": None,
        "eps_smoothing": None,
    },
    "ter": {"case_sensitive": None, "asian_support": None, "no_punct": None, "normalized": None},
}


def sacrebleu_statistics(
    metric: str, corpus: Corpus, names: Sequence[str], options: Mapping[str, Any]
) -> dict[str, MetricStatistics]:
    """Return a dict from names to the statistics of a metric that sacrebleu computes.

    This module calls private methods of sacrebleu, because only these return the counts of each segment.

    Args:
        metric: "chrf" or "ter".
        corpus: the texts of all systems.
        names: the names of the systems.
        options: arguments of sacrebleu's class, such as ``{"word_order": 2}``.

    Raises:
        ImportError: sacrebleu is not installed.
        TypeError: the texts are tokens or token ids.
    """
    try:
        from sacrebleu.metrics import CHRF, TER
    except ImportError as error:
        raise missing_package(f"the metric {metric}", "sacrebleu", "bleu_metric[sacrebleu]", error) from error

    if corpus.kind != "text":
        raise TypeError(f"{metric} is computed from texts, but the predictions are {corpus.kind}: pass strings")
    checked = corpus.checked()
    references = checked.references
    # One list per reference, as sacrebleu expects them; None if a segment has fewer references
    most = max(map(len, references))
    lists = [[row[number] if number < len(row) else None for row in references] for number in range(most)]

    scorer = {"chrf": CHRF, "ter": TER}[metric](**options, references=lists)
    outputs = checked.systems

    # Equal outputs of a segment are counted only once, which saves a fifth of the time
    unique = list(dict.fromkeys(pair for texts_of_system in outputs for pair in enumerate(texts_of_system)))
    scorer._ref_cache = [scorer._ref_cache[segment] for segment, _ in unique]
    rows = scorer._extract_corpus_statistics([text for _, text in unique], None)
    row_of = dict(zip(unique, rows, strict=True))

    statistics = {}
    for name, texts_of_system in zip(names, outputs, strict=True):
        table = np.array([row_of[pair] for pair in enumerate(texts_of_system)])
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
    """Return the metric with the name that is shown, such as "chrF2++"."""
    name = scorer._compute_score_from_stats(table[0].tolist()).name
    return Metric(name, lower_is_better=name == "TER")


def _signature(scorer: Any) -> str:
    return str(scorer.get_signature().format())


def check_metric_names(metrics: Mapping[str, Any] | Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Return a dict from the names of metrics to their options.

    Raise ``ValueError`` for an unknown metric or option, or for a number that is too small.
    """
    if not has_length(metrics):
        raise TypeError(f"metrics must be a list of names or a dict of options by name, got {short_repr(metrics)}")
    names = [metrics] if isinstance(metrics, str) else metrics
    for name in names:
        if name not in METRIC_OPTIONS:
            raise ValueError(unknown_message("metric", name, METRIC_OPTIONS))
    by_name = dict(metrics) if isinstance(metrics, Mapping) else {name: {} for name in names}
    for name, options in by_name.items():
        check_type(f"metrics[{name!r}]", options, Mapping, "a dict of options")
        for option, value in options.items():
            if name == "bleu":
                raise ValueError(f"pass the options of BLEU as arguments, e.g. {option}={value!r}, not in metrics")
            if option not in METRIC_OPTIONS[name]:
                raise ValueError(unknown_message(f"option of {name}", option, METRIC_OPTIONS[name]))
            least = METRIC_OPTIONS[name][option]
            if least is not None:
                check_count(f"{name} {option}", value, least)
    return by_name
