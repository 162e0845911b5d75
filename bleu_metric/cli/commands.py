"""The commands `score`, `compare`, `report`, `dialects` and `explain`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .._bleu import GROUPS_OF_DOCUMENTS
from .._bootstrap import Interval, bootstrap
from .._config import BleuConfig, fit_to_kind
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import DIALECTS, config_of
from .._display import amount, printable
from .._documents import join_documents
from .._groups import GroupScores, score_groups
from .._statistics import BleuStatistics, score, score_sentences
from ..comparison.dialects import explain_difference
from ..comparison.groups import GroupComparisons, compare_groups
from ..comparison.paired import paired_approximate_randomization, paired_bootstrap
from ..comparison.result import P_VALUES, Comparison
from ..comparison.systems import corpora_of_systems, join_systems
from . import options, results
from .help import HelpfulCommand
from .inputs import InputFiles, read_corpus
from .options import FilesAfterOption, Name, Typed, refuse_unused, usage_errors
from .output import Output
from .terminal import ProgressBar
from .test_sets import find_test_set, with_test_set

_RANDOMIZATION = "approximate-randomization"
_TESTS = ("bootstrap", _RANDOMIZATION, "none")
_OPTIONS_OF_TESTS = ("p_values", "confidence", "resamples", "seed", "groups")


def _count(
    files: InputFiles, configs: list[BleuConfig], keep_rows: bool, documents: Any = None
) -> list[BleuStatistics]:
    """Count the n-grams of all systems under each configuration, and print warnings.

    Args:
        files: the predictions of the systems, and the references.
        configs: the configurations.
        keep_rows: whether the statistics keep the counts of each segment, instead of only their sum.
        documents: the label of each segment's document. If not None, the segments of each document are joined.

    Returns:
        All systems' statistics under the first configuration, then all systems' statistics under the second, and so on.
    """
    corpora = corpora_of_systems(files.systems, files.references)
    unit = "segment"
    if documents is not None:
        corpora = {name: join_documents(corpus, documents) for name, corpus in corpora.items()}
        unit = "document"
    joined = join_systems(corpora)
    fitted = [fit_to_kind(config, joined.layout.kind, unit) for config in configs]
    with ProgressBar(f"{unit}s") as report_progress:
        counted = count_corpus(joined, fitted, keep_rows, progress=report_progress)
    _warn(corpora, fitted, counted)
    return counted


def _warn(corpora: dict[str, Corpus], configs: list[BleuConfig], counted: list[BleuStatistics]) -> None:
    """Warn about likely mistakes in the texts. With a single configuration, also warn about scores of 0."""
    # Imported here because this import would delay the help
    from .._text_warnings import warn_of_scores

    # With only one system, use an empty name, so that messages do not mention it
    names = list(corpora) if len(corpora) > 1 else [""]
    named = dict(zip(names, corpora.values(), strict=True))
    scores = {}
    if len(configs) == 1:
        scores = dict(zip(names, map(score, counted), strict=True))
    warn_of_scores(named, configs, scores)


# --- score ----------------------------------------------------------------------------------------------------------


@click.command("score", cls=HelpfulCommand)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1)
@with_test_set
@click.option("--sentences", "-s", is_flag=True, help="Also score each segment.")
@options.groups("Also score groups of segments.")
@options.documents
@options.resampling(None, "Show bootstrap intervals, e.g. 0.95.")
@options.plot
@options.output_format(options.TABLE_FORMATS)
@options.digits
@options.dialect()
@options.with_settings
def score_command(typed: Typed) -> None:
    """Score HYP against one or more files of references.

    Examples:
        bleu-metric score hyp.txt ref.txt
        bleu-metric score hyp.txt ref1.txt ref2.txt -d nltk
        bleu-metric score data.csv:mt data.csv:ref --confidence 0.95
    """
    _check_score_options(typed)
    test_set = find_test_set(typed)
    config = typed.config()
    file_of_labels = test_set.labels_of(typed.groups or typed.documents)
    files = read_corpus([typed.hypotheses], test_set.references, [file_of_labels], typed.plot)
    [labels] = files.beside
    keep_rows = any([typed.sentences, typed.groups, typed.documents, typed.plot, typed.confidence])
    [statistics] = _count(files, [config], keep_rows, documents=labels if typed.documents else None)
    _write_plot(statistics, typed)
    note = files.note
    if typed.documents:
        note = f"{amount(len(statistics), 'document')}: {note}"
    result = results.ScoreResult(
        files=files,
        note=note,
        score=score(statistics),
        interval=_interval(statistics, typed) if typed.confidence else None,
        sentences=score_sentences(statistics).tolist() if typed.sentences else None,
        groups=_score_groups(statistics, labels, typed) if typed.groups else None,
        digits=typed.digits,
    )
    result.output().print(typed.output_format)


def _check_score_options(typed: Typed) -> None:
    """Raise ``click.UsageError`` if the options typed for `score` cannot be combined."""
    has_two_tables = typed.sentences and (typed.groups or typed.confidence)
    if has_two_tables and typed.output_format not in ("text", "json"):
        one_table = f"the format {typed.output_format} has room for only one table"
        raise click.UsageError(f"{one_table}, so --sentences cannot be combined with --groups or --confidence")
    if typed.groups and typed.documents:
        raise click.UsageError(GROUPS_OF_DOCUMENTS)
    if typed.confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    else:
        options.check_resamples(typed)


def _interval(statistics: BleuStatistics, typed: Typed) -> Interval:
    """Return the bootstrap interval for the typed ``--confidence``, ``--resamples`` and ``--seed``."""
    with ProgressBar("resamples") as report_progress:
        return bootstrap(statistics, typed.resamples, typed.seed, typed.confidence, report_progress)


def _score_groups(statistics: BleuStatistics, labels: Any, typed: Typed) -> GroupScores:
    """Score each group of segments. With ``--confidence``, also compute the interval of each group's score."""
    return score_groups(statistics, labels, typed.confidence, typed.resamples, typed.seed)


