"""Define the commands that score many texts against each other: Self-BLEU and minimum Bayes risk decoding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from .._corpus import as_rows, is_list
from .._display import amount, printable
from ..many.definitions import SELF_BLEU_DEFINITIONS
from . import options
from .help import HelpfulCommand
from .inputs import listed, refuse_repeated
from .kinds import N_BEST, check_kinds, join_by_ids, kind_of
from .options import Name, Typed
from .output import show
from .rows import Column, read_column, read_columns
from .terminal import echo, progress_bar, say

# Each command has its own imports, so that other commands start faster


@click.command("self-bleu", cls=HelpfulCommand)
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--definition",
    type=Name("definition", SELF_BLEU_DEFINITIONS),
    default="zhu-2018",
    help="Published definition of Self-BLEU.",
)
@options.groups("Compare texts only within a group.")
@options.output_format(options.TEXT_AND_JSON)
@options.dialect(None)
@options.with_settings
def self_bleu_command(typed: Typed) -> None:
    """Score each text against the others: Self-BLEU.

    Examples:
        bleu-metric self-bleu texts.txt
        bleu-metric self-bleu data.jsonl:text --groups data.jsonl:prompt
    """
    from ..many.self_bleu import self_bleu

    refuse_repeated([typed.texts, typed.groups])
    texts = _checked(typed.texts, read_columns([typed.texts])[typed.texts])
    file_names = printable(typed.texts)
    groups = None
    if typed.groups is not None:
        groups = read_column(typed.groups)
        file_names += f", in groups of {printable(typed.groups)}"

    with progress_bar("texts") as report_progress:
        arguments = {"groups": groups, "dialect": typed.dialect, "progress": report_progress, **typed.choices()}
        result = self_bleu(texts, typed.definition, **arguments)

    show(result, typed.output_format, notes=[f"texts of {file_names}"])


@click.command("mbr", cls=HelpfulCommand)
@click.argument("candidates", metavar="CANDIDATES")
@click.option("--references", "-r", metavar="FILE", help="Pseudo-references. Default: the candidates.")
@options.count("samples", None, "Number of consecutive lines that belong to one segment.", "-n")
@options.count("reference_samples", None, "Number of lines per segment in --references. Default: --samples.")
@click.option("--aggregate", is_flag=True, help="Use expected n-gram counts. This is faster, but the scores differ.")
@options.output_format(options.TEXT_AND_JSON)
@options.dialect()
@options.with_settings
def mbr_command(typed: Typed) -> None:
    """Choose the candidate with the highest expected BLEU.

    One candidate is printed per segment. In JSON Lines or Parquet, each row of CANDIDATES may be the list of a
    segment's candidates. In an n-best list, the lines of a segment have the same number. Otherwise, each row is one
    candidate, and a segment has --samples consecutive rows.

    Examples:
        bleu-metric mbr candidates.txt --samples 16
        bleu-metric mbr data.jsonl:candidates --format json
    """
    from ..many.mbr import mbr

    paths = [typed.candidates, typed.references]
    refuse_repeated(paths)
    candidates = _segments(typed.candidates, typed.samples, "--samples")
    references = None
    if typed.references is not None:
        n_reference_samples = typed.reference_samples or typed.samples
        references = _segments(typed.references, n_reference_samples, "--reference-samples")

    with progress_bar("candidates") as report_progress:
        arguments = {"aggregate": typed.aggregate, "progress": report_progress, **typed.choices()}
        result = mbr(candidates, references, dialect=typed.dialect, **arguments)

    if typed.output_format == "json":
        show(result, "json")
        return
    # Only the texts, so that standard output can be a file of translations
    echo("\n".join(map(_one_line, result.texts)))
    say(f"{amount(len(result.texts), 'segment')} of {listed(filter(None, paths))}")
    click.echo(f"bleu-metric: {result.signature}", err=True)


def _checked(name: str, column: Column) -> Any:
    """Return the values of a column. Raise ``ValueError`` if a text file is not plain text, and warn of ids."""
    if column.is_text:
        check_kinds({name: column.values})
        join_by_ids({name: column.values})  # a single file is not joined
    return column.values


def _segments(path: str, n_samples: int | None, option: str) -> list[Any]:
    """Read a file, and return one list of texts per segment.

    A segment is a row that is a list, the lines of an n-best list that have the same number, or `n_samples` consecutive
    rows. `option`: the name of `n_samples` in errors, such as "--samples".
    """
    name = printable(path)
    column = read_columns([path])[path]
    if column.is_text and kind_of(column.values) is N_BEST:
        return _texts_of_n_best(column.values, name)
    rows = list(as_rows(_checked(path, column), name))
    if is_list(rows[0]):
        return rows

    if n_samples is None:
        raise click.UsageError(f"{name} has one text per line; pass {option} N, the number of texts per segment")
    if len(rows) % n_samples:
        raise ValueError(f"{name}: the number of lines, {len(rows)}, is not a multiple of {option} {n_samples}")
    return [rows[start : start + n_samples] for start in range(0, len(rows), n_samples)]


def _texts_of_n_best(lines: Iterable[str], name: str) -> list[list[str]]:
    """Return the texts of each segment: "0 ||| a b ||| -0.5" and "0 ||| a c ||| -0.7" -> [["a b", "a c"]]."""
    texts: dict[str, list[str]] = {}
    for row, line in enumerate(lines, 1):
        number, *fields = map(str.strip, line.split("|||"))
        if not fields:
            raise ValueError(f"{name}: line {row} has no |||, but other lines are those of an n-best list")
        texts.setdefault(number, []).append(fields[0])
    return list(texts.values())


def _one_line(text: Any) -> str:
    """Return a text or a list of tokens as one line, with control characters escaped."""
    tokens = text if is_list(text) else [text]
    return printable(" ".join(map(str, tokens)))
