"""Simulate a cluster that counts partitions: what their size does to overhead, stragglers and skew.

    python scripts/stragglers.py [--rows 1e9] [--cores 256] [--rate 4.5] [--overhead 0.2] [--seed 0]

A core takes the next partition as soon as it is free, as Spark and Ray do. A partition takes `--overhead` seconds and
`--rate` microseconds per row. Three worlds: *even* partitions; *stragglers*: one partition in a hundred takes ten times
as long; *skewed*: sizes are drawn from a log-normal distribution of the same mean, the largest tens of times above it.
All times are in seconds, the mean of several draws.
"""

from __future__ import annotations

import argparse
import heapq
import sys

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DRAWS = 3
SIGMA = 1.5  # of the logarithms of the partitions' sizes
LARGEST_GROUP = 0.1  # of all rows: what one worker would count if rows were sent to their groups


def makespan(tasks: Floats, cores: int) -> float:
    """When the last of the tasks ends, each begun by the first core that is free."""
    free = [0.0] * cores
    for seconds in tasks:
        heapq.heapreplace(free, free[0] + seconds)
    return max(free)


def slowed(rng: np.random.Generator, tasks: Floats) -> Floats:
    return np.where(rng.random(len(tasks)) < 0.01, 10 * tasks, tasks)


def sizes(rng: np.random.Generator, partitions: int, rows: float) -> Floats:
    drawn = rng.lognormal(sigma=SIGMA, size=partitions)
    return drawn * rows / drawn.sum()


def simulate(size: int, world: argparse.Namespace) -> list[float]:
    """Return the times of one size of partitions: even, stragglers, skewed."""
    rng = np.random.default_rng(world.seed)
    partitions = max(1, round(world.rows / size))
    rate = world.rate / 1e6
    even = np.full(partitions, world.overhead + rate * world.rows / partitions)
    times = []
    for _ in range(DRAWS):
        skewed = world.overhead + rate * sizes(rng, partitions, world.rows)
        times.append([makespan(tasks, world.cores) for tasks in (even, slowed(rng, even), skewed)])
    return list(np.mean(times, axis=0))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e9)
    parser.add_argument("--cores", type=int, default=256)
    parser.add_argument("--rate", type=float, default=4.5, help="microseconds per row on one core")
    parser.add_argument("--overhead", type=float, default=0.2, help="seconds per partition")
    parser.add_argument("--seed", type=int, default=0)
    world = parser.parse_args()
    ideal = world.rows * world.rate / 1e6 / world.cores
    print("| rows in a partition | partitions | even | stragglers | skewed |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for size in (3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 4_000_000):
        even, straggling, skewed = simulate(size, world)
        print(f"| {size:,} | {round(world.rows / size):,} | {even:.1f} | {straggling:.1f} | {skewed:.1f} |")
    print(f"\n{world.rows:,.0f} rows, {world.cores} cores, {world.rate:g} µs a row, {world.overhead:g} s a partition")
    print(f"without overhead or wait: {ideal:.1f} s")
    print(f"one worker per group, a tenth of the rows in one: {LARGEST_GROUP * ideal * world.cores:.0f} s or more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
