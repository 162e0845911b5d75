"""`BleuStatistics`: the counts of each segment, which can be added, saved, loaded and scored.

Statistics are saved as Arrow tables in Parquet files, which store small numbers in a few bytes. The metadata of a table
contains a checksum of all counts and of the other metadata. If a table is concatenated, sliced or damaged, the table
keeps its metadata, but the checksum no longer matches.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from ._config import (
    COUNTS_ALIKE,
    VERSION,
    BleuConfig,
    BleuOptions,
    Columns,
    columns_of,
    depends_on_segment_order,
    describe_differences,
)
from ._corpus import Label, rows_by_group
from ._display import BLEU, Metric, amount, join_first, shorten
from ._files import read_table, write_table
from ._formula import Counted, bleu_of_counts, bleu_of_rows, counted, units_per_token
from ._languages import with_tokenizer
from ._lazy import np, pa
from ._names import Signature
from ._score import BleuScore, signature_of
from ._threads import computed_once
from ._tokens import Tokenization
from ._validation import Array, Bools, Floats, Ints, check_type, short_repr, typed

# --- Tables of counts -----------------------------------------------------------------------------------------------

LAST_SEGMENT_COLUMNS = ("last_matches_5", "last_totals_5", "last_length")


def segment_row(matches: Sequence[float], length: int, reference_length: float, columns: Columns) -> list[float]:
    """Build the table's row of one segment: matches, totals, length and reference length.

    `matches`: clipped matches of at least ``columns.highest_order`` orders. `length`: number of tokens of the
    prediction. `reference_length`: effective reference length in the unit of `units_per_token`. With a prediction of
    four tokens and a reference of five, the row of ``max_order=2`` is [3, 2, 4, 3, 4, 5].
    """
    totals = [max(length - fewer, columns.least_total) for fewer in range(columns.highest_order)]
    row = [*matches[: columns.orders], *totals[: columns.orders], length, reference_length]
    if columns.last_order:
        row += [matches[columns.last_order - 1], totals[columns.last_order - 1], length]
    return row


def sum_of_rows(rows: Array, columns: Columns) -> Array:
    """Sum the rows of a table: shape (rows, columns) -> (columns,).

    Columns about the last segment are copied from the last row.
    """
    total: Array = rows.sum(axis=0)
    if columns.last_order and len(rows):
        first_of_last = 2 * columns.orders + 2
        total[first_of_last:] = rows[-1, first_of_last:]
    return total


def column_names(config: BleuConfig) -> list[str]:
    """Return the column names of a configuration's table, in order."""
    orders = range(1, config.max_order + 1)
    names = [f"{counts}_{order}" for counts in ("matches", "totals") for order in orders]
    names += ["translation_length", "reference_length"]
    if depends_on_segment_order(config):
        names += LAST_SEGMENT_COLUMNS
    return names


_IMPOSSIBLE_SUM = 1 << 58  # each column of one table sums to less than this, so int64 can hold a sum of many tables


def _check_counts(rows: Ints, config: BleuConfig, are_sums: bool) -> None:
    """Raise ``ValueError`` if the counts are impossible, for example if an order has more matches than n-grams.

    `rows`: the counts, shape (rows, columns). `are_sums`: whether each row is a sum over segments, not one segment.
    """
    if are_sums and config.average == "sentence":
        raise ValueError("average='sentence' needs one row of counts per segment, but these counts are sums")

    _refuse_rows((rows < 0).any(axis=1), "a count is negative")

    # Sums of floats cannot overflow
    sums = rows.sum(axis=0, dtype=np.float64)
    if (sums >= _IMPOSSIBLE_SUM).any():
        raise ValueError("these are not BLEU statistics: the counts of a column add up to more than any corpus has")

    counts = counted(rows.T, config.max_order)
    is_wrong = np.greater(counts.matches, counts.totals).any(axis=0)
    _refuse_rows(is_wrong, "an order has more matches than n-grams")

    # NLTK's methods 5 and 7 also use the 5-grams of the last segment, which have columns of their own
    if depends_on_segment_order(config):
        last_matches, last_totals, _ = counts.last_segment
        _refuse_rows(last_matches > last_totals, "the last segment has more matches than 5-grams")

    # The length of one segment determines the numbers of n-grams; the length of a sum does not
    if not are_sums:
        fewer_than_tokens = np.arange(config.max_order)[:, np.newaxis]
        expected_totals = np.maximum(counts.length - fewer_than_tokens, columns_of(config).least_total)
        is_wrong = np.not_equal(counts.totals, expected_totals).any(axis=0)
        _refuse_rows(is_wrong, "the numbers of n-grams do not match the translation length")


