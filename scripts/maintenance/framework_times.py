"""Run evaluation frameworks with their own BLEU and with ours, and print one table of scores and times.

    python scripts/maintenance/framework_times.py lm_eval lighteval inspect_ai ragas unitxt trl verl rewards

Each name needs its framework; a line of `.ci/frameworks.txt` lists the packages to install together. A run evaluates
recorded outputs with the whole framework, offline, as in `tests/frameworks`. A framework without BLEU calls sacrebleu.
Times are the processor time of a run and of the processes that it starts, after a small run that is not timed. For
verl, times are the wall-clock time of the fastest of six runs. For trl, only the rewards are timed.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from frameworks import pipelines
from frameworks.recorded import WORDS, recorded_outputs
from frameworks.tiny_model import make_model, make_tokenizer

from bleu_metric import reward, sentence_bleu
from bleu_metric.integrations.verl import compute_score

SEGMENTS = 1000
FEW = 20
BY_HAND = '''
import re

import sacrebleu


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """Read the number from what the library prints: two decimals."""
    printed = str(sacrebleu.sentence_bleu(solution_str, list(ground_truth)))
    return float(re.search(r"BLEU = ([0-9.]+)", printed)[1]) / 100
'''


class Row(NamedTuple):
    """The scores and seconds of one run with the framework's metric, and of the same run with ours."""

    run: str
    theirs: str
    ours: str
    their_seconds: float
    our_seconds: float
    why: str


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Call `work` once. Return its result and its processor time, including the time of child processes."""
    start = processor_time()
    answer = work()
    return answer, processor_time() - start


def processor_time() -> float:
    """Return the processor seconds of this process and of its child processes that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def with_error(bleu: float, error: float) -> str:
    """Return a score and its standard error as text."""
    return f"{bleu:.2f} ± {error:.2f}"


def outputs(segments: int = SEGMENTS) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield two test sets: name, predictions, references. The first has one reference each, the second one to three."""
    predictions, references = recorded_outputs(segments)
    yield "one reference each", predictions, [own[:1] for own in references]
    yield "1 to 3 references", predictions, references


def lm_eval(folder: Path) -> Iterator[Row]:
    """Run lm_eval. It always computes the standard error from 100 resamples."""
    run = partial(pipelines.run_lm_eval, folder)
    for task in ("theirs", "ours"):
        run(task, *recorded_outputs(FEW))
    whys = ["the same score; errors of 100 and 1,000 resamples", "it keeps as many references as the shortest list has"]
    for (what, texts, references), why in zip(outputs(), whys, strict=True):
        theirs, their_seconds = timed(partial(run, "theirs", texts, references))
        ours, our_seconds = timed(partial(run, "ours", texts, references))
        error = with_error(theirs["bleu"], theirs["bleu_stderr"])
        our_error = with_error(ours["corpus_bleu"], ours["corpus_bleu_se"])
        yield Row(what, error, our_error, their_seconds, our_seconds, why)


def lighteval(folder: Path) -> Iterator[Row]:
    """Run lighteval. Its own metric uses 100 resamples here; its default is 1,000."""
    run = partial(pipelines.run_lighteval, folder)
    for task in ("theirs", "ours"):
        run(task, *recorded_outputs(FEW))
    whys = [
        "the same score; it divides the deviation of 100 resamples by 10, the root of their number",
        "it scores the first reference alone",
    ]
    for (what, texts, references), why in zip(outputs(), whys, strict=True):
        theirs, their_seconds = timed(partial(run, "theirs", texts, references, bootstrap_iters=100))
        ours, our_seconds = timed(partial(run, "ours", texts, references))
        error = with_error(theirs["bleu"], theirs["bleu_stderr"])
        our_error = with_error(ours["corpus_bleu"], ours["corpus_bleu_stderr"])
        yield Row(what, error, our_error, their_seconds, our_seconds, why)


def inspect_ai(folder: Path) -> Iterator[Row]:
    """Run inspect_ai. It has no BLEU, so a scorer that calls sacrebleu's sentence_bleu is compared with ours."""
    import sacrebleu
    from inspect_ai.scorer import Score, mean, scorer, stderr

    from bleu_metric.integrations.inspect_ai import bleu_scorer

    @scorer(metrics=[mean(), stderr()])
    def by_hand() -> Any:
        async def score_sample(state: Any, target: Any) -> Any:
            text = state.output.completion
            return Score(value=sacrebleu.sentence_bleu(text, list(target)).score / 100, answer=text)

        return score_sample

    def run(metric: Any, segments: int) -> list[float]:
        log = pipelines.run_inspect_ai(folder, metric, *recorded_outputs(segments))
        return [100 * number.value for number in log.results.scores[0].metrics.values()]

    for metric in (by_hand(), bleu_scorer()):
        run(metric, FEW)
    theirs, their_seconds = timed(partial(run, by_hand(), SEGMENTS))
    ours, our_seconds = timed(partial(run, bleu_scorer(), SEGMENTS))
    mean_of_ours = 100 * sentence_bleu(*recorded_outputs(SEGMENTS), "sacrebleu", effective_order=True).mean()
    why = f"by hand it is the mean of sentence scores ({mean_of_ours:.2f} by ours), not the score of the corpus"
    yield Row("1 to 3 references", with_error(*theirs), with_error(*ours), their_seconds, our_seconds, why)


