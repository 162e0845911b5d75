"""The commands that score, compare, report and explain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from .._config import BleuConfig, fit_to_kind
from .._counting import count_corpus
from .._dialects import DIALECTS, config_of
from .._display import printable
from .._groups import score_groups
from .._statistics import BleuStatistics, score, score_sentences
from .._text_warnings import warn_of_scores
from ..comparison.dialects import explain_difference
from ..comparison.groups import GroupComparisons, compare_groups
from ..comparison.paired import paired_approximate_randomization, paired_bootstrap
from ..comparison.result import P_VALUES, Comparison
from ..comparison.systems import corpora_of_systems, join_systems
from .files import STDIN
from .help import HelpfulCommand
from .inputs import InputFiles, read_corpus
from .options import (
    TABLE_FORMATS,
    TEXT_FORMATS,
    Dialect,
    FilesAfterOption,
    Name,
    check_output,
    check_resamples,
    checked,
    choices_of,
    config_from,
    count_option,
    digits_option,
    format_option,
    groups_option,
    model_of,
    plot_option,
    references_option,
    refuse_unused,
    resampling_options,
    scoring_options,
    usage_errors,
)
from .output import (
    Output,
    ScoreOutput,
    notes_below,
    print_choices,
    print_comparison,
    print_scores,
    scored_note,
)
from .terminal import echo, progress_bar
from .test_sets import find_references, with_language_of_pair, with_test_set

_TESTS = ("bootstrap", "approximate-randomization", "none")
_TEST_OPTIONS = ("p_values", "confidence", "resamples", "seed")


def _count_systems(corpus: InputFiles, config: BleuConfig, keep_rows: bool) -> dict[str, BleuStatistics]:
    """Return the statistics of each system by its name. With `keep_rows`, they have the counts of each segment."""
    return dict(zip(corpus.systems, _count(corpus, [config], keep_rows), strict=True))


def _count(files: InputFiles, configs: list[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count all segments. Return the statistics of every system for the first configuration, then for the next."""
    corpora = corpora_of_systems(files.systems, files.references)
    corpus = join_systems(corpora)
    fitted = [fit_to_kind(config, corpus.layout.kind) for config in configs]
    with progress_bar("segments") as report_progress:
        counted = count_corpus(corpus, fitted, keep_rows, progress=report_progress)
    named = corpora if len(corpora) > 1 else {"": corpus}
    scores = dict(zip(named, map(score, counted), strict=True)) if len(configs) == 1 else {}
    warn_of_scores(named, fitted, scores)
    return counted


def _refuse_many_weights(config: BleuConfig, what: str) -> None:
    if config.has_many_weights:
        raise click.UsageError(f"{what}: give --weights once")


# --- score ----------------------------------------------------------------------------------------------------------


@click.command("score", cls=HelpfulCommand)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1)
@with_test_set
@click.option("--sentences", "-s", is_flag=True, help="Also score each segment.")
@groups_option("Also score groups of segments.")
@resampling_options(None)
@plot_option
@format_option(TABLE_FORMATS)
@digits_option
@scoring_options()
def score_command(
    hypotheses: str,
    references: tuple[str, ...],
    test_set: str | None,
    language_pair: str | None,
    sentences: bool,
    groups: str | None,
    plot: str | None,
    output_format: str,
    digits: int,
    dialect: str,
    resamples: int,
    seed: int,
    confidence: float | None,
    **options: Any,
) -> None:
    """Score HYP against one or more files of references.

    Examples:
        bleu-metric score hyp.txt ref.txt
        bleu-metric score hyp.txt ref1.txt ref2.txt -d nltk
        bleu-metric score data.csv:mt data.csv:ref --confidence 0.95
    """
    if output_format not in ("text", "json") and sentences and (groups or confidence):
        one_table = f"the format {output_format} holds one table"
        raise click.UsageError(f"{one_table}: pass --sentences, or --groups, which may have a --confidence")
    if confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    else:
        check_resamples(resamples, confidence)
    found = find_references(references, test_set, language_pair)
    config = config_from(dialect, with_language_of_pair(options, language_pair, dialect))
    if plot:
        _refuse_many_weights(config, "a picture shows one score")
    corpus = read_corpus([hypotheses], found.references, [found.groups(groups)], plot, model_of(options))
    keep_rows = bool(sentences or groups or plot or confidence)
    [(name, statistics)] = _count_systems(corpus, config, keep_rows).items()
    if plot:
        _write_plot(statistics, plot)
    interval = None
    if confidence:
        from .._bootstrap import bootstrap

        with progress_bar("resamples") as report_progress:
            interval = bootstrap(statistics, resamples, seed, confidence, report_progress)
    output = ScoreOutput(
        system=name,
        hypotheses=hypotheses,
        references=found.references,
        segments=corpus.segments,
        score=score(statistics),
        interval=interval,
        sentences=score_sentences(statistics).tolist() if sentences else None,
        groups=score_groups(statistics, corpus.beside[0], confidence, resamples, seed) if groups else None,
        digits=digits,
    )
    output.print(output_format)


