"""The counts of each segment as one table of integers: all that a score needs to know of a text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._checks import check_counts
from ._config import BleuConfig, differences
from ._labels import Label
from ._names import as_int, described, is_index
from ._sealed import (
    columns,
    columns_in,
    counted_by,
    describe,
    description,
    from_arrow,
    is_sealed,
    references_of,
    refuse_changed,
    to_arrow,
)
from ._storage import read, write
from ._sums import group_sums, in_groups, summed

Ints = NDArray[np.int64]
Rows = NDArray[np.integer[Any]] | NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BleuStatistics:
    """Integer counts per segment, or summed: ``table`` is int64 of shape (rows, columns).

    The columns are the clipped matches of orders 1 to N, the numbers of n-grams of orders 1 to N, the translation
    length, and the effective reference length in tokens (with ``reference_length="average"`` in 720720ths of one).
    ``a + b`` keeps the rows of both; where one side is a total, the result is a total. Either way the score is that
    of all segments together, whatever the order of merging (but for NLTK's methods 5 to 7, which look at the segment
    that comes last).

    >>> from bleu_metric import corpus_statistics
    >>> one, other = (corpus_statistics(["a b"], [reference], max_order=1) for reference in ("a b", "a c"))
    >>> (one + other).table.tolist(), (one + other.total()).table.tolist()
    ([[2, 2, 2, 2], [1, 2, 2, 2]], [[3, 4, 4, 4]])
    """

    table: Ints
    config: BleuConfig
    nrefs: tuple[int, int] = (1, 1)
    """Fewest and most references that a segment of the corpus has; (0, 0): not known."""
    is_total: bool = False
    """Whether the one row is the sum of segments."""

    def __post_init__(self) -> None:
        if not isinstance(self.config, BleuConfig):
            raise TypeError(f"config must be a BleuConfig, got {described(self.config)}")
        if not isinstance(self.table, np.ndarray) or self.table.dtype != np.int64:
            raise TypeError(f"table must be an array of int64, got {described(self.table)}")
        wide = len(columns(self.config))
        if self.table.ndim != 2 or self.table.shape[1] != wide:
            raise ValueError(f"table must have the shape (rows, {wide}), got {self.table.shape}")

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: slice | Rows) -> BleuStatistics:
        """Pick segments by a slice, a mask or an array of indices; ``IndexError`` for those that are not there."""
        if self.is_total:
            raise ValueError("these statistics are a total: their segments are gone")
        if not isinstance(rows, slice) and not is_index(rows):
            row = as_int(rows) or 0
            example = f"statistics[{described(row)}:{described(row + 1)}]"
            raise TypeError(f"pick segments with a slice or an array, e.g. {example}, got {described(rows)}")
        return replace(self, table=self.table[rows])

    def __add__(self, other: BleuStatistics) -> BleuStatistics:
        if not isinstance(other, BleuStatistics):
            return NotImplemented
        return merge([self, other])

    def __radd__(self, other: object) -> BleuStatistics:
        return self if other == 0 else NotImplemented  # sum() starts with 0

    def total(self) -> BleuStatistics:
        """Sum all rows into one, of shape (1, columns); ``ValueError`` for ``average="sentence"``, which needs rows.

        Without any row there is nothing to sum, and none is made up.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).total().table
        array([[2, 3, 3, 3]])
        """
        if self.is_total or not len(self):
            return self
        if self.config.average == "sentence":
            raise ValueError("average='sentence' is the mean of sentence scores: it needs a row per segment, no total")
        return replace(self, table=summed(self.table, self.config)[np.newaxis], is_total=True)

    def by(self, groups: Any) -> dict[Label, BleuStatistics]:
        """Sum the rows of each group of segments into a total; keep them where the score is a mean of sentence scores.

        Args:
            groups: one label per segment, strings or whole numbers, as a list, array or column.

        Returns:
            Label -> total, in order of first appearance; the number of references is that of the whole.

        Raises:
            TypeError, ValueError: as for `score_groups`.

        >>> from bleu_metric import corpus_statistics
        >>> totals = corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).by(["news", "chat"])
        >>> {label: total.table.tolist() for label, total in totals.items()}
        {'news': [[2, 2, 2, 2]], 'chat': [[0, 1, 1, 1]]}
        """
        labels, order, starts = in_groups(groups, len(self), self.is_total)
        if self.config.average == "sentence":
            rows = np.split(self.table.take(order, axis=0), starts[1:])
            return {label: replace(self, table=own) for label, own in zip(labels, rows, strict=True)}
        sums = np.split(group_sums(self.table, self.config, order, starts), len(labels)) if labels else []
        return {label: replace(self, table=own, is_total=True) for label, own in zip(labels, sums, strict=True)}

    def signature(self) -> str:
        """The configuration's signature, headed by the number of references (``var``: not the same for all).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a"], [["a", "b"]]).signature().split("|")[:2]
        ['nrefs:2', 'tok:13a']
        """
        fewest, most = self.nrefs
        number = (fewest or "unknown") if fewest == most else "var"
        return f"nrefs:{number}|{self.config.signature()}"

    def to_table(self) -> pa.Table:
        """Make an Arrow table of int64 columns; its metadata holds the signature and a seal on the rows.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b"], ["a b"], max_order=1).to_table().column_names
        ['matches_1', 'totals_1', 'translation_length', 'reference_length']
        """
        nrefs = "{}-{}".format(*self.nrefs)
        return describe(to_arrow(self.table, columns(self.config)), self.config, total=self.is_total, nrefs=nrefs)

    @classmethod
    def from_table(cls, table: pa.Table, config: BleuConfig | None = None) -> BleuStatistics:
        """Read what `to_table` made.

        Args:
            table: an Arrow table.
            config: how the rows were counted, where the metadata is lost, as in `Dataset.map`, or speaks of other rows,
                as in tables that were put together or cut; or where the tokenizer is a function.

        Returns:
            The statistics.

        Raises:
            TypeError: no Arrow table. ValueError: any other table, or one that was changed since.

        >>> from bleu_metric import corpus_statistics
        >>> BleuStatistics.from_table(corpus_statistics(["a b"], ["a b"], max_order=1).to_table()).table
        array([[2, 2, 2, 2]])
        """
        if not isinstance(table, pa.Table):
            raise TypeError(f"BLEU statistics are read from an Arrow table, got {type(table).__name__}")
        about = description(table)
        if "groups" in about:
            raise ValueError("these are the totals of groups: read them with load_groups")
        counted = counted_by(about, config)
        rows = from_arrow(table, columns_in(table, counted))
        is_total = about.get("total") == "True"
        check_counts(rows, counted, sums=is_total)
        if is_total and len(rows) != 1:
            raise ValueError(f"a total has one row, this table has {len(rows)}: add totals up with +")
        if config is None:
            refuse_changed(table)
        nrefs = references_of(about)
        return cls(rows, counted, nrefs if config is None or is_sealed(table) else (0, 0), is_total)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a Parquet file, whole or not at all; a file of that name is replaced.

        Statistics of a tokenizer that is a function can be written, but read only with ``config=``.

        Args:
            path: the file.

        Raises:
            OSError: it cannot be written.

        >>> import tempfile
        >>> from bleu_metric import corpus_statistics
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     corpus_statistics(["a b"], ["a b"], max_order=1).save(f"{folder}/counts.parquet")
        ...     BleuStatistics.load(f"{folder}/counts.parquet").table
        array([[2, 2, 2, 2]])
        """
        write(self.to_table(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], config: BleuConfig | None = None) -> BleuStatistics:
        """Read a file that `save` wrote.

        Args:
            path: the file.
            config: how it was counted, where the tokenizer is a function.

        Returns:
            The statistics.

        Raises:
            ValueError: the file is damaged, of another origin, or counted by a version whose counts may differ.
            OSError: it cannot be opened.

        >>> BleuStatistics.load(os.devnull)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ValueError: ...null is not a whole file of BLEU statistics (0 bytes): ...
        """
        table = read(path)
        try:
            statistics = cls.from_table(table, config)
            refuse_changed(table)
            return statistics
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from error


def check_statistics(name: str, statistics: object) -> None:
    """Refuse anything but `BleuStatistics`."""
    if not isinstance(statistics, BleuStatistics):
        raise TypeError(
            f"{name} must be BleuStatistics, got {type(statistics).__name__}; count the texts first, with "
            "corpus_statistics(predictions, references)"
        )


def merge(parts: Sequence[BleuStatistics]) -> BleuStatistics:
    """Put statistics of one configuration together, in order."""
    config = parts[0].config
    for part in parts:
        if part.config != config:
            raise ValueError(
                f"statistics counted in different ways do not add up: {differences(config, part.config)}; count both "
                "with the same options"
            )
    if len(parts) == 1:
        return parts[0]
    table = np.concatenate([part.table for part in parts])
    fewest = min(part.nrefs[0] for part in parts)
    nrefs = (fewest, max(part.nrefs[1] for part in parts) if fewest else 0)  # what one part does not know, none does
    if not any(part.is_total for part in parts):
        return BleuStatistics(table, config, nrefs)
    return BleuStatistics(summed(table, config)[np.newaxis], config, nrefs, is_total=True)
