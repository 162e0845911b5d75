"""The commands `score`, `compare`, `report`, `dialects` and `explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .._advice import warn_of_scores
from .._bleu import GROUPS_OF_DOCUMENTS, prepare, score_dialects
from .._bootstrap import bootstrap, score_groups
from .._config import DIALECTS, BleuConfig, config_of
from .._corpus import naming_system
from .._counting import count_corpus
from .._display import amount, printable
from .._score import BleuScore
from .._statistics import BleuStatistics, score, score_sentences
from ..comparison.dialects import explain_difference
from ..comparison.groups import GroupComparisons, compare_groups
from ..comparison.ranking import TESTS
from ..comparison.result import P_VALUES, Comparison
from ..comparison.systems import corpora_of_systems, count_systems
from . import options, results
from .drawing import Note
from .help import HelpfulCommand
from .inputs import InputFiles, read_corpus
from .options import FilesAfterOption, Name, Typed, refuse_unused, usage_errors
from .output import Output
from .test_sets import find_test_set, with_test_set

_RANDOMIZATION = "approximate-randomization"
_OPTIONS_OF_TESTS = ("p_values", "confidence", "resamples", "seed", "groups", "all_pairs")


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
@options.plot_title
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

    label_file = test_set.labels_of(typed.groups or typed.documents)
    files = read_corpus([typed.hypotheses], test_set.references, [label_file], typed.plot, _joins_numbers(typed))
    statistics, total = _count(files, config, typed)
    _write_plot({"": statistics}, typed)

    if typed.documents:
        documents = amount(len(statistics), "document")
        files = files._replace(note=f"{documents}: {files.note}")
    n_resamples = typed.resamples or options.USUAL_RESAMPLES
    interval = None
    if typed.confidence:
        interval = bootstrap(statistics, n_resamples, typed.seed, typed.confidence)
    output = results.score_output(total, interval, files, typed.digits)

    if typed.groups:
        [labels] = files.extra_columns
        groups = score_groups(statistics, labels, typed.confidence, n_resamples, typed.seed)
        results.add_groups(output, groups, typed.digits)
    if typed.sentences:
        scores = score_sentences(statistics).tolist()
        results.add_sentences(output, scores, typed.digits)
    output.print(typed.output_format)


def _count(files: InputFiles, config: BleuConfig, typed: Typed) -> tuple[BleuStatistics, BleuScore]:
    """Count the n-grams of the only system, score it, and warn of likely mistakes in the texts and of a score of 0."""
    [(system, predictions)] = files.systems.items()
    [labels] = files.extra_columns
    documents = labels if typed.documents else None
    # If only the sum is kept, NumPy is not imported, which takes 0.15 s
    keep_rows = any([typed.sentences, typed.groups, typed.documents, typed.plot, typed.confidence])
    with naming_system(system):
        corpus, config = prepare(predictions, files.references, config, options={}, documents=documents)
        [statistics] = count_corpus(corpus, [config], keep_rows=keep_rows)

    total = score(statistics)
    # The name is "", because warnings need not name the only system
    warn_of_scores({"": corpus.as_given}, [config], {"": total})
    return statistics, total


def _joins_numbers(typed: Typed) -> bool:
    """Return whether lines are joined by their numbers, as in CodeXGLUE's own files."""
    return bool(typed.dialect == "codexglue")


def _check_score_options(typed: Typed) -> None:
    """Raise ``click.UsageError`` if the options typed for `score` cannot be combined."""
    has_two_tables = typed.sentences and (typed.groups or typed.confidence)
    if has_two_tables and typed.output_format not in options.TEXT_AND_JSON:
        raise click.UsageError(
            f"the format {typed.output_format} has room for only one table, so --sentences cannot be combined with "
            "--groups or --confidence"
        )

    if typed.groups and typed.documents:
        raise click.UsageError(GROUPS_OF_DOCUMENTS)

    if typed.confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    else:
        options.check_resamples(typed)


# --- compare --------------------------------------------------------------------------------------------------------


