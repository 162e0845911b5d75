"""The metric class that `evaluate.load` finds. It describes the metric, collects rows of texts, and scores them.

evaluate copies only this file and the modules that this file imports. Therefore this file imports every module that
the metric needs. evaluate parses the imports line by line, so each import is on one line and has no comment.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Sequence
from inspect import cleandoc, signature
from pathlib import Path
from typing import Any

import datasets
import evaluate

from ._advice import ALL_CHECKS, advise, tokenized_note
from ._bleu import GROUPS_OF_DOCUMENTS, prepare
from ._bootstrap import bootstrap, check_resampling, score_groups
from ._config import DEFAULT, BleuConfig, config_of
from ._corpus import EXPECTED, Corpus, Kind, as_corpus, factorize_labels, join_documents
from ._counting import count_corpus
from ._display import Table, printable
from ._files import read_table
from ._formula import REFERENCE_LENGTHS, SMOOTHINGS, bleu_of_rows
from ._languages import with_tokenizer
from ._lazy import np, pa
from ._ngrams import clipped_matches
from ._options import OPTIONS, add_other_results, hint_for, to_signature, translate_arguments
from ._score import BleuScore
from ._statistics import BleuStatistics, score, score_sentences
from ._threads import in_threads
from ._tokens import TOKENIZERS, tokenize
from ._validation import check_type, has_length, unknown_message

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002", address = "Philadelphia, Pennsylvania, USA", pages = "311--318", doi = "10.3115/1073083.1073135",
}
"""

_LABEL_OPTIONS = ("groups", "documents")
_INTERVAL_OPTIONS = ("n_resamples", "seed", "confidence")
_EXTRAS = ("target_language", "sentence_scores", *_LABEL_OPTIONS, *_INTERVAL_OPTIONS)
_ACCEPTED = ("predictions", "references", *OPTIONS, *_EXTRAS)
# The attributes of `evaluate.Metric` that hold files and locks
_FILE_ATTRIBUTES = ("writer", "cache_file_name", "filelock", "rendez_vous_lock", "file_paths", "filelocks")


Row = tuple[Any, list[Any]]  # a prediction, and its references without None


def write_rows(rows: list[Row], path: str) -> None:
    """Write rows to an Arrow file. An incomplete file cannot be read, because the footer is written last."""
    predictions, references = zip(*rows, strict=True) if rows else ((), ())
    table = pa.table({"predictions": list(predictions), "references": list(references)})
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def read_rows(paths: Sequence[str]) -> list[Row]:
    """Return the rows in the files of processes 1, 2, and so on. Raise ``ValueError`` for an incomplete file."""
    rows: list[Row] = []
    for process, path in enumerate(paths, 1):
        try:
            with pa.OSFile(path) as file:
                table = pa.ipc.open_file(file).read_all()
        except (OSError, pa.ArrowInvalid) as error:
            raise ValueError(
                f"the rows of process {process} are missing or incomplete; run all processes again ({path}: {error})"
            ) from error
        rows += zip(table["predictions"].to_pylist(), table["references"].to_pylist(), strict=True)
    return rows


