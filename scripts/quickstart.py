"""Score a small corpus, show where libraries differ and why, and write a report: the first steps with bleu_metric."""

from __future__ import annotations

import argparse
import os
import tempfile
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no network is needed: the metric and the data are local files
TOKENIZERS = {"zh": "zh", "ja": "char"}  # languages without spaces between words; all others take 13a
WIDTH = 14  # columns
NEXT = """\
  bleu-metric score HYP.txt REF.txt                     # your own files
  bleu-metric compare BASE.txt NEW.txt -r REF.txt       # a paired test
  pip install ".[docs]" && python -m sphinx docs site   # build the site""".splitlines()


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    import datasets
    import evaluate

    from bleu_metric import report
    from bleu_metric.cli.drawing import show
    from bleu_metric.cli.terminal import echo

    warnings.simplefilter("ignore")  # a language with one short segment has no 4-gram that matches
    datasets.disable_progress_bars()
    with tempfile.TemporaryDirectory() as cache:
        sample = str(ROOT / "scripts" / "sample.jsonl")
        rows = datasets.load_dataset("json", data_files=sample, split="train", cache_dir=cache).to_pandas()
    texts = {"predictions": list(rows["prediction"]), "references": [list(row) for row in rows["references"]]}
    metric = evaluate.load(str(ROOT / "bleu_metric"), "sacrebleu")
    page = str(Path(tempfile.mkdtemp()) / "report.html")
    languages = list(rows["language"])
    report(page, **texts, dialect="sacrebleu", groups=languages, title="Quickstart")

    data = f"{len(rows)} segments in {len(set(languages))} languages ({Path(sample).name})"
    parts = [score_lines(metric, texts, data), language_table(metric, rows)]
    parts += [library_table(texts), why_lines(texts)]
    lines = [line for part in parts for line in (*part, "")]
    show(lines[:-1])
    echo("\n".join(["", f"A report with charts: {page}", "Next:", *NEXT]))  # lines to copy, which must not wrap


def score_lines(metric: Any, texts: dict[str, Any], data: str) -> list[Any]:
    """Return the score of all segments with its interval, what it means, and the signature to report."""
    from bleu_metric.cli.drawing import Note, Signature, Title

    result = metric.compute(**texts, confidence=0.95)
    low, high = result["confidence_interval"]
    title = f"BLEU {100 * result['bleu']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
    return [
        Title(f"{title}  sacrebleu on {data}"),
        Note("With so few segments, only about 88 to 95 of 100 such intervals contain the true score."),
        Signature(result["signature"]),
    ]


def language_table(metric: Any, rows: Any) -> list[Any]:
    """Return a row per language. Each is scored with the tokenizer that it needs."""
    from bleu_metric._display import Table

    cells = []
    for language, of_language in rows.groupby("language", sort=False):
        tokenizer = TOKENIZERS.get(language, "13a")
        references = [list(row) for row in of_language["references"]]
        result = metric.compute(predictions=list(of_language["prediction"]), references=references, tokenizer=tokenizer)
        cells.append([language, tokenizer, str(len(of_language)), f"{100 * result['bleu']:.1f}", bar(result["bleu"])])
    return [Table(["language", "tokenizer", "segments", "BLEU", ""], cells, left_aligned=(0, 1, 4))]


def library_table(texts: dict[str, Any]) -> list[Any]:
    """Return a row for each group of libraries that compute the same score, from the highest to the lowest."""
    from bleu_metric import score_dialects
    from bleu_metric._display import Table

    groups = defaultdict(list)
    for library, score in score_dialects(**texts).items():
        groups[f"{100 * score.bleu:.2f}"].append(library)
    ranked = sorted(groups.items(), key=lambda group: -float(group[0]))
    cells = [[score, bar(float(score) / 100), " · ".join(libraries)] for score, libraries in ranked]
    return [Table(["BLEU", "", "libraries, each with its own defaults"], cells, left_aligned=(0, 1, 2))]


def why_lines(texts: dict[str, Any]) -> list[Any]:
    """Return the settings that explain most of the difference between the highest and the lowest score."""
    from bleu_metric import explain_difference, score_dialects
    from bleu_metric._display import Table, signed_percent

    scores = score_dialects(**texts)
    lowest, highest = min(scores, key=lambda name: scores[name].bleu), max(scores, key=lambda name: scores[name].bleu)
    explained = explain_difference(**texts, from_dialect=lowest, to_dialect=highest)
    steps = sorted(explained.steps, key=lambda step: -abs(step.change))
    cells = [[f"{step.option}: {step.old} -> {step.new}", signed_percent(step.change)] for step in steps]
    shown = [row for row in cells if row[1] != "0.0"][:4]
    return [Table([f"why {highest} is above {lowest}", "BLEU"], shown)]


def bar(score: float) -> str:
    from bleu_metric.cli.drawing import BAR

    return BAR * round(WIDTH * score)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # as in `| head`; without this, Python would fail again when it flushes standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
