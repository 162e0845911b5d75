"""Score a small corpus, show where libraries differ and why, and write a report: the first steps with bleu_metric."""

from __future__ import annotations

import argparse
import os
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from bleu_metric import explain_difference, report, score_dialects
from bleu_metric._display import signed_percent
from bleu_metric._result import Column, Result
from bleu_metric.cli.drawing import BAR, draw
from bleu_metric.cli.terminal import echo

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no network is needed: the metric and the data are local files
TOKENIZERS = {"zh": "zh", "ja": "char"}  # languages without spaces between words; all others take 13a
WIDTH = 14  # columns
NEXT = """\
  bleu-metric score HYP.txt REF.txt                 # your own files
  bleu-metric compare BASE.txt NEW.txt -r REF.txt   # a paired test
  pip install --upgrade pip && pip install --group docs && python -m sphinx docs site""".splitlines()


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    import datasets
    import evaluate

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
    draw([score_part(metric, texts, data)], digits=1, notes=())
    echo("")
    for part in (language_part(metric, rows), library_part(texts), why_part(texts)):
        draw([part], digits=1, notes=())
    echo("\n".join([f"A report with charts: {page}", "Next:", *NEXT]))  # lines to copy, which must not wrap


class Part(Result):
    """A part of what is printed: a title, a table and notes."""

    def __init__(self, title: str = "", columns: Sequence[Column] = (), notes: Sequence[str] = ()) -> None:
        self._shown = title, list(columns), list(notes)

    def title(self, digits: int = 1) -> str:
        """Return the title."""
        return self._shown[0]

    def columns(self, digits: int = 1) -> list[Column]:
        """Return the table."""
        return self._shown[1]

    def notes(self) -> list[str]:
        """Return the notes."""
        return self._shown[2]


def score_part(metric: Any, texts: dict[str, Any], data: str) -> Part:
    """Return the score of all segments with its interval, what it means, and the signature to report."""
    result = metric.compute(**texts, confidence=0.95)
    low, high = result["confidence_interval"]
    title = f"BLEU {100 * result['bleu']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
    note = "With so few segments, only about 88 to 95 of 100 such intervals contain the true score."
    return Part(f"{title}  sacrebleu on {data}", notes=[note, result["signature"]])


def language_part(metric: Any, rows: Any) -> Part:
    """Return a row per language. Each is scored with the tokenizer that it needs."""
    cells = []
    for language, of_language in rows.groupby("language", sort=False):
        tokenizer = TOKENIZERS.get(language, "13a")
        references = [list(row) for row in of_language["references"]]
        result = metric.compute(predictions=list(of_language["prediction"]), references=references, tokenizer=tokenizer)
        cells.append([language, tokenizer, str(len(of_language)), f"{100 * result['bleu']:.1f}", bar(result["bleu"])])
    return Part(columns=table(["language", "tokenizer", "segments", "BLEU", ""], cells, texts=(0, 1, 4)))


def library_part(texts: dict[str, Any]) -> Part:
    """Return a row for each group of libraries that compute the same score, from the highest to the lowest."""
    groups = defaultdict(list)
    for library, score in score_dialects(**texts).items():
        groups[f"{100 * score.bleu:.2f}"].append(library)
    ranked = sorted(groups.items(), key=lambda group: -float(group[0]))
    cells = [[score, bar(float(score) / 100), " · ".join(libraries)] for score, libraries in ranked]
    return Part(columns=table(["BLEU", "", "libraries, each with its own defaults"], cells, texts=(0, 1, 2)))


def why_part(texts: dict[str, Any]) -> Part:
    """Return the settings that explain most of the difference between the highest and the lowest score."""
    scores = score_dialects(**texts)
    lowest, highest = min(scores, key=lambda name: scores[name].bleu), max(scores, key=lambda name: scores[name].bleu)
    explained = explain_difference(**texts, from_dialect=lowest, to_dialect=highest)
    steps = sorted(explained.steps, key=lambda step: -abs(step.change))
    cells = [[f"{step.option}: {step.old} -> {step.new}", signed_percent(step.change)] for step in steps]
    shown = [row for row in cells if row[1] != "0.0"][:4]
    return Part(columns=table([f"why {highest} is above {lowest}", "BLEU"], shown, texts=(0,)))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], texts: Collection[int]) -> list[Column]:
    """Return the columns of a table. `texts`: the indices of the columns that contain words."""
    columns = zip(heads, zip(*rows, strict=True), strict=True)
    return [Column(head, cells, is_text=index in texts) for index, (head, cells) in enumerate(columns)]


def bar(score: float) -> str:
    return BAR * round(WIDTH * score)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # as in `| head`; without this, Python would fail again when it flushes standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
