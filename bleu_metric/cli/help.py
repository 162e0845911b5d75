"""The help of a command: examples, options by how often they are needed, and what files may hold."""

from __future__ import annotations

from typing import Any

import click

from .._config import OPTIONS
from .._other_names import option_for
from .._validation import unknown_message

FILES = (
    "Files hold one segment a line (.gz, .xz, .bz2 too), - is standard input, and FILE:COLUMN is a column of a table "
    "(.csv, .tsv, .json, .jsonl, .parquet), as data.csv:hypothesis or data.parquet:translation.en. name=FILE names a "
    "system."
)
_OPTIONS_FOR_FILES = {
    *("-i", "--input", "--hypothesis", "--hypotheses", "--predictions", "--system", "--systems"),
    *("-r", "--ref", "--refs", "--reference", "--references"),
}
_USUAL = ("tokenizer", "lowercase", "max_order", "smoothing", "effective_order")
_WIDEST_NAMES = 30  # columns of option names; longer ones have their help on the next line


class HelpfulGroup(click.Group):
    """Lists its commands in the order in which they were added, the most used first, and shows examples."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples, then commands, then options."""
        _write_examples(formatter, ctx.command_path, self.examples)
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the error for an unknown one says what to type."""
        [name, *_] = args
        if name in self.commands or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if name in ("help", "version"):
            raise click.UsageError(f"unknown command {name!r}; type: {ctx.command_path} --{name}", ctx)
        if is_file_name(name):
            usage = f"{ctx.command_path} {self.examples[0]}"
            raise click.UsageError(f"unknown command {name!r}; a command comes before the files: {usage}", ctx)
        raise click.UsageError(unknown_message("command", name, self.commands), ctx)


class HelpfulCommand(click.Command):
    """Shows examples, and the usual options first."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples, then the options in groups."""
        _write_examples(formatter, f"bleu-metric {self.name}", self.examples)
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
        typed = list(args)  # click takes arguments off the list that it parses
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            advice = self._advice_on(_as_typed(error.option_name, typed))
            if advice is None:
                raise
            raise click.UsageError(f"no such option {advice}", ctx) from None
        except click.BadOptionUsage as error:
            error.ctx = ctx  # so that the error names the help of this command
            raise

    def _advice_on(self, typed: str) -> str | None:
        """Say what to type in place of an option; None where that is not known."""
        option = option_for(typed.lstrip("-").replace("-", "_"))
        if option is not None:
            return f"{typed}; it is {spelled(option)} here"
        if typed in _OPTIONS_FOR_FILES:
            usage = next(example for example in self.examples if example)
            return f"{typed}; type the files as in: bleu-metric {self.name} {usage}"
        return None


def _as_typed(option: str, args: list[str]) -> str:
    """Give the argument that begins with `option`: the ``-l`` that is unknown may have been typed as ``-lc``."""
    return next((argument for argument in args if argument.startswith(option)), option).partition("=")[0]


def _write_examples(formatter: click.HelpFormatter, command: str, examples: tuple[str, ...]) -> None:
    with formatter.section("Examples"):
        for example in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{command} {example}\n")


def is_file_name(text: str) -> bool:
    """Tell whether a text looks like the name of a file.

    >>> is_file_name("hyp.txt"), is_file_name("out/17"), is_file_name("scor")
    (True, True, False)
    """
    return bool(set(text) & set("./\\:="))


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
