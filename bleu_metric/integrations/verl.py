"""BLEU as verl's reward functions: of one sample, and of a batch. That library is not imported.

verl's configuration names the module as ``pkg://bleu_metric.integrations.verl``, and the function, ``compute_score`` or
``compute_score_batch``; its ``reward_kwargs`` are the dialect, `extract`, `brevity` and options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._dialects import Dialect
from .._validation import short_repr
from .rewards import Extract, sentence_rewards

_OF_VERL = ("reward_router_address", "reward_model_tokenizer")  # also passed where a reward model runs


def compute_score(
    data_source: Any,
    solution_str: str,
    ground_truth: Any,
    extra_info: Any = None,
    **options: Any,
) -> float:
    """Score one answer, as verl's reward managers ask for it.

    Args:
        data_source: not looked at.
        solution_str: the decoded answer.
        ground_truth: a reference, or a list of them.
        extra_info: not looked at.
        **options: ``dialect``, ``extract`` and ``brevity`` as for `bleu_metric.reward`, and options of the dialect.

    Returns:
        The sentence score, from 0 to 1.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`, and for several lists of weights.

    >>> compute_score("wmt", "<answer>a b c d</answer>", ["a b c d", "a b"], extract="answer")
    1.0
    """
    return compute_score_batch([data_source], [solution_str], [ground_truth], **options)[0]


def compute_score_batch(
    data_sources: Sequence[Any],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Any = None,
    *,
    dialect: Dialect = "sacrebleu",
    extract: Extract = None,
    brevity: bool = True,
    **options: Any,
) -> list[float]:
    """Score a batch, as verl's batch reward manager asks for it.

    Args:
        data_sources: not looked at.
        solution_strs: the decoded answers.
        ground_truths: for each answer a reference, or a list of them.
        extra_infos: not looked at.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        extract: as for `bleu_metric.reward`.
        brevity: as for `bleu_metric.reward`.
        **options: override the dialect's settings.

    Returns:
        The sentence scores, from 0 to 1.

    Raises:
        TypeError, ValueError: as for `compute_score`.

    >>> compute_score_batch(["wmt"] * 2, ["a b c d", "a b"], ["a b c d", "a b c d"], brevity=False, max_order=2)
    [1.0, 1.0]
    """
    options = {name: value for name, value in options.items() if name not in _OF_VERL}
    references = [_references(truth, row) for row, truth in enumerate(ground_truths)]
    return sentence_rewards(list(solution_strs), references, dialect, extract, brevity, options)


def _references(truth: Any, row: int) -> list[Any]:
    """Return the references as a list: Parquet files have arrays."""
    if isinstance(truth, str):
        return [truth]
    if hasattr(truth, "tolist"):
        truth = truth.tolist()  # strings of Python, which are counted faster than those of NumPy
    if not isinstance(truth, (list, tuple)):
        raise TypeError(f"ground_truths[{row}] must be a text or a list of texts, got {short_repr(truth)}")
    return list(truth)
