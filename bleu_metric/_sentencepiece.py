"""SentencePiece models in files: ``tokenizer="spm:PATH"``. A signature names a model by its content, not its path."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ._validation import short_repr

PREFIX = "spm:"
_DIGITS = 16  # as many as a signature shows of a model's SHA-256


class Model(NamedTuple):
    """A model that is loaded."""

    digest: str  # the first digits of the SHA-256 of its file
    tokenize: Callable[[str], list[str]]


def names_a_model(tokenizer: object) -> bool:
    """Say whether a tokenizer is the name of a model's file."""
    return isinstance(tokenizer, str) and tokenizer.startswith(PREFIX)


def check_model(tokenizer: str) -> str:
    """Load the model; return its name with an absolute path, which means the same from every folder.

    Raises ``ValueError`` for a file that cannot be read or is not a model, and ``ImportError`` without sentencepiece.
    """
    try:
        path = Path(tokenizer.removeprefix(PREFIX)).expanduser().resolve(strict=True)
        name = f"{PREFIX}{path}"
        load_model(name)
    except (OSError, RuntimeError, ValueError) as error:  # sentencepiece raises RuntimeError for what is not a model
        raise ValueError(
            f"tokenizer {short_repr(tokenizer)} must be {PREFIX!r} and the path of a SentencePiece model, such as "
            f"'spm:/models/flores200.model' ({error})"
        ) from None
    return name


@cache
def load_model(name: str) -> Model:
    """Load a model, once in each process."""
    import hashlib  # which takes a while

    content = Path(name.removeprefix(PREFIX)).read_bytes()
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError as error:
        raise ImportError(
            f"tokenizer {name!r} needs sentencepiece: pip install 'bleu_metric[sacrebleu]' ({error})"
        ) from error
    encode = SentencePieceProcessor(model_proto=content).encode_as_pieces
    return Model(hashlib.sha256(content).hexdigest()[:_DIGITS], lambda text: " ".join(encode(text)).split())
