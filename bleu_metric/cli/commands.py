"""The commands `score`, `compare`, `report`, `dialects`, `explain` and `find`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

import click

from .._advice import advise
from .._bleu import GROUPS_OF_DOCUMENTS, prepare, score_dialects
from .._bootstrap import MIN_SEGMENTS, GroupScore, bootstrap, score_groups
from .._config import DIALECTS, BleuConfig, config_of
from .._corpus import Corpus, naming_system, rows_by_group
from .._counting import count_corpus
from .._display import BLEU, Metric, amount, percent, printable
from .._names import TestName
from .._result import Result
from .._score import BleuScore
from .._statistics import BleuStatistics, MetricStatistics, orders_of, score, score_sentences, with_options
from ..comparison.checks import segment_statistics
from ..comparison.dialects import explain_difference
from ..comparison.find import find_settings, read_number
from ..comparison.groups import GroupComparisons, compare_groups
from ..comparison.metrics import compare_metrics
from ..comparison.paired import TESTS, compare_all_pairs, compare_parts
from ..comparison.result import P_VALUES, Comparison
from ..comparison.systems import SystemScores, corpora_of_systems, count_metrics, count_systems, system_statistics
from . import options, results
from .files import naming_file
from .help import HelpfulCommand
from .inputs import InputFiles, read_corpus
from .options import FailedCheckError, Name, SeveralValues, Typed, refuse_unused, usage_errors
from .output import Together, show
from .terminal import echo, progress_bar, say
from .test_sets import find_test_set, with_test_set

_RANDOMIZATION = "approximate-randomization"
# Names that a metric in --segment-scores must not have
_COLUMNS = {"bleu", "chrf", "ter", "system", "group", "rank", "difference", "p", "line", "metric"}
_COLUMNS |= {"sacrebleu_signature", *(field.name for field in fields(BleuScore))}
_OPTIONS_OF_TESTS = ("fail_if_worse", "p_values", "confidence", "resamples", "seed", "groups", "all_pairs")


# --- score ----------------------------------------------------------------------------------------------------------


@click.command("score", cls=SeveralValues)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1)
@options.shapes
@with_test_set
@options.metrics
@click.option("--all-orders", is_flag=True, help="Also compute BLEU-1 to BLEU-4.")
@click.option("--sentences", "-s", is_flag=True, help="Also score each segment.")
@options.groups("Also score groups of segments.")
@options.documents
@click.option("--score-only", "-b", is_flag=True, help="Print only the score, in percent.")
@click.option(
    "--fail-under",
    type=options.Number(0, 100),
    metavar="NUMBER",
    help="Exit with status 3 if the score, in percent, is below NUMBER.",
)
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
    config = None if _needs_languages(typed) else typed.config()

    label_file = test_set.labels_of(typed.groups or typed.documents)
    how = (typed.plot, typed.num_refs, typed.id_column)
    files = read_corpus([typed.hypotheses], test_set.references, [label_file], *how)
    if config is None:
        scores = results.LanguageScores()
        for label, by_system in _count_languages(files, typed).items():
            [counts] = by_system.values()
            labels = [label] * len(counts)  # all segments are in this group
            scores.update(score_groups(counts, labels, typed.confidence, *_resampling(typed)))
        show(scores, typed.output_format, typed.digits, [files.note])
        return
    statistics, total, others = _count(files, config, typed)
    _write_plot({"": statistics}, typed)
    if typed.score_only:
        echo(percent(total.bleu, typed.digits))
    else:
        notes = [f"{amount(len(statistics), 'document')}: {files.note}" if typed.documents else files.note]
        [labels] = files.extra_columns
        if typed.groups and typed.confidence and min(Counter(labels).values()) < MIN_SEGMENTS:
            notes.append(f"groups of fewer than {MIN_SEGMENTS} segments have no interval")
        results_of_file = _score_parts(files, statistics, total, others, typed)
        show(results_of_file, typed.output_format, typed.digits, notes)
    if typed.fail_under is not None:
        _refuse_below(total, typed.fail_under)


def _resampling(typed: Typed) -> tuple[int, int]:
    return typed.resamples or options.USUAL_RESAMPLES, typed.seed


def _score_parts(
    files: InputFiles, statistics: BleuStatistics, total: BleuScore, others: Sequence[MetricStatistics], typed: Typed
) -> Together:
    """Score the file and, if the user asks for them, its groups and its segments, in BLEU and in other metrics.

    All scores are printed, and are in the JSON object. TSV, CSV, Markdown and LaTeX have either the segments, or the
    file and its groups.
    """
    intervals: dict[Metric, Any] = {}
    if typed.confidence:
        every: list[Any] = [statistics, *others]
        every_interval = [bootstrap(counts, *_resampling(typed), typed.confidence) for counts in every]
        intervals = {interval.metric: interval for interval in every_interval}
    of_file = GroupScore(**vars(total), segments=len(files.references), interval=intervals.get(BLEU))
    of_metrics = [intervals.get(counts.metric) or results.MetricScore(counts) for counts in others]
    named = results.FileScores(zip(files.systems, [of_file], strict=True))
    signatures = [of.notes()[-1] for of in of_metrics]
    scores_of_others = {counts.metric: [counts.score()] for counts in others}
    of_orders = _score_orders(statistics, typed, lambda counts: [score(counts).bleu])
    tables: list[Result] = [results.WithMetrics(named, of_orders | scores_of_others, signatures, intervals)]
    n_files = files.n_reference_files
    # Who typed `score SYSTEM SYSTEM REF` sees at once that the second system is taken for a reference
    remark = f"  {n_files} files of references" if n_files > 1 else ""
    remark += "".join(f"  {metric.name} {metric.text(bleu, typed.digits)}" for metric, [bleu] in of_orders.items())
    printed: list[Result] = [results.WithMetrics(of_file, {}, remark=remark), *of_metrics]
    [content] = named.rows()
    content |= {metric.key: bleu for metric, [bleu] in of_orders.items()}
    if others:
        content["metrics"] = {counts.metric.name: of.to_dict() for counts, of in zip(others, of_metrics, strict=True)}
    if typed.groups:
        [labels] = files.extra_columns
        groups = score_groups(statistics, labels, typed.confidence, *_resampling(typed))
        parts = rows_by_group(labels, len(statistics)).values()
        of_parts = _score_orders(statistics, typed, lambda counts: [score(counts[rows]).bleu for rows in parts])
        tables.append(results.WithMetrics(groups, of_parts | _scores_of_parts(others, parts), signatures))
        printed.append(tables[-1])
        content["groups"] = tables[-1].to_dict()
    if typed.sentences:
        of_segments = {BLEU: score_sentences(statistics).tolist()}
        of_segments |= _score_orders(statistics, typed, lambda counts: score_sentences(counts).tolist())
        of_segments |= _scores_of_parts(others, ([segment] for segment in range(len(statistics))))
        signatures = [of_file.notes()[-1], *signatures]
        names = results.Names("line", range(1, len(statistics) + 1))
        if typed.documents:
            [labels] = files.extra_columns
            names = results.Names("document", list(dict.fromkeys(labels)))
            content["documents"] = names.names
        tables = [results.WithMetrics(names, of_segments, signatures)]
        printed.insert(0, tables[0])
        content |= {f"sentence_{metric.key}": of for metric, of in of_segments.items()}
    return Together(printed, tables, content)


def _score_orders(
    statistics: BleuStatistics, typed: Typed, score_rows: Callable[[BleuStatistics], list[float]]
) -> dict[Metric, list[float]]:
    """Return the scores of each n-gram order if ``--all-orders`` was typed: {BLEU-1: [0.8], BLEU-2: [0.7]}."""
    orders = orders_of(statistics.config) if typed.all_orders else ()
    return {Metric(f"BLEU-{n}"): score_rows(with_options(statistics, {"max_order": n})) for n in orders}


def _refuse_below(score: BleuScore, least: float) -> None:
    """Raise `FailedCheckError` if a score is below `least`, which is in percent."""
    bleu = 100 * score.bleu
    # 100 * 0.29 is 28.999999999999996. "not ... >=" is also true for a score of NaN
    if not bleu >= least * (1 - 1e-12):
        looks_high_enough = round(bleu, 4) >= least
        raise FailedCheckError(f"BLEU {bleu:.{12 if looks_high_enough else 4}f} is below {least} (--fail-under)")


def _count(
    files: InputFiles, config: BleuConfig, typed: Typed
) -> tuple[BleuStatistics, BleuScore, list[MetricStatistics]]:
    """Return the only system's BLEU counts, its BLEU score, and its counts in other metrics. Also print warnings."""
    [(system, predictions)] = files.systems.items()
    [labels] = files.extra_columns
    documents = labels if typed.documents else None
    # Without rows, NumPy is not imported, which saves 0.15 s
    keep_rows = any([typed.sentences, typed.groups, typed.documents, typed.plot, typed.confidence])
    with naming_system(system):
        corpus, config = prepare(predictions, files.references, config, options={}, documents=documents)
        [statistics] = count_corpus(corpus, [config], keep_rows=keep_rows)

    total = score(statistics)
    # With the name "", warnings do not name the system
    advise({"": corpus.as_given}, [config], {"": total})
    others = _count_metrics({"": corpus}, config, typed)
    return statistics, total, [counts for by_system in others.values() for counts in by_system.values()]


