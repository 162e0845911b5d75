"""Measure confidence intervals and paired tests: speed, equality with sacrebleu, error rates in simulations.

    python scripts/significance.py FOLDER [speed] [memory] [same] [truth] [few] [best] [pairs] [metrics]

FOLDER is a checkout of the WMT22 release, as for reproduce_wmt.py. If you name no part, every part runs:

    speed   time a bootstrap and a randomization, ours and sacrebleu's; check first that the results are equal
    memory  measure the time and the additional memory of 1,000 resamples of 1,000,000 segments
    same    compare our p-values with sacrebleu's for 50 pairs of systems
    truth   simulate how often the 95 % interval contains the true score, and how often equal systems have p <= 5 %
    few     simulate how often equal systems have p <= 5 %, on 3 to 200 segments
    best    compare every system with the best system of its language pair
    pairs   simulate how often the comparison of all pairs of nine equal systems finds a difference
    metrics simulate how often two equal systems differ at 5 % in chrF, TER and a mean of segment scores
"""

from __future__ import annotations

import argparse
import itertools
import logging
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from reproduce_wmt import TOKENIZERS, lines
from tqdm import tqdm

from bleu_metric import (
    DIALECTS,
    BleuStatistics,
    bootstrap,
    paired_approximate_randomization,
    paired_bootstrap,
    score,
    sentence_bleu,
    system_statistics,
)
from bleu_metric._display import Metric
from bleu_metric._statistics import MetricStatistics, mean_statistics
from bleu_metric.comparison import result

ROUNDS = 7
SEGMENTS = 500  # of each test set of the part `truth`
FEW = (3, 5, 10, 20, 30, 50, 100, 200)  # segments of the test sets of the part `few`
ALMOST = 1e-6  # tolerance of scores from 0 to 1: sacrebleu resamples in float32