def _refuse_rows(wrong: Bools | np.bool_, reason: str) -> None:
    """Raise ``ValueError`` if a row is wrong. `wrong`: one flag per row."""
    if wrong.any():
        first = int(np.argmax(wrong))  # the index of the first True
        raise ValueError(f"these are not BLEU statistics: in row {first}, {reason}")


# --- Numbers of references ------------------------------------------------------------------------------------------

References = tuple[int, int]  # the smallest and the largest number of references per segment; (0, 0) if unknown
ONE_REFERENCE = (1, 1)  # every segment has exactly one reference
UNKNOWN = (0, 0)


def join_references(parts: Sequence[References]) -> References:
    """Merge the numbers of several parts: (1, 2), (2, 4) -> (1, 4). With an unknown part, the result is unknown."""
    if not all(fewest for fewest, _ in parts):
        return UNKNOWN
    return min(fewest for fewest, _ in parts), max(most for _, most in parts)


def parse_references(text: str) -> References:
    """Parse the numbers in the metadata of a table: "1-4" -> (1, 4). Raise ``ValueError`` for any other string."""
    match = re.fullmatch(r"(\d{1,18})-(\d{1,18})", text, re.ASCII)  # numbers of 18 digits fit into int64
    if match:
        fewest, most = map(int, match.groups())
        if fewest == most == 0 or 0 < fewest <= most:
            return fewest, most
    raise ValueError(
        f"the metadata is damaged: {short_repr(text)} must be the fewest and the most references of a segment, "
        "such as '1-4'"
    )


# --- Tables in Arrow ------------------------------------------------------------------------------------------------

_PREFIX = "bleu_metric."
_FORMAT = "2"  # of the table and its metadata; 1, which did not say its number, had another checksum


def from_arrow(table: pa.Table, config: BleuConfig) -> Ints:
    """Return the counts of a table from `BleuStatistics.to_table` as an array of shape (rows, columns).

    Raise ``ValueError`` if the table has other columns, a type other than int64, or nulls.
    """
    names = column_names(config)
    types = [pa.int64()] * len(names)

    if table.column_names != names or table.schema.types != types:
        expected = shorten(str(names), 200)  # there may be 20,000 columns
        found = shorten(table.schema.to_string(show_schema_metadata=False), 150)
        raise ValueError(f"the columns must be int64 {expected}, got {found}")
    if any(column.null_count for column in table.columns):
        raise ValueError("BLEU statistics have no nulls, but this table has nulls")

    return np.stack([column.to_numpy() for column in table.columns], axis=1)


def facts_of_table(table: pa.Table) -> dict[str, str]:
    """Return the metadata that `to_table` wrote, such as {"signature": …, "nrefs": "1-4"}.

    Raise ``ValueError`` if another version of bleu_metric wrote metadata of another format.
    """
    facts = {}
    metadata = table.schema.metadata or {}  # Arrow returns None if there is none
    for key, value in metadata.items():
        name = key.decode(errors="replace")
        if name.startswith(_PREFIX):
            facts[name.removeprefix(_PREFIX)] = value.decode(errors="replace")
    if facts and facts.get("format") != _FORMAT:
        raise ValueError("these statistics were saved by another version of bleu_metric: count again")
    return facts


