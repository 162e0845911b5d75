"""Drop-in replacements for the BLEU functions of other libraries: change one import and keep the rest of your code.

The modules are `nltk`, `sacrebleu`, `evaluate`, `torchtext`, `torchmetrics`, `ignite`, `bleuscore`, `nmt`,
`smooth_bleu` and `pycocoevalcap`. Each has the names, argument order, defaults, results and scale of the library it is
named after. All names and submodules that are not BLEU's are the library's own. `nltk`, `sacrebleu`, `evaluate`,
`torchmetrics` and `ignite` need their library, because our functions and classes build on it.

>>> from bleu_metric.compat.nltk import sentence_bleu
>>> sentence_bleu([["the", "cat", "sat", "on", "a", "mat"]], ["the", "cat", "sat", "on", "a", "mat"])
1.0
"""

from ._library import find_submodules

find_submodules()
