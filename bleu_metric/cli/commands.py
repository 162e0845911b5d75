"""The commands: what each one reads, counts and prints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from .._bleu import fit_config
from .._config import BleuConfig
from .._counting import count_corpus
from .._dialects import DIALECTS, config_of
from .._display import printable
from .._score import BleuScore, score, score_groups, score_sentences
from .._statistics import BleuStatistics
from ..comparison.dialects import explain_difference
from ..comparison.paired import paired_bootstrap, paired_randomization
from ..comparison.result import P_VALUES, Comparison
from ..comparison.systems import corpora_of_systems, join_systems
from ..reporting.plots import plot as draw
from ..reporting.report import report as write_report
from .files import InputFiles, read_corpus
from .options import (
    FILES,
    FilesAfterOption,
    Named,
    choices_of,
    config_from,
    format_option,
    plot_option,
    references_option,
    refuse_unused,
    resampling_options,
    scoring_options,
)
from .output import (
    FORMS,
    Result,
    Terminal,
    as_note,
    choices_rows,
    choices_text,
    comparison_table,
    echo,
    scores_table,
    signature_text,
    to_json,
    tsv,
)


def counted(corpus: InputFiles, config: BleuConfig, keep_rows: bool) -> dict[str, BleuStatistics]:
    """Count every system of a corpus."""
    return dict(zip(corpus.systems, count(corpus, [config], keep_rows), strict=True))


def count(corpus: InputFiles, configs: list[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count rows, one answer for each configuration and system in turn; a bar shows when it takes long."""
    rows = join_systems(corpora_of_systems(corpus.systems, corpus.references))
    with progress("segments") as tell:
        return count_corpus(rows, [fit_config(config, rows) for config in configs], keep_rows, progress=tell)


@contextmanager
def progress(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function to be told (done, total): a bar on standard error, if that is a terminal, after a second."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from tqdm import tqdm

    with tqdm(unit=f" {unit}", delay=1, leave=False) as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield tell


@click.command("score", epilog=FILES)
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
    if form == "tsv" and bool(sentences) + bool(groups) + bool(confidence) > 1:
        raise click.UsageError("a TSV file holds one table: ask for --sentences, for --groups or for --confidence")
    if confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    config = config_from(dialect, options)
    if config.has_many_weights and plot:
        raise click.UsageError("pictures are of one score: give --weights once")
    corpus = read_corpus([hypotheses], references, groups)
    keep_rows = bool(sentences or groups or plot or confidence)
    ((name, statistics),) = counted(corpus, config, keep_rows).items()
    if plot:
        from ..reporting.plots import plot as draw

        draw(statistics, plot)
    interval = None
    if confidence:
        from .._bootstrap import bootstrap

        with progress("resamples") as tell:
            interval = bootstrap(statistics, resamples, seed, confidence, tell)
    result = Result(
        name,
        len(corpus),
        score(statistics),
        interval,
        score_sentences(statistics).tolist() if sentences else None,
        score_groups(statistics, corpus.labels) if groups else None,
    )
    echo(result.printed(form, Terminal.found()))


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
        notes.append(printable(comparison.about()))
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
    click.echo(f"bleu-metric: wrote {printable(output)}", err=True)


@click.command("dialects", epilog=FILES)
@click.argument("hypotheses", metavar="[HYP", required=False)
@click.argument("references", metavar="REF...]", nargs=-1)
@format_option
@scoring_options(with_dialect=False)
def dialects_command(hypotheses: str | None, references: tuple[str, ...], form: str, **options: Any) -> None:
    """Score HYP in every dialect; without files, show what each dialect chooses."""
    try:
        configs = {dialect: config_of(dialect, choices_of(options)) for dialect in DIALECTS}
    except (TypeError, ValueError) as error:
        raise click.UsageError(f"not in every dialect: {error}") from None
    if hypotheses is None:
        rows = choices_rows(configs)
        views = {"json": lambda: to_json(rows), "tsv": lambda: tsv(rows)}
        echo(views.get(form, lambda: choices_text(configs, Terminal.found()))())
        return
    if not references:
        raise click.UsageError("give references, too: bleu-metric dialects HYP REF")
    corpus = read_corpus([hypotheses], references)
    statistics = count(corpus, list(configs.values()), keep_rows=False)
    scores = dict(zip(configs, map(score, statistics), strict=True))
    echo(scores_table(scores, "dialect", form, Terminal.found()))


@click.command("explain", epilog=FILES)
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
        if config_from(dialect, options).has_many_weights:
            raise click.UsageError("a difference is explained for one score: give --weights once")
    corpus = read_corpus([hypotheses], references)
    (column,) = corpus.systems.values()
    explanation = explain_difference(column, corpus.references, from_dialect, to_dialect, **choices_of(options))
    if form == "text":
        echo(str(explanation))
    elif form == "json":
        echo(to_json(explanation.to_dict()))
    else:
        heads = ("option", "old", "new", "before", "after", "change")
        echo(tsv([{**vars(step), "change": step.change} for step in explanation.steps], heads))
