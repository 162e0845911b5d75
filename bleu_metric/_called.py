"""Tokenizers that are Python functions, the user's or those of an installed sacrebleu: called once per text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._names import described

Function = Callable[[str], list[str]]


def call(texts: list[str], tokenizer: str | Function) -> tuple[pa.Array, NDArray[np.int64]]:
    """Tokenize one text after another: all tokens, and how many each text has.

    Raises ``TypeError`` and ``ValueError`` for an answer that is no list of whole strings.
    """
    function = _of_sacrebleu(tokenizer) if isinstance(tokenizer, str) else tokenizer
    flat, sizes = [], []
    for text in texts:
        tokens = function(text)
        if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
            raise TypeError(
                f"the tokenizer {described(tokenizer)} must return a list of strings; it returned {described(tokens)}"
            )
        flat += tokens
        sizes.append(len(tokens))
    try:
        return pa.array(flat, pa.string()), np.array(sizes, np.int64)
    except UnicodeEncodeError as error:
        wrong = f"the tokenizer {described(tokenizer)} returned {described(error.object)}"
        raise ValueError(f"{wrong}, which has a lone surrogate") from None


@cache
def _of_sacrebleu(name: str) -> Function:
    try:
        from sacrebleu.metrics.bleu import _get_tokenizer

        tokenizer = _get_tokenizer(name)()
    except (ImportError, RuntimeError) as error:  # sacrebleu says RuntimeError where MeCab is missing
        why = " ".join(str(error).split())
        raise ImportError(
            f"tokenizer {name!r} needs sacrebleu, with what it uses: pip install 'bleu_metric[sacrebleu]' ({why})"
        ) from error
    except OSError as error:
        raise OSError(
            f"tokenizer {name!r}: sacrebleu could not download its model ({error}); connect once, or put the model "
            "into ~/.sacrebleu/models"
        ) from error
    return lambda text: tokenizer(text).split()
