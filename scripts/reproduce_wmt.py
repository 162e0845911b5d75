"""Recompute all official BLEU scores of the WMT22 general translation task, and print each beside its official value.

    python scripts/reproduce_wmt.py FOLDER [--json]
    python scripts/reproduce_wmt.py FOLDER --dialects en

FOLDER is a checkout of the WMT22 release (https://github.com/wmt-conference/wmt22-news-systems): it has
`txt/system-outputs`, `txt/references` and `scores/automatic-scores.tsv`. The exit status is 1 if a score differs from
its official value. The known difference is not counted: see `KNOWN`. With --dialects en, the script instead scores all
systems that translate into English, in all dialects. It scores each system in one call.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tqdm import tqdm

from bleu_metric import DIALECTS, corpus_bleu, score_dialects

TOLERANCE = 1e-9  # absolute difference of scores, which are from 0 to 100
TOKENIZERS = {"zh": "zh", "ja": "char"}  # by target language; all other languages use 13a

# The official value does not come from the released file: for the released file, sacrebleu and we compute 15.27
KNOWN = {("ru-sah", "Lan-Bridge")}


class Row(NamedTuple):
    """An official score, and the score that we compute."""

    pair: str
    system: str
    metric: str
    official: float
    ours: float

    @property
    def agrees(self) -> bool:
        """Return whether the scores are equal except for rounding."""
        return abs(self.official - self.ours) <= TOLERANCE

    @property
    def is_known(self) -> bool:
        """Return whether the official value is known to come from a file other than the released one."""
        return (self.pair, self.system) in KNOWN


@cache
def lines(path: Path) -> list[str]:
    """Return the lines of a file, which are segments. Only a line feed ends a line."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def score(folder: Path, pair: str, system: str, metric: str) -> float:
    """Return the BLEU of one system, from 0 to 100, against the references that the name of the metric specifies."""
    target = pair.split("-")[1]
    name = f"generaltest2022.{pair}"
    kind = metric.removeprefix("bleu-")
    wanted = f"{name}.ref.{'*' if kind == 'all' else kind}.{target}"
    references = [lines(path) for path in sorted((folder / "txt" / "references").glob(wanted))]
    predictions = lines(folder / "txt" / "system-outputs" / f"{name}.hyp.{system}.{target}")
    columns = list(zip(*references, strict=True))
    return 100 * corpus_bleu(predictions, columns, tokenizer=TOKENIZERS.get(target, "13a")).bleu


def all_dialects(folder: Path, target: str) -> None:
    """Print the scores of all systems that translate into `target`, in all dialects and against all references."""
    files = sorted((folder / "txt" / "system-outputs").glob(f"*.{target}"))
    if not files:
        raise SystemExit(f"{folder} has no output of a system that translates into {target!r}")
    print(f"{'pair':<8}{'system':<26}" + "".join(f"{dialect:>13}" for dialect in DIALECTS))
    started, segments = time.perf_counter(), 0
    for path in files:
        name, _, system = path.name.removesuffix(f".{target}").partition(".hyp.")
        references = [lines(ref) for ref in sorted((folder / "txt" / "references").glob(f"{name}.ref.*.{target}"))]
        scores = score_dialects(lines(path), list(zip(*references, strict=True)))
        segments += len(lines(path))
        numbers = "".join(f"{100 * score.bleu:>13.2f}" for score in scores.values())
        print(f"{name.split('.')[1]:<8}{system:<26}{numbers}")
    seconds = time.perf_counter() - started
    print(f"\n{len(files)} systems, {segments} segments, {len(DIALECTS)} dialects in {seconds:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--dialects", metavar="LANGUAGE", help="score the systems into this language in all dialects")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)  # about quotation marks and similar properties of many systems
    if arguments.dialects:
        all_dialects(arguments.folder, arguments.dialects)
        return 0
    scores = arguments.folder / "scores" / "automatic-scores.tsv"
    if not scores.is_file():
        parser.error(f"{scores} is missing: FOLDER must be a checkout of the WMT22 release")
    with scores.open(encoding="utf-8", newline="") as file:
        official = [row for row in csv.DictReader(file, delimiter="\t") if row["metric"].startswith("bleu-")]
    started = time.perf_counter()
    rows = []
    for row in tqdm(official, unit="score", disable=None):
        pair, system, metric = row["pair"], row["system"], row["metric"]
        rows.append(Row(pair, system, metric, float(row["score"]), score(arguments.folder, pair, system, metric)))
    seconds = time.perf_counter() - started
    agree = [row for row in rows if row.agrees]
    known = [row for row in rows if not row.agrees and row.is_known]
    unknown = [row for row in rows if not row.agrees and not row.is_known]
    if arguments.json:
        table = [{**row._asdict(), "agrees": row.agrees} for row in rows]
        print(json.dumps({"rows": table, "agree": len(agree), "known": len(known), "differ": len(unknown)}, indent=1))
        return 1 if unknown else 0
    print(f"{'pair':<8}{'system':<26}{'metric':<11}{'official':>20}{'ours':>22}{'difference':>12}")
    for row in rows:
        note = "" if row.agrees else "  not made from the released file" if row.is_known else "  DIFFERS"
        numbers = f"{row.official:>20.14f}{row.ours:>22.14f}{row.ours - row.official:>12.1e}"
        print(f"{row.pair:<8}{row.system:<26}{row.metric:<11}{numbers}{note}")
    print(f"\n{len(agree)} of {len(rows)} official scores reproduced to {TOLERANCE:g} in {seconds:.1f} s")
    print(f"{len(known)} official values were not made from the released file (ru-sah, Lan-Bridge)")
    print(f"{len(unknown)} unexplained differences")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
