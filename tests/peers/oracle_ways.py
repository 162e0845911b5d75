"""Every way into the package: one case through any function that scores.

A way returns what it found by label: "" is the corpus, "segment 3" a sentence score, "group 'news'" a group, "row 3" a
row of statistics.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pyarrow as pa
import pytest
from inner_doors import by_arrays_alone, limit_batches
from oracle_cases import Case

import bleu_metric
from bleu_metric import BleuConfig, BleuStatistics

Found = dict[str, Any]


@functools.cache
def folder() -> Path:
    """Keep all files in a folder that goes when the process ends."""
    made = tempfile.TemporaryDirectory(prefix="oracle-")
    folder.keep = made  # type: ignore[attr-defined]
    return Path(made.name)


@functools.cache
def loaded_metric(dialect: str) -> Any:
    """Load the metric as users of evaluate do."""
    return evaluate.load(bleu_metric.PATH, dialect, cache_dir=str(folder()))


def by_group(scores: dict[Any, Any]) -> Found:
    return {f"group {label!r}": score for label, score in scores.items()}


def by_segment(scores: Any) -> Found:
    return {f"segment {row}": score for row, score in enumerate(scores)}


def config_of_function(case: Case) -> BleuConfig | None:
    """Give the configuration that a file of statistics cannot name: one with a function."""
    return case.config if callable(case.config.tokenizer) else None


def count(case: Case, rows: range) -> BleuStatistics:
    return bleu_metric.corpus_statistics(*case.part(rows), case.dialect, **case.options)


def count_all(case: Case) -> BleuStatistics:
    return count(case, range(len(case.predictions)))


# --- the ways ---------------------------------------------------------------------------------------------------


def corpus_score(case: Case) -> Found:
    return {"": bleu_metric.corpus_bleu(*case.whole(), case.dialect, **case.options)}


def sentence_scores(case: Case) -> Found:
    return by_segment(bleu_metric.sentence_bleu(*case.whole(), case.dialect, **case.options).tolist())


def statistics_rows(case: Case) -> Found:
    """Look at the rows that are summed. The last columns of some rows are not sums."""
    table = count_all(case).table
    columns = 2 * case.config.max_order + 2
    return {f"row {row}": counts[:columns] for row, counts in enumerate(table.tolist())}


def merged_statistics(case: Case) -> Found:
    """Merge pieces in any order, between totals of nothing."""
    pieces = [count(case, rows) for rows in case.pieces()]
    if case.config.smoothing not in ("method5", "method6", "method7", "method7-3.5"):
        pieces = [pieces[place] for place in case.order]
    nothing = pieces[0][:0].sum() if case.config.average == "corpus" else pieces[0][:0]
    merged = functools.reduce(lambda left, right: left + right, pieces, nothing)
    return {"": bleu_metric.score(merged + nothing)}


def saved_statistics(case: Case) -> Found:
    path = folder() / "statistics.parquet"
    count_all(case).save(path)
    return {"": bleu_metric.score(BleuStatistics.load(path, config_of_function(case)))}


def statistics_in_tables(case: Case) -> Found:
    """Put Arrow tables of pieces together, as a worker of a cluster would."""
    tables = [count(case, rows).to_table() for rows in case.pieces()]
    statistics = BleuStatistics.from_table(pa.concat_tables(tables), case.config)
    return {"": bleu_metric.score(statistics)}


def groups_of_statistics(case: Case) -> Found:
    return by_group(bleu_metric.score_groups(count_all(case), case.groups))


def saved_groups(case: Case) -> Found:
    totals = count_all(case).group_by(case.groups)
    if case.config.average == "corpus":  # a mean of sentence scores has no total
        path = folder() / "group.parquet"
        for label, total in totals.items():
            total.save(path)
            totals[label] = bleu_metric.BleuStatistics.load(path, config_of_function(case))
    return by_group({label: bleu_metric.score(total) for label, total in totals.items()})


def dialects_at_once(case: Case) -> Found:
    names = dict.fromkeys(["sacrebleu", "nltk", case.dialect, "multi-bleu"])
    options = case.options
    if "smoothing_value" in options:  # the smoothings of the other dialects may not take one
        options = {"smoothing": bleu_metric.DIALECTS[case.dialect].smoothing, **options}
    scores = bleu_metric.score_dialects(*case.whole(), list(names), **options)
    return {"": scores[case.dialect]}


def two_systems(case: Case) -> tuple[dict[str, Any], Any]:
    predictions, references = case.whole()
    backwards = range(len(case.predictions))[::-1]
    return {"other": case.part(backwards)[0], "own": predictions}, references


def systems_at_once(case: Case) -> Found:
    scores = bleu_metric.score_systems(*two_systems(case), case.dialect, **case.options)
    return {"": scores["own"]}


def statistics_of_systems(case: Case) -> Found:
    statistics = bleu_metric.system_statistics(*two_systems(case), case.dialect, **case.options)
    return {"": bleu_metric.score(statistics["own"])}


def metric(case: Case) -> Found:
    """Ask evaluate's metric for everything in one call."""
    predictions, references = case.whole()
    result = loaded_metric(case.dialect).compute(
        predictions=predictions, references=references, sentence_scores=True, groups=case.groups, **case.options
    )
    return {"": result, **by_segment(result["sentence_bleu"]), **by_group(result["groups"])}