def _count_metrics(corpora: Mapping[str, Corpus], config: BleuConfig, typed: Typed) -> dict[str, dict[str, Any]]:
    """Count the metrics beside BLEU. Return {metric: {system: statistics}}."""
    n_processes = typed.n_processes(sum(corpus.as_given.segments for corpus in corpora.values()))
    with progress_bar("segments") as progress:
        return count_metrics(corpora, typed.other_metrics(), config, {}, n_processes, progress)


def _scores_of_parts(metrics: Iterable[MetricStatistics], parts: Iterable[Any]) -> dict[Metric, list[float]]:
    """Score parts of the segments in each metric. `parts`: the indices of each part, such as [[0, 2], [1, 3]]."""
    parts = list(parts)
    return {counts.metric: [counts[rows].score() for rows in parts] for counts in metrics}


def _needs_languages(typed: Typed) -> bool:
    """Return whether ``--target-language @group`` was typed. Raise ``click.UsageError`` if other options exclude it."""
    if not typed.language_of_groups:
        return False
    if not typed.groups:
        raise click.UsageError("--target-language @group needs --groups FILE, with the language of each segment")
    needed = "one language for all segments; type e.g. --target-language de"
    whole_file = ("all_orders", "score_only", "sentences", "documents", "metrics", "segment_scores", "fail_under")
    refuse_unused([*whole_file, "plot", "title"], needed)
    return True


