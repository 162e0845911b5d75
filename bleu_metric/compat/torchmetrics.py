"""Drop-in replacement for torchmetrics' BLEU: import ``bleu_metric.compat.torchmetrics``, not ``torchmetrics.text``.

The module also has the BLEU functions of ``torchmetrics.functional.text``.

The classes are subclasses of torchmetrics' classes. They replace the counting of n-grams, and store counts as 64-bit
integers. torchmetrics 1.9.0 stores float32 numbers, which cannot count beyond 2**24.
"""

# Do not import `annotations` from `__future__`, because torch.jit.script cannot read types that are strings
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from .._tokens import TOKENIZERS
from ._inputs import count_texts, cut_to_shorter, warn_of_mistake, warn_of_one_string
from ._library import Lookup, needed, pass_on, with_names

with needed("torchmetrics"):
    import torch
    from torch import Tensor
    from torchmetrics import text as theirs
    from torchmetrics.functional.text import bleu as _bleu
    from torchmetrics.functional.text import sacre_bleu as _sacre_bleu
    from torchmetrics.functional.text.sacre_bleu import _SacreBLEUTokenizer

__all__ = ["BLEUScore", "SacreBLEUScore", "bleu_score", "sacre_bleu_score"]

Texts = Sequence[str]
Targets = Sequence[str | Sequence[str]]


def _add_counts(
    preds: Texts,
    target: Targets,
    numerator: Tensor,
    denominator: Tensor,
    preds_len: Tensor,
    target_len: Tensor,
    n_gram: int,
    tokenizer: Callable[[str], Sequence[str]],
) -> tuple[Tensor, Tensor]:
    """Add the counts of a batch to the four tensors. Return the tensors of lengths. A text ``None`` counts as empty."""
    _warn_of_strings(preds, target)
    if not len(preds):
        return preds_len, target_len

    predictions = [text or "" for text in preds]
    references = [[text or "" for text in texts] for texts in target]
    options = _tokenization(tokenizer)
    counts = count_texts(predictions, references, "torchmetrics", max_order=n_gram, **options)

    device = numerator.device
    numerator += torch.from_numpy(counts.matches.sum(axis=0)).to(device)
    denominator += torch.from_numpy(counts.totals.sum(axis=0)).to(device)
    preds_len += counts.lengths.sum().item()
    target_len += counts.reference_lengths.sum().item()
    return preds_len, target_len


def _tokenization(tokenizer: Any) -> Any:
    """Return the options of `count_texts` that correspond to `tokenizer`, e.g. ``{"tokenizer": "13a", …}``.

    If no tokenizer of bleu_metric equals `tokenizer`, the option is `tokenizer` itself.
    """
    if tokenizer is _bleu._tokenize_fn:
        return {"tokenizer": "whitespace"}

    name, lowercase = "", False  # of a sacrebleu tokenizer
    if type(tokenizer) is _SacreBLEUTokenizer:
        name_of_method = {method: name for name, method in tokenizer._TOKENIZE_FN.items()}
        name, lowercase = name_of_method[tokenizer.tokenize_fn.__name__], tokenizer.lowercase
    elif isinstance(tokenizer, partial) and tokenizer.func == _SacreBLEUTokenizer.tokenize:
        settings = tokenizer.keywords  # `sacre_bleu_score` passes a function with these arguments
        name, lowercase = settings["tokenize"], settings["lowercase"]
    if name not in TOKENIZERS:
        return {"tokenizer": tokenizer}
    return {"tokenizer": name, "lowercase": "after" if lowercase else False}


if TYPE_CHECKING:
    from torchmetrics.functional.text import bleu_score, sacre_bleu_score
else:
    bleu_score = with_names(_bleu.bleu_score, __name__, _bleu_score_update=_add_counts)
    sacre_bleu_score = with_names(_sacre_bleu.sacre_bleu_score, __name__, _bleu_score_update=_add_counts)


class BLEUScore(theirs.BLEUScore):
    """BLEU of all texts passed to `update`, split at whitespace.

    >>> metric = BLEUScore(n_gram=2)
    >>> metric.update(["the cat sat"], [["the cat is here", "the cat"]])
    >>> metric.update(["a dog"], [["a dog"]])
    >>> metric.compute(), metric.numerator
    (tensor(0.5979), tensor([4, 2]))
    """

    full_state_update = False  # so that `forward` counts each batch only once

    def add_state(self, name: str, default: Any, *args: Any, **kwargs: Any) -> None:
        """Add a state as torchmetrics does, but convert it to 64-bit integers."""
        super().add_state(name, default.to(torch.int64), *args, **kwargs)

    def update(self, preds: Texts, target: Targets) -> None:
        """Count the n-grams of a batch. `target` has a list of references for each prediction.

        Warn if `preds` or an entry of `target` is a string instead of a list, or if `preds` and `target` differ in
        length.
        """
        texts: Any = preds if isinstance(preds, str) else [*preds]
        texts, references = cut_to_shorter(texts, [*target])
        tokenizer = getattr(self, "tokenizer", _bleu._tokenize_fn)  # only `SacreBLEUScore` has one
        _add_counts(
            texts, references, self.numerator, self.denominator, self.preds_len, self.target_len, self.n_gram, tokenizer
        )


class SacreBLEUScore(BLEUScore, theirs.SacreBLEUScore):
    """BLEU of all texts passed to `update`, tokenized as sacrebleu tokenizes them.

    The attribute `tokenizer` is a function that splits a text into a list of tokens. If you replace it, the new
    function tokenizes all later texts.

    >>> metric = SacreBLEUScore()
    >>> metric(["The cat is on the mat."], [["The cat is on a mat ."]])
    tensor(0.4889)
    """


def _warn_of_strings(preds: Any, target: Targets) -> None:
    """Warn if `preds`, or the references of one prediction, are a string instead of a list."""
    warn_of_one_string("preds", preds, "torchmetrics")
    if any(isinstance(texts, str) for texts in target):
        warn_of_mistake(
            "target has strings, and torchmetrics uses each of their characters as a reference; pass a list "
            "of references for each prediction: [[text] for text in target]"
        )


_TEXT_MODULES = ("text", "", "text.bleu", "text.sacre_bleu")
_FUNCTION_MODULES = ("functional", "functional.text", "functional.text.bleu", "functional.text.sacre_bleu")
__getattr__: Lookup = pass_on(__name__, "torchmetrics", *_TEXT_MODULES, *_FUNCTION_MODULES)