def metric_in_pieces(case: Case) -> Found:
    loaded = loaded_metric(case.dialect)
    for rows in case.pieces():
        predictions, references = case.part(rows)
        loaded.add_batch(predictions=predictions, references=references)
    return {"": loaded.compute(**case.options)}


def metric_row_by_row(case: Case) -> Found:
    """Add single rows: Python's own objects, as a loop has them."""
    loaded = loaded_metric(case.dialect)
    for prediction, references in zip(case.predictions, case.references, strict=True):
        loaded.add(prediction=prediction, reference=references[0] if case.is_flat else references)
    return {"": loaded.compute(**case.options)}


def data_set(case: Case, is_streamed: bool = False) -> Found:
    predictions, references = replace(case, containers=("arrow", "arrow")).whole()
    data: Any = datasets.Dataset(pa.table({"mt": predictions, "human": references}))
    if is_streamed:
        data = data.to_iterable_dataset(num_shards=min(2, len(data)))
    batch_size = 1 + case.cuts[0] if case.cuts else 20_000
    return {"": bleu_metric.evaluate_dataset(data, "mt", "human", case.dialect, batch_size, **case.options)}


WAYS: dict[str, Callable[[Case], Found]] = {
    "corpus_bleu": corpus_score,
    "sentence_bleu": sentence_scores,
    "corpus_statistics": statistics_rows,
    "statistics merged": merged_statistics,
    "statistics saved": saved_statistics,
    "statistics in tables": statistics_in_tables,
    "score_groups": groups_of_statistics,
    "groups saved": saved_groups,
    "score_dialects": dialects_at_once,
    "score_systems": systems_at_once,
    "system_statistics": statistics_of_systems,
    "metric": metric,
    "metric in pieces": metric_in_pieces,
    "metric row by row": metric_row_by_row,
    "dataset": data_set,
    "dataset streamed": functools.partial(data_set, is_streamed=True),
}


# --- what must not matter ---------------------------------------------------------------------------------------


@contextmanager
def machine(case: Case) -> Iterator[None]:
    """Use as many threads, as small batches, and the way of counting that the case says."""
    with pytest.MonkeyPatch.context() as patch, by_arrays_alone() if case.by_arrays else nullcontext():
        patch.setenv("BLEU_METRIC_THREADS", str(case.threads))
        limit_batches(patch, case.rows_at_once, case.bytes_at_once)
        yield


def ask(case: Case) -> Found:
    """Score the case the way it says."""
    with machine(case):
        try:
            return WAYS[case.way](case)
        except BaseException:
            loaded_metric.cache_clear()  # or what it has staged would be scored with the next case
            raise
