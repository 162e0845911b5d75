"""Random segments of texts for the tests of many against many, as texts, tokens and token ids."""

from __future__ import annotations

from typing import Any

import numpy as np
from corpora import near, random_text, random_tokens

CATS = ["the cat sat on the mat", "the cat is on the mat", "a dog sat on the log", "there is a cat on the mat today"]
KINDS = ("text", "tokens", "ids")


def random_segment(rng: np.random.Generator, kind: str, least: int = 1, most: int = 6) -> list[Any]:
    """Some texts, many of which are near to one another."""
    draw = random_text if kind == "text" else random_tokens
    base = draw(rng)
    texts = [near(rng, base) if rng.integers(2) else draw(rng) for _ in range(int(rng.integers(least, most + 1)))]
    return [[hash_of(token) for token in text] for text in texts] if kind == "ids" else texts


def hash_of(token: str) -> int:
    return int.from_bytes(token.encode()[:6], "big")


def all_pairs(rows: list[Any], columns: list[Any]) -> tuple[list[Any], list[list[Any]]]:
    """Predictions and references of every pair, row by row."""
    return [row for row in rows for _ in columns], [[column] for _ in rows for column in columns]


def all_others(texts: list[Any]) -> list[list[Any]]:
    """For each text all others, in their order."""
    return [texts[:place] + texts[place + 1 :] for place in range(len(texts))]