def _count_languages(files: InputFiles, typed: Typed) -> dict[Any, dict[str, BleuStatistics]]:
    """Count each group with the tokenizer of the language in its label. Return {label: {system: statistics}}."""
    labels, *_ = files.extra_columns
    columns = {name: rows[:] for name, rows in {**files.systems, "": files.references}.items()}
    counted = {}
    for label, rows in rows_by_group(labels, len(files.references)).items():
        systems = {name: [column[row] for row in rows] for name, column in columns.items()}
        references = systems.pop("")
        typed_for_group = Typed(**{**vars(typed), "target_language": str(label)})
        with usage_errors(f"the label {label!r} of {typed.groups} is no language: "):
            config = config_of(typed.dialect, typed_for_group.choices())
        counted[label] = system_statistics(systems, references, config)
    return counted


def _check_score_options(typed: Typed) -> None:
    has_two_tables = typed.sentences and (typed.groups or typed.confidence)
    if has_two_tables and typed.output_format not in options.TEXT_AND_JSON:
        raise click.UsageError(
            f"the format {typed.output_format} has room for only one table, so --sentences cannot be combined with "
            "--groups or --confidence"
        )

    if typed.score_only:
        if typed.output_format != "text":
            raise click.UsageError(
                f"-b prints one number, so it cannot be combined with --format {typed.output_format}"
            )
        more_output = ("sentences", "groups", "metrics", "all_orders", "confidence")
        refuse_unused(more_output, "the output that -b leaves out")
    if typed.groups and typed.documents:
        raise click.UsageError(GROUPS_OF_DOCUMENTS)
    if typed.fail_under is not None and 0 < typed.fail_under < 1:
        number = f"{typed.fail_under:g}"
        raise click.UsageError(
            f"--fail-under {number} is {number} %; for a score of {number} from 0 to 1, type {100 * typed.fail_under:g}"
        )

    if typed.confidence is None:
        refuse_unused(("resamples", "seed"), "--confidence")
    else:
        options.check_resamples(typed)


