"""Check that this package has not become slower relative to its peers.

    python scripts/maintenance/check_speed.py

The processor times of `corpus_bleu` and of its peers are measured in one process. Each peer must take at least `LEAST`
times our time. `LEAST` is a third to a half of the multiples on a quiet machine, so that a busy machine passes and a
lost optimisation fails. The exit status is 1 if a peer takes less time.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmark import measure_sizes
from workloads import make_corpus

PAIRS = [1, 1000]

# Least processor time of each peer, as a multiple of corpus_bleu's: for calls of 1 pair, and for calls of 1,000 pairs
LEAST = {
    "sacrebleu corpus_bleu": (2.0, 20.0),
    "NLTK corpus_bleu": (1.5, 12.0),
    "bleuscore compute": (0.2, 3.0),  # a single pair: 0.4 to 0.7 on a quiet machine, depending on the processor
}


def main() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        times = measure_sizes(make_corpus(None, PAIRS[-1]), PAIRS, rounds=3)["processor time"]
    is_slow = False
    for name, least in LEAST.items():
        for pairs, theirs, ours, ratio in zip(PAIRS, times[name], times["corpus_bleu"], least, strict=True):
            is_slow |= theirs < ratio * ours
            print(f"{name}, {pairs} pairs a call: {theirs / ours:.2f} times ours, at least {ratio} wanted")
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
