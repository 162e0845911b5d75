"""BLEU as the `compute_metrics` hook of `transformers.Seq2SeqTrainer`.

transformers itself is not imported, because the hook calls only the tokenizer's `batch_decode` and methods of tensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from .._advice import ALIKE, MOST_COMPARED, UNLIKE, most_shared, warn_of_zero
from .._config import DEFAULT, BleuOptions, Dialect, config_of
from .._corpus import IGNORED
from .._display import amount
from .._statistics import BleuStatistics, orders_of, score, score_orders
from .._validation import check_count, check_methods, short_repr, warn
from ..scale.accumulator import Accumulator, initialized_distributed
from .padding import remove_padding

_TEACHER_FORCED = (
    "these predictions are teacher-forced: the model predicted each token from the reference's previous tokens, so "
    "their BLEU is not comparable with that of generated texts; pass predict_with_generate=True to "
    "Seq2SeqTrainingArguments. A causal language model also predicts each label one position earlier: generate its "
    "texts in a loop of your own"
)
_CHECKED = 16  # number of samples whose labels are compared with `references`


@dataclass(eq=False, repr=False)
class TrainerHook:
    """The hook that `compute_metrics` returns. Trainer calls it."""

    _tokenizer: Any
    _references: Sequence[Any] | None
    _n_samples: int | None  # of the evaluation set; None if unknown
    _counts: Accumulator
    _all_orders: bool
    _n_counted: int = 0  # number of samples counted since the evaluation began
    _has_warned: bool = False  # of logits

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        """Count a batch or a whole evaluation set. Return the scores, or {} if `compute_result` is false."""
        try:
            for ids, labels in _batches(prediction):
                self._add(ids, labels)
            if not compute_result:
                return {}
            self._check_number()
        except BaseException:
            self.reset()  # otherwise the next evaluation would start with these counts
            raise

        statistics = self._counts.statistics
        self.reset()
        warn_of_zero(score(statistics), statistics.config, "")
        return _scores_to_log(statistics) | (score_orders(statistics) if self._all_orders else {})

    def _check_number(self) -> None:
        """Raise ``ValueError`` if the number of counted samples is 0, or differs from `_n_samples`."""
        n_counted = self._n_counted
        # Without `_n_samples`, any number above 0 is right
        n_expected = self._n_samples or n_counted
        if n_counted == 0 or n_counted != n_expected:
            raise ValueError(
                f"Trainer gave {amount(n_counted, 'prediction')} for {amount(n_expected, 'sample')} of the "
                "evaluation set; for another dataset, pass its references or samples to a new compute_metrics"
            )

    def _add(self, ids: Any, labels: Any) -> None:
        """Decode a batch and count its n-grams."""
        texts = self._without_repetitions(self._decode(ids, labels))
        if not texts:
            return  # the batch has only repeated samples

        first_sample = self._n_counted
        self._n_counted += len(texts)
        if self._references is not None and self._n_counted > len(self._references):
            raise ValueError(
                f"compute_metrics has {amount(len(self._references), 'reference')}, but the evaluation set has more "
                "samples; pass one entry of references per sample"
            )
        if self._references is None:
            if labels is None:
                raise TypeError("the evaluation set has no labels; pass references=… to compute_metrics")
            # The labels of repeated samples are at the end
            references: Any = self._decode(labels)[: len(texts)]
        else:
            references = self._references[first_sample : self._n_counted]
            if first_sample == 0 and labels is not None:
                self._check_order(labels)
        self._counts.update(texts, references)

    def _check_order(self, labels: Any) -> None:
        """Raise ``ValueError`` if most labels of the first samples are references of other samples.

        Warn if they are only like references of other samples.
        """
        try:
            texts = self._decode(_first(labels)[:_CHECKED])
        except TypeError:
            return  # the labels are no token ids, and are not needed

        entries: Any = self._references
        pairs = [(text, _strings_of(entry)) for text, entry in zip(texts, entries, strict=False)]
        others = [(text, own) for text, own in pairs if text not in own]
        if 2 * len(others) <= len(pairs):
            return
        strings = [text for entry in entries for text in _strings_of(entry)]
        equal, searched = {*strings}.intersection(text for text, _ in others), strings[:MOST_COMPARED]
        moved = [
            text
            for text, own in others
            if text in equal or (most_shared(text, own) < UNLIKE and most_shared(text, searched) > ALIKE)
        ]
        if 2 * len(moved) <= len(pairs):
            return
        are_equal = equal.issuperset(moved)
        message = (
            f"samples and references have different orders: the label {short_repr(moved[0])} is "
            f"{'' if are_equal else 'like '}a reference of another sample. Do not group samples by length; or leave "
            "out references, so that the labels are used"
        )
        if are_equal:
            raise ValueError(message)
        warn(message)

    def _without_repetitions(self, texts: list[str]) -> list[str]:
        """Return the texts without repeated samples. If `_n_samples` is None, warn and return all texts.

        If several processes evaluate, Trainer repeats samples to fill the last batch.
        """
        distributed = initialized_distributed()
        if distributed is None or distributed.get_world_size() == 1:
            return texts  # a single process repeats no samples
        if self._n_samples is not None:
            n_remaining = self._n_samples - self._n_counted
            return texts[:n_remaining]
        warn(
            "several processes evaluate, and Trainer repeats samples to fill up the last batch: pass "
            "samples=len(eval_dataset) to compute_metrics, or the repeated samples count twice"
        )
        return texts

    def reset(self) -> None:
        """Discard the counts of an interrupted evaluation."""
        self._counts.reset()
        self._n_counted = 0

    def _decode(self, ids: Any, labels: Any = None) -> list[str]:
        """Decode token ids to texts. For logits, decode the most likely tokens; `labels` mark the padding."""
        ids = _first(ids)
        # Logits have three dimensions, and token ids have two. Lists, which have no `ndim`, contain token ids
        n_dimensions = getattr(ids, "ndim", 2)
        if n_dimensions == 3:
            if not self._has_warned:
                warn(_TEACHER_FORCED)
                self._has_warned = True
            ids = _argmax(ids, labels)

        try:
            rows = remove_padding(ids)
        except TypeError as error:
            raise TypeError(
                f"predictions and labels must be token ids of shape (samples, length): {error}; set "
                "predict_with_generate=True, or preprocess_logits_for_metrics=preprocess_logits_for_metrics"
            ) from error

        texts: list[str] = self._tokenizer.batch_decode(rows, skip_special_tokens=True)
        return [text.strip() for text in texts]


def _first(value: Any) -> Any:
    """Return the first item of a tuple or list of arrays, such as (logits, states). Return rows of ids unchanged."""
    return value[0] if isinstance(value, (tuple, list)) and _dimensions(value) > 2 else value


def _strings_of(entry: Any) -> list[str]:
    """Return the strings of an entry of references, which is a string or a list."""
    return [text for text in (entry if isinstance(entry, (list, tuple)) else [entry]) if isinstance(text, str)]


def _dimensions(value: Any) -> int:
    """Return the number of dimensions of an array, a tensor or nested lists: [[5, 6], [7]] -> 2."""
    if isinstance(value, (list, tuple)):
        return 1 + _dimensions(value[0]) if value else 1
    return getattr(value, "ndim", 0)


def _batches(prediction: Any) -> list[tuple[Any, Any]]:
    """Return one pair of predictions and labels per batch.

    `prediction`: transformers' `EvalPrediction`, or a pair. Its predictions are a list of batches, or one batch.
    """
    if hasattr(prediction, "label_ids"):
        prediction = prediction.predictions, prediction.label_ids
    if not isinstance(prediction, (tuple, list)) or len(prediction) != 2:
        raise TypeError(f"expected an EvalPrediction or a pair (predictions, labels), got {short_repr(prediction)}")
    ids, labels = prediction
    if not isinstance(ids, list) or _dimensions(ids) <= 2:  # a list of rows is one batch
        return [(ids, labels)]
    # Labels that are not a list of batches belong to every batch
    has_batches = isinstance(labels, list) and (len(ids) > 1 or _dimensions(labels) > 2)
    return list(zip(ids, labels if has_batches else [labels] * len(ids), strict=True))


def _scores_to_log(statistics: BleuStatistics) -> dict[str, float]:
    """Return a dict of name -> number. Trainer logs each name with the prefix ``eval_``."""
    result = score(statistics)
    precisions = {f"bleu_precision_{order}": value for order, value in enumerate(result.precisions, 1)}
    return {
        "bleu": result.bleu,
        **precisions,
        "bleu_brevity_penalty": result.brevity_penalty,
        "bleu_length_ratio": result.length_ratio,
    }


def compute_metrics(
    processing_class: Any,
    dialect: Dialect = DEFAULT,
    references: Sequence[Any] | None = None,
    samples: int | None = None,
    *,
    all_orders: bool = False,
    **options: Unpack[BleuOptions],
) -> TrainerHook:
    """Return a hook to pass to a `Seq2SeqTrainer` as its `compute_metrics`.

    Set ``predict_with_generate=True`` in the trainer's arguments. Otherwise the predictions are *teacher-forced*: the
    model predicts each token from the reference's previous tokens, and even an untrained model can score up to 1. These
    scores are not comparable with scores of generated texts.

    Args:
        processing_class: the tokenizer, or a processor that contains one.
        dialect: a name in `DIALECTS`, a `BleuConfig`, or a signature.
        references: the references of each sample, in the order of the evaluation set, e.g. one of its columns. By
            default, the labels are the references. If Trainer groups samples by length, do not pass references, because
            grouping changes the order of samples. The hook compares the first labels with the references.
        samples: number of samples in the evaluation set. If several processes evaluate, Trainer repeats samples to fill
            the last batch. To ignore repeated samples, pass either `samples` or `references`.
        all_orders: whether to return also the scores with ``max_order`` from 1 on, BLEU-1 to BLEU-4, as ``bleu_1`` ….
        **options: `target_language`, and fields of `BleuConfig`, which override the dialect's settings.

    Returns:
        A hook that decodes predictions and labels; -100 counts as padding. It returns a dict with ``bleu``,
        ``bleu_precision_1`` …, ``bleu_brevity_penalty`` and ``bleu_length_ratio``. The scale is 0 to 1. If Trainer
        has the setting ``batch_eval_metrics=True``, the hook stores only counts between batches. If an evaluation is
        interrupted between batches, call the hook's ``reset()``.

    Raises:
        TypeError: `processing_class` is not a tokenizer, or an option is unknown.
        ValueError: the dialect or the value of an option is unknown. The hook raises ValueError if the numbers of
            predictions and samples differ, or if the first labels are references of other samples.

    Warns:
        UserWarning: the hook is given logits, so the predictions are teacher-forced. It warns once.

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> class Numbers:  # a tokenizer whose texts are its ids
    ...     pad_token_id = 0
    ...     def batch_decode(self, ids, skip_special_tokens):
    ...         return [" ".join(str(number) for number in row if number) for row in ids]
    >>> hook = compute_metrics(Numbers(), max_order=1)
    >>> ids = SimpleNamespace(predictions=np.array([[5, 6, 7]]), label_ids=np.array([[5, 6, -100]]))
    >>> {name: round(value, 4) for name, value in hook(ids).items()}
    {'bleu': 0.6667, 'bleu_precision_1': 0.6667, 'bleu_brevity_penalty': 1.0, 'bleu_length_ratio': 1.5}
    """
    inner = getattr(processing_class, "tokenizer", None)  # of a processor
    tokenizer = inner if hasattr(inner, "batch_decode") else processing_class
    expected = "a tokenizer with a batch_decode method, as in Trainer(compute_metrics=compute_metrics(tokenizer))"
    check_methods("processing_class", tokenizer, ["batch_decode"], expected)
    if isinstance(references, (str, Mapping)) or getattr(references, "shape", None) == ():
        example = "such as dataset['references']"
        raise TypeError(f"references must be a list with one entry per sample, {example}, got {short_repr(references)}")
    if references is not None:
        check_methods("references", references, ["__len__", "__getitem__"], "a list with one entry per sample")
        samples = len(references)
    elif samples is not None:
        samples = check_count("samples", samples, 1)
    if all_orders:
        orders_of(config_of(dialect, options))
    return TrainerHook(tokenizer, references, samples, Accumulator(dialect, **options), all_orders)


def preprocess_logits_for_metrics(logits: Any, labels: Any) -> Any:
    """Return the id of the most likely token at each position, so that Trainer does not keep the logits.

    Pass this function to Trainer as the argument of the same name. Python shows a warning once: the predictions are
    teacher-forced (see `compute_metrics`).

    The model must predict each label at the label's position, as encoder-decoders do. Where the label is padding, -100,
    the result is also -100, so that the score does not depend on the batches.

    Args:
        logits: an array or tensor of shape (batch, length, vocabulary), or a tuple whose first item is one. Integers
            are the ids of generated tokens (with ``predict_with_generate=True``), and are returned unchanged.
        labels: an array or tensor of shape (batch, length), with -100 as padding. Labels of another shape are ignored.

    Returns:
        Token ids of shape (batch, length), with -100 where the label is -100.

    Raises:
        TypeError: `logits` is not an array or tensor of two or more dimensions.

    >>> import numpy as np
    >>> logits = np.array([[[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]]])
    >>> preprocess_logits_for_metrics(logits, np.array([[1, 1, -100]])).tolist()
    [[1, 0, -100]]
    """
    if "int" in str(getattr(logits, "dtype", "")):  # of NumPy or torch
        return logits
    ids = _argmax(logits, labels)
    warn(_TEACHER_FORCED)
    return ids


def _argmax(logits: Any, labels: Any) -> Any:
    """Return the id of the most likely token at each position, or -100 where the label is -100."""
    logits = _first(logits)
    labels = _first(labels)
    shape: Any = getattr(logits, "shape", None)
    is_array = hasattr(logits, "argmax") and isinstance(shape, tuple)
    if not is_array or len(shape) < 2:
        raise TypeError(f"logits must be an array of shape (batch, length, vocabulary), got {short_repr(logits)}")

    if "int" in str(logits.dtype):
        raise TypeError(f"token ids must be of shape (samples, length), got shape {tuple(shape)}")
    ids = logits.argmax(-1)
    if getattr(labels, "shape", None) != ids.shape:
        return ids
    is_padding = labels == IGNORED
    # `where` differs between torch and NumPy
    return ids + (IGNORED - ids) * is_padding