# --- compare --------------------------------------------------------------------------------------------------------


@click.command("compare", cls=FilesAfterOption)
@click.argument("systems", metavar="BASELINE [SYSTEM...]", nargs=-1, required=True)
@options.references
@with_test_set
@click.option(
    "--test",
    "-t",
    type=Name("test", _TESTS),
    help="Paired test against the baseline. With several systems, the default is bootstrap.",
)
@options.groups("Also compare the systems in groups of segments.")
@options.count("trials", 10_000, "Number of trials of approximate randomization.")
@click.option(
    "--p-values",
    type=Name("kind of p-values", P_VALUES),
    default=P_VALUES[0],
    show_default=True,
    help="How p-values are computed.",
)
@options.resampling(0.95, "Confidence level of the intervals.")
@options.plot
@options.output_format(options.TABLE_FORMATS)
@options.digits
@options.dialect()
@options.with_settings
def compare_command(typed: Typed) -> None:
    """Compare each system with the first one, the baseline.

    All systems are scored against the same references.

    Examples:
        bleu-metric compare base.txt new.txt -r ref.txt
        bleu-metric compare base=out/17.txt new=out/18.txt -r ref.txt
        bleu-metric compare a.txt b.txt -r ref.txt --format markdown
    """
    test_set = find_test_set(typed)
    config = typed.config()
    file_of_labels = test_set.labels_of(typed.groups)
    files = read_corpus(typed.systems, test_set.references, [file_of_labels], typed.plot)
    test = _test_to_run(files, typed)
    keep_rows = test != "none" or typed.plot is not None
    counted = _count(files, [config], keep_rows)
    statistics = dict(zip(files.systems, counted, strict=True))
    _write_plot(statistics, typed)
    _compared_output(test, statistics, files, typed).print(typed.output_format)


def _compared_output(test: str, statistics: dict[str, BleuStatistics], files: InputFiles, typed: Typed) -> Output:
    """Return the output of `compare`: the score of each system and, unless `test` is "none", the result of the test."""
    scores = {name: score(counts) for name, counts in statistics.items()}
    if test == "none":
        return results.systems_output(scores, files.note, typed.digits)
    [labels] = files.beside
    compared, by_group = _compare(test, statistics, labels, typed)
    return results.comparison_output(compared, scores, by_group, files.note, typed.digits)


def _test_to_run(files: InputFiles, typed: Typed) -> str:
    """Return the name of the test, or "none". Raise ``click.UsageError`` if a typed option does not fit the test."""
    has_several = len(files.systems) > 1
    default = "bootstrap" if has_several and files.segments > 1 else "none"
    test = typed.test or default
    if test != _RANDOMIZATION:
        refuse_unused(["trials"], f"--test {_RANDOMIZATION}")
    if test == "none":
        refuse_unused(_OPTIONS_OF_TESTS, "a test, which needs several systems and segments")
        return test
    if not has_several:
        raise click.UsageError("a test compares systems; give two or more, e.g. base.txt new.txt")
    options.check_resamples(typed)
    return test


def _compare(
    test: str, statistics: dict[str, BleuStatistics], labels: Any, typed: Typed
) -> tuple[Comparison, GroupComparisons | None]:
    """Compare each system with the first one on all segments and, if `labels` is not None, in each group."""
    (name, baseline), *others = statistics.items()
    systems = dict(others)
    run: Any = paired_bootstrap
    arguments: dict[str, Any] = {"n_resamples": typed.resamples, "seed": typed.seed, "confidence": typed.confidence}
    if test == _RANDOMIZATION:
        run = paired_approximate_randomization
        arguments["n_trials"] = typed.trials
    with ProgressBar("draws") as report_progress:
        arguments |= {"p_values": typed.p_values, "baseline_name": name, "progress": report_progress}
        compared = run(baseline, systems, **arguments)
        by_group = None
        if labels is not None:
            by_group = compare_groups(baseline, systems, labels, run, **arguments)
    return compared, by_group


