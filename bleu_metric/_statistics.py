"""`BleuStatistics`: the counts of each segment, which can be added, saved, loaded and scored.

They are saved as Arrow tables with a seal, in Parquet files. A table's metadata contains the signature, other facts,
and the seal: a digest of all counts and of the other metadata. If a table is concatenated, sliced or damaged, it keeps
its metadata, but the seal no longer matches. Parquet is used because it stores small numbers in a few bytes, and many
programs can read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from ._config import (
    COUNTS_ALIKE,
    VERSION,
    BleuConfig,
    BleuOptions,
    check_config,
    columns_of,
    depends_on_segment_order,
    describe_differences,
)
from ._display import Readable, Summary, amount, join_first, shorten
from ._files import read_table, write_table
from ._formula import ONE_REFERENCE, CountTable, References, bleu_of_row, bleu_of_sentences, column_names
from ._labels import Label, rows_by_group
from ._languages import with_tokenizer
from ._lazy import np, pa
from ._rules import units_per_token
from ._score import BleuScore, signature_of
from ._tokens import Tokenization
from ._validation import Array, Floats, Ints, short_repr

_PREFIX = "bleu_metric."
_SEAL = "seal"


def to_arrow(rows: Ints, config: BleuConfig) -> pa.Table:
    """Build a table of named int64 columns from counts of shape (rows, columns)."""
    arrays = [pa.array(np.ascontiguousarray(column)) for column in rows.T]
    return pa.table(arrays, column_names(config))


def from_arrow(table: pa.Table, config: BleuConfig) -> Ints:
    """Return the counts in a table that `to_arrow` built, as an array of shape (rows, columns).

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


def seal_table(table: pa.Table, config: BleuConfig, **facts: object) -> pa.Table:
    """Return the table with the signature, `facts` and the seal in its metadata. Facts are stored as strings."""
    known_facts = {"signature": config.signature()}
    known_facts |= {name: str(value) for name, value in facts.items()}
    known_facts[_SEAL] = _digest(table, known_facts)
    metadata = {_PREFIX + name: value for name, value in known_facts.items()}
    return table.replace_schema_metadata(metadata)


def table_facts(table: pa.Table) -> dict[str, str]:
    """Read the facts that `seal_table` wrote into the metadata. If there are none, return an empty dict."""
    facts = {}
    metadata = table.schema.metadata or {}  # Arrow returns None if there is none
    for key, value in metadata.items():
        name = key.decode(errors="replace")
        if name.startswith(_PREFIX):
            facts[name.removeprefix(_PREFIX)] = value.decode(errors="replace")
    return facts


def config_of_table(table: pa.Table, config: BleuConfig | None) -> BleuConfig:
    """Return the configuration with which a table was counted: `config` or, if it is None, that of the metadata.

    Raise ``ValueError`` if neither exists, or if `config` contradicts the signature in the metadata. If `config` is
    None, the signature is used only if the seal matches.
    """
    signature = table_facts(table).get("signature", "")
    if config is None:
        return _config_named_in(table, signature)

    check_config(config)
    passed_signature = config.signature()
    if signature and signature != passed_signature:
        raise ValueError(
            f"the table was counted with {shorten(signature, 140)}, but config is {shorten(passed_signature, 140)}; "
            "pass the configuration that counted the table"
        )
    return config


def _config_named_in(table: pa.Table, signature: str) -> BleuConfig:
    """Read the configuration from the signature in a table's metadata. Raise ``ValueError`` if this is impossible."""
    if not signature:
        raise ValueError("this Arrow table does not hold BLEU statistics: its metadata has no signature")

    # `key` is empty if the signature has no version
    _, key, version = f"|{signature}".rpartition("|version:")
    refuse_other_version(version if key else "unknown")
    refuse_changed(table)
    return BleuConfig.from_signature(signature)


def refuse_other_version(version: str) -> None:
    """Raise ``ValueError`` if this version of bleu_metric may count otherwise than the given version."""
    if version not in COUNTS_ALIKE:
        raise ValueError(
            f"these statistics were counted by version {shorten(version, 30)} of bleu_metric, but this is version "
            f"{VERSION}, whose counts may differ: count again. These versions have equal counts: "
            f"{', '.join(COUNTS_ALIKE)}"
        )


def is_sealed(table: pa.Table) -> bool:
    """Return whether the table and its metadata are unchanged since `seal_table`. Without a seal, return False."""
    facts = table_facts(table)
    seal = facts.pop(_SEAL, "")
    return seal == _digest(table, facts)


