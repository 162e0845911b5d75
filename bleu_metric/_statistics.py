"""The counts of each segment as one table of integers: all that a score needs to know of a text.

A table may come from a file, and a wrong one would score without an error. So counts that no text has are refused.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrays import Bools, Ints
from ._config import COUNTS_ALIKE, VERSION, BleuConfig, describe_differences, version_of
from ._reference_length import units_per_token
from ._storage import from_arrow, is_sealed, read_table, refuse_changed, seal_table, table_facts, to_arrow, write_table
from ._validation import Label, as_int, factorize_labels, is_index, short_repr

LAST_SEGMENT_COLUMNS = ("last_matches_5", "last_totals_5", "last_length")


def orders_to_count(config: BleuConfig) -> int:
    """How many orders have to be counted: NLTK's methods 5 and 7 look at 5-grams whatever the weights are."""
    return max(config.max_order, 5) if config.depends_on_segment_order else config.max_order


def column_names(config: BleuConfig) -> list[str]:
    """Name the columns of the table that this configuration needs."""
    orders = range(1, config.max_order + 1)
    names = [f"matches_{order}" for order in orders] + [f"totals_{order}" for order in orders]
    return [
        *names,
        "translation_length",
        "reference_length",
        *(LAST_SEGMENT_COLUMNS if config.depends_on_segment_order else ()),
    ]


def column_names_in(table: pa.Table, config: BleuConfig) -> list[str]:
    """Name the columns that a table counted so has; ``ValueError`` if it cannot have as many."""
    if config.max_order > table.num_columns:  # before a million names are made for what a file says
        raise ValueError(
            f"its signature speaks of n-grams up to order {config.max_order}, the table has {table.num_columns} columns"
        )
    return column_names(config)


def config_of_table(about: Mapping[str, str], config: BleuConfig | None) -> BleuConfig:
    """Find out how a table was counted: by its metadata, or as the caller says.

    Raises ``ValueError`` where neither says it, or both contradict each other.
    """
    signature = about.get("signature", "")
    if config is not None and not isinstance(config, BleuConfig):
        raise TypeError(f"config must be a BleuConfig, got {short_repr(config)}")
    if config is None and not signature:
        raise ValueError("this Arrow table holds no BLEU statistics: its metadata has no signature")
    if config is not None:
        if signature not in ("", config.signature()):
            raise ValueError(f"the table was counted by {signature}, not by {config.signature()}")
        return config
    if version_of(signature) not in COUNTS_ALIKE:
        raise ValueError(
            f"the table was counted by version {version_of(signature)} of bleu_metric, this is {VERSION}: counts may "
            f"differ, count again. Versions that count alike: {', '.join(COUNTS_ALIKE)}"
        )
    return BleuConfig.from_signature(signature)


def nrefs_of_table(about: Mapping[str, str]) -> tuple[int, int]:
    """Read the fewest and the most references of a segment; (0, 0) where they are not known."""
    fewest, _, most = about.get("nrefs", "0-0").partition("-")
    digits = all(number.isascii() and number.isdecimal() and len(number) < 19 for number in (fewest, most))
    if not digits or not is_nrefs(int(fewest), int(most)):
        raise ValueError(f"the metadata of this table says {fewest[:19]!r} to {most[:19]!r} references")
    return int(fewest), int(most)


def is_nrefs(fewest: Any, most: Any) -> Any:
    """Whether these can be the fewest and the most references, numbers or arrays of them; both 0: not known."""
    return ((fewest > 0) & (fewest <= most)) | ((fewest == 0) & (most == 0))


_LONGEST = 1 << 31  # tokens of one text
_MOST = 1 << 56  # of all rows together; sums of many such files are checked in `_sums`


def check_counts(rows: Ints, config: BleuConfig, sums: bool) -> None:
    """Check counts, int64 of shape (rows, columns); `sums`: each row is the sum of any number of segments.

    Raises ``ValueError`` that names the first row and what is wrong with it.
    """
    orders = config.max_order
    matches, totals, length = rows[:, :orders], rows[:, orders : 2 * orders], rows[:, 2 * orders]
    least = 1 if config.total_floor == "segment" else 0
    if sums and config.average == "sentence":
        raise ValueError("average='sentence' is the mean of sentence scores, which has no total")
    _refuse((rows < 0).any(axis=1), "a count is negative")
    sums_of_all = rows.sum(axis=0, dtype=np.float64)
    sums_of_all[2 * orders + 1] /= min(units_per_token(config.reference_length), 64)  # 2**62 in all
    if (sums_of_all >= _MOST).any():
        raise ValueError("these are no BLEU statistics: the counts of a column add up to more than any corpus has")
    _refuse((matches > totals).any(axis=1), "an order has more matches than n-grams")
    if sums:
        _refuse(~_adds_up(totals, length, least), "the numbers of n-grams do not go with the translation length")
    else:
        expected = _ngrams(length[:, np.newaxis] - np.arange(orders), least)
        _refuse((totals != expected).any(axis=1), "the numbers of n-grams do not go with the translation length")
        longest = _LONGEST * np.array([1, units_per_token(config.reference_length)])
        _refuse((rows[:, 2 * orders : 2 * orders + 2] >= longest).any(axis=1), "a text has 2**31 tokens or more")
    if config.depends_on_segment_order:
        _check_last(rows[:, -3:], length, least, sums)


def _ngrams(numbers: Ints, least: int) -> Ints:
    return np.maximum(numbers, least)


def _adds_up(totals: Ints, length: Ints, least: int) -> Bools:
    """Whether sums can be sums: order n + 1 lacks one n-gram of each segment with n tokens, and ever fewer have n."""
    lost = -np.diff(totals, axis=1)
    first = totals[:, 0] >= length if least else totals[:, 0] == length
    possible: Bools = first & (lost >= 0).all(axis=1) & (np.diff(lost, axis=1) <= 0).all(axis=1)
    return possible


