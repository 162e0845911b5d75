"""The metric class that `evaluate.load` finds. It describes the metric, collects rows of texts, and scores them.

evaluate copies only this file and the modules that this file imports. Therefore this file imports every module that
the metric needs. evaluate parses the imports line by line, so each import is on one line and has no comment.
"""

from __future__ import annotations

import contextlib
import threading
from inspect import cleandoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import datasets

from ._advice import ALL_CHECKS, advise, tokenized_note
from ._bleu import GROUPS_OF_DOCUMENTS, prepare
from ._bootstrap import bootstrap, check_resampling, score_groups
from ._config import DEFAULT, BleuConfig, config_of
from ._corpus import Corpus, Kind, as_corpus, check_same_kind
from ._counting import count_corpus
from ._display import printable
from ._files import read_table
from ._formula import bleu_of_rows
from ._languages import with_tokenizer
from ._lazy import np
from ._names import Signature
from ._ngrams import clipped_matches
from ._options import OPTIONS, add_other_results, hint_for, translate_arguments
from ._result import Column
from ._score import BleuScore
from ._statistics import orders_of, score, score_orders, score_sentences
from ._threads import in_threads
from ._tokens import tokenize
from ._validation import check_type, has_length, unknown_message

if TYPE_CHECKING:
    from . import _evaluate as evaluate