def refuse_changed(table: pa.Table) -> None:
    """Raise ``ValueError`` if the table or its metadata has changed since `seal_table`."""
    if not is_sealed(table):
        raise ValueError(
            "the rows of this table do not match its metadata, because the table was concatenated, sliced or "
            "damaged. Instead of concatenating tables, add the statistics with +. If all rows were counted with the "
            "same configuration, pass it: BleuStatistics.from_table(table, config=…)"
        )


def _digest(table: pa.Table, facts: Mapping[str, str]) -> str:
    """Return the seal of a table: a digest of its columns and of `facts`, as hexadecimal digits."""
    # Imported here, because it loads OpenSSL, which would add 3 ms to every import of the package
    import hashlib

    sorted_facts = json.dumps(sorted(facts.items()))
    digest = hashlib.sha256(sorted_facts.encode())

    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(f"{name} {len(column)} ".encode())
        digest.update(_bytes_of(column))

    return digest.hexdigest()


def _bytes_of(column: pa.ChunkedArray) -> bytes:
    """Return all values of a column as bytes. The seals in files depend on these bytes."""
    if column.type == pa.int64() and not column.null_count:
        return column.to_numpy().astype("<i8").tobytes()  # type: ignore[no-any-return]

    # Not a column of `to_arrow`: somebody has changed the table
    return json.dumps(column.to_pylist(), default=str).encode()


# --- Statistics -----------------------------------------------------------------------------------------------------

# `with_options` adds others that determine the counts in some cases
_COUNTING_OPTIONS = (*Tokenization._fields, "unit", "reference_length")


