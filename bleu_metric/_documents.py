"""Document BLEU (d-BLEU): the segments of each document are joined into one text before n-grams are counted.

The score is the corpus score of these texts. As in the code of G-Transformer (Bao et al., 2021), one space joins the
sentences of a document, in every language.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from ._corpus import Corpus
from ._display import amount
from ._labels import Label, rows_by_group
from ._lazy import np
from ._texts import Kind, Texts, split_list
from ._validation import Ints, short_repr

TextsOfRows = list[list[Any]]  # one list of texts for each row


def join_documents(corpus: Corpus, documents: Any, keeps_empty: bool = True) -> Corpus:
    """Return a corpus with one segment per document, in the order in which the documents' labels first occur.

    The k-th reference of a document consists of the k-th references of its segments. Strings are joined with a space,
    lists of tokens are concatenated.

    Args:
        corpus: the segments.
        documents: one label per segment. Segments with the same label belong to the same document.
        keeps_empty: False: leave out empty references, as if they were None.

    Raises:
        TypeError, ValueError: a row or a label is invalid.
        ValueError: the segments of a document have different numbers of references.
    """
    rows_by_label = rows_by_group(documents, len(corpus.references), "documents")
    rows_of_documents = [rows.tolist() for rows in rows_by_label.values()]
    kind = corpus.kind
    references = _texts_of_rows(*corpus.read_references())
    if not keeps_empty:
        references = [[text for text in texts if (text.strip() if kind == "text" else text)] for texts in references]
    for label, rows in zip(rows_by_label, rows_of_documents, strict=True):
        _check_same_number_of_references(references, rows, label, corpus.first_row)

    systems = []
    for texts in corpus.read_systems():
        one_per_row = np.ones(len(texts.per_text), np.int64)
        joined = _join_rows(_texts_of_rows(texts, one_per_row), rows_of_documents, kind)
        systems.append([text for [text] in joined])
    return corpus._replace(
        systems=tuple(systems),
        references=_join_rows(references, rows_of_documents, kind),
        nested=True,
        first_row=0,  # the rows are documents now
        unjoined=corpus,
    )


def _texts_of_rows(texts: Texts, per_row: Ints) -> TextsOfRows:
    """Return the texts of each row. A text is a string, or a list of tokens or ids. `per_row`: texts of each row."""
    strings: Any = texts.ids.tolist() if texts.kind == "ids" else texts.strings()
    all_texts = strings if texts.kind == "text" else split_list(strings, texts.per_text)
    return split_list(all_texts, per_row)


def _check_same_number_of_references(references: TextsOfRows, rows: list[int], label: Label, first_row: int) -> None:
    """Raise ``ValueError`` if the rows of a document have different numbers of references.

    `references`: those of all rows of the corpus. `rows`: the indices of the document's rows. `label`: the document's
    label. `first_row`: the index of the corpus's first row in error messages.
    """
    n_expected = len(references[rows[0]])
    for row in rows:
        n_references = len(references[row])
        if n_references != n_expected:
            raise ValueError(
                f"references[{first_row + row}] has {amount(n_references, 'reference')}, but the first segment of its "
                f"document {short_repr(label)} has {n_expected}: the references of a document are joined in order, so "
                "all its segments need the same number of references"
            )


def _join_rows(texts_of_rows: TextsOfRows, rows_of_documents: list[list[int]], kind: Kind) -> TextsOfRows:
    """For each document, join the first texts of its rows into one text, then their second texts, and so on.

    `rows_of_documents`: the indices of each document's rows.

    >>> _join_rows([["a", "A"], ["b", "B"], ["c", "C"]], [[0, 2], [1]], "text")
    [['a c', 'A C'], ['b', 'B']]
    """
    joined = []
    for rows in rows_of_documents:
        texts_by_position = zip(*[texts_of_rows[row] for row in rows], strict=True)
        joined.append([_join(texts, kind) for texts in texts_by_position])
    return joined


def _join(texts: Iterable[Any], kind: Kind) -> Any:
    """Join strings with spaces, or concatenate lists of tokens."""
    return " ".join(texts) if kind == "text" else list(chain.from_iterable(texts))
