"""The reward for TRL: its arguments, its name, completions that are chats, token ids, answers inside completions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from bleu_metric import reward, sentence_bleu


def test_reward_as_trl_calls_it() -> None:
    """TRL passes prompts, completions, their ids and every other column as keywords, and reads the name."""
    function = reward("answer", smoothing="exp")
    assert function.__name__ == "bleu_answer_sacrebleu_smoothing_exp"
    texts, answers = ["a b c d", "a b x d", ""], [["a b c d"], ["a b c d", "b"], ["a"]]
    given = {"prompts": ["p"] * 3, "completion_ids": [[1], [2], [3]], "trainer_state": None, "answer": answers}
    expected = sentence_bleu(texts, answers, "sacrebleu").tolist()
    assert function(completions=texts, **given) == expected
    chats = [[{"role": "assistant", "content": text}] for text in texts]
    assert function(completions=chats, **given) == expected
    with pytest.raises(TypeError, match=r"reward\('references'\) needs the column 'references'; the columns passed"):
        reward()(completions=texts, **given)
    with pytest.raises(TypeError, match=r"predictions\[0\] holds 5 \(int\)"):
        function(completions=[5], answer=["a"])


CHATS: list[tuple[Any, float]] = [
    ([{"role": "assistant", "content": [{"text": "a b"}, {"type": "image"}, {"type": "text", "text": " c d"}]}], 1),
    ([{"content": ["a b", " c d"]}], 1),
    *((chat, 0) for chat in ([], [{"content": None}], [{"tool_calls": []}], [{"content": [{"text": None}]}])),
]


@pytest.mark.parametrize(("chat", "expected"), CHATS)
def test_chats_in_parts_and_without_content(chat: list[dict[str, Any]], expected: float) -> None:
    assert reward("r")(completions=[chat, "a b c d"], r=["a b c d"] * 2) == [expected, 1]


@pytest.mark.parametrize("missing", [None, float("nan"), [], [None]])
def test_samples_of_other_tasks(missing: Any) -> None:
    """Without a reference the reward is None. Errors name the row that the caller passed."""
    texts = ["x", "a b c d"]
    assert reward("r")(completions=texts, r=[missing, "a b c d"]) == [None, 1.0]
    assert reward("r")(completions=texts, r=[missing, ["a b c d"]]) == [None, 1.0]
    assert reward("r")(completions=texts, r=[missing] * 2) == [None, None]
    with pytest.raises(TypeError, match=r"references\[1\] holds 42 \(int\) .* as in str\(42\)"):
        reward("r")(completions=texts, r=[missing, 42])
    ids = {"completions": texts, "completion_ids": [[1], [5, 6, 7, 8]]}
    assert reward("r")(**ids, r=[missing, [5, 6, 7, 8]]) == [0.0 if missing == [] else None, 1.0]


WORDS = "the cat sat on a mat and looked at an old red house by the river".split()
TEXTS = [" ".join(WORDS[(row * place) % 15] for place in range(1, 8 + row % 5)) for row in range(30)]
ANSWERS = [[text.replace("cat", "dog"), " ".join(text.split()[:-1])] for text in TEXTS]


def _ids(text: str) -> list[int]:
    return [WORDS.index(word) + 3 if word in WORDS else 2 for word in text.split()]


def _padded(rows: list[list[int]], pad: int) -> list[list[int]]:
    return [row + [pad] * (40 - len(row)) for row in rows]


def test_ids_score_as_their_tokens() -> None:
    tokens, token_answers = [text.split() for text in TEXTS], [[text.split() for text in own] for own in ANSWERS]
    expected = sentence_bleu(tokens, token_answers, "sacrebleu").tolist()
    ids, answer_ids = list(map(_ids, TEXTS)), [list(map(_ids, own)) for own in ANSWERS]
    given: dict[str, Any] = {"completions": TEXTS, "prompts": TEXTS}
    assert reward("a")(completion_ids=ids, a=answer_ids, **given) == expected
    assert reward("a")(completion_ids=_padded(ids, -100), a=answer_ids, **given) == expected
    padded, padded_answers = _padded(ids, 0), [_padded(own, -100) for own in answer_ids]
    for make in (list, np.array):
        assert reward("a", pad_id=0)(completion_ids=make(padded), a=make(padded_answers), **given) == expected
    one_each = sentence_bleu(tokens, [own[0] for own in token_answers], "sacrebleu").tolist()
    assert reward("a")(completion_ids=ids, a=[own[0] for own in answer_ids], **given) == one_each
    with pytest.raises(TypeError, match=r"reward\('a'\) needs the column 'completion_ids'"):
        reward("a")(completions=TEXTS, a=answer_ids)


def test_an_answer_inside_a_completion() -> None:
    answer = "the cat sat on the mat"
    texts = [
        f"<think>{answer}</think> <answer>{answer}</answer>",
        f"<answer>x</answer> no, <answer>\n{answer}\n</answer> done",
        f"<answer>x <answer>{answer}</answer>",
        answer,
        f"<answer>{answer}",
        f"{answer}</answer><answer>",
        "<answer></answer>",
    ]
    expected = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    assert reward("r", extract="answer")(completions=texts, r=[answer] * 7) == pytest.approx(expected)
    chats = [[{"role": "assistant", "content": text}] for text in texts]
    message = chats[1][0]
    assert reward("r", extract="answer")(completions=texts[:2], r=[None, chats[1]]) == [None, pytest.approx(1)]
    for references in ([answer] * 7, texts[:1] * 7, chats[:1] * 7, [chats[:2]] * 7, [message] * 7, [[message]] * 7):
        assert reward("r", extract="answer")(completions=chats, r=references) == pytest.approx(expected)

    def boxed(text: str) -> str | None:
        found = re.search(r"\[(.*)\]", text)
        return found and found.group(1)

    by_function = reward("r", extract=boxed)
    assert by_function(completions=[f"so [{answer}]", answer], r=[answer] * 2) == pytest.approx([1, 0])
    assert by_function.__name__ == "bleu_r_sacrebleu_extract_boxed"
    last_ids = reward("r", extract=lambda ids: ids[2:])
    assert last_ids(completions=["", ""], completion_ids=[[9, 9, 1, 2, 3, 4], [1]], r=[[1, 2, 3, 4]] * 2) == [1, 0]
    with pytest.raises(TypeError, match=r"a completion must be a text, because extract='answer' is the name of a tag,"):
        reward("r", extract="answer")(completions=[""], completion_ids=[[1]], r=[[1]])
    for wrong in ("<answer>", "", 5, ["answer"]):
        with pytest.raises(TypeError, match=r"extract must be a function or the name of a tag, e.g. 'answer', got"):
            reward("r", extract=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite", "papineni"])
def test_without_the_brevity_penalty(dialect: str) -> None:
    """Compared with the score against the beginning of the reference, which is not longer."""
    text = "the cat sat on a mat"
    short = ["the cat sat on a mat", "the cat sat on", "the cat sat on a", "a dog", ""]
    own = reward("r", dialect, brevity=False)(completions=short, r=[text] * 5)
    expected = [1, 1, 1, 0, 0]
    plain = reward("r", dialect)(completions=short, r=[text] * 5)
    for place in (0, 1, 2, 4):
        assert own[place] == pytest.approx(expected[place])
    assert plain[1] < own[1]
    assert plain[0] == own[0]
    longer = {"completions": [f"{text} by a house"], "r": [[text]]}
    assert reward("r", dialect, brevity=False)(**longer) == reward("r", dialect)(**longer)
    average = {"reference_length": "average", "brevity": False}
    assert reward("r", dialect, **average)(completions=[text[:14]], r=[[text, text[:14]]]) == pytest.approx([1])
