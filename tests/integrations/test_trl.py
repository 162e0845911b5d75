"""The reward for TRL: its arguments, its name, and completions that are chats."""

from __future__ import annotations

import pytest

from bleu_metric import (
    reward,
    sentence_bleu,
)


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
    with pytest.raises(
        TypeError, match=r"no column 'references' for reward\('references'\); its columns are answer, comp"
    ):
        reward()(completions=texts, **given)
    with pytest.raises(TypeError, match=r"predictions\[0\] holds 5 \(int\)"):
        function(completions=[5], answer=["a"])


def test_the_last_message_of_a_chat_is_the_completion() -> None:
    chat = [{"role": "user", "content": "x y"}, {"role": "assistant", "content": "a b c d"}]
    assert reward("answer")(completions=[chat, chat[::-1]], answer=["a b c d"] * 2) == [1.0, 0.0]


def test_chats_in_parts() -> None:
    parts = [{"type": "text", "text": "a b"}, {"type": "image"}, {"type": "text", "text": " c d"}]
    assert reward("r")(completions=[[{"role": "assistant", "content": parts}]], r=["a b c d"]) == [1.0]
    with pytest.raises(TypeError, match=r"predictions\[0\] holds None"):
        reward("r")(completions=[[{"role": "assistant", "content": None}]], r=["a b c d"])
    with pytest.raises(ValueError, match=r"a reward is one number"):
        reward("r", weights=[[1.0], [0.5, 0.5]])


def test_rewards_have_names_of_their_own() -> None:
    """TRL logs by them."""
    names = {reward("a").__name__, reward("b", "nltk").__name__, reward("a", max_order=1).__name__}
    assert names == {"bleu_a_sacrebleu", "bleu_b_nltk", "bleu_a_sacrebleu_max_order_1"}
