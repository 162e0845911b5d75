"""The metric as `evaluate.load` finds it: descriptions, features, staging. The numbers come from `_bleu`.

evaluate copies this file and the modules that it imports. It parses import lines: one module per line, without a
comment. Therefore this file imports every module that the metric needs.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pyarrow as pa

from ._arrow import as_arrow_rows
from ._bleu import prepare, score_corpus
from ._bootstrap import bootstrap
from ._config import OPTIONS
from ._corpus import as_corpus
from ._counting import count_corpus
from ._counts import check_counts
from ._dialects import config_of
from ._display import printable
from ._formula import score_tables
from ._groups import score_groups
from ._kernel import count_texts
from ._labels import factorize_labels
from ._mistakes import look_for_mistakes
from ._ngrams import clipped_matches
from ._other_names import add_other_results, hint_for, translate_arguments
from ._reference_length import REFERENCE_LENGTHS
from ._score import cite
from ._smoothing import SMOOTHINGS
from ._staging import NO_ROWS, join_tables, read_files, stage_rows, write_file
from ._statistics import score, score_sentences
from ._storage import read_table
from ._threads import in_threads
from ._tokenize import tokenize
from ._tokenizers import TOKENIZERS
from ._validation import check_count, check_probability, check_seed, has_length, short_repr, unknown_message
from ._zero_score import warn_of_zero

_DESCRIPTION = """\
BLEU (Papineni et al., 2002) measures how many n-grams a translation shares with its references. The configuration name
is the dialect, the library whose number is wanted, to 1e-12: evaluate.load("./bleu_metric", "sacrebleu"). Every result
carries a signature that says how it was made.
"""

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002", address = "Philadelphia, Pennsylvania, USA", pages = "311--318", doi = "10.3115/1073083.1073135",
}
"""

_INPUTS = """
Args:
    predictions: N strings, or N lists of tokens, or N lists of token ids.
    references: N lists of one or more references of the same kind, or N references.
    tokenizer: "13a", "intl", "zh", "char", "whitespace", "none", "spm:PATH" and others, or a function of a text.
    lowercase, effective_order (bool): ignore case; leave out orders that the text is too short for.
    max_order (int), weights (list): longest n-gram; one weight per order, or a list of such lists for a list of scores.
    smoothing, smoothing_value: "none", "method0" to "method7", "floor", "add-k", "exp", "add-one" and others.
    reference_length: "closest", "shortest", "longest", "average". average: "corpus", or "sentence" for the mean.
    sentence_scores (bool), groups (list of labels, one per segment): also return a score per sentence, per label.
    confidence (float), n_resamples (int), seed (int): also return a bootstrap interval, 0.95 for one of 95 %.
    The metric card explains these and further options, and lists the defaults of every dialect.
Returns:
    bleu (float): the score, on a scale of 0 to 1; a list of scores for a list of lists of weights.
    precisions, counts, totals (one per order); brevity_penalty, length_ratio, translation_length, reference_length.
    signature (str): every setting that the number depends on.
    score (in percent), bp, sys_len, ref_len: in the dialect "sacrebleu", the names of evaluate's sacrebleu.
    sentence_bleu, groups, confidence_interval: a list; label -> all of the above and "segments"; [low, high].
Examples:
    >>> import bleu_metric  # if it is not installed: bleu = evaluate.load(FOLDER), with the folder of this metric
    >>> bleu = bleu_metric.load()  # or bleu_metric.load("nltk"), for the number of a library
    >>> result = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on a mat"]])
    >>> round(result["bleu"], 4), result["counts"], result["totals"]
    (0.5373, [5, 3, 2, 1], [6, 5, 4, 3])
"""

_INTERVAL = ("n_resamples", "seed", "confidence")
_ACCEPTED = ("predictions", "references", *OPTIONS, "sentence_scores", "groups", *_INTERVAL)
# Attributes of `evaluate.Metric`
_FILES = ("writer", "cache_file_name", "filelock", "rendez_vous_lock", "file_paths", "filelocks")


