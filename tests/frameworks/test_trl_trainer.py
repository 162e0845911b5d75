"""Rewards in a training step of TRL's GRPO: a random tiny model, on the processor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from frameworks.tiny_model import make_model, make_tokenizer

from bleu_metric import reward, sentence_bleu

trl: Any = pytest.importorskip("trl", reason="pip install trl")
pytestmark = pytest.mark.filterwarnings("ignore")

WORDS = "the cat sat on a mat".split()


def test_rewards_of_texts_and_of_ids(tmp_path: Path) -> None:
    tokenizer = make_tokenizer(WORDS)
    answers = [["the cat sat on a mat", "cat cat"], ["a cat"]]
    answer_ids = [[tokenizer(text)["input_ids"] for text in own] for own in answers]
    seen: list[tuple[list[str], list[float], list[float]]] = []
    by_text = reward("answer", max_order=2)
    by_ids = reward("answer_ids", pad_id=tokenizer.all_special_ids, max_order=2)

    def both(**columns: Any) -> list[float]:
        own, of_ids = by_text(**columns), by_ids(**columns)
        seen.append((columns["completions"], own, of_ids))
        expected = sentence_bleu(columns["completions"], columns["answer"], "sacrebleu", max_order=2)
        assert own == expected.tolist()
        return own

    steps = {"max_steps": 2, "logging_steps": 1, "save_strategy": "no", "report_to": [], "output_dir": str(tmp_path)}
    sizes = {"per_device_train_batch_size": 4, "num_generations": 4, "max_completion_length": 8}
    columns = {"prompt": ["the cat", "a mat"], "answer": answers, "answer_ids": answer_ids}
    trainer = trl.GRPOTrainer(
        model=make_model(tokenizer),
        reward_funcs=[both, by_text, by_ids],
        args=trl.GRPOConfig(**steps, **sizes, use_cpu=True, bf16=False),
        train_dataset=Dataset.from_dict(columns),
        processing_class=tokenizer,
    )
    trainer.train()
    assert len(seen) == 2
    for _texts, own, of_ids in seen:
        assert own == of_ids
    assert any(value > 0 for _, own, _ in seen for value in own)
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert "rewards/bleu_answer_sacrebleu_max_order_2/mean" in logged