@dataclass(frozen=True, eq=False, repr=False)
class BleuStatistics(Readable):
    """Integer counts: a table with one row per segment, or a table whose only row is the sum over all segments.

    ``table`` is an int64 array of shape (rows, columns). Its columns are the clipped matches of n-gram orders 1 to N,
    the numbers of n-grams of orders 1 to N, the translation length and the effective reference length. Both lengths are
    in tokens, except the reference length with ``reference_length="average"``, which is in units of 1/720720 token.
    NLTK's smoothing methods 5 to 7 depend on the last segment. For them, the table has three more columns that describe
    this segment.

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

    table: Ints
    config: BleuConfig
    nrefs: References = ONE_REFERENCE
    """Smallest and largest number of references per segment of the corpus; (0, 0) if they are not known."""
    is_sum: bool = False
    """``True`` if the only row is the sum of all segments."""
    # The bytes from which `table` is built when it is first used; None if the caller passed the table
    _table_bytes: ClassVar[bytearray | None] = None

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for a wrong type, and ``ValueError`` if the number of columns does not fit `config`."""
        check_config(self.config)

        table = self.table
        if not isinstance(table, np.ndarray) or table.dtype != np.int64:
            raise TypeError(f"table must be an array of int64, got {short_repr(table)}")
        n_columns = columns_of(self.config).number
        if table.shape[1:] != (n_columns,):
            raise ValueError(f"table must have the shape (rows, {n_columns}), got {table.shape}")

        nrefs = References(*self.nrefs)  # `nrefs` may be a plain tuple
        # Attributes of a frozen dataclass cannot be assigned
        object.__setattr__(self, "nrefs", nrefs)

    # Type checkers must not see `__getattr__`, or they would accept any attribute
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Build `table` when it is first used. Raise the usual error for any other name."""
            if name != "table" or self._table_bytes is None:
                return object.__getattribute__(self, name)

            counts = np.frombuffer(self._table_bytes, np.int64)
            n_columns = columns_of(self.config).number
            table = counts.reshape(-1, n_columns)
            return vars(self).setdefault(name, table)  # if another thread was faster, use its table

    def __reduce__(self) -> Any:
        return _of_pickle, (VERSION, self.table, self.config, self.nrefs, self.is_sum)

    @property
    def matches(self) -> Ints:
        """Clipped matches: an int64 array of shape (rows, orders).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b d"], max_order=2).matches
        array([[2, 1]])
        """
        return count_table(self).matches

    @property
    def totals(self) -> Ints:
        """Numbers of n-grams of the predictions: an int64 array of shape (rows, orders).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b d"], max_order=2).totals
        array([[3, 2]])
        """
        return count_table(self).totals

    @property
    def lengths(self) -> Ints:
        """Translation lengths in tokens: an int64 array of shape (rows,).

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b"]).lengths
        array([3])
        """
        return count_table(self).lengths

    @property
    def reference_lengths(self) -> Ints:
        """Effective reference lengths: an int64 array of shape (rows,). `BleuStatistics` explains their unit.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b c"], ["a b"]).reference_lengths
        array([2])
        """
        return count_table(self).reference_lengths

    def __len__(self) -> int:
        if self._table_bytes is None:
            return len(self.table)

        # Do not build `table`, which would import NumPy
        bytes_per_row = 8 * columns_of(self.config).number  # counts are int64
        return len(self._table_bytes) // bytes_per_row

    def __getitem__(self, rows: slice | Array) -> BleuStatistics:
        """Return the statistics of the segments that a slice, a mask or an array of indices selects.

        Raise ``IndexError`` for an index out of range, and ``ValueError`` if these statistics are a sum.
        """
        require_segments(self, "pick segments")
        if not (isinstance(rows, slice) or _is_index(rows)):
            raise TypeError(f"pick segments with a slice or an array, e.g. statistics[:10], got {short_repr(rows)}")
        return replace(self, table=self.table[rows])

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
        total = count_table(self).sum().rows
        return replace(self, table=total[np.newaxis], is_sum=True)

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

    def _summary(self) -> Summary:
        size = "a sum" if self.is_sum else amount(len(self), "segment")
        size += f", {amount(int(self.lengths.sum()), 'token')}"

        matches = join_first([f"{count:,}" for count in self.matches.sum(axis=0)])
        totals = join_first([f"{count:,}" for count in self.totals.sum(axis=0)])
        counts = f"matches {matches} of {totals}"

        return Summary(
            line=f"of {size}, {counts}",
            headline=f"BLEU statistics of {size}",
            notes=[counts, self.signature()],
        )

    def signature(self) -> str:
        """Return the signature. It begins with the number of references per segment, or ``var`` if the number varies.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a"], [["a", "b"]]).signature().split("|")[:2]
        ['nrefs:2', 'tok:13a']
        """
        return signature_of(self.config, self.nrefs)

    def to_table(self) -> pa.Table:
        """Build an Arrow table of int64 columns. Its metadata contains the signature and a digest of the rows.

        >>> from bleu_metric import corpus_statistics
        >>> corpus_statistics(["a b"], ["a b"], max_order=1).to_table().column_names
        ['matches_1', 'totals_1', 'translation_length', 'reference_length']
        """
        table = to_arrow(self.table, self.config)
        return seal_table(table, self.config, sum=self.is_sum, nrefs=self.nrefs.to_text())

    @classmethod
    def from_table(cls, table: pa.Table, config: BleuConfig | None = None) -> BleuStatistics:
        """Read statistics from a table that `to_table` built.

        Args:
            table: an Arrow table.
            config: the configuration with which the rows were counted. Pass it in three cases: the metadata was lost
                (as in `Dataset.map`), rows were added or removed, or the tokenizer is a function.

        Returns:
            The statistics.

        Raises:
            TypeError: the value is not an Arrow table.
            ValueError: `to_table` did not build the table, or the table was changed and ``config`` is not given.

        >>> from bleu_metric import corpus_statistics
        >>> BleuStatistics.from_table(corpus_statistics(["a b"], ["a b"], max_order=1).to_table()).table
        array([[2, 2, 2, 2]])
        """
        if not isinstance(table, pa.Table):
            raise TypeError(f"BLEU statistics are read from an Arrow table, got {type(table).__name__}")

        facts = table_facts(table)
        known_config = config_of_table(table, config)
        rows = from_arrow(table, known_config)
        is_sum = facts.get("sum") == "True"

        CountTable(rows, known_config).check(are_sums=is_sum)
        if is_sum and len(rows) != 1:
            raise ValueError(
                f"a sum has one row, but this table has {len(rows)}: add sums with +, do not concatenate tables"
            )

        # 0-0: the number of references is not known
        nrefs = References.parse(facts.get("nrefs", "0-0"))
        # If rows were added or removed, the metadata describes other rows
        if config is not None and not is_sealed(table):
            nrefs = References()
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
            statistics = cls.from_table(table, config)
            # `from_table` does not check it if `config` is given
            refuse_changed(table)
            return statistics
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from error


def _of_pickle(version: str, *fields: Any) -> BleuStatistics:
    """Build pickled statistics. `version`: of bleu_metric, which counted them."""
    refuse_other_version(version)
    return BleuStatistics(*fields)


def count_table(statistics: BleuStatistics) -> CountTable:
    """Return the counts as a `CountTable`, whose columns have names."""
    return CountTable(statistics.table, statistics.config)


def check_statistics(name: str, statistics: object) -> None:
    """Raise ``TypeError`` for a value that is not `BleuStatistics`."""
    if not isinstance(statistics, BleuStatistics):
        raise TypeError(
            f"{name} must be BleuStatistics, got {type(statistics).__name__}; count the texts first, with "
            "corpus_statistics(predictions, references)"
        )


def _is_index(value: object) -> bool:
    """Return whether the value is an array of indices or of Booleans, or a list of them."""
    if isinstance(value, list):
        return all(isinstance(item, (int, np.integer)) for item in value)
    # The kinds of NumPy are i for signed integers, u for unsigned ones and b for Booleans
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iub"


def require_segments(statistics: BleuStatistics, action: str) -> None:
    """Raise ``ValueError`` if the statistics are a sum. `action`: words for the message, such as "pick segments"."""
    if statistics.is_sum:
        raise ValueError(f"cannot {action}: these statistics are a sum; use them before .sum() is called")


def score(statistics: BleuStatistics, **options: Unpack[BleuOptions]) -> BleuScore:
    """Compute the score of all segments together, or the mean of the sentence scores with ``average="sentence"``.

    Args:
        statistics: the result of `corpus_statistics`, or a sum of such results.
        **options: fields of `BleuConfig`, which override those with which the texts were counted, for example
            `weights`, `smoothing`, or a lower `max_order`.

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
    total = total_row(statistics)
    row_score = bleu_of_row(total, config)
    bleu = row_score.bleu
    if config.average == "sentence":
        sentence_scores = bleu_of_sentences(count_table(statistics))
        bleu = float(sentence_scores.mean())

    # A row has the matches of each order, the number of n-grams of each order, and then the two lengths
    n_orders = config.max_order
    length, reference_units = total[2 * n_orders : 2 * n_orders + 2]
    units = units_per_token(config.reference_length)
    length_ratio = length * units / reference_units if reference_units else 0.0
    # If the unit is a token, the length stays an integer
    reference_length = reference_units if units == 1 else reference_units / units

    return BleuScore(
        bleu=bleu,
        precisions=row_score.precisions,
        brevity_penalty=row_score.brevity_penalty,
        length_ratio=length_ratio,
        translation_length=length,
        reference_length=reference_length,
        counts=total[:n_orders],
        totals=total[n_orders : 2 * n_orders],
        signature=statistics.signature(),
    )