def _check_last(last: Ints, length: Ints, least: int, sums: bool) -> None:
    """Check what is known of the last segment: its 5-gram matches, its 5-grams, its length."""
    _refuse(last[:, 0] > last[:, 1], "the last segment has more matches than 5-grams")
    _refuse(last[:, 1] != _ngrams(last[:, 2] - 4, least), "the last segment's 5-grams do not go with its length")
    wrong = last[:, 2] > length if sums else last[:, 2] != length
    _refuse(wrong, "the last segment's length does not go with the translation length")


def _refuse(wrong: Bools | np.bool_, why: str) -> None:
    if wrong.any():
        raise ValueError(f"these are no BLEU statistics: in row {int(np.argmax(wrong))}, {why}")


def sum_rows(table: Ints, config: BleuConfig) -> Ints:
    """Sum rows, shape (…, rows, columns) -> (…, columns); what is known of the last segment is the last row's.

    Raises ``ValueError`` where the sum leaves 64 bits, for counts of files may be as large as these, and for a negative
    count.
    """
    _refuse_huge(table)
    total: Ints = table.sum(axis=-2)
    if config.depends_on_segment_order and table.shape[-2]:
        total[..., -len(LAST_SEGMENT_COLUMNS) :] = table[..., -1, -len(LAST_SEGMENT_COLUMNS) :]
    return total


def _refuse_huge(table: Ints) -> None:
    counts = table.view(np.uint64)  # where a negative one is 2**63 or more
    if int(counts.max(initial=0)) * table.shape[-2] >= 2**63 and (counts.astype(object).sum(axis=-2) >= 2**63).any():
        raise ValueError(
            "the counts add up to 2**63 or more, or are negative, which no corpus has: were they read from files?"
        )


def order_by_group(groups: Any, segments: int, is_total: bool) -> tuple[list[Label], Ints, Ints]:
    """Put the rows of each group together: the groups' labels, the order of the rows, and where each group starts."""
    if is_total:
        raise ValueError("these statistics are a total: there are no segments left to group")
    labels, codes = factorize_labels(groups, segments)
    order = np.argsort(codes, kind="stable")
    return labels, order, np.flatnonzero(np.diff(codes.take(order), prepend=-1))


def sum_groups(table: Ints, config: BleuConfig, order: Ints, starts: Ints) -> Ints:
    """Sum the rows of each group: shape (groups, columns); ``ValueError`` as for `summed`."""
    _refuse_huge(table)
    table = table.take(order, axis=0)
    sums: Ints = np.add.reduceat(table, starts, axis=0)
    if config.depends_on_segment_order:
        sums[:, -len(LAST_SEGMENT_COLUMNS) :] = table[
            np.append(starts[1:], len(table)) - 1, -len(LAST_SEGMENT_COLUMNS) :
        ]
    return sums


Rows = NDArray[np.integer[Any]] | Bools


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
            raise TypeError(f"config must be a BleuConfig, got {short_repr(self.config)}")
        if not isinstance(self.table, np.ndarray) or self.table.dtype != np.int64:
            raise TypeError(f"table must be an array of int64, got {short_repr(self.table)}")
        wide = len(column_names(self.config))
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
            example = f"statistics[{short_repr(row)}:{short_repr(row + 1)}]"
            raise TypeError(f"pick segments with a slice or an array, e.g. {example}, got {short_repr(rows)}")
        return replace(self, table=self.table[rows])

    def __add__(self, other: BleuStatistics) -> BleuStatistics:
        if not isinstance(other, BleuStatistics):
            return NotImplemented
        return merge_statistics([self, other])

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
        return replace(self, table=sum_rows(self.table, self.config)[np.newaxis], is_total=True)

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
        labels, order, starts = order_by_group(groups, len(self), self.is_total)
        if self.config.average == "sentence":
            rows = np.split(self.table.take(order, axis=0), starts[1:])
            return {label: replace(self, table=own) for label, own in zip(labels, rows, strict=True)}
        sums = np.split(sum_groups(self.table, self.config, order, starts), len(labels)) if labels else []
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
        return seal_table(
            to_arrow(self.table, column_names(self.config)), self.config, total=self.is_total, nrefs=nrefs
        )

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
        about = table_facts(table)
        if "groups" in about:
            raise ValueError("these are the totals of groups: read them with load_groups")
        counted = config_of_table(about, config)
        rows = from_arrow(table, column_names_in(table, counted))
        is_total = about.get("total") == "True"
        check_counts(rows, counted, sums=is_total)
        if is_total and len(rows) != 1:
            raise ValueError(f"a total has one row, this table has {len(rows)}: add totals up with +")
        if config is None:
            refuse_changed(table)
        nrefs = nrefs_of_table(about)
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
        write_table(self.to_table(), path)

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
        table = read_table(path)
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


def merge_statistics(parts: Sequence[BleuStatistics]) -> BleuStatistics:
    """Put statistics of one configuration together, in order."""
    config = parts[0].config
    for part in parts:
        if part.config != config:
            raise ValueError(
                f"statistics counted in different ways do not add up: {describe_differences(config, part.config)}; count both "
                "with the same options"
            )
    if len(parts) == 1:
        return parts[0]
    table = np.concatenate([part.table for part in parts])
    fewest = min(part.nrefs[0] for part in parts)
    nrefs = (fewest, max(part.nrefs[1] for part in parts) if fewest else 0)  # what one part does not know, none does
    if not any(part.is_total for part in parts):
        return BleuStatistics(table, config, nrefs)
    return BleuStatistics(sum_rows(table, config)[np.newaxis], config, nrefs, is_total=True)
