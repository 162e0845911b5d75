"""The long differential run: random cases against the slow score and every installed peer, until the time is over.

    python scripts/soak.py --minutes 30 [--seed 1]      # as long as that
    python scripts/soak.py --cases 500 --first 1000     # cases 1000 to 1499 of the seed, again
    python scripts/soak.py --replay FILE                # a case that differed

Each case is a corpus, a dialect with options, containers, pieces, threads and a way in (`soak_cases.py`,
`soak_ways.py`). Its answers are held to `slow.py`, and, where the options are a peer's, to the peer: integers exactly,
scores to 1e-12. A case that differs is shrunk and saved; exit status 1.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import sys
import time
import warnings
from collections import Counter
from dataclasses import asdict, fields
from itertools import chain, count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

import numpy as np
import slow
from peers import PEERS, Answer, Peer, differences
from soak_cases import Case, draw
from soak_shrink import shrink
from soak_ways import Labelled, ours

PACKAGES = (
    *("numpy", "pyarrow", "datasets", "evaluate", "pandas", "nltk", "sacrebleu", "bleuscore", "torch", "torchtext"),
    *("torchmetrics", "pytorch-ignite", "fast-bleu"),
)
_PROGRESS = 30  # seconds


def _slow_answers(case: Case, labels: list[str]) -> list[Answer]:
    config = case.config
    rows = [slow.count(*pair, config) for pair in zip(case.predictions, case.references, strict=True)]

    def one(label: str) -> Answer:
        what, _, which = label.partition(" ")
        if what == "segment":
            scores = slow.bleu(rows[int(which)], config, sentence=True)
            return Answer(scores if config.has_many_weights else scores[0])
        if what == "group":
            return slow.answer([row for row, own in zip(rows, case.groups, strict=True) if own == which], config)
        return slow.answer(rows, config)

    return [one(label) for label in labels]


def _for_peer(case: Case, peer: Peer) -> tuple[Any, Any] | None:
    """Texts, or tokens, as the peer takes them; None where it takes no such rows."""
    references = [[ref for ref in refs if ref is not None] for refs in case.references]
    if peer.kind == "text":
        return (case.predictions, references) if case.kind == "text" else None

    if any(char in text for char in peer.lacks for text in _texts(case)):
        return None

    def words(text: Any) -> list[str]:
        return list(map(str, slow.tokens(text, case.config)))

    return list(map(words, case.predictions)), [list(map(words, refs)) for refs in references]


def _texts(case: Case) -> list[str]:
    return [text for text in [*case.predictions, *chain(*case.references)] if isinstance(text, str)]


def _tuples(value: Any) -> Any:
    """Undo JSON, which has no tuples: weights must be some for fast-bleu."""
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def _ask(peer: Peer, function: Any, *rows: Any, options: dict[str, Any]) -> Any:
    """The peer's answer; None where it raises one of the errors it is known for."""
    try:
        return function(*rows, **{name: _tuples(value) for name, value in options.items()})
    except Exception as error:
        if not any(known in f"{type(error).__name__}: {error}" for known in peer.raises):
            raise
        return None


def _peer_answers(case: Case, labels: list[str]) -> dict[str, Answer]:
    peer = PEERS.get(case.dialect)
    if peer is None or case.of_peer is None or not peer.is_installed:
        return {}
    rows = _for_peer(case, peer)
    if rows is None:
        return {}
    found = {"": _ask(peer, peer.run, *rows, options=case.of_peer)}
    for label in labels if peer.run_sentence else ():
        if label.startswith("segment "):
            row = int(label.partition(" ")[2])
            one = _ask(peer, peer.run_sentence, rows[0][row], rows[1][row], options=case.of_peer)
            found[label] = None if one is None else Answer(one)
    return {label: answer for label, answer in found.items() if answer is not None}


