"""The functions of other libraries, answered by this package: change one import and keep the rest of your code.

Each module bears its library's name and has that library's names, argument order, defaults, results and scale:
`nltk`, `sacrebleu`, `torchtext`, `torchmetrics`, `ignite`, `bleuscore`, `nmt` and `pycocoevalcap`.
The library itself need not be installed, except torchmetrics and ignite, whose base classes are used.

>>> from bleu_metric.compat.nltk import sentence_bleu
>>> sentence_bleu([["the", "cat", "sat", "on", "a", "mat"]], ["the", "cat", "sat", "on", "a", "mat"])
1.0
"""
