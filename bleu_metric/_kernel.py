"""The interface to the compiled kernel, which is optional. The kernel returns the same counts as NumPy, but faster.

The kernel is the extension module `_bleu_metric_kernel`, compiled from `_kernel.c`. It is installed beside the package,
not inside it: `evaluate.load` copies the package, and the copy must also find the kernel. Without the kernel,
`_tokenize` and `_ngrams` count with NumPy. Both engines have the same options, and `_tokenize` prepares the texts for
both.

The kernel runs without the interpreter's lock. If another thread changes an array during a call, the counts are
undefined or `ValueError` is raised, but the kernel reads and writes only inside the arrays.
"""

from __future__ import annotations

import importlib
import os
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ._tokenize import (
    Tokenization,
    Tokens,
    buffers,
    class_table,
    code_points,
    learn_classes,
    lower,
    replace_entities,
    trim,
)
from ._tokenizers import LOOK, Tokenizer
from ._validation import Bytes, Ints, unknown_message

INTERFACE = 1  # version of the kernel's interface; a kernel with another number is ignored
VARIABLE = "BLEU_METRIC_ENGINE"
ENGINES = ("native", "numpy")
_SEED = os.urandom(16)  # random keys of the kernel's hash functions, so that nobody can choose tokens that collide
_BEHIND = bytes(8)  # padding after the last text, because the kernel reads 8 bytes at once
_INT64 = "q"
_BEGINS_ENTITY = b"&<\n"  # what `replace_entities` replaces starts or ends with one of these characters


class Texts(NamedTuple):
    """The layout of a batch: first all references, segment by segment, then the predictions, system by system."""

    references_per_segment: Ints
    systems: int


class KernelCounts(NamedTuple):
    """The kernel's counts for a batch of segments, in arrays."""

    per_text: Ints  # tokens of each text
    matches: Ints  # (systems, segments, orders)


def _find_kernel() -> Any:
    try:
        kernel = importlib.import_module("_bleu_metric_kernel")
    except ImportError:
        return None
    return kernel if getattr(kernel, "INTERFACE", None) == INTERFACE else None


_kernel = _find_kernel()


def engine() -> str:
    """Return the name of the engine that counts: "native" for the kernel, or "numpy".

    The environment variable BLEU_METRIC_ENGINE names the engine. If it is not set, the engine is the kernel if one of
    this version is installed. Raise ``ValueError`` if the variable names neither engine, and ``ImportError`` if it is
    "native" but the kernel is not installed.
    """
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return "numpy" if _kernel is None else "native"
    if wanted not in ENGINES:
        raise ValueError(unknown_message(f"engine in the environment variable {VARIABLE}:", wanted, ENGINES))
    if wanted == "native" and _kernel is None:
        raise ImportError(
            f"{VARIABLE}=native, but the compiled kernel of this version is not installed; unset {VARIABLE} to "
            "count with NumPy, or reinstall bleu_metric with pip install -v, which prints why the kernel was not built"
        )
    return wanted


def count_texts(
    column: pa.Array, tokenizer: Tokenizer, how: Tokenization, texts: Texts, max_order: int
) -> KernelCounts | None:
    """Count the tokens and matches of texts; return None if a segment has too many tokens for the kernel.

    The kernel stops at an entity. This function then rewrites the texts without entities and calls the kernel again.
    The kernel also stops at a character whose class is not known. This function then enters the class into the table
    and calls the kernel again. Both cases are rare.
    """
    if how.lowercase is True:
        column = lower(column)
    column = trim(column, tokenizer, how)
    classes = _class_table(tokenizer, how.whitespace)
    may_have_entities = tokenizer.entities
    while True:
        data, offsets = buffers(column)
        counts = _empty_counts(len(column), texts, max_order)
        outcome = _kernel.count_texts(
            data, offsets, classes, tokenizer.padded, may_have_entities, *_layout(texts, max_order), *counts
        )
        if outcome == _kernel.TO_BE_REWRITTEN:
            column = replace_entities(column, how)
            may_have_entities = False
        elif outcome == _kernel.UNKNOWN_CHARACTER:
            codes = code_points(data)
            learn_classes(classes, set(codes[classes.take(codes) == 0].tolist()), tokenizer, how.whitespace)
        else:
            return counts if outcome == _kernel.DONE else None


class FewCounts(NamedTuple):
    """The kernel's counts for a few segments of one system, in lists instead of arrays."""

    per_text: list[int]  # tokens of each text
    matches: list[list[int]]  # (segments, orders)


