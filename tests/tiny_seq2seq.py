"""Train a tiny encoder-decoder for a few steps and evaluate it with BLEU: run as a script, alone or under torchrun.

    python tests/tiny_seq2seq.py WORK_FOLDER    # prints the metrics of both modes as JSON, on rank 0

The first run trains and leaves its weights in the folder; a later one, by more processes, evaluates them.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", CUDA_VISIBLE_DEVICES="")

import datasets
import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    DataCollatorForSeq2Seq,
    PreTrainedTokenizerFast,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
)

from bleu_metric import compute_metrics, preprocess_logits_for_metrics

WORDS = ["red", "green", "blue", "one", "two", "three", "cat", "dog", "bird"]


def make_tokenizer() -> PreTrainedTokenizerFast:
    vocabulary = {word: place for place, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", *WORDS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)


def make_data(tokenizer: PreTrainedTokenizerFast, size: int = 53) -> datasets.Dataset:
    """Sentences to be copied; the last batch is smaller than the others."""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, int(rng.integers(3, 9)))) for _ in range(size)]
    rows = [tokenizer(text)["input_ids"] + [tokenizer.eos_token_id] for text in texts]
    return datasets.Dataset.from_dict(
        {"input_ids": rows, "labels": rows, "references": [[text, f"{text} cat red"] for text in texts]}
    )


def make_model() -> BartForConditionalGeneration:
    """A few thousand parameters, always the same."""
    torch.manual_seed(0)
    tokenizer = make_tokenizer()
    sizes = {f"{side}_{what}": size for side in ("encoder", "decoder") for what, size in _SIZES.items()}
    tokens = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2}
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=16, max_position_embeddings=32, forced_eos_token_id=None, **sizes, **tokens
    )
    return BartForConditionalGeneration(config)


def make_trainer(folder: Path, hook: Any, batched: bool, generate: bool = True) -> Seq2SeqTrainer:
    tokenizer, model = make_tokenizer(), make_model()
    data = make_data(tokenizer)
    arguments = Seq2SeqTrainingArguments(
        output_dir=str(folder),
        max_steps=60,
        learning_rate=0.02,
        per_device_train_batch_size=8,
        per_device_eval_batch_size=8,
        predict_with_generate=generate,
        generation_max_length=12,
        batch_eval_metrics=batched,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
        use_cpu=True,
        seed=0,
    )
    return Seq2SeqTrainer(
        model=model,
        args=arguments,
        train_dataset=data.remove_columns("references"),
        eval_dataset=data.remove_columns("references"),
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=hook,
        preprocess_logits_for_metrics=None if generate else preprocess_logits_for_metrics,
    )


_SIZES = {"layers": 1, "attention_heads": 2, "ffn_dim": 32}


def main(folder: Path) -> dict[str, dict[str, float]]:
    tokenizer = make_tokenizer()
    references = make_data(tokenizer)["references"][:]
    found = {}
    for name, batched, generate, refs in (
        ("whole", False, True, None),
        ("batched", True, True, None),
        ("whole, references", False, True, references),
        ("batched, references", True, True, references),
        ("whole, logits", False, False, None),
        ("batched, logits", True, False, None),
    ):
        hook = compute_metrics(tokenizer, references=refs, samples=len(references), smoothing="add-one")
        trainer = make_trainer(folder, hook, batched, generate)
        weights = folder / "weights.pt"
        if weights.exists():
            trainer.model.load_state_dict(torch.load(weights))
        else:
            trainer.train()
            torch.save(trainer.model.state_dict(), weights)
        metrics = trainer.evaluate()
        again = trainer.evaluate()  # nothing is left over from the first time
        found[name] = {key: value for key, value in metrics.items() if "bleu" in key}
        if found[name] != {key: value for key, value in again.items() if "bleu" in key}:
            raise AssertionError(f"{name}: {metrics} {again}")
    return found


if __name__ == "__main__":
    metrics = main(Path(sys.argv[1]))
    if int(os.environ.get("RANK", "0")) == 0:
        print(json.dumps(metrics))
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
