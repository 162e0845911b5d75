"""Count a corpus in one pass: split the corpus into batches of rows, count each batch, and merge the counts.

Several threads count the batches. Each batch is counted once for all configurations with the same tokenization. The
definition is `_ngrams`, in plain Python. The optional compiled kernel returns the same numbers about 60 times as fast.

The kernel is the extension module `_bleu_metric_kernel`, compiled from `_kernel.c`. The kernel is installed beside the
package, because `evaluate.load` copies the package, and the copy must also find the kernel. The kernel reads plain
lists, and declines rows that are not as expected. `Corpus.checked` then reads the rows, or raises the error that names
the wrong one.
"""

from __future__ import annotations

import importlib
import os
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

from ._config import BleuConfig, Columns, columns_of, tokenization_of
from ._corpus import NO_TOKENS, Corpus, Kind, offsets_of, refuse_rows_without_reference
from ._formula import SAME_FOR_ONE_REFERENCE, effective_lengths
from ._lazy import np
from ._ngrams import Tokens, clipped_matches, closest_length, most_in_one
from ._statistics import (
    ONE_REFERENCE,
    BleuStatistics,
    merge_statistics,
    references_of,
    segment_row,
    sum_of_rows,
)
from ._threads import in_threads, thread_count
from ._tokens import (
    LOOK,
    WHITESPACE,
    Rewriting,
    Tokenization,
    Tokenizer,
    classes_of,
    lowering,
    preparation,
    tokenize,
)
from ._validation import Ints, unknown_message

INTERFACE = 5  # version of the kernel's interface; a kernel with another number is ignored
VARIABLE = "BLEU_METRIC_ENGINE"
ENGINES = ("native", "python")
_SEED = os.urandom(16)  # random key of the kernel's hashes, so that nobody can choose tokens that collide
_CODE_POINTS = 0x110000  # number of code points of Unicode
_UNKNOWN = 0  # in a table of the kernel: the class of a character that no text had before
_IN_ENTITIES = "&<\n"  # each string that `rewrite_entities` replaces starts or ends with one of these characters

_MOST_SEGMENTS_PER_BATCH = 4000  # more would exceed the processor's cache; fewer would need more Python calls
_MOST_CELLS_PER_BATCH = 1 << 18  # segments * n-gram orders
_MOST_BYTES_PER_BATCH = 2 << 20  # bytes of text; a single segment may have more
_MOST_BYTES_PER_SEGMENT = 1 << 60
_SAMPLE_ROWS = 20  # number of rows from which the amount of text per row is estimated
_ROWS_WORTH_A_SAMPLE = 200  # fewer rows are not sampled, because they usually fit into one batch
_BYTES_OF_NUMBER = 8
_ZERO = bytes(_BYTES_OF_NUMBER)

# The columns of a table, and whether the table has one row per segment (True) or only the sum of all rows
ColumnsAndRows = tuple[Columns, bool]


class Counts(NamedTuple):
    """The counts of a batch. Arrays of int64 are stored as bytes, so that a few rows do not need NumPy."""

    fewest_references: int  # the smallest number of references of a segment
    most_references: int  # the largest number of references of a segment
    first_references: bytes  # index of each segment's first reference, then the number of all references
    per_text: bytes  # number of tokens in each text: all references, then the predictions, system by system
    tables: Sequence[bytearray]  # one per `ColumnsAndRows` and system; reference lengths by the rule "closest"


class TooMuchTextError(ValueError):
    """Raised if a batch has too much text to be counted at once."""


def count_corpus(
    corpus: Corpus, configs: Sequence[BleuConfig], keep_rows: bool = True, workers: int | None = None
) -> list[BleuStatistics]:
    """Count all rows of a corpus. Return [a1, a2, b1, b2] for the configurations a and b, and the systems 1 and 2.

    `keep_rows`: whether to keep the counts of each segment. If False, keep only the sum, except with
    ``average="sentence"``. `workers`: the number of threads; None means `thread_count()`.
    """
    n_segments = corpus.segments
    n_rows = 1 if n_segments == 1 else _rows_per_batch(corpus, configs)

    # Each thread slices its own rows, so that no other stored rows are in memory
    def count_from(first: int) -> list[list[BleuStatistics]]:
        return _count_part(corpus.part(first, min(first + n_rows, n_segments)), configs, keep_rows)

    # Starting a thread would take longer than counting a few texts
    if n_segments <= n_rows:
        return _merge_parts(count_from(0))
    parts = in_threads(count_from, range(0, n_segments, n_rows), workers or thread_count())
    return _merge_parts(list(chain.from_iterable(parts)))


