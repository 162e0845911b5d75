"""Every process counts a part of the texts with an `Accumulator`, over gloo. Prints JSON."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch_run import print_once

from bleu_metric import Accumulator, score

WORDS = ["the", "cat", "sat", "on", "a", "mat", "."]
TEXTS = [" ".join(WORDS[(row * step) % 7] for step in range(1, 12)) for row in range(20)]
REFERENCES = [[text.replace("cat", "dog"), *([text[:20]] * (row % 3))] for row, text in enumerate(TEXTS)]


def main() -> None:
    """Count the rows of this process, add up, and compare the processes."""
    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    kinds = {
        "texts": (TEXTS, REFERENCES, {}),
        "ids": ([[len(word) for word in text.split()] for text in TEXTS], [[[3, 3, 2, 1]]] * 20, {}),
        "averages": (TEXTS, REFERENCES, {"reference_length": "average", "max_order": 2}),
    }
    answers = {}
    for name, (predictions, references, options) in kinds.items():
        accumulator = Accumulator("sacrebleu", **options)
        for first in range(rank * 3, 20, 3 * size):
            accumulator.update(predictions[first : first + 3], references[first : first + 3])
        for _ in range(2):  # own counts stay as they are
            together = accumulator.all_reduce()
        answers[name] = [score(together).bleu, together.table.tolist(), together.signature()]
    alone = Accumulator("sacrebleu")
    assert not len(alone.all_reduce()), "nothing was counted"
    if rank == 0:
        alone.update([[1, 2, 3]], [[1, 2, 3]])  # the others have counted nothing, and do not know that these are ids
    answers["one process"] = [alone.all_reduce().signature(), score(alone.all_reduce()).counts]
    own = {"max_order": 3} if size > 1 and rank == 1 else {}
    try:
        Accumulator(**own).all_reduce()
        assert size == 1, "different options are an error in every process"
    except ValueError as error:
        answers["error"] = str(error)
    print_once(answers)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