def _write_plot(statistics: BleuStatistics | dict[str, BleuStatistics], typed: Typed) -> None:
    """Write charts to the file of ``--plot``, if this option was typed."""
    if typed.plot:
        # Imported here so that commands without a picture start faster
        from ..reporting.plots import plot

        plot(statistics, typed.plot)


# --- report, dialects, explain --------------------------------------------------------------------------------------


@click.command("report", cls=FilesAfterOption)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@options.references
@with_test_set
@click.option("--output", "-o", metavar="FILE", required=True, help="File to write, e.g. report.html.")
@click.option("--title", help="Title of the report.")
@click.option("--source", metavar="FILE", help="Source texts to show beside the outputs.")
@options.groups("Also show the scores of groups of segments.")
@options.count("max_sentences", 5000, "Maximum number of sentences. Those that affect BLEU most are kept.")
@options.digits
@options.dialect()
@options.with_settings
def report_command(typed: Typed) -> None:
    """Write an HTML report with the result, charts and sentences.

    Words that do not match are highlighted in outputs and references.

    Examples:
        bleu-metric report hyp.txt -r ref.txt -o report.html
        bleu-metric report base.txt new.txt -r ref.txt -o report.html
    """
    test_set = find_test_set(typed)
    typed.config()  # called only to reject wrong settings before files are read
    source = typed.source or test_set.source
    beside = [source, test_set.labels_of(typed.groups)]
    files = read_corpus(typed.systems, test_set.references, beside, typed.output)
    sources, labels = files.beside
    predictions: Any = files.systems
    if len(files.systems) == 1:
        [predictions] = files.systems.values()
    # Imported here so that other commands start faster
    from ..reporting.report import report

    report(
        typed.output,
        predictions,
        files.references,
        typed.dialect,
        title=typed.title,
        source=sources,
        groups=labels,
        max_sentences=typed.max_sentences,
        digits=typed.digits,
        files=_shown_files(typed, test_set.references, source),
        **typed.choices(),
    )
    click.echo(f"bleu-metric: wrote {printable(typed.output)}", err=True)


def _shown_files(typed: Typed, references: Sequence[str], source: str | None) -> dict[str, Sequence[str]]:
    """Return the input files that the report lists: a dict from descriptions, such as "References", to file names."""
    title = "File" if len(typed.systems) == 1 else "System files"
    shown = {title: typed.systems, "References": references}
    if source:
        shown["Source"] = [source]
    if typed.groups:
        shown["Groups"] = [typed.groups]
    return shown


@click.command("dialects", cls=HelpfulCommand)
@click.argument("hypotheses", metavar="[HYP", required=False)
@click.argument("references", metavar="REF...]", nargs=-1)
@options.output_format(options.TABLE_FORMATS)
@options.digits
@options.with_settings
def dialects_command(typed: Typed) -> None:
    """Score HYP in every dialect, or list the dialects.

    Without files, list the settings of each dialect.

    Examples:
        bleu-metric dialects hyp.txt ref.txt
        bleu-metric dialects
    """
    with usage_errors("these options cannot be used in every dialect: "):
        configs = {dialect: config_of(dialect, typed.choices()) for dialect in DIALECTS}
    if typed.hypotheses is None:
        results.settings_output(configs).print(typed.output_format)
        return
    if not typed.references:
        raise click.UsageError("the references are missing; type: bleu-metric dialects HYP REF")
    files = read_corpus([typed.hypotheses], typed.references)
    counted = _count(files, list(configs.values()), keep_rows=False)
    scores = dict(zip(configs, map(score, counted), strict=True))
    results.dialects_output(scores, files.note, typed.digits).print(typed.output_format)


@click.command("explain", cls=HelpfulCommand)
@click.argument("from_dialect", metavar="FROM", type=options.DIALECT)
@click.argument("to_dialect", metavar="TO", type=options.DIALECT)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@options.output_format(options.TEXT_FORMATS)
@options.with_settings
def explain_command(typed: Typed) -> None:
    """Show what each setting adds to the difference of two dialects.

    Examples:
        bleu-metric explain nltk sacrebleu hyp.txt ref.txt
    """
    dialects = typed.from_dialect, typed.to_dialect
    for dialect in dialects:
        typed.config(dialect)  # called only to reject wrong settings before files are read
    files = read_corpus([typed.hypotheses], typed.references)
    [predictions] = files.systems.values()
    explanation = explain_difference(predictions, files.references, *dialects, **typed.choices())
    results.explanation_output(explanation, files.note).print(typed.output_format)
