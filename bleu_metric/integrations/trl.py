"""BLEU as a reward function in the form of TRL's trainers. That library is not imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .._arrays import Floats
from .._bleu import sentence_bleu
from .._config import BleuOptions
from .._validation import has_length, short_repr

if TYPE_CHECKING:
    from typing_extensions import Unpack


def reward(
    column: str = "references", dialect: str = "sacrebleu", **options: Unpack[BleuOptions]
) -> Callable[..., list[float]]:
    """Make a reward function for TRL's trainers: the sentence score of each completion.

    Args:
        column: the data set's column of references, one or a list of them per sample.
        dialect: name in `DIALECTS`.
        **options: override the dialect's choices.

    Returns:
        A function of ``completions`` (texts, or chats, of which the last message counts) and of the columns, which
        returns one float per completion, on a scale of 0 to 1.

    Raises:
        ValueError, TypeError: as for `corpus_bleu`, and for several lists of weights; from the function, also where the
            column is missing.

    >>> reward("answer")(completions=["a b c d", "x"], answer=["a b c d", "a b c d"])
    [1.0, 0.0]
    """
    if not isinstance(column, str):
        raise TypeError(f"column must be the name of a column, got {short_repr(column)}")
    if sentence_bleu(["a"], ["a"], dialect, **options).ndim != 1:
        raise ValueError("weights is a list of lists: a reward is one number")

    def bleu_reward(completions: Sequence[Any], **columns: Any) -> list[float]:
        if column not in columns:
            have = ", ".join(sorted(columns)) or "none"
            name = short_repr(column)
            raise TypeError(f"the data set has no column {name} for reward({name}); its columns are {have}")
        if isinstance(completions, (str, bytes)) or not has_length(completions):
            raise TypeError(f"completions must be a list, one per sample, got {short_repr(completions)}")
        texts = [_text(completion) for completion in completions]
        scores: Floats = sentence_bleu(texts, columns[column], dialect, **options)
        return [float(score) for score in scores]

    chosen = "".join(f"_{name}_{getattr(value, '__name__', value)}" for name, value in options.items())
    bleu_reward.__name__ = f"bleu_{column}_{dialect}{chosen}"  # TRL logs by it: two rewards must not share one
    return bleu_reward


def _text(completion: Any) -> Any:
    """Take the text of a completion or of a chat's last message, whose content may come in parts.

    Anything but a string is refused when it is scored.
    """
    if isinstance(completion, (list, tuple)) and completion and isinstance(completion[-1], dict):
        content = completion[-1].get("content")
        if isinstance(content, (list, tuple)):
            texts = [part.get("text", "") for part in content if isinstance(part, dict)]
            return "".join(texts) if all(isinstance(text, str) for text in texts) else texts
        return content
    return completion
