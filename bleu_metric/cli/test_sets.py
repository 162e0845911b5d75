"""Find the references and labels of public test sets, which sacrebleu downloads and caches."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import click

from .._lazy import missing_package
from .._validation import unknown_message, warn
from .help import details
from .options import Typed
from .rows import split_column

_FIELDS_OF_LABELS = ("docid", "domain", "genre", "origlang")


def with_test_set(command: Any) -> Any:
    """Add ``--test-set`` and ``--language-pair`` to a command, and return the command."""
    pair = click.option("--language-pair", metavar="PAIR", help="Languages of the test set, e.g. en-de.")
    name = click.option(
        "--test-set",
        metavar="NAME",
        help="References of a public test set, e.g. wmt22."
        + details("--groups may then be docid, domain, genre or origlang."),
    )
    return name(pair(command))


class ReferenceFiles(NamedTuple):
    """The files of references and, for a public test set, the file of source texts and the labels."""

    references: tuple[str, ...]
    source: str | None = None
    labels: Mapping[str, str] = {}
    """A dict from each kind of label, such as "domain", to its file."""

    def labels_of(self, groups: str | None) -> str | None:
        """Return the file of a kind of label, such as "domain". Return `groups` unchanged if it is a file or None."""
        if groups is None or not self.labels:
            return groups

        path, _ = split_column(groups)
        if Path(path).exists():
            return groups
        if groups not in self.labels:
            raise click.UsageError(unknown_message("file or label of the test set", groups, self.labels))
        return self.labels[groups]


def find_test_set(typed: Typed) -> ReferenceFiles:
    """Return the typed files of references or, if there are none, the files of ``--test-set``.

    Raise ``click.ClickException`` if both or neither are given, or if sacrebleu cannot provide the test set.
    """
    if typed.test_set is None and typed.language_pair is None:
        if not typed.references:
            is_score = click.get_current_context().info_name == "score"
            example = "HYP REF" if is_score else "-r before the references, as in -r ref.txt"
            raise click.UsageError(
                f"the references are missing; type {example}, or --test-set and --language-pair. For predictions from "
                "standard input, type - as their file"
            )
        # Beside the file ref, multi-bleu.perl reads ref0, ref1, and so on
        for path in typed.references if typed.dialect.startswith("multi-bleu") else ():
            names = takewhile(lambda name: Path(name).exists(), (f"{path}{number}" for number in count()))
            if not set(numbered := list(names)) <= set(typed.references):
                listed = ", ".join(numbered)
                warn(f"for {path}, multi-bleu.perl also reads {listed}: to score against all, type all files")
        return ReferenceFiles(typed.references)

    if typed.test_set is None or typed.language_pair is None:
        raise click.UsageError("type both --test-set and --language-pair, e.g. --test-set wmt22 --language-pair en-de")
    if typed.references:
        raise click.UsageError(f"--test-set replaces the files of references; remove {' '.join(typed.references)}")
    return _files_of_test_set(typed.test_set, typed.language_pair)


def _files_of_test_set(test_set: str, pair: str) -> ReferenceFiles:
    """Return the files of a test set, which sacrebleu downloads if they are not in its cache."""
    try:
        from sacrebleu.dataset import DATASETS
    except ImportError as error:
        raise missing_package("--test-set", "sacrebleu", error) from error

    if test_set not in DATASETS:
        raise click.UsageError(unknown_message("test set", test_set, DATASETS))
    dataset = DATASETS[test_set]
    if pair not in dataset.langpairs:
        raise click.UsageError(unknown_message(f"language pair of {test_set}", pair, dataset.langpairs))
    try:
        files, references = dataset.get_files(pair), dataset.get_reference_files(pair)
    except (OSError, SystemExit) as error:  # sacrebleu calls sys.exit if a download fails
        raise click.ClickException(
            f"the test set {test_set} is not in sacrebleu's cache and cannot be downloaded ({error}): connect to "
            "the internet once, or copy the folder ~/.sacrebleu from a computer that has the test set"
        ) from error
    file_of_field = dict(zip(dataset.fieldnames(pair), files, strict=True))
    labels = {field: file_of_field[field] for field in _FIELDS_OF_LABELS if field in file_of_field}
    return ReferenceFiles(tuple(references), file_of_field["src"], labels)
