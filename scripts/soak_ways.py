"""The ways in of the soak: one case through any of the functions that score, answers labelled by what they are of."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pyarrow as pa
from peers import Answer, of_score
from soak_cases import Case

import bleu_metric
from bleu_metric import DIALECTS, BleuStatistics, _bleu
from bleu_metric.scale.partial import check_job, count_table, to_totals

Labelled = list[tuple[str, Answer]]  # "": the corpus; "segment 3"; "group news"


@functools.cache
def _cache() -> Path:
    """Keep what evaluate stages in a folder of its own, which goes when the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="soak-")
    _cache.folder = folder  # type: ignore[attr-defined]
    return Path(folder.name)


@functools.cache
def _metric(dialect: str) -> Any:
    return evaluate.load(str(Path(bleu_metric.__file__).parent), dialect, cache_dir=str(_cache()))


def _of_dict(result: dict[str, Any]) -> Answer:
    return Answer(*(result[name] for name in Answer._fields))


def _all(case: Case) -> tuple[Any, Any]:
    return case.part(range(len(case.predictions)))


def _statistics(case: Case) -> list[BleuStatistics]:
    return [bleu_metric.corpus_statistics(*case.part(rows), case.dialect, **case.options) for rows in case.pieces()]


def _merged(case: Case) -> Labelled:
    parts = _statistics(case)
    if not case.config.depends_on_segment_order:
        parts = [parts[place] for place in case.order]
    nothing = parts[0][:0].total()
    return [("", of_score(bleu_metric.score(sum([nothing, *parts, nothing]))))]


def _saved(case: Case) -> Labelled:
    file = _cache() / "statistics.parquet"
    sum(_statistics(case)).save(file)  # type: ignore[union-attr]
    return [("", of_score(bleu_metric.score(BleuStatistics.load(file))))]


def _sentences(case: Case) -> Labelled:
    scores = bleu_metric.sentence_bleu(*_all(case), case.dialect, **case.options).tolist()
    return [(f"segment {row}", Answer(one)) for row, one in enumerate(scores)]


def _in_pieces(case: Case) -> Labelled:
    metric = _metric(case.dialect)
    for rows in case.pieces():
        predictions, references = case.part(rows)
        metric.add_batch(predictions=predictions, references=references)
    return [("", _of_dict(metric.compute(**case.options)))]


def _whole(case: Case) -> Labelled:
    predictions, references = _all(case)
    found = _metric(case.dialect).compute(
        predictions=predictions, references=references, sentence_scores=True, groups=case.groups, **case.options
    )
    sentences = [(f"segment {row}", Answer(one)) for row, one in enumerate(found["sentence_bleu"])]
    groups = [(f"group {label}", _of_dict(one)) for label, one in found["groups"].items()]
    return [("", _of_dict(found)), *sentences, *groups]


def _groups(case: Case) -> Labelled:
    found = bleu_metric.corpus_bleu(*_all(case), case.dialect, groups=case.groups, **case.options)
    return [(f"group {label}", of_score(one)) for label, one in found.items()]


def _saved_groups(case: Case) -> Labelled:
    totals = bleu_metric.corpus_statistics(*_all(case), case.dialect, **case.options).by(case.groups)
    if case.config.average != "sentence":  # a mean of sentence scores has no total
        bleu_metric.save_groups(totals, _cache() / "groups.parquet")
        totals = bleu_metric.load_groups(_cache() / "groups.parquet")
    return [(f"group {label}", of_score(bleu_metric.score(one))) for label, one in totals.items()]


def _dataset(case: Case, stream: bool) -> Labelled:
    data: Any = datasets.Dataset(_table(case))
    data = data.to_iterable_dataset(num_shards=min(2, len(data))) if stream else data
    batch = 1 + case.cuts[0] if case.cuts else 20_000
    found = bleu_metric.evaluate_dataset(data, "p", "r", case.dialect, batch, **case.options)
    return [("", of_score(found))]  # type: ignore[arg-type]


def _table(case: Case) -> pa.Table:
    predictions, references = replace(case, containers=("arrow", "arrow")).part(range(len(case.predictions)))
    return pa.table({"p": predictions, "r": references, "g": pa.array(case.groups)})


def _dialects(case: Case) -> Labelled:
    names = dict.fromkeys(["default", "nltk", case.dialect, "multi-bleu"])
    scores = bleu_metric.score_dialects(*_all(case), (name for name in names), **case.options)
    return [("", of_score(scores[case.dialect]))]


def _systems(case: Case) -> Labelled:
    predictions, references = _all(case)
    systems = {"other": case.part(range(len(case.predictions))[::-1])[0], "own": predictions}
    return [("", of_score(bleu_metric.score_systems(systems, references, case.dialect, **case.options)["own"]))]


def _partial(case: Case) -> Labelled:
    """Count as a worker of Spark or Ray does, piece by piece."""
    job = check_job("p", "r", "g", DIALECTS[case.dialect].with_options(case.options))
    table = _table(case)
    parts = [count_table(job, table.slice(rows.start, len(rows))) for rows in case.pieces()]
    totals = to_totals(job, pa.concat_tables([parts[place] for place in case.order]))
    return [(f"group {label}", of_score(bleu_metric.score(one))) for label, one in totals.items()]


_WAYS: dict[str, Callable[[Case], Labelled]] = {
    "corpus_bleu": lambda case: [("", of_score(bleu_metric.corpus_bleu(*_all(case), case.dialect, **case.options)))],
    "sentence_bleu": _sentences,
    "score_dialects": _dialects,
    "score_systems": _systems,
    "groups": _groups,
    "metric": _whole,
    "metric in pieces": _in_pieces,
    "statistics merged": _merged,
    "statistics saved": _saved,
    "groups saved": _saved_groups,
    "data set": functools.partial(_dataset, stream=False),
    "data set streamed": functools.partial(_dataset, stream=True),
    "partial sums": _partial,
}


@contextmanager
def _machine(case: Case) -> Iterator[None]:
    before = os.environ.get("BLEU_METRIC_THREADS"), _bleu._ROWS, _bleu._BYTES
    os.environ["BLEU_METRIC_THREADS"] = str(case.threads)
    _bleu._ROWS, _bleu._BYTES = case.rows, case.bytes
    try:
        yield
    finally:
        os.environ.pop("BLEU_METRIC_THREADS")
        if before[0] is not None:
            os.environ["BLEU_METRIC_THREADS"] = before[0]
        _bleu._ROWS, _bleu._BYTES = before[1:]


def ours(case: Case) -> Labelled:
    """Score the case the way it says."""
    with _machine(case):
        try:
            return _WAYS[case.way](case)
        except BaseException:
            _metric.cache_clear()  # or the next case would be added to what is staged
            raise
