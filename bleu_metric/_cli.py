"""The command line: ``bleu-metric score hyp.txt ref.txt``.

Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read or
scored; 2, the command line was wrong; 130, interrupted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from ._cli_counting import count, counted
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
from ._dialects import DIALECTS
from ._explain import explain_difference
from ._files import read_corpus
from ._lines import shown
from ._meaning import meaning
from ._plots import SUFFIXES
from ._plots import plot as draw
from ._report import report as write_report
from ._score import BleuScore, score, sentence_scores_of
from ._signature import VERSION

_FILES = """\b
Files: text with one segment a line (.gz, .xz, .bz2 too), - for standard input, or a
column of a table, as data.jsonl:hypothesis or data.parquet:translation.en.
"""

format_option = click.option(
    "--format", "-f", "form", type=Named("format", ("text", "json", "tsv")), default="text", help="How to print."
)
references_option = click.option(
    "--references", "-r", metavar="REF [REF...]", multiple=True, required=True, help="Files of references."
)


def _picture(_: click.Context, __: click.Parameter, path: str | None) -> str | None:
    if path is not None and Path(path).suffix.lower() not in SUFFIXES:
        raise click.BadParameter(f"{path!r} must end in {', '.join(SUFFIXES)}")
    return path


plot_option = click.option("--plot", metavar="FILE", callback=_picture, help="Write pictures (.png, .svg or .pdf).")


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
@plot_option
@format_option
@scoring_options()
def score_command(
    hypotheses: str,
    references: tuple[str, ...],
    sentences: bool,
    plot: str | None,
    form: str,
    dialect: str,
    **options: Any,
) -> None:
    """Score HYP against one or more REF."""
    config = config_from(dialect, options)
    corpus = read_corpus([hypotheses], references)
    ((name, statistics),) = counted(corpus, config, keep_rows=sentences or plot is not None).items()
    if plot:
        draw(statistics, plot)
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
@references_option
@plot_option
@format_option
@scoring_options()
def compare_command(
    systems: tuple[str, ...], references: tuple[str, ...], plot: str | None, form: str, dialect: str, **options: Any
) -> None:
    """Score several systems against the same references."""
    config = config_from(dialect, options)
    corpus = read_corpus(systems, references)
    statistics = counted(corpus, config, keep_rows=plot is not None)
    if plot:
        draw(statistics, plot)
    scores = {name: score(of_one) for name, of_one in statistics.items()}
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
    statistics = count(column, corpus.references, list(configs.values()), keep_rows=False)
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


@cli.command("report", cls=FilesAfterOption, epilog=_FILES)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@references_option
@click.option("--output", "-o", metavar="FILE", required=True, help="File to write, e.g. report.html.")
@click.option("--title", help="Heading of the report.")
@scoring_options()
def report_command(
    systems: tuple[str, ...], references: tuple[str, ...], output: str, title: str | None, dialect: str, **options: Any
) -> None:
    """Write one HTML file: scores, pictures, and the sentences with the n-grams that matched."""
    config_from(dialect, options)
    corpus = read_corpus(systems, references)
    outputs: Any = corpus.systems if len(systems) > 1 else next(iter(corpus.systems.values()))
    write_report(output, outputs, corpus.references, dialect, title=title, **choices_of(options))
    click.echo(f"bleu-metric: wrote {shown(output)}", err=True)


def _show_scores(scores: dict[str, BleuScore], what: str, form: str) -> None:
    if form == "json":
        echo(to_json([{what: name, **one.to_dict()} for name, one in scores.items()]))
    elif form == "tsv":
        echo(tsv([{what: name, **flat(one)} for name, one in scores.items()]))
    else:
        echo(scores_table(scores, what, Terminal.found()))


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
    except (ImportError, TypeError, ValueError) as error:
        return _failed(1, str(error))
    return 0


def _failed(status: int, message: str) -> int:
    click.echo(f"bleu-metric: {' '.join(message.splitlines())}", err=True)
    return status
