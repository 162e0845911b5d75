"""Count the segments of sacrebleu's chrF and TER, so that they are resampled and tested like BLEU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from .._advice import language_without_spaces
from .._corpus import Corpus
from .._display import Metric
from .._lazy import missing_package, np
from .._statistics import MetricStatistics
from .._validation import (
    Array,
    Floats,
    Progress,
    check_count,
    check_type,
    has_length,
    short_repr,
    typed,
    unknown_message,
)

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
_SEGMENTS_PER_PART = 100  # counted at once; TER of so many takes about a second
Run = Callable[[Callable[[Corpus], Any], Iterable[Corpus]], Iterable[Any]]


def sacrebleu_statistics(
    metric: str,
    corpus: Corpus,
    names: Sequence[str],
    options: Mapping[str, Any],
    tokenizer: Any,
    run: Run,
    progress: Progress | None = None,
) -> dict[str, MetricStatistics]:
    """Return a dict from names to the statistics of a metric that sacrebleu computes.

    Args:
        metric: "chrf" or "ter".
        corpus: the texts of all systems.
        names: the names of the systems.
        options: arguments of sacrebleu's class, such as ``{"word_order": 2}``.
        tokenizer: BLEU's, which `target_language` sets for Chinese and Japanese.
        run: `map`, or the answer of `processes`.
        progress: called with the number of counted segments, and the number of all segments.

    Raises:
        ImportError: sacrebleu is not installed.
        TypeError: the texts are tokens or token ids.
    """
    try:
        from sacrebleu.metrics import CHRF, TER
    except ImportError as error:
        raise missing_package(f"the metric {metric}", "sacrebleu", error) from error

    if corpus.kind != "text":
        raise TypeError(f"{metric} is computed from texts, but the predictions are {corpus.kind}: pass strings")
    checked = corpus.checked()._replace(unjoined=None)  # other processes need no segments of documents
    scorer = CHRF(**options) if metric == "chrf" else TER(**_options_for_language(options, checked, tokenizer))
    size = 1 if corpus.unjoined else _SEGMENTS_PER_PART  # TER of a long document takes seconds
    parts = [checked.part(first, first + size) for first in range(0, corpus.segments, size)]
    counted: list[Any] = []
    for counts in run(partial(_count_part, scorer), parts):
        counted.append(counts)
        if progress:
            progress(min(len(counted) * size, corpus.segments), corpus.segments)
    numbers = {number for _, number in counted}
    scorer.num_refs = numbers.pop() if len(numbers) == 1 else -1  # as sacrebleu does
    statistics = {}
    for index, name in enumerate(names):
        table = np.array([row for rows_of_systems, _ in counted for row in rows_of_systems[index]])
        shown_as = scorer._compute_score_from_stats(table[0].tolist()).name  # such as "chrF2++"
        settings = str(scorer.get_signature().format())
        settings += "|seg:document" * (corpus.unjoined is not None)  # as in the signatures of BLEU
        metric_of = Metric(shown_as, lower_is_better=shown_as == "TER")
        statistics[name] = MetricStatistics(metric_of, table, _score_sums(scorer), settings)
    return statistics


@contextmanager
def processes(jobs: int) -> Iterator[Run]:
    """Yield a function that does what `map` does, in `jobs` processes. Raise ``ChildProcessError`` if one is killed."""
    if jobs == 1:
        yield map
        return
    from concurrent.futures import ProcessPoolExecutor  # imported here, because few programs start processes
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context
    from signal import SIG_IGN, SIGINT, signal

    try:
        # Ctrl-C reaches all processes. This one raises KeyboardInterrupt, and the others end after their current part
        with ProcessPoolExecutor(jobs, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as workers:
            yield workers.map
    except BrokenProcessPool as error:
        reason = "a process was killed, perhaps because memory ran out"
        raise ChildProcessError(f"{reason}; pass {typed('jobs', 1)}") from error


def _count_part(scorer: Any, corpus: Corpus) -> tuple[list[list[Any]], int]:
    """Return the counts of some segments, one list per system, and their number of references, -1 if it varies.

    This function calls private methods of sacrebleu, because only these return the counts of each segment.
    """
    # One list per reference, as sacrebleu expects them; None if a segment has fewer references
    most = max(map(len, corpus.references))
    lists = [[row[number] if number < len(row) else None for row in corpus.references] for number in range(most)]
    references = scorer._cache_references(lists)

    # Equal outputs of a segment are counted only once, which saves a fifth of the time
    unique = list(dict.fromkeys(pair for texts_of_system in corpus.systems for pair in enumerate(texts_of_system)))
    scorer._ref_cache = [references[segment] for segment, _ in unique]
    rows = scorer._extract_corpus_statistics([text for _, text in unique], None)
    row_of = dict(zip(unique, rows, strict=True))
    counts = [[row_of[pair] for pair in enumerate(texts_of_system)] for texts_of_system in corpus.systems]
    return counts, scorer.num_refs


def _score_sums(scorer: Any) -> Callable[[Array], Floats]:
    """Return a function from sums of counts, shape (…, columns), to scores on a scale of 0 to 1, shape (…,)."""

    def score_sums(sums: Array) -> Floats:
        rows = sums.reshape(-1, sums.shape[-1]).tolist()
        scores = [scorer._compute_score_from_stats(row).score for row in rows]
        return np.array(scores).reshape(sums.shape[:-1]) / 100

    return score_sums


def _options_for_language(options: Mapping[str, Any], corpus: Corpus, tokenizer: Any) -> Mapping[str, Any]:
    """Return the options of TER, with those that split Chinese and Japanese into characters if the texts need them.

    `tokenizer`: as for `sacrebleu_statistics`. Raise ``ValueError`` if TER would count sentences as words, because the
    texts have no spaces between words.
    """
    language = language_without_spaces(corpus)
    if not language and tokenizer not in ("zh", "ja-mecab"):
        return options
    chosen = {"asian_support": True, "normalized": True, **options}
    can_split = language in ("zh", "ja")
    if language and not (can_split and chosen["asian_support"] and chosen["normalized"]):
        remedy = "pass asian_support=True and normalized=True" if can_split else "leave out ter"
        raise ValueError(f"ter counts words, but the references have no spaces between words: {remedy}")
    return chosen


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
