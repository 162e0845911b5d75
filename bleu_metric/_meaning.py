"""What a score means, in words."""

from __future__ import annotations

# Google Cloud's reading of BLEU in percent: https://cloud.google.com/translate/docs/advanced/automl-evaluate
_BANDS = (
    (10, "almost useless"),
    (20, "hard to get the gist"),
    (30, "the gist is clear, but with significant grammatical errors"),
    (40, "understandable to good"),
    (50, "high quality"),
    (60, "very high quality, adequate and fluent"),
)
CAVEAT = "A score compares only with scores of the same test set and the same signature."


def meaning(bleu: float) -> str:
    """Say what a score between 0 and 1 means.

    >>> meaning(0.34)
    'understandable to good'
    """
    return next((text for below, text in _BANDS if bleu * 100 < below), "often better than human")
