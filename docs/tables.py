"""The tables of documents that are made from the package: its dialects, its options and the keys of signatures.

`scripts/maintenance/fill_outputs.py` writes them into the documents, so that they can be read in a checkout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bleu_metric import DIALECTS, BleuConfig
from bleu_metric._options import ALWAYS_NAMED, CHOICES, OPTIONS

# Values of options that are no names
_VALUES = {
    "max_order": "an integer from 1 to 10,000",
    "weights": "one number per order",
    "smoothing_value": "a number; `None`: the default of the source",
}

REFERENCE_LENGTHS = {
    "closest": "per segment, the reference length closest to the prediction's; the shorter one of two",
    "closest-first": "as `closest`; of two, the one that is listed first",
    "closest-below-9999": "as `closest`; 9999 if the closest is more than 9999 tokens away",
    "shortest": "the shortest",
    "longest": "the longest",
    "average": "their mean",
}
# Key in a signature -> word -> its meaning. Tokenizers and smoothings have pages of their own
MEANINGS = {
    "emptyrefs": {
        "empty": "an empty reference is a text without tokens",
        "missing": "empty references are left out",
    },
    "tok": {
        "13a": "the name of the tokenizer",
        "none": "the input consists of tokens",
    },
    "case": {
        "mixed": "upper and lower case differ",
        "lc": "lower-cased before tokenizing",
        "lc-after": "lower-cased after tokenizing",
        "lc-ascii": "A-Z lower-cased after tokenizing",
    },
    "norm": {
        "none": "texts stay as they are",
        "NFC": "they are first converted to the Unicode form NFC",
        "NFKC": "they are first converted to the Unicode form NFKC",
    },
    "seg": {
        "segment": "the segments are scored as they are",
        "document": "the segments of each document are first joined",
    },
    "strip": {
        "yes": "whitespace at the end of a text is dropped before tokenizing",
        "no": "it is kept",
    },
    "space": {
        "python": "tokens are split where `str.split()` splits",
        "unicode": "at Unicode's White_Space",
        "ascii": "at ASCII whitespace",
    },
    "order": {"4": "n-grams of 1 to 4 tokens; any integer up to 10,000"},
    "weights": {
        "uniform": "all n-gram orders have the same weight",
        "0.5,0.5": "one weight per order",
    },
    "smooth": {
        "exp": "the name of the method",
        "none": "no smoothing",
        "floor[0.1]": "a method and its parameter",
    },
    "ref": REFERENCE_LENGTHS,
    "eff": {
        "sentence": "in sentence scores, only the orders for which the text is long enough count",
        "yes": "the same, also in corpus scores",
        "no": "all n-gram orders count",
    },
    "reweigh": {
        "no": "the weights stay",
        "yes": "below 4 tokens, the weights become 1/length",
    },
    "avg": {
        "corpus": "the score of the summed counts",
        "sentence": "the mean of the sentence scores",
    },
    "floor": {
        "none": "the numbers of n-grams as counted",
        "segment": "at least 1 in each segment",
        "corpus": "at least 1 in the corpus",
    },
    "zero": {
        "no-match": "the score is 0 if no n-gram matches",
        "any-order": "if any n-gram order has no match",
        "empty": "if the predictions or the references are empty",
        "empty-prediction": "if the predictions are empty, or all references",
        "never": "only if the formula gives 0",
    },
    "zeroprec": {
        "zero": "an order with precision 0 makes the score 0",
        "skip": "it is left out if a smoothing is set",
        "skip-absent": "it is left out if the predictions have tokens, but are too short for it",
    },
}
# Keys about the data and about resampling, which are no settings of a score
ABOUT_THE_DATA = {
    "nrefs": "number of references per segment; `var`: it differs between segments",
    "bs": "number of bootstrap resamples",
    "ar": "number of trials of the paired approximate randomization",
    "seed": "seed of the resamples or trials",
    "conf": "confidence level of the intervals",
    "p": "how p-values are computed: `two-sided`, or `sacrebleu`",
    "version": "version of bleu_metric; in sacrebleu's form, of sacrebleu",
    "test": "public test set; this key and the next three are read in signatures of sacrebleu, but not kept",
    "lang": "language pair of the test set",
    "origlang": "original language of its segments",
    "subset": "part of the test set",
}
# Key -> sacrebleu's way to write the setting
OF_SACREBLEU = {
    "tok": "`tok:13a`",
    "case": "`case:mixed`, `case:lc`",
    "order": "not named",
    "smooth": "`smooth:exp`, `smooth:floor[0.10]`",
    "eff": "`eff:no` (our `sentence`), `eff:yes`",
    **{
        key: f"`{key}:`"
        for key in (
            *("nrefs", "bs", "ar", "seed", "version"),
            *("test", "lang", "origlang", "subset"),
        )
    },
}


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Write a table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(value: Any) -> str:
    """Write a value of an option as Python code."""
    return f"`{value!r}`".replace("'", '"')


def changed_options(config: BleuConfig) -> list[str]:
    """Return the options that differ from the default dialect's, as they are written in Python."""
    default = BleuConfig()
    return [
        f"`{option}={getattr(config, option)!r}`".replace("'", '"')
        for option in OPTIONS
        if getattr(config, option) != getattr(default, option)
    ]


