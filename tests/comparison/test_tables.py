"""A few comparisons as they are printed and pasted: all formats of each, one after another in a golden file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpora import one_sided
from golden import check_golden

from bleu_metric import (
    compare_groups,
    compare_metrics,
    explain_difference,
    find_settings,
    paired_approximate_randomization,
    paired_bootstrap,
    system_statistics,
)

TEXTS, REFERENCES = one_sided(40)
TEXTS["mid"] = [*TEXTS["new"][:15], *TEXTS["base"][15:]]
TEXTS["copy"] = TEXTS["new"]
ALL = system_statistics(TEXTS, REFERENCES, metrics=["bleu", "chrf", "ter"])
BLEU = ALL["BLEU"]
BASE, OTHERS = BLEU["base"], {"new": BLEU["new"], "mid": BLEU["mid"]}
LABELS = ["few"] * 4 + ["fewer"] * 2 + ["news"] * 34
FEW = ["a b c d e", "a b c"], ["a b c d x", "a c"]
RATINGS = {name: [float(len(text)) for text in texts] for name, texts in TEXTS.items()}

SHOWN: dict[str, Any] = {
    "all pairs": lambda: paired_bootstrap(BLEU, n_resamples=200),
    "against a baseline": lambda: paired_approximate_randomization(
        BASE, OTHERS, 500, n_resamples=50, seed=9, confidence=0.9, p_values="sacrebleu", baseline_name="base"
    ),
    "too few trials": lambda: paired_bootstrap(BLEU, n_resamples=40),
    "too few segments": lambda: paired_bootstrap(BASE[:3], BLEU["mid"][:3]),
    "too few for the bootstrap": lambda: paired_bootstrap(BASE[:8], BLEU["new"][:8]),
    "groups": lambda: compare_groups(BASE, OTHERS, LABELS, baseline_name="base", n_resamples=200),
    "metrics": lambda: compare_metrics({**ALL, "length": RATINGS}, n_resamples=200),
    "metrics against a baseline": lambda: compare_metrics({"BLEU": BLEU, "length": RATINGS}, "mid", n_resamples=200),
    "explanation": lambda: explain_difference(["a b d e.", "c"], ["a b c d.", "c"], "nltk", "sacrebleu"),
    "found": lambda: find_settings(*FEW, "40"),
    "found nowhere": lambda: find_settings(*FEW, "99.123456"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_all_formats(name: str) -> None:
    result = SHOWN[name]()
    formats = [repr(result), str(result), result.to_markdown(2), result.to_latex(2), result.to_csv()]
    check_golden(Path(__file__).parent / "golden" / f"{name.replace(' ', '_')}.txt", "\n\n".join(formats))
