"""Call the compiled kernel, which is optional. It returns the same counts as NumPy, but faster.

The kernel is the extension module `_bleu_metric_kernel`, compiled from `_kernel.c`. It is installed beside the package,
not inside it, because `evaluate.load` copies the package and the copy must also find the kernel. Without the kernel,
`_tokenize` and `_ngrams` count with NumPy. Both engines support the same options. `_tokenize` prepares texts for both.

The kernel runs without the interpreter's lock. If another thread changes an array during a call, the counts are
undefined or `ValueError` is raised, but the kernel reads and writes only inside the arrays.
"""

from __future__ import annotations

import importlib
import os
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ._config import Columns
from ._lazy import np
from ._reading import Kind, TooMuchTextError, offsets_of
from ._tokenize import (
    Rewriting,
    Tokens,
    buffers,
    class_table,
    learn_characters,
    normalizer,
    replace_entities,
    rewrite,
    rewrite_entities,
    trim,
    trimmer,
)
from ._tokenizers import LOOK, Tokenization, Tokenizer
from ._validation import Ints, unknown_message

if TYPE_CHECKING:
    from ._corpus import Batch, Corpus

INTERFACE = 3  # version of the kernel's interface; a kernel with another number is ignored
VARIABLE = "BLEU_METRIC_ENGINE"
ENGINES = ("native", "numpy")
_SEED = os.urandom(16)  # random keys of the kernel's hash functions, so that nobody can choose tokens that collide
_BEGINS_ENTITY = "&<\n"  # each string that `replace_entities` replaces starts or ends with one of these


class BatchCounts(NamedTuple):
    """The counts for a batch of segments."""

    per_text: Ints  # tokens in each text: first all references, then the predictions, system by system
    matches: Ints  # (systems, segments, orders)


def _find_kernel() -> Any:
    """Return the extension module. Return None if it is not installed, or if its interface has another version."""
    try:
        kernel = importlib.import_module("_bleu_metric_kernel")
    except ImportError:
        return None
    return kernel if getattr(kernel, "INTERFACE", None) == INTERFACE else None


_kernel = _find_kernel()
_wanted = os.environ.get(VARIABLE)


def engine() -> str:
    """Return the name of the engine that counts: "native" for the kernel, or "numpy".

    Users select the engine with the environment variable BLEU_METRIC_ENGINE, which is read when this module is
    imported. If the variable is not set, the engine is "native" if a kernel with the right interface is installed, and
    "numpy" otherwise. Raise ``ValueError`` if the variable has another value than the two engines, and ``ImportError``
    if it is "native" but there is no such kernel.
    """
    if not _wanted:
        return "numpy" if _kernel is None else "native"

    if _wanted not in ENGINES:
        raise ValueError(unknown_message(f"engine in the environment variable {VARIABLE}:", _wanted, ENGINES))
    if _wanted == "native" and _kernel is None:
        raise ImportError(
            f"{VARIABLE}=native, but the compiled kernel of this version is not installed; unset {VARIABLE} to "
            "count with NumPy, or reinstall bleu_metric with pip install -v, which prints why the kernel was not built"
        )
    return _wanted


def count_texts(batch: Batch, rules: Tokenizer, options: Tokenization, max_order: int) -> BatchCounts | None:
    """Count the tokens and the matches of a batch of strings. Return None if a segment has too many tokens.

    `rules`: the rules of the tokenizer. `options`: options for which `can_tokenize` returns True.

    The kernel stops at a possible entity such as "&amp;". This function then replaces all entities and calls the kernel
    again. The kernel also stops at a character that is missing from the table of character classes. This function
    then adds the character and calls the kernel again. Both cases are rare.
    """
    column = trim(rewrite(batch.values, options), rules, options)
    classes = _class_table(rules, options.whitespace)
    may_have_entities = rules.entities

    while True:
        data, offsets = buffers(column)
        texts = (data, offsets, classes, rules.padded, may_have_entities)
        outcome, counts = _call_kernel(_kernel.count_texts, texts, batch, max_order)
        if outcome == _kernel.DONE:
            return counts
        if outcome == _kernel.TO_BE_REWRITTEN:
            column = replace_entities(column, options)
            may_have_entities = False
        elif outcome == _kernel.UNKNOWN_CHARACTER:
            learn_characters(data, classes, rules, options.whitespace)
        else:
            return None


def _call_kernel(function: Any, texts: tuple[Any, ...], batch: Batch, max_order: int) -> tuple[int, BatchCounts]:
    """Count a batch with a function of the kernel. Return the code of its outcome, and the counts.

    `texts`: the arguments that describe the texts.
    """
    n_texts = batch.references + batch.systems * batch.segments
    counts = BatchCounts(
        per_text=np.empty(n_texts, np.int64),
        matches=np.empty((batch.systems, batch.segments, max_order), np.int64),
    )
    first_references = offsets_of(batch.references_per_segment)
    # The kernel writes into the two arrays of `counts`
    outcome = function(*texts, first_references, batch.systems, max_order, _SEED, *counts)
    return outcome, counts


Layout = tuple[Columns, bool]  # the columns of a table, and whether it has a row per segment or only their sum


