"""The help text of a command: its examples, its options (the most used ones first) and the supported files."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections import defaultdict
from copy import copy
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from .._formula import SMOOTHINGS
from .._options import OPTIONS, OUR_NAMES, USUAL
from .._validation import unknown_message

FILES = (
    "A file has one segment per line and may be compressed (.gz, .bz2, .zst). - is standard input. "
    "FILE:COLUMN is a column of a table (.csv, .tsv, .json, .jsonl, .parquet), e.g. data.csv:hypothesis or "
    "data.parquet:translation.en. name=FILE names a system."
)
_FILES_FIRST = "type the files as in this example"
# What to type -> options of sacrebleu, fairseq-score and other commands, and of our other commands
_OTHER_OPTIONS = {
    "--test-set": "-t",
    "--language-pair of a test set, or --target-language": "-l",
    "-b": "--score-only",
    "--fail-if-worse": "--fail-under",
    "--fail-under, or the command compare": "--fail-if-worse",
    "--p-values sacrebleu, of compare": "--paired-bs -pbs",
    "--test approximate-randomization, of compare": "--paired-ar -par",
    "--trials, of compare": "--paired-ar-n -parn",
    "--resamples": "--paired-bs-n -pbsn --confidence-n -cin",
    "--confidence 0.95": "-ci",
    "--num-refs": "-nr",
    "--digits": "-w --width",
    "--sentences": "-sl --sentence-level --sentence-bleu",
    "--smoothing-value": "-sv",
    "--lowercase yes": "-lc -cl --ignore-case",
    "--max-order": "--order",
    "--dialect sacrebleu": "--sacrebleu",
    "--chrf-char-order": "-cc",
    "--chrf-word-order": "-cw",
    "--groups origlang, with a test set": "-ol --origlang --detail",
    "use the command sacrebleu for this": "--echo --list --download --subset --cite --citation",
    "convert the file with iconv -f ENCODING -t UTF-8 FILE > NEW_FILE": "-e --encoding",
    "leave it out": "--force -q --quiet --short -nc --no-color --paired-jobs",
    _FILES_FIRST: "-i --input --hypothesis --hypotheses --predictions --system --systems --sys --hyp -r --ref --refs "
    "--reference --references",
}
_DETAILS = re.compile("\f(.*)\f")
_HELP_ALL = "bleu_metric.help_all"
_RARER = "Rarer options"
# Characters. After longer names of an option, the help text begins on the next line
_WIDEST_NAMES = 30
_COLUMN_SPACING = 2


class ShowsExamples(click.Command):
    """A command whose docstring ends with examples, one per line."""

    def __init__(self, name: str, **attributes: Any) -> None:
        docstring = inspect.cleandoc(attributes.pop("help"))
        # \b tells click to keep the line breaks of the paragraph
        help_text = docstring.replace("Examples:\n", "\b\nExamples:\n")
        super().__init__(name, help=help_text, **attributes)

    @property
    def examples(self) -> list[str]:
        """Return the command lines in the examples of the docstring."""
        return re.findall("^ +(bleu-metric .*)$", self.help or "", re.MULTILINE)


class HelpfulGroup(ShowsExamples, click.Group):
    """A group of commands. Its help lists them in the order of registration, the most used ones first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of registration."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command's name, the command, and its arguments. If the name is unknown, raise ``UsageError``."""
        name = args[0]
        # Words may be unfinished while a shell completes a command line
        is_completion = ctx.resilient_parsing
        if name not in self.commands and not is_completion:
            message = unknown_message("command", name, self.commands)
            if name in ("help", "version"):
                message = f"unknown command {name!r}; type: bleu-metric --{name}"
            elif re.search(r"[./\\:=]", name):  # as in the name of a file
                message = f"unknown command {name!r}; type a command before the files: {self.examples[0]}"
            ctx.fail(message)
        return super().resolve_command(ctx, args)


