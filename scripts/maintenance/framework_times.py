"""Time the standard error of 1,000 segments in a framework, its own and ours, and rewards.

    python scripts/maintenance/framework_times.py lm_eval|lighteval|rewards

Each framework needs its environment; `.ci/frameworks.txt` says what is installed there. Numbers are printed side by
side: a framework's own standard error with few resamples, since it scores all texts for each.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from frameworks.recorded import recorded_outputs

from bleu_metric import reward
from bleu_metric.integrations.lighteval import lighteval_metric
from bleu_metric.integrations.lm_eval import task_functions
from bleu_metric.integrations.verl import compute_score

SEGMENTS = 1000
FEW_RESAMPLES = 100


def report(what: str, work: Callable[[], Any]) -> Any:
    """Run once, and print the answer and the wall-clock time."""
    start = time.perf_counter()
    answer = work()
    print(f"{what}: {time.perf_counter() - start:.3f} s, {answer if not isinstance(answer, list) else len(answer)}")
    return answer


def time_lm_eval() -> None:
    from lm_eval.api.metrics import bleu, stderr_for_metric

    predictions, references = recorded_outputs(SEGMENTS)
    first = [own[0] for own in references]
    items = list(zip(first, predictions, strict=True))
    report("its score", lambda: bleu(items))
    report(f"its error of {FEW_RESAMPLES} resamples", lambda: stderr_for_metric(bleu, FEW_RESAMPLES)(items))
    task = task_functions("references")
    pairs = list(zip(predictions, first, strict=True))
    rows = report(
        "our counts",
        lambda: [task.process_results({"references": own}, [text])["corpus_bleu"] for text, own in pairs],
    )
    report("our score", lambda: task.bleu(rows))
    report("our error of 1000 resamples", lambda: task.standard_error(rows))


def time_lighteval() -> None:
    import nltk
    from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
    from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput
    from lighteval.metrics.utils.stderr import get_stderr_function

    nltk.download = lambda *_, **__: None  # asked for in every scoring, and not used
    predictions, references = recorded_outputs(SEGMENTS)
    pairs = list(zip(predictions, references, strict=True))
    items = [GenerativeCorpusMetricInput(golds=own[:1], preds=[text]) for text, own in pairs]
    theirs = CorpusLevelTranslationMetric("bleu")
    report("its score", lambda: theirs.compute_corpus(items))
    error = get_stderr_function(aggregation=theirs.compute_corpus, number_experiments=FEW_RESAMPLES)
    report(f"its error of {FEW_RESAMPLES} resamples", lambda: error(items))
    ours = lighteval_metric().corpus_level_fn
    report("our score and error of 1000 resamples", lambda: ours.compute_corpus(items))
    whole = [GenerativeCorpusMetricInput(golds=own, preds=[text]) for text, own in pairs]
    report("the same with all references", lambda: ours.compute_corpus(whole))


def least(work: Callable[[], Any], calls: int) -> float:
    """Measure the processor time of a call: the least of many, since other programs disturb the rest."""
    times = []
    for _ in range(100):
        start = time.process_time()
        for _ in range(calls):
            work()
        times.append((time.process_time() - start) / calls)
    return min(times)


def time_rewards() -> None:
    rng = random.Random(1)
    ids = [[rng.randrange(32_000) for _ in range(512)] for _ in range(64)]
    answers = [[own if rng.random() < 0.7 else rng.randrange(32_000) for own in row] for row in ids]
    many = {"completions": [""] * 64, "completion_ids": ids, "answer": answers}
    by_ids = reward("answer")
    print(f"64 completions of 512 ids: {1e3 * least(lambda: by_ids(**many), 1):.2f} ms")
    text, truth = "the cat sat on the mat near the old red house", "the cat sat on a mat near the old house"
    print(f"one sample: {1e6 * least(lambda: compute_score('', text, truth), 50):.1f} microseconds")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    os.environ.update(DISABLE_MULTIPROC="1", LIGHTEVAL_DISABLE_TQDM="1")
    measurements = {"lm_eval": time_lm_eval, "lighteval": time_lighteval, "rewards": time_rewards}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=measurements)
    measurements[parser.parse_args().framework]()
