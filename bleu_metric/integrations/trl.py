"""BLEU as a reward function for TRL's trainers. TRL itself is not imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Unpack

from .._bleu import corpus_statistics
from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._corpus import first_leaf, is_list, is_missing, is_tensor
from .._display import shorten
from .._formula import counted, units_per_token
from .._lazy import np
from .._statistics import BleuStatistics, score_sentences
from .._validation import check_type, has_length, short_repr
from .padding import remove_padding

Extract = str | Callable[[Any], Any] | None

_DEFAULTS = {"extract": None, "brevity": True}
_DEEPEST_NESTING = 4  # levels in references: samples, references, tokens, tensors


def reward(
    column: str = "references",
    dialect: Dialect = DEFAULT,
    *,
    extract: Extract = None,
    brevity: bool = True,
    pad_id: int | Collection[int] | None = None,
    **options: Unpack[BleuOptions],
) -> Callable[..., list[float | None]]:
    """Return a reward function for TRL's trainers: the sentence score of each completion.

    Args:
        column: name of the dataset's column with one reference or a list of references per sample. References are
            texts, chats as completions are, or token ids. If they are token ids, the ``completion_ids`` are scored
            instead of the completions.
            A sample without a reference, such as one of another task, gets the reward None, which TRL ignores.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        extract: how to find the part of a completion to score; None: score all of it. The name of a tag, e.g.
            ``"answer"``, selects the text in the last ``<answer>…</answer>``, also in references that have the tag. A
            function gets the completion and returns the part; references are compared whole. If a completion lacks the
            tag, or the function returns None, the reward is 0.
        brevity: whether to apply the brevity penalty, which lowers the rewards of short completions.
        pad_id: padding ids that `remove_padding` removes from token ids, in addition to -100.
        **options: `target_language`, and fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        A function that TRL calls with ``completions`` and with the columns of the dataset. Completions are texts, or
        chats whose last message is scored. A message without content, such as a tool call, is an empty text. The
        function returns a list with one reward per completion. Rewards are on a scale of 0 to 1, or None.

    Raises:
        ValueError, TypeError: as for `corpus_bleu`. The returned function raises
            TypeError if the column is missing.

    >>> reward("answer")(completions=["a b c d", "x"], answer=["a b c d", "a b c d"])
    [1.0, 0.0]
    >>> think = ["<think>c d</think> <answer>a b c d</answer>", "a b c d"]
    >>> reward("answer", extract="answer")(completions=think, answer=["a b c d", "a b c d"])
    [1.0, 0.0]
    >>> reward("ids", pad_id=0)(completions=["…"], completion_ids=[[5, 6, 7, 8, 0]], ids=[[5, 6, 7, 8]])
    [1.0]
    """
    # Wrong arguments raise their errors now, before training
    check_type("column", column, str, "the name of a column")
    find_part = _finder_of(extract)
    config = config_of(dialect, options)
    remove_padding([[0]], pad_id)

    def bleu_reward(completions: Sequence[Any], **columns: Any) -> list[float | None]:
        references = _find_column(columns, column, argument=column)
        _check_list("completions", completions)
        _check_list(column, references)
        are_ids = _are_ids(references)
        if not are_ids:
            references = [_texts_of(row, find_part if isinstance(extract, str) else None) for row in references]
        present = [_has_reference(row, are_ids) for row in references]
        if not any(present):
            return [None] * len(completions)
        # Rows without a reference get a stand-in, so that errors have the right index for other rows
        first = references[present.index(True)]
        text = [""] if is_list(first) else ""
        stand_in = first if are_ids else text
        references = [row if has_row else stand_in for row, has_row in zip(references, present, strict=True)]

        if are_ids:
            completion_ids = _find_column(columns, "completion_ids", argument=column)
            predictions = remove_padding(completion_ids, pad_id)
            references = remove_padding(references, pad_id)
        else:
            predictions = [_text_of_chat(completion) for completion in completions]
        if find_part is not None:
            predictions = [_part_to_score(find_part, prediction) for prediction in predictions]
        statistics = corpus_statistics(predictions, references, config)
        rewards = score_sentences(statistics if brevity else _without_penalty(statistics)).tolist()
        return [number if has_row else None for number, has_row in zip(rewards, present, strict=True)]

    settings = {"extract": extract, "brevity": brevity, **options}
    bleu_reward.__name__ = _name_of_reward(column, dialect, settings)
    return bleu_reward


def _name_of_reward(column: str, dialect: Dialect, settings: Mapping[str, Any]) -> str:
    """Return a name with all settings that are not defaults, such as "bleu_references_nltk_brevity_False".

    TRL logs rewards by function name, so different rewards need different names.
    """
    parts = ["bleu", column, str(dialect)]
    for name, value in settings.items():
        if name not in _DEFAULTS or value != _DEFAULTS[name]:
            setting = getattr(value, "__name__", value)  # the name of a function
            parts.append(f"{name}_{setting}")
    return "_".join(parts)


def _find_column(columns: Mapping[str, Any], name: str, argument: str) -> Any:
    """Return the column `name`, or raise ``TypeError`` if it is missing. `argument`: the `column` of `reward`."""
    if name in columns:
        return columns[name]
    passed_names = shorten(", ".join(sorted(columns)), 100) or "none"
    raise TypeError(
        f"reward({short_repr(argument)}) needs the column {short_repr(name)}; the columns passed are {passed_names}"
    )


def _check_list(name: str, rows: Any) -> None:
    """Raise ``TypeError`` if the rows are a string or have no length."""
    if isinstance(rows, (str, bytes)) or not has_length(rows):
        raise TypeError(f"{name} must be a list with one entry per sample, got {short_repr(rows)}")


def _are_ids(references: Any) -> bool:
    """Return whether the references are token ids: tensors or lists of integers, such as [[5, 6], [7]]."""
    value, depth = first_leaf(references, _DEEPEST_NESTING)
    is_number = hasattr(value, "__index__") and not isinstance(value, bool)
    return is_number and (depth > 1 or is_tensor(value))


def _has_reference(row: Any, are_ids: bool) -> bool:
    """Return whether a row has a reference. None and [None] have none.

    The row [] has none in a column of texts. In a column of token ids (`are_ids`), it is an empty reference.
    """
    if is_list(row) and (len(row) or not are_ids):
        return not all(map(is_missing, row))
    return not is_missing(row)


def _texts_of(row: Any, find_part: Callable[[Any], Any] | None) -> Any:
    """Return a reference or a list of references as texts. `find_part`: a function that finds a part of a text.

    >>> _texts_of([[{"role": "assistant", "content": "<answer>a b</answer>"}], "c"], _finder_of("answer"))
    ['a b', 'c']
    """
    if is_list(row) and not (len(row) and isinstance(row[0], dict)):  # not a chat
        return [_texts_of(reference, find_part) for reference in row]
    text = _text_of_chat(row)
    part = find_part(text) if find_part and isinstance(text, str) else None
    return text if part is None else part


def _text_of_chat(chat: Any) -> Any:
    """Return the text of a completion or a reference. For a chat, return the joined texts of its last message.

    A message without a list is a chat. An empty chat, or a message without content, such as a tool call, has the text
    "". Another value is returned unchanged, because scoring raises an error.

    >>> _text_of_chat([{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "a b"}])
    'a b'
    >>> _text_of_chat([{"content": [{"type": "text", "text": "a b"}, {"type": "image"}]}])
    'a b'
    """
    messages = chat if isinstance(chat, (list, tuple)) else [chat]
    message = messages[-1] if messages else {}
    if not isinstance(message, dict):
        return chat

    content = message.get("content") or ""
    if not isinstance(content, (list, tuple)):
        return content

    texts = [part.get("text") or "" if isinstance(part, dict) else part for part in content]
    are_strings = all(isinstance(text, str) for text in texts)
    return "".join(texts) if are_strings else texts  # scoring a list raises an error


def _part_to_score(find_part: Callable[[Any], Any], completion: Any) -> Any:
    """Return the part of a completion that `find_part` finds. If there is none, return "" or [], which scores 0."""
    part = find_part(completion)
    if part is not None:
        return part
    return "" if isinstance(completion, str) else []


def _finder_of(extract: Extract) -> Callable[[Any], Any] | None:
    """Return the function `extract`. For the name of a tag, return a function that finds the text in the last such tag.

    ``_finder_of("answer")("<answer>a b</answer>")`` is ``"a b"``; without the tag, the function returns None.
    """
    if extract is None or callable(extract):
        return extract
    if not (isinstance(extract, str) and re.fullmatch(r"[\w.:-]+", extract)):
        raise TypeError(f"extract must be a function or the name of a tag, e.g. 'answer', got {short_repr(extract)}")
    opening, closing = f"<{extract}>", f"</{extract}>"

    def find(completion: Any) -> str | None:
        check_type("a completion", completion, str, f"a text, because extract={extract!r} is the name of a tag")
        # `rpartition` returns "" in place of a missing tag
        before_closing, found_closing, _ = completion.rpartition(closing)
        _, found_opening, text = before_closing.rpartition(opening)
        return text if found_opening and found_closing else None

    return find


def _without_penalty(statistics: BleuStatistics) -> BleuStatistics:
    """Return statistics in which only empty predictions have a brevity penalty.

    For predictions of 3, 9 and 0 tokens, the reference lengths [5, 5, 5] become [3, 5, 5].
    """
    config = statistics.config
    table = statistics.table.copy()
    counts = counted(table.T, config.max_order)
    lengths = counts.length * units_per_token(config.reference_length)
    # `counts` has views of `table`, so `out` changes `table`
    np.minimum(counts.reference_length, lengths, out=counts.reference_length, where=lengths > 0)
    return statistics._changed(table=table)