def _rows_per_batch(corpus: Corpus, configs: Sequence[BleuConfig]) -> int:
    """Return a number of rows per batch within the limits for segments, counts and bytes of text."""
    highest_order = max([columns_of(config).highest_order for config in configs])
    limits = [_MOST_SEGMENTS_PER_BATCH, _MOST_CELLS_PER_BATCH // highest_order]
    if corpus.segments >= _ROWS_WORTH_A_SAMPLE:
        bytes_of_sample = _bytes_of((corpus.predictions[:_SAMPLE_ROWS], corpus.references[:_SAMPLE_ROWS]))
        bytes_per_row = max(1, bytes_of_sample // _SAMPLE_ROWS)
        limits.append(_MOST_BYTES_PER_BATCH // bytes_per_row)
    # The limits are for rows of two texts: a prediction and a reference
    texts_per_row = len(corpus.systems) + 1
    return max(1, 2 * min(limits) // texts_per_row)


def _bytes_of(item: Any) -> int:
    """Estimate the number of bytes of a text, or of all texts in nested lists."""
    if isinstance(item, (str, bytes)):
        return len(item)
    if isinstance(item, (list, tuple)):
        return sum(map(_bytes_of, item))
    return int(getattr(item, "nbytes", _BYTES_OF_NUMBER))


def _merge_parts(parts: Sequence[list[BleuStatistics]]) -> list[BleuStatistics]:
    """Merge statistics of consecutive parts of a corpus: [[a1, b1], [a2, b2]] -> [a1 + a2, b1 + b2]."""
    if len(parts) == 1:
        return parts[0]
    return [merge_statistics(of_parts) for of_parts in zip(*parts, strict=True)]


def _count_part(corpus: Corpus, configs: Sequence[BleuConfig], keep_rows: bool) -> list[list[BleuStatistics]]:
    """Count a batch, or its halves if the batch has too much text. Return one list of statistics per counted part.

    `corpus`: rows in Python lists, as `Corpus.part` returns them.
    """
    try:
        return [_count_batch(corpus, configs, keep_rows)]
    except TooMuchTextError:
        middle = corpus.segments // 2
        first_half, second_half = corpus.part(0, middle), corpus.part(middle, corpus.segments)
        return _count_part(first_half, configs, keep_rows) + _count_part(second_half, configs, keep_rows)


def _count_batch(corpus: Corpus, configs: Sequence[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count all rows at once. Raise `TooMuchTextError` for too much text, but never for a single row."""
    n_systems = len(corpus.systems)
    counted: list[list[BleuStatistics]] = [[] for _ in configs]  # statistics of each system, for each configuration
    for alike in _with_equal_tokenization(configs):
        tokenization = tokenization_of(configs[alike[0]])
        columns = tuple([(columns_of(configs[i]), keep_rows or configs[i].average == "sentence") for i in alike])
        counts = _count_lists(corpus, tokenization, columns)
        if counts is None:
            corpus = corpus.checked()  # raises the errors of wrong rows
            counts = _count_lists(corpus, tokenization, columns) or _count_tokens(corpus, tokenization, columns)

        # The first test is fast, but also finds other numbers, such as 256
        if _ZERO in counts.per_text and 0 in memoryview(counts.per_text).cast("q"):
            corpus.findings.add(NO_TOKENS)
        tables = iter(counts.tables)  # all systems for the first configuration, then all systems for the second, …
        for i, (_, has_rows) in zip(alike, columns, strict=True):
            for system in range(n_systems):
                statistics = _statistics(corpus, configs[i], counts, system, next(tables), is_sum=not has_rows)
                counted[i].append(statistics)
    return list(chain.from_iterable(counted))


def _with_equal_tokenization(configs: Sequence[BleuConfig]) -> list[list[int]]:
    """Return groups of indices of configurations that tokenize alike: [intl, 13a, intl] -> [[0, 2], [1]]."""
    if len(configs) == 1:
        return [[0]]  # comparing takes 1 µs, which counts for a single pair
    groups: list[list[int]] = []  # not a dict, because a tokenizer may be unhashable
    for index, config in enumerate(configs):
        for group in groups:
            if tokenization_of(configs[group[0]]) == tokenization_of(config):
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def _statistics(
    corpus: Corpus, config: BleuConfig, counts: Counts, system: int, table: bytearray, is_sum: bool
) -> BleuStatistics:
    """Return the statistics of one system. Replace the reference lengths if the rule is not "closest"."""
    references = counts.fewest_references, counts.most_references
    rule = config.reference_length
    has_closest = rule == "closest" or (references == ONE_REFERENCE and rule in SAME_FOR_ONE_REFERENCE)
    keeps_empty = config.empty_references == "empty"
    if has_closest and keeps_empty:
        return BleuStatistics(table, config, references, is_sum)

    # Index of each segment's first reference, and then the number of all references
    bounds: Ints = np.frombuffer(counts.first_references, np.int64)
    per_text: Ints = np.frombuffer(counts.per_text, np.int64)
    reference_lengths, lengths_of_predictions = np.split(per_text, bounds[-1:])
    lengths = lengths_of_predictions.reshape(-1, len(bounds) - 1)[system]
    if not keeps_empty:
        # No match changes, because a reference without tokens has no n-gram
        has_tokens = reference_lengths > 0
        reference_lengths = reference_lengths[has_tokens]
        bounds = offsets_of(has_tokens).take(bounds)  # number of references with tokens before each segment
        references_per_segment = np.diff(bounds)
        refuse_rows_without_reference(references_per_segment, corpus.name_rows("references"))
        references = references_of(references_per_segment)
    effective = effective_lengths(rule, lengths, reference_lengths, bounds)

    statistics = BleuStatistics(table, config, references, is_sum)
    column = statistics.reference_lengths  # a view of the table, so writing to it changes the table
    column[:] = effective.sum() if is_sum else effective
    return statistics


# --- The compiled kernel --------------------------------------------------------------------------------------------


try:
    _kernel: Any = importlib.import_module("_bleu_metric_kernel")
except ImportError:  # it is not installed
    _kernel = None
if getattr(_kernel, "INTERFACE", None) != INTERFACE:
    _kernel = None
_wanted = os.environ.get(VARIABLE)


@cache
def engine() -> str:
    """Return the name of the engine that counts: "native" for the kernel, or "python".

    The environment variable BLEU_METRIC_ENGINE selects the engine when this module is imported. Default: "native" if a
    kernel with the right interface is installed, "python" otherwise. Raise ``ValueError`` if the variable names no
    engine, and ``ImportError`` if it is "native" but no kernel with the right interface is installed.
    """
    if not _wanted:
        return "python" if _kernel is None else "native"

    if _wanted not in ENGINES:
        raise ValueError(unknown_message(f"engine in the environment variable {VARIABLE}:", _wanted, ENGINES))
    if _wanted == "native" and _kernel is None:
        raise ImportError(
            f"{VARIABLE}=native, but the compiled kernel of this version is not installed; unset {VARIABLE} to "
            "count in Python, or reinstall bleu_metric with pip install -v, which prints why the kernel was not built"
        )
    return _wanted


class _Splitting(NamedTuple):
    """How the kernel prepares and splits strings: arguments of the kernel's function `count_lists`."""

    prepare: Rewriting | None  # called with each string that is not ASCII; None: strings need no preparation
    lowers: bool  # whether the kernel lower-cases ASCII strings
    strip: int  # which ends of ASCII strings the kernel strips: one of _STRIP_NOTHING, …
    stripped: str  # the ASCII characters to strip
    classes: bytearray | None  # `_class_table`; None for tokens and token ids, which are not split
    padded: bool  # whether to split a text as if spaces surrounded it
    may_have_entities: bool  # whether to stop if a text may have entities


_STRIP_NOTHING, _STRIP_RIGHT, _STRIP_BOTH, _CALL_ALWAYS = range(4)


@cache
def _splitting(kind: Kind, options: Tokenization) -> _Splitting:
    """Return how the kernel splits rows of this kind."""
    rules = options.rules
    prepare = None if kind == "ids" else preparation(kind, options, rewrites_entities=False)
    lowers = lowering(kind, options) is not None
    if kind != "text" or rules is None:
        return _Splitting(prepare, lowers, _STRIP_NOTHING, "", None, False, False)

    strip, stripped = _STRIP_NOTHING, ""
    if rules.trimmed:
        strip, stripped = _STRIP_BOTH, "".join(WHITESPACE["python"])
    elif options.strip and not rules.padded:
        strip, stripped = _STRIP_RIGHT, options.stripped
    stripped = "".join(filter(str.isascii, stripped))
    classes = _class_table(rules, options.whitespace)
    return _Splitting(prepare, lowers, strip, stripped, classes, rules.padded, rules.entities)


@cache
def _class_table(rules: Tokenizer, whitespace: str) -> bytearray:
    """Build the table from which the kernel reads the class of each code point, such as DIGIT for "7".

    `_tokens` explains the classes. Only those of ASCII are known at first, because 1,114,112 classes would take a
    second: the kernel stops at a character whose class is unknown, and `_learn_classes` adds it. The bit LOOK marks the
    characters of entities such as "&amp;": there, the kernel tests whether the text has to be rewritten first.
    """
    table = bytearray([_UNKNOWN]) * _CODE_POINTS
    classes = classes_of(rules, whitespace)
    for code in range(128):  # the kernel expects the classes of ASCII
        table[code] = classes[code]
    if rules.entities:
        for character in _IN_ENTITIES:
            table[ord(character)] |= LOOK
    return table


def _learn_classes(splitting: _Splitting, options: Tokenization, texts: Iterable[Any]) -> None:
    """Add the classes of all characters of the texts to the kernel's table, after it met one that it does not know."""
    table: Any = splitting.classes
    rules: Any = options.rules
    classes = classes_of(rules, options.whitespace)
    prepare = splitting.prepare or str
    characters: set[str] = set().union(*[prepare(text) for text in texts if isinstance(text, str)])
    for code in map(ord, characters):
        if table[code] == _UNKNOWN:
            table[code] = classes[code]


def _count_lists(corpus: Corpus, options: Tokenization, columns: tuple[ColumnsAndRows, ...]) -> Counts | None:
    """Count all rows of Python lists with the kernel, or return None if the kernel cannot count these rows.

    The kernel cannot read an array, a missing prediction or a lone surrogate, for example. `_corpus` then reads the
    rows or raises an error. Raise `TooMuchTextError` if several rows have too much text.
    """
    systems, references, kind, nested = corpus.systems, corpus.references, corpus.kind, corpus.nested
    # The kernel cannot lower-case after tokenizing
    can_split = kind != "text" or (options.rules is not None and options.lowercase != "after")
    if engine() != "native" or not can_split:
        return None

    most_bytes = _MOST_BYTES_PER_BATCH if corpus.segments > 1 else _MOST_BYTES_PER_SEGMENT
    splitting = _splitting(kind, options)
    for _ in range(3):  # the kernel may first stop at a character of unknown class, and then at a possible entity
        answer = _kernel.count_lists(systems, references, kind, nested, *splitting, columns, most_bytes, _SEED)
        if answer == _kernel.UNKNOWN_CHARACTER:
            of_references = chain.from_iterable(references) if nested else references
            _learn_classes(splitting, options, chain(*systems, of_references))
        elif answer == _kernel.TO_BE_REWRITTEN:
            prepare = preparation(kind, options, rewrites_entities=True)
            splitting = splitting._replace(prepare=prepare, strip=_CALL_ALWAYS, may_have_entities=False)
        elif answer == _kernel.TOO_MUCH_TEXT:
            raise TooMuchTextError
        else:
            return Counts(*answer) if isinstance(answer, tuple) else None
    return None


# --- Plain Python ---------------------------------------------------------------------------------------------------

_AS_THEY_ARE = Tokenization("none", lowercase=False, normalization="none", strip=False, whitespace="python")


def _count_tokens(corpus: Corpus, options: Tokenization, columns: tuple[ColumnsAndRows, ...]) -> Counts:
    """Split checked texts in Python, and count their tokens with the kernel or, without it, in Python."""
    systems = tuple([tokenize(texts, corpus.kind, options) for texts in corpus.systems])
    references = [tokenize(texts, corpus.kind, options) for texts in corpus.references]
    kind: Kind = "ids" if corpus.kind == "ids" else "tokens"
    tokens = corpus._replace(systems=systems, references=references, kind=kind)
    return _count_lists(tokens, _AS_THEY_ARE, columns) or _count_in_python(systems, references, columns)


def _count_in_python(
    systems: Sequence[Sequence[Tokens]],
    references: Sequence[Sequence[Tokens]],
    columns: tuple[ColumnsAndRows, ...],
) -> Counts:
    """Count tokens as the kernel does. `systems[i][j]` and `references[j]` belong to segment j."""
    highest_order = max(own_columns.highest_order for own_columns, _ in columns)
    counted: list[list[tuple[list[int], int, int]]] = [[] for _ in systems]  # matches and both lengths of each segment
    for segment, texts in enumerate(references):
        limits = most_in_one(texts, highest_order)
        lengths = list(map(len, texts))
        for predictions, of_system in zip(systems, counted, strict=True):
            prediction = predictions[segment]
            closest = closest_length(len(prediction), lengths)
            of_system.append((clipped_matches(prediction, limits), len(prediction), closest))

    tables = []
    for own_columns, has_rows in columns:
        for of_system in counted:
            rows = [segment_row(*counts, own_columns) for counts in of_system]
            table = rows if has_rows else [sum_of_rows(np.array(rows), own_columns).tolist()]
            tables.append(bytearray(array("q", chain.from_iterable(table))))

    references_per_segment = list(map(len, references))
    first_references = array("q", accumulate(references_per_segment, initial=0)).tobytes()
    per_text = array("q", map(len, chain(*references, *systems))).tobytes()
    return Counts(min(references_per_segment), max(references_per_segment), first_references, per_text, tables)
