"""The metric as `evaluate.load` finds it: descriptions, features, staging. The numbers come from `_bleu`.

evaluate copies this file and the modules imported below, and nothing else. So every module of the pipeline is imported
here, one on a line, without comments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np

from ._arrays import Ints
from ._arrow import as_arrow_rows
from ._bleu import prepare, score_corpus
from ._bootstrap import bootstrap, score_resamples
from ._config import OPTIONS, VERSION, BleuConfig
from ._corpus import as_corpus, read_lists
from ._counting import count_corpus
from ._counts import check_counts, orders_to_count, sum_rows
from ._dialects import DIALECTS, config_of
from ._display import printable
from ._few import count_few
from ._kernel import count_texts
from ._mistakes import look_for_mistakes
from ._ngrams import clipped_matches, factorize, token_ids
from ._other_names import add_other_results, hint_for, translate_arguments
from ._reference_length import REFERENCE_LENGTHS
from ._score import BleuScore, cite, score, score_groups, score_sentences
from ._score_row import score_row
from ._score_tables import score_tables
from ._sentencepiece import load_model
from ._smoothing import SMOOTHINGS
from ._staging import (
    RowsPerThread,
    check_files_complete,
    empty_table,
    input_features,
    is_empty,
    remove_lock,
    stage_rows,
    unify_schemas,
)
from ._statistics import BleuStatistics
from ._storage import read_table, write_atomically
from ._summary import Readable
from ._threads import Threads
from ._tokenize import call_tokenizer, tokenize
from ._tokenizers import TOKENIZERS, split
from ._validation import (
    check_count,
    check_probability,
    check_seed,
    check_weights,
    factorize_labels,
    has_length,
    short_repr,
    thread_count,
    unknown_message,
)
from ._zero_score import warn_of_zero

_DESCRIPTION = """\
BLEU (Papineni et al., 2002) measures how many n-grams a translation shares with its references. Libraries compute
different numbers under that name; this metric gives each of them, to 1e-12. The configuration name is the dialect,
that is, the library whose number is wanted: evaluate.load("./bleu_metric", "sacrebleu"). Every result carries a
signature that says how it was made.
"""

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002",
    address = "Philadelphia, Pennsylvania, USA",
    pages = "311--318",
    doi = "10.3115/1073083.1073135",
}
"""

_INPUTS = """
Args:
    predictions: N strings, or N lists of tokens, or N lists of token ids.
    references: N lists of one or more references of the same kind, or N references.
    tokenizer (str or function): "13a", "13a-unpadded" (keras-hub), "intl", "zh", "char", "words-and-signs"
        (CodeXGLUE), "char-and-space" (LLaMA-Factory), "whitespace", "none", "spm:PATH" (a SentencePiece model), or a
        function str -> list of str.
    lowercase (bool): whether case is ignored.
    max_order (int): longest n-gram, 4 by default, with uniform weights.
    weights (list): one weight per order; a list of such lists gives a list of scores.
    smoothing (str): "none", "method0" to "method7" (NLTK), "method4-3.5", "method7-3.5" (NLTK 3.5), "floor", "add-k",
        "exp" (sacrebleu), "add-one" (evaluate), "add-tiny" (pycocoevalcap), "codexglue".
    smoothing_value (float): epsilon, k or alpha of the smoothing.
    reference_length (str): "closest", "closest-first", "shortest", "longest" or "average".
    effective_order (bool): leave out orders that the text is too short for.
    average (str): "corpus", or "sentence" for the mean of the sentences' scores.
    sentence_scores (bool): whether to return one score per sentence, too.
    groups (list): one label per segment, a string or a whole number: a score per document, system or domain, too.
    confidence (float): return a bootstrap interval, too: 0.95 for one of 95 %.
    n_resamples (int), seed (int): of the bootstrap; 1000 and 12345 by default.
    Further options and the defaults of every dialect are in the metric card. In the dialect "sacrebleu", the arguments
    of evaluate's sacrebleu are taken, too: smooth_method, smooth_value, tokenize, use_effective_order, force; in the
    dialect "evaluate", smooth.
Returns:
    bleu (float): the score, on a scale of 0 to 1; a list of scores for a list of lists of weights.
    precisions (list of float): modified precision of each order.
    brevity_penalty (float): 1.0, or less where the predictions are too short.
    length_ratio (float): translation_length / reference_length.
    translation_length (int): tokens of the predictions.
    reference_length (int): effective length of the references; float with reference_length="average".
    counts, totals (lists of int): matched n-grams and all n-grams of the predictions, per order.
    signature (str): every choice that made the number.
    score, bp, sys_len, ref_len: in the dialect "sacrebleu", what evaluate's sacrebleu returns; score is in percent.
    sentence_bleu (list of float): with sentence_scores=True.
    groups (dict): with groups: label -> all of the above, and "segments", how many the group has.
    confidence_interval (list of float): with confidence: [low, high], of each score.
Examples:
    >>> import bleu_metric  # if it is not installed: bleu = evaluate.load(FOLDER), with the folder of this metric
    >>> bleu = bleu_metric.load()  # or bleu_metric.load("nltk"), for the number of a library
    >>> result = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on a mat"]])
    >>> round(result["bleu"], 4)
    0.5373
    >>> result["counts"], result["totals"]
    ([5, 3, 2, 1], [6, 5, 4, 3])
    >>> result["signature"]
    'nrefs:1|tok:13a|case:mixed|order:4|weights:uniform|smooth:none|ref:closest|eff:no|avg:corpus|version:0.1.0'
"""

