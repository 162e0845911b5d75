"""The commands that score, compare, report and explain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from .._bleu import GROUPS_OF_DOCUMENTS
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
from .files import STDIN
from .help import HelpfulCommand
from .inputs import InputFiles, read_corpus
from .options import (
    TABLE_FORMATS,
    TEXT_FORMATS,
    Dialect,
    FilesAfterOption,
    Name,
    Typed,
    check_output,
    check_resamples,
    checked,
    count_option,
    digits_option,
    documents_option,
    format_option,
    groups_option,
    plot_option,
    references_option,
    refuse_unused,
    resampling_options,
    scoring_options,
    usage_errors,
    with_typed,
)
from .results import (
    ScoreResult,
    comparison_output,
    dialects_output,
    explanation_output,
    scored_note,
    settings_output,
    systems_output,
)
from .terminal import echo, progress_bar
from .test_sets import find_references, with_test_set

if TYPE_CHECKING:
    from .._bootstrap import Interval

_TESTS = ("bootstrap", "approximate-randomization", "none")
_TEST_OPTIONS = ("p_values", "confidence", "resamples", "seed")


def _count_systems(corpus: InputFiles, config: BleuConfig, keep_rows: bool) -> dict[str, BleuStatistics]:
    """Return the statistics of each system by its name. With `keep_rows`, they have the counts of each segment."""
    counted = _count(corpus, [config], keep_rows)
    return dict(zip(corpus.systems, counted, strict=True))


def _count(files: InputFiles, configs: list[BleuConfig], keep_rows: bool) -> list[BleuStatistics]:
    """Count all segments. Return the statistics of every system for the first configuration, then for the next."""
    return _count_corpora(corpora_of_systems(files.systems, files.references), configs, keep_rows, "segment")


def _count_documents(files: InputFiles, config: BleuConfig) -> BleuStatistics:
    """Join the segments of each document of the only system, and count the documents, with a row for each."""
    [(name, corpus)] = corpora_of_systems(files.systems, files.references).items()
    [labels] = files.beside
    [statistics] = _count_corpora({name: join_documents(corpus, labels)}, [config], True, "document")
    return statistics


def _count_corpora(
    corpora: dict[str, Corpus], configs: list[BleuConfig], keep_rows: bool, unit: str
) -> list[BleuStatistics]:
    corpus = join_systems(corpora)
    fitted = [fit_to_kind(config, corpus.layout.kind, unit) for config in configs]
    with progress_bar(f"{unit}s") as report_progress:
        counted = count_corpus(corpus, fitted, keep_rows, progress=report_progress)
    from .._text_warnings import warn_of_scores  # imported here so that the help starts faster

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
@documents_option
@resampling_options(None)
@plot_option
@format_option(TABLE_FORMATS)
@digits_option
@scoring_options()
@with_typed
def score_command(typed: Typed) -> None:
    """Score HYP against one or more files of references.

    Examples:
        bleu-metric score hyp.txt ref.txt
        bleu-metric score hyp.txt ref1.txt ref2.txt -d nltk
        bleu-metric score data.csv:mt data.csv:ref --confidence 0.95
    """
    if typed.output_format not in ("text", "json") and typed.sentences and (typed.groups or typed.confidence):
        one_table = f"the format {typed.output_format} holds one table"
        raise click.UsageError(f"{one_table}: pass --sentences, or --groups, which may have a --confidence")
    if typed.groups and typed.documents:
        raise click.UsageError(GROUPS_OF_DOCUMENTS)
    if typed.confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    else:
        check_resamples(typed)
    found = find_references(typed)
    config = typed.config()
    if typed.plot:
        _refuse_many_weights(config, "a picture shows one score")
    labels = found.groups(typed.groups or typed.documents)
    corpus = read_corpus([typed.hypotheses], found.references, [labels], typed.plot, typed.model)
    [name] = corpus.systems
    scored = scored_note(corpus.segments, found.references, [typed.hypotheses])
    if typed.documents:
        statistics = _count_documents(corpus, config)
        scored = f"{amount(len(statistics), 'document')}: {scored}"
    else:
        keep_rows = bool(typed.sentences or typed.groups or typed.plot or typed.confidence)
        statistics = _count_systems(corpus, config, keep_rows)[name]
    _write_plot(statistics, typed)
    result = ScoreResult(
        system=name,
        scored=scored,
        references=found.references,
        segments=corpus.segments,
        score=score(statistics),
        interval=_interval(statistics, typed) if typed.confidence else None,
        sentences=score_sentences(statistics).tolist() if typed.sentences else None,
        groups=_score_groups(statistics, corpus, typed) if typed.groups else None,
        digits=typed.digits,
    )
    result.output().print(typed.output_format)


def _interval(statistics: BleuStatistics, typed: Typed) -> Interval:
    from .._bootstrap import bootstrap

    with progress_bar("resamples") as report_progress:
        return bootstrap(statistics, typed.resamples, typed.seed, typed.confidence, report_progress)


def _score_groups(statistics: BleuStatistics, corpus: InputFiles, typed: Typed) -> GroupScores:
    [labels] = corpus.beside
    return score_groups(statistics, labels, typed.confidence, typed.resamples, typed.seed)


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
    _check_test(typed, config)
    has_one_score = len(typed.systems) > 1 and not config.has_many_weights
    test = typed.test or ("bootstrap" if has_one_score else "none")
    if test == "none":
        refuse_unused((*_TEST_OPTIONS, "groups"), "a test")
    else:
        check_resamples(typed)

    corpus = read_corpus(typed.systems, found.references, [found.groups(typed.groups)], typed.plot, typed.model)
    if typed.test is None and corpus.segments == 1:
        refuse_unused((*_TEST_OPTIONS, "groups"), "a test, which needs several segments")
        test = "none"
    statistics = _count_systems(corpus, config, keep_rows=test != "none" or typed.plot is not None)
    _write_plot(statistics, typed)
    scores = {name: score(of_system) for name, of_system in statistics.items()}
    # This note shows a system that was listed after -r by mistake
    notes = [scored_note(corpus.segments, found.references, typed.systems)]
    if test == "none":
        output = systems_output(scores, notes, typed.digits)
    else:
        [labels] = corpus.beside
        compared, by_group = _compare(test, statistics, labels, typed)
        output = comparison_output(compared, scores, by_group, notes, typed.digits)
    output.print(typed.output_format)


def _check_test(typed: Typed, config: BleuConfig) -> None:
    """Raise ``click.UsageError`` if the test cannot be run, or if ``--trials`` is given without its test."""
    is_asked_for = typed.test not in (None, "none")
    if is_asked_for and len(typed.systems) == 1:
        raise click.UsageError("a test compares systems; give two or more, e.g. base.txt new.txt")
    if is_asked_for or typed.plot:
        _refuse_many_weights(config, "tests and pictures use one score")
    if typed.test != "approximate-randomization":
        refuse_unused(["trials"], "--test approximate-randomization")


def _compare(
    test: str, statistics: dict[str, BleuStatistics], labels: Any, typed: Typed
) -> tuple[Comparison, GroupComparisons | None]:
    """Compare all segments, and then, if there are labels, those of each group."""
    (name, baseline), *others = statistics.items()
    arguments = {"seed": typed.seed, "confidence": typed.confidence, "n_resamples": typed.resamples}
    arguments |= {"p_values": typed.p_values, "baseline_name": name}
    compare: Any = paired_bootstrap
    if test == "approximate-randomization":
        compare = paired_approximate_randomization
        arguments["n_trials"] = typed.trials
    with progress_bar("draws") as arguments["progress"]:
        compared = compare(baseline, dict(others), **arguments)
        if labels is None:
            return compared, None
        return compared, compare_groups(baseline, dict(others), labels, compare, **arguments)


def _write_plot(statistics: BleuStatistics | dict[str, BleuStatistics], typed: Typed) -> None:
    """Write the charts that ``--plot`` asks for."""
    if typed.plot:
        from ..reporting.plots import plot  # imported here so that commands without a picture start faster

        plot(statistics, typed.plot)


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
@with_typed
def report_command(typed: Typed) -> None:
    """Write an HTML report with the result, charts and sentences.

    Words that do not match are highlighted in outputs and references.

    Examples:
        bleu-metric report hyp.txt -r ref.txt -o report.html
        bleu-metric report base.txt new.txt -r ref.txt -o report.html
    """
    found = find_references(typed)
    _refuse_many_weights(typed.config(), "a report shows one score")
    source = typed.source or found.source
    beside = [source, found.groups(typed.groups)]
    corpus = read_corpus(typed.systems, found.references, beside, typed.output, typed.model)
    sources, labels = corpus.beside
    [first, *others] = corpus.systems.values()
    from ..reporting.report import report  # imported here so that other commands start faster

    files = {"System files" if others else "File": typed.systems, "References": found.references}
    files |= {role: (path,) for role, path in {"Source": source, "Groups": typed.groups}.items() if path}
    predictions = corpus.systems if others else first
    with _written_to(typed.output) as path:
        report(
            path,
            predictions,
            corpus.references,
            typed.dialect,
            title=typed.title,
            source=sources,
            groups=labels,
            max_sentences=typed.max_sentences,
            digits=typed.digits,
            files=files,
            **typed.choices(),
        )


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
        settings_output(configs).print(typed.output_format)
        return
    if not typed.references:
        raise click.UsageError("the references are missing; type: bleu-metric dialects HYP REF")
    corpus = read_corpus([typed.hypotheses], typed.references)
    statistics = _count(corpus, list(configs.values()), keep_rows=False)
    scores = dict(zip(configs, map(score, statistics), strict=True))
    note = scored_note(corpus.segments, typed.references, [typed.hypotheses])
    dialects_output(scores, [note], typed.digits).print(typed.output_format)


@click.command("explain", cls=HelpfulCommand)
@click.argument("from_dialect", metavar="FROM", type=Dialect())
@click.argument("to_dialect", metavar="TO", type=Dialect())
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@click.option("--in-order", is_flag=True, help="Change the settings one after another, and show each score.")
@format_option(TEXT_FORMATS)
@scoring_options(with_dialect=False)
@with_typed
def explain_command(typed: Typed) -> None:
    """Show what each setting contributes to a difference.

    Examples:
        bleu-metric explain nltk sacrebleu hyp.txt ref.txt
    """
    dialects = typed.from_dialect, typed.to_dialect
    for dialect in dialects:
        _refuse_many_weights(typed.config(dialect), "a difference is explained for one score")
    corpus = read_corpus([typed.hypotheses], typed.references)
    [predictions] = corpus.systems.values()
    options = {"in_order": typed.in_order, **typed.choices()}
    explanation = explain_difference(predictions, corpus.references, *dialects, **options)
    note = scored_note(corpus.segments, typed.references, [typed.hypotheses])
    explanation_output(explanation, note).print(typed.output_format)
