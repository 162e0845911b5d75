"""The help of a command: examples, options (the most used ones first), and the supported files."""

from __future__ import annotations

import inspect

import click

from .._options import OPTIONS, USUAL
from .._other_names import option_for
from .._validation import unknown_message

FILES = (
    "A file has one segment per line and may be compressed (.gz, .xz, .bz2, .zst). - is standard input. "
    "FILE:COLUMN is a column of a table (.csv, .tsv, .json, .jsonl, .parquet), e.g. data.csv:hypothesis or "
    "data.parquet:translation.en. name=FILE names a system."
)
_OPTIONS_FOR_FILES = {
    *("-i", "--input", "--hypothesis", "--hypotheses", "--predictions", "--system", "--systems"),
    *("-r", "--ref", "--refs", "--reference", "--references"),
}
_OPTIONS_OF_SACREBLEU = {"-t": "--test-set", "-l": "--language-pair of a test set, or --target-language"}
_WIDEST_NAMES = 30  # columns; the help of a longer option name begins on the next line


class ShowsExamples(click.Command):
    """A command whose help has one line per example of its docstring. The other text is wrapped."""

    @property
    def examples(self) -> list[str]:
        """The examples of the docstring, one command line each."""
        return self._text_and_examples()[1]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text of the docstring, then its examples."""
        text, examples = self._text_and_examples()
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)
        with formatter.section("Examples"):
            formatter.write("".join(f"  {example}\n" for example in examples))

    def _text_and_examples(self) -> tuple[str, list[str]]:
        docstring = inspect.cleandoc(self.help or "")
        text, _, examples = docstring.partition("Examples:\n")
        lines = [line.strip() for line in examples.splitlines()]
        return text.rstrip(), lines


class HelpfulGroup(ShowsExamples, click.Group):
    """A group that lists its commands in the order of registration, so that the most used ones come first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of registration."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command's name, the command and its arguments. If it is unknown, the error shows what to type."""
        [name, *_] = args
        if name in self.commands or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if name in ("help", "version"):
            message = f"unknown command {name!r}; type: {ctx.command_path} --{name}"
        elif is_file_name(name):
            message = f"unknown command {name!r}; type a command before the files: {self.examples[0]}"
        else:
            message = unknown_message("command", name, self.commands)
        raise click.UsageError(message, ctx)


class HelpfulCommand(ShowsExamples):
    """A command whose help shows the most used options first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups, each below its own heading."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(_group_of(parameter.name or ""), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=_WIDEST_NAMES)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description of the supported files."""
        formatter.write_paragraph()
        formatter.write_text(FILES)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. If an option of another library is typed, the error names the corresponding option."""
        typed = list(args)  # click removes arguments from the list while it parses them
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # `run` names the help of this command in the message
            if isinstance(error, click.NoSuchOption):
                self._advise_on(_as_typed(error.option_name, typed), ctx)
            raise

    def _advise_on(self, typed: str, ctx: click.Context) -> None:
        """Raise an error that names the correct option or command line, if it is known."""
        option = option_for(typed.lstrip("-").replace("-", "_"))
        if option is not None:
            ctx.fail(f"no such option {typed} (did you mean {spelled(option)}?)")
        if typed in _OPTIONS_OF_SACREBLEU:
            ctx.fail(f"no such option {typed} (did you mean {_OPTIONS_OF_SACREBLEU[typed]}?)")
        if typed in _OPTIONS_FOR_FILES:
            ctx.fail(f"no such option {typed}; type the files as in this example: {self.examples[0]}")


def _as_typed(option: str, args: list[str]) -> str:
    """Return the unknown option as it was typed. For ``-lc``, click's error names only ``-l``."""
    typed = [argument for argument in args if argument.startswith(option)]
    name, *_ = (typed or [option])[0].split("=")
    return name


def is_file_name(text: str) -> bool:
    """Return whether a text looks like the name of a file.

    >>> is_file_name("hyp.txt"), is_file_name("out/17"), is_file_name("scor")
    (True, True, False)
    """
    return bool(set(text) & set("./\\:="))


def _group_of(parameter: str) -> str:
    if parameter not in OPTIONS:
        return "Options"
    return "Settings of a score, instead of the dialect's" if parameter in USUAL else "Rarer options"


def spelled(option: str) -> str:
    """Return an option as it is typed on the command line.

    >>> spelled("max_order")
    '--max-order'
    """
    return "--" + option.replace("_", "-")
