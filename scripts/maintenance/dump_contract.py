"""Print what users can rely on: exit status, keys, columns and values of every command, format and public result.

    python scripts/maintenance/dump_contract.py > before.txt

Run the script before and after a change, and compare the two files: each differing line is a change that a user sees.
A line is one fact, such as ``score base.txt ref.txt -f json / bleu = 0.5791029385``. The inputs are generated from a
fixed seed. Floats are rounded to 10 decimals. Versions are printed as ``*``, and numbers in tables as ``#``. Only
public names are used, so that the script runs on any version of the package; a name that is gone raises ``NameError``.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import re
import runpy
import shlex
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import bleu_metric
from bleu_metric.cli.options import TABLE_FORMATS

SEGMENTS = range(40)
WORDS = 'the a cat dog house , . sat ran saw red small on under with quickly 3.5 U.S. "so" don\'t it was'
RATES = {"ref": 0.0, "ref2": 0.3, "base": 0.25, "new": 0.12, "third": 0.45}  # name -> share of words that differ

# Beginning of commands -> their endings, separated by semicolons
ALL_FORMATS = {
    "score base.txt ref.txt": "; -s; -s -m chrf ter; -g groups.txt; -g groups.txt -s; --documents docs.txt; "
    "-m chrf ter; --fail-under 99 --digits 2; -g languages.txt --target-language @group",
    "score base.txt ref.txt --confidence 0.95 --resamples 100": "; -m chrf ter; -g groups.txt; -g groups.txt -m chrf; "
    "--documents docs.txt; -g languages.txt --target-language @group",
    "score base.txt ref.txt ref2.txt": "-d nltk; -d mteval-v13a --max-order 2 --average sentence",
    "compare base.txt new.txt -r ref.txt": "; -t none; -t none -m chrf ter; -m chrf ter; -g groups.txt; "
    "-t approximate-randomization --trials 200 -d nltk; -g groups.txt -m chrf; --p-values sacrebleu --digits 2; "
    "-g languages.txt --target-language @group; --segment-scores comet=base.comet.txt,new.comet.txt",
    "compare base.txt new.txt third.txt -r ref.txt ref2.txt": "; --all-pairs; --all-pairs -m chrf ter; "
    "--fail-if-worse; --all-pairs -g groups.txt",
    "compare A=base.txt -r ref.txt": "-t none",
    "dialects": "; base.txt ref.txt ref2.txt",
    "find 57.91": "base.txt ref.txt",
}
TEXT_AND_JSON = {
    "explain nltk evaluate": "base.txt ref.txt ref2.txt",
    "find 12.34": "two.txt two_refs.txt",
    "score": "data.csv:base data.csv:ref; data.tsv:base data.tsv:ref; data.jsonl:base data.jsonl:refs; "
    "data.jsonl:base reversed.jsonl:ref --id id; data.jsonl:deep.text reversed.jsonl:ref --id id",
    "mbr": "base.txt -n 4; base.txt -n 4 --aggregate; base.txt -n 4 -r ref.txt --reference-samples 4; data.jsonl:refs",
    "self-bleu base.txt": "; -g groups.txt; --definition texygen; --definition helm; --definition diffuseq; "
    "--definition shen-2019",
}
WITHOUT_FORMAT = {
    "report -o page.html": "base.txt -r ref.txt; base.txt new.txt -r ref.txt; base.txt new.txt -r ref.txt ref2.txt "
    "-m chrf --segment-scores comet=base.comet.txt,new.comet.txt; base.txt new.txt third.txt -r ref.txt -g groups.txt",
    "": "; --version; --help; score --help; find --help; compare --help; report --help; dialects --help; "
    "explain --help; mbr --help; self-bleu --help; scores base.txt ref.txt",
    "score": "; base.txt; none.txt ref.txt; base.txt two.txt; base.txt base.txt; empty.txt empty.txt; "
    "data.csv:none data.csv:ref; data.csv data.csv:ref; data.jsonl:a.b data.jsonl:ref",
    "score base.txt ref.txt": "-d nltkk; --smooth exp; --weights 1,x; --max-order 0; -f xml; --fail-under 0.3; "
    "--seed 1; --confidence 0.95 --resamples 3; -g two.txt; -g groups.txt --documents docs.txt",
    "compare": "base.txt new.txt; base.txt -r ref.txt; base.txt base.txt -r ref.txt; -r ref.txt base.txt new.txt",
    "compare base.txt new.txt -r ref.txt": "-t t-test; -m comet; --segment-scores comet=base.comet.txt",
    "explain nltk": "base.txt ref.txt; x base.txt ref.txt; evaluate base.txt ref.txt -f csv",
    "find": "x base.txt ref.txt",
    "mbr": "base.txt; base.txt -n 7; base.txt -n 4 -f csv",
    "report": "base.txt -r ref.txt; base.txt -r ref.txt -o none/page.html",
}
PYTHON = """\
corpus_bleu(base, refs); corpus_bleu(base, refs, "nltk", reference_length="average");
corpus_bleu(base, refs, documents=docs); corpus_statistics(base, refs); corpus_statistics(base, refs).sum();
sentence_bleu(base, refs); score_dialects(base, refs); score_systems(systems, refs);
score_groups(counted["base"], groups, 0.95, 100); bootstrap(counted["base"], 100);
bootstrap(metrics["TER"]["base"], 100);
paired_bootstrap(counted["base"], counted["new"], n_resamples=200, p_values="sacrebleu");
paired_bootstrap(counted["base"], {"new": counted["new"], "third": counted["third"]}, n_resamples=200);
paired_bootstrap(counted, n_resamples=200); paired_bootstrap(ratings["base"], ratings["new"], n_resamples=200);
paired_approximate_randomization(counted["base"], counted["new"], n_trials=200);
compare_groups(counted["base"], counted["new"], groups); compare_groups(counted, None, groups, n_resamples=100);
compare_metrics(metrics, "base", n_resamples=100); compare_metrics({**metrics, "rating": ratings}, n_resamples=100);
explain_difference(base, refs, "nltk", "evaluate"); find_settings(base, ref, "57.91"); pairwise_bleu(base[:3]);
pairwise_bleu([base[:3], base[3:5]], [ref[:2], ref[2:3]]); mbr([base[:4], new[:3]]);
mbr(base[:4], ref[:3], [1, 2, 3], aggregate=True); self_bleu(base); self_bleu(base, "shen-2019", groups=groups);
{name: config.signature() for name, config in DIALECTS.items()};
load("sacrebleu").compute(predictions=base, references=refs); load("nltk").compute(predictions=base, references=refs);
load().compute(predictions=base, references=ref, sentence_scores=True);
load().compute(predictions=base, references=ref, confidence=0.95, n_resamples=100, seed=1);
load().compute(predictions=base, references=ref, groups=groups, confidence=0.95, sentence_scores=True);
load().compute(predictions=base, references=ref, tokenizer="intl", lowercase=True, max_order=2, smoothing="floor");
load().compute(predictions=[[1, 2, 3, 4]], references=[[[1, 2, 3, 4], [1]]]);
load().compute(predictions=base, references=ref, groups=groups[:3]); corpus_bleu([], []);
corpus_bleu(["a"], ["a", "b"]); corpus_bleu(["a"], [[]]); corpus_bleu([["a"]], ["a"]); corpus_bleu(["a"], [["a", 2]]);
corpus_bleu(["a"], ["a"], smooth="exp"); sentence_bleu([[1, 2]], [[[]]]); pairwise_bleu([[[1, 2]]], [[[]]]);
bootstrap(counted["base"].sum()); paired_bootstrap(counted["base"], counted["new"][:3])"""


def make_columns() -> dict[str, list[str]]:
    """Return the lines of each text file, by name."""
    rng, words = random.Random(64), WORDS.split()
    texts: dict[str, list[str]] = {name: [] for name in RATES}
    for _ in SEGMENTS:
        reference = rng.choices(words, k=rng.randint(5, 14))
        for name, rate in RATES.items():
            text = [rng.choice(words) if rng.random() < rate else word for word in reference]
            texts[name].append(" ".join(text).capitalize())
    labels = {"groups": ["news", "chat"], "languages": ["de", "zh"], "docs": [f"doc{number}" for number in range(10)]}
    ratings = {f"{name}.comet": [str((7 * row + len(name)) % 10 / 10) for row in SEGMENTS] for name in texts}
    repeated = {name: [choices[row % len(choices)] for row in SEGMENTS] for name, choices in labels.items()}
    return {**texts, **repeated, **ratings, "two": texts["base"][:2], "two_refs": texts["ref"][:2], "empty": []}


def write_files(columns: Mapping[str, list[str]]) -> None:
    for name, lines in columns.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    rows = [{"id": row, "base": columns["base"][row], "ref": columns["ref"][row]} for row in SEGMENTS]
    for path, dialect in (("data.csv", "excel"), ("data.tsv", "excel-tab")):
        with Path(path).open("w", newline="") as file:
            csv.writer(file, dialect).writerows([list(rows[0]), *(row.values() for row in rows)])
    lines = []
    for row, ref2 in zip(rows, columns["ref2"], strict=False):
        lines.append(json.dumps({**row, "deep": {"text": row["base"]}, "refs": [row["ref"], ref2]}) + "\n")
    Path("data.jsonl").write_text("".join(lines))
    Path("reversed.jsonl").write_text("".join(lines[::-1]))


Facts = Iterator[tuple[str, str]]  # a path, such as "rows[0].bleu", and a text


def facts_of(value: Any, path: str = "") -> Facts:
    """Yield a fact for each number or string in a nested value. Of a long list, yield the length and two entries.

    >>> list(facts_of({"a": [1, {"b": 0.5}]}))
    [('.a[0]', '1'), ('.a[1].b', '0.5')]
    """
    if hasattr(value, "_asdict"):  # a NamedTuple
        value = value._asdict()
    if not isinstance(value, (Mapping, str, float, int, list, tuple, type(None))):
        yield f"{path}(type)", type(value).__name__
        names = [name for name in dir(value) if not name.startswith("_")]
        value = value.tolist() if "tolist" in names else {name: getattr(value, name) for name in names}
    if isinstance(value, Mapping):
        for key, inner in value.items() or [("(empty)", None)]:
            if not callable(inner):
                yield from facts_of(inner, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        if not 1 <= len(value) <= 4:
            yield f"{path}(length)", str(len(value))
        for index, inner in enumerate(value[: 4 if len(value) <= 4 else 2]):
            yield from facts_of(inner, f"{path}[{index}]")
    else:
        yield path, repr(round(value, 10)) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def facts_of_table(text: str, delimiter: str) -> Facts:
    """Yield the header, the number of rows, and the cells of the first row of TSV or CSV."""
    header, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    yield from {"(header)": ", ".join(header), "(rows)": str(len(rows))}.items()
    for head, cell in zip(header, rows[0], strict=True):
        yield head, repr(round(float(cell), 10)) if re.fullmatch(r"-?\d+\.\d+(e-\d+)?", cell) else cell


def facts_of_lines(text: str, most: int = 25) -> Facts:
    """Yield each line that differs from all others when its numbers are hidden."""
    lines = [re.sub(r"[-−+]?\d([\d.,]*\d)?", "#", " ".join(line.split())) for line in text.splitlines()]
    for number, line in enumerate(list(dict.fromkeys(filter(None, lines)))[:most], 1):
        yield f"line {number:02}", line[:150]


def facts_of_page(page: str) -> Facts:
    """Yield the headings and the heads of tables of an HTML page."""
    for tag in ("title", "h1", "h2", "h3", "summary", "th"):
        found = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", page, re.DOTALL)
        heads = "\n".join(" ".join(re.sub(r"<[^>]*>", "", inner).split()) for inner in found)
        yield from ((f"<{tag}> {path}", text) for path, text in facts_of_lines(heads))


def facts_of_result(result: Any) -> Facts:
    """Yield the facts of a result of Python: its fields, the names of its methods, and what its displays show."""
    yield "(type)", type(result).__name__
    yield from facts_of(result)
    if type(result).__module__.split(".")[0] != "bleu_metric":
        return
    methods = [name for name in dir(result) if name not in dir(dict) and callable(getattr(result, name))]
    yield from ((f"{name}()", "exists") for name in methods if not name.startswith("_"))
    for name in ("to_dict", "rows", "notes"):
        yield from facts_of(getattr(result, name, lambda: "missing")(), f"{name}()")
    for name in ("__str__", "__repr__", "to_markdown", "to_latex", "to_tsv", "to_csv"):
        text = getattr(result, name, lambda: "missing")()
        yield from ((f"{name}() {path}", line) for path, line in facts_of_lines(text, 12))


def run(arguments: str) -> tuple[int, str, str]:
    """Run ``python -m bleu_metric`` in this process. Return the exit status, standard output and standard error."""
    out, err = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    sys.argv = ["bleu-metric", *shlex.split(arguments)]
    status = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_module("bleu_metric", run_name="__main__")
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    out.flush()
    err.flush()
    return status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()


def facts_of_command(arguments: str, output_format: str) -> Facts:
    status, out, err = run(f"{arguments} -f {output_format}" if output_format else arguments)
    yield "(exit)", str(status)
    yield from ((f"stderr {path}", text[:60]) for path, text in facts_of_lines(err.replace(f"{Path.cwd()}/", "")))
    if output_format == "json" and out:
        yield from facts_of(json.loads(out))
    elif output_format in ("tsv", "csv") and out:
        yield from facts_of_table(out, "\t" if output_format == "tsv" else ",")
    elif "--help" in arguments:
        yield from ((option, "is an option") for option in re.findall(r"--[a-z][a-z-]+", out))
    else:
        yield from facts_of_lines(out)
    if arguments.startswith("report -o") and not status:
        yield from facts_of_page(Path("page.html").read_text())


def main() -> None:
    os.environ |= {"COLUMNS": "200", "TERM": "dumb"}
    columns = make_columns()
    lines = [f"bleu_metric / {name} = is public" for name in bleu_metric.__all__]

    def add(title: str, facts: Facts) -> None:
        lines.extend(f"{title} / {path.removeprefix('.')} = {text}" for path, text in facts)

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
        write_files(columns)
        for commands, with_formats in (
            (ALL_FORMATS, TABLE_FORMATS),
            (TEXT_AND_JSON, TABLE_FORMATS[:2]),
            (WITHOUT_FORMAT, ("",)),
        ):
            for beginning, endings in commands.items():
                for arguments in (f"{beginning} {ending}".strip() for ending in endings.split("; ")):
                    for name in with_formats:
                        add(f"{arguments} -f {name}" if name else arguments, facts_of_command(arguments, name))

        warnings.simplefilter("ignore")
        names = {name: getattr(bleu_metric, name) for name in bleu_metric.__all__} | columns
        names["refs"] = [list(pair) for pair in zip(columns["ref"], columns["ref2"], strict=True)]
        names["systems"] = {name: columns[name] for name in ("base", "new", "third")}
        names["ratings"] = {name: list(map(float, columns[f"{name}.comet"])) for name in names["systems"]}
        names["counted"] = bleu_metric.system_statistics(names["systems"], names["refs"])
        names["metrics"] = bleu_metric.system_statistics(
            names["systems"], names["refs"], metrics=["bleu", "chrf", "ter"]
        )
        for expression in re.split(r";\s", PYTHON):
            try:
                add(expression, facts_of_result(eval(expression, names)))
            except Exception as error:  # noqa: BLE001
                add(expression, iter([("(raises)", f"{type(error).__name__}: {str(error)[:60]}")]))
    print(*sorted({re.sub(r"\d+\.\d+\.\d+", "*", line) for line in lines}), sep="\n")


if __name__ == "__main__":
    main()
