"""The commands `score`, `compare`, `report`, `dialects` and `explain`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from .._bleu import GROUPS_OF_DOCUMENTS
from .._config import BleuConfig, fit_to_kind
from .._corpus import Corpus
from .._counting import count_corpus
from .._dialects import DIALECTS, config_of
from .._display import printable
from .._documents import join_documents
from .._groups import GroupScores, score_groups
from .._statistics import BleuStatistics, score, score_sentences
from ..comparison.dialects import explain_difference
from ..comparison.groups import GroupComparisons, compare_groups
from ..comparison.paired import paired_approximate_randomization, paired_bootstrap
from ..comparison.result import P_VALUES, Comparison
from ..comparison.systems import corpora_of_systems, join_systems
from . import options, results
from .files import STDIN
from .help import HelpfulCommand
from .inputs import InputFiles, read_corpus
from .options import Dialect, FilesAfterOption, Name, Typed, refuse_unused, usage_errors, with_typed
from .terminal import ProgressBar, echo
from .test_sets import find_references, with_test_set

if TYPE_CHECKING:
    from .._bootstrap import Interval

_TESTS = ("bootstrap", "approximate-randomization", "none")
_OPTIONS_OF_TESTS = ("p_values", "confidence", "resamples", "seed", "groups")


def _count(corpora: dict[str, Corpus], configs: list[BleuConfig], keep_rows: bool, unit: str) -> list[BleuStatistics]:
    """Count the n-grams of all systems under each configuration, and print warnings.

    Args:
        corpora: a dict from the name of each system to its corpus.
        configs: the configurations.
        keep_rows: whether the statistics keep the counts of each segment, instead of only their sum.
        unit: what each prediction is, "segment" or "document".

    Returns:
        All systems' statistics under the first configuration, then all systems' statistics under the second, and so on.
    """
    corpus = join_systems(corpora)
    fitted = [fit_to_kind(config, corpus.layout.kind, unit) for config in configs]
    with ProgressBar(f"{unit}s") as report_progress:
        counted = count_corpus(corpus, fitted, keep_rows, progress=report_progress)
    _warn(corpora, fitted, counted)
    return counted


def _warn(corpora: dict[str, Corpus], configs: list[BleuConfig], counted: list[BleuStatistics]) -> None:
    """Warn about likely mistakes in the texts. With a single configuration, also warn about scores of 0."""
    from .._text_warnings import warn_of_scores  # imported here so that the help starts faster

    names = list(corpora) if len(corpora) > 1 else [""]  # if there is only one system, messages do not name it
    named = dict(zip(names, corpora.values(), strict=True))
    scores = {}
    if len(configs) == 1:
        scores = dict(zip(names, map(score, counted), strict=True))
    warn_of_scores(named, configs, scores)


def _corpora(files: InputFiles) -> dict[str, Corpus]:
    """Return a dict from the name of each system to its corpus."""
    return corpora_of_systems(files.systems, files.references)


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
@options.settings
@with_typed
def score_command(typed: Typed) -> None:
    """Score HYP against one or more files of references.

    Examples:
        bleu-metric score hyp.txt ref.txt
        bleu-metric score hyp.txt ref1.txt ref2.txt -d nltk
        bleu-metric score data.csv:mt data.csv:ref --confidence 0.95
    """
    _check_score_options(typed)
    found = find_references(typed)
    config = typed.config()
    labels = found.groups(typed.groups or typed.documents)
    files = read_corpus([typed.hypotheses], found.references, [labels], typed.plot, typed.model)
    statistics = _count_one(files, config, typed)
    _write_plot(statistics, typed)
    result = results.ScoreResult(
        files=files,
        documents=len(statistics) if typed.documents else None,
        score=score(statistics),
        interval=_interval(statistics, typed) if typed.confidence else None,
        sentences=score_sentences(statistics).tolist() if typed.sentences else None,
        groups=_score_groups(statistics, files, typed) if typed.groups else None,
        digits=typed.digits,
    )
    result.output().print(typed.output_format)


def _check_score_options(typed: Typed) -> None:
    """Raise ``click.UsageError`` if the options typed for `score` cannot be combined."""
    if typed.output_format not in ("text", "json") and typed.sentences and (typed.groups or typed.confidence):
        one_table = f"the format {typed.output_format} has room for only one table"
        raise click.UsageError(f"{one_table}, so --sentences cannot be combined with --groups or --confidence")
    if typed.groups and typed.documents:
        raise click.UsageError(GROUPS_OF_DOCUMENTS)
    if typed.confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    else:
        options.check_resamples(typed)


def _count_one(files: InputFiles, config: BleuConfig, typed: Typed) -> BleuStatistics:
    """Count the n-grams of the only system. With ``--documents``, first join the segments of each document."""
    corpora = _corpora(files)
    if typed.documents:
        [labels] = files.beside
        joined = {name: join_documents(corpus, labels) for name, corpus in corpora.items()}
        [statistics] = _count(joined, [config], True, "document")
    else:
        keep_rows = bool(typed.sentences or typed.groups or typed.plot or typed.confidence)
        [statistics] = _count(corpora, [config], keep_rows, "segment")
    return statistics


def _interval(statistics: BleuStatistics, typed: Typed) -> Interval:
    """Return the bootstrap interval for the typed ``--confidence``, ``--resamples`` and ``--seed``."""
    from .._bootstrap import bootstrap

    with ProgressBar("resamples") as report_progress:
        return bootstrap(statistics, typed.resamples, typed.seed, typed.confidence, report_progress)


def _score_groups(statistics: BleuStatistics, files: InputFiles, typed: Typed) -> GroupScores:
    """Score each group of segments. With ``--confidence``, also compute the interval of each group's score."""
    [labels] = files.beside
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
@options.settings
@with_typed
def compare_command(typed: Typed) -> None:
    """Compare each system with the first one, the baseline.

    All systems are scored against the same references.

    Examples:
        bleu-metric compare base.txt new.txt -r ref.txt
        bleu-metric compare base=out/17.txt new=out/18.txt -r ref.txt
        bleu-metric compare a.txt b.txt -r ref.txt --format markdown
    """
    found = find_references(typed)
    config = typed.config()
    _check_test(typed)
    files = read_corpus(typed.systems, found.references, [found.groups(typed.groups)], typed.plot, typed.model)
    test = _chosen_test(typed, files.segments)

    keep_rows = test != "none" or typed.plot is not None
    counted = _count(_corpora(files), [config], keep_rows, "segment")
    statistics = dict(zip(files.systems, counted, strict=True))
    _write_plot(statistics, typed)
    scores = {name: score(of_system) for name, of_system in statistics.items()}
    if test == "none":
        output = results.systems_output(scores, files.note, typed.digits)
    else:
        [labels] = files.beside
        compared, by_group = _compare(test, statistics, labels, typed)
        output = results.comparison_output(compared, scores, by_group, files.note, typed.digits)
    output.print(typed.output_format)


