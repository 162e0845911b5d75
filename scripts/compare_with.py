"""Compare this package with another BLEU library on the same corpus: scores and times.

    python scripts/compare_with.py PEER [--predictions FILE --references FILE [FILE ...]] [--generated N] [--json]

PEER is the dialect of the other library; --help lists them. The dialects multi-bleu, multi-bleu-detok and mteval-v13a
also need --perl FOLDER, their folder. The corpus is scripts/sample.jsonl,
your files with one segment per line, or N generated pairs. The comparison covers all smoothing methods of the library
and weights. Counts and lengths must be equal. Scores must agree to 1e-12 (relative). For this,
torchtext, torchmetrics and torcheval are called in float64.
Exit status: 0 if all results agree, 1 if a result differs, 2 if the comparison could not run.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from peers import PEERS, Answer, Peer, differences, of_score
from perl_peers import MULTI_BLEU, perl_peers

from bleu_metric import __version__, corpus_bleu, sentence_bleu

PACKAGES = {"ignite": "pytorch-ignite", "perl": "", "re": ""}
SAMPLE = Path(__file__).resolve().parent / "sample.jsonl"


class Corpus(NamedTuple):
    """Predictions and their references: texts, or lists of tokens."""

    name: str
    predictions: list[Any]
    references: list[list[Any]]


class Line(NamedTuple):
    """The results and times of both libraries for one set of options."""

    choice: str
    ours: float | list[float]
    comparisons: int
    largest: float  # relative difference
    our_seconds: float
    their_seconds: float
    problems: list[str]


def read_corpus(arguments: argparse.Namespace) -> Corpus:
    if arguments.predictions:
        predictions = read_lines(arguments.predictions)
        streams = [read_lines(path) for path in arguments.references]
        for path, stream in zip(arguments.references, streams, strict=True):
            if len(stream) != len(predictions):
                raise ValueError(
                    f"{path} has {len(stream)} lines, but {arguments.predictions} has {len(predictions)}: "
                    "pass files with the same number of lines"
                )
        return Corpus(str(arguments.predictions), predictions, list(map(list, zip(*streams, strict=True))))
    if arguments.generated:
        from workloads import generated

        return Corpus(f"generated, {arguments.generated} pairs", *generated(arguments.generated))
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    return Corpus(SAMPLE.name, [row["prediction"] for row in rows], [row["references"] for row in rows])


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def as_peer_takes_it(corpus: Corpus, kind: str) -> Corpus:
    """Return the corpus as a peer of this `kind` accepts it.

    For "tokens", texts are split at spaces. For "lines", every segment keeps as many references as the segment with
    the fewest references.
    """
    if kind == "lines":
        fewest = min(map(len, corpus.references))
        return corpus._replace(references=[refs[:fewest] for refs in corpus.references])
    if kind == "text":
        return corpus
    references = [[text.split() for text in refs] for refs in corpus.references]
    return Corpus(corpus.name, [text.split() for text in corpus.predictions], references)


def compare(peer: Peer, corpus: Corpus) -> list[Line]:
    first = peer.choices[0]
    # The first calls import libraries, so they are not timed
    corpus_bleu(corpus.predictions, corpus.references, peer.dialect, **first[2])
    peer.run(corpus.predictions, corpus.references, **first[1])
    lines = []
    for choice, theirs, ours in peer.choices:
        started = time.perf_counter()
        score = corpus_bleu(corpus.predictions, corpus.references, peer.dialect, **ours)
        ours_done = time.perf_counter()
        pairs = []
        try:
            answer = peer.run(corpus.predictions, corpus.references, **theirs)
            done = time.perf_counter()
            pairs.append((of_score(score), answer))
        except Exception as error:
            if not any(known in f"{type(error).__name__}: {error}" for known in peer.raises):
                raise
            done = time.perf_counter()
        pairs += sentence_pairs(peer, corpus, theirs, ours)
        problems = [problem for pair in pairs for problem in differences(*pair)]
        largest = max((relative(*pair) for pair in pairs), default=0.0)
        seconds = (ours_done - started, done - ours_done)
        lines.append(Line(choice, score.bleu, len(pairs), largest, *seconds, problems))
    return lines


def sentence_pairs(peer: Peer, corpus: Corpus, theirs: Any, ours: Any) -> list[tuple[Answer, Answer]]:
    if peer.run_sentence is None:
        return []
    sentences = sentence_bleu(corpus.predictions, corpus.references, peer.dialect, **ours)
    pairs = []
    for sentence, text, refs in zip(sentences, corpus.predictions, corpus.references, strict=True):
        try:
            pairs.append((Answer(sentence), Answer(peer.run_sentence(text, refs, **theirs))))
        except Exception as error:
            if not any(known in f"{type(error).__name__}: {error}" for known in peer.raises):
                raise
    return pairs


def relative(ours: Answer, theirs: Answer) -> float:
    """Return the largest relative difference between the scores of two answers."""
    import numpy as np

    left, right = np.atleast_1d(ours.bleu), np.atleast_1d(theirs.bleu)
    scale = np.maximum(np.abs(left), np.abs(right))
    return float(np.max(np.abs(left - right) / np.where(scale > 0, scale, 1)))


def report(peer: Peer, corpus: Corpus, lines: list[Line]) -> None:
    print(
        f"{'choice':<44}{'BLEU':>9}{'compared':>10}{'max. rel. diff.':>17}{'ours ms':>9}{'theirs ms':>11}{'ratio':>8}"
    )
    for line in lines:
        bleu = f"{100 * line.ours:>9.4f}"
        times = f"{1e3 * line.our_seconds:>9.2f}{1e3 * line.their_seconds:>11.2f}"
        ratio = f"{line.their_seconds / line.our_seconds:>7.1f}x"
        verdict = "" if not line.problems else "  DIFFERS: " + "; ".join(line.problems[:2])
        print(f"{line.choice:<44}{bleu}{line.comparisons:>10}{line.largest:>17.1e}{times}{ratio}{verdict}")
    wrong = sum(bool(line.problems) for line in lines)
    compared = sum(line.comparisons for line in lines)
    largest = max(line.largest for line in lines)
    ours, theirs = sum(line.our_seconds for line in lines), sum(line.their_seconds for line in lines)
    print(f"\n{len(lines) - wrong} of {len(lines)} choices agree: {compared} scores, largest difference {largest:.1e}")
    print(f"time of all corpus scores: ours {ours:.3f} s, theirs {theirs:.3f} s, {theirs / ours:.1f} times")
    print(
        f"corpus {corpus.name}: {len(corpus.predictions)} segments; {', '.join(map(' '.join, versions(peer).items()))}"
    )


def versions(peer: Peer) -> dict[str, str]:
    found = {"bleu_metric": __version__, "python": platform.python_version()}
    package = PACKAGES.get(peer.module, peer.module)
    return {**found, package: importlib.metadata.version(package)} if package else found


def main(name: str | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    if name is None:
        parser.add_argument("peer", choices=[*PEERS, *MULTI_BLEU, "mteval-v13a"])
    parser.add_argument("--predictions", type=Path, help="a file with one prediction per line")
    parser.add_argument("--references", type=Path, nargs="+", help="files with one reference per line")
    parser.add_argument("--generated", type=int, metavar="N", help="generate a corpus of N pairs")
    parser.add_argument("--perl", type=Path, metavar="FOLDER", help="folder with the Perl scripts of Moses")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    arguments = parser.parse_args()
    if bool(arguments.predictions) != bool(arguments.references):
        parser.error("pass --predictions and --references together")
    if arguments.generated is not None and (arguments.predictions or arguments.generated < 1):
        parser.error("--generated must be at least 1, and cannot be combined with --predictions")
    wanted = name or arguments.peer
    peer = {**PEERS, **(perl_peers(arguments.perl) if arguments.perl else {})}.get(wanted)
    if peer is None:
        parser.error(f"install Perl, and pass --perl FOLDER, the folder that has the script of {wanted}")
    if peer.module != "perl" and not peer.is_installed:
        print(f"{peer.module} is not installed. Type: {peer.install}", file=sys.stderr)
        return 2
    try:
        corpus = as_peer_takes_it(read_corpus(arguments), peer.kind)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    lines = compare(peer, corpus)
    if arguments.json:
        table = {"corpus": corpus.name, "versions": versions(peer), "choices": [line._asdict() for line in lines]}
        print(json.dumps(table, indent=1))
    else:
        report(peer, corpus, lines)
    return int(any(line.problems for line in lines))


if __name__ == "__main__":
    sys.exit(main())
