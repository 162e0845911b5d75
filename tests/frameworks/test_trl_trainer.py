"""Rewards in a training step of TRL's GRPO: a random tiny model, on the processor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bleu_metric import reward, sentence_bleu

pytest.importorskip("trl", reason="pip install trl")
pytestmark = pytest.mark.filterwarnings("ignore")

WORDS = "the cat sat on a mat".split()


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(
        models.WordLevel({"<pad>": 0, "<eos>": 1, **{word: 2 + i for i, word in enumerate(WORDS)}}, "<eos>")
    )
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>", padding_side="left")


def test_rewards_of_texts_and_of_ids(tmp_path: Path) -> None:
    import torch
    from datasets import Dataset
    from transformers import GPT2Config, GPT2LMHeadModel
    from trl import GRPOConfig, GRPOTrainer

    tokenizer = _tokenizer()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=1, n_head=2))
    answers = [["the cat sat on a mat", "cat cat"], ["a cat"]]
    answer_ids = [[tokenizer(text)["input_ids"] for text in own] for own in answers]
    data = Dataset.from_dict({"prompt": ["the cat", "a mat"], "answer": answers, "answer_ids": answer_ids})
    seen: list[tuple[list[str], list[float], list[float]]] = []
    by_text = reward("answer", max_order=2)
    by_ids = reward("answer_ids", pad_id=tokenizer.all_special_ids, max_order=2)

    def both(**columns: Any) -> list[float]:
        own, of_ids = by_text(**columns), by_ids(**columns)
        seen.append((columns["completions"], own, of_ids))
        expected = sentence_bleu(columns["completions"], columns["answer"], "sacrebleu", max_order=2)
        assert own == expected.tolist()
        return own

    arguments = GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=4, num_generations=4, max_completion_length=8,
        max_steps=2, report_to=[], use_cpu=True, logging_steps=1, save_strategy="no", bf16=False,
    )  # fmt: skip
    rewards = [both, by_text, by_ids, reward("answer", centered=True, max_order=2)]
    trainer = GRPOTrainer(
        model=model, reward_funcs=rewards, args=arguments, train_dataset=data, processing_class=tokenizer
    )
    trainer.train()
    assert len(seen) == 2
    for _texts, own, of_ids in seen:
        assert own == of_ids
    assert any(value > 0 for _, own, _ in seen for value in own)
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert "rewards/bleu_answer_sacrebleu_max_order_2/mean" in logged
