"""A wrong argument of any public function is named, with what is accepted, and what is likely meant.

Random wrong arguments: test_hostile.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import datasets
import numpy as np
import pytest
from corpora import Decoder

from bleu_metric import (
    BleuConfig,
    BleuStatistics,
    bootstrap,
    compute_metrics,
    corpus_bleu,
    corpus_statistics,
    evaluate_dataset,
    paired_bootstrap,
    preprocess_logits_for_metrics,
    reward,
    score,
    score_dialects,
    system_statistics,
)
from bleu_metric.compat import sacrebleu as compat_sacrebleu

HUGE = 10**5000
GOOD = ["the cat sat on the mat", "a b c d e"], [["the cat sat on a mat", "a cat"], ["a b c d"]]
STATISTICS = corpus_statistics(["a b c", "d"], ["a b d", "d"], max_order=2)


DATA = datasets.Dataset.from_dict({"p": ["a"], "r": ["a"], "t": [{"en": "a"}]})


CALLS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: BleuStatistics(STATISTICS.table, "13a"), TypeError, r"config must be a BleuConfig, got '13a'"),  # type: ignore[arg-type]
    (lambda: BleuStatistics([[1]], BleuConfig()), TypeError, r"table must be an array of int64, got \[\[1\]\]"),  # type: ignore[arg-type]
    (lambda: BleuStatistics(STATISTICS.table[0], STATISTICS.config), ValueError, r"shape \(rows, 6\), got \(6,\)"),
    (lambda: BleuStatistics.from_table(STATISTICS.to_table(), 5), TypeError, r"config must be a BleuConfig, got 5"),  # type: ignore[arg-type]
    (lambda: BleuConfig.from_signature(5), TypeError, r"a signature is a string, got 5"),  # type: ignore[arg-type]
    (lambda: score_dialects(["a"], ["a"], "nltk"), TypeError, r"dialects must be a list of names, got 'nltk'"),
    (
        lambda: system_statistics({"a": ["a"]}, ["a"], metrics=5),
        TypeError,
        r"metrics must be a list of names or a dict of opt",
    ),  # type: ignore[arg-type]
    (lambda: BleuConfig().with_options([1]), TypeError, r"options must be a dict of name -> value, got \[1\]"),  # type: ignore[arg-type]
    (lambda: bootstrap(STATISTICS, 10**10), ValueError, r"n_resamples must be at most 1000000000, got 10000000000"),
    (lambda: bootstrap(STATISTICS, 5, HUGE), ValueError, r"seed must be at most \d+, got <int of 16610 bits>"),
    (lambda: score(STATISTICS).citation(5), TypeError, r"interval must be a result of bootstrap, got 5"),  # type: ignore[arg-type]
    (lambda: score(STATISTICS).citation(digits=10**6), ValueError, r"digits must be at most 17"),
    (lambda: preprocess_logits_for_metrics(np, None), TypeError, r"logits must be an array of shape \(batch, length,"),
    (lambda: evaluate_dataset({}), ValueError, r"the dict of datasets is empty"),
    (lambda: reward()(completions="ab", references=["a", "b"]), TypeError, r"completions must be a list with .* got"),
    (lambda: reward([1]), TypeError, r"column must be the name of a column, got \[1\]"),  # type: ignore[arg-type]
    (lambda: compute_metrics(Decoder(), references=5), TypeError, r"references must be a list with one entry per"),  # type: ignore[arg-type]
    (lambda: compute_metrics(Decoder(), references="refs"), TypeError, r"such as dataset\['references'\], got 'refs'"),
    (lambda: compute_metrics(Decoder(), references=np.array(5)), TypeError, r"dataset\['references'\], got array\(5\)"),  # type: ignore[arg-type]
    (lambda: compute_metrics(Decoder())((np.array([[1]]), None)), TypeError, r"no labels; pass references=… to comp"),
    (lambda: compute_metrics(Decoder(), samples="a"), TypeError, r"samples must be an integer, got 'a'"),  # type: ignore[arg-type]
    # Near misses
    (lambda: paired_bootstrap(STATISTICS, STATISTICS, p_values="two-side"), ValueError, r"mean 'two-sided'\?\)"),
    (lambda: corpus_bleu(*GOOD, tokeniser="13a"), TypeError, r"'tokeniser' \(did you mean 'tokenizer'\?\)"),
    (lambda: corpus_bleu(*GOOD, all_order=True), TypeError, "'all_order'; did you mean all_orders"),
    (
        lambda: corpus_bleu(*GOOD, all_orders=True),
        TypeError,
        r"did you mean bleu_metric.load\(\).compute\(.*all_orders=True",
    ),
    (lambda: corpus_bleu(*GOOD, tokenizer="13A"), ValueError, r"unknown tokenizer '13A' \(did you mean '13a'\?\)"),
    (lambda: evaluate_dataset(DATA, "t.e", "r"), ValueError, r"'t.e' \(did you mean 't.en'\?\); accepted: 'p', "),
]


@pytest.mark.parametrize(("call", "error", "text"), CALLS)
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text) as raised:
        call()
    assert type(raised.value) is error


LONG = "Q" * 5000
SIGNATURE = "tok:{}|case:mixed|order:4|weights:uniform|smooth:none|ref:closest|eff:no|avg:corpus|version:{}"
TABLE = STATISTICS.to_table()
LONG_CASES: dict[str, Callable[[], object]] = {
    "key of a signature": lambda: corpus_bleu(*GOOD, f"tok:{LONG}|{LONG}:{LONG}"),
    "version of a file": lambda: BleuStatistics.from_table(
        TABLE.replace_schema_metadata({"bleu_metric.signature": SIGNATURE.format("13a", LONG)})
    ),
    "columns of a file": lambda: BleuStatistics.from_table(
        TABLE.rename_columns([f"{LONG}{index}" for index in range(TABLE.num_columns)]), STATISTICS.config
    ),
    "option": lambda: corpus_bleu(*GOOD, **{LONG: 1}),
    "other weights": lambda: STATISTICS + corpus_statistics(*GOOD, weights=[0.001] * 2000),
    "system with other segments": lambda: paired_bootstrap(STATISTICS, {LONG: corpus_statistics(["a"], ["b"])}),
    "field of a row": lambda: corpus_bleu([{LONG: LONG}], ["a"]),
    "streams": lambda: compat_sacrebleu.corpus_bleu(["a"] * 500, ["Q" * length for length in range(1, 500)]),
    "name in a library": lambda: getattr(compat_sacrebleu, LONG),
}


@pytest.mark.parametrize("case", LONG_CASES)
def test_messages_show_at_most_300_characters_of_the_input(case: str) -> None:
    messages = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            LONG_CASES[case]()
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            messages.append(str(error))
    messages += [str(warning.message) for warning in warned]
    assert messages
    for message in messages:
        assert message.count("Q") <= 300
        assert len(message) <= 700  # the names that are accepted take up to 400 characters
