"""BLEU as a reward function for TRL's trainers. The library itself is not imported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from .._config import BleuOptions
from .._dialects import Dialect
from .._validation import check_type, has_length, short_repr
from .padding import remove_padding, token_rows
from .rewards import Extract, check_extract, sentence_rewards

if TYPE_CHECKING:
    from typing_extensions import Unpack


def reward(
    column: str = "references",
    dialect: Dialect = "sacrebleu",
    *,
    extract: Extract = None,
    brevity: bool = True,
    centered: bool = False,
    pad_id: int | Collection[int] | None = None,
    **options: Unpack[BleuOptions],
) -> Callable[..., list[float]]:
    """Return a reward function for TRL's trainers: the sentence score of each completion.

    Args:
        column: the data set's column of references, one or a list of them per sample: texts, or token ids. With token
            ids, the ``completion_ids`` are scored instead of the texts.
        dialect: name in `DIALECTS`, `BleuConfig` or signature.
        extract: the part of a completion to score: the name of a tag, such as ``"answer"`` for the text in the last
            ``<answer>…</answer>``, or a function. A completion without the tag, or for which the function returns None,
            has a reward of 0.
        brevity: whether completions that are too short are penalized.
        centered: subtract the mean reward of all completions of the same prompt.
        pad_id: for token ids: those that `remove_padding` leaves out besides -100.
        **options: override the dialect's settings.

    Returns:
        A function of ``completions`` (texts, or chats, of which the last message counts) and of the columns, which
        returns one float per completion, on a scale of 0 to 1 unless they are centered.

    Raises:
        ValueError, TypeError: as for `corpus_bleu`, and for several lists of weights; from the function, also where the
            column is missing.

    >>> reward("answer")(completions=["a b c d", "x"], answer=["a b c d", "a b c d"])
    [1.0, 0.0]
    >>> think = ["<think>c d</think> <answer>a b c d</answer>", "a b c d"]
    >>> reward("answer", extract="answer")(completions=think, answer=["a b c d", "a b c d"])
    [1.0, 0.0]
    >>> reward("ids", pad_id=0)(completions=["…"], completion_ids=[[5, 6, 7, 8, 0]], ids=[[5, 6, 7, 8]])
    [1.0]
    """
    check_type("column", column, str, "the name of a column")
    check_extract(extract)
    sentence_rewards(["a"], ["a"], dialect, None, brevity, options)  # a wrong option is an error now
    remove_padding([[0]], pad_id)

    def bleu_reward(completions: Sequence[Any], **columns: Any) -> list[float]:
        references = _column(column, column, columns)
        if isinstance(completions, (str, bytes)) or not has_length(completions):
            raise TypeError(f"completions must be a list, one per sample, got {short_repr(completions)}")
        if _holds_ids(references):
            predictions = token_rows(_column("completion_ids", column, columns), pad_id)
            references = token_rows(references, pad_id)
        else:
            predictions = [_text(completion) for completion in completions]
        rewards = sentence_rewards(predictions, references, dialect, extract, brevity, options)
        return _centered(rewards, _column("prompts", column, columns)) if centered else rewards

    settings = {"extract": (extract, None), "brevity": (brevity, True), "centered": (centered, False)}
    changed = {name: value for name, (value, default) in settings.items() if value != default}
    words = [f"{name}_{getattr(value, '__name__', value)}" for name, value in (changed | options).items()]
    # TRL logs by the name: two rewards must not share one
    bleu_reward.__name__ = "_".join(["bleu", column, str(dialect), *words])
    return bleu_reward


def _column(name: str, column: str, columns: dict[str, Any]) -> Any:
    if name not in columns:
        have = ", ".join(sorted(columns)) or "none"
        raise TypeError(
            f"the data set has no column {short_repr(name)} for reward({short_repr(column)}); its columns are {have}"
        )
    return columns[name]


def _holds_ids(references: Any) -> bool:
    """Return whether references are lists of token ids: the first item that is not a list is a number."""
    while hasattr(references, "__getitem__") and not isinstance(references, (str, bytes, dict)):
        if not has_length(references):
            break  # a tensor without dimensions
        if not len(references):
            return False
        references = next(iter(references), None)  # not [0]: a pandas Series has an index of its own
    return hasattr(references, "__index__") and not isinstance(references, bool)


def _centered(rewards: list[float], prompts: Sequence[Any]) -> list[float]:
    """Subtract the mean of each prompt's rewards; prompts may be chats, which are lists of dicts."""
    groups: dict[str, list[float]] = {}
    keys = [prompt if isinstance(prompt, str) else repr(prompt) for prompt in prompts]
    for key, reward_of_one in zip(keys, rewards, strict=True):
        groups.setdefault(key, []).append(reward_of_one)
    means = {key: sum(group) / len(group) for key, group in groups.items()}
    return [reward_of_one - means[key] for key, reward_of_one in zip(keys, rewards, strict=True)]


def _text(completion: Any) -> Any:
    """Return the text of a completion or of a chat's last message, whose content may come in parts.

    Anything but a string is refused when it is scored.
    """
    if isinstance(completion, (list, tuple)) and completion and isinstance(completion[-1], dict):
        content = completion[-1].get("content")
        if isinstance(content, (list, tuple)):
            texts = [part.get("text", "") for part in content if isinstance(part, dict)]
            return "".join(texts) if all(isinstance(text, str) for text in texts) else texts
        return content
    return completion