def _check_signature(signature: str, config: BleuConfig | None) -> None:
    """Raise ``ValueError`` if the signature of a table contradicts `config`.

    If `config` is None, raise ``ValueError`` if there is no signature, or if it is from a version of bleu_metric that
    may count differently.
    """
    if config is not None:
        check_type("config", config, BleuConfig, "a BleuConfig")
        passed_signature = config.signature()
        if signature and signature != passed_signature:
            raise ValueError(
                f"the table was counted with {shorten(signature, 140)}, but config is "
                f"{shorten(passed_signature, 140)}; pass the configuration that counted the table"
            )
    elif not signature:
        raise ValueError("this Arrow table does not hold BLEU statistics: its metadata has no signature")
    else:
        # `key` is empty if the signature has no version
        _, key, version = f"|{signature}".rpartition("|version:")
        refuse_other_version(version if key else "unknown")


def refuse_other_version(version: str) -> None:
    """Raise ``ValueError`` if `version` of bleu_metric may count differently than the installed version."""
    if version not in COUNTS_ALIKE:
        raise ValueError(
            f"these statistics were counted by version {shorten(version, 30)} of bleu_metric, but this is version "
            f"{VERSION}, whose counts may differ: count again. These versions have equal counts: "
            f"{', '.join(COUNTS_ALIKE)}"
        )


def checksum(table: pa.Table, facts: Mapping[str, str]) -> str:
    """Return the checksum of a table and of its metadata without the checksum. Saved files depend on it.

    Return "" for a table that `to_table` did not build, because it has other types or nulls.
    """
    if any(column.type != pa.int64() or column.null_count for column in table.columns):
        return ""
    total = zlib.crc32(repr([table.column_names, sorted(facts.items())]).encode())
    for column in table.columns:
        total = zlib.crc32(column.to_numpy().astype("<i8").tobytes(), total)
    return str(total)


# --- Statistics -----------------------------------------------------------------------------------------------------


class MetricStatistics:
    """The numbers of each segment in one metric, which the bootstrap and the paired tests add up and score.

    This class serves chrF, TER and segment scores; `BleuStatistics` is its subclass.

    Args:
        metric: the name of the metric, and how its scores are shown.
        table: the numbers, shape (segments, columns).
        score_sums: function from sums, shape (…, columns), to scores, shape (…,).
        settings: the signature of a score, with the number of references first, as in ``nrefs:1|case:mixed``.
    """

    n_last_columns: int = 0
    """Number of columns at the end that describe the last segment. They are not summed, but copied from it."""
    nrefs: References = UNKNOWN
    is_sum: bool = False
    reference_lengths: Ints | None = None

    def __init__(self, metric: Metric, table: Array, score_sums: Callable[[Array], Floats], settings: str) -> None:
        self.metric = metric
        self.table = table
        self._score_sums = score_sums
        self._settings = settings

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: Any) -> MetricStatistics:
        """Return the statistics of some segments. `rows`: segment indices or a slice."""
        return MetricStatistics(self.metric, self.table[rows], self._score_sums, self._settings)

    def __repr__(self) -> str:
        score = self.metric.text(float(self.score()))
        return f"<MetricStatistics {self.metric.name} {score}: {amount(len(self), 'segment')}>"

    def score(self) -> Any:
        """Return the score of all segments together, as a float or, for BLEU, as a `BleuScore`."""
        return float(self.score_sums(self.table.sum(axis=0)))

    def score_sums(self, sums: Array) -> Floats:
        """Return the scores of sums of rows: shape (…, columns) -> (…,)."""
        return self._score_sums(sums)

    def signature(self) -> str:
        """Return all settings of the score."""
        return self._settings

    def summable(self) -> MetricStatistics:
        """Return statistics of the same segments that `score_sums` can score after they are summed."""
        return self

    def difference_from(self, other: MetricStatistics) -> str:
        """Return how the metric or its options differ, as in "scored in different ways: …", or "" if they are equal."""
        own, others = self.signature(), other.signature()
        return "" if own == others else f"scored in different ways: {own} and {others}"


def mean_statistics(metric: Metric, scores: Array, settings: str) -> MetricStatistics:
    """Return statistics whose score is the mean of `scores`. The table for [0.5, 0.3] is [[0.5, 1], [0.3, 1]]."""
    table = np.column_stack([scores, np.ones(len(scores))])
    return MetricStatistics(metric, table, lambda sums: sums[..., 0] / sums[..., 1], settings)