def ragas(folder: Path) -> Iterator[Row]:
    """Run ragas on responses of one sentence, then of two."""
    from ragas.metrics import BleuScore

    from bleu_metric.integrations.ragas import ragas_metric

    texts, several = recorded_outputs(2 * SEGMENTS)
    texts, references = ([text.replace(".", "!") for text in rows] for rows in (texts, [own[0] for own in several]))
    pairs = [
        [". ".join(rows[place : place + 2]) for place in range(0, 2 * SEGMENTS, 2)] for rows in (texts, references)
    ]
    both = list(zip(references[::2], references[1::2], strict=True))
    first = 100 * sentence_bleu(texts[::2], both, "sacrebleu").mean()
    first_alone = f"it scores the first sentence alone, against both of the reference ({first:.2f} by ours)"
    runs = [
        ("one sentence each", texts[:SEGMENTS], references[:SEGMENTS], "the same score"),
        ("two sentences each", *pairs, first_alone),
    ]
    for metric in (BleuScore(), ragas_metric()):
        pipelines.run_ragas(metric, texts[:FEW], references[:FEW])
    for what, responses, their_references, why in runs:
        theirs, their_seconds = timed(partial(pipelines.run_ragas, BleuScore(), responses, their_references))
        ours, our_seconds = timed(partial(pipelines.run_ragas, ragas_metric(), responses, their_references))
        means = [f"{100 * statistics.mean(scores):.2f}" for scores in (theirs, ours)]
        yield Row(what, *means, their_seconds, our_seconds, why)


def unitxt(folder: Path) -> Iterator[Row]:
    """Run unitxt. It computes its interval with SciPy from 1,000 resamples. Ours also comes from 1,000."""
    from bleu_metric.integrations.unitxt import unitxt_metric

    def run(metric: str, segments: int) -> str:
        scores, _ = pipelines.run_unitxt(metric, *recorded_outputs(segments))
        score, low, high = (100 * scores[name] for name in ("score", "score_ci_low", "score_ci_high"))
        return f"{score:.2f}, {low:.2f} to {high:.2f}"

    for metric in (name := "metrics.normalized_sacrebleu", unitxt_metric()):
        run(metric, FEW)
    theirs, their_seconds = timed(partial(run, name, SEGMENTS))
    ours, our_seconds = timed(partial(run, unitxt_metric(), SEGMENTS))
    why = "it rounds the score of every resample to two decimals; its bounds are BCa, ours percentiles"
    yield Row("1 to 3 references", theirs, ours, their_seconds, our_seconds, why)


def trl(folder: Path) -> Iterator[Row]:
    """Run TRL. It has no BLEU, so a reward that calls sacrebleu once per completion is compared with ours."""
    import sacrebleu

    spent: dict[str, list[float]] = {"by hand": [], "ours": []}
    rewards: dict[str, list[float]] = {"by hand": [], "ours": []}
    ours = reward("answer", effective_order=True)

    def by_hand(completions: list[str], answer: list[list[str]], **columns: Any) -> list[float]:
        pairs = zip(completions, answer, strict=True)
        return [sacrebleu.sentence_bleu(text, own).score / 100 for text, own in pairs]

    def both(**columns: Any) -> list[float]:
        for name, function in (("by hand", by_hand), ("ours", ours)):
            given, seconds = timed(partial(function, **columns))
            rewards[name] += given
            spent[name].append(seconds)
        return given

    tokenizer = make_tokenizer(sorted(set(WORDS)))
    prompts, answers = recorded_outputs(16)
    columns = {"prompt": [text[:20] for text in prompts], "answer": answers}
    sizes = {"per_device_train_batch_size": 64, "num_generations": 8, "max_completion_length": 32}
    pipelines.run_trl(folder, [both], columns, tokenizer, make_model(tokenizer), **sizes)
    means = [f"{100 * statistics.mean(rewards[name]):.2f}" for name in rewards]
    yield Row("GRPO, rewards of 64 completions", *means, min(spent["by hand"]), min(spent["ours"]), "the same rewards")


