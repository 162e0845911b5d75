"""Document BLEU (d-BLEU): the segments of each document are joined to one text before they are counted.

As in the code of published work (Bao et al., 2021, G-Transformer), one space joins the sentences of a document in every
language, and the score is the corpus score of the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from ._corpus import Corpus, Layout
from ._display import amount
from ._labels import Label, factorize_labels
from ._reading import Side, read_in_halves
from ._validation import short_repr

_ROWS = 4000  # largest number of segments that are read at once


def join_documents(corpus: Corpus, documents: Any) -> Corpus:
    """Return a corpus whose segments are documents, in the order in which their labels first occur.

    The k-th reference of a document consists of the k-th references of its segments. Lists of tokens are concatenated.

    Args:
        corpus: the segments.
        documents: one label per segment: the document to which it belongs.

    Raises:
        TypeError, ValueError: a row or a label is wrong, as for `corpus_bleu`. ValueError: the segments of a document
            have different numbers of references.
    """
    labels, codes = factorize_labels(documents, len(corpus.references), "documents")
    kind = corpus.layout.kind
    sides: list[list[list[list[Any]]]] = [[[] for _ in labels] for _ in (*corpus.systems, corpus.references)]
    row = 0
    for first, last in corpus.batches(_ROWS):
        for read in read_in_halves(corpus.sides, first, last):
            columns = zip(*(_texts_of_rows(side, kind) for side in read), strict=True)
            for label, texts_of_sides in zip(codes[row:].tolist(), columns, strict=False):
                for of_documents, texts in zip(sides, texts_of_sides, strict=True):
                    _check_number(of_documents[label], texts, corpus.first_row + row, labels[label])
                    of_documents[label].append(texts)
                row += 1
    join = " ".join if kind == "text" else _concatenated
    *systems, references = [[list(map(join, zip(*rows, strict=True))) for rows in side] for side in sides]
    return corpus._replace(
        systems=tuple([[text for (text,) in of_documents] for of_documents in systems]),
        references=references,
        layout=Layout(kind, nested=True),
        first_row=0,
    )


def _texts_of_rows(side: Side, kind: str) -> Iterator[list[Any]]:
    """Yield the texts of each row. A text is a string or a list of tokens."""
    texts: Iterator[Any] = iter(side.values.to_pylist())
    if kind != "text":
        items = texts
        texts = (list(islice(items, length)) for length in side.lengths.tolist())
    for number in side.per_row.tolist():
        yield list(islice(texts, number))


def _check_number(rows: list[list[Any]], texts: list[Any], row: int, label: Label) -> None:
    if rows and len(rows[0]) != len(texts):
        raise ValueError(
            f"references[{row}] has {amount(len(texts), 'reference')}, but the first segment of its document "
            f"{short_repr(label)} has {len(rows[0])}: the references of a document are joined in order, so each of its "
            "segments needs the same number"
        )


def _concatenated(texts: Iterable[list[Any]]) -> list[Any]:
    return list(chain.from_iterable(texts))
