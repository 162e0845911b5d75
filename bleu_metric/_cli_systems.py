"""The commands about several systems: ``compare`` and ``report``."""

from __future__ import annotations

from typing import Any

import click

from ._cli_counting import counted, progress
from ._cli_options import (
    FILES,
    FilesAfterOption,
    Named,
    choices_of,
    config_from,
    plot_option,
    references_option,
    refuse_unused,
    resampling_options,
    scoring_options,
)
from ._cli_tables import FORMS, as_note, comparison_table, scores_table
from ._cli_views import Terminal, echo, signature_text, to_json
from ._comparison import P_VALUES, Comparison
from ._files import read_corpus
from ._lines import shown
from ._paired import paired_bootstrap, paired_randomization
from ._plots import plot as draw
from ._report import report as write_report
from ._score import BleuScore, score
from ._statistics import BleuStatistics

_TESTS = ("bootstrap", "randomization", "none")
_OF_A_TEST = ("p_values", "confidence", "resamples", "seed")
_TEST_HELP = "Paired test against the first system; bootstrap, where there are several systems."


@click.command("compare", cls=FilesAfterOption, epilog=FILES)
@click.argument("systems", metavar="BASELINE [SYSTEM...]", nargs=-1, required=True)
@references_option
@click.option("--test", "-t", type=Named("test", _TESTS), help=_TEST_HELP)
@click.option("--trials", type=click.IntRange(min=1), default=10_000, show_default=True, help="Of randomization.")
@click.option(
    "--p-values",
    type=Named("kind of p-values", P_VALUES),
    default=P_VALUES[0],
    show_default=True,
    help="How they are counted.",
)
@resampling_options(0.95)
@plot_option
@click.option("--format", "-f", "form", type=Named("format", FORMS), default="text", help="How to print.")
@scoring_options()
def compare_command(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    test: str | None,
    plot: str | None,
    form: str,
    dialect: str,
    trials: int,
    p_values: str,
    resamples: int,
    seed: int,
    confidence: float,
    **options: Any,
) -> None:
    """Score systems against the same references, and compare each with the first."""
    config = config_from(dialect, options)
    if test not in (None, "none") and len(systems) == 1:
        raise click.UsageError("a test compares systems: give two or more")
    if config.has_many_weights and (test not in (None, "none") or plot):
        raise click.UsageError("tests and pictures are of one score: give --weights once")
    if test != "randomization":
        refuse_unused(["trials"], "--test randomization")
    by_default = test is None
    test = test or ("none" if len(systems) == 1 or config.has_many_weights else "bootstrap")
    if test == "none":
        refuse_unused(_OF_A_TEST, "a test")
    corpus = read_corpus(systems, references)
    if by_default and len(corpus) == 1:
        refuse_unused(_OF_A_TEST, "a test, which needs several segments")
        test = "none"
    statistics = counted(corpus, config, keep_rows=test != "none" or plot is not None)
    if plot:
        draw(statistics, plot)
    drawing = {"seed": seed, "confidence": confidence, "n_resamples": resamples, "p_values": p_values}
    comparison = None if test == "none" else _tested(test, statistics, trials, drawing)
    _print({name: score(one) for name, one in statistics.items()}, comparison, len(corpus), form)


def _print(scores: dict[str, BleuScore], comparison: Comparison | None, segments: int, form: str) -> None:
    """Print the table and, but for a program, what it is of."""
    terminal = Terminal.found()
    notes = [f"{segments:,} segment{'s' * (segments != 1)}"]
    if comparison is not None:
        echo(comparison_table(comparison, scores, form, terminal))
        notes.append(shown(comparison.about()))
        signature = comparison.signature
    else:
        as_json = {"systems": [{"system": name, **one.to_dict()} for name, one in scores.items()]}
        echo(to_json(as_json) if form == "json" else scores_table(scores, "system", form, terminal))
        signature = next(iter(scores.values())).signature
    if form == "text":
        echo("\n" + "\n".join(f"  {note}" for note in notes))
        echo(signature_text(signature, terminal))
    elif form in ("markdown", "latex"):
        echo("\n".join(as_note(note, form) for note in (*notes, signature)))


def _tested(test: str, statistics: dict[str, BleuStatistics], trials: int, drawing: dict[str, Any]) -> Comparison:
    (name, baseline), *others = statistics.items()
    with progress("draws") as tell:
        how = {**drawing, "baseline_name": name, "progress": tell}
        if test == "bootstrap":
            return paired_bootstrap(baseline, dict(others), **how)
        return paired_randomization(baseline, dict(others), n_trials=trials, **how)


@click.command("report", cls=FilesAfterOption, epilog=FILES)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@references_option
@click.option("--output", "-o", metavar="FILE", required=True, help="File to write, e.g. report.html.")
@click.option("--title", help="Heading of the report.")
@scoring_options()
def report_command(
    systems: tuple[str, ...], references: tuple[str, ...], output: str, title: str | None, dialect: str, **options: Any
) -> None:
    """Write one HTML file: scores, pictures, and the sentences with the n-grams that matched."""
    if config_from(dialect, options).has_many_weights:
        raise click.UsageError("a report is of one score: give --weights once")
    corpus = read_corpus(systems, references)
    outputs: Any = corpus.systems if len(systems) > 1 else next(iter(corpus.systems.values()))
    write_report(output, outputs, corpus.references, dialect, title=title, **choices_of(options))
    click.echo(f"bleu-metric: wrote {shown(output)}", err=True)
