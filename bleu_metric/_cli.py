"""The command line: ``bleu-metric score hyp.txt ref.txt``.

Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read or
scored; 2, the command line was wrong; 130, interrupted.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from ._cli_counting import count, counted, progress
from ._cli_options import (
    FILES,
    Named,
    choices_of,
    config_from,
    format_option,
    plot_option,
    resampling_options,
    scoring_options,
)
from ._cli_result import Result
from ._cli_systems import compare_command, report_command
from ._cli_tables import scores_table
from ._cli_views import Terminal, choices_rows, choices_text, echo, to_json, tsv
from ._dialects import DIALECTS
from ._explain import explain_difference
from ._files import read_column, read_corpus
from ._levels import score_groups
from ._lines import shown
from ._plots import plot as draw
from ._score import score, sentence_scores_of
from ._signature import VERSION
from ._significance import bootstrap


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="bleu_metric %(version)s")
def cli() -> None:
    """BLEU, the number that your library gave, by name.

    Results go to standard output, all else to standard error. Exit status: 0, scored; 1, the files could not be read
    or scored; 2, the command line was wrong.
    """


@cli.command("score", epilog=FILES)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@click.option("--sentences", "-s", is_flag=True, help="Score each segment, too.")
@click.option("--groups", "-g", metavar="FILE", help="Score each group, too: a label per segment, as its document.")
@resampling_options(None)
@plot_option
@format_option
@scoring_options()
def score_command(
    hypotheses: str,
    references: tuple[str, ...],
    sentences: bool,
    groups: str | None,
    plot: str | None,
    form: str,
    dialect: str,
    resamples: int,
    seed: int,
    confidence: float | None,
    **options: Any,
) -> None:
    """Score HYP against one or more REF."""
    if sentences and groups and form == "tsv":
        raise click.UsageError("a TSV file holds one table: ask for --sentences or for --groups")
    config = config_from(dialect, options)
    corpus = read_corpus([hypotheses], references)
    labels = read_column(groups) if groups else None
    keep_rows = bool(sentences or groups or plot or confidence)
    ((name, statistics),) = counted(corpus, config, keep_rows).items()
    if plot:
        draw(statistics, plot)
    interval = None
    if confidence:
        with progress("resamples") as tell:
            interval = bootstrap(statistics, resamples, seed, confidence, tell)
    result = Result(
        name,
        len(corpus),
        score(statistics),
        interval,
        sentence_scores_of(statistics).tolist() if sentences else None,
        score_groups(statistics, labels) if labels is not None else None,
    )
    echo(result.printed(form, Terminal.found()))


@cli.command("dialects", epilog=FILES)
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
    scores = dict(zip(configs, map(score, statistics), strict=True))
    echo(scores_table(scores, "dialect", form, Terminal.found()))


@cli.command("explain", epilog=FILES)
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


cli.add_command(compare_command)
cli.add_command(report_command)


def run(arguments: list[str] | None = None) -> int:
    """Run a command line; the answer is its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(arguments, prog_name="bleu-metric", standalone_mode=False)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "bleu-metric"
        return _failed(2, f"{error.format_message()} (see {command} --help)")
    except click.ClickException as error:
        return _failed(1, error.format_message())
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