def verl(folder: Path) -> Iterator[Row]:
    """Run verl. It has no BLEU, so our reward is compared with a published recipe, which parses sacrebleu's output."""
    texts, references = recorded_outputs(SEGMENTS)
    tokenizer = make_tokenizer(sorted(set(WORDS)))
    (folder / "by_hand.py").write_text(BY_HAND)
    by_hand = {"path": str(folder / "by_hand.py"), "name": "compute_score"}
    own = {"path": "pkg://bleu_metric.integrations.verl", "name": "compute_score"}
    ours = {**own, "reward_kwargs": {"effective_order": True}}
    run = partial(pipelines.run_verl, folder)
    theirs, their_seconds = run(by_hand, tokenizer, texts, references, runs=6)
    rewards, our_seconds = run(ours, tokenizer, texts, references, runs=6)
    rounded = max(abs(one - other) for one, other in zip(theirs, rewards, strict=True))
    why = f"by hand, rewards have two decimals of 100: up to {100 * rounded:.4f} away"
    means = [f"{100 * statistics.mean(scores):.4f}" for scores in (theirs, rewards)]
    yield Row("reward loop, 1 to 3 references", *means, their_seconds, our_seconds, why)


def least(work: Callable[[], Any], calls: int) -> float:
    """Return the processor time of a call: the minimum of 50 measurements, because other programs slow down some."""
    times = []
    for _ in range(50):
        start = time.process_time()
        for _ in range(calls):
            work()
        times.append((time.process_time() - start) / calls)
    return min(times)


def rewards(folder: Path) -> Iterator[Row]:
    """Time reward functions without a framework. Each time is the minimum of 50 measurements."""
    import sacrebleu

    rng = random.Random(1)
    ids = [[rng.randrange(32_000) for _ in range(512)] for _ in range(64)]
    answers = [[own if rng.random() < 0.7 else rng.randrange(32_000) for own in row] for row in ids]
    by_ids = reward("answer")
    given = {"completions": [""] * 64, "completion_ids": ids, "answer": answers}
    ours = by_ids(**given)
    texts = [[" ".join(map(str, row)) for row in rows] for rows in (ids, answers)]

    def by_hand() -> list[float]:
        pairs = zip(*texts, strict=True)
        return [sacrebleu.sentence_bleu(text, [own], tokenize="none").score / 100 for text, own in pairs]

    theirs, their_seconds = by_hand(), least(by_hand, 1)
    means = [f"{100 * statistics.mean(scores):.2f}" for scores in (theirs, ours)]
    yield Row("64 completions of 512 ids", *means, their_seconds, least(lambda: by_ids(**given), 1), "the same rewards")

    text, truth = "the cat sat on the mat near the old red house", "the cat sat on a mat near the old house"
    sample = partial(compute_score, "", text, truth)
    reference = partial(sacrebleu.sentence_bleu, text, [truth])
    scores = f"{reference().score:.2f}", f"{100 * sample():.2f}"
    yield Row("verl, one sample", *scores, least(reference, 50), least(sample, 50), "the same reward")


def in_words(seconds: float) -> str:
    """Return a time as text, in s, ms or µs."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{1e3 * seconds:.1f} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.0f} µs"


PACKAGES = {"rewards": "sacrebleu"}
RUNS = {run.__name__: run for run in (lm_eval, lighteval, inspect_ai, ragas, unitxt, trl, verl, rewards)}


def main(names: list[str]) -> None:
    """Run the named frameworks, and print a table with a row for each run."""
    table = ["| framework | run | its own | ours | its time | ours | why they differ |", "| --- " * 7 + "|"]
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for row in RUNS[name](Path(folder)):
                package = PACKAGES.get(name, name)
                cells = [f"{package} {version(package)}", row.run, row.theirs, row.ours]
                cells += [in_words(row.their_seconds), in_words(row.our_seconds), row.why]
                table.append(f"| {' | '.join(cells)} |")
    print("\n".join(["", *table]))


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", nargs="+", choices=RUNS)
    main(parser.parse_args().framework)
