"""Tables of counts: access to columns by name, sums, and checks that refuse impossible counts.

A table is an int64 array of shape (…, columns). Its columns are the numbers of clipped matches of orders 1 to N, the
numbers of n-grams of orders 1 to N, the translation length and the reference length. If the score depends on the last
segment (NLTK's methods 5 to 7), three columns about that segment follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ._config import LAST_SEGMENT_ORDER, BleuConfig
from ._lazy import np
from ._reference_length import units_per_token
from ._validation import Bools, Ints

LAST_SEGMENT_COLUMNS = ("last_matches_5", "last_totals_5", "last_length")

_TOO_MANY_TOKENS = 1 << 31  # every text has fewer tokens than this
_TOO_MANY_IN_ALL = 1 << 56  # the sum of each column of one table is less than this; the sum of many tables can be more


class References(NamedTuple):
    """The fewest and the most references that a segment of a corpus has; both are 0 if they are not known."""

    fewest: int = 0
    most: int = 0

    @property
    def is_known(self) -> bool:
        return self.fewest > 0

    @classmethod
    def of_sizes(cls, sizes: Ints) -> References:
        """`sizes`: the number of references of each segment."""
        return cls(int(sizes.min()), int(sizes.max()))

    @classmethod
    def of_parts(cls, parts: Sequence[References]) -> References:
        """Return the numbers of a corpus of several parts. They are known if those of every part are known."""
        if not all(part.is_known for part in parts):
            return cls()
        return cls(min(part.fewest for part in parts), max(part.most for part in parts))

    @classmethod
    def parse(cls, text: str) -> References:
        """Read what `to_text` wrote. Raise ``ValueError`` for another text."""
        words = text.split("-")
        if len(words) == 2 and all(word.isascii() and word.isdecimal() and len(word) < 19 for word in words):
            numbers = cls(*map(int, words))
            if 0 < numbers.fewest <= numbers.most or numbers == cls():
                return numbers
        raise ValueError(
            f"the metadata is damaged: {text[:38]!r} are not the fewest and the most references of a segment"
        )

    def to_text(self) -> str:
        """Return the two numbers as text, for the metadata of a table.

        >>> References(1, 4).to_text()
        '1-4'
        """
        return f"{self.fewest}-{self.most}"


ONE_REFERENCE = References(1, 1)  # each segment has one


class Counts(NamedTuple):
    """The columns of a table by name. In the shapes, … stands for the table's leading axes."""

    matches: Ints  # (…, orders): clipped matches
    totals: Ints  # (…, orders): number of n-grams of the predictions
    lengths: Ints  # (…,): number of tokens of the predictions
    reference_lengths: Ints  # (…,): effective reference lengths, in the unit that `units_per_token` defines
    last_segment: Ints  # (…, 3): LAST_SEGMENT_COLUMNS; (…, 0) if the score does not depend on them


def counts_by_name(table: Ints, config: BleuConfig) -> Counts:
    """Return the columns of a table by name. They are views: nothing is copied."""
    orders = config.max_order
    return Counts(
        matches=table[..., :orders],
        totals=table[..., orders : 2 * orders],
        lengths=table[..., 2 * orders],
        reference_lengths=table[..., 2 * orders + 1],
        last_segment=table[..., 2 * orders + 2 :],
    )


def table_of(matches: Ints, lengths: Ints, reference_lengths: Ints, config: BleuConfig) -> Ints:
    """Build the table of segments from their counts. This is the inverse of `counts_by_name`.

    Args:
        matches: clipped matches, shape (segments, orders), with at least `config.columns.highest_order` orders.
        lengths: number of tokens of each prediction, shape (segments,).
        reference_lengths: effective lengths, shape (segments,), in the unit that `units_per_token` defines.
        config: the configuration, which decides the columns of the table.
    """
    totals = ngram_totals(lengths, matches.shape[1], config)
    return stack_counts(matches, totals, lengths, reference_lengths, config)


def stack_counts(matches: Ints, totals: Ints, lengths: Ints, reference_lengths: Ints, config: BleuConfig) -> Ints:
    """Build a table from its columns, as `table_of` does. `totals` has the same shape as `matches`."""
    used = slice(config.max_order)
    columns = [matches[:, used], totals[:, used], lengths[:, np.newaxis], reference_lengths[:, np.newaxis]]
    if config.depends_on_segment_order:
        last = slice(LAST_SEGMENT_ORDER - 1, LAST_SEGMENT_ORDER)
        columns += [matches[:, last], totals[:, last], lengths[:, np.newaxis]]
    return np.concatenate(columns, axis=1)


def ngram_totals(lengths: Ints, orders: int, config: BleuConfig) -> Ints:
    """Compute the number of n-grams of each segment and order from the segments' lengths: shape (segments, orders)."""
    # The array is built as (orders, segments) and transposed, because NumPy is faster if the long axis comes last
    totals: Ints = np.maximum(lengths - np.arange(orders)[:, np.newaxis], config.columns.least_total).T
    return totals


def column_names(config: BleuConfig) -> list[str]:
    """Return the column names of a configuration's table, in order."""
    orders = range(1, config.max_order + 1)
    matches = [f"matches_{order}" for order in orders]
    totals = [f"totals_{order}" for order in orders]
    last = LAST_SEGMENT_COLUMNS if config.depends_on_segment_order else ()
    return [*matches, *totals, "translation_length", "reference_length", *last]


