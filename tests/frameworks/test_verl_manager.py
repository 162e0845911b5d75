"""The function for verl, loaded from its configuration and called by its reward loop, in a worker of Ray."""

from __future__ import annotations

from pathlib import Path

import pytest
from frameworks.pipelines import run_verl
from frameworks.recorded import WORDS, recorded_outputs
from frameworks.tiny_model import make_tokenizer

from bleu_metric import sentence_bleu

pytest.importorskip("verl", reason="pip install verl")
pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_batch_of_samples(tmp_path: Path) -> None:
    texts, references = recorded_outputs(20)
    answers = [f"<answer> {text} </answer>" for text in texts]
    options = {"extract": "answer", "smoothing": "floor"}
    function = {"path": "pkg://bleu_metric.integrations.verl", "name": "compute_score", "reward_kwargs": options}
    tokenizer = make_tokenizer(["<answer>", "</answer>", *sorted(set(WORDS))])
    rewards = run_verl(tmp_path, function, tokenizer, answers, references)
    expected = sentence_bleu(texts, references, "sacrebleu", smoothing="floor")
    assert rewards == pytest.approx(expected.tolist(), rel=1e-6), "the library keeps rewards in float32"
    assert 0 < min(rewards) < max(rewards) <= 1
