"""The site, made by Sphinx: ``python -m sphinx -W docs site`` writes it into the folder ``site``.

Documents that stand at the top of the project, such as README.md, are pages of the site, too. Each has one text: its
page includes it, and its links are changed here to the pages they lead to.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

sys.path.insert(0, str(Path(__file__).parent))
from tables import TABLES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
DOCUMENTS = {  # at the top of the project -> page
    "README.md": "index.md",
    "metric_card.md": "metric_card.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}

project = PROJECT["name"]
html_title = "bleu_metric"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["_static"]

myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks keep their outputs; a test runs them
suppress_warnings = ["myst.header"]  # pages that include a document begin with its heading

default_role = "py:obj"  # `corpus_bleu` in a docstring leads to its page
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_mock_imports = ["torch", "torchmetrics", "ignite"]  # base classes of three compat modules
maximum_signature_line_length = 100
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_custom_sections = [("Warns", "returns_style")]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"source_repository": REPOSITORY, "source_branch": "main", "source_directory": "docs/"}
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

LINK = re.compile(r"(\]\()([^)#\s:]+)(#[^)\s]*)?(\))")


def site_link(target: str, folder: str, page_folder: str) -> str:
    """Give the page that a link of a document leads to.

    Args:
        target: path as the document has it.
        folder: folder of the document, seen from the top of the project.
        page_folder: folder of the page that shows it, seen from `docs`.

    Returns:
        A path seen from the page, or an address in the repository for what is not on the site.
    """
    path = posixpath.normpath(posixpath.join(folder, target))
    if path in DOCUMENTS:
        return posixpath.relpath(DOCUMENTS[path], page_folder or ".")
    if path.startswith("docs/"):
        return posixpath.relpath(path.removeprefix("docs/"), page_folder or ".")
    return f"{REPOSITORY}/blob/main/{path}"


def change_links(text: str, folder: str, page: str) -> str:
    """Let all links of a document lead to pages of the site."""

    def change(match: re.Match[str]) -> str:
        begin, target, anchor, end = match.groups()
        return f"{begin}{site_link(target, folder, posixpath.dirname(page))}{anchor or ''}{end}"

    return LINK.sub(change, text)


def read_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Change the links of a page, and put the tables that are made from the package into it."""
    if app.env.doc2path(page, base=False).suffix != ".md":
        return
    folder = posixpath.join("docs", posixpath.dirname(page))
    text = change_links(source[0], folder, page)
    for mark, table in TABLES.items():
        if mark in text:
            text = text.replace(mark, table())
    source[0] = text


def read_document(_app: Sphinx, path: Path, page: str, content: list[str]) -> None:
    """Change the links of a document that a page includes."""
    folder = (ROOT / "docs" / path).resolve().parent.relative_to(ROOT).as_posix()
    content[0] = change_links(content[0], folder, page)


def setup(app: Sphinx) -> None:
    """Tell Sphinx what to call."""
    app.connect("source-read", read_page)
    app.connect("include-read", read_document)
