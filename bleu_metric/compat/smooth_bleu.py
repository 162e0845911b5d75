"""Drop-in replacement for CodeXGLUE's sentence BLEU, which many projects contain a copy of.

Import ``bleu_metric.compat.smooth_bleu`` instead of the copy: ``smooth_bleu.py``, ``bleu.py`` or ``evaluator.py``.
CodeBERT, CodeT5, CodeReviewer, lm-evaluation-harness and bigcode-evaluation-harness score code comments with this BLEU.
This module follows the folder Code-Text/code-to-text of CodeXGLUE, commit ac74a62.

If your texts have no ids, use ``bleu_metric.corpus_bleu(…, "codexglue")``, which accepts lists.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from .._bleu import corpus_statistics
from .._statistics import score_sentences
from ._inputs import count_texts, warn_of_mistake

__all__ = ["bleu", "bleuFromMaps", "computeMaps", "normalize", "splitPuncts"]

Text = str | Sequence[str]  # a text or a list of words
Texts = Sequence[Text]
Map = Mapping[Any, Texts]
TextsOfIds = dict[str, list[str]]
Rows = str | PathLike[str] | Iterable[str]  # a file, or its lines

# "&amp;" is replaced last, because "&amp;lt;" must become "&lt;", not "<"
_ENTITIES = (("&quot;", '"'), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"))
_REWRITTEN = re.compile("&|<skipped>", re.IGNORECASE)
# mteval-v11a puts spaces around most punctuation, a period or comma except between digits, and a dash after a digit
_SPACES_OF_PATTERN = {
    re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])"): r" \1 ",
    re.compile(r"([^0-9])([\.,])"): r"\1 \2 ",
    re.compile(r"([\.,])([^0-9])"): r" \1 \2",
    re.compile(r"([0-9])(-)"): r"\1 \2 ",
}


def splitPuncts(line: str) -> str:  # noqa: N802
    """Put spaces between the words and the punctuation characters of a line.

    >>> splitPuncts("get_name(id)")
    'get_name ( id )'
    """
    return " ".join(re.findall(r"[\w]+|[^\s\w]", line))


def normalize(s: Text) -> list[str]:
    """Lower-case a text, or a list of words, and split it into tokens by the rules of mteval-v11a.

    >>> normalize("Returns get_name, or 3.14")
    ['returns', 'get', '_', 'name', ',', 'or', '3.14']
    """
    text = _as_line(s)

    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)

    text = f" {text.lower()} "
    for pattern, with_spaces in _SPACES_OF_PATTERN.items():
        text = pattern.sub(with_spaces, text)
    return text.split()


def bleu(refs: Texts, candidate: Text, ground: int = 0, smooth: int = 1) -> list[float]:
    """Compute the sentence BLEU of one prediction.

    Args:
        refs: the references, each a text or a list of words.
        candidate: the prediction, a text or a list of words.
        ground: ignored, as in CodeXGLUE.
        smooth: if 1, add 1 to the number of matches and to the number of n-grams of orders 2 to 4.

    Returns:
        Five numbers: BLEU from 0 to 1, and the precisions of orders 1 to 4 before smoothing.

    Raises:
        ValueError: there is no reference.

    >>> [round(number, 4) for number in bleu(["return the sum"], "returns the sum")]
    [0.6866, 0.6667, 0.5, 0.0, 0.0]
    """
    [scores] = _score([refs], [candidate], smooth)
    return scores


def bleuFromMaps(m1: Map, m2: Map) -> list[float]:  # noqa: N802
    """Score the prediction of each id that occurs in both dicts, and compute the mean scores.

    Args:
        m1: a dict that maps each id to a list of references.
        m2: a dict that maps each id to a list whose first item is the prediction.

    Returns:
        The means of the five numbers that `bleu` returns, in percent.

    Raises:
        ZeroDivisionError: the dicts have no id in common.

    >>> round(bleuFromMaps({"1": ["return the sum"]}, {"1": ["returns the sum"]})[0], 2)
    68.66
    """
    ids = [key for key in m1 if key in m2]
    if not ids:
        raise ZeroDivisionError("the references and the predictions have no id in common")

    if isinstance(m2[ids[0]], str):
        warn_of_mistake(f"m2[{ids[0]!r}] is one string, so only its first character is scored; pass [text]")
    references = [m1[key] for key in ids]
    predictions = [m2[key][0] for key in ids]
    scores = _score(references, predictions, smooth=1)
    columns = zip(*scores, strict=True)  # one column for each of the five numbers
    return [sum(column) * 100.0 / len(ids) for column in columns]


def _score(references: Sequence[Texts], candidates: Sequence[Any], smooth: int) -> list[list[float]]:
    """Return, for each candidate, the five numbers that `bleu` returns."""
    if isinstance(references[0], str):
        warn_of_mistake("the references are one string, so each of its characters counts as a reference; pass [text]")

    predictions = list(map(_as_line, candidates))
    lists = [list(map(_as_line, texts)) for texts in references]
    options: Any = {"smoothing": "codexglue", "smoothing_value": 1.0 if smooth == 1 else 0.0}
    if any(_REWRITTEN.search(text) for texts in (predictions, *lists) for text in texts):
        # Only `normalize` replaces entities such as "&amp;" in CodeXGLUE's order, and keeps "<SKIPPED>"
        corpus: tuple[Any, Any] = list(map(normalize, predictions)), [list(map(normalize, texts)) for texts in lists]
        statistics = corpus_statistics(*corpus, "codexglue", **options)
    else:
        statistics = count_texts(
            predictions, lists, "codexglue", tokenizer="13a", lowercase=True, strip=False, **options
        )

    counts = zip(statistics.matches.tolist(), statistics.totals.tolist(), strict=True)
    scores = zip(score_sentences(statistics).tolist(), counts, strict=True)
    return [[score, *map(_precision, matches, totals)] for score, (matches, totals) in scores]


def _as_line(text: Text) -> str:
    """Return a text as a string: ["a", "b"] -> "a b"."""
    return text if isinstance(text, str) else " ".join(text)


def _precision(matches: int, total: int) -> float:
    """Compute `matches` / `total` from logarithms, to equal CodeXGLUE to the last digit. If `total` is 0, return 0."""
    # Add the smallest normal number, because 0 has no logarithm
    return math.exp(math.log(matches + sys.float_info.min) - math.log(total)) if total else 0.0


def computeMaps(predictions: Iterable[str], goldfile: Rows) -> tuple[TextsOfIds, TextsOfIds]:  # noqa: N802
    r"""Read predictions and references from rows. Each row consists of an id, a tab and a text.

    Args:
        predictions: the rows of the predictions, e.g. an open file. A row without a tab is an id with an empty text.
        goldfile: the rows of the references, or the path of a file with these rows. If an id has several references,
            each of them is a row.

    Returns:
        Two dicts for `bleuFromMaps`. The first maps each id to its references, and the second maps each id to a list
        with its prediction. Texts are lower-cased and split by `splitPuncts`. The first dict omits ids that have no
        prediction.

    Raises:
        ValueError: a row of `goldfile` does not have exactly one tab.

    >>> computeMaps(["1\tReturns x."], ["1\tReturn x.", "2\tSet y."])
    ({'1': ['return x .']}, {'1': ['returns x .']})
    """
    predicted = {}
    for row in predictions:
        # The "" is the text of a row without a tab
        key, text, *_ = [*row.strip().split("\t"), ""]
        predicted[key] = [splitPuncts(text.strip().lower())]

    if isinstance(goldfile, (str, PathLike)):
        with Path(goldfile).open(encoding="utf-8") as lines:
            goldfile = [*lines]
    gold: TextsOfIds = {}
    for number, row in enumerate(goldfile):
        key, *texts = row.split("\t")
        if len(texts) != 1:
            raise ValueError(f"row {number} of the references must be an id, a tab and a text, got {row!r}")
        if key in predicted:
            gold.setdefault(key, []).append(splitPuncts(texts[0].strip().lower()))
    print(f"Total: {len(gold)}", file=sys.stderr)  # as CodeXGLUE does
    return gold, predicted
