"""Two processes count half of the texts each: `torch.distributed` with gloo, and torchmetrics. Prints JSON."""

from __future__ import annotations

import warnings

import torch
import torch.distributed as dist
from torch_run import print_once

warnings.simplefilter("ignore")  # what torchmetrics imports

from bleu_metric.compat.torchmetrics import BLEUScore, SacreBLEUScore  # noqa: E402

WORDS = ["the", "cat", "sat", "on", "a", "mat", "."]
TEXTS = [" ".join(WORDS[(row * step) % 7] for step in range(1, 12)) for row in range(20)]
TARGETS = [[" ".join(text.split()[1:]), text.replace("cat", "dog")] for text in TEXTS]


def main() -> None:
    """Score the rows of this process, and let the metrics add up."""
    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    batches = [slice(first, first + 3) for first in range(rank * 3, len(TEXTS), 3 * size)]
    metrics = {"bleu": BLEUScore(), "sacrebleu": SacreBLEUScore(n_gram=2)}
    answers = {}
    for name, metric in metrics.items():
        for rows in batches:
            metric(TEXTS[rows], TARGETS[rows])
        answers[name] = float(metric.compute())
        total = metric.numerator.tolist(), str(metric.numerator.dtype)
        metric.reset()
        for rows in batches:
            metric.update(TEXTS[rows], TARGETS[rows])
        assert float(metric.compute()) == answers[name], "a reset starts again"
        assert total == (metric.numerator.tolist(), "torch.int64"), "after the score, the counts are its own again"
    print_once(answers)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
