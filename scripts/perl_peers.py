"""Compare with three Perl scripts of Moses: multi-bleu.perl, multi-bleu-detok.perl and mteval-v13a.pl.

The scripts are not part of this project. Download them from https://github.com/moses-smt/mosesdecoder, folder
scripts/generic, and pass the folder that has them. The scripts need `perl`. They cannot score texts with line breaks,
or segments with different numbers of references, because every file has one line per segment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from peers import Answer, Options, Peer

_MULTI_BLEU = re.compile(r"BLEU = (\S+), (\S+) \(BP=(\S+), ratio=(\S+), hyp_len=(\d+), ref_len=(\d+)\)")
_ROUNDED = '"BLEU = %.2f, %.1f/%.1f/%.1f/%.1f (BP=%.3f, ratio=%.3f,'
_EXACT = '"BLEU = %.17g, %.17g/%.17g/%.17g/%.17g (BP=%.17g, ratio=%.17g,'


# Script without its suffix -> our option for its -lc
MULTI_BLEU: dict[str, str | bool] = {"multi-bleu": "ascii", "multi-bleu-detok": True}


def perl_peers(folder: Path) -> dict[str, Peer]:
    """Return a peer for each script that the folder has, by dialect. Without Perl, return no peer."""
    found = {}
    if shutil.which("perl"):
        for name in MULTI_BLEU:
            script = folder / f"{name}.perl"
            if script.is_file():
                found[name] = multi_bleu_peer(name, script.read_text(encoding="utf-8"))
        if (folder / "mteval-v13a.pl").is_file():
            found["mteval-v13a"] = mteval_peer(folder / "mteval-v13a.pl")
    return found


def _streams(references: list[list[str]]) -> list[list[str]]:
    return [list(stream) for stream in zip(*references, strict=True)]


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def multi_bleu_peer(name: str, script: str = "") -> Peer:
    """Return the peer for a script of `MULTI_BLEU`, given its text. The peer runs a copy that prints all digits."""
    lower = MULTI_BLEU[name]
    exact = script.replace(_ROUNDED, _EXACT)

    def run(predictions: list[str], references: list[list[str]], lowercase: bool) -> Answer:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "script.perl").write_text(exact, encoding="utf-8")
            _write(folder / "hyp", predictions)
            for number, stream in enumerate(_streams(references)):
                _write(folder / f"ref{number}", stream)
            command = ["perl", "script.perl", *(["-lc"] if lowercase else []), "ref"]
            with (folder / "hyp").open("rb") as stdin:
                ran = subprocess.run(command, cwd=folder, stdin=stdin, capture_output=True, text=True, check=False)
        if "Illegal division by zero" in ran.stderr:
            raise ZeroDivisionError(f"{name}.perl: no words")
        match = _MULTI_BLEU.match(ran.stdout)
        if match is None:
            raise RuntimeError(f"{name}.perl printed {ran.stdout!r} {ran.stderr!r}")
        bleu, precisions, penalty, ratio, length, reference = match.groups()
        if ran.returncode:  # the references have no words: the script printed zeros instead of its counts
            return Answer(float(bleu) / 100, brevity_penalty=float(penalty))
        return Answer(
            float(bleu) / 100,
            translation_length=int(length),
            reference_length=int(reference),
            precisions=[float(precision) / 100 for precision in precisions.split("/")],
            brevity_penalty=float(penalty),
            length_ratio=float(ratio),
        )

    def draw(rng: np.random.Generator) -> tuple[Options, Options]:
        lowercase = bool(rng.integers(2))
        return {"lowercase": lowercase}, {"lowercase": lower if lowercase else False}

    choices: list[tuple[str, Options, Options]] = [
        ("default", {"lowercase": False}, {}),
        ("-lc", {"lowercase": True}, {"lowercase": lower}),
    ]
    return Peer(name, "perl", "lines", draw, run, choices, raises=("ZeroDivisionError",))


def _sgml(kind: str, systems: list[list[str]]) -> str:
    """Return the text of an SGML file. Each system is a document of all its lines. No characters are escaped."""
    documents = []
    for place, lines in enumerate(systems):
        segments = "\n".join(f'<seg id="{number}">{line}</seg>' for number, line in enumerate(lines, 1))
        documents.append(f'<doc sysid="s{place}" docid="d">\n{segments}\n</doc>')
    attributes = 'setid="set" srclang="any"' + ("" if kind == "srcset" else ' trglang="en"')
    return "\n".join(f"<{kind} {attributes}>\n{document}\n</{kind}>" for document in documents)


def mteval_peer(script: Path) -> Peer:
    """Return the peer for mteval-v13a.pl.

    The peer reads the score from a file that the script writes. It has 15 digits, enough for a tolerance of 1e-12.
    """

    def run(predictions: list[str], references: list[list[str]], arguments: list[str]) -> Answer:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "XML").mkdir()
            (folder / "XML" / "Twig.pm").write_text("package XML::Twig; 1;")  # only .xml files need its content
            (folder / "src.sgm").write_text(_sgml("srcset", [predictions]), encoding="utf-8")
            (folder / "ref.sgm").write_text(_sgml("refset", _streams(references)), encoding="utf-8")
            (folder / "tst.sgm").write_text(_sgml("tstset", [predictions]), encoding="utf-8")
            files = ["-s", "src.sgm", "-r", "ref.sgm", "-t", "tst.sgm"]
            command = ["perl", "-I", ".", str(script.resolve()), "-b", *files, "--metricsMATR-output", *arguments]
            environment = {**os.environ, "PERL_HASH_SEED": "0"}
            ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if "Can't take log of 0" in ran.stderr or "Illegal division by zero" in ran.stderr:
                raise ZeroDivisionError("mteval-v13a.pl: no words")
            if ran.returncode:
                raise RuntimeError(f"mteval-v13a.pl: {ran.stderr}")
            return Answer(float((folder / "BLEU-sys.scr").read_text().split()[-1]))

    def draw(rng: np.random.Generator) -> tuple[Options, Options]:
        arguments, ours = [], dict[str, Any]()
        for argument, option in _MTEVAL.items():
            if rng.integers(2):
                arguments += argument.split()
                ours.update(option)
        return {"arguments": arguments}, ours

    choices = [("default", {"arguments": list[str]()}, Options())]
    choices += [(argument, {"arguments": argument.split()}, option) for argument, option in _MTEVAL.items()]
    return Peer("mteval-v13a", "perl", "lines", draw, run, choices, raises=("ZeroDivisionError",))


_MTEVAL: dict[str, Options] = {
    "-c": {"lowercase": False},
    "--no-smoothing": {"smoothing": "none", "zero_score": "any-order"},
    "--brevity-penalty shortest": {"reference_length": "shortest"},
}
