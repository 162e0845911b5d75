"""Define the options of the command line. Options for fields of `BleuConfig` are built from `OPTIONS` and `CHOICES`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .._bootstrap import check_resampling
from .._config import DEFAULT, DIALECTS, BleuConfig, config_of
from .._options import CHOICES, OPTIONS, is_signature
from .._result import typed_word
from .._threads import thread_count
from .._tokens import names_a_model
from .._validation import HIGHEST_ORDER, Spelling, unknown_message
from ..comparison.sacrebleu_metrics import METRIC_OPTIONS
from .help import HelpfulCommand, details, spelled

TEXT_AND_JSON = ("text", "json")
TABLE_FORMATS = (*TEXT_AND_JSON, "tsv", "csv", "markdown", "latex")
USUAL_RESAMPLES = 1000
_OUTPUTS_PER_PROCESS = 1000  # fewer take less time to count than a process to start
_CONFIG_OPTIONS = [name for name, option in OPTIONS.items() if option.help]
_SETTINGS = (*_CONFIG_OPTIONS, "target_language")
# Hidden in the help, because only dialects need them
_HIDDEN = ("strip", "whitespace", "auto_reweigh", "total_floor", "zero_score", "zero_precision")
# Most characters of a list of values, such as "yes|no", that the help shows beside the option
_LONGEST_METAVAR = 40

Command = Any  # a function, or the click command built from it
Decorator = Callable[[Command], Command]
Context = click.Context | None
Parameter = click.Parameter | None


class Integer(click.IntRange):
    """An integer in a range, called "integer" in click's errors."""

    name = "integer"


class Number(click.FloatRange):
    """A number in a range, called "number" in click's errors."""

    name = "number"


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # not generic before click 8.4


