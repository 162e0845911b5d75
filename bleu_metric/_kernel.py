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
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ._config import Columns
from ._lazy import np
from ._reading import TooMuchTextError, offsets_of
from ._tokenize import (
    Tokens,
    buffers,
    class_table,
    learn_characters,
    replace_entities,
    rewrite,
    rewrite_entities,
    rewriting,
    stripped,
    trim,
)
from ._tokenizers import LOOK, TOKENIZERS, Tokenization, Tokenizer
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

    The environment variable BLEU_METRIC_ENGINE, read when this module is imported, names the engine. If it is not set,
    the engine is "native" if a kernel with the right interface is installed, and "numpy" otherwise. Raise
    ``ValueError`` if the variable names neither engine, and ``ImportError`` if it is "native" but there is no kernel.
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


def count_texts(batch: Batch, how: Tokenization, max_order: int) -> BatchCounts | None:
    """Count the tokens and the matches of a batch of strings. Return None if a segment has too many tokens.

    `how`: options for which `splits_lists` returns True.

    The kernel stops at a possible entity such as "&amp;". This function then replaces all entities and calls the kernel
    again. The kernel also stops at a character that is missing from the table of character classes. This function
    then adds the character and calls the kernel again. Both cases are rare.
    """
    tokenizer = TOKENIZERS[cast(str, how.tokenizer)]
    column = trim(rewrite(batch.values, how), tokenizer, how)
    classes = _class_table(tokenizer, how.whitespace)
    may_have_entities = tokenizer.entities
    while True:
        data, offsets = buffers(column)
        texts = (data, offsets, classes, tokenizer.padded, may_have_entities)
        outcome, counts = _call_kernel(_kernel.count_texts, texts, batch, len(column), max_order)
        if outcome == _kernel.TO_BE_REWRITTEN:
            column = replace_entities(column, how)
            may_have_entities = False
        elif outcome == _kernel.UNKNOWN_CHARACTER:
            learn_characters(data, classes, tokenizer, how.whitespace)
        else:
            return counts if outcome == _kernel.DONE else None


def _call_kernel(
    function: Any, texts: tuple[Any, ...], batch: Batch, n_texts: int, max_order: int
) -> tuple[int, BatchCounts]:
    """Count a batch with a function of the kernel. Return the code of its outcome, and the counts."""
    shape = (batch.systems, batch.segments, max_order)
    counts = BatchCounts(np.empty(n_texts, np.int64), np.empty(shape, np.int64))
    first_references = offsets_of(batch.references_per_segment)
    return function(*texts, first_references, batch.systems, max_order, _SEED, *counts), counts


Layout = tuple[Columns, bool]  # the columns of a table, and whether it has a row per segment or only their sum


class ListCounts(NamedTuple):
    """The kernel's counts of rows in Python lists. An array is stored as the bytes of its int64 numbers."""

    fewest_references: int  # the smallest number of references of a segment
    most_references: int  # the largest number of references of a segment
    first_references: bytes  # index of each segment's first reference, then the number of all references
    per_text: bytes  # tokens in each text: first all references, then the predictions, system by system
    tables: list[bytearray]  # for each layout, one table per system, each of shape (rows, columns)


def splits_lists(how: Tokenization, kind: str) -> bool:
    """Return whether the kernel can tokenize texts of the given kind with the options `how`."""
    if kind == "text":
        return isinstance(how.tokenizer, str) and how.tokenizer in TOKENIZERS and isinstance(how.lowercase, bool)
    return kind == "ids" or how.lowercase != "ascii"


