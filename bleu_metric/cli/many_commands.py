"""The commands that score many texts against each other: Self-BLEU and minimum Bayes risk decoding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import click

from .._display import percent, printable
from .._validation import is_list, short_repr
from ..many.definitions import SELF_BLEU_DEFINITIONS
from .files import read_column
from .help import HelpfulCommand
from .inputs import refuse_repeated
from .options import Name, choices_of, count_option, dialect_option, format_option, scoring_options
from .output import listed, to_json
from .terminal import progress_bar

if TYPE_CHECKING:
    from ..many.distinct import DistinctNgrams
    from ..many.mbr import MbrResult
    from ..many.self_bleu import SelfBleu

# Each command imports the functions that it calls, so that the other commands start faster

_FORMATS = ("text", "json")


@click.command("self-bleu", cls=HelpfulCommand)
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--definition",
    type=Name("definition", SELF_BLEU_DEFINITIONS),
    default="zhu-2018",
    show_default=True,
    help="Published definition of Self-BLEU.",
)
@click.option(
    "--groups", "-g", metavar="FILE", help="Compare texts only within a group. FILE has a label per text: its group."
)
@dialect_option(None)
@format_option(_FORMATS)
@scoring_options(with_dialect=False)
def self_bleu_command(
    texts: str, definition: str, groups: str | None, dialect: str | None, output_format: str, **options: Any
) -> None:
    """Score each text against the others: Self-BLEU.

    The result also has the ratios of distinct n-grams.

    Examples:
        bleu-metric self-bleu texts.txt
        bleu-metric self-bleu data.jsonl:text --groups data.jsonl:prompt
    """
    from ..many.distinct import DistinctNgrams, distinct_n
    from ..many.self_bleu import self_bleu
    from ..many.texts import as_rows

    refuse_repeated([texts, groups])
    rows = as_rows(read_column(texts), "texts")
    labels = None if groups is None else read_column(groups)
    with progress_bar("texts") as report_progress:
        result = self_bleu(
            rows, definition, groups=labels, dialect=dialect, progress=report_progress, **choices_of(options)
        )
    distinct = distinct_n(rows)
    assert isinstance(distinct, DistinctNgrams)  # noqa: S101 (always true without groups)
    files = listed([texts]) if groups is None else f"{listed([texts])}, in groups of {listed([groups])}"
    click.echo(_self_json(result, distinct) if output_format == "json" else _self_text(result, distinct, files))


def _self_json(result: SelfBleu, distinct: DistinctNgrams) -> str:
    content = {name: getattr(result, name) for name in ("bleu", "definition", "groups", "texts", "signature")}
    return to_json({**content, "distinct": distinct.ratios})


def _self_text(result: SelfBleu, distinct: DistinctNgrams, files: str) -> str:
    ratios = ", ".join(f"{percent(ratio)} %" for ratio in distinct.ratios)
    lines = [f"Self-BLEU {percent(result.bleu)}", ""]
    if result.groups is not None:
        lines += [f"  {100 * score:6.2f}  {printable(str(label))}" for label, score in result.groups.items()]
        lines.append("")
    lines += [f"  {result.texts:,} texts of {files}, definition {result.definition}"]
    lines += [f"  distinct n-grams of orders 1 to 4: {ratios}", f"  {result.signature}"]
    return "\n".join(lines)


@click.command("mbr", cls=HelpfulCommand)
@click.argument("candidates", metavar="CANDIDATES")
@click.option("--references", "-r", metavar="FILE", help="Pseudo-references. Default: the candidates.")
@count_option("samples", None, "Number of consecutive lines that belong to one segment.", "-n")
@count_option("reference_samples", None, "Number of lines per segment in --references. Default: --samples.")
@click.option("--reference-weights", "-w", metavar="FILE", help="FILE has a weight per pseudo-reference.")
@click.option("--aggregate", is_flag=True, help="Use expected n-gram counts. This is faster; scores differ.")
@dialect_option()
@format_option(_FORMATS)
@scoring_options(with_dialect=False)
def mbr_command(
    candidates: str,
    references: str | None,
    samples: int | None,
    reference_samples: int | None,
    reference_weights: str | None,
    aggregate: bool,
    dialect: str,
    output_format: str,
    **options: Any,
) -> None:
    """Choose the candidate with the highest expected BLEU.

    One candidate is printed per segment. Each row of CANDIDATES is the list of a segment's candidates (JSON Lines or
    Parquet), or each segment has --samples consecutive lines.

    Examples:
        bleu-metric mbr candidates.txt --samples 16
        bleu-metric mbr data.jsonl:candidates --format json
    """
    from ..many.mbr import mbr

    refuse_repeated([candidates, references, reference_weights])
    batch = _segments(candidates, samples, "--samples")
    pseudo = None if references is None else _segments(references, reference_samples or samples, "--reference-samples")
    weights = None if reference_weights is None else _weights(reference_weights, pseudo or batch)
    with progress_bar("segments" if aggregate else "pairs") as report_progress:
        result = mbr(
            batch, pseudo, weights, dialect, aggregate=aggregate, progress=report_progress, **choices_of(options)
        )
    click.echo(_mbr_json(result) if output_format == "json" else "\n".join(map(_one_line, result.texts)))
    if output_format == "text":
        files = listed(filter(None, (candidates, references, reference_weights)))
        click.echo(f"bleu-metric: {len(batch):,} segments of {files}\nbleu-metric: {result.signature}", err=True)


def _read_rows(path: str) -> list[Any]:
    from ..many.texts import as_rows

    return list(as_rows(read_column(path), printable(path)))


def _segments(path: str, samples: int | None, option: str) -> list[Any]:
    """Read the texts of each segment. A segment is a row with a list of texts, or `samples` consecutive lines."""
    rows = _read_rows(path)
    if is_list(rows[0]):
        return rows
    shown = printable(path)
    if samples is None:
        raise click.UsageError(f"{shown} has one text per line; pass {option} N, the number of texts per segment")
    if len(rows) % samples:
        raise ValueError(f"{shown}: the number of lines, {len(rows)}, is not a multiple of {option} {samples}")
    return [rows[start : start + samples] for start in range(0, len(rows), samples)]


def _weights(path: str, references: Sequence[Any]) -> list[Any]:
    """Return a list of weights per segment. Each row is such a list, or the weight of the next pseudo-reference."""
    rows = _read_rows(path)
    if is_list(rows[0]):
        return rows
    shown = printable(path)
    numbers = [_number(row, f"{shown}: line {line}") for line, row in enumerate(rows, 1)]
    ends = list(accumulate(map(len, references)))
    if len(numbers) != ends[-1]:
        raise ValueError(f"{shown} has {len(numbers)} weights, but there are {ends[-1]} pseudo-references")
    return [numbers[start:end] for start, end in pairwise([0, *ends])]


def _number(value: Any, where: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{where}: a weight must be a number, got {short_repr(value)}") from None


def _one_line(text: Any) -> str:
    shown = " ".join(map(str, text)) if is_list(text) else str(text)
    return printable(shown)


def _mbr_json(result: MbrResult) -> str:
    chosen = zip(result.best.tolist(), result.texts, result.scores, strict=True)
    segments = [{"best": best, "text": text, "scores": scores.tolist()} for best, text, scores in chosen]
    return to_json({"segments": segments, "signature": result.signature})
