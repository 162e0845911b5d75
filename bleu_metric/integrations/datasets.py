"""Score a whole dataset in one call, in Arrow batches from memory, from disk or from a stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Unpack

from .._advice import TEXT_CHECKS, advise, warn_of_zero
from .._bootstrap import GroupScore, GroupScores
from .._config import DEFAULT, BleuOptions, Dialect, config_of, fit_to_kind
from .._corpus import Kind, Label, check_same_kind
from .._counting import count_corpus
from .._lazy import pa
from .._statistics import BleuStatistics, merge_statistics, orders_of, score, score_orders
from .._validation import check_count, check_methods
from ..scale.columns import check_column_names, find_column
from ..scale.partial import Job, add_by_label, with_all_references

_SECONDS_UNTIL_PROGRESS = 2


def evaluate_dataset(
    dataset: Any,
    predictions: str = "predictions",
    references: str | Sequence[str] = "references",
    dialect: Dialect = DEFAULT,
    batch_size: int = 20_000,
    *,
    groups: str | None = None,
    all_orders: bool = False,
    **options: Unpack[BleuOptions],
) -> Any:
    """Compute the BLEU of a dataset of the library `datasets`, reading one batch at a time.

    Error messages number rows from the start of the dataset or, for labels, from the start of the batch.

    Args:
        dataset: a `Dataset`, an `IterableDataset` (streamed, in bounded memory), or a dict of split -> dataset.
        predictions: name of a column of strings, tokens or token ids. ``"translation.en"`` is the field ``en`` of the
            column ``translation``.
        references: name of a column with one reference or a list of references per row, or a list of names of columns
            with one reference each.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        batch_size: number of rows to read at once.
        groups: name of a column with each segment's label, a string or an integer, e.g. its document or domain.
        all_orders: whether to compute also BLEU-1 to BLEU-4, the scores with ``max_order`` from 1 to 4.
        **options: `target_language`, and fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        The score, or a dict of split -> score if `dataset` is a dict. With `groups`, each score is a dict of label ->
        `GroupScore`. With `all_orders`, each score is a dict of its fields and ``bleu_1``, ``bleu_2`` ….
        A progress bar appears after two seconds, unless `datasets.disable_progress_bars` was called.

    Raises:
        ValueError: a column is missing, the dataset has no rows, it has a transform, or as for `corpus_bleu`.
        TypeError: `dataset` is not a dataset, or as for `corpus_bleu`.

    >>> from datasets import Dataset
    >>> evaluate_dataset(Dataset.from_dict({"mt": ["a b c d"], "en": ["a b c d"]}), "mt", "en").bleu
    1.0
    """
    job = Job(predictions, references, groups, config_of(dialect, options))
    batch_size = check_count("batch_size", batch_size, 1)
    splits = dataset if isinstance(dataset, Mapping) else {"": dataset}
    if not splits:
        raise ValueError("the dict of datasets is empty; there is nothing to score")

    if all_orders:
        orders_of(job.config)

    scores = {split: _score_dataset(rows, job, batch_size, split, all_orders) for split, rows in splits.items()}
    return scores if isinstance(dataset, Mapping) else scores[""]


def _score_dataset(dataset: Any, job: Job, batch_size: int, split: Any, all_orders: bool) -> Any:
    """Return the score of one dataset. With `job.groups`, return a dict of label -> score."""
    check_methods("dataset", dataset, ["with_format", "iter"], "a Dataset, an IterableDataset or a dict of them")
    check_column_names(job.predictions, job.references, job.groups)
    row_format = getattr(dataset, "format", None) or {}  # an IterableDataset has none
    if row_format.get("type") == "custom":
        raise ValueError("the dataset has a transform; pass dataset.with_format(None).map(transform, batched=True)")
    batches = _count_batches(dataset, job, batch_size)
    if job.groups is not None:
        return _score_groups(batches, job.groups, all_orders)
    total = merge_statistics([statistics for _table, statistics in batches])
    result = score(total)
    warn_of_zero(result, job.config, split)
    return {**result, **score_orders(total)} if all_orders else result


def _score_groups(batches: Iterable[tuple[pa.Table, BleuStatistics]], column: str, all_orders: bool) -> Any:
    """Return the score of each group, in the order in which the labels first occur."""
    totals: dict[Label, BleuStatistics] = {}
    n_segments: Counter[Label] = Counter()
    for table, statistics in batches:
        labels = find_column(table, column)
        add_by_label(totals, statistics.group_by(labels))
        n_segments.update(labels.to_pylist())

    scores = GroupScores()
    for label, total in with_all_references(totals).items():
        scores[label] = GroupScore(**score(total), segments=n_segments[label])
    if all_orders:
        return {label: scores[label].to_dict() | score_orders(total) for label, total in totals.items()}
    return scores


def _count_batches(dataset: Any, job: Job, batch_size: int) -> Iterator[tuple[pa.Table, BleuStatistics]]:
    """Yield each batch with its counts: the sums or, with `job.groups`, one row per segment."""
    keep_rows = job.groups is not None
    # All batches must be of one kind: text, tokens or token ids
    kind: Kind | None = None
    n_rows_before = 0
    for table in _read_batches(dataset, job, batch_size):
        corpus = job.corpus(table, n_rows_before)
        kind = check_same_kind(corpus, kind)

        config = fit_to_kind(job.config, corpus.kind)
        [statistics] = count_corpus(corpus, [config], keep_rows)
        # Warn only about the first batch
        if n_rows_before == 0:
            advise({"": corpus}, [config], checks=TEXT_CHECKS)
        yield table, statistics
        n_rows_before += len(table)

    if n_rows_before == 0:
        raise ValueError("the dataset has no rows to score")


def _read_batches(dataset: Any, job: Job, batch_size: int) -> Iterator[pa.Table]:
    """Yield the batches as Arrow tables, and show a progress bar."""
    from datasets.utils import tqdm

    n_rows = len(dataset) if hasattr(dataset, "__len__") else None  # a stream has no length
    tables = dataset.with_format("arrow").iter(batch_size)
    if n_rows is None:  # `datasets` would take the types of all columns from single rows, and fail at a missing value
        tables = (_table_of(batch, job.paths()) for batch in dataset.with_format(None).iter(batch_size))

    with tqdm(total=n_rows, unit=" rows", desc="BLEU", delay=_SECONDS_UNTIL_PROGRESS) as progress:
        for table in tables:
            yield table
            progress.update(len(table))


def _table_of(batch: dict[str, list[Any]], paths: Iterable[str]) -> pa.Table:
    """Return the columns that the paths need, or all columns if one is missing, because the error names them."""
    names = [path if path in batch else path.partition(".")[0] for path in paths]
    has_all = all(name in batch for name in names)
    return pa.table({name: batch[name] for name in names} if has_all else batch)