def texts(folder: Path, pair: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the outputs of each system of a language pair, by name, and the first reference of the pair."""
    name, target = f"generaltest2022.{pair}", pair.split("-")[1]
    files = sorted((folder / "txt" / "system-outputs").glob(f"{name}.hyp.*.{target}"))
    reference = min((folder / "txt" / "references").glob(f"{name}.ref.*.{target}"))
    return {path.name.removeprefix(f"{name}.hyp.").removesuffix(f".{target}"): lines(path) for path in files}, lines(
        reference
    )


def count(folder: Path, pair: str) -> dict[str, BleuStatistics]:
    systems, reference = texts(folder, pair)
    return system_statistics(systems, reference, "sacrebleu", tokenizer=TOKENIZERS.get(pair.split("-")[1], "13a"))


def pairs(folder: Path) -> list[str]:
    files = (folder / "txt" / "system-outputs").glob("generaltest2022.*")
    return sorted({path.name.split(".")[1] for path in files})


def fastest(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """Time both functions in turn, in several rounds. Return the shortest time of each, in seconds."""
    times = np.zeros((ROUNDS, 2))
    for row in times:
        for place, work in enumerate((ours, theirs)):
            started = time.perf_counter()
            work()
            row[place] = time.perf_counter() - started
    return tuple(times.min(axis=0).tolist())


def speed(folder: Path) -> None:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import _bootstrap_resample, _paired_ar_test

    systems, reference = texts(folder, "en-de")
    (base_name, base), (name, other) = list(systems.items())[:2]
    counted = system_statistics({base_name: base, name: other}, reference, "sacrebleu")
    metric = BLEU(references=[reference])
    rows = metric._extract_corpus_statistics(base, None)
    _, scores = _bootstrap_resample(rows, metric)
    interval = bootstrap(counted[base_name])
    error = abs(np.mean([one.score for one in scores]) - 100 * interval.mean)
    if error > 100 * ALMOST:
        raise SystemExit(f"the bootstrap differs from sacrebleu's by {error}")
    seconds, theirs = fastest(lambda: bootstrap(counted[base_name]), lambda: _bootstrap_resample(rows, metric))
    print(f"bootstrap, 1,000 resamples of {len(base)} segments, means equal to {ALMOST:g}:")
    print(f"    ours {1000 * seconds:.1f} ms, sacrebleu {1000 * theirs:.1f} ms: {theirs / seconds:.1f} times as fast")
    result = metric.corpus_score(base, None)
    info = {"BLEU": (rows, result)}

    def sacrebleus() -> float:
        return _paired_ar_test(info, name, other, None, {"BLEU": metric}, seed=12345)[1]["BLEU"].p_value

    def ours(n_resamples: int = 40) -> float:  # the fewest that an interval accepts
        test = paired_approximate_randomization(
            counted[base_name], counted[name], p_values="sacrebleu", n_resamples=n_resamples
        )
        return test.systems[0].p_value or 0.0

    if ours() != sacrebleus():
        raise SystemExit(f"the p-values differ: ours is {ours()}, sacrebleu's is {sacrebleus()}")
    seconds, theirs = fastest(ours, sacrebleus)
    print("paired approximate randomization, 10,000 trials, p-values equal:")
    print(f"    ours {1000 * seconds:.0f} ms, sacrebleu {1000 * theirs:.0f} ms: {theirs / seconds:.1f} times as fast")
    print("    (sacrebleu's time includes counting the system's n-grams, ours is of counts)")


def memory(_folder: Path) -> None:
    """Run `of_a_million` in a new process: the peak memory of this process includes earlier parts and never falls."""
    code = f"import sys; sys.path[:0] = {sys.path!r}; import significance; significance.of_a_million()"
    subprocess.run([sys.executable, "-c", code], check=True)


def of_a_million() -> None:
    segments = 1_000_000
    rng = np.random.default_rng(1)
    length = rng.integers(5, 40, segments)
    totals = [length - order for order in range(4)]
    matches = [(total * share).astype(np.int64) for total, share in zip(totals, (0.6, 0.4, 0.3, 0.2), strict=True)]
    reference = length + rng.integers(-3, 4, segments)
    statistics = BleuStatistics(np.stack([*matches, *totals, length, reference], axis=1), DIALECTS["sacrebleu"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    interval = bootstrap(statistics)
    seconds = time.perf_counter() - started
    above = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    size = statistics.table.nbytes / 2**20
    print(f"bootstrap, 1,000 resamples of {segments:,} segments: {seconds:.1f} s, interval of width", end=" ")
    print(f"{interval.high - interval.low:.6f}")
    print(f"    statistics {size:.0f} MiB; peak of memory above the peak before: {above:.0f} MiB")


def same(folder: Path) -> None:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    chosen = list(itertools.islice(_neighbours(folder), 50))
    equal, near, worst = {"bs": 0, "ar": 0}, {"bs": 0, "ar": 0}, 0.0
    for pair, first, second in tqdm(chosen, unit="pair", disable=None):
        systems, reference = texts(folder, pair)
        tokenizer = TOKENIZERS.get(pair.split("-")[1], "13a")
        two = {name: systems[name] for name in (first, second)}
        counted = system_statistics(two, reference, "sacrebleu", tokenizer=tokenizer)
        for test, function in (("bs", paired_bootstrap), ("ar", paired_approximate_randomization)):
            _, scores = PairedTest(list(two.items()), {"BLEU": BLEU(tokenize=tokenizer)}, [reference], test, 1000)()
            theirs = scores["BLEU"][1].p_value
            p = [
                function(counted[first], counted[second], 1000, seed=seed, p_values="sacrebleu").systems[0].p_value
                for seed in (12345, 1)
            ]
            equal[test] += p[0] == theirs
            error = np.sqrt(2 * max(theirs * (1 - theirs), 1e-3) / 1000)
            near[test] += abs(p[1] - theirs) <= 4 * error
            worst = max(worst, abs(p[1] - theirs))
    print(f"{len(chosen)} pairs of systems, 1,000 trials; p-values as sacrebleu counts them:")
    print(f"    seed 12345: bootstrap {equal['bs']} equal, randomization {equal['ar']} equal")
    print(f"    seed 1: within 4 standard errors {near['bs']} and {near['ar']}; largest difference {worst:.3f}")


def _neighbours(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield language pairs in turn, each with two of its systems that are neighbours when ordered by score."""
    ranked = []
    for pair in pairs(folder):
        scored = sorted((score(one).bleu, name) for name, one in count(folder, pair).items())
        ranked.append([(pair, left[1], right[1]) for left, right in itertools.pairwise(scored)])
    for several in itertools.zip_longest(*ranked):
        yield from (one for one in several if one)


def truth(folder: Path) -> None:
    counted = count(folder, "en-de")
    (first, one), (second, other) = list(counted.items())[:2]
    rng = np.random.default_rng(2022)
    known, hits, repetitions = score(one).bleu, 0, 1000
    for seed in tqdm(range(repetitions), unit="test set", disable=None):
        interval = bootstrap(one[rng.integers(len(one), size=SEGMENTS)], seed=seed)
        hits += interval.low <= known <= interval.high
    print(
        f"{repetitions} test sets of {SEGMENTS} segments drawn from {len(one)} of {first}, whose BLEU is {known:.4f}:"
    )
    print(f"    the 95 % interval holds it {100 * hits / repetitions:.1f} % of the time")
    print(f"2000 test sets of {SEGMENTS} segments on which {first} and {second} are equal by construction:")
    for test, share in false_alarms([one, other], SEGMENTS, 2000).items():
        print(f"    {test}: a difference at 5 % in {100 * share:.1f} %")


def few(folder: Path) -> None:
    systems, repetitions = list(count(folder, "en-de").values()), 7000
    result.MIN_SEGMENTS = 2  # to measure the false positives that this limit prevents
    print(f"{repetitions} test sets of each size, two of {len(systems)} systems equal by construction, p <= 5 % in:")
    for segments in FEW:
        shares = false_alarms(systems, segments, repetitions)
        numbers = ", ".join(f"{test} {100 * share:.1f} %" for test, share in shares.items())
        print(f"    {segments} segments: {numbers}", flush=True)


def false_alarms(systems: list[BleuStatistics], segments: int, repetitions: int) -> dict[str, float]:
    """Return, for each test, the share of test sets on which two equal systems have a p-value of 5 % or less.

    Each test set has random segments of two random systems. For each segment, chance decides which of the two outputs
    belongs to which system. So the two systems are equal by construction.
    """
    rng = np.random.default_rng(2022)
    alarms = {
        "paired bootstrap": 0,
        "paired bootstrap, p as sacrebleu counts": 0,
        "paired approximate randomization": 0,
    }
    for seed in tqdm(range(repetitions), unit="test set", disable=None):
        one, other = (systems[index] for index in rng.permutation(len(systems))[:2])
        rows = rng.integers(len(one), size=segments)
        keep = rng.integers(2, size=(segments, 1), dtype=bool)
        tables = one.table[rows], other.table[rows]
        two = [BleuStatistics(np.where(keep, *each), one.config) for each in (tables, tables[::-1])]
        found = [
            paired_bootstrap(*two, seed=seed),
            paired_bootstrap(*two, seed=seed, p_values="sacrebleu"),
            paired_approximate_randomization(*two, 1000, seed=seed, n_resamples=40),
        ]
        for test, comparison in zip(alarms, found, strict=True):
            alarms[test] += (comparison.systems[0].p_value or 1) <= 0.05
    return {test: number / repetitions for test, number in alarms.items()}


def all_pairs(folder: Path) -> None:
    counted, repetitions = count(folder, "en-de"), 1000
    tables = np.stack([one.table for one in counted.values()])
    config = next(iter(counted.values())).config
    rng, alarms = np.random.default_rng(2022), 0
    for seed in tqdm(range(repetitions), unit="test set", disable=None):
        shuffled = equal_systems(tables, SEGMENTS, rng)
        systems = {name: BleuStatistics(table, config) for name, table in zip(counted, shuffled, strict=True)}
        alarms += any((pair.p_adjusted or 1) <= 0.05 for pair in paired_bootstrap(systems, seed=seed).pairs)
    print(f"{repetitions} test sets of {SEGMENTS} segments, {len(counted)} systems equal by construction:")
    print(f"    all pairs: a difference at 5 % after Holm's correction in {100 * alarms / repetitions:.1f} %")
    started = time.process_time()
    paired_bootstrap(counted)
    print(f"    {len(counted)} systems of {tables.shape[1]} segments, all pairs: {time.process_time() - started:.2f} s")


def other_metrics(folder: Path) -> None:
    systems, reference = texts(folder, "en-de")
    two = dict(list(systems.items())[:2])
    by_metric = system_statistics(two, reference, metrics=["chrf", "ter"])
    means = {name: sentence_bleu(outputs, reference) for name, outputs in two.items()}
    shown_as = Metric("mean of sentence scores", scale=1)
    by_metric[shown_as.name] = {
        name: mean_statistics(shown_as, scores, "metric:mean|average:sentence") for name, scores in means.items()
    }
    repetitions = 2000
    print(f"{repetitions} test sets of {SEGMENTS} segments, two systems equal by construction, p <= 5 % in:")
    for metric, counted in by_metric.items():
        tables = np.stack([one.table for one in counted.values()])
        like = next(iter(counted.values()))
        rng, alarms = np.random.default_rng(2022), 0
        for seed in tqdm(range(repetitions), unit="test set", disable=None):
            shuffled = equal_systems(tables, SEGMENTS, rng)
            equal = [MetricStatistics(like.metric, table, like.score_sums, like.signature()) for table in shuffled]
            alarms += paired_bootstrap(*equal, seed=seed).systems[0].p_value <= 0.05
        print(f"    {metric}: {100 * alarms / repetitions:.1f} %", flush=True)


def equal_systems(tables: np.ndarray, segments: int, rng: np.random.Generator) -> np.ndarray:
    """Return the tables of equal systems: for random segments, chance decides which output belongs to which system.

    `tables`: shape (systems, segments, columns).
    """
    rows = rng.integers(tables.shape[1], size=segments)
    order = rng.permuted(np.tile(np.arange(len(tables)), (segments, 1)), axis=1)
    return np.stack([tables[owner, rows] for owner in order.T])


def against_best(folder: Path) -> None:
    started, systems = time.perf_counter(), 0
    apart: list[float] = []
    close: list[float] = []
    print(f"{'pair':<8}{'system':<26}{'BLEU':>8}{'95 % interval':>18}{'delta':>8}{'p':>9}{'Holm':>9}")
    for pair in pairs(folder):
        counted = count(folder, pair)
        best = max(counted, key=lambda name: score(counted[name]).bleu)
        baseline = counted.pop(best)
        if not counted:
            systems += 1
            print(line(pair, {"system": best, "p_value": None, **bootstrap(baseline).to_dict()}))
            continue
        rows = paired_approximate_randomization(baseline, counted, baseline_name=best).rows()
        systems += len(rows)
        for row in rows:
            print(line(pair, row))
            if row["p_value"] is not None:
                (apart if row["p_adjusted"] <= 0.05 else close).append(-100 * row["delta"])
        half = 50 * np.mean([row["high"] - row["low"] for row in rows])
        print(f"{pair:<8}{len(baseline):,} segments: intervals of ± {half:.2f} on average")
    seconds = time.perf_counter() - started
    print(f"{systems} systems in {seconds:.1f} s, 10,000 trials each")
    print(f"{len(apart)} differ from the best of their pair at 5 % after Holm's correction,")
    print(f"by {min(apart, default=0):.2f} BLEU or more; {len(close)} do not, by up to {max(close, default=0):.2f}")


def line(pair: str, row: dict[str, Any]) -> str:
    interval = f"[{100 * row['low']:.1f}, {100 * row['high']:.1f}]"
    start = f"{pair:<8}{row['system']:<26}{100 * row['score']:>8.2f}{interval:>18}"
    if row["p_value"] is None:
        return start
    return f"{start}{100 * row['delta']:>8.2f}{row['p_value']:>9.4f}{row['p_adjusted']:>9.4f}"


PARTS = {"speed": speed, "memory": memory, "same": same, "truth": truth, "few": few, "best": against_best}
PARTS |= {"pairs": all_pairs, "metrics": other_metrics}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; default: every part")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"unknown part {unknown.pop()!r}; accepted: {', '.join(PARTS)}")
    if not (arguments.folder / "txt" / "system-outputs").is_dir():
        parser.error(f"{arguments.folder} has no txt/system-outputs: FOLDER must be a checkout of the WMT22 release")
    for part in arguments.parts or PARTS:
        PARTS[part](arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
