"""Labels that assign segments to groups or to documents, and document BLEU (d-BLEU).

For document BLEU, the segments of each document are joined into one text before n-grams are counted. The score is the
corpus score of these texts. As in the code of G-Transformer (Bao et al., 2021), one space joins the sentences of a
document, in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from ._corpus import NO_TOKENS, Corpus
from ._display import amount
from ._lazy import np, pa
from ._texts import Kind, Texts, split_list, utf8_error
from ._validation import Ints, as_numpy, first_of_wrong_type, row_of, short_repr, with_type, without_array

Label = str | int


def factorize_labels(groups: Any, n_segments: int, name: str = "groups") -> tuple[list[Label], Ints]:
    """Return the distinct labels in order of first occurrence, and for each segment the index of its label.

    `name`: the argument, for messages. Raise ``TypeError`` if a label is neither a string nor an integer. Raise
    ``ValueError`` if the number of labels differs from the number of segments, if an integer does not fit into 64 bits,
    or if a string is not UTF-8.

    >>> factorize_labels(["news", "chat", "news"], 3)
    (['news', 'chat'], array([0, 1, 0]))
    """
    labels = _as_list(groups, name)
    _check_labels(labels, n_segments, name)

    distinct = dict.fromkeys(labels)  # keeps the order, unlike a set
    index_of = {label: index for index, label in enumerate(distinct)}
    label_indices = np.array([index_of[label] for label in labels], np.int64)

    # NumPy's integers become Python's, because JSON needs these
    plain = [label.item() if isinstance(label, np.generic) else label for label in distinct]
    return plain, label_indices


def _as_list(groups: Any, name: str) -> Sequence[Any]:
    """Return the labels of a list, array or column; raise ``TypeError`` for anything else."""
    if isinstance(groups, (list, tuple)):
        return groups
    if isinstance(groups, (pa.Array, pa.ChunkedArray)):
        try:
            return list(groups.to_pylist())
        except UnicodeDecodeError:
            raise utf8_error(groups, lambda row: f"{name}[{row}]") from None
    if type(groups).__module__.startswith("datasets."):  # a column of the library `datasets`
        return list(groups[:])

    array = as_numpy(groups)
    if array.ndim != 1:
        raise TypeError(
            f"{name} must be a list, array or column with one label per segment, got {type(groups).__name__} "
            f"({short_repr(groups)})"
        )
    labels: Sequence[Any] = without_array(array)
    return labels


def _check_labels(labels: Sequence[Any], n_segments: int, name: str) -> None:
    """Check the labels, and raise the errors that `factorize_labels` documents."""
    if len(labels) != n_segments:
        numbers = f"{amount(len(labels), 'label')} for {amount(n_segments, 'segment')}"
        raise ValueError(f"{name} has {numbers}: pass one label per segment")

    row = first_of_wrong_type(labels, (str, int, np.integer))
    if row is not None:
        raise TypeError(
            f"{name}[{row}] is {with_type(labels[row])}; every segment needs a label that is a string or an integer"
        )

    # Without this limit, many huge integers could share one hash, which makes a dict slow
    for row, label in enumerate(labels):
        fits = isinstance(label, str) or -(2**63) <= label < 2**63
        if not fits:
            raise ValueError(f"{name}[{row}] is {short_repr(label)}, which does not fit into 64 bits; pass strings")


def rows_by_group(groups: Any, n_segments: int, name: str = "groups") -> dict[Label, Ints]:
    """Return the row indices of each group, in ascending order. The arguments are those of `factorize_labels`.

    >>> rows_by_group(["news", "chat", "news"], 3)
    {'news': array([0, 2]), 'chat': array([1])}
    """
    labels, label_indices = factorize_labels(groups, n_segments, name)
    # The rows of the first label, then those of the second, …
    grouped_rows = np.argsort(label_indices, kind="stable")
    ends = np.cumsum(np.bincount(label_indices))
    rows_of_groups = np.split(grouped_rows, ends[:-1])  # needs no end of the last group
    # Not strict: without labels, `np.split` still returns one array
    return dict(zip(labels, rows_of_groups, strict=False))


# --- Documents ------------------------------------------------------------------------------------------------------

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
    corpus.findings.add(NO_TOKENS)  # a segment may be empty even if its document is not
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
                f"{row_of('references', first_row + row)} has {amount(n_references, 'reference')}, but the first "
                f"segment of its document {short_repr(label)} has {n_expected}: the references of a document are "
                "joined in order, so all its segments need the same number of references"
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