def sum_rows(table: Ints, config: BleuConfig) -> Ints:
    """Return the sums of rows: shape (…, rows, columns) -> (…, columns).

    Exception: the columns about the last segment are copied from the last row. Raise ``ValueError`` for a negative
    count, and for a sum of 2**63 or more. Such counts can come from a file.
    """
    _refuse_overflow(table)
    total: Ints = table.sum(axis=-2)
    if config.depends_on_segment_order and table.shape[-2]:
        last_row = table[..., -1, :]
        counts_by_name(total, config).last_segment[...] = counts_by_name(last_row, config).last_segment
    return total


def sum_groups(table: Ints, config: BleuConfig, order: Ints, starts: Ints) -> Ints:
    """Return the sums of each group's rows: shape (rows, columns) -> (groups, columns). Raise the errors of `sum_rows`.

    `order`: the row indices, sorted by group. `starts`: for each group, the index in `order` of its first row.
    """
    _refuse_overflow(table)
    in_order = table.take(order, axis=0)
    sums: Ints = np.add.reduceat(in_order, starts, axis=0)
    if config.depends_on_segment_order:
        last_rows = in_order[np.append(starts[1:], len(in_order)) - 1]
        counts_by_name(sums, config).last_segment[...] = counts_by_name(last_rows, config).last_segment
    return sums


def _refuse_overflow(table: Ints) -> None:
    counts = table.view(np.uint64)  # as unsigned numbers, negative counts are 2**63 or more
    rows = table.shape[-2]
    may_overflow = int(counts.max(initial=0)) * rows >= 2**63
    if may_overflow and (counts.astype(object).sum(axis=-2) >= 2**63).any():
        raise ValueError(
            "the counts are negative or add up to 2**63 or more, which is impossible for a corpus; if you read them "
            "from a file, the file is damaged: count the texts again"
        )


def check_counts(table: Ints, config: BleuConfig, are_sums: bool) -> None:
    """Check a table of counts of shape (rows, columns), so that a wrong table from a file is never scored.

    `are_sums`: True if each row is the sum of some segments, False if it is one segment. Raise ``ValueError`` for the
    first wrong row. The message has the index of the row and the reason.
    """
    if are_sums and config.average == "sentence":
        raise ValueError("average='sentence' needs one row of counts per segment, but these counts are totals")
    counts = counts_by_name(table, config)
    _refuse_rows((table < 0).any(axis=1), "a count is negative")
    _check_size(table, config)
    _refuse_rows((counts.matches > counts.totals).any(axis=1), "an order has more matches than n-grams")
    if are_sums:
        fits = _can_be_sums(counts.totals, counts.lengths, config.columns.least_total)
    else:
        fits = (counts.totals == ngram_totals(counts.lengths, config.max_order, config)).all(axis=1)
    _refuse_rows(~fits, "the numbers of n-grams do not match the translation length")
    if not are_sums:
        longest_reference = _TOO_MANY_TOKENS * units_per_token(config.reference_length)
        too_long = (counts.lengths >= _TOO_MANY_TOKENS) | (counts.reference_lengths >= longest_reference)
        _refuse_rows(too_long, "a text has 2**31 tokens or more")
    if config.depends_on_segment_order:
        _check_last_segment(counts, config.columns.least_total, are_sums)


def _check_size(table: Ints, config: BleuConfig) -> None:
    names = column_names(config)
    limits = np.full(len(names), float(_TOO_MANY_IN_ALL))
    limits[names.index("reference_length")] *= min(units_per_token(config.reference_length), 64)  # fits int64
    if (table.sum(axis=0, dtype=np.float64) >= limits).any():
        raise ValueError("these are not BLEU statistics: the counts of a column add up to more than any corpus has")


def _can_be_sums(totals: Ints, lengths: Ints, floor: int) -> Bools:
    """Return, for each row, whether it can be the sum of some segments.

    A segment with at least n tokens has one n-gram fewer of order n + 1 than of order n. The larger n is, the fewer
    segments have n tokens. Therefore the totals fall from each order to the next, and never by more than before.
    """
    steps = -np.diff(totals, axis=1)
    falls = (steps >= 0).all(axis=1)
    slows_down = (np.diff(steps, axis=1) <= 0).all(axis=1)
    starts_at_length = totals[:, 0] >= lengths if floor else totals[:, 0] == lengths
    fits: Bools = starts_at_length & falls & slows_down
    return fits


def _check_last_segment(counts: Counts, floor: int, are_sums: bool) -> None:
    matches, total, length = np.moveaxis(counts.last_segment, -1, 0)
    expected = np.maximum(length - (LAST_SEGMENT_ORDER - 1), floor)
    wrong_length = length > counts.lengths if are_sums else length != counts.lengths
    _refuse_rows(matches > total, "the last segment has more matches than 5-grams")
    _refuse_rows(total != expected, "the last segment's 5-grams do not match its length")
    _refuse_rows(wrong_length, "the last segment's length does not match the translation length")


def _refuse_rows(wrong: Bools | np.bool_, reason: str) -> None:
    if wrong.any():
        raise ValueError(f"these are not BLEU statistics: in row {int(np.argmax(wrong))}, {reason}")
