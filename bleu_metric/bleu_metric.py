"""The metric class that `evaluate.load` finds. It describes the metric, stages rows and scores them.

evaluate copies this file and the modules that this file imports. Therefore this file imports every module that the
metric needs. evaluate parses the import lines itself: each may have only one module, and no comment.
"""

from __future__ import annotations

import contextlib
import threading
from inspect import cleandoc
from pathlib import Path
from typing import Any

import datasets
import evaluate

from ._arrow import as_arrow_rows
from ._bleu import GROUPS_OF_DOCUMENTS, prepare
from ._bootstrap import bootstrap, check_resampling
from ._config import BleuConfig
from ._corpus import as_corpus
from ._counting import count_corpus
from ._counts import CountTable
from ._dialects import UNNAMED, config_of
from ._display import printable
from ._documents import join_documents
from ._formula import bleu_of_rows
from ._groups import score_groups
from ._kernel import count_texts
from ._labels import factorize_labels
from ._languages import with_tokenizer
from ._lazy import np, pa
from ._lists import read_lists
from ._mistakes import advice_on_item
from ._ngrams import clipped_matches
from ._options import OPTIONS, add_other_results, hint_for, translate_arguments
from ._reading import read_in_halves
from ._reference_length import REFERENCE_LENGTHS
from ._score import BleuScore
from ._signature import to_signature
from ._smoothing import SMOOTHINGS
from ._staging import NO_ROWS, join_tables, read_files, stage_rows, write_file
from ._statistics import score, score_sentences
from ._storage import read_table
from ._tables import Table
from ._text_warnings import warn_of_scores
from ._threads import in_threads
from ._tokenize import tokenize
from ._tokenizers import TOKENIZERS
from ._validation import has_length, short_repr, unknown_message
from ._zero_score import why_zero

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002", address = "Philadelphia, Pennsylvania, USA", pages = "311--318", doi = "10.3115/1073083.1073135",
}
"""

_LABELS = ("groups", "documents")
_INTERVAL = ("n_resamples", "seed", "confidence")
_ACCEPTED = ("predictions", "references", *OPTIONS, "target_language", "sentence_scores", *_LABELS, *_INTERVAL)
# The attributes of `evaluate.Metric` that hold its files and locks
_FILES = ("writer", "cache_file_name", "filelock", "rendez_vous_lock", "file_paths", "filelocks")


class BleuMetric(evaluate.Metric):
    """BLEU (Papineni et al., 2002) measures how many n-grams a translation shares with its references.

    The configuration name is the dialect: evaluate.load("./bleu_metric", "sacrebleu") computes the same number as
    sacrebleu, to within 1e-12. Every result has a signature with all settings of the score.

    Args:
        predictions: N strings, or N lists of tokens, or N lists of token ids.
        references: N references of the same kind as the predictions, or N lists of one or more references.
        tokenizer: "13a", "intl", "zh", "char", "whitespace", "none", "spm:PATH" and others, or a function of one text.
        lowercase (bool): ignore case. effective_order (bool): leave out orders for which the text is too short.
        max_order (int): length of the longest n-grams.
        weights (list): one weight per order. A list of such lists returns a list of scores.
        smoothing, smoothing_value: "none", "method0" to "method7", "floor", "add-k", "exp", "add-one" and others.
        reference_length: "closest", "shortest", "longest" or "average".
        average: "corpus", or "sentence" for the mean of the sentence scores.
        sentence_scores (bool): also return one score per sentence.
        groups (one label per segment): also return one score per label.
        documents (one label per segment): join the segments of each document, and score the documents.
        confidence (float), n_resamples (int), seed (int): also return a bootstrap interval; confidence=0.95 for 95 %.
        The metric card explains these and further options, and lists the defaults of every dialect.

    Returns:
        bleu (float): the score, on a scale of 0 to 1; a list of scores if weights is a list of lists.
        precisions, counts, totals (one per order).
        brevity_penalty, length_ratio, translation_length, reference_length.
        signature (str): all settings of the score.
        score (in percent), bp, sys_len, ref_len: also returned in the dialect "sacrebleu", as by evaluate's sacrebleu.
        sentence_bleu: the list of sentence scores. groups: label -> a dict of the results above and "segments".
        confidence_interval: [low, high].

    Examples:
        >>> import bleu_metric  # if it is not installed: bleu = evaluate.load(FOLDER), with the folder of this metric
        >>> bleu = bleu_metric.load()  # or bleu_metric.load("nltk"), for the number of a library
        >>> result = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on a mat"]])
        >>> round(result["bleu"], 4), result["counts"], result["totals"]
        (0.5373, [5, 3, 2, 1], [6, 5, 4, 3])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._staged: list[pa.Table] = []  # kept in memory; `_exchange` writes the rows of several processes to files

    def _info(self) -> evaluate.MetricInfo:
        config_of(self.config_name, {})  # raises an error for an unknown dialect now, not at the first score
        string, integer = datasets.Value("string"), datasets.Value("int64")
        texts = [string, datasets.Sequence(string), datasets.Sequence(integer)]
        forms = [(text, references) for text in texts for references in (datasets.Sequence(text), text)]
        description, arguments, inputs = cleandoc(BleuMetric.__doc__ or "").partition("Args:\n")
        return evaluate.MetricInfo(
            description=description,
            citation=_CITATION,
            inputs_description=f"\n{arguments}{inputs}\n",
            features=[datasets.Features(predictions=text, references=references) for text, references in forms],
            license="Apache-2.0",
            reference_urls=["https://aclanthology.org/P02-1040", "https://aclanthology.org/W18-6319"],
        )

    @property
    def name(self) -> str:
        """Return the name of the metric and its dialect, so that `evaluate.combine` can distinguish dialects."""
        dialect = getattr(self, "config_name", UNNAMED)
        return str(super().name) if dialect == UNNAMED else f"{super().name}_{dialect}"

    def __len__(self) -> int:
        """Return the number of staged rows."""
        return sum(map(len, self._staged))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy, without staged rows, files, locks and the methods bound to the original."""
        state = {**vars(self), **dict.fromkeys(_FILES), "_staged": []}
        return {name: value for name, value in state.items() if name not in ("add", "add_batch", "compute")}

    def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Keep a batch of predictions and references in memory until `compute`. If a row is wrong, keep no row."""
        if others:
            raise TypeError(unknown_message("input", next(iter(others)), ["predictions", "references"]))
        if self.num_process > 1 and all(has_length(side) and not len(side) for side in (predictions, references)):
            return  # an empty batch is allowed here, because other processes may have rows
        self._check_owner()
        stage_rows(self._staged, predictions, references)
        self._join_processes()

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Stage one prediction and its reference, or its list of references."""
        row = {"predictions": prediction, "references": reference, **others}  # evaluate.combine passes the plural names
        self.add_batch(**{name: [value] for name, value in row.items()})

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Score the staged rows and the given ones together. Return the results, or None if `process_id` > 0."""
        is_forced = self.config_name == "sacrebleu" and options.get("force")
        options = self._check(translate_arguments(self.config_name, options), predictions)
        if is_forced:
            options["force"] = True  # only for the warning
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
        """Return the options that are not None. Raise an error for a wrong option, before staged rows are removed."""
        for name in options:
            if name not in _ACCEPTED:
                raise TypeError(unknown_message("option", name, _ACCEPTED, hint_for(name)))
        options = with_tokenizer({name: value for name, value in options.items() if value is not None})
        config_of(self.config_name, _settings_in(options))
        _check_extras(options)
        rows = [] if predictions is None else predictions
        name = next((name for name in _LABELS if name in options), "")
        if name and self.num_process == 1 and self._staged and has_length(rows):
            factorize_labels(options[name], len(self) + len(rows), name)
        return options

    def _check_owner(self) -> None:
        """Raise ``RuntimeError`` if another thread, or the process before a fork, has staged rows."""
        thread = threading.get_native_id()
        if self._staged and self._thread != thread:
            raise RuntimeError(
                "another thread or process staged rows in this metric: load one metric in each, or call it in only one"
            )
        self._thread = thread

    def _join_processes(self) -> None:
        """Lock the file of this process, and wait until all processes have locked their files, as evaluate does."""
        if self.num_process == 1 or self.filelock is not None:
            return
        try:
            Path(self.data_dir).mkdir(parents=True, exist_ok=True)  # the folder may have been deleted
            self._init_writer()
        except BaseException:
            self._leave_processes()
            raise

    def _exchange(self, rows: pa.Table) -> pa.Table | None:
        """Exchange rows. Process 0 returns the rows of all processes; the others write theirs to files and return None.

        Process 0 writes no file, so that it can remove the other processes' files even if the disk is full.
        """
        try:
            self._join_processes()
            self.writer = None  # evaluate's writer is not needed; it holds the file open
            if self.process_id > 0:
                write_file(rows, self.cache_file_name)
                self.filelock.release()  # process 0 waits until this lock is released
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
        """Return the results for rows. evaluate's seed is set for tokenizer functions, which may use random numbers."""
        settings = _settings_in(options)
        needs_rows = len(settings) < len(options)
        with evaluate.module.temp_seed(self.seed) if callable(options.get("tokenizer")) else contextlib.nullcontext():
            corpus, config = prepare(predictions, references, self.config_name, settings, options.get("documents"))
            (statistics,) = count_corpus(corpus, [config], keep_rows=needs_rows)
        total = score(statistics)
        warn_of_scores({"": corpus}, [config], {"": total}, options.get("force", False))
        result = add_other_results(self.config_name, total.to_dict())
        if options.get("sentence_scores"):
            result["sentence_bleu"] = score_sentences(statistics).tolist()
        if "groups" in options:
            by_label = score_groups(statistics, options["groups"])
            result["groups"] = {label: group.to_dict() for label, group in by_label.items()}
        if "confidence" in options:
            resampling = {name: options[name] for name in _INTERVAL if name in options}
            interval = bootstrap(statistics, **resampling)
            result["confidence_interval"] = np.transpose([interval.low, interval.high]).tolist()
        return result


def _settings_in(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are fields of `BleuConfig`."""
    return {name: options[name] for name in OPTIONS if name in options}


def _check_extras(options: dict[str, Any]) -> None:
    """Raise an error for a wrong option that is no field of `BleuConfig`."""
    if not isinstance(options.get("sentence_scores", False), bool):
        raise TypeError(f"sentence_scores must be True or False, got {short_repr(options['sentence_scores'])}")
    if "confidence" in options:
        check_resampling(options.get("n_resamples", 1000), options.get("seed", 0), options["confidence"])
    elif name := next((name for name in _INTERVAL if name in options), ""):
        raise ValueError(f"{name} does nothing without confidence; for an interval of 95 %, pass confidence=0.95")
    if options.keys() >= {*_LABELS}:
        raise ValueError(GROUPS_OF_DOCUMENTS)