class HelpfulCommand(ShowsExamples):
    """A command whose help shows the most used options first, and the supported files last."""

    def __init__(self, name: str, **attributes: Any) -> None:
        super().__init__(name, epilog=FILES, **attributes)
        shows_all: Any = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _show_all_help}
        self.params.append(click.Option(["--help-all"], help="Show all options and all names.", **shows_all))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups, each below its own heading."""
        shows_all = ctx.meta.get(_HELP_ALL, False)
        rows_of_heading: dict[str, list[Any]] = defaultdict(list)
        for parameter in map(copy, self.get_params(ctx)):
            if not isinstance(parameter, click.Option):  # the first line of the help has the arguments
                continue
            heading = _RARER if parameter.name in OPTIONS or parameter.hidden else "Options"
            if parameter.name in USUAL:
                heading = "Settings that override the dialect's"
            parameter.hidden = heading == _RARER and not shows_all
            names_and_help = parameter.get_help_record(ctx)  # None for a hidden option
            if names_and_help:
                names, text = names_and_help
                rows_of_heading[heading].append((names, _DETAILS.sub(r"\1" if shows_all else "", text)))

        for heading, rows in rows_of_heading.items():
            with formatter.section(heading):
                widest = min(max(len(names) for names, _text in rows), _WIDEST_NAMES)  # wider names have own lines
                width = formatter.width - formatter.current_indent - widest - _COLUMN_SPACING
                # click would also break names such as multi-bleu at hyphens. \b tells click to keep the lines
                fill = textwrap.TextWrapper(width, break_on_hyphens=False, break_long_words=False).fill
                filled = [(names, f"\b\n{fill(text)}") for names, text in rows]
                formatter.write_dl(filled, col_max=_WIDEST_NAMES, col_spacing=_COLUMN_SPACING)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. If an option of another library was typed, the error says what to type instead."""
        own_options = [option for parameter in self.params for option in parameter.opts]
        options = args[: args.index("--")] if "--" in args else args
        for option, value in zip_longest(options, options[1:], fillvalue=""):
            name = option.partition("=")[0]
            advice = "" if name in own_options else self._advice_on_option(name)
            if name == "-s" and value in SMOOTHINGS and not Path(value).exists():  # of sacrebleu
                advice = f" {value} (did you mean --smoothing {value}?)"
            if advice and not ctx.resilient_parsing:
                ctx.fail(f"no such option {name}{advice}")
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            option = getattr(error, "option_name", "")  # not every error is about an option
            parameter = next((each for each in self.params if option in each.opts), None)
            accepted = getattr(parameter and parameter.type, "choices", None)
            if accepted:
                ctx.fail(f"{error.format_message().removesuffix('.')}: {', '.join(accepted)}")
            # `main.run` reads the command's name from `error.ctx`, which some errors lack
            error.ctx = ctx
            raise

    def _advice_on_option(self, option: str) -> str:
        """Return the end of an error message, such as " (did you mean --test-set?)", or ""."""
        ours = [advice for advice, options in _OTHER_OPTIONS.items() if option in options.split()]
        if option.startswith("-") and (name := OUR_NAMES.get(option.lstrip("-").replace("-", "_"))):
            ours.append(spelled(name))
        advice = ours[0] if ours else ""
        if advice.startswith("-"):
            return f" (did you mean {advice}?)"
        example = f": {self.examples[0]}" if advice == _FILES_FIRST else ""
        return f"; {advice}{example}" if advice else ""


def details(text: str) -> str:
    """Mark a part of an option's help that only ``--help-all`` shows, such as a list of names."""
    return f"\f {text}\f"


def _show_all_help(ctx: click.Context, _parameter: click.Parameter, is_typed: bool) -> None:
    """Print the help with all options and names, and exit, if ``--help-all`` was typed."""
    if is_typed and not ctx.resilient_parsing:
        ctx.meta[_HELP_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


def spelled(option: str) -> str:
    """Return an option as it is typed on the command line.

    >>> spelled("max_order")
    '--max-order'
    """
    return "--" + option.replace("_", "-")