def _check_test(typed: Typed) -> None:
    """Raise ``click.UsageError`` if ``--test`` names a test, but there is only one system.

    Also raise it if ``--trials`` is typed without ``--test approximate-randomization``.
    """
    if typed.test not in (None, "none") and len(typed.systems) == 1:
        raise click.UsageError("a test compares systems; give two or more, e.g. base.txt new.txt")
    if typed.test != "approximate-randomization":
        refuse_unused(["trials"], "--test approximate-randomization")


def _chosen_test(typed: Typed, segments: int) -> str:
    """Return the typed test. By default, return "bootstrap" if there are several systems and segments, else "none".

    Raise ``click.UsageError`` if an option of tests was typed but no test is run, or if there are too few resamples.
    """
    can_be_run = len(typed.systems) > 1 and segments > 1
    test = typed.test or ("bootstrap" if can_be_run else "none")
    if test == "none":
        refuse_unused(_OPTIONS_OF_TESTS, "a test, which needs several systems and segments")
    else:
        options.check_resamples(typed)
    return str(test)


def _compare(
    test: str, statistics: dict[str, BleuStatistics], labels: Any, typed: Typed
) -> tuple[Comparison, GroupComparisons | None]:
    """Compare each system with the first one on all segments and, if `labels` is not None, in each group."""
    (name, baseline), *others = statistics.items()
    run: Any = paired_bootstrap
    if test == "approximate-randomization":
        run = partial(paired_approximate_randomization, n_trials=typed.trials)
    with ProgressBar("draws") as report_progress:
        arguments: dict[str, Any] = {
            "n_resamples": typed.resamples,
            "seed": typed.seed,
            "confidence": typed.confidence,
            "p_values": typed.p_values,
            "baseline_name": name,
            "progress": report_progress,
        }
        compared = run(baseline, dict(others), **arguments)
        by_group = None
        if labels is not None:
            by_group = compare_groups(baseline, dict(others), labels, run, **arguments)
    return compared, by_group