# --- compare --------------------------------------------------------------------------------------------------------


@click.command("compare", cls=FilesAfterOption)
@click.argument("systems", metavar="BASELINE [SYSTEM...]", nargs=-1, required=True)
@references_option
@with_test_set
@click.option(
    "--test",
    "-t",
    type=Name("test", _TESTS),
    help="Paired test against the baseline. With several systems, the default is bootstrap.",
)
@groups_option("Also compare the systems in groups of segments.")
@count_option("trials", 10_000, "Number of trials of approximate randomization.")
@click.option(
    "--p-values",
    type=Name("kind of p-values", P_VALUES),
    default=P_VALUES[0],
    show_default=True,
    help="How p-values are computed.",
)
@resampling_options(0.95)
@plot_option
@format_option(TABLE_FORMATS)
@digits_option
@scoring_options()
def compare_command(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    test_set: str | None,
    language_pair: str | None,
    test: str | None,
    groups: str | None,
    plot: str | None,
    output_format: str,
    digits: int,
    dialect: str,
    trials: int,
    p_values: str,
    resamples: int,
    seed: int,
    confidence: float,
    **options: Any,
) -> None:
    """Compare each system with the first one, the baseline.

    All systems are scored against the same references.

    Examples:
        bleu-metric compare base.txt new.txt -r ref.txt
        bleu-metric compare base=out/17.txt new=out/18.txt -r ref.txt
        bleu-metric compare a.txt b.txt -r ref.txt --format markdown
    """
    found = find_references(references, test_set, language_pair)
    config = config_from(dialect, with_language_of_pair(options, language_pair, dialect))
    _check_test(test, systems, config, has_plot=plot is not None)
    default_test = "none" if len(systems) == 1 or config.has_many_weights else "bootstrap"
    chosen_test = test or default_test
    if chosen_test == "none":
        refuse_unused((*_TEST_OPTIONS, "groups"), "a test")
    else:
        check_resamples(resamples, confidence)

    corpus = read_corpus(systems, found.references, [found.groups(groups)], plot, model_of(options))
    if test is None and corpus.segments == 1:
        refuse_unused((*_TEST_OPTIONS, "groups"), "a test, which needs several segments")
        chosen_test = "none"
    statistics = _count_systems(corpus, config, keep_rows=chosen_test != "none" or plot is not None)
    if plot:
        _write_plot(statistics, plot)
    scores = {name: score(of_system) for name, of_system in statistics.items()}
    # This note shows a system that was listed after -r by mistake
    notes = [scored_note(corpus.segments, found.references, systems)]
    if chosen_test == "none":
        print_scores(scores, "system", output_format, notes, next(iter(scores.values())).signature, digits)
    else:
        drawing = {"seed": seed, "confidence": confidence, "n_resamples": resamples, "p_values": p_values}
        if chosen_test == "approximate-randomization":
            drawing["n_trials"] = trials
        compared, by_group = _compare(chosen_test, statistics, corpus.beside[0], drawing)
        print_comparison(compared, scores, by_group, output_format, notes, digits)


def _write_plot(statistics: BleuStatistics | dict[str, BleuStatistics], path: str) -> None:
    from ..reporting.plots import plot  # imported here so that commands without a picture start faster

    plot(statistics, path)


def _check_test(test: str | None, systems: tuple[str, ...], config: BleuConfig, has_plot: bool) -> None:
    """Raise ``click.UsageError`` if the test cannot be run, or if ``--trials`` is given without its test."""
    is_asked_for = test not in (None, "none")
    if is_asked_for and len(systems) == 1:
        raise click.UsageError("a test compares systems; give two or more, e.g. base.txt new.txt")
    if is_asked_for or has_plot:
        _refuse_many_weights(config, "tests and pictures use one score")
    if test != "approximate-randomization":
        refuse_unused(["trials"], "--test approximate-randomization")


def _compare(
    test: str, statistics: dict[str, BleuStatistics], groups: Any, drawing: dict[str, Any]
) -> tuple[Comparison, GroupComparisons | None]:
    """Compare all segments, and then, if there are labels, those of each group."""
    (name, baseline), *others = statistics.items()
    compare = paired_bootstrap if test == "bootstrap" else paired_approximate_randomization
    with progress_bar("draws") as report_progress:
        arguments = {**drawing, "baseline_name": name, "progress": report_progress}
        compared = compare(baseline, dict(others), **arguments)
        if groups is None:
            return compared, None
        return compared, compare_groups(baseline, dict(others), groups, compare, **arguments)


# --- report, dialects, explain --------------------------------------------------------------------------------------


