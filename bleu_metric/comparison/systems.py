"""Score several systems against the same references, which are read and tokenized only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack, overload

from .._advice import TEXT_CHECKS, advise
from .._config import DEFAULT, BleuConfig, BleuOptions, Dialect, config_of, fit_to_kind
from .._corpus import Corpus, as_corpus, naming_system
from .._counting import count_corpus
from .._score import BleuScore, Scores
from .._statistics import BleuStatistics, score
from .._validation import Progress, check_count, check_type
from .sacrebleu_metrics import check_metric_names, processes, sacrebleu_statistics

Metrics = Sequence[str] | Mapping[str, Mapping[str, Any]]


@overload
def system_statistics(
    systems: Mapping[str, Any],
    references: Any,
    dialect: Dialect = DEFAULT,
    *,
    metrics: None = None,
    **options: Unpack[BleuOptions],
) -> dict[str, BleuStatistics]: ...


@overload
def system_statistics(
    systems: Mapping[str, Any],
    references: Any,
    dialect: Dialect = DEFAULT,
    *,
    metrics: Metrics,
    jobs: int = 1,
    **options: Unpack[BleuOptions],
) -> dict[str, dict[str, Any]]: ...


def system_statistics(
    systems: Mapping[str, Any],
    references: Any,
    dialect: Dialect = DEFAULT,
    *,
    metrics: Metrics | None = None,
    jobs: int = 1,
    **options: Unpack[BleuOptions],
) -> dict[str, Any]:
    """Count the n-grams of several systems, for `paired_bootstrap` and `paired_approximate_randomization`.

    Args:
        systems: a dict from names to predictions. The predictions are as for `corpus_bleu`.
        references: as for `corpus_bleu`; every system has one prediction per segment.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        metrics: names of metrics: "bleu", "chrf" and "ter"; or a dict from these names to the arguments of sacrebleu's
            classes, such as ``{"bleu": {}, "chrf": {"word_order": 2}}``. Chinese and Japanese get TER's options
            ``asian_support`` and ``normalized``, because TER counts words between spaces.
        jobs: the number of processes that count chrF and TER. If it is above 1, the processes import the main module of
            your program, so a script needs ``if __name__ == "__main__":``.
        **options: override the dialect's settings of BLEU.

    Returns:
        A dict from names to counts with one row per segment. The counts equal those of `corpus_statistics`. With
            `metrics`, one such dict for each metric, {"BLEU": {…}, "chrF2": {…}}, for `compare_metrics`.

    Raises:
        TypeError, ValueError: for the same reasons as `corpus_bleu`. Errors about predictions name the system.
        ValueError: there is no system, a metric is unknown, or TER would count sentences as words.
        ImportError: `metrics` has "chrf" or "ter", and sacrebleu is not installed.

    >>> counted = system_statistics({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1)
    >>> {name: statistics.table.tolist() for name, statistics in counted.items()}
    {'A': [[2, 2, 2, 2]], 'B': [[1, 2, 2, 2]]}
    """
    corpora = corpora_of_systems(systems, references)
    if metrics is None:
        statistics, config = count_systems(corpora, dialect, options)
        advise(corpora, [config], checks=TEXT_CHECKS)
        return statistics
    return count_metrics(corpora, check_metric_names(metrics), dialect, options, jobs)


def count_metrics(
    corpora: Mapping[str, Corpus],
    metrics: Mapping[str, Mapping[str, Any]],
    dialect: Dialect,
    options: BleuOptions,
    jobs: int = 1,
    progress: Progress | None = None,
) -> dict[str, dict[str, Any]]:
    """Return {metric: {system: statistics}}. The names of metrics are as shown, such as "chrF2++"."""
    tokenizer = config_of(dialect, options).tokenizer
    by_metric: dict[str, dict[str, Any]] = {}
    with processes(check_count("jobs", jobs, 1)) as run:
        for metric, metric_options in metrics.items():
            if metric == "bleu":
                by_metric["BLEU"], config = count_systems(corpora, dialect, options)
                advise(corpora, [config], checks=TEXT_CHECKS)
                continue
            corpus = join_systems(corpora)
            counted = sacrebleu_statistics(metric, corpus, list(corpora), metric_options, tokenizer, run, progress)
            shown_as = next(iter(counted.values())).metric
            by_metric[shown_as.name] = dict(counted)
    return by_metric


class SystemScores(Scores[BleuScore]):
    """A dict from the names of systems to their scores. ``print`` shows a table, in percent."""

    _rows_compete = True


def score_systems(
    systems: Mapping[str, Any], references: Any, dialect: Dialect = DEFAULT, **options: Unpack[BleuOptions]
) -> SystemScores:
    """Score several systems against the same references.

    Args:
        systems: a dict from names to predictions. The predictions are as for `corpus_bleu`.
        references: as for `corpus_bleu`; every system has one prediction per segment.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        **options: override the dialect's settings.

    Returns:
        A dict from names to scores, which prints as a table. The scores equal those of `corpus_bleu`.

    Raises:
        TypeError, ValueError: for the same reasons as `system_statistics`.

    >>> scores = score_systems({"A": ["a b"], "B": ["a c"]}, ["a b"], max_order=1)
    >>> {name: score.bleu for name, score in scores.items()}
    {'A': 1.0, 'B': 0.5}
    >>> print(scores.to_markdown())
    | system |      BLEU |
    |--------|----------:|
    | A      | **100.0** |
    | B      |      50.0 |
    """
    corpora = corpora_of_systems(systems, references)
    totals, config = count_systems(corpora, dialect, options, keep_rows=False)
    scores = SystemScores({name: score(total) for name, total in totals.items()})
    advise(corpora, [config], scores)
    return scores


def count_systems(
    corpora: Mapping[str, Corpus], dialect: Dialect, options: BleuOptions, keep_rows: bool = True
) -> tuple[dict[str, BleuStatistics], BleuConfig]:
    """Count the n-grams of all systems. Return a dict from names to counts, and the common configuration."""
    corpus = join_systems(corpora)
    config = fit_to_kind(config_of(dialect, options), corpus.kind)
    counts = count_corpus(corpus, [config], keep_rows)
    return dict(zip(corpora, counts, strict=True)), config


def corpora_of_systems(systems: Mapping[str, Any], references: Any) -> dict[str, Corpus]:
    """Return a dict from names to corpora. Errors contain the name of the system, unless it is empty."""
    check_type("systems", systems, Mapping, "a dict of name -> predictions")
    if not systems:
        raise ValueError("there is no system to score; give at least one, e.g. {'A': predictions}")

    corpora: dict[str, Corpus] = {}
    findings: set[str] = set()  # one for all systems, because they are counted together
    for name, predictions in systems.items():
        with naming_system(name or None):
            corpora[name] = as_corpus(predictions, references)._replace(findings=findings)
    return corpora


def join_systems(corpora: Mapping[str, Corpus]) -> Corpus:
    """Join the corpora of several systems into one corpus, so that their common references are read only once.

    Raise ``TypeError`` if one system has strings and another has tokens or token ids. Empty lists fit any kind.
    """
    with_kind = {name: corpus for name, corpus in corpora.items() if corpus.shows_kind}
    to_compare = with_kind or corpora  # all corpora, if all of them have only empty lists
    first_name, first = next(iter(to_compare.items()))
    for name, corpus in to_compare.items():
        if (corpus.kind, corpus.nested) != (first.kind, first.nested):
            raise TypeError(
                f"the predictions of system {first_name!r} are {first.kind}, those of system {name!r} are "
                f"{corpus.kind}: all systems must be of the same kind (text, tokens or token ids)"
            )

    systems = tuple(corpus.predictions for corpus in corpora.values())
    names = tuple(name or None for name in corpora)  # errors do not mention an empty name
    return first._replace(systems=systems, names=names)
