"""The web page of the metric's Space. It scores typed or uploaded texts in every dialect, or compares two systems.

``scripts/build_space.py OUT`` copies this module and the files of the package into the folder OUT.
``python OUT/app.py`` then serves the page on this machine.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr

HERE = Path(__file__).resolve().parent

if "bleu_metric" not in sys.modules:  # a Space has the package's files beside this one; its folder may have any name
    spec = importlib.util.spec_from_file_location(
        "bleu_metric", HERE / "__init__.py", submodule_search_locations=[str(HERE)]
    )
    sys.modules["bleu_metric"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["bleu_metric"])

from bleu_metric import DIALECTS, BleuScore, score, score_dialects  # noqa: E402
from bleu_metric._advice import advise  # noqa: E402
from bleu_metric._display import escape_controls  # noqa: E402
from bleu_metric._options import CHOICES  # noqa: E402
from bleu_metric._tokens import TOKENIZERS  # noqa: E402
from bleu_metric.cli.files import naming_file, text_lines  # noqa: E402
from bleu_metric.comparison.paired import compare_all_pairs  # noqa: E402
from bleu_metric.comparison.result import Comparison  # noqa: E402
from bleu_metric.comparison.systems import corpora_of_systems, count_systems  # noqa: E402
from bleu_metric.reporting.html import page_file, render  # noqa: E402
from bleu_metric.reporting.sentences import read_sentences  # noqa: E402

BYTES = 2_000_000  # most bytes of all texts together that the page accepts
SHOWN = 200  # sentences
WRITTEN = 1500  # bytes; the code to copy contains the texts up to this size, and reads longer texts from files
AS_DIALECT = "as the dialect"
ONE, OTHER = "System A", "System B"
# These texts have what dialects treat differently: punctuation, contractions and a short line
NEWS = """It's a well-known fact: the cat's owner paid $1,250.50 on Dec. 3.
The state-of-the-art system wasn't able to translate "Straße" correctly.
We met at noon near the station.
The U.S. economy grew 2.5% in Q3, the Commerce Department said.
"It's not over," she said – we'll see.
Prices rose again."""
NEWS_REFERENCE = """It is a well-known fact: the cat's owner paid $1,250.50 on Dec. 3.
The state-of-the-art system was not able to translate "Straße" correctly!
We met at noon by the old station.
The U.S. economy grew by 2.5% in Q3, the Commerce Department said.
"It isn't over," she said; we shall see.
Prices have risen again."""
NEWS_OTHER = """A known fact: the owner of the cat paid 1,250.50 dollars on 3 December.
The modern system could not translate "Straße" correctly.
We met at noon by the station.
The economy of the U.S. grew by 2.5%, said the Commerce Department.
"It isn't over," she said, "we'll see."
Prices went up again."""
EXAMPLES = {
    "English": [NEWS, NEWS_REFERENCE, "", "sacrebleu", AS_DIALECT],
    "Two systems": [NEWS, NEWS_REFERENCE, NEWS_OTHER, "sacrebleu", AS_DIALECT],
    "Chinese, tokenizer zh": ["猫坐在垫子上。", "猫坐在一张垫子上。", "", "sacrebleu", "zh"],
    "Arabic, as NLTK": ["جلست القطة على السجادة", "جلست القطة على البساط", "", "nltk", AS_DIALECT],
}
# Group -> dialect -> the library or script whose score the dialect reproduces
DIALECT_GROUPS = {
    "Translation": {
        "sacrebleu": "what papers report",
        "mteval-v13a": "the script of NIST and Moses",
        "multi-bleu": "the script of Moses for tokenized text",
        "multi-bleu-detok": "the script of Moses for text that is not tokenized",
    },
    "General libraries": {
        "nltk": "corpus_bleu of NLTK",
        "evaluate": "bleu of Hugging Face evaluate",
        "bleuscore": "the package bleuscore",
    },
    "Training libraries": {
        "torchmetrics": "bleu_score of TorchMetrics",
        "torchtext": "bleu_score of torchtext",
        "torcheval": "bleu_score of TorchEval",
        "ignite": "Bleu of PyTorch-Ignite, mean over sentences",
        "ignite-micro": "Bleu of PyTorch-Ignite with average='micro'",
        "keras-hub": "Bleu of KerasHub",
        "codexglue": "sentence BLEU of CodeXGLUE, mean over sentences",
        "llama-factory": "BLEU-4 of LLaMA-Factory, on characters",
    },
    "Captions": {"pycocoevalcap": "Bleu of the COCO caption evaluation"},
    "Textbook": {"papineni": "the formula of the paper of 2002"},
}
# Variable of Gradio's theme -> name of a colour in the report's style sheet
COLOURS = {
    "body_background_fill": "page",
    "body_text_color": "text",
    "body_text_color_subdued": "quiet",
    "background_fill_primary": "page",
    "background_fill_secondary": "panel",
    "border_color_primary": "line",
    "border_color_accent": "bar",
    "color_accent_soft": "rail",
    "block_background_fill": "panel",
    "block_border_color": "line",
    "block_title_text_color": "text",
    "block_label_text_color": "text",
    "block_info_text_color": "quiet",
    "input_background_fill": "page",
    "input_border_color": "quiet",
    "input_border_color_focus": "bar",
    "input_placeholder_color": "quiet",
    "button_primary_background_fill": "bar",
    "button_primary_background_fill_hover": "bar",
    "button_primary_border_color": "bar",
    "button_primary_text_color": "page",
    "button_secondary_background_fill": "page",
    "button_secondary_text_color": "text",
}
# All dialects but that of the paper's formula belong to a library or a script
TITLE = f"BLEU in {len(DIALECTS)} dialects of libraries and scripts"
INTRODUCTION = f"""\
# {TITLE}
Choose a library and get its number. Write one segment per line; nothing is stored.
[The paper](https://aclanthology.org/P02-1040) · [why numbers differ](https://aclanthology.org/W18-6319)
"""
# Scrolls to the result, which is below the form on a telephone
SHOW_RESULT = "() => { document.querySelector('#result').scrollIntoView({ block: 'nearest' }); }"
READ_LINES = r"""
from pathlib import Path

def read_lines(path):
    text = Path(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n")
"""
PAGE_STYLE = """
#dialect input { padding-inline-end: 2rem; text-overflow: ellipsis; }
textarea { unicode-bidi: plaintext; text-align: start; }
.bleu-metric h2 { margin: 2.25rem 0 0.5rem; font-size: 1.35rem; }
#result, #result .html-container { padding: 0; }
.bleu-metric h3 { margin: 1.5rem 0 0; font-size: 1.05rem; }
.bleu-metric table, .bleu-metric tr { border: 0 !important; }
.bleu-metric > h2:first-child { margin-top: 0.5rem; }
.bleu-metric > details { margin-bottom: 1rem; }
.bleu-metric .error { border: 2px solid #b3261e; border-radius: 8px; padding: 0.75rem 1rem; }
@media (min-width: 641px) { #score { max-width: 16rem; } }
footer { display: none !important; }
"""
SYSTEM_FONTS = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}  # never downloaded


class Texts(NamedTuple):
    """The texts to score, and the files that they come from."""

    systems: dict[str, list[str]]
    """Name -> predictions; ``""`` is the name of a single system."""
    references: list[list[str]]
    files: dict[str, list[str]]
    """Input (such as "system B") -> names of its files, or a name for its typed text."""
    size: int
    """Bytes of all texts together."""


def answer(
    hypotheses: str,
    references: str,
    other: str,
    hypothesis_file: str | None,
    reference_files: list[str] | None,
    other_file: str | None,
    dialect: str,
    tokenizer: str,
    smoothing: str,
    max_order: float,
    lowercase: bool,
) -> str:
    """Return the HTML of the result for the typed or uploaded texts, or of the library's own error message."""
    chosen = {"tokenizer": tokenizer, "smoothing": smoothing}
    options: dict[str, Any] = {name: value for name, value in chosen.items() if value != AS_DIALECT}
    if lowercase:
        options["lowercase"] = True
    sources = {
        "hypotheses": (hypotheses, [hypothesis_file] if hypothesis_file else []),
        "references": (references, reference_files or []),
    }
    if other_file or (other or "").strip():
        sources["system B"] = (other, [other_file] if other_file else [])
    try:
        if int(max_order) != 4:
            options["max_order"] = int(max_order)
        return page(read(sources), dialect, options)
    except (TypeError, ValueError) as error:
        return f'<div class="bleu-metric"><p class="error" role="alert">{escape(escape_controls(str(error)))}</p></div>'


def read(sources: Mapping[str, tuple[str, Sequence[str]]]) -> Texts:
    """Return the texts. Each item of `sources` is a typed text and paths of files; files replace the typed text."""
    contents = {
        name: [(Path(path).name, Path(path).read_bytes()) for path in paths] or [(name, (text or "").encode())]
        for name, (text, paths) in sources.items()
    }
    size = sum(len(data) for files in contents.values() for _, data in files)
    if size > BYTES:
        raise ValueError(
            f"the texts have {size:,} bytes; this page accepts up to {BYTES:,} bytes. "
            "For longer texts, install bleu_metric and type: bleu-metric score HYP REF"
        )
    lines: dict[str, list[list[str]]] = {name: [] for name in contents}
    for name, files in contents.items():
        for file, data in files:
            with naming_file(file):
                lines[name].append(list(text_lines(BytesIO(data))))
    (hypotheses,) = lines["hypotheses"]
    for name, files in contents.items():
        for (file, _), texts in zip(files, lines[name], strict=True):
            if len(texts) != len(hypotheses):
                raise ValueError(
                    f"{len(hypotheses)} lines of hypotheses, but {len(texts)} of {file}: "
                    f"line n of the {name} must belong to line n of the hypotheses"
                )
    references = list(map(list, zip(*lines["references"], strict=True)))
    others = lines.get("system B")
    systems = {ONE: hypotheses, OTHER: others[0]} if others else {"": hypotheses}
    return Texts(systems, references, names_of_files(sources), size)


def names_of_files(sources: Mapping[str, tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """Return the names of the files that the copied code reads. If files have one name, their inputs come in front."""
    inputs = {name: name.replace(" ", "-") for name in sources}
    files = {
        name: [Path(path).name for path in paths] or [f"{inputs[name]}.txt"] for name, (_, paths) in sources.items()
    }
    every = [file for own in files.values() for file in own]
    if len(set(every)) == len(every):
        return files
    return {
        name: [
            f"{inputs[name]}-{number}-{file}" if len(own) > 1 else f"{inputs[name]}-{file}"
            for number, file in enumerate(own, 1)
        ]
        for name, own in files.items()
    }


def page(texts: Texts, dialect: str, options: dict[str, Any]) -> str:
    """Return the HTML of the result: scores, code to copy, sentences, and the scores in every dialect."""
    corpora = corpora_of_systems(texts.systems, texts.references)
    statistics, config = count_systems(corpora, dialect, options)
    comparison = compare_all_pairs(statistics, baseline=next(iter(statistics)))  # as the copied code does
    found = advise(corpora, [config], {name: score(counts) for name, counts in statistics.items()})
    notes = render("notes", notes=found, mended=None, comparison=comparison, digits=1)
    code = Code(texts, dialect, options)
    by_dialect = {name: score_dialects(texts.systems[name], texts.references, **options) for name in texts.systems}
    segments = len(next(iter(statistics.values())))
    count = f"{segments:,} in all"
    if segments > SHOWN:
        count += f", the first {SHOWN} are shown"
    sentences = render(
        "sentence_list",
        sentences=read_sentences(corpora, statistics, range(min(SHOWN, segments))),
        system_names=list(statistics),
        group_names=[],
        digits=1,
    )
    return "".join(
        [
            '<div class="bleu-metric">',
            "" if comparison.pairs else spread(by_dialect[""]),
            (two_systems if comparison.pairs else one_system)(comparison, notes, code),
            f'<h2>Sentences</h2><p class="quiet">{count}</p>',
            sentences,
            "<h2>The same texts in every dialect</h2>",
            *(dialect_table(name, scores) for name, scores in by_dialect.items()),
            "</div>",
        ]
    )


def dialect_table(name: str, scores: Mapping[str, BleuScore]) -> str:
    """Return the HTML of a system's scores in every dialect, below the system's name if it has one."""
    heading = f"<h3>{name}</h3>" if name else ""
    return heading + render("dialects", scores=scores, digits=1)


def spread(scores: Mapping[str, BleuScore]) -> str:
    """Return the HTML of a line with the lowest and the highest score of all dialects."""
    lowest, highest = (choose(scores.values(), key=lambda one: one.bleu) for choose in (min, max))
    ends = " to ".join(f"{100 * end.bleu:.0f}" for end in (lowest, highest))
    return f'<p class="finding"><b>{ends}</b>: the same texts, {len(scores)} dialects.</p>'


def one_system(comparison: Comparison, notes: str, code: Code) -> str:
    """Return the HTML of one system's score, with its notes and with code that computes the score again."""
    system_score = comparison.baseline.parts
    copied = {"Score": f"{100 * system_score.bleu:.1f}", **signatures(system_score, system_score.signature)}
    codes = {"Python": code.of_package(), "With evaluate": code.of_evaluate()}
    panel = render("score_panel", comparison=comparison, digits=1, has_headline=True)
    return "".join([panel, notes, render("copied", texts=copied), folded_code(codes)])


def two_systems(comparison: Comparison, notes: str, code: Code) -> str:
    """Return the HTML of a comparison of two systems, in the form of the report."""
    shown = {"comparison": comparison, "digits": 1}
    copied = {f"Score of {system.name}": f"{100 * system.interval.score:.1f}" for system in comparison.ranked}
    copied |= signatures(comparison.baseline.parts, comparison.signature)
    codes = {"Python": code.of_comparison() if comparison.n_resamples else code.of_systems()}
    return "".join(
        [
            render("finding", heading_level=2, **shown),
            notes,
            render("summary", **shown),
            render("copied", texts=copied),
            folded_code(codes),
        ]
    )


def signatures(of_score: BleuScore, signature: str) -> dict[str, str]:
    """Return the signature and, if sacrebleu can compute the score, the signature that sacrebleu prints."""
    sacrebleu = of_score.sacrebleu_signature
    return {"Signature": signature, **({"As sacrebleu prints it": sacrebleu} if sacrebleu else {})}


def folded_code(codes: Mapping[str, str]) -> str:
    """Return the HTML of folded code, which the reader can open."""
    return f"<details><summary>Code that gives this result again</summary>{render('copied', texts=codes)}</details>"


class Code(NamedTuple):
    """Python code that computes the numbers of the page again. The reader can copy it."""

    texts: Texts
    dialect: str
    options: Mapping[str, Any]

    def of_package(self) -> str:
        """Return Python code that scores one system by `corpus_bleu`."""
        call = f"score = bleu_metric.corpus_bleu(predictions, references, {self._choices()})"
        return "\n".join(["import bleu_metric", *self._read(["predictions"]), call, "print(score)"])

    def of_evaluate(self) -> str:
        """Return Python code that scores one system with evaluate."""
        arguments = ", ".join(["predictions=predictions", "references=references", *self._options()])
        lines = [
            "import bleu_metric",
            "import evaluate",
            *self._read(["predictions"]),
            f"metric = evaluate.load(bleu_metric.PATH, {quoted(self.dialect)})",
            f"result = metric.compute({arguments})",
            'print(result["bleu"])',
        ]
        return "\n".join(lines)

    def of_systems(self) -> str:
        """Return Python code that scores two systems by `score_systems`."""
        return "\n".join(["import bleu_metric", *self._two_systems("score_systems", "scores"), "print(scores)"])

    def of_comparison(self) -> str:
        """Return Python code that compares two systems by `paired_bootstrap`."""
        lines = [
            "import bleu_metric",
            *self._two_systems("system_statistics", "statistics"),
            f'baseline = statistics.pop("{ONE}")',
            f'comparison = bleu_metric.paired_bootstrap(baseline, statistics, baseline_name="{ONE}")',
            "print(comparison)",
        ]
        return "\n".join(lines)

    def _two_systems(self, function: str, result: str) -> list[str]:
        systems = f'systems = {{"{ONE}": system_a, "{OTHER}": system_b}}'
        call = f"{result} = bleu_metric.{function}(systems, references, {self._choices()})"
        return [*self._read(["system_a", "system_b"]), systems, call]

    def _choices(self) -> str:
        return ", ".join([quoted(self.dialect), *self._options()])

    def _options(self) -> list[str]:
        return [f"{name}={quoted(value)}" for name, value in self.options.items()]

    def _read(self, names: Sequence[str]) -> list[str]:
        """Return lines of code that define the texts: as lists, or read from files if the texts are long."""
        if self.texts.size <= WRITTEN:
            columns = zip(names, self.texts.systems.values(), strict=True)
            lists = [listed(name, texts) for name, texts in (*columns, ("references", self.texts.references))]
            return ["", *lists, ""]
        files = dict(self.texts.files)
        references = files.pop("references")
        lines = [f"{name} = read_lines({file!r})" for name, (file,) in zip(names, files.values(), strict=True)]
        if len(references) == 1:
            lines.append(f"references = read_lines({references[0]!r})")
        else:
            lines.append(f"references = list(zip(*map(read_lines, {references!r})))")
        return [READ_LINES, *lines, ""]


def listed(name: str, texts: Sequence[Any]) -> str:
    """Return code for a list of texts, one row per line. Lists of one reference each are written as texts."""
    rows = list(texts)
    if all(isinstance(row, list) and len(row) == 1 for row in rows):
        rows = [row[0] for row in rows]
    lines = [f"    {row!r}," for row in rows]
    return "\n".join([f"{name} = [", *lines, "]"])


def quoted(value: Any) -> str:
    """Return an option's value as it is typed in Python, with double quotes."""
    return repr(value).replace("'", '"')


def dialect_choices() -> list[tuple[str, str]]:
    """Return the choices of the menu, group by group: a line that explains the dialect, and the dialect's name."""
    choices = []
    for group, dialects in DIALECT_GROUPS.items():
        for dialect, whose in dialects.items():
            config = DIALECTS[dialect]
            how = f"tokens {config.tokenizer}, smoothing {config.smoothing}"
            choices.append((f"{group} · {dialect}: {whose} ({how})", dialect))
    return choices


def build() -> gr.Blocks:
    """Return the page."""
    with gr.Blocks(title=TITLE, analytics_enabled=False) as blocks:
        gr.Markdown(INTRODUCTION)
        with gr.Row(equal_height=False):
            with gr.Column(scale=2, min_width=300):
                typed = {"lines": 4, "max_lines": 8}
                first = EXAMPLES["English"]
                hypotheses = gr.Textbox(
                    first[0], label="Hypotheses", placeholder="the cat sat on the mat", elem_id="hypotheses", **typed
                )
                references = gr.Textbox(
                    first[1], label="References", placeholder="the cat sat on a mat", elem_id="references", **typed
                )
                dialect = gr.Dropdown(
                    dialect_choices(),
                    value="sacrebleu",
                    label="Dialect: whose number",
                    info="Libraries compute BLEU in different ways. Choose the one whose number you want.",
                    elem_id="dialect",
                )
                button = gr.Button("Score", variant="primary", elem_id="score")
                examples = gr.Row()
                other = gr.Textbox(
                    label="System B to compare with (optional)",
                    placeholder="hypotheses of another system, for the same references",
                    elem_id="other",
                    **{**typed, "lines": 2},
                )
                with gr.Accordion("Options", open=False):
                    tokenizer = gr.Dropdown([AS_DIALECT, *TOKENIZERS], value=AS_DIALECT, label="Tokenizer")
                    smoothings = [AS_DIALECT, *map(str, CHOICES["smoothing"])]
                    smoothing = gr.Dropdown(smoothings, value=AS_DIALECT, label="Smoothing")
                    max_order = gr.Slider(1, 10, value=4, step=1, label="Longest n-gram")
                    lowercase = gr.Checkbox(label="Lower-case")
                with gr.Accordion("Upload files instead", open=False):
                    files = {"type": "filepath", "height": 120}
                    hypothesis_file = gr.File(label="Hypotheses (UTF-8 text)", elem_id="hypothesis-file", **files)
                    label = "References (one file or more)"
                    reference_files = gr.File(label=label, file_count="multiple", elem_id="reference-files", **files)
                    other_file = gr.File(label="System B (optional)", elem_id="other-file", **files)
            with gr.Column(scale=3, min_width=300):
                shown = answer(*first[:3], None, None, None, *first[3:], AS_DIALECT, 4, False)
                result = gr.HTML(shown, elem_id="result", padding=False)
        inputs = [hypotheses, references, other, hypothesis_file, reference_files, other_file, dialect]
        inputs += [tokenizer, smoothing, max_order, lowercase]
        button.click(answer, inputs, result, api_name="score").then(None, js=SHOW_RESULT)
        with examples:
            gr.Examples(
                list(EXAMPLES.values()),
                [hypotheses, references, other, dialect, tokenizer],
                example_labels=list(EXAMPLES),
            )
    return blocks


def theme() -> gr.themes.Base:
    """Return a theme in the report's colours. The style sheet begins with the light colours, then the dark ones."""
    light, dark = (dict(re.findall(r"--(\w+): (#\w+);", block)) for block in page_file("style.css").split("}")[:2])
    on_light = {variable: light[name] for variable, name in COLOURS.items()}
    on_dark = {f"{variable}_dark": dark[name] for variable, name in COLOURS.items()}
    return gr.themes.Default(**SYSTEM_FONTS).set(**on_light, **on_dark)


if __name__ == "__main__":
    build().launch(
        theme=theme(),
        css=page_file("style.css") + PAGE_STYLE,
        head=f"<script>{page_file('script.js')}</script>",
        max_file_size=BYTES,
        ssr_mode=False,
    )
