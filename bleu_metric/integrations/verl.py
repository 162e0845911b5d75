"""BLEU as a reward function for verl, for one sample or for a batch. verl itself is not imported.

In verl's configuration, set the module to ``pkg://bleu_metric.integrations.verl`` and the function to
``compute_score`` or ``compute_score_batch``. ``reward_kwargs`` may contain ``dialect``, ``extract``, ``brevity`` and
fields of `BleuConfig`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._config import DEFAULT, Dialect
from .._corpus import is_missing
from .rewards import Extract, sentence_rewards

# verl adds these arguments if a reward model runs
_ARGUMENTS_OF_REWARD_MODELS = ("reward_router_address", "reward_model_tokenizer")


def compute_score(
    data_source: Any, solution_str: str, ground_truth: Any, extra_info: Any = None, **options: Any
) -> float:
    """Compute the sentence score of one answer. verl's reward managers call this function.

    Args:
        data_source: ignored.
        solution_str: the decoded answer.
        ground_truth: a reference or a list of references.
        extra_info: ignored.
        **options: ``dialect``, ``extract`` and ``brevity`` as for `bleu_metric.reward`, and fields of `BleuConfig`,
            which override the dialect's settings.

    Returns:
        The sentence score, on a scale of 0 to 1.

    Raises:
        TypeError, ValueError: as for `corpus_bleu`.

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
    dialect: Dialect = DEFAULT,
    extract: Extract = None,
    brevity: bool = True,
    **options: Any,
) -> list[float]:
    """Compute the sentence scores of a batch of answers. verl's batch reward manager calls this function.

    Args:
        data_sources: ignored.
        solution_strs: the decoded answers.
        ground_truths: for each answer, a reference or a list of references.
        extra_infos: ignored.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        extract: as for `bleu_metric.reward`.
        brevity: as for `bleu_metric.reward`.
        **options: fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        The sentence scores, on a scale of 0 to 1.

    Raises:
        TypeError, ValueError: as for `compute_score`.

    >>> compute_score_batch(["wmt"] * 2, ["a b c d", "a b"], ["a b c d", "a b c d"], brevity=False, max_order=2)
    [1.0, 1.0]
    """
    options = {name: value for name, value in options.items() if name not in _ARGUMENTS_OF_REWARD_MODELS}
    if any(map(is_missing, ground_truths)):
        raise ValueError(
            "a sample has no ground truth, but verl needs a reward for each: give verl a function that calls this one "
            "only for the data sources that have references"
        )
    references = [[truth] if isinstance(truth, str) else truth for truth in ground_truths]
    return sentence_rewards(list(solution_strs), references, dialect, extract, brevity, options)
