"""A whole data set in one call: in memory, memory-mapped or streamed, by Arrow batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, overload

from .._arrow import check_column_names, find_column, find_references
from .._bleu import fit_config
from .._config import BleuConfig, BleuOptions
from .._corpus import as_corpus, check_same_kind
from .._counting import count_corpus
from .._dialects import config_of
from .._score import BleuScore, score
from .._statistics import BleuStatistics
from .._validation import as_int, short_repr
from .._zero_score import warn_of_zero

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SECONDS_UNTIL_PROGRESS = 2
_MOST_ROWS = 2**31  # of a batch: Arrow counts them in 64 bits, and there is no such batch


class AnyDataset(Protocol):
    """What is needed of a `Dataset` or `IterableDataset`."""

    def with_format(self, type: str | None = ...) -> Any:
        """Choose what rows are given as."""

    def iter(self, batch_size: int) -> Any:
        """Give the rows in batches."""


@overload
def evaluate_dataset(
    dataset: Mapping[str, Any],
    predictions: str = ...,
    references: str | Sequence[str] = ...,
    dialect: str = ...,
    batch_size: int = ...,
    **options: Unpack[BleuOptions],
) -> dict[str, BleuScore]: ...


@overload
def evaluate_dataset(
    dataset: AnyDataset,
    predictions: str = ...,
    references: str | Sequence[str] = ...,
    dialect: str = ...,
    batch_size: int = ...,
    **options: Unpack[BleuOptions],
) -> BleuScore: ...


def evaluate_dataset(
    dataset: Any,
    predictions: str = "predictions",
    references: str | Sequence[str] = "references",
    dialect: str = "default",
    batch_size: int = 20_000,
    **options: Unpack[BleuOptions],
) -> BleuScore | dict[str, BleuScore]:
    """Score columns of a `datasets` data set, without turning them into Python objects.

    Args:
        dataset: a `Dataset`, an `IterableDataset` (streamed, in bounded memory), or a dict of them by split.
        predictions: a column of strings, tokens or token ids; ``"translation.en"`` is a field of a column.
        references: a column of the same kind or of lists of it; or the names of several columns, one reference each.
        dialect: name in `DIALECTS`.
        batch_size: rows read at once.
        **options: override the dialect's choices.

    Returns:
        The score, or one per split. A progress bar shows on long work; `datasets.disable_progress_bars` hides it.

    Raises:
        ValueError: no such column, or no rows. TypeError: no data set. Else the errors of `corpus_bleu`, whose row
            numbers are counted from the start of the data set.

    >>> from datasets import Dataset
    >>> evaluate_dataset(Dataset.from_dict({"mt": ["a b c d"], "en": ["a b c d"]}), "mt", "en").bleu
    1.0
    """
    config = config_of(dialect, options)
    columns = (predictions, references)
    if isinstance(dataset, Mapping):
        if not dataset:
            raise ValueError("the dict of data sets is empty; there is nothing to score")
        scores = {}
        for split, rows in dataset.items():
            scores[split] = score(_count_dataset(rows, columns, config, batch_size))
            warn_of_zero(scores[split], config, split)
        return scores
    result = score(_count_dataset(dataset, columns, config, batch_size))
    warn_of_zero(result, config)
    return result


def _count_dataset(
    dataset: Any, columns: tuple[str, str | Sequence[str]], config: BleuConfig, batch_size: int
) -> BleuStatistics:
    """Count one data set; `columns`: of the predictions, and of the references."""
    if not hasattr(dataset, "with_format") or not hasattr(dataset, "iter"):
        raise TypeError(
            f"dataset must be a Dataset, an IterableDataset or a dict of them, got {type(dataset).__name__}"
        )
    predictions, references = columns
    check_column_names(references, predictions)
    if (as_int(batch_size) or 0) < 1:
        raise ValueError(f"batch_size must be a whole number >= 1, got {short_repr(batch_size)}")
    if (getattr(dataset, "format", None) or {}).get("type") == "custom":
        raise ValueError("the data set has a transform, which makes Python objects: use dataset.map instead of it")
    from datasets.utils import tqdm

    rows = len(dataset) if hasattr(dataset, "__len__") else None
    counted: BleuStatistics | None = None
    kind: str | None = None
    first = 0
    with tqdm(total=rows, unit=" rows", desc="BLEU", delay=_SECONDS_UNTIL_PROGRESS) as progress:
        for table in dataset.with_format("arrow").iter(min(batch_size, _MOST_ROWS)):
            batch = as_corpus(find_column(table, predictions), find_references(table, references), first)
            kind = check_same_kind(batch, kind)
            (statistics,) = count_corpus(batch, [fit_config(config, batch)], keep_rows=False)
            counted = statistics if counted is None else counted + statistics
            first += len(table)
            progress.update(len(table))
    if counted is None:
        raise ValueError("the data set has no rows to score")
    return counted