else:
    import evaluate

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002", address = "Philadelphia, Pennsylvania, USA", pages = "311--318", doi = "10.3115/1073083.1073135",
}
"""

# Text comes first, because evaluate's Gradio app reads only the first entry of the features
_TYPES: dict[Kind, Any] = {
    "text": datasets.Value("string"),
    "tokens": datasets.Sequence(datasets.Value("string")),
    "ids": datasets.Sequence(datasets.Value("int64")),
}
_SETTINGS = (*OPTIONS, "target_language")
_EXTRAS = ("all_orders", "sentence_scores", "groups", "documents", "confidence", "n_resamples", "seed")

Row = tuple[Any, list[Any]]  # a prediction, and its references without None


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
        all_orders (bool): also return BLEU-1 to BLEU-4, the scores with max_order from 1 to 4.
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
        bleu_1, bleu_2, bleu_3, bleu_4: if all_orders is True, one score per n-gram order up to max_order.
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
        """Build a metric for the dialect `config_name`. None and ``"default"`` mean sacrebleu, ``"bleu"`` evaluate.

        Raise ``TypeError`` for unknown arguments, which `evaluate.EvaluationModule` would ignore.
        """
        for name in arguments:
            if name not in signature(evaluate.EvaluationModule).parameters:
                is_dialect = name == "dialect"
                advice = "pass it as config_name" if is_dialect else "pass options of the score to compute"
                raise TypeError(f"unknown argument {name!r} of load; {advice}")
        names = {None: DEFAULT, "default": DEFAULT, "bleu": "evaluate"}
        super().__init__(names.get(config_name, config_name), **arguments)
        self._rows: list[Row] = []  # the rows that `add` and `add_batch` added
        self._kind: Kind | None = None  # kind of the added rows; None if all are empty lists

    def _info(self) -> evaluate.MetricInfo:
        """Return the description of the metric for evaluate, from the docstring of the class."""
        # Raise the error for an unknown dialect now, not at the first score
        config_of(self.config_name, {})

        features = []
        for text in _TYPES.values():
            with_lists = datasets.Features(predictions=text, references=datasets.Sequence(text))
            with_single = datasets.Features(predictions=text, references=text)
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
        """Return the attributes to copy, without added rows, locks, and the methods that evaluate binds to a metric."""
        state = {name: value for name, value in vars(self).items() if name not in ("add", "add_batch", "compute")}
        return {**state, "_rows": [], "_kind": None, "rendez_vous_lock": None, "filelocks": None}

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one prediction, with one reference or a list of references."""
        # evaluate.combine passes `predictions` and `references` in `others`, which replace the empty values
        row = {"predictions": prediction, "references": reference, **others}
        self.add_batch(**{name: [value] for name, value in row.items()})

    def add_batch(self, *, predictions: Any = None, references: Any = None, **unknown: Any) -> None:
        """Keep predictions and references until `compute`. If any row is invalid, raise an error and keep none."""
        if unknown:
            message = unknown_message("input", next(iter(unknown)), ["predictions", "references"])
            raise TypeError(f"{message}; pass options to compute")
        lengths = [len(rows) for rows in (predictions, references) if has_length(rows)]
        if self.num_process > 1 and lengths == [0, 0]:
            return  # other processes may have rows

        self._check_owner()
        corpus = self._read(predictions, references)
        self._rows += zip(corpus.predictions, corpus.references, strict=True)
        self._kind = corpus.kind if corpus.shows_kind else self._kind
        self._owner = threading.get_native_id()

    def _read(self, predictions: Any, references: Any) -> Corpus:
        """Check new rows. Raise ``TypeError`` if they are of another kind than the added rows."""
        corpus = as_corpus(predictions, references)
        check_same_kind(corpus._replace(first_row=len(self)), self._kind)
        return corpus.checked()

    def _check_owner(self) -> None:
        """Raise ``RuntimeError`` if rows were added by another thread, or by the parent process before a fork."""
        if self._rows and self._owner != threading.get_native_id():
            raise RuntimeError(
                "another thread or process has added rows to this metric: load one metric in each thread and process"
            )

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict[str, Any] | None:
        """Score the given predictions and references together with all rows that were added before.

        Return the results, or None if `process_id` > 0, because process 0 scores the rows of all processes. If an
        argument is wrong, the added rows are kept.
        """
        settings = self._check(options)
        self._check_owner()
        has_new_rows = predictions is not None or references is not None
        if self.num_process > 1:
            if has_new_rows:
                self.add_batch(predictions=predictions, references=references)
            return self._compute_in_processes(settings)

        if not self._rows:
            if not has_new_rows:
                raise ValueError("there is nothing to score: pass predictions and references, or call add_batch first")
            return self._compute(predictions, references, **settings)

        all_predictions, all_references = map(list, zip(*self._rows, strict=True))
        if has_new_rows:
            corpus = self._read(predictions, references)
            all_predictions += corpus.predictions
            all_references += corpus.references
        results = self._compute(all_predictions, all_references, **settings)
        self._rows, self._kind = [], None
        return results

    def _check(self, options: dict[str, Any]) -> dict[str, Any]:
        """Check the options of `compute`, and return the arguments of `_compute`. Options that are None are dropped."""
        # `force` is an option of sacrebleu that only silences the warning about tokenized predictions
        force = self.config_name == "sacrebleu" and bool(options.get("force"))
        options = translate_arguments(self.config_name, options)
        for name in options:
            if name not in _SETTINGS + _EXTRAS:
                names_dialect = name in ("dialect", "config_name")
                hint = "pass it to load, as in load(PATH, 'nltk'); " if names_dialect else hint_for(name)
                accepted = ("predictions", "references", *_SETTINGS, *_EXTRAS)
                raise TypeError(unknown_message("option", name, accepted, hint))

        given = {name: value for name, value in options.items() if value is not None}
        extras = {name: given.pop(name) for name in _EXTRAS if name in given}
        config = config_of(self.config_name, given)

        for name in ("all_orders", "sentence_scores"):
            check_type(name, extras.get(name, False), bool, "True or False")
        if extras.get("all_orders"):
            orders_of(config)
        if "groups" in extras and "documents" in extras:
            raise ValueError(GROUPS_OF_DOCUMENTS)
        resampling = [name for name in ("n_resamples", "seed") if name in extras]
        if "confidence" in extras:
            check_resampling(extras.get("n_resamples", 1000), extras.get("seed", 0), extras["confidence"])
        elif resampling:
            advice = "for an interval of 95 %, pass confidence=0.95"
            raise ValueError(f"{resampling[0]} does nothing without confidence; {advice}")
        return {"config": config, "force": force, **extras}

    def _compute_in_processes(self, settings: dict[str, Any]) -> dict[str, Any] | None:
        """Write the rows of this process to a file, and score the rows of all processes in process 0.

        evaluate waits for the other processes. Process 0 reads and removes the files of all processes.
        """
        predictions = [prediction for prediction, _ in self._rows]
        references = [of_row for _, of_row in self._rows]
        # Arrow joins a column of nulls with a column of any type, so the other processes may have rows of any kind
        null = datasets.Value("null")
        unknown = datasets.Sequence(null) if self._rows else null
        text = _TYPES[self._kind] if self._kind else unknown

        self._rows, self._kind = [], None
        this: Any = self  # because evaluate's attributes have no types
        this.file_paths = this.filelocks = None
        this.selected_feature_format = datasets.Features(predictions=text, references=datasets.Sequence(text))
        # All rows are one batch, because Arrow reads the complete batches of an incomplete file without an error
        this.writer_batch_size = max(1, len(predictions))
        try:
            self._init_writer()
            self.writer.write_batch({"predictions": predictions, "references": references})
            this.selected_feature_format = None  # the types in the files may differ from the type of these rows
            results: dict[str, Any] | None = super().compute(**settings)
        except BaseException:
            # evaluate keeps its files and locks after an error, and the next call would wait for the locks
            for path in filter(None, self.file_paths or [self.cache_file_name]):
                Path(path).unlink(missing_ok=True)
            for lock in filter(None, [self.filelock, self.rendez_vous_lock, *(self.filelocks or [])]):
                lock.release(force=True)
            this.writer = this.cache_file_name = this.filelock = None
            raise
        return results

    def _compute(
        self,
        predictions: Any,
        references: Any,
        config: BleuConfig,
        force: bool = False,
        all_orders: bool = False,
        sentence_scores: bool = False,
        groups: Any = None,
        documents: Any = None,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 12345,
    ) -> dict[str, Any]:
        """Score rows and return the results. `force`: do not warn of tokenized predictions."""
        # A tokenizer function may use random numbers, so the function runs with evaluate's random seed
        random_seed = evaluate.module.temp_seed(self.seed) if callable(config.tokenizer) else contextlib.nullcontext()
        with random_seed:
            corpus, config = prepare(predictions, references, config, {}, documents)
            needs_rows = sentence_scores or groups is not None or confidence is not None
            (statistics,) = count_corpus(corpus, [config], keep_rows=needs_rows)

        total = score(statistics)
        checks = [check for check in ALL_CHECKS if not (force and check is tokenized_note)]
        advise({"": corpus.as_given}, [config], {"": total}, checks)
        results = add_other_results(self.config_name, total.to_dict())
        if all_orders:
            results |= score_orders(statistics)
        if sentence_scores:
            results["sentence_bleu"] = score_sentences(statistics).tolist()
        if groups is not None:
            by_label = score_groups(statistics, groups)
            results["groups"] = {label: group.to_dict() for label, group in by_label.items()}
            for label, of_group in statistics.group_by(groups).items() if all_orders else ():
                results["groups"][label] |= score_orders(of_group)
        if confidence is not None:
            interval = bootstrap(statistics, n_resamples, seed, confidence)
            results["confidence_interval"] = [interval.low, interval.high]
        return results