# --- compare --------------------------------------------------------------------------------------------------------


@click.command("compare", cls=SeveralValues)
@click.argument("systems", metavar="BASELINE [SYSTEM...]", nargs=-1, required=True)
@options.references
@options.shapes
@with_test_set
@click.option(
    "--test",
    "-t",
    type=Name("test", TESTS),
    help="Paired test against the baseline. The default is bootstrap.",
)
@options.metrics
@options.segment_scores
@options.baseline("By default the first one.")
@click.option("--all-pairs", is_flag=True, help="Compare each system with each other one, and rank them.")
@options.groups("Also compare the systems in groups of segments.")
@options.count("trials", None, "Number of trials of approximate randomization. Usually 10,000.")
@click.option(
    "--p-values",
    type=Name("kind of p-values", P_VALUES),
    default=P_VALUES[0],
    help="How p-values are computed.",
)
@click.option("--fail-if-worse", is_flag=True, help="Exit with status 3 if a system is significantly worse.")
@options.resampling(0.95, "Confidence level of the intervals.")
@options.plot
@options.plot_title
@options.output_format(options.TABLE_FORMATS)
@options.digits
@options.dialect()
@options.with_settings
def compare_command(typed: Typed) -> None:
    """Compare each system with a baseline, usually the first one.

    All systems are scored against the same references.

    Examples:
        bleu-metric compare base.txt new.txt -r ref.txt
        bleu-metric compare base=out/17.txt new=out/18.txt -r ref.txt
        bleu-metric compare a.txt b.txt c.txt -r ref.txt --all-pairs
        bleu-metric compare a.txt b.txt -r ref.txt --format markdown
    """
    _check_compare_options(typed)
    test_set = find_test_set(typed)
    config = None if _needs_languages(typed) else typed.config()

    label_file = test_set.labels_of(typed.groups)
    score_files = _files_of_scores(typed.segment_scores)
    extra_files = [label_file, *chain.from_iterable(score_files.values())]
    files = read_corpus(typed.systems, test_set.references, extra_files, typed.plot, typed.num_refs, typed.id_column)
    test = _test_to_run(files, typed)
    labels, *columns = files.extra_columns
    segment_scores = _segment_scores(score_files, files, columns)
    if typed.baseline:
        files = files.with_first(typed.baseline)

    if config is None:
        by_group = compare_parts(_count_languages(files, typed), TESTS[test], typed.all_pairs, **_settings(typed))
        show(results.LanguageComparisons(by_group), typed.output_format, typed.digits, [files.note])
        if typed.fail_if_worse:
            _refuse_worse(by_group.values())
        return
    keep_rows = test != "none" or typed.plot is not None
    corpora = corpora_of_systems(files.systems, files.references)
    statistics, config = count_systems(corpora, config, options={}, keep_rows=keep_rows)
    scores = {name: score(counts) for name, counts in statistics.items()}
    advise(corpora, [config], scores)
    counted = _count_metrics(corpora, config, typed)
    by_metric: dict[str, Any] = {"BLEU": statistics, **counted, **segment_scores}

    if test == "none":
        _write_plot(statistics, typed, test)
        _, *others = [list(by_system.values()) for by_system in by_metric.values()]
        scores_of_others = {first.metric: [counts.score() for counts in (first, *rest)] for first, *rest in others}
        signatures = [f"{first.metric.name}: {first.signature()}" for first, *_ in others]
        table = results.WithMetrics(SystemScores(scores), scores_of_others, signatures)
        show(table, typed.output_format, typed.digits, [files.note])
        return
    run_test: Any = TESTS[test].function
    settings = _settings(typed)
    baseline = None if typed.all_pairs else next(iter(statistics))
    comparisons = compare_metrics(by_metric, baseline, run_test, **settings)
    groups: dict[str, GroupComparisons] = {}
    for metric, systems in by_metric.items() if labels is not None else ():
        first, compared = (systems, None) if baseline is None else (systems[baseline], systems)
        groups[metric] = compare_groups(first, compared, labels, run_test, baseline_name=baseline or "", **settings)
    _write_plot(statistics, typed, test, comparisons["BLEU"])
    result: Any = comparisons if len(comparisons) > 1 else comparisons["BLEU"]
    if groups:
        content = result.to_dict()
        for metric, by_group in groups.items():
            content["groups" if metric == "BLEU" else f"groups_{metric}"] = by_group.to_dict()
        result = Together([result, *groups.values()], [result, *groups.values()], content)
    show(result, typed.output_format, typed.digits, [files.note])
    if typed.fail_if_worse:
        _refuse_worse(comparisons.values())


