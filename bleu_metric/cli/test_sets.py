"""Find the references of public test sets, which sacrebleu downloads and caches."""

from __future__ import annotations

from typing import Any

import click

from .._signature import is_signature
from .._validation import unknown_message


def with_test_set(command: Any) -> Any:
    """Add ``--test-set`` and ``--language-pair`` to a command, and return the command."""
    pair = click.option("--language-pair", metavar="PAIR", help="Languages of the test set, e.g. en-de.")
    name = click.option("--test-set", metavar="NAME", help="Use the references of a public test set, e.g. wmt22.")
    return name(pair(command))


def with_language_of_pair(options: dict[str, Any], pair: str | None, dialect: str) -> dict[str, Any]:
    """Return the options with the target language of a test set, as in sacrebleu.

    A language that was typed stays, and so does the tokenizer of a signature.
    """
    is_chosen = options["target_language"] or is_signature(dialect)
    return options if is_chosen or pair is None else {**options, "target_language": pair}


def find_references(files: tuple[str, ...], test_set: str | None, language_pair: str | None) -> tuple[str, ...]:
    """Return the paths of the reference files: `files`, or those of the test set, which sacrebleu downloads once.

    Raise ``click.ClickException`` if neither files nor a test set are given, if both are given, or if sacrebleu cannot
    provide the test set.
    """
    if test_set is None and language_pair is None:
        if not files:
            raise click.UsageError(
                "Missing argument 'REF [REF...]'. Give a file of references, or --test-set; type - for HYP if the "
                "predictions come from standard input"
            )
        return files
    if test_set is None or language_pair is None:
        raise click.UsageError("pass both options, e.g. --test-set wmt22 --language-pair en-de")
    if files:
        raise click.UsageError(f"--test-set replaces the files of references; remove {' '.join(files)}")
    return _of_sacrebleu(test_set, language_pair)


def _of_sacrebleu(test_set: str, language_pair: str) -> tuple[str, ...]:
    try:
        from sacrebleu.utils import get_available_testsets, get_langpairs_for_testset, get_reference_files
    except ImportError as error:
        raise click.ClickException(
            f"--test-set needs sacrebleu; type: pip install 'bleu_metric[sacrebleu]' ({error})"
        ) from error
    names = get_available_testsets()
    if test_set not in names:
        raise click.UsageError(unknown_message("test set", test_set, names))
    pairs = get_langpairs_for_testset(test_set)
    if language_pair not in pairs:
        raise click.UsageError(unknown_message(f"language pair of {test_set}", language_pair, pairs))
    try:
        return tuple(get_reference_files(test_set, language_pair))
    except (OSError, SystemExit) as error:  # sacrebleu calls sys.exit if a download fails
        raise click.ClickException(
            f"the test set {test_set} is not in sacrebleu's cache and cannot be downloaded ({error}): connect to "
            "the internet once, or copy the folder ~/.sacrebleu from a computer that has the test set"
        ) from error
