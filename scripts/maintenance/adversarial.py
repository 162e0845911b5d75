"""Time hostile inputs at growing sizes. The exit status is 1 if the time of an input grows almost quadratically.

    python scripts/maintenance/adversarial.py [--doublings 5] [--only WORD]

Each line shows an input, its smallest size, and its times in seconds at sizes that double. The line ends with the
exponent of the growth, which is fitted to the larger half of the sizes: 1 is linear, 2 is quadratic. Each time is the
shortest of three runs on one thread.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
import tempfile
import time
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bleu_metric import BleuConfig, BleuStatistics, _ngrams, corpus_bleu, corpus_statistics, score_groups
from bleu_metric._config import tokenization_of
from bleu_metric._corpus import as_corpus
from bleu_metric._counting import tokenize_batch
from bleu_metric._display import printable
from bleu_metric.cli.files import read_column, split_lines
from bleu_metric.reporting.matches import find_matches

Work = Callable[[], object]
_WORD = 2**64


def inverse(multiplier: int) -> int:
    """Return the multiplicative inverse of a number modulo 2**64."""
    return pow(multiplier, -1, _WORD)


def colliding(keys: int) -> list[int]:
    """Return `keys` different token ids that all have the same slot in the first table of `_ngrams.factorize`.

    The ids are computed by inverting the hash. If they are in segment 0, they collide in every table of up to 2**44
    slots.
    """
    golden, first = inverse(int(_ngrams._GOLDEN)), inverse(_ngrams._MULTIPLIERS[0])
    found: list[int] = []
    for low in itertools.count():
        if len(found) == keys:
            break
        mixed = low * golden % _WORD  # this times _GOLDEN is `low`, whose high bits are 0: the slot is 0
        key = (mixed ^ mixed >> 32) * first % _WORD
        if key < _WORD // 2:  # otherwise the key would be negative as int64, and no token id
            found.append(key)
    return found


@contextlib.contextmanager
def all_tables_defeated() -> Iterator[None]:
    """Use the hash of the first table for all tables, as if an attacker had found keys that collide in all of them."""
    multipliers = _ngrams._MULTIPLIERS
    _ngrams._MULTIPLIERS = (multipliers[0],) * len(multipliers)
    try:
        yield
    finally:
        _ngrams._MULTIPLIERS = multipliers


def rejected(work: Work) -> Work:
    """Return a function that calls `work`, and fails unless `work` raises a ``TypeError`` or ``ValueError``."""

    def run() -> None:
        try:
            work()
        except (TypeError, ValueError):
            return
        raise AssertionError("no error")

    return run


def text(piece: str, tokenizer: str) -> Callable[[int], Work]:
    """Return a function that builds the work for a size: score one segment, a piece repeated to `size` characters.

    The reference is the same text without its last tenth.
    """

    def build(size: int) -> Work:
        whole = (piece * (size // len(piece) + 1))[:size]
        return lambda: corpus_bleu([whole], [[whole[: -size // 10]]], tokenizer=tokenizer)

    return build


PIECES = {
    "periods": ".",
    "punctuation": ".,!?",
    "digits and periods": "1.,",
    "digits and dashes": "1-",
    "spaces": " ",
    "wide spaces": "\u2003\u3000",
    "bytes that may start a space": "\xc2\xe2\x80",
    "<skipped>": "<skipped>",
    "<skipped> in itself": "<skip<skipped>ped>",
    "&amp;amp;": "&amp;amp;",
    "half entities": "&am&&<s",
    "hyphens at line ends": "-\n",
    "line ends": "\n",
    "one token again and again": "a ",
    "one long token": "a",
    "Chinese": "中文",
    "combining marks": "e\u0301",
    "a capital that grows": "İ",
}


def ids(make: Callable[[int], list[int]]) -> Callable[[int], Work]:
    """Return a function that builds the work for a size: score one segment of `size` token ids against its reverse."""

    def build(size: int) -> Work:
        tokens = make(size)
        return lambda: corpus_bleu([tokens], [[tokens[::-1]]])

    return build


def distinct(size: int) -> Work:
    words = " ".join(map(str, range(size // 6)))
    return lambda: corpus_bleu([words], [[words]])


def long_tokens(length: int) -> Callable[[int], Work]:
    """Return a function that builds the work for a size: score a text whose tokens differ only at their ends."""

    def build(size: int) -> Work:
        words = " ".join("x" * length + str(number) for number in range(size // length))
        return lambda: corpus_bleu([words], [[words]])

    return build


def defeated(size: int) -> Work:
    keys = np.arange(size, dtype=np.uint64)

    def run() -> None:
        with all_tables_defeated():
            _ngrams.factorize(keys * np.uint64(inverse(_ngrams._MULTIPLIERS[0])))
            _ngrams.factorize(np.array(colliding(10), np.int64).view(np.uint64))

    return run


def defeated_ids(size: int) -> Work:
    tokens = colliding(size)

    def run() -> None:
        with all_tables_defeated():
            corpus_bleu([tokens], [[tokens[::-1]]])

    return run


def signature(head: str, piece: str, tail: str = "") -> Callable[[int], Work]:
    def build(size: int) -> Work:
        whole = head + piece * (size // len(piece)) + tail
        return rejected(lambda: BleuConfig.from_signature(whole))

    return build


def lines(piece: bytes, tail: bytes = b"") -> Callable[[int], Work]:
    def build(size: int) -> Work:
        data = piece * (size // len(piece)) + tail
        work = lambda: split_lines(data, "file")  # noqa: E731
        return rejected(work) if tail else work

    return build


def json_line(head: str, piece: str, tail: str) -> Callable[[int], Work]:
    def build(size: int) -> Work:
        content = head + piece * (size // len(piece)) + tail

        def run() -> None:
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "rows.jsonl").write_text(content)
                read_column(str(Path(folder, "rows.jsonl:p")))

        return rejected(run)

    return build


def labels(make: Callable[[int], list[Any]]) -> Callable[[int], Work]:
    def build(size: int) -> Work:
        groups = make(size)
        row = corpus_statistics(["a"], ["a"], max_order=1)
        statistics = BleuStatistics(np.repeat(row.table, size, axis=0), row.config)
        return lambda: score_groups(statistics, groups)

    return build


def wrong_at_the_end(wrong: Any) -> Callable[[int], Work]:
    def build(size: int) -> Work:
        rows = ["a"] * (size - 1)
        return rejected(lambda: corpus_bleu([*rows, wrong], [*rows, "a"]))

    return build


def references(text_of: Callable[[int], str]) -> Callable[[int], Work]:
    def build(size: int) -> Work:
        refs = [text_of(number) for number in range(size)]
        return lambda: corpus_bleu(["a b c"], [refs])

    return build


def shown_matches(size: int) -> Work:
    refs = [[str(number), "b"] for number in range(size)]
    batch = as_corpus([["a", "b"]], [refs]).read(0, 1)
    tokens = tokenize_batch(batch.kind, batch.values, batch.lengths, tokenization_of(BleuConfig()))
    return lambda: find_matches(batch, tokens)


# Inputs by name: the smallest size, and a function that builds the work for a size
INPUTS: dict[str, tuple[int, Callable[[int], Work]]] = {
    **{
        f"{name}, {tokenizer}": (100_000, text(piece, tokenizer))
        for name, piece in PIECES.items()
        for tokenizer in ("13a", "intl", "zh", "char")
    },
    "lower-cased": (50_000, lambda size: lambda: corpus_bleu(["İ Σ" * (size // 3)], ["a"], lowercase=True)),
    "tokens all different": (40_000, distinct),
    "tokens equal for 8 characters": (200_000, long_tokens(8)),
    "tokens equal for 60 characters": (500_000, long_tokens(60)),
    "tokens equal for 5,000 characters": (1_000_000, long_tokens(5000)),
    "token ids all different": (20_000, ids(lambda size: list(range(size)))),
    "token ids that collide in the first table": (20_000, ids(colliding)),
    "token ids that collide in all tables": (20_000, defeated_ids),
    "keys that collide in all tables": (50_000, defeated),
    "order 1,000, one token": (2_000, lambda size: lambda: corpus_bleu(["a " * size], ["a " * size], max_order=1000)),
    "references of one token": (10_000, references(str)),
    "empty references": (10_000, references(lambda _: "")),
    "references of a shown sentence": (2_000, shown_matches),
    "signature: weights": (100_000, signature("tok:13a|weights:", "1,")),
    "signature: order": (100_000, signature("order:", "9")),
    "signature: bars": (100_000, signature("", "|")),
    "signature: colons": (100_000, signature("", ":")),
    "signature: data": (100_000, signature("", "bs:1|")),
    "signature: smoothing": (100_000, signature("smooth:exp[", "1")),
    "unknown tokenizer": (100_000, lambda size: rejected(lambda: corpus_bleu(["a"], ["a"], tokenizer="13" * size))),
    "unknown smoothing, a list": (
        *(100_000, lambda size: rejected(lambda rows=[1] * size: corpus_bleu(["a"], ["a"], smoothing=rows))),
    ),
    "lines: line feeds": (4_000_000, lines(b"\n")),
    "lines: carriage returns": (4_000_000, lines(b"\r")),
    "lines: both": (4_000_000, lines(b"\r\n")),
    "lines: not UTF-8": (4_000_000, lines(b"a\n", b"\xff")),
    "lines: control characters": (20_000, lambda size: lambda: printable("\x1b" * size)),
    "JSON: brackets": (50_000, json_line("", "[", "")),
    "JSON: objects": (50_000, json_line("", '{"p":', "")),
    "JSON: digits": (50_000, json_line('{"p": ', "9", "}")),
    "JSON: names": (50_000, json_line("{", '"q": 1, ', '"q": 1}')),
    "labels: multiples of a power of two": (10_000, labels(lambda size: [number << 40 for number in range(size)])),
    "labels that hash alike": (
        *(10_000, lambda size: rejected(labels(lambda size: [number * (2**61 - 1) for number in range(size)])(size))),
    ),
    "a wrong row at the end": (50_000, wrong_at_the_end(5)),
    "a lone surrogate at the end": (50_000, wrong_at_the_end("\ud800")),
    "a long wrong value": (500_000, lambda size: rejected(lambda: corpus_bleu([b"a" * size, "a"], ["a", "a"]))),
    "a list as a wrong value": (50_000, lambda size: rejected(lambda: corpus_bleu(["a", [1] * size], ["a", "a"]))),
    "lists in lists": (20_000, lambda size: rejected(lambda: corpus_bleu(["a", _deep(size)], ["a", "a"]))),
    "Arrow: chunks": (500, lambda size: lambda: corpus_bleu(pa.chunked_array([["a"]] * size), ["a"] * size)),
}


def _deep(levels: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


def seconds(work: Work, times: int = 3) -> float:
    """Return the shortest processor time. timeit turns off garbage collection, whose cost depends on other objects."""
    return min(timeit.repeat(work, timer=time.process_time, repeat=times, number=1))


def exponent(sizes: list[int], taken: list[float]) -> float:
    """Return the slope of a line that is fitted to the larger half of the points, on logarithmic scales."""
    half = len(sizes) // 2
    return float(np.polyfit(np.log(sizes[half:]), np.log(taken[half:]), 1)[0])


TOO_STEEP = 1.7  # quadratic time has exponent 2; a busy machine, whose caches overflow, caused up to 1.54


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--doublings", type=int, default=5)
    parser.add_argument("--only", default="", help="part of the names of the inputs to time")
    arguments = parser.parse_args()
    os.environ["BLEU_METRIC_THREADS"] = "1"
    worst = ("", 0.0)
    chosen = {name: one for name, one in INPUTS.items() if arguments.only in name}
    if not chosen or arguments.doublings < 2:
        parser.error("no input's name contains the text of --only" if not chosen else "--doublings must be at least 2")
    for name, (size, build) in chosen.items():
        sizes = [size << doubling for doubling in range(arguments.doublings + 1)]
        taken = [seconds(build(one)) for one in sizes]
        power = exponent(sizes, taken)
        worst = max(worst, (name, power), key=lambda one: one[1])
        print(f"{name:<44} {size:>9,}", *(f"{one:8.4f}" for one in taken), f"  size^{power:4.2f}", flush=True)
    print(f"{len(chosen)} inputs; the largest exponent is {worst[1]:.2f}: {worst[0]}")
    return int(worst[1] > TOO_STEEP)


if __name__ == "__main__":
    sys.exit(main())
