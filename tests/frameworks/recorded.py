"""Outputs as of a model, with one to three references each; the same in every run."""

from __future__ import annotations

import random

WORDS = "the a cat dog sat lay on under mat sofa and then it looked at me , while rain fell in Rome .".split()


def recorded_outputs(segments: int, seed: int = 5) -> tuple[list[str], list[list[str]]]:
    """Make predictions and references that share most words."""
    rng = random.Random(seed)
    predictions, references = [], []
    for _ in range(segments):
        words = rng.choices(WORDS, k=rng.randint(8, 25))
        predictions.append(" ".join(words))
        references.append([_changed(rng, words) for _ in range(rng.randint(1, 3))])
    return predictions, references


def _changed(rng: random.Random, words: list[str]) -> str:
    return " ".join(word if rng.random() < 0.8 else rng.choice(WORDS) for word in words)
