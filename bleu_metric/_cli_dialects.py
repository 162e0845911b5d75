"""The commands about dialects: ``dialects`` and ``explain``."""

from __future__ import annotations

from typing import Any

import click

from ._cli_counting import count
from ._cli_options import FILES, Named, choices_of, config_from, format_option, scoring_options
from ._cli_tables import scores_table
from ._cli_views import Terminal, choices_rows, choices_text, echo, to_json, tsv
from ._dialects import DIALECTS, config_of
from ._explain import explain_difference
from ._files import read_corpus
from ._score import score


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