class BleuMetric(evaluate.Metric):
    """BLEU in the dialect of the configuration name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._staged: list[pa.Table] = []  # in memory; several processes exchange theirs through evaluate's files

    def _info(self) -> evaluate.MetricInfo:
        config_of(self.config_name, {})  # raises an error for an unknown dialect now, not at the first score
        string, integer = datasets.Value("string"), datasets.Value("int64")
        texts = [string, datasets.Sequence(string), datasets.Sequence(integer)]
        forms = [(text, reference) for text in texts for reference in (datasets.Sequence(text), text)]
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=[datasets.Features(predictions=text, references=reference) for text, reference in forms],
            license="Apache-2.0",
            reference_urls=["https://aclanthology.org/P02-1040", "https://aclanthology.org/W18-6319"],
        )

    @property
    def name(self) -> str:
        """The name of the metric and its dialect, so that `evaluate.combine` can distinguish dialects."""
        dialect = getattr(self, "config_name", "default")
        return str(super().name) if dialect == "default" else f"{super().name}_{dialect}"

    def __len__(self) -> int:
        """Return the number of staged rows."""
        return sum(map(len, self._staged))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of a copy: no staged rows, files or locks, and no methods bound to the original."""
        state = {**vars(self), **dict.fromkeys(_FILES), "_staged": []}
        return {name: value for name, value in state.items() if name not in ("add", "add_batch", "compute")}

    def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Stage a batch of predictions and their references in memory. A batch with an error is not staged."""
        if others:
            raise TypeError(unknown_message("input", next(iter(others)), ["predictions", "references"]))
        if self.num_process > 1 and all(has_length(side) and not len(side) for side in (predictions, references)):
            return  # other processes may have rows
        self._check_owner()
        stage_rows(self._staged, predictions, references)
        self._join_processes()

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Stage one prediction and its reference or references."""
        row = {"predictions": prediction, "references": reference, **others}  # evaluate.combine passes the plurals
        self.add_batch(**{name: [value] for name, value in row.items()})

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Score the staged rows, together with the predictions and references given here."""
        options = self._check(translate_arguments(self.config_name, options), predictions)
        if predictions is not None or references is not None:
            if self.num_process == 1 and not self._staged:
                return self._compute(predictions, references, **options)
            self.add_batch(predictions=predictions, references=references)
        self._check_owner()
        rows = join_tables([NO_ROWS, *self._staged])
        self._staged = []
        if self.num_process > 1:
            rows = self._exchange(rows)
        if self.process_id > 0:
            return None
        if not len(rows):
            raise ValueError("there is nothing to score: pass predictions and references, or call add_batch first")
        return self._compute(rows["predictions"], rows["references"], **options)

    def _check(self, options: dict[str, Any], predictions: Any) -> dict[str, Any]:
        """Return the options that are not None; refuse wrong ones early, so that the staged rows are kept."""
        for name in options:
            if name not in _ACCEPTED:
                raise TypeError(unknown_message("option", name, _ACCEPTED, hint_for(name)))
        options = {name: value for name, value in options.items() if value is not None}
        config_of(self.config_name, {name: options[name] for name in OPTIONS if name in options})
        if not isinstance(options.get("sentence_scores", False), bool):
            raise TypeError(f"sentence_scores must be True or False, got {short_repr(options['sentence_scores'])}")
        check_count("n_resamples", options.get("n_resamples", 1), 1)
        check_seed(options.get("seed", 0))
        if "confidence" in options:
            check_probability(options["confidence"])
        elif name := next((name for name in _INTERVAL if name in options), ""):
            raise ValueError(f"{name} does nothing without confidence; for an interval of 95 %, pass confidence=0.95")
        rows = [] if predictions is None else predictions
        if "groups" in options and self.num_process == 1 and self._staged and has_length(rows):
            factorize_labels(options["groups"], len(self) + len(rows))
        return options

    def _check_owner(self) -> None:
        """Raise ``RuntimeError`` for rows of several threads, or of a process and its forks."""
        thread = threading.get_native_id()
        if self._staged and self._thread != thread:
            raise RuntimeError(
                "another thread or process staged rows in this metric: load one in each, or stage and compute in one"
            )
        self._thread = thread

    def _join_processes(self) -> None:
        """Lock the file of this process, and wait until all processes have locked theirs, as evaluate does."""
        if self.num_process == 1 or self.filelock is not None:
            return
        try:
            Path(self.data_dir).mkdir(parents=True, exist_ok=True)  # it may be deleted by now
            self._init_writer()
        except BaseException:
            self._leave_processes()
            raise

    def _exchange(self, rows: pa.Table) -> pa.Table | None:
        """Write the rows of this process to its file; in process 0, return them with the rows of all other files.

        Process 0 writes nothing, so that it can remove the files of the others even if the disk is full.
        """
        try:
            self._join_processes()
            self.writer = None  # evaluate's own, which has the file open
            if self.process_id > 0:
                write_file(rows, self.cache_file_name)
                self.filelock.release()  # process 0 waits for it
                self.filelock = None
                return None
            self.file_paths, self.filelocks = self._get_all_cache_files()
            return read_files(rows, self.file_paths[1:])
        finally:
            self._leave_processes()

    def _leave_processes(self) -> None:
        """Forget the staged rows, remove the files that this process has locked, and release all locks."""
        self.writer, self._staged = None, []
        files = zip(self.file_paths or [self.cache_file_name], self.filelocks or [self.filelock], strict=True)
        for path, lock in reversed([file for file in files if file[1] is not None]):
            with contextlib.suppress(OSError):
                Path(path).unlink()
            lock.release(force=True)
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release(force=True)
        self.__dict__.update(dict.fromkeys(_FILES))

    def _compute(self, predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
        """Score columns with checked options. A tokenizer that uses random numbers gets those of evaluate's seed."""
        chosen = {name: options[name] for name in OPTIONS if name in options}
        with evaluate.module.temp_seed(self.seed) if callable(options.get("tokenizer")) else contextlib.nullcontext():
            corpus, config = prepare(predictions, references, self.config_name, chosen)
            rows: Any = None if len(chosen) == len(options) else count_corpus(corpus, [config])[0]
            total = score_corpus(corpus, [config])[0] if rows is None else score(rows)
        warn_of_zero(total, config, caller=3)  # the code that called `compute`
        result = add_other_results(self.config_name, total.to_dict())
        if options.get("sentence_scores"):
            result["sentence_bleu"] = score_sentences(rows).tolist()
        if "groups" in options:
            result["groups"] = {
                label: group.to_dict() for label, group in score_groups(rows, options["groups"]).items()
            }
        if "confidence" in options:
            interval = bootstrap(rows, **{name: options[name] for name in _INTERVAL if name in options})
            result["confidence_interval"] = np.transpose([interval.low, interval.high]).tolist()
        return result


BleuMetric.__doc__ = f"{BleuMetric.__doc__}\n\n{_DESCRIPTION}{_INPUTS}"  # where evaluate's own metrics have them