class Name(_Choice):
    """A parameter type that accepts the given names, and other values for which `also_accepts` returns True.

    The error for an unknown name suggests the most similar name.
    """

    def __init__(
        self, what: str, names: Iterable[str], also_accepts: Callable[[str], bool] | None = None, advice: str = ""
    ) -> None:
        super().__init__(list(names))
        self.what = what
        self.advice = advice
        self.also_accepts = also_accepts

    def convert(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the name, which may be typed in any case, or another value that is accepted."""
        for name in self.choices:
            if name.lower() == value.lower():
                return name
        if not (self.also_accepts and self.also_accepts(value)):
            self.fail(unknown_message(self.what, value, self.choices) + self.advice, param, ctx)
        return value


DIALECT = Name("dialect", DIALECTS, is_signature)


class ConfigValue(Name):
    """A parameter type that converts a typed word to a value of a `BleuConfig` option, such as "no" to False."""

    def __init__(self, option: str) -> None:
        self.values: dict[str, Any] = {typed_word(value): value for value in CHOICES[option]}
        super().__init__(option.replace("_", " "), self.values, names_a_model if option == "tokenizer" else None)

    def convert(self, value: Any, param: Parameter, ctx: Context) -> Any:
        """Return the value of a typed word, such as False for "no". Return the path of a tokenizer model unchanged."""
        word = super().convert(value, param, ctx)
        return self.values.get(word, word)


def _weights(numbers: str) -> tuple[float, ...]:
    """Parse "0.5,0.5" as (0.5, 0.5)."""
    try:
        return tuple(map(float, numbers.split(",")))
    except ValueError:
        raise click.BadParameter(f"{numbers!r} is not a list of numbers; type e.g. 0.25,0.25,0.25,0.25") from None


# --- Errors of the library become errors of the command line ---------------------------------------------------------


@contextmanager
def usage_errors(prefix: str = "") -> Iterator[None]:
    """Convert a ``TypeError`` or ``ValueError`` to a ``click.UsageError`` whose message begins with `prefix`."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise click.UsageError(f"{prefix}{error}") from None


class FailedCheckError(click.ClickException):
    """A score failed a check such as ``--fail-under``."""


def refuse_unused(names: Iterable[str], needed: str) -> None:
    """Raise ``click.UsageError`` if an option in `names` was typed, although it does nothing without `needed`."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{spelled(name)} does nothing without {needed}")


# --- Files ----------------------------------------------------------------------------------------------------------


def _picture(path: str) -> str:
    """Return `path`, or raise ``click.UsageError`` if no picture can be written to this path."""
    from ..reporting.figures import check_path

    with usage_errors("Invalid value for '--plot': "):
        check_path(path)
    return path


def _number_of_references(value: str) -> str:
    """Return `value` if it is "blocks" or a number above 0. Otherwise raise ``click.BadParameter``."""
    if value == "blocks" or (value.isdecimal() and int(value)):
        return value
    raise click.BadParameter(f"{value!r} is neither a number above 0 nor blocks")


def shapes(command: Command) -> Command:
    """Add ``--num-refs`` and ``--id``, which set how rows become segments."""
    num_refs = click.option(
        "--num-refs",
        metavar="NUMBER|blocks",
        type=_number_of_references,
        help="References per line, separated by tabs. blocks: an empty line ends each segment.",
    )
    id_column = click.option("--id", "id_column", metavar="COLUMN", help="Join the rows of tables by this column.")
    return num_refs(id_column(command))


references: Decorator = click.option(
    "--references", "-r", metavar="REF [REF...]", multiple=True, help="Files of references."
)
plot: Decorator = click.option(
    "--plot", metavar="FILE", type=_picture, help="Write charts to FILE (.png, .svg or .pdf)."
)
plot_title: Decorator = click.option("--title", help="Title of the charts.")
documents: Decorator = click.option(
    "--documents", metavar="FILE", help="Join the segments of each document. FILE has one label per line."
)


def groups(purpose: str) -> Decorator:
    """Return a decorator that adds ``--groups``. `purpose` is the first sentence of the help."""
    return click.option("--groups", "-g", metavar="FILE", help=f"{purpose} FILE has one label per line.")


def baseline(default: str) -> Decorator:
    """Return a decorator that adds ``--baseline``. `default` is the end of the help."""
    return click.option("--baseline", metavar="NAME", help=f"System to compare all others with. {default}")


# Option that accepts several values -> its short name
_SEVERAL_VALUES = {"--references": "-r", "--metrics": "-m", "--segment-scores": None}


class SeveralValues(HelpfulCommand):
    """A command with options that accept several values, such as ``-r a.txt b.txt``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raise ``click.UsageError`` if ``--references`` leaves no file for the systems."""
        own_options = [option for parameter in self.params for option in parameter.opts]
        try:
            return super().parse_args(ctx, _with_repeated_options(args, own_options))
        except click.MissingParameter as error:
            # The systems are the only required argument of these commands
            lacks_systems = isinstance(error.param, click.Argument)
            greedy = [option for option in map(_option_of_several, args) if option in own_options]
            if lacks_systems and greedy:
                ctx.fail(
                    f"{greedy[0]} takes all files up to the next option, so none is left for the systems; give the "
                    f"systems before {greedy[0]}, or after a separate --"
                )
            raise


def _option_of_several(argument: str) -> str | None:
    """Return "--references" for "-r", "-rFILE" and "--references=FILE". Return None for any other argument."""
    for option, short in _SEVERAL_VALUES.items():
        is_short = short is not None and argument.startswith(short) and not argument.startswith("--")
        if is_short or argument.partition("=")[0] == option:
            return option
    return None


def _with_repeated_options(args: list[str], own_options: Collection[str]) -> list[str]:
    """Insert an option of `_SEVERAL_VALUES` before each of its values, because click accepts one value per option.

    >>> _with_repeated_options(["a", "-r", "b", "-", "-t", "none"], ["--references"])
    ['a', '--references', 'b', '--references', '-', '-t', 'none']
    """
    new_args: list[str] = []
    option = None  # the option of the next values
    for index, argument in enumerate(args):
        if argument == "--":
            systems_only = args[index:]  # after --, no argument is an option
            return new_args + systems_only

        # "-" is the file for standard input
        is_option = argument.startswith("-") and argument != "-"
        if is_option:
            option = _option_of_several(argument)
            option = option if option in own_options else None
            if argument in (option, _SEVERAL_VALUES.get(option or "")):
                continue  # it is inserted before each of its values
        elif option:
            new_args.append(option)
        new_args.append(argument)
    return new_args


# --- Other metrics --------------------------------------------------------------------------------------------------


def metrics(command: Command) -> Command:
    """Add ``--metrics`` and the options that sacrebleu has for these metrics, such as ``--chrf-word-order``."""
    for metric, settings in METRIC_OPTIONS.items():
        for name, least in settings.items():
            kind: dict[str, Any] = {"is_flag": True}
            if least is not None:
                kind = {"type": Integer(least), "metavar": "NUMBER"}
            purpose = f"{name} of sacrebleu's {metric}."
            command = click.option(spelled(f"{metric}_{name}"), **kind, hidden=True, help=purpose)(command)
    purpose = "Processes that count chrF and TER. Usually one per 1,000 outputs, and at most one per core."
    command = count("jobs", None, purpose)(command)
    one_of = Name("metric", METRIC_OPTIONS, advice="; give the files before --metrics, or after a separate --")
    purpose = "Metrics beside BLEU: chrf, ter. sacrebleu computes them."
    return click.option("--metrics", "-m", metavar="NAME [NAME...]", multiple=True, type=one_of, help=purpose)(command)


segment_scores: Decorator = click.option(
    "--segment-scores",
    metavar="METRIC=FILE[,FILE...]",
    multiple=True,
    help="Scores of another metric: one file per system, with one number per line.",
)


# --- Output ---------------------------------------------------------------------------------------------------------


def _digits(value: str) -> int:
    """Return the number 1 or 2, or raise ``click.BadParameter``."""
    if value in ("1", "2"):
        return int(value)
    raise click.BadParameter(f"{value!r} is neither 1 nor 2; --format json and --format tsv print all digits")


digits: Decorator = click.option(
    "--digits",
    type=_digits,
    metavar="1|2",
    default="1",
    help="Digits of a score after the decimal point.",
)


def output_format(formats: Iterable[str]) -> Decorator:
    """Return a decorator that adds ``--format``, which accepts the given names."""
    one_of = Name("format", formats)
    return click.option("--format", "-f", "output_format", type=one_of, default="text", help="Format of the output.")


# --- Resampling -----------------------------------------------------------------------------------------------------


def count(name: str, default: int | None, purpose: str, *short: str) -> Decorator:
    """Return a decorator that adds an option for a positive integer. `short`: the short name, e.g. ``-n``."""
    positive = Integer(1)
    return click.option(spelled(name), *short, type=positive, metavar="NUMBER", default=default, help=purpose)


def resampling(confidence: float | None, purpose: str) -> Decorator:
    """Return a decorator that adds the options of bootstrap intervals. `confidence`: the default level."""
    add_level = click.option("--confidence", type=float, metavar="NUMBER", default=confidence, help=purpose)
    add_resamples = count("resamples", None, "Number of resamples; usually 1,000.")
    add_seed = click.option("--seed", metavar="NUMBER", default=12345, help="Random seed.")
    return lambda command: add_level(add_resamples(add_seed(command)))


def check_resamples(typed: Typed) -> None:
    """Raise ``click.UsageError`` if ``--confidence``, ``--resamples`` and ``--seed`` do not allow an interval."""
    with usage_errors():
        check_resampling(typed.resamples or USUAL_RESAMPLES, typed.seed, typed.confidence)


# --- The settings of a score ----------------------------------------------------------------------------------------


def dialect(default: str | None = DEFAULT) -> Decorator:
    """Return a decorator that adds ``--dialect`` with the given default."""
    names = details(f"Names: {', '.join(DIALECTS)}.")
    purpose = f"Library whose BLEU is computed, e.g. nltk; or a signature.{names}"
    return click.option("--dialect", "-d", type=DIALECT, metavar="NAME", default=default, help=purpose)


LANGUAGE_OF_GROUP = "@group"


def _check_language(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    if value == LANGUAGE_OF_GROUP and ctx.command.name not in ("score", "compare"):
        raise click.BadParameter(f"only score and compare accept {LANGUAGE_OF_GROUP}; type the language, e.g. zh")
    return value


_target_language = click.option(
    "--target-language",
    metavar="CODE",
    callback=_check_language,
    help="Language, which sets the tokenizer, e.g. zh or en-ko."
    + details("@group: each label of --groups is a language (score, compare)."),
)


_NUMBERS: dict[str, dict[str, Any]] = {
    "weights": {"metavar": "NUMBERS", "type": _weights},
    "max_order": {"type": Integer(1, HIGHEST_ORDER), "metavar": "NUMBER"},
    "smoothing_value": {"type": float, "metavar": "NUMBER"},
}


def _attributes_of(name: str) -> dict[str, Any]:
    """Return the help and the type of the click option for a field of `BleuConfig`.

    The accepted values are shown beside the option, as in ``[yes|no]``. A long list of values is in the help.
    """
    purpose = OPTIONS[name].help
    if name in _NUMBERS:
        return {"help": purpose, **_NUMBERS[name]}

    value_type = ConfigValue(name)
    metavar = "|".join(value_type.choices)
    if len(metavar) <= _LONGEST_METAVAR:
        return {"help": purpose, "type": value_type}
    accepted = ", ".join(value_type.choices)
    return {"help": f"{purpose}{details(f'Names: {accepted}.')}", "type": value_type, "metavar": "NAME"}


class TypedSpelling(Spelling):
    """How messages name options and rows on the command line."""

    def option(self, name: str, *value: object) -> str:
        """Return an option as it is typed.

        >>> TypedSpelling().option("weights", [0.5, 0.5]), TypedSpelling().option("n_resamples")
        ('--weights 0.5,0.5', '--resamples')
        """
        return " ".join([spelled(name.removeprefix("n_")), *map(typed_word, value)])

    def row(self, texts: str, *indices: int) -> str:
        """Return the name of a text, which contains its position, counted from 1.

        >>> TypedSpelling().row("predictions", 3), TypedSpelling().row("references", 1, 0)
        ('prediction 4', 'reference 1 of segment 2')
        """
        *segment, index = indices
        where = f" of segment {segment[0] + 1}" if segment else ""
        return f"{texts.removesuffix('s')} {index + 1}{where}"

    def code(self, code: str) -> str:
        """Return "", because Python code is no advice for the command line."""
        return ""


class Typed(SimpleNamespace):
    """The arguments and options of a command as attributes. An option that was not typed has its default, or None."""

    @property
    def language_of_groups(self) -> bool:
        """Return whether ``--target-language @group`` was typed: each label of ``--groups`` is a language."""
        return bool(self.target_language == LANGUAGE_OF_GROUP)

    def choices(self) -> dict[str, Any]:
        """Return the settings that the user typed, as arguments of `BleuConfig`."""
        typed = vars(self)
        choices = {name: typed[name] for name in _SETTINGS if typed[name] is not None}

        # The language pair of the test set determines the tokenizer, unless a signature does
        pair = typed.get("language_pair")
        if pair is not None and not is_signature(self.dialect):
            choices.setdefault("target_language", pair)
        return choices

    def other_metrics(self) -> dict[str, dict[str, Any]]:
        """Return the typed metrics beside BLEU, and their options, such as {"chrf": {"word_order": 2}}."""
        chosen = {}
        for metric, settings in METRIC_OPTIONS.items():
            typed = {name: getattr(self, f"{metric}_{name}") for name in settings}
            typed = {name: value for name, value in typed.items() if value is not None and value is not False}
            if metric in self.metrics and metric != "bleu":
                chosen[metric] = typed
            else:
                refuse_unused([f"{metric}_{name}" for name in typed], f"--metrics {metric}")
        if not chosen:
            refuse_unused(["jobs"], "--metrics chrf or ter")
        return chosen

    def n_processes(self, n_outputs: int) -> int:
        """Return ``--jobs``, or a number of processes that is worth starting to count chrF and TER of some outputs."""
        worth = n_outputs // _OUTPUTS_PER_PROCESS if self.metrics else 1
        return self.jobs or max(1, min(thread_count(), worth))

    def config(self, dialect: Any = None) -> BleuConfig:
        """Return the configuration. Raise ``click.UsageError`` if the settings cannot be combined."""
        with usage_errors():
            return config_of(dialect or self.dialect, self.choices())


def with_settings(command: Callable[[Typed], None]) -> Command:
    """Add the options for the settings of a score. `command` gets all arguments and options as one `Typed` object."""

    @wraps(command)
    def run(**parameters: Any) -> None:
        command(Typed(**parameters))

    decorated: Command = run
    # The option added last comes first in the help
    for name in reversed(_CONFIG_OPTIONS):
        add = click.option(spelled(name), name, hidden=name in _HIDDEN, **_attributes_of(name))
        decorated = add(decorated)
    return _target_language(decorated)
