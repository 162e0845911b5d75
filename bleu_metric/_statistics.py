"""The counts of each segment as one table of integers: all that a score needs to know of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._config import BleuConfig
from ._labels import Label, number_labels
from ._lengths import REFERENCE_LENGTHS

Ints = NDArray[np.int64]

_SIGNATURE_KEY = b"bleu_metric.signature"
LAST = ("last_matches_5", "last_totals_5", "last_length")


class SegmentCounts(NamedTuple):
    """What was counted in a batch of segments, before any choice but the tokens."""

    matches: Ints  # (segments, orders)
    translation_lengths: Ints  # (segments,)
    reference_lengths: Ints  # (references,), those of each segment together
    first_reference: Ints  # (segments,)


def counted_orders(config: BleuConfig) -> int:
    """How many orders have to be counted: NLTK's methods 5 and 7 look at 5-grams whatever the weights are."""
    return max(config.max_order, 5) if config.depends_on_segment_order else config.max_order


def columns(config: BleuConfig) -> list[str]:
    """Name the columns of the table that this configuration needs."""
    orders = range(1, config.max_order + 1)
    names = [f"matches_{order}" for order in orders] + [f"totals_{order}" for order in orders]
    return [*names, "translation_length", "reference_length", *(LAST if config.depends_on_segment_order else ())]


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
        """Make an Arrow table of int64 columns; its metadata holds the signature."""
        about = {"signature": self.config.signature(), "total": self.is_total, "nrefs": "{}-{}".format(*self.nrefs)}
        metadata = {f"bleu_metric.{key}": str(value) for key, value in about.items()}
        arrays = [pa.array(np.ascontiguousarray(column)) for column in self.table.T]
        return pa.table(dict(zip(columns(self.config), arrays, strict=True))).replace_schema_metadata(metadata)

    @classmethod
    def from_table(cls, table: pa.Table, config: BleuConfig | None = None) -> BleuStatistics:
        """Read what `to_table` made; ``ValueError`` for any other table.

        `config`: how the table was counted, where its metadata is lost, as in `Dataset.map`.
        """
        if not isinstance(table, pa.Table):
            raise TypeError(f"BLEU statistics are read from an Arrow table, got {type(table).__name__}")
        metadata = table.schema.metadata or {}
        signature = metadata.get(_SIGNATURE_KEY, b"").decode()
        if config is None and not signature:
            raise ValueError("this Arrow table holds no BLEU statistics: its metadata has no signature")
        if config is not None and signature not in ("", config.signature()):
            raise ValueError(f"the table was counted by {signature}, not by {config.signature()}")
        config = config or BleuConfig.from_signature(signature)
        expected = columns(config)
        if table.column_names != expected or any(field.type != pa.int64() for field in table.schema):
            raise ValueError(
                f"the columns must be int64 {expected}, got {table.schema.to_string(show_schema_metadata=False)}"
            )
        if any(column.null_count for column in table.columns):
            raise ValueError("BLEU statistics have no nulls; this table has")
        rows = np.stack([column.to_numpy() for column in table.columns], axis=1)
        _check_counts(rows, config)
        fewest, _, most = metadata.get(b"bleu_metric.nrefs", b"0-0").decode().partition("-")
        if not (fewest.isdecimal() and most.isdecimal()):
            raise ValueError(f"the metadata of this table says {fewest!r} to {most!r} references")
        is_total = metadata.get(b"bleu_metric.total") == b"True"
        if is_total and len(rows) != 1:
            raise ValueError(f"a total has one row, this table has {len(rows)}: add totals up with +")
        return cls(rows, config, (int(fewest), int(most)), is_total)


def _check_counts(rows: Ints, config: BleuConfig) -> None:
    """Refuse counts that no text has."""
    matches, totals = rows[:, : config.max_order], rows[:, config.max_order : 2 * config.max_order]
    if (rows < 0).any() or (matches > totals).any():
        raise ValueError("these are no BLEU statistics: a count is negative, or an order has more matches than n-grams")


def merge(parts: Sequence[BleuStatistics]) -> BleuStatistics:
    """Put statistics of one configuration together, in order."""
    config = parts[0].config
    for part in parts:
        if part.config != config:
            ways = f"{config.signature()} and {part.config.signature()}"
            raise ValueError(f"statistics counted in different ways do not add up: {ways}")
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
