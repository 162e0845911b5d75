"""Scores of a whole data set in one call. It is read in Arrow batches: in memory, memory-mapped or streamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, overload

import numpy as np
import pyarrow as pa

from .._columns import check_column_names, find_column, find_references
from .._config import BleuConfig, BleuOptions, fit_to_kind
from .._corpus import as_corpus, check_same_kind
from .._counting import count_corpus
from .._dialects import Dialect, config_of
from .._groups import GroupScore
from .._labels import Label, factorize_labels
from .._score import BleuScore
from .._statistics import BleuStatistics, merge_statistics, score
from .._validation import check_count, check_methods
from .._zero_score import warn_of_zero

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SECONDS_UNTIL_PROGRESS = 2


class AnyDataset(Protocol):
    """The methods of a `Dataset` or `IterableDataset` that are called."""

    def with_format(self, type: str | None = ...) -> Any:
        """Return the same rows in another format."""

    def iter(self, batch_size: int) -> Any:
        """Yield the rows in batches."""


@overload
def evaluate_dataset(
    dataset: Mapping[str, Any],
    predictions: str = ...,
    references: str | Sequence[str] = ...,
    dialect: Dialect = ...,
    batch_size: int = ...,
    *,
    groups: None = None,
    **options: Unpack[BleuOptions],
) -> dict[str, BleuScore]: ...


@overload
def evaluate_dataset(
    dataset: AnyDataset,
    predictions: str = ...,
    references: str | Sequence[str] = ...,
    dialect: Dialect = ...,
    batch_size: int = ...,
    *,
    groups: None = None,
    **options: Unpack[BleuOptions],
) -> BleuScore: ...


@overload
def evaluate_dataset(
    dataset: Mapping[str, Any] | AnyDataset,
    predictions: str = ...,
    references: str | Sequence[str] = ...,
    dialect: Dialect = ...,
    batch_size: int = ...,
    *,
    groups: str,
    **options: Unpack[BleuOptions],
) -> dict[Any, Any]: ...


def evaluate_dataset(
    dataset: Any,
    predictions: str = "predictions",
    references: str | Sequence[str] = "references",
    dialect: Dialect = "default",
    batch_size: int = 20_000,
    *,
    groups: str | None = None,
    **options: Unpack[BleuOptions],
) -> Any:
    """Score columns of a `datasets` data set, without turning them into Python objects.

    Args:
        dataset: a `Dataset`, an `IterableDataset` (streamed, in bounded memory), or a dict of them by split.
        predictions: a column of strings, tokens or token ids; ``"translation.en"`` is a field of a column.
        references: a column of the same kind or of lists of it; or the names of several columns, one reference each.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        batch_size: number of rows read at once.
        groups: a column of labels, strings or whole numbers: the document, domain, … of each segment.
        **options: override the dialect's settings.

    Returns:
        The score, or a dict from split to score. With `groups`, a dict from label to `GroupScore` in place of each
        score. A progress bar shows on long work; `datasets.disable_progress_bars` hides it.

    Raises:
        ValueError: no such column, or no rows. TypeError: no data set. Else the errors of `corpus_bleu`, whose row
            numbers are counted from the start of the data set; those of labels, from the start of a batch.

    >>> from datasets import Dataset
    >>> evaluate_dataset(Dataset.from_dict({"mt": ["a b c d"], "en": ["a b c d"]}), "mt", "en").bleu
    1.0
    """
    config = config_of(dialect, options)
    columns = Columns(predictions, references, groups)
    batch_size = check_count("batch_size", batch_size, 1)
    splits = dataset if isinstance(dataset, Mapping) else {"": dataset}
    if not splits:
        raise ValueError("the dict of data sets is empty; there is nothing to score")
    scores = {split: _score_dataset(rows, columns, config, batch_size) for split, rows in splits.items()}
    for split, result in scores.items():
        if isinstance(result, BleuScore):
            warn_of_zero(result, config, split)
    return scores if isinstance(dataset, Mapping) else scores[""]


class Columns(NamedTuple):
    """Names of columns."""

    predictions: str
    references: str | Sequence[str]
    groups: str | None


def _score_dataset(
    dataset: Any, columns: Columns, config: BleuConfig, batch_size: int
) -> BleuScore | dict[Label, GroupScore]:
    """Score one data set, or each of its groups."""
    counted: BleuStatistics | None = None
    by_label: dict[Label, BleuStatistics] = {}
    segments: Counter[Label] = Counter()
    for table, statistics in _count_batches(dataset, columns, config, batch_size):
        if columns.groups is None:
            counted = statistics if counted is None else counted + statistics
            continue
        labels, codes = factorize_labels(find_column(table, columns.groups), len(table))
        segments.update(dict(zip(labels, np.bincount(codes).tolist(), strict=True)))
        for label, part in zip(labels, statistics.by(codes).values(), strict=True):
            by_label[label] = by_label[label] + part if label in by_label else part
    if counted is not None:
        return score(counted)
    if not by_label:
        raise ValueError("the data set has no rows to score")
    nrefs = merge_statistics([*by_label.values()]).nrefs  # as in `score_groups`, that of all segments
    scores = {label: score(replace(part, nrefs=nrefs)).to_dict() for label, part in by_label.items()}
    return {label: GroupScore(**fields, segments=segments[label]) for label, fields in scores.items()}


def _count_batches(
    dataset: Any, columns: Columns, config: BleuConfig, batch_size: int
) -> Iterator[tuple[pa.Table, BleuStatistics]]:
    """Yield each batch of a data set with its counts. Without groups, the counts are a total."""
    expected = "a Dataset, an IterableDataset or a dict of them"
    check_methods("dataset", dataset, ["with_format", "iter"], expected)
    keeps_rows = columns.groups is not None
    check_column_names(columns.references, columns.predictions, *([columns.groups] if keeps_rows else []))
    if (getattr(dataset, "format", None) or {}).get("type") == "custom":
        raise ValueError("the data set has a transform, which makes Python objects: use dataset.map instead of it")
    from datasets.utils import tqdm

    rows = len(dataset) if hasattr(dataset, "__len__") else None
    kind: str | None = None
    first = 0
    with tqdm(total=rows, unit=" rows", desc="BLEU", delay=_SECONDS_UNTIL_PROGRESS) as progress:
        for table in dataset.with_format("arrow").iter(batch_size):
            predictions = find_column(table, columns.predictions)
            batch = as_corpus(predictions, find_references(table, columns.references), first)
            kind = check_same_kind(batch, kind)
            (statistics,) = count_corpus(batch, [fit_to_kind(config, batch.layout.kind)], keeps_rows)
            yield table, statistics
            first += len(table)
            progress.update(len(table))
