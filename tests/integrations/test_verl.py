"""The functions for verl: its signatures, answers inside answers, and what its data files hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bleu_metric import sentence_bleu
from bleu_metric.integrations.verl import compute_score, compute_score_batch

TEXTS = ["the cat sat on the mat", "a dog", ""]
TRUTHS: list[Any] = ["the cat sat on a mat", ["a dog", "the dog"], "a cat"]


def test_as_verl_calls_it() -> None:
    expected = sentence_bleu(TEXTS, [[truth] if isinstance(truth, str) else truth for truth in TRUTHS], "sacrebleu")
    batch = {"data_sources": ["x"] * 3, "solution_strs": TEXTS, "ground_truths": TRUTHS, "extra_infos": [{}] * 3}
    assert compute_score_batch(**batch) == expected.tolist()
    for text, truth, own in zip(TEXTS, TRUTHS, expected, strict=True):
        given = {"data_source": "x", "solution_str": text, "ground_truth": truth, "extra_info": {"num_turns": None}}
        assert compute_score(**given) == own
        router = {"reward_router_address": "localhost:1", "reward_model_tokenizer": None}
        assert compute_score(**given, **router) == own
    arrays = {
        **batch,
        "ground_truths": [np.array([truth]) if isinstance(truth, str) else np.array(truth) for truth in TRUTHS],
    }
    assert compute_score_batch(**arrays) == expected.tolist()


def test_options() -> None:
    tagged = f"<think>{TEXTS[1]}</think><answer>{TEXTS[0]}</answer>"
    assert compute_score("x", tagged, TEXTS[0], extract="answer", dialect="nltk") == pytest.approx(1)
    assert compute_score("x", "the cat sat on", TEXTS[0], brevity=False) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"a sample has no ground truth"):
        compute_score("x", "a", None)
