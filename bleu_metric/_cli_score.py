"""The command about one system: ``score``."""

from __future__ import annotations

from typing import Any

import click

from ._cli_counting import counted, progress
from ._cli_options import (
    FILES,
    config_from,
    format_option,
    plot_option,
    refuse_unused,
    resampling_options,
    scoring_options,
)
from ._cli_result import Result
from ._cli_views import Terminal, echo
from ._files import read_corpus
from ._levels import score_groups
from ._score import score, sentence_scores_of


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
        from ._plots import plot as draw

        draw(statistics, plot)
    interval = None
    if confidence:
        from ._significance import bootstrap

        with progress("resamples") as tell:
            interval = bootstrap(statistics, resamples, seed, confidence, tell)
    result = Result(
        name,
        len(corpus),
        score(statistics),
        interval,
        sentence_scores_of(statistics).tolist() if sentences else None,
        score_groups(statistics, corpus.labels) if groups else None,
    )
    echo(result.printed(form, Terminal.found()))