def dialect_table() -> str:
    """Return one row per dialect, with the options that differ from the default dialect's."""
    rows = [
        [f"`{dialect}`", ", ".join(changed_options(config)) or "none"]
        for dialect, config in DIALECTS.items()
    ]
    return markdown_table(["dialect", "options that differ"], rows)


def dialect_sections() -> str:
    """Return a heading per dialect, which can be linked and searched, with its options and signature."""
    sections = []
    for dialect, config in DIALECTS.items():
        options = "\n".join(f"* {option}" for option in changed_options(config))
        sections.append(
            f"## {dialect}\n\n{options or 'All options have their defaults.'}\n\n```text\n{config.signature()}\n```\n"
        )
    return "\n".join(sections)


def option_table() -> str:
    """Return one row per option: its default, and the values that it accepts."""
    default = BleuConfig()
    rows = [
        [
            f"`{option}`",
            code(getattr(default, option)),
            ", ".join(map(code, CHOICES.get(option, ()))) or _VALUES[option],
        ]
        for option in OPTIONS
    ]
    return markdown_table(["option", "default", "names and values"], rows)


def signature_table() -> str:
    """Return one row per key of a signature: the option, each word with its meaning, and sacrebleu's form."""
    rows = []
    for name, option in OPTIONS.items():
        if option.key:
            words = "; ".join(
                f"`{word}`: {meaning}"
                for word, meaning in MEANINGS[option.key].items()
            )
            always = " (always)" if option.key in ALWAYS_NAMED else ""
            rows.append(
                [
                    f"`{option.key}`{always}",
                    f"`{name}`",
                    words,
                    OF_SACREBLEU.get(option.key, "–"),
                ]
            )
    rows += [
        [f"`{key}`", "", text, OF_SACREBLEU.get(key, "–")]
        for key, text in ABOUT_THE_DATA.items()
    ]
    return markdown_table(["key", "option", "values", "in sacrebleu"], rows)


# Comment in a document -> function that returns the text below it
TABLES: dict[str, Callable[[], str]] = {
    "<!-- table of dialects -->": dialect_table,
    "<!-- sections of dialects -->": dialect_sections,
    "<!-- table of options -->": option_table,
    "<!-- table of signatures -->": signature_table,
}
END = "<!-- end -->"


def with_tables(document: str) -> str:
    """Return the Markdown of a document with the current tables between their comments and `END`."""
    for mark, table in TABLES.items():
        if mark in document:
            before, _, after = document.partition(f"{mark}\n")
            _, _, after = after.partition(END)
            document = f"{before}{mark}\n\n{table().strip()}\n\n{END}{after}"
    return document