# `with_options` adds options that change the counts in some cases
_COUNTING_OPTIONS = (*Tokenization._fields, "unit", "reference_length")


class BleuStatistics(MetricStatistics):
    """Integer counts: a table with one row per segment, or with one row, the sum over all segments.

    ``table`` is an int64 array of shape (rows, columns). The columns are the clipped matches of n-gram orders 1 to N,
    the numbers of n-grams of orders 1 to N, the translation length and the effective reference length. Both lengths are
    in tokens. With ``reference_length="average"``, the unit of the reference length is 1/720720 token. For NLTK's
    smoothing methods 5 to 7, three more columns describe the last segment. ``config`` is the configuration with which
    the texts were counted.

    ``a + b`` has the rows of ``a`` and ``b``. If ``a`` or ``b`` is a sum, ``a + b`` is a sum. The score of ``a + b`` is
    the score of all segments together. ``b + a`` has the same score, except with NLTK's smoothing methods 5 to 7.

    >>> from bleu_metric import corpus_statistics
    >>> first = corpus_statistics(["a b"], ["a b"], max_order=1)
    >>> second = corpus_statistics(["a b"], ["a c"], max_order=1)
    >>> first
    <BleuStatistics of 1 segment, 2 tokens, matches 2 of 2>
    >>> (first + second).table.tolist(), (first + second.sum()).table.tolist()
    ([[2, 2, 2, 2], [1, 2, 2, 2]], [[3, 4, 4, 4]])
    """

    metric = BLEU
    config: BleuConfig
    nrefs: References
    """Smallest and largest number of references per segment of the corpus; (0, 0) if they are not known."""
    is_sum: bool
    """``True`` if the only row is the sum of all segments."""
    _counts: Ints | bytearray

    def __init__(
        self, table: Ints | bytearray, config: BleuConfig, nrefs: References = ONE_REFERENCE, is_sum: bool = False
    ) -> None:
        """Keep an array of counts, or the bytes of such an array, which need no NumPy.

        Raise ``TypeError`` for a wrong type, and ``ValueError`` if the number of columns does not fit `config`.
        """
        check_type("config", config, BleuConfig, "a BleuConfig")
        if type(table) is not bytearray:
            if not isinstance(table, np.ndarray) or table.dtype != np.int64:
                raise TypeError(f"table must be an array of int64, got {short_repr(table)}")
            n_columns = columns_of(config).number
            if table.shape[1:] != (n_columns,):
                raise ValueError(f"table must have the shape (rows, {n_columns}), got {table.shape}")
        vars(self).update(_counts=table, config=config, nrefs=nrefs, is_sum=is_sum)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("statistics cannot be changed: build new ones, as in BleuStatistics(table, config)")

    @computed_once
    def table(self) -> Ints:
        """The counts: an int64 array of shape (rows, columns)."""
        if not isinstance(self._counts, bytearray):
            return self._counts
        counts = np.frombuffer(self._counts, np.int64)
        return counts.reshape(-1, columns_of(self.config).number)

    def _changed(self, **fields: Any) -> BleuStatistics:
        """Return a copy with other values of some fields."""
        known = {"table": self._counts, "config": self.config, "nrefs": self.nrefs, "is_sum": self.is_sum}
        return BleuStatistics(**{**known, **fields})

    def __reduce__(self) -> Any:
        return _of_pickle, (VERSION, self.table, self.config, self.nrefs, self.is_sum)

    @property
    def n_last_columns(self) -> int:  # type: ignore[override]
        """Number of columns at the end that describe the last segment."""
        return len(LAST_SEGMENT_COLUMNS) if depends_on_segment_order(self.config) else 0

    def score_sums(self, sums: Array) -> Floats:
        """Return the corpus scores of sums of rows: shape (…, columns) -> (…,)."""
        return bleu_of_rows(sums.astype(np.int64), self.config)

    def summable(self) -> MetricStatistics:
        """Return these statistics or, with ``average="sentence"``, the statistics of the sentence scores."""
        if self.config.average == "corpus":
            return self
        return mean_statistics(BLEU, score_sentences(self), self.signature())

    def difference_from(self, other: MetricStatistics) -> str:
        """Return how the configurations differ, as in "counted in different ways: …", or "" if they are equal."""
        if not isinstance(other, BleuStatistics):
            return super().difference_from(other)
        if self.config == other.config:
            return ""
        differences = describe_differences(self.config, other.config)
        return f"counted in different ways: {differences}; use the same options"

    def _by_name(self) -> Counted:
        """Return the columns of the table by name, without a copy."""
        return counted(self.table.T, self.config.max_order)

    @property
    def matches(self) -> Ints:
        """Clipped matches: an int64 array of shape (rows, orders).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b d"], max_order=2).matches
        array([[2, 1]])
        """
        return self._by_name().matches.T  # type: ignore[no-any-return]

    @property
    def totals(self) -> Ints:
        """Numbers of n-grams of the predictions: an int64 array of shape (rows, orders).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b d"], max_order=2).totals
        array([[3, 2]])
        """
        return self._by_name().totals.T  # type: ignore[no-any-return]

    @property
    def lengths(self) -> Ints:
        """Translation lengths in tokens: an int64 array of shape (rows,).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b"]).lengths
        array([3])
        """
        return self._by_name().length  # type: ignore[no-any-return]

    @property
    def reference_lengths(self) -> Ints:  # type: ignore[override]
        """Effective reference lengths: an int64 array of shape (rows,). `BleuStatistics` explains the unit.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b"]).reference_lengths
        array([2])
        """
        return self._by_name().reference_length  # type: ignore[no-any-return]

    def __len__(self) -> int:
        if not isinstance(self._counts, bytearray):
            return len(self._counts)
        bytes_per_row = 8 * columns_of(self.config).number  # counts are int64
        return len(self._counts) // bytes_per_row

    def __getitem__(self, rows: slice | Array) -> BleuStatistics:
        """Return the statistics of the segments that a slice, a mask or an array of indices selects.

        Raise ``IndexError`` for an index out of range, and ``ValueError`` if these statistics are a sum.
        """
        require_segments(self, "pick segments")
        if not (isinstance(rows, slice) or _is_index(rows)):
            raise TypeError(f"pick segments with a slice or an array, e.g. statistics[:10], got {short_repr(rows)}")
        return self._changed(table=self.table[rows])

    def __add__(self, other: BleuStatistics) -> BleuStatistics:
        if not isinstance(other, BleuStatistics):
            return NotImplemented
        return merge_statistics([self, other])

    def __radd__(self, other: object) -> BleuStatistics:
        return self if other == 0 else NotImplemented  # `sum` begins with 0 + statistics

    def sum(self) -> BleuStatistics:
        """Sum all rows. The resulting table has the shape (1, columns), or (0, columns) if there are no segments.

        Raise ``ValueError`` for ``average="sentence"``, because its score needs a row per segment.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).sum().table
        array([[2, 3, 3, 3]])
        """
        if self.is_sum or not len(self):
            return self

        if self.config.average == "sentence":
            raise ValueError(
                "average='sentence' is the mean of sentence scores, which needs one row per segment and not a sum"
            )
        total = sum_of_rows(self.table, columns_of(self.config))
        return self._changed(table=total[np.newaxis], is_sum=True)

    def group_by(self, groups: Any) -> dict[Label, BleuStatistics]:
        """Sum the rows of each group of segments. With ``average="sentence"``, keep the rows of each group instead.

        Args:
            groups: one label per segment, strings or integers, as a list, array or column.

        Returns:
            A dict of label -> statistics of the group, in the order in which the labels first occur. The groups keep
            the ``nrefs`` of the whole corpus.

        Raises:
            TypeError, ValueError: in the same cases as `score_groups`.

        >>> from bleu_metric import corpus_statistics
        >>> groups = corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).group_by(["news", "chat"])
        >>> {label: statistics.table.tolist() for label, statistics in groups.items()}
        {'news': [[2, 2, 2, 2]], 'chat': [[0, 1, 1, 1]]}
        """
        require_segments(self, "group segments")
        rows_of_groups = rows_by_group(groups, len(self))
        statistics_of_groups = {label: self[rows] for label, rows in rows_of_groups.items()}
        if self.config.average == "sentence":
            return statistics_of_groups
        return {label: statistics.sum() for label, statistics in statistics_of_groups.items()}

    def score(self, **options: Unpack[BleuOptions]) -> BleuScore:
        """Return the score of all segments together, as the function `bleu_metric.score` does.

        Args:
            **options: fields of `BleuConfig` that need no new count, as for `bleu_metric.score`.

        Returns:
            The score.

        Raises:
            ValueError: there are no segments, or an option needs a new count.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b", "c"], ["a b", "d"], max_order=1).score().bleu
        0.6666666666666666
        """
        return score(self, **options)

    def __repr__(self) -> str:
        size = "a sum" if self.is_sum else amount(len(self), "segment")
        matches = join_first([f"{count:,}" for count in self.matches.sum(axis=0)])
        totals = join_first([f"{count:,}" for count in self.totals.sum(axis=0)])
        tokens = amount(int(self.lengths.sum()), "token")
        return f"<BleuStatistics of {size}, {tokens}, matches {matches} of {totals}>"

    def signature(self) -> Signature:
        """Return the signature, which begins with the number of references per segment, or ``var`` if this varies.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a"], [["a", "b"]]).signature().split("|")[:2]
        ['nrefs:2', 'tok:13a']
        """
        return signature_of(self.config, self.nrefs)

    def to_table(self) -> pa.Table:
        """Build an Arrow table of int64 columns. The metadata contains the signature and a checksum of the rows.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b"], ["a b"], max_order=1).to_table().column_names
        ['matches_1', 'totals_1', 'translation_length', 'reference_length']
        """
        arrays = [pa.array(np.ascontiguousarray(column)) for column in self.table.T]
        table = pa.table(arrays, column_names(self.config))
        facts = {
            "format": _FORMAT,
            "signature": self.config.signature(),
            "sum": str(self.is_sum),
            "nrefs": "-".join(map(str, self.nrefs)),
        }
        facts["checksum"] = checksum(table, facts)
        return table.replace_schema_metadata({_PREFIX + name: value for name, value in facts.items()})

    @classmethod
    def from_table(cls, table: pa.Table, config: BleuConfig | None = None) -> BleuStatistics:
        """Read statistics from a table that `to_table` built.

        Args:
            table: an Arrow table.
            config: the configuration with which the rows were counted. Pass it if the metadata was lost (as in
                `Dataset.map`), if rows were added or removed, or if the tokenizer is a function.

        Returns:
            The statistics.

        Raises:
            TypeError: the value is not an Arrow table.
            ValueError: `to_table` did not build the table, or the table was changed and ``config`` is not given.

        >>> from bleu_metric import corpus_statistics
        >>> BleuStatistics.from_table(corpus_statistics(["a b"], ["a b"], max_order=1).to_table()).table
        array([[2, 2, 2, 2]])
        """
        return cls._from_table(table, config, accepts_changed=config is not None)

    @classmethod
    def _from_table(cls, table: pa.Table, config: BleuConfig | None, accepts_changed: bool) -> BleuStatistics:
        """Read a table. `accepts_changed`: whether rows may have been added, removed or changed."""
        if not isinstance(table, pa.Table):
            raise TypeError(f"BLEU statistics are read from an Arrow table, got {type(table).__name__}")

        facts = facts_of_table(table)
        is_unchanged = facts.pop("checksum", None) == checksum(table, facts)
        signature = facts.get("signature", "")
        _check_signature(signature, config)
        if not (is_unchanged or accepts_changed):
            raise ValueError(
                "the rows of this table do not match its metadata, because the table was concatenated, sliced or "
                "damaged. Instead of concatenating tables, add the statistics with +. If all rows were counted with "
                "the same configuration, pass it: BleuStatistics.from_table(table, config=…)"
            )

        # The signature of a damaged table is not read
        known_config = BleuConfig.from_signature(signature) if config is None else config
        rows = from_arrow(table, known_config)
        is_sum = facts.get("sum") == "True"
        _check_counts(rows, known_config, are_sums=is_sum)
        if is_sum and len(rows) != 1:
            raise ValueError(
                f"a sum has one row, but this table has {len(rows)}: add sums with +, do not concatenate tables"
            )
        # The metadata of a changed table describes other rows
        nrefs = parse_references(facts.get("nrefs", "")) if is_unchanged else UNKNOWN
        return cls(rows, known_config, nrefs, is_sum)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the statistics to a Parquet file, completely or not at all. An existing file is replaced.

        If the tokenizer is a function, pass ``config=`` to `load` to read the file.

        Args:
            path: the file.

        Raises:
            OSError: the file cannot be written.

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
            config: the configuration with which the rows were counted; needed if the tokenizer is a function.

        Returns:
            The statistics.

        Raises:
            ValueError: the file is damaged, `save` did not write it, or it is from a version of bleu_metric whose
                counts may differ.
            OSError: the file cannot be opened.

        >>> BleuStatistics.load(os.devnull)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ValueError: ...null is not a complete file of BLEU statistics (0 bytes): ...
        """
        table = read_table(path)
        try:
            return cls._from_table(table, config, accepts_changed=False)
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from error


def _of_pickle(version: str, *fields: Any) -> BleuStatistics:
    """Build pickled statistics. `version`: the version of bleu_metric that counted the texts."""
    refuse_other_version(version)
    return BleuStatistics(*fields)


def check_statistics(name: str, value: object, accepted: type = BleuStatistics, or_else: str = "") -> None:
    """Raise ``TypeError`` for a value of another type. `or_else`: what the caller may pass instead."""
    if not isinstance(value, accepted):
        raise TypeError(
            f"{name} must be BleuStatistics, got {type(value).__name__}; count the texts first, with "
            f"corpus_statistics(predictions, references){or_else}"
        )


def _is_index(value: object) -> bool:
    """Return whether the value is an array or a list of indices or Booleans."""
    if isinstance(value, list):
        return all(isinstance(item, (int, np.integer)) for item in value)
    # NumPy's kinds: i for signed integers, u for unsigned integers, b for Booleans
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iub"


def require_segments(statistics: MetricStatistics, action: str) -> None:
    """Raise ``ValueError`` if the statistics are a sum. `action`: what needs segments, such as "pick segments"."""
    if statistics.is_sum:
        raise ValueError(f"cannot {action}: these statistics are a sum; use them before .sum() is called")


def score(statistics: BleuStatistics, **options: Unpack[BleuOptions]) -> BleuScore:
    """Compute the score of all segments together, or the mean of the sentence scores with ``average="sentence"``.

    Args:
        statistics: the result of `corpus_statistics`, or a sum of such results.
        **options: fields of `BleuConfig` that replace the options of the statistics, for example `weights`,
            `smoothing`, or a lower `max_order`.

    Returns:
        The same score as `corpus_bleu` returns for the texts with these options.

    Raises:
        TypeError: the value is not `BleuStatistics`, or an option has the wrong type.
        ValueError: there are no segments; the texts must be counted again for an option, for example for another
            tokenizer; or the score is not finite, because the weights or the smoothing value are too large.

    >>> from bleu_metric import corpus_statistics
    >>> statistics = corpus_statistics(["a b"], ["a b"], max_order=2) + corpus_statistics(["a"], ["c"], max_order=2)
    >>> score(statistics).counts
    [2, 1]
    >>> [round(score(statistics, weights=weights).bleu, 4) for weights in ([1.0], [0.5, 0.5])]
    [0.6667, 0.8165]
    """
    check_statistics("statistics", statistics)
    if options:
        statistics = with_options(statistics, options)
    if not len(statistics):
        raise ValueError("these statistics have no segments to score")

    config = statistics.config
    counts = counted(total_row(statistics), config.max_order)
    bleu, precisions, brevity_penalty = bleu_of_counts(counts, config, is_sentence=False)
    if config.average == "sentence":
        bleu = float(score_sentences(statistics).mean())

    reference_length = counts.reference_length
    units = units_per_token(config.reference_length)
    if units > 1:  # if the unit is a token, the length stays an integer
        reference_length /= units
    return BleuScore(
        bleu=bleu,
        precisions=precisions,
        brevity_penalty=brevity_penalty,
        length_ratio=counts.length / reference_length if reference_length else 0.0,
        translation_length=counts.length,
        reference_length=reference_length,
        counts=counts.matches,
        totals=counts.totals,
        signature=statistics.signature(),
    )


def with_options(statistics: BleuStatistics, options: Mapping[str, Any]) -> BleuStatistics:
    """Return statistics with the same counts and other options. A lower `max_order` drops columns of the table.

    Raise ``ValueError`` if the texts must be counted again for an option.
    """
    old = statistics.config
    new = old.with_options(with_tokenizer(options))
    if new.average == "sentence":
        require_segments(statistics, "average sentence scores")

    counting_options = [*_COUNTING_OPTIONS]
    if new.max_order > old.max_order:
        counting_options.append("max_order")
    if "segment" in (old.total_floor, new.total_floor):
        counting_options.append("total_floor")
    if depends_on_segment_order(new) and not depends_on_segment_order(old):
        counting_options.append("smoothing")
    for option in counting_options:
        old_value, new_value = getattr(old, option), getattr(new, option)
        if old_value != new_value:
            raise ValueError(
                f"these statistics were counted with {option}={old_value!r}, so {option}={new_value!r} needs a new "
                f"count: corpus_statistics(predictions, references, {option}={new_value!r})"
            )

    table = statistics.table
    if columns_of(new) != columns_of(old):
        counts = counted(table.T, old.max_order)
        orders = slice(new.max_order)
        columns = [*counts.matches[orders], *counts.totals[orders], counts.length, counts.reference_length]
        if depends_on_segment_order(new):
            columns += list(counts.last_segment)
        table = np.column_stack(columns)
    return statistics._changed(table=table, config=new)


def total_row(statistics: BleuStatistics) -> list[int]:
    """Return the sum of all rows as a list of counts. A sum from the kernel needs no NumPy."""
    counts = statistics._counts
    if statistics.is_sum and isinstance(counts, bytearray):
        return memoryview(counts).cast("q").tolist()  # "q" means int64
    return sum_of_rows(statistics.table, columns_of(statistics.config)).tolist()  # type: ignore[no-any-return]


def orders_of(config: BleuConfig) -> range:
    """Return the orders of `score_orders`. Raise ``ValueError`` for weights, because each order has its own."""
    if config.weights is not None:
        raise ValueError(f"{typed('all_orders')} has equal weights: leave out {typed('weights')}")
    return range(1, config.max_order + 1)


def score_orders(statistics: BleuStatistics) -> dict[str, float]:
    """Compute BLEU-1 to BLEU-n, the scores with ``max_order`` from 1 to n, where n is the order of the statistics.

    >>> from bleu_metric import corpus_statistics
    >>> score_orders(corpus_statistics(["a b c"], ["a b c d"], max_order=2))
    {'bleu_1': 0.7165313105737893, 'bleu_2': 0.7165313105737893}
    """
    return {f"bleu_{order}": score(statistics, max_order=order).bleu for order in orders_of(statistics.config)}


def score_sentences(statistics: BleuStatistics) -> Floats:
    """Return one score per row, shape (rows,)."""
    require_segments(statistics, "score sentences")
    return bleu_of_rows(statistics.table, statistics.config, sentences=True)


def refuse_different(first: BleuConfig, second: BleuConfig) -> None:
    """Raise ``ValueError`` if two configurations differ, so that their statistics cannot be added."""
    if first is not second and first != second:  # comparing all options takes 2 µs
        raise ValueError(
            "statistics that were counted in different ways cannot be added: "
            f"{describe_differences(first, second)}; count both with the same options"
        )


def merge_statistics(parts: Sequence[BleuStatistics]) -> BleuStatistics:
    """Add statistics in the given order, as ``+`` does. Raise ``ValueError`` if the configurations differ."""
    first = parts[0]
    for part in parts:
        refuse_different(first.config, part.config)
    if len(parts) == 1:
        return first

    table = np.concatenate([part.table for part in parts])
    nrefs = join_references([part.nrefs for part in parts])
    merged = BleuStatistics(table, first.config, nrefs)
    has_sum = any(part.is_sum for part in parts)
    return merged.sum() if has_sum else merged
