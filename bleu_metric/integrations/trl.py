"""BLEU as a reward function for TRL's trainers. TRL itself is not imported."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any, Unpack

from .._config import BleuOptions
from .._dialects import DEFAULT, Dialect
from .._display import shorten
from .._validation import check_type, first_leaf, has_length, short_repr
from .padding import remove_padding
from .rewards import Extract, check_extract, sentence_rewards

_DEFAULTS = {"extract": None, "brevity": True, "centered": False}


def reward(
    column: str = "references",
    dialect: Dialect = DEFAULT,
    *,
    extract: Extract = None,
    brevity: bool = True,
    centered: bool = False,
    pad_id: int | Collection[int] | None = None,
    **options: Unpack[BleuOptions],
) -> Callable[..., list[float]]:
    """Return a reward function for TRL's trainers: the sentence score of each completion.

    Args:
        column: name of the dataset's column with one reference or a list of references per sample. References are
            texts or token ids. If they are token ids, the ``completion_ids`` are scored instead of the completions.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        extract: how to find the part of a completion to score; None: score all of it. The name of a tag, e.g.
            ``"answer"``, selects the text in the last ``<answer>…</answer>``. A function gets the completion and
            returns the part. If a completion lacks the tag, or the function returns None, the reward is 0.
        brevity: whether to apply the brevity penalty, which lowers the rewards of short completions.
        centered: whether to subtract from each reward the mean reward of all completions of the same prompt.
        pad_id: padding ids that `remove_padding` removes from token ids, in addition to -100.
        **options: fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        A function that TRL calls with ``completions`` and with the columns of the dataset. Completions are texts, or
        chats whose last message is scored. The function returns a list with one reward per completion. Rewards are
        from 0 to 1, unless `centered` is true.

    Raises:
        ValueError, TypeError: as for `corpus_bleu`, or `weights` is a list of lists. The returned function raises
            TypeError if the column is missing.

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
    sentence_rewards(["a"], ["a"], dialect, None, brevity, options)  # checks the options now, before training
    remove_padding([[0]], pad_id)

    def bleu_reward(completions: Sequence[Any], **columns: Any) -> list[float]:
        references = _column(columns, column, column)
        if isinstance(completions, (str, bytes)) or not has_length(completions):
            raise TypeError(f"completions must be a list with one completion per sample, got {short_repr(completions)}")
        if _holds_ids(references):
            completion_ids = _column(columns, "completion_ids", column)
            predictions = remove_padding(completion_ids, pad_id)
            references = remove_padding(references, pad_id)
        else:
            predictions = [_text(completion) for completion in completions]
        rewards = sentence_rewards(predictions, references, dialect, extract, brevity, options)
        if not centered:
            return rewards
        return _centered(rewards, _column(columns, "prompts", column))

    settings = {"extract": extract, "brevity": brevity, "centered": centered, **options}
    changed = [name for name, value in settings.items() if value != _DEFAULTS.get(name, ...)]
    words = [f"{name}_{_word(settings[name])}" for name in changed]
    # TRL logs rewards by function name, so different rewards need different names
    bleu_reward.__name__ = "_".join(["bleu", column, str(dialect), *words])
    return bleu_reward


def _word(value: Any) -> str:
    return str(getattr(value, "__name__", value))


def _column(columns: dict[str, Any], name: str, of_reward: str) -> Any:
    """Return the column `name`. Raise ``TypeError`` if TRL did not pass it.

    `of_reward`: the argument `column` of `reward`, which the error message shows.
    """
    if name in columns:
        return columns[name]
    needed = f"reward({short_repr(of_reward)}) needs the column {short_repr(name)}"
    have = shorten(", ".join(sorted(columns)), 100) or "none"
    raise TypeError(f"{needed}; the columns passed are {have}")


def _holds_ids(references: Any) -> bool:
    """Return whether the references are token ids: whether their first value is an integer or a tensor."""
    rows = references if has_length(references) else [references]
    value, _ = first_leaf(rows, 4)
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _centered(rewards: list[float], prompts: Sequence[Any]) -> list[float]:
    """Subtract from each reward the mean reward of its prompt. A prompt is a text or a chat (a list of dicts)."""
    keys = [str(prompt) for prompt in prompts]
    rewards_of: dict[str, list[float]] = defaultdict(list)
    for key, own in zip(keys, rewards, strict=True):
        rewards_of[key].append(own)
    means = {key: sum(group) / len(group) for key, group in rewards_of.items()}
    return [own - means[key] for key, own in zip(keys, rewards, strict=True)]


def _text(completion: Any) -> Any:
    """Return the text of a completion. For a chat, return the text of the last message.

    If the message has several parts, join the texts of the parts. Return a completion of another type unchanged:
    scoring it raises an error.
    """
    last = completion[-1] if isinstance(completion, (list, tuple)) and completion else None
    if not isinstance(last, dict):
        return completion
    content = last.get("content")
    if not isinstance(content, (list, tuple)):
        return content
    texts = [part.get("text", "") for part in content if isinstance(part, dict)]
    are_texts = all(isinstance(text, str) for text in texts)
    return "".join(texts) if are_texts else texts