def _write_plot(statistics: BleuStatistics | dict[str, BleuStatistics], typed: Typed) -> None:
    """If ``--plot`` was typed, write charts to the file that it names."""
    if typed.plot:
        from ..reporting.plots import plot  # imported here so that commands without a picture start faster

        plot(statistics, typed.plot)


# --- report, dialects, explain --------------------------------------------------------------------------------------


@click.command("report", cls=FilesAfterOption)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@options.references
@with_test_set
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    callback=options.checked(options.check_output),
    help="File to write, e.g. report.html. - is standard output.",
)
@click.option("--title", help="Title of the report.")
@click.option("--source", metavar="FILE", help="Source texts to show beside the outputs.")
@options.groups("Also show the scores of groups of segments.")
@options.count("max_sentences", 5000, "Maximum number of sentences. Those that affect BLEU most are kept.", least=2)
@options.digits
@options.dialect()
@options.settings
@with_typed
def report_command(typed: Typed) -> None:
    """Write an HTML report with the result, charts and sentences.

    Words that do not match are highlighted in outputs and references.

    Examples:
        bleu-metric report hyp.txt -r ref.txt -o report.html
        bleu-metric report base.txt new.txt -r ref.txt -o report.html
    """
    found = find_references(typed)
    typed.config()
    source = typed.source or found.source
    beside = [source, found.groups(typed.groups)]
    files = read_corpus(typed.systems, found.references, beside, typed.output, typed.model)
    sources, labels = files.beside
    from ..reporting.report import report  # imported here so that other commands start faster

    is_single = len(files.systems) == 1
    shown = {"File" if is_single else "System files": typed.systems, "References": found.references}
    if source:
        shown["Source"] = (source,)
    if typed.groups:
        shown["Groups"] = (typed.groups,)
    predictions: Any = files.systems
    if is_single:
        [predictions] = files.systems.values()
    with _written_to(typed.output) as path:
        report(
            path,
            predictions,
            files.references,
            typed.dialect,
            title=typed.title,
            source=sources,
            groups=labels,
            max_sentences=typed.max_sentences,
            digits=typed.digits,
            files=shown,
            **typed.choices(),
        )


@contextmanager
def _written_to(output: str) -> Iterator[str]:
    """Yield the path to write to. For ``-``, yield the path of a temporary file, then print the file's content."""
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
@options.output_format(options.TABLE_FORMATS)
@options.digits
@options.settings
@with_typed
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
    statistics = _count(_corpora(files), list(configs.values()), False, "segment")
    scores = dict(zip(configs, map(score, statistics), strict=True))
    results.dialects_output(scores, files.note, typed.digits).print(typed.output_format)


@click.command("explain", cls=HelpfulCommand)
@click.argument("from_dialect", metavar="FROM", type=Dialect())
@click.argument("to_dialect", metavar="TO", type=Dialect())
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@click.option("--in-order", is_flag=True, help="Change the settings one after another, and show each score.")
@options.output_format(options.TEXT_FORMATS)
@options.settings
@with_typed
def explain_command(typed: Typed) -> None:
    """Show what each setting adds to the difference of two dialects.

    Examples:
        bleu-metric explain nltk sacrebleu hyp.txt ref.txt
    """
    dialects = typed.from_dialect, typed.to_dialect
    for dialect in dialects:
        typed.config(dialect)
    files = read_corpus([typed.hypotheses], typed.references)
    [predictions] = files.systems.values()
    explanation = explain_difference(
        predictions, files.references, *dialects, in_order=typed.in_order, **typed.choices()
    )
    results.explanation_output(explanation, files.note).print(typed.output_format)