# `datasets` shows a progress bar when it reads staged rows. If several threads make the lock of the bars at once, one
# may delete it while another uses it; so it is made here, once.
datasets.utils.tqdm.get_lock()

_EXTRAS = ("sentence_scores", "groups", "confidence", "n_resamples", "seed")  # change what is returned, not the score


_CALLER = 5  # levels from `_result` up to the code that called `compute`


class BleuMetric(RowsPerThread, evaluate.Metric):
    """BLEU in the dialect that the configuration name gives. Each thread scores the rows that it staged itself."""

    def _info(self) -> evaluate.MetricInfo:
        config_of(self.config_name, {})  # an unknown dialect is an error now, not at the first score
        info = evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=input_features(),
            license="Apache-2.0",
            reference_urls=["https://aclanthology.org/P02-1040", "https://aclanthology.org/W18-6319"],
        )
        info.format = "arrow"  # not an argument: there, evaluate accepts it only for a single set of features
        return info

    @property
    def name(self) -> str:
        """The name of the metric and its dialect, so that `evaluate.combine` tells dialects apart."""
        dialect = getattr(self, "config_name", "default")
        return str(super().name) if dialect == "default" else f"{super().name}_{dialect}"

    def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Stage a batch of predictions and their references, for this thread.

        Rows are held in memory until they are many; then they are written to evaluate's cache. A batch with an error
        leaves no trace. If rows cannot be written, as on a full disk, or writing is interrupted, everything that was
        staged is forgotten.
        """
        if others:
            raise TypeError(unknown_message("input", next(iter(others)), ["predictions", "references"]))
        if self.num_process > 1 and is_empty(predictions) and is_empty(references):
            return  # other processes may have rows
        self._stage(stage_rows(predictions, references))

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Stage one prediction and its reference or references."""
        row = {"predictions": prediction, "references": reference, **others}  # evaluate.combine passes the plurals
        self.add_batch(**{name: [value] for name, value in row.items()})

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Score the staged rows, together with the predictions and references given here."""
        options = translate_arguments(self.config_name, options)
        self._check(options)
        self._check_groups(options.get("groups"), predictions)
        is_given = predictions is not None or references is not None
        is_single = self.num_process == 1 and self.writer is None
        if is_single and is_given and not self.held:
            return self._score_now(predictions, references, options)
        if is_given:
            self.add_batch(predictions=predictions, references=references)
        if is_single and self.held:
            rows = self._take_held()
            return self._score_now(rows["predictions"], rows["references"], options)
        if self.held:
            self._write(self.held)
        if self.writer is None and self.num_process > 1:
            self._write([empty_table()])
        if self.writer is None:
            raise ValueError(
                "there is nothing to score: pass predictions and references, or call add_batch first, in this thread"
            )
        try:
            result: dict[str, Any] | None = evaluate.Metric.compute(self, **options)
        except BaseException:
            self._release()
            raise
        for path in self.file_paths or ():
            remove_lock(path)
        return result

    def _score_now(self, predictions: Any, references: Any, options: dict[str, Any]) -> dict[str, Any]:
        """Score rows that are in memory, without a file; a tokenizer that draws numbers draws evaluate's."""
        if not callable(options.get("tokenizer")):
            return self._compute(predictions, references, **options)
        with evaluate.module.temp_seed(self.seed):
            return self._compute(predictions, references, **options)

    def _check(self, options: dict[str, Any]) -> None:
        """Refuse wrong options before anything is computed, so that the staged rows are kept."""
        accepted = ("predictions", "references", *OPTIONS, *_EXTRAS)
        for name in options:
            if name not in accepted:
                raise TypeError(unknown_message("option", name, accepted, hint_for(name)))
        config_of(self.config_name, _chosen({name: options.get(name) for name in OPTIONS}))
        if not isinstance(options.get("sentence_scores", False), bool):
            raise TypeError(f"sentence_scores must be True or False, got {short_repr(options['sentence_scores'])}")
        check_count("n_resamples", options.get("n_resamples", 1), 1)
        check_seed(options.get("seed", 0))
        if options.get("confidence") is not None:
            check_probability(options["confidence"])
            return
        for name in ("n_resamples", "seed"):
            if name in options:
                raise ValueError(
                    f"{name} does nothing without confidence; for an interval of 95 %, pass confidence=0.95"
                )

    def _check_groups(self, groups: Any, predictions: Any) -> None:
        """Refuse wrong labels as early, if rows are staged and their number is known."""
        if groups is None or self.num_process > 1 or not (self.held or self.writer is not None):
            return
        if predictions is None or has_length(predictions):
            factorize_labels(groups, len(self) + (0 if predictions is None else len(predictions)))

    def _create_cache_file(self, timeout: float = 1) -> tuple[str, Any]:
        """Take another name at once if a single process finds its file in use; evaluate waits a second for it."""
        Path(self.data_dir).mkdir(parents=True, exist_ok=True)  # it may be deleted by now
        created: tuple[str, Any] = super()._create_cache_file(timeout if self.num_process > 1 else 0)
        return created

    def _get_all_cache_files(self) -> tuple[list[str], list[Any]]:
        """Refuse files that were deleted, and those of processes that were killed."""
        self.file_paths, self.filelocks = super()._get_all_cache_files()
        check_files_complete(self.file_paths)
        self.selected_feature_format = datasets.Features.from_arrow_schema(unify_schemas(self.file_paths))
        return self.file_paths, self.filelocks

    def _compute(
        self,
        predictions: Any,
        references: Any,
        tokenizer: Any = None,
        lowercase: bool | str | None = None,
        strip: bool | None = None,
        whitespace: str | None = None,
        max_order: int | None = None,
        weights: Any = None,
        smoothing: str | None = None,
        smoothing_value: float | None = None,
        reference_length: str | None = None,
        effective_order: bool | str | None = None,
        auto_reweigh: bool | None = None,
        average: str | None = None,
        total_floor: str | None = None,
        zero_score: str | None = None,
        zero_precision: str | None = None,
        weight_precision: str | None = None,
        sentence_scores: bool = False,
        groups: Any = None,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 12345,
    ) -> dict[str, Any]:
        """Score Arrow columns."""
        given = locals()
        options = _chosen({name: given[name] for name in OPTIONS})
        corpus, config = prepare(predictions, references, self.config_name, options)
        if not sentence_scores and groups is None and confidence is None:
            return self._result(score_corpus(corpus, [config])[0], config)
        (statistics,) = count_corpus(corpus, [config])
        result = self._result(score(statistics), config)
        if sentence_scores:
            result["sentence_bleu"] = score_sentences(statistics).tolist()
        if groups is not None:
            scores = score_groups(statistics, groups)
            result["groups"] = {label: group_score.to_dict() for label, group_score in scores.items()}
        if confidence is not None:
            interval = bootstrap(statistics, n_resamples, seed, confidence)
            result["confidence_interval"] = np.transpose([interval.low, interval.high]).tolist()
        return result

    def _result(self, corpus_score: BleuScore, config: BleuConfig) -> dict[str, Any]:
        """Give the result's fields; warn where one order makes the score 0."""
        warn_of_zero(corpus_score, config, caller=_CALLER)
        return add_other_results(self.config_name, corpus_score.to_dict())


BleuMetric.__doc__ = f"{BleuMetric.__doc__}\n\n{_DESCRIPTION}{_INPUTS}"  # where evaluate's own metrics have them


def _chosen(options: dict[str, Any]) -> dict[str, Any]:
    """Leave out the options that are None: they stand for the dialect's own choice."""
    return {name: value for name, value in options.items() if value is not None}
