"""Comparisons of groups equal those of each group alone, except that p-values are corrected for all of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from inner_doors import holm

from bleu_metric import (
    BleuStatistics,
    compare_groups,
    paired_approximate_randomization,
    paired_bootstrap,
    system_statistics,
)

REFERENCES = [f"segment {number} of the cat on the mat" for number in range(70)]
SYSTEMS = {
    "base": [text.replace("cat", "dog") if number % 3 else text for number, text in enumerate(REFERENCES)],
    "good": [text.replace("cat", "dog") if number % 9 == 0 else text for number, text in enumerate(REFERENCES)],
    "other": [text.replace("mat", "hat") if number % 3 else text for number, text in enumerate(REFERENCES)],
}
LABELS = ["news" if number < 40 else "chat" for number in range(70)]


def _counted() -> tuple[BleuStatistics, dict[str, BleuStatistics]]:
    counted = system_statistics(SYSTEMS, REFERENCES, "sacrebleu")
    return counted.pop("base"), counted


@pytest.mark.parametrize(
    ("test", "count"), [(paired_bootstrap, "n_resamples"), (paired_approximate_randomization, "n_trials")]
)
def test_as_each_group_alone(test: Any, count: str) -> None:
    baseline, systems = _counted()
    options = {count: 200, "seed": 3, "p_values": "sacrebleu", "baseline_name": "base"}
    compared = compare_groups(baseline, systems, LABELS, test, **options)
    assert list(compared) == ["news", "chat"]
    p_values = []
    for label, rows in (("news", slice(0, 40)), ("chat", slice(40, 70))):
        alone = test(baseline[rows], {name: system[rows] for name, system in systems.items()}, **options)
        found, expected = compared[label].rows(), alone.rows()
        for row in (*found, *expected):
            row.pop("p_adjusted")
        assert found == expected
        p_values += [system.p_value for system in alone.systems]
    adjusted = [system.p_adjusted for comparison in compared.values() for system in comparison.systems]
    assert adjusted == holm(p_values)
    assert adjusted != p_values


def test_displays_and_rows() -> None:
    baseline, systems = _counted()
    labels = [label if row > 3 else "few" for row, label in enumerate(LABELS)]
    compared = compare_groups(baseline, systems, labels, baseline_name="base")
    assert [(row["group"], row["name"]) for row in compared.rows()][::3] == [
        ("few", "base"),
        ("news", "base"),
        ("chat", "base"),
    ]
    assert json.loads(json.dumps(compared.rows())) == compared.rows()
    assert repr(compared) == "<GroupComparisons few 4 segments, news 36 segments, chat 30 segments>"
    text = str(compared).splitlines()
    assert text[0].startswith("3 groups, paired bootstrap against base: 1,000 resamples, seed 12345")
    few, news, chat = (
        text.index(next(line for line in text if f"{label} (" in line)) for label in ("few", "news", "chat")
    )
    assert (few, news, chat) == (2, 5, 8)
    assert text[few + 1].endswith("too few segments")
    assert text[news + 1].endswith(" *")
    assert "  * significant: p (Holm) < 0.05" in text
    markdown, latex = (one.splitlines() for one in (compared.to_markdown(2), compared.to_latex(2)))
    assert markdown[few].startswith("| few (4)   | base ")
    for label, comparison in compared.items():
        best = max(row["score"] for row in comparison.rows())
        assert f"**{100 * best:.2f}**" in compared.to_markdown(2), label
    assert sum("**" in line for line in markdown) == 3
    assert latex[0] == "\\begin{tabular}{llrrrrrrl}"
    assert sum("textbf" in line for line in latex) == 3


BAD: list[tuple[Any, type[Exception], str]] = [
    (
        ["a"] * 69 + ["b"],
        ValueError,
        r"a paired test needs several segments, and the group 'b' has 1; join small groups",
    ),
    (["a"] * 69, ValueError, r"groups has 69 labels for 70 segments"),
    ([None] * 70, TypeError, r"groups\[0\] is None"),
]


@pytest.mark.parametrize(("labels", "error", "text"), BAD)
def test_wrong_groups(labels: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        compare_groups(*_counted(), labels)