@click.command("compare", cls=FilesAfterOption)
@click.argument("systems", metavar="BASELINE [SYSTEM...]", nargs=-1, required=True)
@options.references
@with_test_set
@click.option(
    "--test",
    "-t",
    type=Name("test", TESTS),
    help="Paired test against the baseline. With several systems, the default is bootstrap.",
)
@click.option("--all-pairs", is_flag=True, help="Compare each system with each other one, and rank them.")
@options.groups("Also compare the systems in groups of segments.")
@options.count("trials", None, "Number of trials of approximate randomization. Usually 10,000.")
@click.option(
    "--p-values",
    type=Name("kind of p-values", P_VALUES),
    default=P_VALUES[0],
    help="How p-values are computed.",
)
@options.resampling(0.95, "Confidence level of the intervals.")
@options.plot
@options.plot_title
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
        bleu-metric compare a.txt b.txt c.txt -r ref.txt --all-pairs
        bleu-metric compare a.txt b.txt -r ref.txt --format markdown
    """
    test_set = find_test_set(typed)
    config = typed.config()

    label_file = test_set.labels_of(typed.groups)
    files = read_corpus(typed.systems, test_set.references, [label_file], typed.plot, _joins_numbers(typed))
    test = _test_to_run(files, typed)

    keep_rows = test != "none" or typed.plot is not None
    corpora = corpora_of_systems(files.systems, files.references)
    statistics, config = count_systems(corpora, config, options={}, keep_rows=keep_rows)
    scores = {name: score(counts) for name, counts in statistics.items()}
    warn_of_scores(corpora, [config], scores)

    if test == "none":
        _write_plot(statistics, typed, test)
        output = results.systems_output(scores, files.note, typed.digits)
    else:
        [labels] = files.extra_columns
        comparison, groups = _compare(test, statistics, labels, typed)
        _write_plot(statistics, typed, test, comparison)
        output = results.comparison_output(comparison, scores, groups, files.note, typed.digits)
    output.print(typed.output_format)


def _test_to_run(files: InputFiles, typed: Typed) -> str:
    """Return the name of the test, or "none". Raise ``click.UsageError`` if a typed option does not fit the test."""
    has_several_systems = len(files.systems) > 1
    can_test = has_several_systems and len(files.references) > 1
    test: str = typed.test or ("bootstrap" if can_test else "none")

    if test != _RANDOMIZATION:
        refuse_unused(["trials"], f"--test {_RANDOMIZATION}")
    if test == "none":
        refuse_unused(_OPTIONS_OF_TESTS, "a test, which needs several systems and segments")
        return test

    if not has_several_systems:
        raise click.UsageError("a test compares systems; give two or more, e.g. base.txt new.txt")
    options.check_resamples(typed)
    return test


def _compare(
    test: str, statistics: dict[str, BleuStatistics], labels: Any, typed: Typed
) -> tuple[Comparison, GroupComparisons | None]:
    """Compare each system with the first one on all segments and, if `labels` is not None, in each group."""
    run_test: Any = TESTS[test]
    settings = _settings_of_test(typed, test)

    compared: tuple[Any, Any] = (statistics, None)
    if not typed.all_pairs:
        (baseline_name, baseline), *others = statistics.items()
        compared = (baseline, dict(others))
        settings["baseline_name"] = baseline_name

    comparison = run_test(*compared, **settings)
    if labels is None:
        return comparison, None
    groups = compare_groups(*compared, labels, run_test, **settings)
    return comparison, groups


def _settings_of_test(typed: Typed, test: str) -> dict[str, Any]:
    """Return the typed arguments of a test. `score` has fewer of them than `compare`."""
    names = {"n_resamples": "resamples", "seed": "seed", "confidence": "confidence", "p_values": "p_values"}
    if test == _RANDOMIZATION:
        names["n_trials"] = "trials"
    settings = {name: vars(typed).get(option) for name, option in names.items()}
    return {name: value for name, value in settings.items() if value is not None}


def _write_plot(
    statistics: dict[str, BleuStatistics], typed: Typed, test: str = "bootstrap", comparison: Comparison | None = None
) -> None:
    """Write charts to the file of ``--plot``, if this option was typed. `comparison`: that of the systems, if any."""
    if not typed.plot:
        refuse_unused(["title"], "--plot")
        return
    # Imported here so that commands without a picture start faster
    from ..reporting.plots import draw

    draw(statistics, Path(typed.plot), typed.title, comparison, test, **_settings_of_test(typed, test))


# --- report, dialects, explain --------------------------------------------------------------------------------------


@click.command("report", cls=FilesAfterOption)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@options.references
@with_test_set
@click.option("--output", "-o", metavar="FILE", required=True, help="File to write, e.g. report.html.")
@click.option("--title", help="Title of the report.")
@click.option("--source", metavar="FILE", help="Source texts to show beside the outputs.")
@options.groups("Also show the scores of groups of segments.")
@click.option(
    "--test",
    "-t",
    type=Name("test", TESTS),
    default="bootstrap",
    help="Paired test of all pairs of systems.",
)
@options.resampling(0.95, "Confidence level of the intervals.")
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
    if typed.test == "none":
        refuse_unused(("confidence", "resamples", "seed"), "a test")
    options.check_resamples(typed)
    source_file = typed.source or test_set.source
    label_file = test_set.labels_of(typed.groups)

    files = read_corpus(
        typed.systems, test_set.references, [source_file, label_file], typed.output, _joins_numbers(typed)
    )
    sources, labels = files.extra_columns
    # A report reads single rows, which is faster in memory
    predictions: Any = {name: rows[:] for name, rows in files.systems.items()}
    if len(files.systems) == 1:
        # A report of one system does not show its name
        [predictions] = predictions.values()
    listed_files = {
        "System files" if len(files.systems) > 1 else "File": typed.systems,
        "References": test_set.references,
        "Source": [source_file],
        "Groups": [typed.groups],
    }

    # Imported here so that other commands start faster
    from ..reporting.report import report

    report(
        typed.output,
        predictions,
        files.references[:],
        typed.dialect,
        title=typed.title,
        source=sources,
        groups=labels,
        max_sentences=typed.max_sentences,
        test=typed.test,
        n_resamples=typed.resamples,
        seed=typed.seed,
        confidence=typed.confidence,
        digits=typed.digits,
        files={description: paths for description, paths in listed_files.items() if any(paths)},
        **typed.choices(),
    )
    click.echo(f"bleu-metric: wrote {printable(typed.output)}", err=True)


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
    [(system, predictions)] = files.systems.items()
    with naming_system(system):
        scores = score_dialects(predictions, files.references, **typed.choices())
    results.dialects_output(scores, files.note, typed.digits).print(typed.output_format)


@click.command("explain", cls=HelpfulCommand)
@click.argument("from_dialect", metavar="FROM", type=options.DIALECT)
@click.argument("to_dialect", metavar="TO", type=options.DIALECT)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@options.output_format(options.TEXT_AND_JSON)
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
    Output([f"{explanation}\n", Note(files.note)], explanation.to_dict()).print(typed.output_format)
