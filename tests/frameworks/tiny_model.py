"""A tokenizer of whole words, and a random model that answers with them: nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def make_tokenizer(words: Iterable[str]) -> Any:
    """Number the words; 0 is the padding, and 1 the end."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(["<pad>", "<eos>", *words])}
    inner = Tokenizer(models.WordLevel(vocabulary, "<eos>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>", padding_side="left")


def make_model(tokenizer: Any) -> Any:
    """Make a GPT-2 of a few thousand random weights, always the same."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    tokens = {"bos_token_id": 1, "eos_token_id": 1, "pad_token_id": 0}
    return GPT2LMHeadModel(
        GPT2Config(vocab_size=len(tokenizer), n_positions=64, n_embd=16, n_layer=1, n_head=2, **tokens)
    )
