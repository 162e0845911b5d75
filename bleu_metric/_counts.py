"""`CountTable`: a table of n-gram counts with named columns, which can be summed and checked for impossible counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ._config import BleuConfig, Columns, columns_of, depends_on_segment_order
from ._lazy import np
from ._validation import Array, Bools, Ints, short_repr

LAST_SEGMENT_COLUMNS = ("last_matches_5", "last_totals_5", "last_length")

_IMPOSSIBLE_SUM = 1 << 58  # each column of one table sums to less than this, so int64 can hold a sum of many tables


class References(NamedTuple):
    """The smallest and the largest number of references per segment in a corpus; both are 0 if unknown."""

    fewest: int = 0
    most: int = 0

    @property
    def is_known(self) -> bool:
        return self.fewest > 0

    @classmethod
    def of_sizes(cls, sizes: Ints) -> References:
        """Return the smallest and the largest number in `sizes`, which has each segment's number of references."""
        return cls(int(sizes.min()), int(sizes.max()))

    @classmethod
    def of_parts(cls, parts: Sequence[References]) -> References:
        """Merge the numbers of several parts of a corpus. If one part's numbers are unknown, the result is unknown."""
        if not all(part.is_known for part in parts):
            return cls()
        return cls(min(part.fewest for part in parts), max(part.most for part in parts))

    @classmethod
    def parse(cls, text: str) -> References:
        """Parse a string from `to_text`, such as "1-4". Raise ``ValueError`` for any other string."""
        match = re.fullmatch(r"(\d{1,18})-(\d{1,18})", text, re.ASCII)  # numbers of 18 digits fit into int64
        if match:
            fewest, most = map(int, match.groups())
            is_unknown = fewest == most == 0
            if is_unknown or 0 < fewest <= most:
                return cls(fewest, most)

        raise ValueError(
            f"the metadata is damaged: {short_repr(text)} must be the fewest and the most references of a segment, "
            "such as '1-4'"
        )

    def to_text(self) -> str:
        """Return the two numbers as text, for the metadata of a table.

        >>> References(1, 4).to_text()
        '1-4'
        """
        return f"{self.fewest}-{self.most}"


ONE_REFERENCE = References(1, 1)  # every segment has exactly one reference


class CountTable(NamedTuple):
    """A table of counts, and the configuration with which they were counted.

    The columns are the clipped matches of orders 1 to N, the numbers of n-grams of orders 1 to N, the translation
    length and the reference length. If the score depends on the last segment (NLTK's methods 5 to 7), the columns
    LAST_SEGMENT_COLUMNS follow. For N = 2, the columns are:

        matches_1, matches_2, totals_1, totals_2, translation_length, reference_length

    The properties return views of `rows`. In their shapes, "…" means all axes of `rows` except the last.
    """

    rows: Array  # int64, or float64 for expected counts; shape (…, columns)
    config: BleuConfig

    @property
    def matches(self) -> Array:
        """Clipped matches, shape (…, orders)."""
        return self.rows[..., : self.config.max_order]

    @property
    def totals(self) -> Array:
        """Numbers of n-grams of the predictions, shape (…, orders)."""
        n_orders = self.config.max_order
        return self.rows[..., n_orders : 2 * n_orders]

    @property
    def lengths(self) -> Array:
        """Numbers of tokens of the predictions, shape (…,)."""
        return self.rows[..., 2 * self.config.max_order]

    @property
    def reference_lengths(self) -> Array:
        """Effective reference lengths, shape (…,), in the unit that `units_per_token` defines."""
        return self.rows[..., 2 * self.config.max_order + 1]

    @property
    def last_segment(self) -> Array:
        """The columns LAST_SEGMENT_COLUMNS, shape (…, 3); or (…, 0) if the score does not depend on them."""
        return self.rows[..., 2 * self.config.max_order + 2 :]

    def sum(self) -> CountTable:
        """Sum the rows: shape (…, rows, columns) -> (…, columns)."""
        return CountTable(sum_of_rows(self.rows, columns_of(self.config)), self.config)

    def check(self, are_sums: bool) -> None:
        """Raise ``ValueError`` if the counts, of shape (rows, columns), are impossible, as in a damaged file.

        Accepted counts give scores from 0 to 1 and can be added. If rows are wrong, the message has the index of the
        first one and the reason. `are_sums`: True if each row is a sum over segments, False if each row is one segment.
        """
        if are_sums and self.config.average == "sentence":
            raise ValueError("average='sentence' needs one row of counts per segment, but these counts are sums")

        _refuse_rows((self.rows < 0).any(axis=1), "a count is negative")

        # The limit leaves room in int64 for sums of several tables. These sums are floats, which cannot overflow
        sums = self.rows.sum(axis=0, dtype=np.float64)
        if (sums >= _IMPOSSIBLE_SUM).any():
            raise ValueError("these are not BLEU statistics: the counts of a column add up to more than any corpus has")

        _refuse_rows((self.matches > self.totals).any(axis=1), "an order has more matches than n-grams")

        # NLTK's methods 5 and 7 also use the 5-grams of the last segment, which have columns of their own
        if depends_on_segment_order(self.config):
            last_matches, last_totals, _ = self.last_segment.T
            _refuse_rows(last_matches > last_totals, "the last segment has more matches than 5-grams")

        # A segment's length determines its numbers of n-grams; the total length of several segments does not
        if not are_sums:
            n_orders = self.totals.shape[1]
            expected_totals = ngram_totals(self.lengths, columns_of(self.config))[:, :n_orders]
            is_wrong = (self.totals != expected_totals).any(axis=1)
            _refuse_rows(is_wrong, "the numbers of n-grams do not match the translation length")