def count_few_texts(
    texts: list[str], references_per_segment: list[int], tokenizer: Tokenizer, whitespace: str, max_order: int
) -> FewCounts | None:
    """Count a few strings as `count_texts` does, but without arrays: building them would take longer than counting.

    Return None if a text has an entity, a character whose class is not known or a lone surrogate, or if a segment has
    too many tokens. The caller then counts with arrays.
    """
    try:
        encoded = [text.encode() for text in texts]
    except UnicodeEncodeError:  # a text has a lone surrogate
        return None
    data = b"".join(encoded) + _BEHIND
    offsets = _starts_of_few(map(len, encoded))
    classes = _class_table(tokenizer, whitespace)
    return _count_few(
        _kernel.count_texts,
        (data, offsets, classes, tokenizer.padded, tokenizer.entities),
        len(texts),
        references_per_segment,
        max_order,
    )


def count_few_tokens(texts: list[Sequence[str]], references_per_segment: list[int], max_order: int) -> FewCounts | None:
    """Count a few lists of tokens. Return None if a token has a lone surrogate, or a segment too many tokens."""
    tokens = list(chain.from_iterable(texts))
    try:
        encoded = [token.encode() for token in tokens]
    except UnicodeEncodeError:
        return None
    starts = _starts_of_few(map(len, encoded))
    lengths = array(_INT64, map(len, encoded))
    first_tokens = _starts_of_few(map(len, texts))
    front = (b"".join(encoded) + _BEHIND, starts[:-1], lengths, first_tokens)
    return _count_few(_kernel.count_tokens, front, len(texts), references_per_segment, max_order)


def count_few_ids(texts: list[Sequence[int]], references_per_segment: list[int], max_order: int) -> FewCounts | None:
    """Count a few lists of token ids. Return None if an id is not from 0 to 2**63 - 1 or a segment has too many ids."""
    try:
        ids = array(_INT64, chain.from_iterable(texts))
    except OverflowError:
        return None
    if min(ids, default=0) < 0:
        return None
    size = ids.itemsize
    starts = array(_INT64, range(0, size * len(ids), size))
    lengths = array(_INT64, [size]) * len(ids)
    front = (ids.tobytes() + _BEHIND, starts, lengths, _starts_of_few(map(len, texts)))
    return _count_few(_kernel.count_tokens, front, len(texts), references_per_segment, max_order)


def _count_few(
    count: Any, front: tuple[Any, ...], n_texts: int, references_per_segment: list[int], max_order: int
) -> FewCounts | None:
    """Call `count`, a function of the kernel. Return None if the kernel stopped before the end.

    `front`: the first arguments of `count`, which describe the texts.
    """
    per_text = array(_INT64, bytes(8 * n_texts))
    matches = array(_INT64, bytes(8 * max_order * len(references_per_segment)))
    first_references = _starts_of_few(references_per_segment)
    outcome = count(*front, first_references, 1, max_order, _SEED, per_text, matches)
    if outcome != _kernel.DONE:
        return None
    flat = matches.tolist()
    return FewCounts(per_text.tolist(), [flat[start : start + max_order] for start in range(0, len(flat), max_order)])


def _starts_of_few(sizes: Iterable[int]) -> array[int]:
    return array(_INT64, accumulate(sizes, initial=0))


def count_tokens(tokens: Tokens, texts: Texts, max_order: int) -> KernelCounts | None:
    """Count tokens that are already split, and their matches; return None if a segment has too many for the kernel."""
    counts = _empty_counts(len(tokens.per_text), texts, max_order)
    first_tokens = _starts(tokens.per_text)
    outcome = _kernel.count_tokens(
        tokens.data, tokens.starts, tokens.lengths, first_tokens, *_layout(texts, max_order), *counts
    )
    return counts if outcome == _kernel.DONE else None


def tokens_of_ids(ids: Ints, per_text: Ints) -> Tokens:
    """Return token ids as tokens: the bytes of a token are the 8 bytes of its id."""
    data = np.append(ids, 0).view(np.uint8)
    size = ids.itemsize
    return Tokens(data, size * np.arange(len(ids), dtype=np.int64), np.full(len(ids), size, np.int64), per_text)


def _empty_counts(n_texts: int, texts: Texts, max_order: int) -> KernelCounts:
    shape = (texts.systems, len(texts.references_per_segment), max_order)
    return KernelCounts(np.empty(n_texts, np.int64), np.empty(shape, np.int64))


def _layout(texts: Texts, max_order: int) -> tuple[Ints, int, int, bytes]:
    return _starts(texts.references_per_segment), texts.systems, max_order, _SEED


def _starts(sizes: Ints) -> Ints:
    """Return the start of each list after lists of these sizes are concatenated, and the end of the last list."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


@cache
def _class_table(tokenizer: Tokenizer, whitespace: str) -> Bytes:
    """Return `class_table`. For a tokenizer that replaces entities, mark the characters that may begin or end one."""
    table = class_table(tokenizer, whitespace)
    if tokenizer.entities:
        table = table.copy()
        table[list(_BEGINS_ENTITY)] |= np.uint8(LOOK)
    return table