def check(case: Case, seen: Counter[str] | None = None) -> list[str]:
    """Say where the answers differ: from "slow", from the "peer", or by an "error"; `seen` counts what was compared."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's, of numbers that went wrong
            answers: Labelled = ours(case)
    except Exception as error:  # noqa: BLE001  no way in may raise
        return [f"error: {type(error).__name__}: {error}"]
    labels = [label for label, _ in answers]
    expected = dict(zip(labels, _slow_answers(case, labels), strict=True))
    try:
        of_peer = _peer_answers(case, labels)
    except Exception as error:  # noqa: BLE001  an error that this peer is not known for
        return [f"peer: {type(error).__name__}: {error}"]
    found = dict(answers)
    if "" in of_peer and "" not in found:
        found[""] = _slow_answers(case, [""])[0]
    if seen is not None:
        seen.update({"score": len(labels), f"peer {case.dialect}": len(of_peer)})
    wrong = [f"slow: {label} {one}" for label in labels for one in differences(found[label], expected[label])]
    return wrong + [f"peer: {label} {one}" for label in of_peer for one in differences(found[label], of_peer[label])]


# --- saving and replaying ---------------------------------------------------------------------------------------


def save(folder: Path, case: Case, found: list[str], seed: int, number: int) -> Path:
    """Write a case that differs, with all that is needed to see it again."""
    installed = {one.name.lower(): one.version for one in importlib.metadata.distributions()}
    versions = {"python": platform.python_version(), **{name: installed.get(name) for name in PACKAGES}}
    content = {"differences": found, "seed": seed, "number": number, "versions": versions, "case": asdict(case)}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed-{seed}-case-{number}.json"
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> Case:
    """Read a case that `save` wrote."""
    content = json.loads(path.read_text(encoding="utf-8"))["case"]
    known = {name: content[name] for name in (one.name for one in fields(Case))}
    return Case(**{**known, "containers": tuple(known["containers"])})


def replay(path: Path) -> int:
    """Check a saved case once more."""
    case = load(path)
    found = check(case)
    print(json.dumps(asdict(case), indent=1, ensure_ascii=False))
    print("\n".join(found) or "no difference")
    return int(bool(found))


# --- the run ----------------------------------------------------------------------------------------------------


def _tell(seen: Counter[str], started: float) -> None:
    minutes = (time.monotonic() - started) / 60
    print(f"{minutes:6.1f} min {seen['case']:8,} cases {seen['difference']:4} differences", flush=True)


def _report(seen: Counter[str]) -> None:
    for kind in ("dialect", "peer", "kind", "predictions", "references", "way"):
        print("\nscores compared with each peer:" if kind == "peer" else f"\ncases per {kind}:")
        own = [(key.removeprefix(f"{kind} "), value) for key, value in seen.items() if key.startswith(f"{kind} ")]
        print("  " + ", ".join(f"{name} {value:,}" for name, value in sorted(own)))
    print(f"\n{seen['case']:,} cases, {seen['score']:,} scores, {seen['difference']} differences")


def run(seed: int, first: int, cases: int | None, minutes: float, folder: Path, stop_after: int = 10) -> Counter[str]:
    """Check case after case; what was compared, and how many cases differ."""
    seen: Counter[str] = Counter()
    started = told = time.monotonic()
    for number in count(first):
        if (number - first == cases) or (cases is None and time.monotonic() - started > 60 * minutes):
            break
        case = draw(seed, number)
        found = check(case, seen)
        left, right = case.containers
        seen.update(["case", f"dialect {case.dialect}", f"kind {case.kind}", f"way {case.way}"])
        seen.update([f"predictions {left}", f"references {right}"])
        if found:
            seen["difference"] += 1
            small = shrink(case, check)
            path = save(folder, small, check(small), seed, number)
            print(f"case {number} differs: {found[0]}\n  python scripts/soak.py --replay {path}", flush=True)
        if seen["difference"] >= stop_after:
            print(f"{stop_after} differences are enough")
            break
        if time.monotonic() - told > _PROGRESS:
            told = time.monotonic()
            _tell(seen, started)
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--cases", type=int, help="how many cases, instead of minutes")
    parser.add_argument("--output", type=Path, default=Path("soak-differences"), help="folder for cases that differ")
    parser.add_argument("--replay", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.replay:
        return replay(arguments.replay)
    missing = sorted({peer.module for peer in PEERS.values() if not peer.is_installed})
    print(f"NumPy {np.__version__}, peers missing: {', '.join(missing) or 'none'}")
    seen = run(arguments.seed, arguments.first, arguments.cases, arguments.minutes, arguments.output)
    _report(seen)
    return int(seen["difference"] > 0)


if __name__ == "__main__":
    sys.exit(main())