def _check_compare_options(typed: Typed) -> None:
    if len(typed.systems) == 1:
        raise click.UsageError(
            f"there is no system to compare with {printable(typed.systems[0])}; type all systems before -r, or use the "
            "command score"
        )
    if typed.all_pairs and (typed.baseline or typed.fail_if_worse):
        option = "--baseline" if typed.baseline else "--fail-if-worse"
        raise click.UsageError(f"--all-pairs has no baseline, so it cannot be combined with {option}")


def _files_of_scores(typed: Iterable[str]) -> dict[str, list[str]]:
    """Parse ``--segment-scores``: ["comet=a.comet,b.comet"] -> {"comet": ["a.comet", "b.comet"]}."""
    files_of_metric: dict[str, list[str]] = {}
    for words in typed:
        metric, _, names = words.partition("=")
        files = names.split(",")
        if not (metric and all(files)):
            raise click.UsageError(f"--segment-scores {words}: type METRIC=FILE,FILE, with one file per system")
        name = metric.lower()
        entry_of = re.sub(r"_\d+$", "s", name)  # precision_1 is an entry of precisions
        if metric in files_of_metric or not _COLUMNS.isdisjoint((name, entry_of, name.rstrip("0123456789+"))):
            raise click.UsageError(f"--segment-scores: the name {metric} is already used; give the metric another name")
        files_of_metric[metric] = files
    return files_of_metric


def _segment_scores(
    score_files: Mapping[str, Sequence[str]], files: InputFiles, columns: Iterable[Any]
) -> dict[str, dict[str, MetricStatistics]]:
    """Return {metric: {system: statistics}}. `columns`: the content of each file in `score_files`, in order."""
    remaining = iter(columns)
    by_metric: dict[str, dict[str, MetricStatistics]] = {}
    for metric, paths in score_files.items():
        if len(paths) != len(files.systems):
            found = f"{amount(len(paths), 'file')} for {amount(len(files.systems), 'system')}"
            raise click.UsageError(
                f"--segment-scores {metric} has {found}: give one file per system, separated by commas, in the order "
                "of the systems"
            )
        by_metric[metric] = {}
        for name, path in zip(files.systems, paths, strict=True):
            column = next(remaining)
            numbers = list(map(_number, column))
            with naming_file(path):
                by_metric[metric][name] = segment_statistics(metric, name, numbers)
    return by_metric