def table_of_segments(matches: Array, lengths: Ints, reference_lengths: Array, columns: Columns) -> Ints:
    """Build a table with one row per segment.

    Args:
        matches: clipped matches, shape (segments, orders), with at least ``columns.highest_order`` orders.
        lengths: number of tokens of each prediction, shape (segments,).
        reference_lengths: effective reference lengths, shape (segments,); `units_per_token` defines the unit.
        columns: the columns of the table.
    """
    n_orders = columns.orders
    totals = ngram_totals(lengths, columns)
    parts = [matches[:, :n_orders], totals[:, :n_orders], lengths, reference_lengths]
    if columns.last_order:
        index = columns.last_order - 1  # the column of order n has the index n - 1
        parts += [matches[:, index], totals[:, index], lengths]
    return np.column_stack(parts)


def sum_of_rows(rows: Array, columns: Columns) -> Array:
    """Sum the rows of a table: shape (…, rows, columns) -> (…, columns).

    Columns that describe the last segment are not summed; they are copied from the last row.
    """
    total: Array = rows.sum(axis=-2)
    n_sums = 2 * columns.orders + 2
    if rows.shape[-2] > 0:
        total[..., n_sums:] = rows[..., -1, n_sums:]
    return total


def ngram_totals(lengths: Ints, columns: Columns) -> Ints:
    """Return the number of n-grams of each segment and order, shape (segments, orders). `lengths`: tokens per segment.

    A segment of 3 tokens has 3 unigrams, 2 bigrams, 1 trigram and, with ``total_floor="segment"``, 1 4-gram. Without
    this option, it has 0 4-grams.
    """
    fewer_than_tokens = np.arange(columns.highest_order)[:, np.newaxis]
    # The array is built as (orders, segments) and transposed, because NumPy is faster if the long axis comes last
    totals: Ints = np.maximum(lengths - fewer_than_tokens, columns.least_total)
    return totals.T


def column_names(config: BleuConfig) -> list[str]:
    """Return the column names of a configuration's table, in order."""
    orders = range(1, config.max_order + 1)
    names = [f"{counts}_{order}" for counts in ("matches", "totals") for order in orders]
    names += ["translation_length", "reference_length"]
    if depends_on_segment_order(config):
        names += LAST_SEGMENT_COLUMNS
    return names


def _refuse_rows(wrong: Bools | np.bool_, reason: str) -> None:
    """Raise ``ValueError`` with the index of the first wrong row. `wrong`: one flag per row, True if it is wrong."""
    if wrong.any():
        first = int(np.argmax(wrong))  # the index of the first True
        raise ValueError(f"these are not BLEU statistics: in row {first}, {reason}")
