"""The names that options accept, as types, so that type checkers report a typo such as ``smoothing="xp"``.

Most have an entry in a table, such as `DIALECTS`, `TOKENIZERS`, `SMOOTHINGS` or `REFERENCE_LENGTHS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NewType

Signature = NewType("Signature", str)
"""The signature of a score. Build the configuration for other strings: ``BleuConfig.from_signature(string)``."""

DialectName = (
    Literal["sacrebleu", "papineni", "nltk", "evaluate", "bleuscore", "torchtext", "torchmetrics", "torcheval"]
    | Literal["ignite", "ignite-micro", "pycocoevalcap", "keras-hub", "codexglue", "llama-factory"]
    | Literal["multi-bleu", "multi-bleu-detok", "mteval-v13a"]
)
TokenizerName = (
    Literal["13a", "intl", "zh", "char", "whitespace", "none", "13a-unpadded", "words-and-signs", "char-and-space"]
    | Literal["ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "spm"]
)
Model = NewType("Model", str)
"""``"spm:PATH"``, the path of a SentencePiece model. Code that is checked passes ``cast(Any, "spm:PATH")``."""
Tokenizer = TokenizerName | Model | Callable[[str], list[str]]
Smoothing = (
    Literal["none", "none-float32", "floor", "add-k", "exp", "add-one", "codexglue", "add-tiny"]
    | Literal["method0", "method1", "method2", "method3", "method4", "method5", "method6", "method7"]
    | Literal["method4-3.5", "method7-3.5"]
)
ReferenceLength = Literal["closest", "closest-first", "closest-below-9999", "shortest", "longest", "average"]
Lowercase = bool | Literal["after", "ascii"]
EffectiveOrder = bool | Literal["sentence"]
Normalization = Literal["none", "NFC", "NFKC"]
Unit = Literal["segment", "document"]
Whitespace = Literal["ascii", "unicode", "python"]
EmptyReferences = Literal["empty", "missing"]
Average = Literal["corpus", "sentence"]
TotalFloor = Literal["none", "segment", "corpus"]
ZeroScore = Literal["no-match", "any-order", "empty", "empty-prediction", "never"]
ZeroPrecision = Literal["zero", "skip", "skip-absent"]
TestName = Literal["bootstrap", "approximate-randomization", "none"]
PValues = Literal["two-sided", "sacrebleu"]
SelfBleuName = Literal["zhu-2018", "texygen", "helm", "diffuseq", "shen-2019"]
