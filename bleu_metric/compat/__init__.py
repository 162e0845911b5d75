"""Drop-in replacements for the BLEU functions of other libraries: change one import and keep the rest of your code.

The modules `nltk`, `sacrebleu`, `evaluate`, `torchtext`, `torchmetrics`, `ignite` and `pycocoevalcap` replace the
library of the same name. The modules `nmt` and `smooth_bleu` replace files that many projects contain a copy of.
Functions and classes have the original names, argument order, defaults, results and scale.

A module that replaces a library takes every name and submodule outside BLEU from the library itself. `nltk`,
`sacrebleu`, `evaluate`, `torchmetrics` and `ignite` build on the library of the same name, which must be installed.

>>> from bleu_metric.compat.nltk import sentence_bleu
>>> sentence_bleu([["the", "cat", "sat", "on", "a", "mat"]], ["the", "cat", "sat", "on", "a", "mat"])
1.0
"""
