"""Measure how the time and memory of `corpus_bleu` grow with each dimension of the input, and print tables.

    python scripts/maintenance/growth.py [--largest 10000000]

Each time is the shortest of several runs on all threads, on a generated corpus. Memory is measured for pairs only: it
is the peak memory of the process minus its memory before scoring.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the modules benchmark and workloads are in scripts/

from benchmark import cpu
from workloads import generated

from bleu_metric import corpus_bleu
from bleu_metric._kernel import engine
from bleu_metric._threads import thread_count

Texts = list[str]


class Row(NamedTuple):
    """The time of scoring one size of a dimension, such as 1,000 pairs, and the memory if it is measured."""

    dimension: str
    size: int
    microseconds: float  # per pair or per 20 tokens: see `UNITS`
    megabytes: float | None = None  # peak memory while scoring, without the inputs


UNITS = {
    "pairs": "µs per pair",
    "references on each of 100 segments": "µs per 20 tokens",
    "tokens in each segment": "µs per 20 tokens",
    "orders": "µs per pair",
}


def best(function: Any, seconds: float = 1.0) -> float:
    """Return the shortest time of some runs, which take about `seconds` together, after one that is not timed."""
    function()
    taken: list[float] = []
    while not taken or (sum(taken) < seconds and len(taken) < 20):
        started = time.perf_counter()
        function()
        taken.append(time.perf_counter() - started)
    return min(taken)


def distinct(pairs: int) -> tuple[Texts, list[Texts]]:
    """Return pairs of distinct texts, which are made by adding a number to each generated text."""
    texts, references = generated(min(pairs, 20_000))
    places = range(pairs)
    predictions = [f"{texts[i % len(texts)]} {i}" for i in places]
    return predictions, [[f"{references[i % len(texts)][0]} {i}"] for i in places]


def resident() -> float:
    """Return the memory of this process in megabytes."""
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def measure_pairs(pairs: int) -> Row:
    """Measure the scoring of `pairs` pairs. Each number needs a new process, because peak memory never falls."""
    predictions, references = distinct(pairs)
    corpus_bleu(predictions[:5000], references[:5000])
    before = resident()
    spent = best(lambda: corpus_bleu(predictions, references))
    above = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    return Row("pairs", pairs, 1e6 * spent / pairs, above)


def in_a_process(pairs: int) -> Row:
    command = [sys.executable, __file__, "--pairs", str(pairs)]
    return Row(*json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def token_text(rng: np.random.Generator, tokens: int) -> str:
    return " ".join(f"w{number}" for number in rng.zipf(1.25, tokens) % 20_000)


def measure_references(several: int) -> Row:
    rng = np.random.default_rng(several)
    predictions = [token_text(rng, 20) for _ in range(100)]
    references = [[token_text(rng, 20) for _ in range(several)] for _ in predictions]
    tokens = 20 * 100 * (several + 1)
    return Row(
        "references on each of 100 segments",
        several,
        20e6 * best(lambda: corpus_bleu(predictions, references)) / tokens,
    )


def measure_lengths(tokens: int) -> Row:
    rng = np.random.default_rng(tokens)
    segments = max(1, 400_000 // tokens)
    predictions, references = ([token_text(rng, tokens) for _ in range(segments)] for _ in range(2))
    spent = best(lambda: corpus_bleu(predictions, references))
    return Row("tokens in each segment", tokens, 20e6 * spent / (2 * tokens * segments))


def measure_orders(order: int) -> Row:
    predictions, references = distinct(20_000)
    return Row("orders", order, 1e6 * best(lambda: corpus_bleu(predictions, references, max_order=order)) / 20_000)


def measure(largest: int) -> list[Row]:
    sizes = [10**power for power in range(3, 8) if 10**power <= largest]
    rows = [in_a_process(pairs) for pairs in sizes]
    rows += [measure_references(several) for several in (1, 4, 16, 100, 1000)]
    rows += [measure_lengths(tokens) for tokens in (10, 100, 1000, 10_000, 100_000, 1_000_000)]
    return rows + [measure_orders(order) for order in (1, 2, 4, 8, 15, 30)]


def table(rows: list[Row]) -> str:
    """Return Markdown tables, one per dimension."""
    lines = []
    for dimension, unit in UNITS.items():
        measured = [row for row in rows if row.dimension == dimension]
        has_memory = any(row.megabytes is not None for row in measured)
        lines += ["", f"| {dimension} | {unit} |" + " MB in addition to the inputs |" * has_memory]
        lines.append("| ---: | ---: |" + " ---: |" * has_memory)
        for row in measured:
            memory = f" {max(0, round(row.megabytes or 0))} |" * has_memory
            lines.append(f"| {row.size:,} | {row.microseconds:.2f} |{memory}")
    return "\n".join(lines[1:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=10**7, help="largest number of pairs")
    parser.add_argument("--pairs", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.pairs:
        print(json.dumps(measure_pairs(arguments.pairs)))
        return 0
    warnings.simplefilter("ignore", UserWarning)  # scores of 0 cause warnings: random texts may share no 4-gram
    rows = measure(arguments.largest)
    world = (
        f"{cpu()}, {thread_count()} threads, engine {engine()}, Python {sys.version.split()[0]}, NumPy {np.__version__}"
    )
    print(table(rows), world, sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