def with_options(statistics: BleuStatistics, options: Mapping[str, Any]) -> BleuStatistics:
    """Return the same counts with other options, which may need fewer columns of the table.

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
        counts = count_table(statistics)
        orders = slice(new.max_order)
        columns = [counts.matches[:, orders], counts.totals[:, orders], counts.lengths, counts.reference_lengths]
        if depends_on_segment_order(new):
            columns.append(counts.last_segment)
        table = np.column_stack(columns)
    return replace(statistics, table=table, config=new)


def total_row(statistics: BleuStatistics) -> list[int]:
    """Return the sum of all rows as a list of counts. If the kernel has already summed them, do not import NumPy."""
    table_bytes = statistics._table_bytes
    if statistics.is_sum and table_bytes is not None:
        return memoryview(table_bytes).cast("q").tolist()  # "q" means int64
    total: list[int] = count_table(statistics).sum().rows.tolist()
    return total


def score_sentences(statistics: BleuStatistics) -> Floats:
    """Return one score per row, shape (rows,)."""
    require_segments(statistics, "score sentences")
    return bleu_of_sentences(count_table(statistics))


def statistics_of_bytes(table_bytes: bytearray, config: BleuConfig, nrefs: References, is_sum: bool) -> BleuStatistics:
    """Build statistics from the bytes of an int64 table. NumPy is imported only when the table is used."""
    # This does not call `__post_init__`, which needs NumPy
    statistics = object.__new__(BleuStatistics)
    vars(statistics).update(_table_bytes=table_bytes, config=config, nrefs=nrefs, is_sum=is_sum)
    return statistics


def refuse_different(first: BleuConfig, second: BleuConfig) -> None:
    """Raise ``ValueError`` if two configurations, of statistics that shall be added, differ."""
    if first != second:
        raise ValueError(
            "statistics that were counted in different ways cannot be added: "
            f"{describe_differences(first, second)}; count both with the same options"
        )


def merge_statistics(parts: Sequence[BleuStatistics]) -> BleuStatistics:
    """Add statistics in the given order, as ``+`` does. Raise ``ValueError`` if their configurations differ."""
    first = parts[0]
    for part in parts:
        refuse_different(first.config, part.config)
    if len(parts) == 1:
        return first

    table = np.concatenate([part.table for part in parts])
    nrefs = References.of_parts([part.nrefs for part in parts])
    merged = BleuStatistics(table, first.config, nrefs)
    has_sum = any(part.is_sum for part in parts)
    return merged.sum() if has_sum else merged
