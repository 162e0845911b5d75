"""The site, made by Sphinx: ``python -m sphinx -W docs site`` writes it into the folder ``site``.

Documents at the top of the project, such as CHANGELOG.md, are also pages of the site. Each has one text: its page
includes it, and the functions below change its links to pages of the site.
"""

from __future__ import annotations

import posixpath
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes, utils
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.writers import text as text_writer

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
# Until the project is published, it has no address, and no page links to it
REPOSITORY = PROJECT.get("urls", {}).get("Repository")
DOCUMENTS = {  # at the top of the project -> page
    "README.md": "index.md",
    "metric_card.md": "metric_card.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}

project = PROJECT["name"]
html_title = "bleu_metric"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_llms_txt",  # writes llms.txt and llms-full.txt
]
exclude_patterns = ["_static"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"  # notebooks keep their outputs; a test runs them
# Pages that include a document begin with its heading
suppress_warnings = ["myst.header"]

default_role = "py:obj"  # `corpus_bleu` in a docstring leads to its page
autodoc_member_order = "bysource"
# One signature without types: the parameters are described below it
autodoc_typehints = "none"
autodoc_preserve_defaults = (
    True  # as they are written, but `show_values` replaces constants
)
# Base classes of compat modules
autodoc_mock_imports = [
    "torch",
    "torchmetrics",
    "ignite",
    "nltk",
    "sacrebleu",
    "evaluate",
]
maximum_signature_line_length = 70
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
if REPOSITORY:
    html_theme_options = {
        "source_repository": REPOSITORY,
        "source_branch": "main",
        "source_directory": "docs/",
    }
llms_txt_summary = PROJECT["description"]
llms_txt_exclude = ["notebooks/*"]
llms_txt_uri_template = "_sources/{docname}{suffix}{sourcelink_suffix}"
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

read_module = ModuleAnalyzer.analyze


def analyze_without_overloads(analyzer: ModuleAnalyzer) -> None:
    """Read a module, and forget its overloads: a page shows one signature of each function."""
    read_module(analyzer)
    analyzer.overloads = {}


LINK = re.compile(
    r"(?<!!)\[([^\]]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)|(!\[[^\]]*\]\()([^)#\s:]+)\)"
)


def site_path(target: str, folder: str, page_folder: str) -> str | None:
    """Return the page that a link of a document leads to, as a path seen from the page that shows it.

    Args:
        target: path as the document has it.
        folder: folder of the document, seen from the top of the project.
        page_folder: folder of the page that shows it, seen from `docs`.

    Returns:
        The path, or None if the file is not on the site.
    """
    path = posixpath.normpath(posixpath.join(folder, target))
    if path in DOCUMENTS:
        return posixpath.relpath(DOCUMENTS[path], page_folder or ".")
    if path.startswith("docs/"):
        return posixpath.relpath(path.removeprefix("docs/"), page_folder or ".")
    return None


def change_links(text: str, folder: str, page: str) -> str:
    """Change all links of a document to pages of the site; other files are named, or linked in the repository."""

    def change(match: re.Match[str]) -> str:
        label, target, anchor, image, source = match.groups()
        path = site_path(source or target, folder, posixpath.dirname(page))
        if image:
            return f"{image}{path})"
        if path:
            return f"[{label}]({path}{anchor or ''})"
        if REPOSITORY:
            return f"[{label}]({REPOSITORY}/blob/main/{posixpath.normpath(posixpath.join(folder, target))})"
        return label

    return LINK.sub(change, text)


def read_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Change the links of a page."""
    if app.env.doc2path(page, base=False).suffix != ".md":
        return
    source[0] = page_text(page, source[0])


def page_text(page: str, source: str) -> str:
    """Return the Markdown of a page with links to other pages."""
    folder = posixpath.join("docs", posixpath.dirname(page))
    return change_links(source, folder, page)


def read_document(
    _app: Sphinx, path: Path, page: str, content: list[str]
) -> None:
    """Change the links of a document that a page includes."""
    folder = (
        (ROOT / "docs" / path).resolve().parent.relative_to(ROOT).as_posix()
    )
    content[0] = change_links(content[0], folder, page)


def link_options(
    _app: Sphinx,
    _what: str,
    name: str,
    _object: Any,
    _options: Any,
    lines: list[str],
) -> None:
    """Add a link to the table of options where a function accepts ``**options``."""
    if name.endswith(
        (".compare_groups", ".load")
    ):  # theirs are the options of another function
        return
    for at, line in enumerate(lines):
        if line.startswith((":param \\*\\*options:", ":param **options:")):
            lines[at] = (
                line + " See :doc:`the table of options </reference/options>`."
            )


def label_cells(_app: Sphinx, document: nodes.document, _page: str) -> None:
    """Write the heading of its column on each cell of a table, so that a narrow screen can show it as a list."""
    for table in document.findall(nodes.table):
        heads = [
            entry.astext()
            for head in table.findall(nodes.thead)
            for entry in head.findall(nodes.entry)
        ]
        if not heads:
            continue
        table["classes"].append("labelled")
        heads[0] = ""  # the first cell is the heading of its row
        for body in table.findall(nodes.tbody):
            for row in body.findall(nodes.row):
                for head, entry in zip(
                    heads, row.findall(nodes.entry), strict=False
                ):
                    if not entry.astext():
                        entry["classes"].append("empty")
                    elif head:
                        label = nodes.inline("", head, classes=["column"])
                        target = entry.children[0] if entry.children else entry
                        target.insert(0, label)


# What the theme leaves out: the level of headings, and names for two landmarks
REPAIRS = (
    (
        '<p class="caption" role="heading">',
        '<p class="caption" role="heading" aria-level="2">',
    ),
    (
        '<aside class="sidebar-drawer">',
        '<aside class="sidebar-drawer" aria-label="Pages">',
    ),
    (
        '<aside class="toc-drawer',
        '<aside aria-label="Contents of this page" class="toc-drawer',
    ),
)
SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
# Sphinx writes parameters on lines of their own as a list of definitions without terms
LINES = {
    "<dl>": '<span class="lines">',
    "</dl>": "</span>",
    "<dd>": "<span>",
    "</dd>": "</span>",
}


def as_lines(signature: re.Match[str]) -> str:
    """Write the parameters of a signature as lines instead of a list."""
    return re.sub("</?d[ld]>", lambda tag: LINES[tag[0]], signature[0])


def repair_pages(app: Sphinx, error: Exception | None) -> None:
    """Complete the pages, so that screen readers can tell their parts apart."""
    for path in () if error else Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for before, after in REPAIRS:
            text = text.replace(before, after)
        text = SIGNATURE.sub(as_lines, text)
        path.write_text(text, encoding="utf-8")


TOCTREE = re.compile(r"^```\{toctree\}\n(?:.*\n)*?```\n", re.MULTILINE)
INCLUDE = re.compile(r"^```\{include\} (\S+)\n((?::.*\n)*)```\n", re.MULTILINE)
DOCSTRINGS = re.compile(
    r"^```\{eval-rst\}\n.*?^```\n", re.MULTILINE | re.DOTALL
)
text_writer.MAXWIDTH = 10_000  # a line break could split a name at a hyphen


class PlainText(text_writer.TextTranslator):
    """Writes docstrings as text, with names in backticks instead of quotation marks."""

    def visit_literal(self, _node: nodes.Element) -> None:
        """Write a backtick."""
        self.add_text("`")

    depart_literal = visit_literal


def included(page: str, match: re.Match[str]) -> str:
    """Return the text that a page includes from a document."""
    folder = posixpath.dirname(page)
    path = (ROOT / "docs" / folder / match[1]).resolve()
    text = path.read_text(encoding="utf-8")
    if "start-after" in match[2]:
        start, end = re.findall(r"<!-- .* -->", match[2])
        text = text.split(start)[1].split(end)[0]
    return change_links(
        text, path.parent.relative_to(ROOT).as_posix(), f"{page}.md"
    )


def docstrings(section: nodes.section, app: Sphinx) -> str:
    """Return the signatures and docstrings in a section of a page as a block of text."""
    document = utils.new_document("")
    for child in section.children:
        if isinstance(child, addnodes.desc) or "docstring of" in (
            child.source or ""
        ):
            document += child.deepcopy()
    translator = PlainText(document, app.builder)
    document.walkabout(translator)
    return f"```text\n{translator.body.strip()}\n```\n"


def complete_sources(app: Sphinx, error: Exception | None) -> None:
    """Insert documents and docstrings into the copied sources, which become `llms-full.txt`."""
    folder = Path(app.outdir, "_sources")
    for path in () if error else folder.rglob("*.md.txt"):
        page = path.relative_to(folder).as_posix().removesuffix(".md.txt")
        source = Path(app.env.doc2path(page)).read_text(encoding="utf-8")
        text = INCLUDE.sub(
            lambda match, page=page: included(page, match),
            TOCTREE.sub("", page_text(page, source)),
        )
        described = (
            section
            for section in app.env.get_doctree(page).findall(nodes.section)
            if any(isinstance(child, addnodes.desc) for child in section)
        )
        text = DOCSTRINGS.sub(
            lambda _, described=described: docstrings(next(described), app),
            text,
        )
        path.write_text(text, encoding="utf-8")


def keep_colons(
    _app: Sphinx,
    what: str,
    _name: str,
    _object: Any,
    _options: Any,
    lines: list[str],
) -> None:
    """Break the first line of an attribute's docstring after a colon, because Napoleon reads "a: b" as the type a."""
    if what in ("attribute", "property") and lines:
        lines[:1] = re.sub(": ", ":\n", lines[0], count=1).split("\n")


CONSTANT = re.compile(r"(?<==)_?[A-Z][A-Z_]+\b")


def show_values(
    _app: Sphinx,
    _what: str,
    _name: str,
    described: Any,
    _options: Any,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Replace the name of a constant with its value: "dialect=DEFAULT" -> "dialect='sacrebleu'"."""
    module = sys.modules.get(getattr(described, "__module__", None) or "")
    names = vars(module) if module else {}

    def value(match: re.Match[str]) -> str:
        return repr(names[match[0]]) if match[0] in names else match[0]

    return CONSTANT.sub(value, signature) if signature else signature, returned


def setup(app: Sphinx) -> None:
    """Connect the functions above to the events of Sphinx."""
    ModuleAnalyzer.analyze = analyze_without_overloads
    app.connect("source-read", read_page)
    app.connect("include-read", read_document)
    app.connect("autodoc-process-signature", show_values)
    app.connect("autodoc-process-docstring", keep_colons, priority=100)
    app.connect(
        "autodoc-process-docstring", link_options, priority=900
    )  # after napoleon
    app.connect("doctree-resolved", label_cells)
    app.connect("build-finished", repair_pages)
    app.connect("build-finished", complete_sources)  # before sphinx_llms_txt