class ListCounts(NamedTuple):
    """The kernel's counts of rows in Python lists. An array is stored as the bytes of its int64 numbers."""

    fewest_references: int  # the smallest number of references of a segment
    most_references: int  # the largest number of references of a segment
    first_references: bytes  # index of each segment's first reference, then the number of all references
    per_text: bytes  # tokens in each text: first all references, then the predictions, system by system
    tables: list[bytearray]  # for each layout, one table per system, each of shape (rows, columns)


def can_tokenize(kind: Kind, options: Tokenization) -> bool:
    """Return whether the kernel can tokenize rows of this kind with these options."""
    if kind == "text":
        return options.rules is not None and isinstance(options.lowercase, bool)
    return kind == "ids" or options.lowercase != "ascii"


def count_lists(
    corpus: Corpus, first: int, last: int, options: Tokenization, layouts: tuple[Layout, ...], most_bytes: int
) -> ListCounts | None:
    """Count the rows `first` to `last - 1` directly from Python lists.

    Return None if a row is unusual: for example, if it has an array, a missing prediction, a lone surrogate, or a
    character of unknown class. The caller must then use `Corpus.read`, which reads such rows or raises an error.
    Raise `TooMuchTextError` if several rows together have more than `most_bytes` bytes of text.

    `options`: options for which `can_tokenize` returns True. The reference lengths in the tables follow the rule
    "closest".
    """
    rows = (corpus.systems, corpus.references, first, last, *corpus.layout)
    splitting = _how_to_split(corpus.layout.kind, options)
    answer = _kernel.count_lists(*rows, *splitting, layouts, most_bytes, _SEED)

    # A text may have entities: replace them before the kernel splits the texts
    if answer == _kernel.TO_BE_REWRITTEN:
        replace = partial(rewrite_entities, stripped=options.stripped)
        prepare = _chain(splitting.prepare, replace)
        splitting = splitting._replace(prepare=prepare, may_have_entities=False)
        answer = _kernel.count_lists(*rows, *splitting, layouts, most_bytes, _SEED)

    if isinstance(answer, tuple):
        return ListCounts(*answer)
    if answer == _kernel.TOO_MUCH_TEXT and last - first > 1:
        raise TooMuchTextError
    return None


class _Splitting(NamedTuple):
    """How the kernel splits strings into tokens: four arguments of its function `count_lists`.

    The defaults are for token ids. They are numbers, so there is nothing to prepare and nothing to split.
    """

    prepare: Rewriting | None = None  # called with each string; None: strings need no preparation
    classes: bytearray | None = None  # `class_table`; None for tokens and token ids, which are not split
    padded: bool = False  # True: split a text as if spaces surrounded it
    may_have_entities: bool = False  # True: return TO_BE_REWRITTEN if a text may have entities


@cache
def _how_to_split(kind: Kind, options: Tokenization) -> _Splitting:
    """Return how the kernel splits rows of this kind.

    The kind and the options must be such that `can_tokenize` returns True.
    """
    if kind == "ids":
        return _Splitting()  # ids are numbers: nothing to prepare or split

    normalize = normalizer(options.normalization, lowers=bool(options.lowercase))
    if kind == "tokens":
        return _Splitting(prepare=normalize)  # the strings are tokens already: nothing to split

    # For texts, `can_tokenize` returns True only if there are rules
    rules = cast(Tokenizer, options.rules)
    trim_text = trimmer(rules, options)
    return _Splitting(
        prepare=_chain(normalize, trim_text),
        classes=_class_table(rules, options.whitespace),
        padded=rules.padded,
        may_have_entities=rules.entities,
    )


def _chain(first: Rewriting | None, second: Rewriting | None) -> Rewriting | None:
    """Return a function that calls the first function, then the second. None stands for a function that does nothing.

    If both are None, return None.
    """
    if first and second:
        return lambda text: second(first(text))
    return first or second


def count_tokens(tokens: Tokens, batch: Batch, max_order: int) -> BatchCounts | None:
    """Count the matches of a batch that is already tokenized. Return None if a segment has too many tokens."""
    texts = (tokens.data, tokens.starts, tokens.lengths, offsets_of(tokens.per_text))
    outcome, counts = _call_kernel(_kernel.count_tokens, texts, batch, max_order)
    return counts if outcome == _kernel.DONE else None


def as_tokens(ids: Ints, per_text: Ints) -> Tokens:
    """Return token ids as `Tokens`: the 8 bytes of an id become the bytes of a token."""
    padded = np.append(ids, 0)  # because the kernel may read 8 bytes beyond the last token
    lengths = np.full_like(ids, ids.itemsize)
    starts = np.arange(len(ids)) * ids.itemsize
    return Tokens(padded.view(np.uint8), starts, lengths, per_text)


@cache
def _class_table(rules: Tokenizer, whitespace: str) -> bytearray:
    """Return the table of `class_table`, for the kernel.

    If the tokenizer replaces entities, the bit LOOK marks the characters that may begin or end an entity.
    """
    table = class_table(rules, whitespace)
    if rules.entities:
        table = table.copy()  # because NumPy's engine uses the original
        for sign in _BEGINS_ENTITY:
            table[ord(sign)] |= LOOK
    return table