def count_lists(
    corpus: Corpus, first: int, last: int, how: Tokenization, layouts: tuple[Layout, ...], most_bytes: int
) -> ListCounts | None:
    """Count the rows `first` to `last - 1` directly from Python lists.

    Return None if a row is unusual: for example, if it has an array, a missing prediction, a lone surrogate, or a
    character of unknown class. The caller must then use `Corpus.read`, which reads such rows or raises an error.
    Raise `TooMuchTextError` if several rows together have more than `most_bytes` bytes of text.

    `how`: options for which `splits_lists` returns True. The reference lengths in the tables follow the rule "closest".
    """
    kind = corpus.layout.kind
    classes, is_padded, has_entities = _rules(str(how.tokenizer), how.whitespace) if kind == "text" else _NO_RULES
    prepare = _preparation(how, kind, is_padded)
    rows = (corpus.systems, corpus.references, first, last, *corpus.layout)
    settings = (layouts, most_bytes, _SEED)
    answer = _kernel.count_lists(*rows, prepare, classes, is_padded, has_entities, *settings)
    if answer == _kernel.TO_BE_REWRITTEN:
        rewrite_first = partial(_rewritten, how, prepare)
        answer = _kernel.count_lists(*rows, rewrite_first, classes, is_padded, False, *settings)
    if isinstance(answer, tuple):
        return ListCounts(*answer)
    if answer == _kernel.TOO_MUCH_TEXT and last - first > 1:
        raise TooMuchTextError
    return None


_NO_RULES = (None, False, False)  # for tokens and token ids, which are not split


@cache
def _rules(name: str, whitespace: str) -> tuple[bytearray, bool, bool]:
    """Return three arguments of the kernel for a tokenizer: `classes`, `is_padded` and `has_entities`."""
    tokenizer = TOKENIZERS[name]
    return _class_table(tokenizer, whitespace), tokenizer.padded, tokenizer.entities


def _preparation(how: Tokenization, kind: str, is_padded: bool) -> Callable[[str], str | None] | None:
    """Return the function with which the kernel prepares each string, or None if strings need no preparation.

    If the function returns None for a string, the kernel does not count these rows.
    """
    if kind == "ids":
        return None
    normalize = rewriting(how.normalization, bool(how.lowercase))
    if kind == "tokens" or is_padded:
        return normalize
    return (lambda text: _without_edges(normalize(text))) if normalize else _without_edges


def _without_edges(text: str) -> str | None:
    """Return the text. Return None if it starts or ends with whitespace, which `trim` may have to remove."""
    return text if text == text.strip() else None


def _rewritten(how: Tokenization, prepare: Callable[[str], str | None] | None, text: str) -> str | None:
    """Call `prepare` with a text, then replace its entities as `replace_entities` does."""
    prepared = prepare(text) if prepare else text
    if prepared is None or not any(sign in prepared for sign in _BEGINS_ENTITY):
        return prepared
    return rewrite_entities(prepared.rstrip(stripped(how)))


def count_tokens(tokens: Tokens, batch: Batch, max_order: int) -> BatchCounts | None:
    """Count the matches of a batch that is already tokenized. Return None if a segment has too many tokens."""
    texts = (tokens.data, tokens.starts, tokens.lengths, offsets_of(tokens.per_text))
    outcome, counts = _call_kernel(_kernel.count_tokens, texts, batch, len(tokens.per_text), max_order)
    return counts if outcome == _kernel.DONE else None


def tokens_of_ids(ids: Ints, per_text: Ints) -> Tokens:
    """Return token ids as `Tokens`: the 8 bytes of an id become the bytes of a token."""
    data = np.append(ids, 0).view(np.uint8)
    size = ids.itemsize
    return Tokens(data, size * np.arange(len(ids), dtype=np.int64), np.full(len(ids), size, np.int64), per_text)


@cache
def _class_table(tokenizer: Tokenizer, whitespace: str) -> bytearray:
    """Return `class_table`. If the tokenizer replaces entities, mark the characters that may begin or end an entity."""
    table = class_table(tokenizer, whitespace)
    if tokenizer.entities:
        table = table.copy()
        for sign in _BEGINS_ENTITY:
            table[ord(sign)] |= LOOK
    return table