def _number(value: Any) -> Any:
    """Return 0.5 for "0.5", None for "", and any other value unchanged."""
    if not isinstance(value, str) or "_" in value:
        return value
    try:
        return float(value) if value.strip() else None
    except ValueError:
        return value


def _test_to_run(files: InputFiles, typed: Typed) -> TestName:
    """Return the name of the test, or "none". Raise ``click.UsageError`` if a typed option does not fit the test."""
    test: TestName = typed.test or ("bootstrap" if len(files.references) > 1 else "none")

    if test != _RANDOMIZATION:
        refuse_unused(["trials"], f"--test {_RANDOMIZATION}")
    if test == "none":
        refuse_unused(_OPTIONS_OF_TESTS, "a test, which needs several segments")
        return test

    options.check_resamples(typed)
    return test


def _settings(typed: Typed) -> dict[str, Any]:
    """Return the typed arguments of a test, such as {"n_resamples": 500}. The command `score` has no --p-values."""
    options_of = {"n_resamples": "resamples", "n_trials": "trials"}
    names = (*options_of, "seed", "confidence", "p_values")
    settings = {name: vars(typed).get(options_of.get(name, name)) for name in names}
    return {name: value for name, value in settings.items() if value is not None}


def _refuse_worse(comparisons: Iterable[Comparison]) -> None:
    """Raise `FailedCheckError` if a system is significantly worse than the baseline, or lower in an undecided test."""
    for comparison in comparisons:
        is_better = comparison.metric.is_better
        below = [system for system in comparison.systems if system.delta and not is_better(system.delta)]
        worse = [printable(system.name) for system in below if comparison.is_significant(system)]
        if worse:
            baseline, metric = printable(comparison.baseline.name), comparison.metric.name
            raise FailedCheckError(
                f"significantly worse than {baseline} in {metric}: {', '.join(worse)} (--fail-if-worse)"
            )
        is_undecided = any(comparison.is_significant(system) is None for system in below)
        if is_undecided or (below and not comparison.can_find_differences):
            raise FailedCheckError(
                "a system scores lower, but there are too few segments or trials to test it (--fail-if-worse)"
            )


def _write_plot(
    statistics: dict[str, BleuStatistics],
    typed: Typed,
    test: TestName = "bootstrap",
    comparison: Comparison | None = None,
) -> None:
    """Write charts if ``--plot`` was typed. `comparison` is None if no test was run."""
    if not typed.plot:
        refuse_unused(["title"], "--plot")
        return
    # Imported here so that commands without charts start faster
    from ..reporting.plots import draw

    settings = _settings(typed)
    compared = comparison or compare_all_pairs(statistics, test, next(iter(statistics)), **settings)
    draw(statistics, Path(typed.plot), typed.title, compared, test, **settings)
    say(f"wrote {typed.plot}")


# --- report, dialects, explain, find --------------------------------------------------------------------------------


