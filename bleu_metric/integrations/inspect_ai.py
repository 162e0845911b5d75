"""BLEU as a scorer of inspect_ai: sentence scores, the corpus score, and the standard error of the corpus score."""

from __future__ import annotations

from typing import Any, Unpack

from .._config import BleuOptions
from .._dialects import DEFAULT, Dialect
from .framework_scores import Counter, corpus_score, require_framework, standard_error

_COUNTS = "bleu_counts"


def bleu_scorer(
    dialect: Dialect = DEFAULT, n_resamples: int = 1000, seed: int = 12345, **options: Unpack[BleuOptions]
) -> Any:
    """Return a scorer to pass to inspect_ai's `Task`. The targets of a sample are its references.

    Args:
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        n_resamples: number of resamples for the standard error.
        seed: seed of the resamples.
        **options: fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        A scorer that computes the sentence score of each sample. Its metrics are the corpus score, ``bleu``, and the
        standard error of the corpus score, ``bleu_stderr``. All scores are on a scale of 0 to 1.

    Raises:
        ModuleNotFoundError: inspect_ai is not installed.
        TypeError, ValueError: the dialect, an option or a value is not accepted.
    """
    framework = require_framework("inspect_ai.scorer", "inspect")
    counter = Counter(dialect, options)

    @framework.metric(name="corpus_bleu")  # type: ignore[untyped-decorator]
    def corpus_bleu() -> Any:
        def compute(scores: list[Any]) -> dict[str, float]:
            rows = [sample.score.metadata[_COUNTS] for sample in scores]
            statistics = counter.statistics(rows)
            error = standard_error(statistics, n_resamples, seed)
            return {"bleu": corpus_score(statistics), "bleu_stderr": error}

        return compute

    @framework.scorer(metrics=[corpus_bleu()], name="bleu")  # type: ignore[untyped-decorator]
    def make_scorer() -> Any:
        async def score_sample(state: Any, target: Any) -> Any:
            if state.epoch > 1:  # because inspect_ai keeps only the counts of the first epoch
                raise ValueError("corpus BLEU needs one output per sample: run the task with epochs=1")
            text = state.output.completion
            row = counter.row(text, list(target))
            return framework.Score(value=counter.sentence_score(row), answer=text, metadata={_COUNTS: row})

        return score_sample

    return make_scorer()
