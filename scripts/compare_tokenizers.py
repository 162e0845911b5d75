"""Cut every line of the text files of a folder by our tokenizers and by sacrebleu's, and compare token for token.

    python scripts/compare_tokenizers.py FOLDER

Exit status 1 if a line is cut differently.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import pyarrow as pa
from sacrebleu.metrics.bleu import _get_tokenizer

from bleu_metric._tokenize import Tokenization, tokenize

TOKENIZERS = {"13a": "13a", "intl": "intl", "zh": "zh", "char": "char", "none": "none", "whitespace": "none"}


def cut(lines: list[str], name: str) -> list[list[str]]:
    """Cut the lines by one of our tokenizers."""
    tokens = tokenize(pa.array(lines, pa.string()), Tokenization(name, False, True, "python"))
    raw, ends = tokens.data.tobytes(), tokens.starts + tokens.lengths
    pieces = iter([raw[start:end].decode() for start, end in zip(tokens.starts.tolist(), ends.tolist(), strict=True)])
    return [[next(pieces) for _ in range(count)] for count in tokens.per_text.tolist()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    files = [path for path in sorted(parser.parse_args().folder.rglob("*")) if path.is_file()]
    lines = sorted({line for path in files for line in path.read_text(encoding="utf-8").split("\n")})
    print(f"{len(files)} files, {len(lines)} different lines")
    wrong = 0
    for ours, theirs in TOKENIZERS.items():
        reference, started, different = _get_tokenizer(theirs)(), time.perf_counter(), 0
        for first in range(0, len(lines), 4000):
            some = lines[first : first + 4000]
            for line, tokens in zip(some, cut(some, ours), strict=True):
                if tokens != (expected := reference(line.rstrip()).split()):
                    different += 1
                    print(f"{ours}: {line!r}\n  {tokens}\n  {expected}")
        wrong += different
        print(f"{ours:<12}{len(lines) - different} equal, {different} different, {time.perf_counter() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