@click.command("report", cls=FilesAfterOption)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@references_option
@with_test_set
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    callback=checked(check_output),
    help="File to write, e.g. report.html. - is standard output.",
)
@click.option("--title", help="Title of the report.")
@click.option("--source", metavar="FILE", help="Source texts to show beside the outputs.")
@groups_option("Also show the scores of groups of segments.")
@count_option("max_sentences", 5000, "Maximum number of sentences. Those with the largest effects are kept.", least=2)
@digits_option
@scoring_options()
def report_command(
    systems: tuple[str, ...],
    references: tuple[str, ...],
    test_set: str | None,
    language_pair: str | None,
    output: str,
    title: str | None,
    source: str | None,
    groups: str | None,
    max_sentences: int,
    digits: int,
    dialect: str,
    **options: Any,
) -> None:
    """Write an HTML report with the result, charts and sentences.

    Words that do not match are highlighted in outputs and references.

    Examples:
        bleu-metric report hyp.txt -r ref.txt -o report.html
        bleu-metric report base.txt new.txt -r ref.txt -o report.html
    """
    found = find_references(references, test_set, language_pair)
    options = with_language_of_pair(options, language_pair, dialect)
    _refuse_many_weights(config_from(dialect, options), "a report shows one score")
    source = source or found.source
    corpus = read_corpus(systems, found.references, [source, found.groups(groups)], output, model_of(options))
    [first, *others] = corpus.systems.values()
    predictions = corpus.systems if others else first
    from ..reporting.report import Look, write_report  # imported here so that other commands start faster

    files = {"System files" if others else "File": systems, "References": found.references}
    files |= {role: (path,) for role, path in {"Source": source, "Groups": groups}.items() if path}
    sources, labels = corpus.beside
    look = Look(title, sources, labels, max_sentences=max_sentences, digits=digits, files=files)
    with _written_to(output) as path:
        write_report(path, predictions, corpus.references, dialect, look, **choices_of(options))


@contextmanager
def _written_to(output: str) -> Iterator[str]:
    """Yield the path to write to. For ``-``, what was written is then printed to standard output."""
    if output != STDIN:
        yield output
        click.echo(f"bleu-metric: wrote {printable(output)}", err=True)
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "output"
        yield str(path)
        echo(path.read_text(encoding="utf-8"))


@click.command("dialects", cls=HelpfulCommand)
@click.argument("hypotheses", metavar="[HYP", required=False)
@click.argument("references", metavar="REF...]", nargs=-1)
@format_option(TABLE_FORMATS)
@digits_option
@scoring_options(with_dialect=False)
def dialects_command(
    hypotheses: str | None, references: tuple[str, ...], output_format: str, digits: int, **options: Any
) -> None:
    """Score HYP in every dialect, or list the dialects.

    Without files, list the settings of each dialect.

    Examples:
        bleu-metric dialects hyp.txt ref.txt
        bleu-metric dialects
    """
    with usage_errors("these options cannot be used in every dialect: "):
        configs = {dialect: config_of(dialect, choices_of(options)) for dialect in DIALECTS}
    if hypotheses is None:
        print_choices(configs, output_format)
        return
    if not references:
        raise click.UsageError("the references are missing; type: bleu-metric dialects HYP REF")
    corpus = read_corpus([hypotheses], references)
    statistics = _count(corpus, list(configs.values()), keep_rows=False)
    scores = dict(zip(configs, map(score, statistics), strict=True))
    print_scores(scores, "dialect", output_format, [scored_note(corpus.segments, references, [hypotheses])], "", digits)


@click.command("explain", cls=HelpfulCommand)
@click.argument("from_dialect", metavar="FROM", type=Dialect())
@click.argument("to_dialect", metavar="TO", type=Dialect())
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@click.option("--in-order", is_flag=True, help="Change the settings one after another, and show each score.")
@format_option(TEXT_FORMATS)
@scoring_options(with_dialect=False)
def explain_command(
    from_dialect: str,
    to_dialect: str,
    hypotheses: str,
    references: tuple[str, ...],
    in_order: bool,
    output_format: str,
    **options: Any,
) -> None:
    """Show what each setting contributes to a difference.

    Examples:
        bleu-metric explain nltk sacrebleu hyp.txt ref.txt
    """
    for dialect in (from_dialect, to_dialect):
        _refuse_many_weights(config_from(dialect, options), "a difference is explained for one score")
    corpus = read_corpus([hypotheses], references)
    [predictions] = corpus.systems.values()
    dialects = from_dialect, to_dialect
    choices = choices_of(options)
    explanation = explain_difference(predictions, corpus.references, *dialects, in_order=in_order, **choices)
    note = scored_note(corpus.segments, references, [hypotheses])
    output = Output(
        content=explanation.to_dict(),
        rows=explanation.rows(),
        text=lambda console: [f"{explanation}\n", *notes_below(console, [note])],
        heads=("option", "old", "new", "change", "after"),
    )
    output.print(output_format)