@click.command("report", cls=SeveralValues)
@click.argument("systems", metavar="SYSTEM [SYSTEM...]", nargs=-1, required=True)
@options.references
@options.shapes
@with_test_set
@options.metrics
@options.segment_scores
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
@options.baseline("By default the best one.")
@options.resampling(0.95, "Confidence level of the intervals.")
@options.count("max_sentences", 5000, "Maximum number of sentences. Those that affect BLEU most are kept.")
@options.digits
@options.dialect()
@options.with_settings
def report_command(typed: Typed) -> None:
    """Write an HTML page of scores, charts and sentences.

    Words that do not match are highlighted in outputs and references.

    Examples:
        bleu-metric report hyp.txt -r ref.txt -o report.html
        bleu-metric report base.txt new.txt -r ref.txt -o report.html
    """
    test_set = find_test_set(typed)
    typed.config()  # rejects wrong settings before files are read
    if typed.test == "none":
        refuse_unused(("confidence", "resamples", "seed"), "a test")
    options.check_resamples(typed)
    source_file = typed.source or test_set.source
    label_file = test_set.labels_of(typed.groups)

    score_files = _files_of_scores(typed.segment_scores)
    extra_files = [source_file, label_file, *chain.from_iterable(score_files.values())]
    how = (typed.output, typed.num_refs, typed.id_column)
    files = read_corpus(typed.systems, test_set.references, extra_files, *how)
    sources, labels, *columns = files.extra_columns
    segment_scores = _segment_scores(score_files, files, columns)
    # A report reads single rows, which is slow from a file
    predictions: Any = {name: rows[:] for name, rows in files.systems.items()}
    if len(files.systems) == 1:
        refuse_unused(["baseline"], "several systems")
        # A report of one system does not show its name
        [predictions] = predictions.values()
        segment_scores = {metric: {"": next(iter(own.values()))} for metric, own in segment_scores.items()}
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
        baseline=typed.baseline,
        test=typed.test,
        n_resamples=typed.resamples,
        seed=typed.seed,
        confidence=typed.confidence,
        digits=typed.digits,
        metrics=typed.other_metrics(),
        jobs=typed.n_processes(len(files.references) * len(files.systems)),
        segment_scores=segment_scores,
        files={description: paths for description, paths in listed_files.items() if any(paths)},
        **typed.choices(),
    )
    say(f"wrote {typed.output}")


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
        show(results.DialectSettings(configs), typed.output_format)
        return

    if not typed.references:
        raise click.UsageError("the references are missing; type: bleu-metric dialects HYP REF")

    files = read_corpus([typed.hypotheses], typed.references)
    [(system, predictions)] = files.systems.items()
    with naming_system(system):
        scores = score_dialects(predictions, files.references, **typed.choices())
    show(results.DialectScores(scores), typed.output_format, typed.digits, [files.note])


@click.command("explain", cls=HelpfulCommand)
@click.argument("from_dialect", metavar="FROM", type=options.DIALECT)
@click.argument("to_dialect", metavar="TO", type=options.DIALECT)
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1, required=True)
@options.output_format(options.TEXT_AND_JSON)
@options.with_settings
def explain_command(typed: Typed) -> None:
    """Show which settings make two dialects differ. FROM and TO are names of dialects, or signatures.

    Examples:
        bleu-metric explain nltk sacrebleu hyp.txt ref.txt
    """
    dialects = typed.from_dialect, typed.to_dialect
    for dialect in dialects:
        typed.config(dialect)  # rejects wrong settings before files are read

    files = read_corpus([typed.hypotheses], typed.references)
    [predictions] = files.systems.values()
    explanation = explain_difference(predictions, files.references, *dialects, **typed.choices())
    show(explanation, typed.output_format, notes=[files.note])


@click.command("find", cls=HelpfulCommand)
@click.argument("number", metavar="NUMBER")
@click.argument("hypotheses", metavar="HYP")
@click.argument("references", metavar="REF [REF...]", nargs=-1)
@click.option("--all", "shows_all", is_flag=True, help="Show all settings that fit, not only the best one.")
@options.output_format(options.TABLE_FORMATS)
def find_command(number: str, hypotheses: str, references: list[str], shows_all: bool, output_format: Any) -> None:
    """Find the settings that give a known score.

    Type all digits of NUMBER, in percent or on a scale of 0 to 1.

    Examples:
        bleu-metric find 33.97 hyp.txt ref.txt
        bleu-metric find 0.3397 hyp.txt ref1.txt ref2.txt
    """
    with usage_errors():
        read_number(number)  # rejects a wrong number before files are read
    if not references:
        raise click.UsageError("the references are missing; type: bleu-metric find NUMBER HYP REF")
    files = read_corpus([hypotheses], references)
    [predictions] = files.systems.values()
    found: Any = find_settings(predictions[:], files.references[:], number)
    if output_format == "text" and not shows_all:
        found = results.BestSetting(found, [hypotheses, *references])
    show(found, output_format, notes=[files.note])