class BleuMetric(evaluate.Metric):
    """BLEU (Papineni et al., 2002) measures how many n-grams a translation shares with its references.

    Libraries compute BLEU differently. The configuration name selects a dialect, which computes the score of one
    library: evaluate.load("./bleu_metric", "sacrebleu") computes the same score as sacrebleu, to within 1e-12. Every
    result has a signature, which is one line with all settings of the score.

    Args:
        predictions: N strings, or N lists of tokens, or N lists of token ids.
        references: N references of the same kind as the predictions, or N lists of one or more references.
        tokenizer: "13a", "intl", "zh", "char", "whitespace", "none", "spm:PATH" and others, or a function that splits
            a string into tokens.
        lowercase (bool): ignore case.
        max_order (int): length of the longest n-grams.
        effective_order (bool): leave out n-gram orders for which the text is too short.
        weights (list): one weight per order.
        smoothing: "none", "method0" to "method7", "floor", "add-k", "exp", "add-one" and others.
        smoothing_value (float): the constant in the smoothing formula.
        reference_length: the reference length in the brevity penalty: "closest", "shortest", "longest" or "average".
        average: "corpus", or "sentence" for the mean of the sentence scores.
        sentence_scores (bool): also return one score per sentence.
        groups (one label per segment): also return one score per label.
        documents (one label per segment): join the segments of each document, and score the documents.
        confidence (float): also return a bootstrap interval, for example 0.95 for a 95 % interval.
        n_resamples (int), seed (int): number and random seed of the resamples for the interval.
        The metric card explains these and further options, and lists the defaults of every dialect.

    Returns:
        bleu (float): the score, on a scale of 0 to 1.
        precisions, counts, totals (one per order): modified precisions, clipped matches and numbers of n-grams.
        brevity_penalty, length_ratio, translation_length, reference_length.
        signature (str): all settings of the score.
        score (in percent), bp, sys_len, ref_len: in the default dialect, sacrebleu, as in evaluate's sacrebleu metric.
        sentence_bleu: if sentence_scores is True, the list of sentence scores.
        groups: if groups is given, a dict of label -> dict, which has the above results and the number of "segments".
        confidence_interval: if confidence is given, [low, high].

    Examples:
        >>> import bleu_metric  # if it is not installed: bleu = evaluate.load(FOLDER), with the folder of this metric
        >>> bleu = bleu_metric.load()  # or bleu_metric.load("nltk"), for the score of NLTK
        >>> result = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on a mat"]])
        >>> round(result["bleu"], 4), result["counts"], result["totals"]
        (0.5373, [5, 3, 2, 1], [6, 5, 4, 3])
    """

    def __init__(self, config_name: str | None = None, **arguments: Any) -> None:
        """Build a metric for the dialect `config_name`. None and ``"default"`` mean sacrebleu.

        Raise ``TypeError`` for unknown arguments, which `evaluate.EvaluationModule` would ignore.
        """
        for name in arguments:
            if name not in signature(evaluate.EvaluationModule).parameters:
                is_dialect = name == "dialect"
                advice = "pass it as config_name" if is_dialect else "pass options of the score to compute"
                raise TypeError(f"unknown argument {name!r} of load; {advice}")
        super().__init__(DEFAULT if config_name in (None, "default") else config_name, **arguments)
        self._rows: list[Row] = []  # the rows that `add` and `add_batch` added
        self._kind: Kind | None = None  # kind of the added rows; None without rows, or if all are empty lists

    def _info(self) -> evaluate.MetricInfo:
        """Return the description of the metric for evaluate, from the docstring of the class."""
        # Raise the error for an unknown dialect now, not at the first score
        config_of(self.config_name, {})

        text = datasets.Value("string")
        tokens = datasets.Sequence(text)
        token_ids = datasets.Sequence(datasets.Value("int64"))
        # The first entry must be text with lists of references, because evaluate's Gradio app reads only this entry
        features = []
        for kind in (text, tokens, token_ids):
            with_lists = datasets.Features(predictions=kind, references=datasets.Sequence(kind))
            with_single = datasets.Features(predictions=kind, references=kind)
            features += [with_lists, with_single]

        docstring = cleandoc(BleuMetric.__doc__ or "")  # None under `python -OO`
        description, heading, inputs = docstring.partition("Args:\n")
        return evaluate.MetricInfo(
            description=description,
            citation=_CITATION,
            inputs_description=f"\n{heading}{inputs}\n",  # evaluate prints it between triple quotes
            features=features,
            license="Apache-2.0",
            reference_urls=["https://aclanthology.org/P02-1040", "https://aclanthology.org/W18-6319"],
        )

    @property
    def name(self) -> str:
        """Return a name such as "bleu_metric_nltk", so that `evaluate.combine` distinguishes dialects."""
        return f"{super().name}_{self.config_name}"

    def __len__(self) -> int:
        """Return the number of rows that were added and not yet scored."""
        return len(self._rows)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to copy, without added rows, files, locks and bound methods."""
        state = {**vars(self), **dict.fromkeys(_FILE_ATTRIBUTES), "_rows": []}  # `fromkeys` sets all of them to None
        for method in ("add", "add_batch", "compute"):
            state.pop(method, None)
        return state

    def add_batch(self, *, predictions: Any = None, references: Any = None, **unknown: Any) -> None:
        """Keep a batch of predictions and references in memory until `compute`.

        If any row is invalid, raise an error and keep no row of the batch.
        """
        if unknown:
            message = unknown_message("input", next(iter(unknown)), ["predictions", "references"])
            raise TypeError(f"{message}; pass options to compute")
        if self.num_process > 1 and _is_empty(predictions) and _is_empty(references):
            return  # other processes may have rows

        self._check_owner()
        corpus = as_corpus(predictions, references)
        checked = corpus.checked()
        rows = list(zip(checked.predictions, checked.references, strict=True))
        self._kind = self._common_kind(corpus)
        self._rows += rows
        self._join_processes()

    def _common_kind(self, corpus: Corpus) -> Kind | None:
        """Return the kind of the added rows and the new rows. Raise ``TypeError`` if the two kinds differ."""
        old, new = self._kind or "tokens", corpus.kind
        if not self._rows:
            return new if corpus.shows_kind else None
        # Empty lists can be tokens or token ids
        are_lists = "text" not in (old, new)
        is_unknown = self._kind is None or not corpus.shows_kind
        if old != new and not (are_lists and is_unknown):
            raise TypeError(
                f"{EXPECTED[old]} were added before, but the new rows are {EXPECTED[new]}: one score cannot mix texts, "
                "tokens and token ids; pass rows of one kind"
            )
        return new if corpus.shows_kind else self._kind

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one prediction, with one reference or a list of references."""
        # evaluate.combine passes `predictions` and `references` in `others`, which replace the empty values
        row = {"predictions": prediction, "references": reference, **others}
        self.add_batch(**{name: [value] for name, value in row.items()})

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Score the given predictions and references together with all rows that were added before.

        Return the results, or None if `process_id` > 0, because process 0 scores the rows of all processes.
        """
        # `force` is an option of sacrebleu that only silences the warning about tokenized predictions
        force = self.config_name == "sacrebleu" and bool(options.get("force"))
        options = translate_arguments(self.config_name, options)
        options = self._check(options, predictions)

        has_new_rows = predictions is not None or references is not None
        has_other_rows = self._rows or self.num_process > 1
        if has_new_rows and not has_other_rows:
            return self._compute(predictions, references, options, force)
        if has_new_rows:
            self.add_batch(predictions=predictions, references=references)

        self._check_owner()
        rows: list[Row] | None
        rows, self._rows = self._rows, []
        if self.num_process > 1:
            rows = self._exchange(rows)
            if rows is None:
                return None
        if not rows:
            raise ValueError("there is nothing to score: pass predictions and references, or call add_batch first")
        all_predictions, all_references = map(list, zip(*rows, strict=True))
        return self._compute(all_predictions, all_references, options, force)

    def _check(self, options: dict[str, Any], predictions: Any) -> dict[str, Any]:
        """Check the options, drop options that are None, and replace `target_language` with a tokenizer.

        `compute` calls this before it removes the added rows, so that a wrong option loses no rows.
        """
        for name in options:
            if name not in _ACCEPTED:
                names_dialect = name in ("dialect", "config_name")
                hint = "pass it to load, as in load(PATH, 'nltk'); " if names_dialect else hint_for(name)
                raise TypeError(unknown_message("option", name, _ACCEPTED, hint))

        options = {name: value for name, value in options.items() if value is not None}
        options = with_tokenizer(options)
        # Raises an error for a wrong value
        config_of(self.config_name, _select(options, OPTIONS))
        _check_extras(options)
        # The rows of other processes are unknown
        if self._rows and self.num_process == 1:
            new_predictions = [] if predictions is None else predictions
            self._check_labels(options, new_predictions)
        return options

    def _check_labels(self, options: dict[str, Any], predictions: Any) -> None:
        """Check that `groups` and `documents` have one label for each added row and each new prediction."""
        if not has_length(predictions):
            return  # the error for these predictions is raised later
        n_rows = len(self) + len(predictions)
        for name in _LABEL_OPTIONS:
            if name in options:
                factorize_labels(options[name], n_rows, name)

    def _check_owner(self) -> None:
        """Raise ``RuntimeError`` if rows were added by another thread, or by the parent process before a fork."""
        thread = threading.get_native_id()
        if self._rows and self._thread != thread:
            raise RuntimeError(
                "another thread or process has added rows to this metric: load one metric in each thread and process"
            )
        self._thread = thread

    def _join_processes(self) -> None:
        """Lock the file of this process, and wait until each process has locked its file, as evaluate does.

        Do nothing if there is only one process, or if the file is already locked.
        """
        if self.num_process == 1 or self.filelock is not None:
            return
        try:
            # The folder may have been deleted
            Path(self.data_dir).mkdir(parents=True, exist_ok=True)
            self._init_writer()
        except BaseException:
            self._leave_processes()
            raise

    def _check_all_processes_locks(self) -> None:
        """Wait until all processes have locked their files. Errors name the process, not a file as in evaluate."""
        for process in range(self.num_process):
            self._wait_for_start(process)

    def _check_rendez_vous(self) -> None:
        self._wait_for_start(0)
        super()._check_rendez_vous()

    def _wait_for_start(self, process: int) -> None:
        """Wait until a process has locked its file. Raise ``ValueError`` after `timeout` seconds."""
        file_name = f"{self.experiment_id}-{self.num_process}-{process}.arrow.lock"
        lock = evaluate.module.FileFreeLock(str(Path(self.data_dir, file_name)))
        try:
            lock.acquire(timeout=self.timeout)
        except evaluate.module.Timeout:
            raise ValueError(
                f"process {process} of {self.num_process} has not called add, add_batch or compute within "
                f"timeout={self.timeout} seconds; start all processes with the same experiment_id and cache_dir, or "
                "pass a larger timeout to load"
            ) from None
        lock.release()

    def _exchange(self, rows: list[Row]) -> list[Row] | None:
        """Return the rows of all processes in process 0, and None in the other processes.

        The other processes write files, which process 0 reads and removes. Process 0 writes no file, so a full disk
        cannot stop process 0.
        """
        try:
            self._join_processes()
            # evaluate's writer would keep the file open
            self.writer = None

            if self.process_id > 0:
                write_rows(rows, self.cache_file_name)
                self.filelock.release()  # process 0 waits until this lock is released
                self.filelock = None
                return None

            self.file_paths, self.filelocks = self._get_all_cache_files()
            # The first file would be from this process
            return rows + read_rows(self.file_paths[1:])
        finally:
            self._leave_processes()

    def _leave_processes(self) -> None:
        """Drop the added rows, delete the files that this process has locked, and release all locks."""
        self._rows = []
        self.writer = None  # closes its file

        # Only process 0 has the files and the locks of all processes
        paths = self.file_paths or [self.cache_file_name]
        locks = self.filelocks or [self.filelock]
        files = list(zip(paths, locks, strict=True))
        for path, lock in reversed(files):
            if lock is None:
                continue
            with contextlib.suppress(OSError):
                Path(path).unlink()
            lock.release(force=True)

        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release(force=True)
        self.__dict__.update(dict.fromkeys(_FILE_ATTRIBUTES))

    def _compute(self, predictions: Any, references: Any, options: dict[str, Any], force: bool) -> dict[str, Any]:
        """Score rows and return the results. `force`: do not warn of tokenized predictions.

        A tokenizer function may use random numbers, so the function runs with evaluate's random seed.
        """
        settings = _select(options, OPTIONS)
        # Other options, such as `groups`, need the counts of each row
        has_extras = len(settings) < len(options)
        documents = options.get("documents")

        is_function = callable(options.get("tokenizer"))
        random_seed = evaluate.module.temp_seed(self.seed) if is_function else contextlib.nullcontext()
        with random_seed:
            corpus, config = prepare(predictions, references, self.config_name, settings, documents)
            (statistics,) = count_corpus(corpus, [config], keep_rows=has_extras)

        total = score(statistics)
        checks = [check for check in ALL_CHECKS if not (force and check is tokenized_note)]
        advise({"": corpus.as_given}, [config], {"": total}, checks)
        results = add_other_results(self.config_name, total.to_dict())
        return results | _extra_results(statistics, options)


def _is_empty(rows: Any) -> bool:
    return has_length(rows) and not len(rows)


def _select(options: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the options in `names`: {"a": 1, "b": 2}, ["b", "c"] -> {"b": 2}."""
    return {name: options[name] for name in names if name in options}


