"""Time this package and every other installed BLEU library on the same corpus.

    python scripts/benchmark.py [--sizes | --many] [--data FOLDER] [--pairs N] [--rounds N] [--json] [--smoke]

The corpus is generated. With --data, it has the system outputs into English in FOLDER, a checkout of the WMT22 release.
Each library (a "peer") is called as its users call it, from Python lists. The script first checks that the score of
each peer equals our score in the peer's dialect. If a score differs, the script stops with exit status 1. Otherwise it
times all functions in turn, once per round. It empties sacrebleu's tokenizer caches before each measurement.

With --sizes, a call scores 1, 2, 4, ... 1,024 or N pairs, and each of these sizes is checked and timed. With --many,
`pairwise_bleu`, `mbr` and `self_bleu` are timed instead. Their candidates join parts of a prediction and its reference.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from workloads import (
    Corpus,
    Row,
    check,
    forget_texts,
    load_metric,
    main_rows,
    make_corpus,
    our_rows,
    peer_rows,
    sentence_rows,
)

from bleu_metric import mbr, pairwise_bleu, self_bleu
from bleu_metric._counting import engine, thread_count

SIZES = [2**power for power in range(11)]
PAIRS_PER_ROUND = 256  # small calls are timed together: one alone is too short to measure
SLOW = 2.0  # seconds


def measure(rows: list[Row], rounds: int, slow_rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each round, by row name. Rows slower than `SLOW` seconds have only `slow_rounds` rounds."""
    times: dict[str, list[float]] = {row.name: [] for row in rows}
    for turn in range(rounds):
        for row in rows:
            if turn >= slow_rounds and times[row.name][0] > SLOW:
                continue
            forget_texts()
            started = time.perf_counter()
            row.run()
            times[row.name].append(time.perf_counter() - started)
    return times


class Times(NamedTuple):
    """The seconds that a list of calls took together."""

    wall: float
    processor: float  # summed over threads


def measure_size(calls: list[list[Row]], rounds: int) -> dict[str, Times]:
    """Return the shortest times of a round, by row name. `calls` has the rows of each part; a round runs all parts."""
    times: dict[str, list[Times]] = {row.name: [] for row in calls[0]}
    for _ in range(rounds):
        for same_row in zip(*calls, strict=True):
            taken = times[same_row[0].name]
            if not (taken and taken[0].wall > SLOW):
                taken.append(time_calls([row.run for row in same_row]))
    return {name: Times(*map(min, zip(*taken, strict=True))) for name, taken in times.items()}


def time_calls(functions: list[Callable[[], Any]]) -> Times:
    forget_texts()
    wall, processor = time.perf_counter(), time.process_time()
    for function in functions:
        function()
    return Times(time.perf_counter() - wall, time.process_time() - processor)


