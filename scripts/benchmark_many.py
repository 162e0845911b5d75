"""Time `pairwise_bleu`, `self_bleu` and `mbr` on WMT22 texts, and `pairwise_bleu` also against sacrebleu.

    python scripts/benchmark_many.py FOLDER [--big]

FOLDER is a checkout of the WMT22 release, as for `reproduce_wmt.py`. Candidates are generated: each joins parts of two
outputs or references of a segment. A time is the processor time of the fastest of several runs. Slow calls run once.
"""

from __future__ import annotations

import argparse
import platform
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu

from bleu_metric import mbr, pairwise_bleu, self_bleu

PAIR = "de-en"


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def segment_versions(folder: Path) -> list[tuple[str, ...]]:
    """Return, for each segment of `PAIR`, the outputs of all systems and all references."""
    paths = [*folder.glob(f"system-outputs/*.{PAIR}.*"), *folder.glob(f"references/*.{PAIR}.*")]
    return list(zip(*map(read_lines, sorted(paths)), strict=True))


def english_lines(folder: Path, rng: np.random.Generator) -> list[str]:
    """Return all distinct English lines of the release, in random order."""
    lines = sorted({line for path in folder.glob("*/*.en") for line in read_lines(path)})
    rng.shuffle(lines)
    return lines


def join(rng: np.random.Generator, left: list[str], right: list[str]) -> list[str]:
    place = rng.random()
    return left[: int(place * len(left))] + right[int(place * len(right)) :]


def samples(rng: np.random.Generator, versions: tuple[str, ...], number: int) -> list[str]:
    """Return `number` candidates. Each joins the start of one version to the end of another, and lacks a few words."""
    words = [version.split() for version in versions]
    joined = (join(rng, words[rng.integers(len(words))], words[rng.integers(len(words))]) for _ in range(number))
    return [" ".join(word for word in text if rng.random() > 0.04) for text in joined]


def more_lines(rng: np.random.Generator, lines: list[str], number: int) -> list[str]:
    """Return `number` lines in random order. If `lines` has fewer, each further line joins the parts of two lines."""
    words = [line.split() for line in lines]
    drawn = rng.integers(0, len(lines), (max(0, number - len(lines)), 2)).tolist()
    texts = [*lines, *(" ".join(join(rng, words[left], words[right])) for left, right in drawn)]
    rng.shuffle(texts)
    return texts[:number]


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def pairs_against_peers(candidates: list[str], references: list[str]) -> Iterator[str]:
    pairs = len(candidates) * len(references)
    ours = seconds(lambda: pairwise_bleu(candidates, references)) / pairs
    matrix = pairwise_bleu(candidates, references)
    bleu = sacrebleu.BLEU(effective_order=True)
    few = [(i, j) for i in range(40) for j in range(40)]
    theirs = [bleu.sentence_score(candidates[i], [references[j]]).score / 100 for i, j in few]
    np.testing.assert_allclose([matrix[pair] for pair in few], theirs, rtol=0, atol=1e-12)
    sacre = seconds(lambda: [bleu.sentence_score(candidates[i], [references[j]]) for i, j in few]) / len(few)
    yield f"{len(candidates)} x {len(references)}: {ours * 1e6:.2f} us a pair"
    yield f"  sacrebleu, one object: {sacre * 1e6:.1f} us, {sacre / ours:.0f} times as long"


def time_per_pair(name: str, hypotheses: Any, references: Any, pairs: int, runs: int = 5) -> str:
    taken = seconds(lambda: pairwise_bleu(hypotheses, references), runs)
    return f"{name}: {taken / pairs * 1e6:.2f} us a pair"


def self_bleu_times(lines: list[str], sizes: list[int], rng: np.random.Generator) -> Iterator[str]:
    texts = more_lines(rng, lines, max(sizes))
    for size in sizes:
        taken = seconds(lambda size=size: self_bleu(texts[:size]), 7 if size < 10_000 else 2)  # type: ignore[misc]
        yield f"Self-BLEU of {size:,}: {taken:.2f} s, {taken / size * 1e6:.1f} us a text"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--big", action="store_true", help="also time 8,000 x 2,000 texts and 1,000,000 lines")
    arguments = parser.parse_args()
    for part in ("system-outputs", "references"):
        files = f"txt/{part}/*.{PAIR}.*"
        if not any(arguments.folder.glob(files)):
            parser.error(f"{arguments.folder} has no {files}: FOLDER must be a checkout of the WMT22 release")
    return arguments


def main() -> None:
    arguments = read_arguments()
    folder, is_big = arguments.folder / "txt", arguments.big
    rng = np.random.default_rng(0)
    versions = segment_versions(folder)
    [segment, *_] = [each for each in versions if 20 <= len(each[0].split()) <= 30]
    print(f"{processor()}, Python {platform.python_version()}, NumPy {np.__version__}, processor time")
    candidates, references = (samples(rng, segment, 1024) for _ in range(2))
    print(*pairs_against_peers(candidates, references), sep="\n")
    print(time_per_pair("64 x 64", candidates[:64], references[:64], 64 * 64, 20))
    batch = [[samples(rng, versions[place % len(versions)], 32) for place in range(500)] for _ in range(2)]
    print(time_per_pair("500 segments of 32 x 32", *batch, 500 * 32 * 32))
    taken = seconds(lambda: mbr(batch[0], aggregate=True))
    print(f"aggregated MBR of 500 segments of 32: {taken / 16_000 * 1e6:.1f} us a candidate")
    if is_big:
        big = samples(rng, segment, 8000), samples(rng, segment, 2000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(time_per_pair("8,000 x 2,000", *big, 16_000_000, 1), end="")
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f", memory +{grown:.0f} MB, of which 122 MB are the result")
    sizes = [1000, 10_000, 50_000, *([1_000_000] if is_big else [])]
    print(*self_bleu_times(english_lines(folder, rng), sizes, rng), sep="\n")


if __name__ == "__main__":
    main()
