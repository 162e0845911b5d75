"""The help of a command: examples, options by how often they are needed, and what files may hold."""

from __future__ import annotations

from typing import Any

import click

from .._config import OPTIONS
from .._other_names import option_for

FILES = (
    "Files hold one segment a line (.gz, .xz, .bz2 too), - is standard input, and FILE:COLUMN is a column of a table "
    "(.csv, .tsv, .json, .jsonl, .parquet), as data.csv:hypothesis or data.parquet:translation.en. name=FILE names a "
    "system."
)
_USUAL = ("tokenizer", "lowercase", "max_order", "smoothing", "effective_order")
_WIDEST_NAMES = 30  # columns of option names; longer ones have their help on the next line


class HelpfulCommand(click.Command):
    """Shows examples, and the usual options first."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples, then the options in groups."""
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}bleu-metric {self.name} {example}\n")
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(_group_of(parameter.name or ""), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=_WIDEST_NAMES)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what files may hold."""
        formatter.write_paragraph()
        formatter.write_text(FILES)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say what another library's option is called here."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            option = option_for(error.option_name.lstrip("-").replace("-", "_"))
            if option is None:
                raise
            raise click.UsageError(f"no such option {error.option_name}; it is {spelled(option)} here", ctx) from None


def _group_of(parameter: str) -> str:
    if parameter in _USUAL:
        return "Choices of a score, instead of the dialect's"
    return "Rarer choices" if parameter in OPTIONS else "Options"


def spelled(option: str) -> str:
    """Spell the name of an option as it is typed.

    >>> spelled("max_order")
    '--max-order'
    """
    return "--" + option.replace("_", "-")