def parts_of(corpus: Corpus, size: int) -> list[Corpus]:
    """Return parts of `size` pairs from the start of a corpus, enough of them to be timed together."""
    last = max(size, min(PAIRS_PER_ROUND, len(corpus.predictions) // size * size))
    return [
        Corpus(corpus.name, *(column[first : first + size] for column in corpus[1:])) for first in range(0, last, size)
    ]


def measure_sizes(corpus: Corpus, sizes: list[int], rounds: int) -> dict[str, dict[str, list[float]]]:
    """For every size, check that the peers' scores equal ours, then time all rows.

    Return the microseconds per pair as clock -> row name -> list, which has one number per size.
    """
    clocks: dict[str, dict[str, list[float]]] = {"processor time": {}, "wall time": {}}
    with tempfile.TemporaryDirectory() as cache:
        metric = load_metric(cache)
        for size in sizes:
            parts = parts_of(corpus, size)
            calls = [[*main_rows(part, metric), *peer_rows(part), *sentence_rows(part)] for part in parts]
            if wrong := [difference for rows in calls for difference in check(rows)]:
                raise ScoresDifferError(f"{size} pairs in a call", *wrong)
            scale = 1e6 / (size * len(parts))
            for name, times in measure_size(calls, rounds).items():
                clocks["processor time"].setdefault(name, []).append(scale * times.processor)
                clocks["wall time"].setdefault(name, []).append(scale * times.wall)
    return clocks


class ScoresDifferError(Exception):
    """The score of a peer differs from ours."""


def versions() -> dict[str, str]:
    installed = {one.name: one.version for one in importlib.metadata.distributions()}
    libraries = ["evaluate", "datasets", "numpy", "pyarrow", "sacrebleu", "bleuscore", "nltk", "torchtext", "torch"]
    names = [*libraries, "torchmetrics", "pytorch-ignite"]
    return {"python": platform.python_version()} | {name: installed[name] for name in names if name in installed}


def cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def measure_bulk(corpus: Corpus, rounds: int) -> dict[str, Any]:
    """Check that the peers' scores equal ours, then time all rows. Return microseconds per pair."""
    theirs = [*peer_rows(corpus), *sentence_rows(corpus)]
    if wrong := check(theirs):
        raise ScoresDifferError(*wrong)
    with tempfile.TemporaryDirectory() as cache:
        times = measure([*our_rows(corpus, load_metric(cache)), *theirs], rounds, slow_rounds=2)
    scale = 1e6 / len(corpus.predictions)
    per_pair = {name: [scale * seconds for seconds in taken] for name, taken in times.items()}
    return {"microseconds_per_pair": per_pair}


def join_parts(rng: np.random.Generator, corpus: Corpus, row: int, number: int) -> list[str]:
    """Return candidates of a segment: the start of its prediction or reference, then the end of one of the two."""
    versions = [text.split() for text in (corpus.predictions[row], *corpus.references[row])]
    candidates = []
    for left, right in rng.integers(len(versions), size=(number, 2)):
        share = rng.random()
        words = (
            versions[left][: int(share * len(versions[left]))] + versions[right][int(share * len(versions[right])) :]
        )
        candidates.append(" ".join(word for word in words if rng.random() > 0.04))
    return candidates


def measure_many(corpus: Corpus, rounds: int, size: int) -> dict[str, float]:
    """Check our pairwise scores against sacrebleu's, then return the microseconds of each call per pair or text."""
    import sacrebleu

    rng = np.random.default_rng(0)
    candidates, references = (join_parts(rng, corpus, 0, size) for _ in range(2))
    segments = [join_parts(rng, corpus, row, 32) for row in range(min(500, len(corpus.predictions)))]
    few, texts = range(min(40, size)), corpus.predictions
    score = sacrebleu.BLEU(effective_order=True).sentence_score

    def loop() -> list[list[float]]:
        return [[score(candidates[left], [references[right]]).score / 100 for right in few] for left in few]

    np.testing.assert_allclose(
        pairwise_bleu(candidates, references)[: len(few), : len(few)], loop(), rtol=0, atol=1e-12
    )
    calls: dict[str, tuple[Callable[[], Any], int]] = {
        f"pairwise_bleu of {size:,} x {size:,}, per pair": (lambda: pairwise_bleu(candidates, references), size**2),
        "pairwise_bleu of segments of 32 x 32, per pair": (lambda: pairwise_bleu(segments), 1024 * len(segments)),
        "sacrebleu sentence_score, a loop, per pair": (loop, len(few) ** 2),
        "mbr, aggregated, of segments of 32, per text": (lambda: mbr(segments, aggregate=True), 32 * len(segments)),
        f"self_bleu of {len(texts):,}, per text": (lambda: self_bleu(texts), len(texts)),
    }
    times = {name: min(time_calls([run]).processor for _ in range(rounds)) for name, (run, _) in calls.items()}
    return {name: 1e6 * seconds / calls[name][1] for name, seconds in times.items()}


def main(command_line: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--sizes", action="store_true", help="time calls of 1, 2, 4, ... 1,024 and all pairs")
    mode.add_argument("--many", action="store_true", help="time functions that compare texts with one another")
    parser.add_argument("--data", type=Path, help="checkout of the WMT22 release; without it a corpus is generated")
    parser.add_argument("--pairs", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument("--smoke", action="store_true", help="check on a small corpus that scores are equal")
    arguments = parser.parse_args(command_line)
    pairs, rounds = arguments.pairs, arguments.rounds
    if arguments.smoke:
        pairs, rounds = (32 if arguments.sizes else 300), 1
    sizes = [1, 16, 32] if arguments.smoke else [*(size for size in SIZES if size < pairs), pairs]
    corpus = make_corpus(arguments.data, pairs)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NLTK warns about each sentence without a match
            if arguments.many:
                results = {"many": measure_many(corpus, rounds, 50 if arguments.smoke else 1024)}
            else:
                results = measure_sizes(corpus, sizes, rounds) if arguments.sizes else measure_bulk(corpus, rounds)
    except ScoresDifferError as error:
        print("scores differ:", *error.args, sep="\n  ", file=sys.stderr)
        return 1
    world = {
        "corpus": corpus.name,
        "pairs": len(corpus.predictions),
        "cpu": cpu(),
        "threads": thread_count(),
        "engine": engine(),
    } | versions()
    if arguments.json:
        print(json.dumps({"world": world, **results}, indent=1))
        return 0
    if arguments.many:
        print("processor time", *(f"{name:<50}{taken:>10.2f} µs" for name, taken in results["many"].items()), sep="\n")
    elif arguments.sizes:
        report_sizes(results, sizes)
    else:
        report_bulk(**results)
    print("\nscores were equal before anything was timed (torchtext, torchmetrics: to float32)")
    print(", ".join(f"{key} {value}" for key, value in world.items()))
    return 0


def report_bulk(microseconds_per_pair: dict[str, list[float]]) -> None:
    base = min(microseconds_per_pair["corpus_bleu"])
    print(f"{'µs per pair':<40}{'minimum':>10}{'median':>10}{'of corpus_bleu':>16}")
    for name, taken in microseconds_per_pair.items():
        print(f"{name:<40}{min(taken):>10.2f}{statistics.median(taken):>10.2f}{min(taken) / base:>15.2f}x")


def report_sizes(clocks: dict[str, dict[str, list[float]]], sizes: list[int]) -> None:
    for clock, rows in clocks.items():
        title = f"µs per pair, {clock}"
        print(f"{title:<38}" + "".join(f"{size:>8,}" for size in sizes))
        for name, per_pair in rows.items():
            print(f"{name:<38}" + "".join(f"{microseconds:>8.1f}" for microseconds in per_pair))
        print()


if __name__ == "__main__":
    sys.exit(main())