def _check_extras(options: dict[str, Any]) -> None:
    """Raise an error if an option in `_EXTRAS`, such as `confidence`, has an invalid value."""
    check_type("sentence_scores", options.get("sentence_scores", False), bool, "True or False")
    if "groups" in options and "documents" in options:
        raise ValueError(GROUPS_OF_DOCUMENTS)

    resampling = _select(options, _INTERVAL_OPTIONS)
    if "confidence" in resampling:
        # 1000 and 0 are valid values for options that are not passed
        check_resampling(**{"n_resamples": 1000, "seed": 0, **resampling})
    elif resampling:
        name = next(iter(resampling))
        raise ValueError(f"{name} does nothing without confidence; for an interval of 95 %, pass confidence=0.95")


def _extra_results(statistics: BleuStatistics, options: dict[str, Any]) -> dict[str, Any]:
    """Return the results for the options in `_EXTRAS`: sentence scores, groups and an interval."""
    results: dict[str, Any] = {}
    if options.get("sentence_scores"):
        results["sentence_bleu"] = score_sentences(statistics).tolist()

    if "groups" in options:
        by_label = score_groups(statistics, options["groups"])
        results["groups"] = {label: group.to_dict() for label, group in by_label.items()}

    if "confidence" in options:
        interval = bootstrap(statistics, **_select(options, _INTERVAL_OPTIONS))
        results["confidence_interval"] = [interval.low, interval.high]
    return results
