"""Check a file of probed calls of other BLEU libraries: does this package give the same numbers?

    python scripts/check_probes.py ours FILE [FILE ...]     # ask this package
    python scripts/check_probes.py live FILE [FILE ...]     # ask the installed libraries, as when the file was made

A file is a JSON list (or .json.gz) of ``{peer, version, id, setup, call, input, output}``: `call` is a Python
expression over ``X``, the input, and the names of the library, which `setup` imports; `output` is what it gave, or
``{"error": type}``. Such a file is code: run only files you trust. Values computed in float32 have a `tolerance_note`
and are held to 1e-6, all others to 1e-12. Exit status 1 if a number is not reproduced.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from stand_ins import namespace

from bleu_metric import corpus_bleu, sentence_bleu

# No number of a BLEU: other metrics, tokenizers and internals of the libraries.
NO_BLEU = (
    "gleu",
    "google_bleu",
    "tokenizer_13a",
    "closest_ref_length",
    "modified_precision",
    "brevity_penalty(",
    "fill_(",
    "compute_bleu(c",
)
NO_BLEU += ("tokenizer_signature", "get_signature", "str(corpus_bleu", "force=f", "tryit", "lambda b:")

# Answers to input that this package refuses instead: strings taken for lists of characters, unequal numbers of rows
# cut to the shorter, no rows at all; by the ends of their ids.
REFUSED = (
    *(
        "both_strings_in_list",
        "refs_flat_token_list",
        "weights_empty",
        "hyp_string_flat",
        "ignite/probe/strings",
        "ignite/probe/flat_refs",
    ),
    *("class_flat_targets", "class_str_pred", "sacre_class_flat_targets", "sacre_flat_targets", "str_pred_str_targets"),
    *(
        "truncates",
        "truncated",
        "empty_corpus",
        "torchmetrics/probe/empty",
        "empty_batch_micro",
        "no_hyps",
        "fast-bleu/probe/no_refs",
    ),
    *("max_order0", "refs_flat_strings", "none_ref_all_empty_hyp", "more_hyp_lines_than_ref"),
    *("class_no_update", "hyp_is_str"),
    "token_with_space",  # torchtext cuts tokens at spaces
)


def read(path: Path) -> list[dict[str, Any]]:
    """Read a golden file."""
    raw = path.read_bytes()
    entries: list[dict[str, Any]] = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    for entry in entries:
        if isinstance(entry["output"], dict) and entry["output"].get("stdout"):  # multi-bleu.perl without words
            entry["output"] = {"bleu": float(entry["output"]["stdout"].removeprefix("BLEU = ").split(",")[0])}
    return entries


def kind(entry: dict[str, Any]) -> str:
    """Sort an entry: "number", or why it is none to reproduce."""
    output = entry["output"]
    if isinstance(output, dict) and ("error" in output or output.get("rc", 0) > 1):
        return "error of the library"
    if any(name in entry["call"] for name in NO_BLEU):
        return "no BLEU"
    if entry["id"].endswith(REFUSED):
        return "input refused here"
    return "number"


def ours(entry: dict[str, Any]) -> Any:
    """Answer the entry's call by this package."""
    if entry["peer"].startswith("moses/"):
        return _moses(entry)
    names = namespace(entry["peer"])
    return eval(entry["call"], {**names, "X": entry["input"]})


def _moses(entry: dict[str, Any]) -> dict[str, Any]:
    """Answer a command line of one of the Perl scripts."""
    predictions, call = entry["input"]["hypothesis_lines"], entry["call"]
    references = [list(refs) for refs in zip(*entry["input"]["reference_files"], strict=False)]
    references = references[: len(predictions)]
    if "multi-bleu" in entry["peer"]:
        lowercase = "ascii" if " -lc " in call else False
        score = corpus_bleu(predictions, references, "multi-bleu", lowercase=lowercase)
        lengths = {"hyp_len": score.translation_length, "ref_len": score.reference_length}
        return {"bleu": 100 * score.bleu, "bp": score.brevity_penalty, **lengths}  # type: ignore[operator]
    options: dict[str, Any] = {"lowercase": False} if " -c" in call else {}
    if "--no-smoothing" in call:
        options |= {"smoothing": "none", "zero_score": "any-order"}
    if "shortest" in call:
        options["reference_length"] = "shortest"
    sentences = sentence_bleu(predictions, references, "mteval-v13a", **options).tolist()
    return {"sys": corpus_bleu(predictions, references, "mteval-v13a", **options).bleu, "seg": sentences}


def live(entry: dict[str, Any]) -> Any:
    """Ask the library itself."""
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(entry["setup"], names)
        return plain(eval(entry["call"], {**names, "X": entry["input"]}))


def plain(value: Any) -> Any:
    """Turn a library's result into JSON's types."""
    if hasattr(value, "item"):
        return value.item()
    if hasattr(value, "sys_len"):
        return {name: getattr(value, name) for name in ("score", "counts", "totals", "sys_len", "ref_len")}
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def equal(left: Any, right: Any, tolerance: float) -> bool:
    """Compare what both sides tell: keys they share, lists item by item, numbers by relative difference."""
    if isinstance(left, dict) and isinstance(right, dict):
        shared = left.keys() & right.keys()
        if "length_ratio" in shared and not np.isfinite(_number(right["length_ratio"])):
            shared -= {"length_ratio"}  # without reference tokens: infinite there, 0.0 here
        return bool(shared) and all(equal(left[key], right[key], tolerance) for key in shared)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(equal(a, b, tolerance) for a, b in zip(left, right, strict=True))
    if isinstance(left, (list, tuple)) or isinstance(right, (list, tuple)):
        return False
    a, b = _number(left), _number(right)
    return bool(abs(a - b) <= tolerance * max(abs(a), abs(b)))


def _number(value: Any) -> float:
    return float(value["float"] if isinstance(value, dict) else value)


def check(paths: list[Path], answer: Any) -> int:
    """Compare all numbers of the files; print a summary and what differs."""
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for entry in (entry for path in paths for entry in read(path)):
        sort = kind(entry)
        if sort != "number" or (answer is live and "setup" not in entry):
            counts[entry["peer"], sort if sort != "number" else "not run"] += 1
            continue
        tolerance = 1e-6 if "tolerance_note" in entry else 1e-12
        try:
            given = answer(entry)
        except (TypeError, ValueError, NameError) as error:
            given = error
        same = not isinstance(given, Exception) and equal(given, entry["output"], tolerance)
        counts[entry["peer"], "reproduced" if same else "DIFFERS"] += 1
        if not same:
            wrong.append((entry, given))
    for (peer, sort), count in sorted(counts.items()):
        print(f"{peer:<26}{count:>6}  {sort}")
    for entry, given in wrong[:20]:
        print(f"\n{entry['id']}: {entry['call']}\n  input    {entry['input']}")
        print(f"  recorded {entry['output']}\n  given    {given}")
    total = sum(count for (_, sort), count in counts.items() if sort == "reproduced")
    print(f"\n{total} numbers reproduced, {len(wrong)} differ")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["ours", "live"])
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    return check(arguments.files, ours if arguments.action == "ours" else live)


if __name__ == "__main__":
    sys.exit(main())
