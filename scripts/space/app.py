"""The page of the metric's Space: paste or upload texts, see the score in every dialect.

``python app.py`` serves it on this machine. The file lies in one folder with the files of the package bleu_metric; see
``scripts/build_space.py``.
"""

from __future__ import annotations

import importlib.util
import sys
from html import escape
from pathlib import Path
from typing import Any

import gradio as gr

HERE = Path(__file__).resolve().parent

if "bleu_metric" not in sys.modules:  # the files beside this one are the package, whatever the folder is called
    spec = importlib.util.spec_from_file_location(
        "bleu_metric", HERE / "__init__.py", submodule_search_locations=[str(HERE)]
    )
    sys.modules["bleu_metric"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["bleu_metric"])

from bleu_metric import DIALECTS, score_dialects  # noqa: E402
from bleu_metric._arrow import zip_columns  # noqa: E402
from bleu_metric._bleu import fit_config  # noqa: E402
from bleu_metric._config import CHOICES  # noqa: E402
from bleu_metric._corpus import as_corpus  # noqa: E402
from bleu_metric._counting import count_corpus  # noqa: E402
from bleu_metric._dialects import config_of  # noqa: E402
from bleu_metric._display import escape_controls  # noqa: E402
from bleu_metric._score import score  # noqa: E402
from bleu_metric._tokenizers import TOKENIZERS  # noqa: E402
from bleu_metric.cli.files import split_lines  # noqa: E402
from bleu_metric.reporting.html import (  # noqa: E402
    dialect_table,
    page_script,
    page_style,
    score_panel,
    sentence_list,
    zero_notes,
)
from bleu_metric.reporting.sentences import read_sentences  # noqa: E402

BYTES = 2_000_000  # of all texts together
SHOWN = 200  # sentences
AS_DIALECT = "as the dialect"
EXAMPLES = [
    ["the cat sat on the mat\nthere is a dog", "the cat sat on a mat\nthere is a dog", "sacrebleu", AS_DIALECT],
    ["猫坐在垫子上。", "猫坐在一张垫子上。", "sacrebleu", "zh"],
    ["جلست القطة على السجادة", "جلست القطة على البساط", "nltk", AS_DIALECT],
]
PAGE_STYLE = """
textarea { unicode-bidi: plaintext; text-align: start; }
.bleu-metric { padding: 0 0.25rem; }
.bleu-metric table, .bleu-metric tr { border: 0 !important; }
.bleu-metric .error { border: 2px solid #b3261e; border-radius: 8px; padding: 0.75rem 1rem; }
@media (max-width: 640px) { .bleu-metric .scores .signature { white-space: nowrap; } }
footer { display: none !important; }
"""
SYSTEM_FONTS = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}  # nothing is fetched


def answer(
    hypotheses: str,
    references: str,
    hypothesis_file: str | None,
    reference_files: list[str] | None,
    dialect: str,
    tokenizer: str,
    smoothing: str,
    max_order: float,
    lowercase: bool,
) -> str:
    """Score the typed or uploaded texts; show an error of the library as it is."""
    chosen = {"tokenizer": tokenizer, "smoothing": smoothing}
    options: dict[str, Any] = {name: value for name, value in chosen.items() if value != AS_DIALECT}
    if lowercase:
        options["lowercase"] = True
    try:
        if int(max_order) != 4:
            options["max_order"] = int(max_order)
        predictions, targets = read(hypotheses, references, hypothesis_file, reference_files)
        return page(predictions, targets, dialect, options)
    except (TypeError, ValueError) as error:
        return f'<div class="bleu-metric"><p class="error" role="alert">{escape(escape_controls(str(error)))}</p></div>'


