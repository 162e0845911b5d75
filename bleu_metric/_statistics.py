"""The counts of each segment as one table of integers: all that a score needs to know of a text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._checks import check_counts
from ._config import BleuConfig, differences
from ._labels import Label, number_labels
from ._lengths import REFERENCE_LENGTHS
from ._sealed import (
    LAST,
    columns,
    counted_by,
    counted_orders,
    describe,
    description,
    from_arrow,
    is_sealed,
    references_of,
    refuse_changed,
    to_arrow,
)
from ._storage import read, write

Ints = NDArray[np.int64]


class SegmentCounts(NamedTuple):
    """What was counted in a batch of segments, before any choice but the tokens."""

    matches: Ints  # (segments, orders)
    translation_lengths: Ints  # (segments,)
    reference_lengths: Ints  # (references,), those of each segment together
    first_reference: Ints  # (segments,)


@dataclass(frozen=True, eq=False)
class BleuStatistics:
    """Integer counts per segment, or summed: ``table`` is int64 of shape (rows, columns).

    The columns are the clipped matches of orders 1 to N, the numbers of n-grams of orders 1 to N, the translation
    length, and the effective reference length in tokens (with ``reference_length="average"`` in 720720ths of one).
    ``a + b`` keeps the rows of both; where one side is a total, the result is a total. Either way the score is that
    of all segments together, whatever the order of merging (but for NLTK's methods 5 to 7, which look at the segment
    that comes last).
    """

    table: Ints
    config: BleuConfig
    nrefs: tuple[int, int] = (1, 1)
    """Fewest and most references that a segment of the corpus has; (0, 0): not known."""
    is_total: bool = False
    """Whether the one row is the sum of segments."""

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: slice | Ints) -> BleuStatistics:
        """Pick segments by a slice, a mask or an array of indices."""
        if self.is_total:
            raise ValueError("these statistics are a total: their segments are gone")
        if isinstance(rows, (int, np.integer)):
            raise TypeError(f"pick segments with a slice or an array, e.g. statistics[{rows}:{rows + 1}]")
        return replace(self, table=self.table[rows])

    def __add__(self, other: BleuStatistics) -> BleuStatistics:
        if not isinstance(other, BleuStatistics):
            return NotImplemented
        return merge([self, other])

    def __radd__(self, other: object) -> BleuStatistics:
        return self if other == 0 else NotImplemented  # sum() starts with 0

    def total(self) -> BleuStatistics:
        """Sum all rows into one, of shape (1, columns)."""
        if self.is_total:
            return self
        if self.config.average == "sentence":
            raise ValueError("average='sentence' is the mean of sentence scores: it needs a row per segment, no total")
        return replace(self, table=summed(self.table, self.config)[np.newaxis], is_total=True)

    def by(self, groups: Any) -> dict[Label, BleuStatistics]:
        """Sum the rows of each group of segments into a total; keep them where the score is a mean of sentence scores.

        `groups`: one label per segment, strings or whole numbers, as a list, array or column. Returns the groups in
        order of first appearance; the number of references is that of the whole. Errors as for `score_groups`.
        """
        labels, order, starts = in_groups(self, groups)
        if self.config.average == "sentence":
            rows = np.split(self.table.take(order, axis=0), starts[1:])
            return {label: replace(self, table=own) for label, own in zip(labels, rows, strict=True)}
        sums = np.split(group_sums(self, order, starts), len(labels)) if labels else []
        return {label: replace(self, table=own, is_total=True) for label, own in zip(labels, sums, strict=True)}

    def signature(self) -> str:
        """The configuration's signature, headed by the number of references (``var``: not the same for all)."""
        fewest, most = self.nrefs
        number = (fewest or "unknown") if fewest == most else "var"
        return f"nrefs:{number}|{self.config.signature()}"

    def to_table(self) -> pa.Table:
        """Make an Arrow table of int64 columns; its metadata holds the signature and a seal on the rows."""
        nrefs = "{}-{}".format(*self.nrefs)
        return describe(to_arrow(self.table, columns(self.config)), self.config, total=self.is_total, nrefs=nrefs)

    @classmethod
    def from_table(cls, table: pa.Table, config: BleuConfig | None = None) -> BleuStatistics:
        """Read what `to_table` made; ``ValueError`` for any other table, or one that was changed since.

        `config`: how the rows were counted, where the metadata is lost, as in `Dataset.map`, or speaks of other
        rows, as in tables that were put together or cut; or where the tokenizer is a function.
        """
        if not isinstance(table, pa.Table):
            raise TypeError(f"BLEU statistics are read from an Arrow table, got {type(table).__name__}")
        about = description(table)
        if "groups" in about:
            raise ValueError("these are the totals of groups: read them with load_groups")
        counted = counted_by(about, config)
        rows = from_arrow(table, columns(counted))
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
        """
        write(self.to_table(), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], config: BleuConfig | None = None) -> BleuStatistics:
        """Read a file that `save` wrote. `config`: how it was counted, where the tokenizer is a function.

        ``ValueError`` that names the file if it is damaged, of another origin, or counted by a version whose counts
        may differ; ``OSError`` if it cannot be opened.
        """
        table = read(path)
        try:
            statistics = cls.from_table(table, config)
            refuse_changed(table)
            return statistics
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from error


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


def summed(table: Ints, config: BleuConfig) -> Ints:
    """Sum rows, shape (…, rows, columns) -> (…, columns); what is known of the last segment is the last row's."""
    total: Ints = table.sum(axis=-2)
    if config.depends_on_segment_order and table.shape[-2]:
        total[..., -len(LAST) :] = table[..., -1, -len(LAST) :]
    return total


def in_groups(statistics: BleuStatistics, groups: Any) -> tuple[list[Label], Ints, Ints]:
    """Put the rows of each group together: the groups' labels, the order of the rows, and where each group starts."""
    if statistics.is_total:
        raise ValueError("these statistics are a total: there are no segments left to group")
    labels, codes = number_labels(groups, len(statistics))
    order = np.argsort(codes, kind="stable")
    return labels, order, np.flatnonzero(np.diff(codes.take(order), prepend=-1))


def group_sums(statistics: BleuStatistics, order: Ints, starts: Ints) -> Ints:
    """Sum the rows of each group: shape (groups, columns)."""
    table = statistics.table.take(order, axis=0)
    sums: Ints = np.add.reduceat(table, starts, axis=0)
    if statistics.config.depends_on_segment_order:
        sums[:, -len(LAST) :] = table[np.append(starts[1:], len(table)) - 1, -len(LAST) :]
    return sums


def to_statistics(counts: SegmentCounts, config: BleuConfig) -> BleuStatistics:
    """Apply the configuration's choices about lengths: one row per segment."""
    lengths = counts.translation_lengths
    references = REFERENCE_LENGTHS[config.reference_length](lengths, counts.reference_lengths, counts.first_reference)
    orders = np.arange(counted_orders(config))
    totals = np.maximum(lengths[:, np.newaxis] - orders, 1 if config.total_floor == "segment" else 0)
    used = slice(config.max_order)
    parts = [counts.matches[:, used], totals[:, used], lengths[:, np.newaxis], references[:, np.newaxis]]
    if config.depends_on_segment_order:
        parts += [counts.matches[:, 4:5], totals[:, 4:5], lengths[:, np.newaxis]]
    counted = np.diff(counts.first_reference, append=len(counts.reference_lengths))
    nrefs = (int(counted.min()), int(counted.max()))
    return BleuStatistics(np.concatenate(parts, axis=1), config, nrefs)
