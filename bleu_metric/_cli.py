"""The command line: ``bleu-metric score hyp.txt ref.txt``.

Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read or
scored; 2, the command line was wrong; 130, interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from ._bleu import of_kind
from ._cli_options import Named, choices_of, config_from, scoring_options
from ._cli_views import (
    Terminal,
    choices_rows,
    choices_text,
    echo,
    flat,
    score_text,
    scores_table,
    sentences_text,
    signature_text,
    to_json,
    tsv,
)
from ._columns import columns
from ._config import BleuConfig
from ._count import count_columns
from ._dialects import DIALECTS
from ._explain import explain_difference
from ._files import Corpus, read_corpus
from ._lines import shown
from ._meaning import meaning
from ._score import BleuScore, score, sentence_scores_of
from ._signature import VERSION
from ._statistics import BleuStatistics, merge

_ROWS_BETWEEN_PROGRESS = 50_000
_FILES = """\b
Files: text with one segment a line (.gz, .xz, .bz2 too), - for standard input, or a
column of a table, as data.jsonl:hypothesis or data.parquet:translation.en.
"""

format_option = click.option(
    "--format", "-f", "form", type=Named("format", ("text", "json", "tsv")), default="text", help="How to print."
)


class FilesAfterOption(click.Command):
    """Takes several files after one ``--references``, up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its files."""
        repeated: list[str] = []
        after = False
        for argument in args:
            if argument.startswith("-") and argument != "-":
                after = argument in ("--references", "-r")
                repeated += [] if after else [argument]
            else:
                repeated += ["--references", argument] if after else [argument]
        return super().parse_args(ctx, repeated)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="bleu_metric %(version)s")
def cli() -> None:
    """BLEU, the number that your library gave, by name.

    Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read
    or scored; 2, the command line was wrong.
    """


@cli.command("score", epilog=_FILES)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@click.option("--sentences", "-s", is_flag=True, help="Score each segment, too.")
@format_option
@scoring_options()
def score_command(
    hypotheses: str, references: tuple[str, ...], sentences: bool, form: str, dialect: str, **options: Any
) -> None:
    """Score HYP against one or more REF."""
    config = config_from(dialect, options)
    corpus = read_corpus([hypotheses], references)
    ((name, statistics),) = counted(corpus, config, keep_rows=sentences).items()
    result = score(statistics)
    one_each = sentence_scores_of(statistics).tolist() if sentences else None
    if form == "json":
        about: dict[str, Any] = {"system": name, **result.to_dict(), "segments": len(corpus)}
        about["meaning"] = None if isinstance(result.bleu, list) else meaning(result.bleu)
        echo(to_json({**about, "sentence_bleu": one_each} if sentences else about))
    elif form == "tsv":
        rows = [{"line": line, "bleu": bleu} for line, bleu in enumerate(one_each or (), 1)]
        echo(tsv(rows or [{"system": name, **flat(result)}]))
    else:
        if one_each is not None:
            echo(sentences_text(one_each))
        echo(score_text(result, len(corpus), Terminal.found()))


@cli.command("compare", cls=FilesAfterOption, epilog=_FILES)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@click.option("--references", "-r", metavar="REF [REF...]", multiple=True, required=True, help="Files of references.")
@format_option
@scoring_options()
def compare_command(
    systems: tuple[str, ...], references: tuple[str, ...], form: str, dialect: str, **options: Any
) -> None:
    """Score several systems against the same references."""
    config = config_from(dialect, options)
    corpus = read_corpus(systems, references)
    scores = {name: score(statistics) for name, statistics in counted(corpus, config, keep_rows=False).items()}
    _show_scores(scores, "system", form)
    if form == "text":
        echo(f"\n  {len(corpus):,} segments")
        echo(signature_text(next(iter(scores.values())).signature, Terminal.found()))


@cli.command("dialects", epilog=_FILES)
@click.argument("hypotheses", metavar="[HYP", required=False)
@click.argument("references", metavar="REF...]", nargs=-1)
@format_option
@scoring_options(with_dialect=False)
def dialects_command(hypotheses: str | None, references: tuple[str, ...], form: str, **options: Any) -> None:
    """Score HYP in every dialect; without files, show what each dialect chooses."""
    configs = {dialect: config_from(dialect, options) for dialect in DIALECTS}
    if hypotheses is None:
        rows = choices_rows(configs)
        views = {"json": lambda: to_json(rows), "tsv": lambda: tsv(rows)}
        echo(views.get(form, lambda: choices_text(configs, Terminal.found()))())
        return
    if not references:
        raise click.UsageError("give references, too: bleu-metric dialects HYP REF")
    corpus = read_corpus([hypotheses], references)
    (column,) = corpus.systems.values()
    statistics = _count(column, corpus.references, list(configs.values()), keep_rows=False)
    _show_scores(dict(zip(configs, map(score, statistics), strict=True)), "dialect", form)


@cli.command("explain", epilog=_FILES)
@click.argument("from_dialect", metavar="FROM", type=Named("dialect", DIALECTS))
@click.argument("to_dialect", metavar="TO", type=Named("dialect", DIALECTS))
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@format_option
@scoring_options(with_dialect=False)
def explain_command(
    from_dialect: str, to_dialect: str, hypotheses: str, references: tuple[str, ...], form: str, **options: Any
) -> None:
    """Show, choice by choice, why two dialects give different numbers."""
    for dialect in (from_dialect, to_dialect):
        config_from(dialect, options)
    corpus = read_corpus([hypotheses], references)
    (column,) = corpus.systems.values()
    explanation = explain_difference(column, corpus.references, from_dialect, to_dialect, **choices_of(options))
    if form == "text":
        echo(str(explanation))
    elif form == "json":
        echo(to_json(explanation.to_dict()))
    else:
        echo(tsv([{**vars(step), "change": step.change} for step in explanation.steps]))


def _show_scores(scores: dict[str, BleuScore], what: str, form: str) -> None:
    if form == "json":
        echo(to_json([{what: name, **one.to_dict()} for name, one in scores.items()]))
    elif form == "tsv":
        echo(tsv([{what: name, **flat(one)} for name, one in scores.items()]))
    else:
        echo(scores_table(scores, what, Terminal.found()))


def counted(corpus: Corpus, config: BleuConfig, keep_rows: bool) -> dict[str, BleuStatistics]:
    """Count every system of a corpus."""
    return {
        name: _count(outputs, corpus.references, [config], keep_rows)[0] for name, outputs in corpus.systems.items()
    }


def _count(predictions: Any, references: Any, configs: list[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count rows, stretch by stretch; a bar on standard error shows when it takes long."""
    rows = len(predictions)
    if rows <= _ROWS_BETWEEN_PROGRESS:
        corpus = columns(predictions, references)
        return count_columns(corpus, [of_kind(corpus, config) for config in configs], keep_rows)
    from tqdm import tqdm

    parts = []
    with tqdm(total=rows, unit=" segments", delay=1, leave=False, disable=not sys.stderr.isatty()) as progress:
        for first in range(0, rows, _ROWS_BETWEEN_PROGRESS):
            stretch = slice(first, first + _ROWS_BETWEEN_PROGRESS)
            corpus = columns(predictions[stretch], references[stretch], first)
            parts.append(count_columns(corpus, [of_kind(corpus, config) for config in configs], keep_rows))
            progress.update(len(corpus.predictions))
    return [merge(of_one) for of_one in zip(*parts, strict=True)]


def run(arguments: list[str] | None = None) -> int:
    """Run a command line; the answer is its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(arguments, prog_name="bleu-metric", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "bleu-metric"
        return _failed(2, f"{error.format_message()} (see {command} --help)")
    except click.ClickException as error:
        return _failed(1, error.format_message())
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, click.Abort):
        return _failed(130, "interrupted")
    except OSError as error:
        return _failed(1, f"{shown(str(error.filename or ''))}: {error.strerror or error}")
    except (TypeError, ValueError) as error:
        return _failed(1, str(error))
    return 0


def _failed(status: int, message: str) -> int:
    click.echo(f"bleu-metric: {' '.join(message.splitlines())}", err=True)
    return status