def read(
    hypotheses: str, references: str, hypothesis_file: str | None, reference_files: list[str] | None
) -> tuple[Any, Any]:
    """Take the texts from the files, or from the boxes if there are no files."""
    sources = [("hypotheses", hypotheses, [hypothesis_file] if hypothesis_file else [])]
    sources.append(("references", references, reference_files or []))
    named = [
        [(Path(path).name, Path(path).read_bytes()) for path in paths] or [(name, (text or "").encode())]
        for name, text, paths in sources
    ]
    size = sum(len(data) for files in named for _, data in files)
    if size > BYTES:
        raise ValueError(
            f"the texts have {size:,} bytes; this page takes {BYTES:,}. For more, install the package and type: "
            "bleu-metric score HYP REF"
        )
    (predictions,), targets = [[split_lines(data, name) for name, data in files] for files in named]
    names = [name for name, _ in named[1]]
    for name, lines in zip(names, targets, strict=True):
        if len(lines) != len(predictions):
            raise ValueError(
                f"{len(predictions)} lines of hypotheses, but {len(lines)} of {name}: "
                "line n of the references must belong to line n of the hypotheses"
            )
    return predictions, zip_columns(names, targets)


def page(predictions: Any, references: Any, dialect: str, options: dict[str, Any]) -> str:
    """Score the texts and show everything about them."""
    corpus = as_corpus(predictions, references)
    config = fit_config(config_of(dialect, options), corpus)
    (statistics,) = count_corpus(corpus, [config])
    corpus_score = score(statistics)
    segments = len(statistics)
    sentences = read_sentences({"": corpus}, {"": statistics}, range(min(SHOWN, segments)))
    count = f"{segments:,} in all"
    if segments > SHOWN:
        count += f", the first {SHOWN} are shown"
    return "".join(
        [
            '<div class="bleu-metric">',
            score_panel(corpus_score),
            *(f"<p>{escape(note)}</p>" for note in zero_notes({"": corpus_score}, config)),
            f'<h2>Sentences</h2><p class="quiet">{count}</p>',
            sentence_list(sentences, max_order=config.max_order),
            "<h2>The same texts in every dialect</h2>",
            dialect_table(score_dialects(predictions, references, **options)),
            "</div>",
        ]
    )


def build() -> gr.Blocks:
    """Lay out the page."""
    with gr.Blocks(title="BLEU (bleu_metric)", analytics_enabled=False) as blocks:
        gr.Markdown("# BLEU\nThe number that your library gave, by name. One segment a line; nothing is stored.")
        with gr.Row():
            box = {"lines": 6, "max_lines": 12, "min_width": 300}
            hypotheses = gr.Textbox(label="Hypotheses", elem_id="hypotheses", **box)
            references = gr.Textbox(label="References", elem_id="references", **box)
        with gr.Accordion("Upload files instead", open=False):
            files = {"type": "filepath", "height": 120}
            hypothesis_file = gr.File(label="Hypotheses (UTF-8 text)", elem_id="hypothesis-file", **files)
            label = "References (one file or more)"
            reference_files = gr.File(label=label, file_count="multiple", elem_id="reference-files", **files)
        dialect = gr.Dropdown(list(DIALECTS), value="sacrebleu", label="Dialect: whose number", elem_id="dialect")
        with gr.Accordion("Options", open=False), gr.Row():
            tokenizer = gr.Dropdown([AS_DIALECT, *TOKENIZERS], value=AS_DIALECT, label="Tokenizer")
            smoothing = gr.Dropdown([AS_DIALECT, *map(str, CHOICES["smoothing"])], value=AS_DIALECT, label="Smoothing")
            max_order = gr.Slider(1, 10, value=4, step=1, label="Longest n-gram")
            lowercase = gr.Checkbox(label="Lower-case")
        button = gr.Button("Score", variant="primary", elem_id="score")
        result = gr.HTML(elem_id="result")
        inputs = [hypotheses, references, hypothesis_file, reference_files, dialect]
        inputs += [tokenizer, smoothing, max_order, lowercase]
        button.click(answer, inputs, result, api_name="score")
        gr.Examples(EXAMPLES, [hypotheses, references, dialect, tokenizer])
    return blocks


if __name__ == "__main__":
    build().launch(
        theme=gr.themes.Default(**SYSTEM_FONTS),
        css=page_style() + PAGE_STYLE,
        head=f"<script>{page_script()}</script>",
        max_file_size=BYTES,
        ssr_mode=False,
    )
