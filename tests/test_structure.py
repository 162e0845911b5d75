"""The rooms keep to their order, the package is cheap to import, and its public names are what it says."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import bleu_metric

FOLDER = Path(bleu_metric.__file__).parent

# Every module may import those above it, and no other.
ORDER = """
    _names _labels _groups _tokenizers _lengths _smoothing _values _signature _threads _config _dialects
    _arrow _lists _columns _split _called _tokenize _token_ids _ngrams
    _checks _sealed _drafts _storage _sums _statistics _segments _grouped _citation _score
    _resampling _significance _comparison _paired _levels
    _count _bleu _systems _explain _trainer _reward _tables _datasets _partial _distributed
    _kinds _staging bleu_metric
    _sentences _page _panels _plots _report __init__
    _lines _files _cli_counting _cli_options _cli_views _cli_tables _cli_result
    _cli_score _cli_systems _cli_dialects _cli __main__
""".split()
STANDALONE = "_reference _meaning _matches _visible _style _templates _fonts".split()  # share nothing with the others

# Rooms that count or score, and must not be able to reach a text.
BLIND = """
    _groups _ngrams _checks _sealed _storage _sums _statistics _segments _grouped _score _smoothing _lengths _config _panels _plots
    _resampling _significance _comparison _paired _labels _levels
""".split()
TEXT = set("_columns _arrow _lists _split _called _tokenize _token_ids _kinds _staging".split())


def imports_of(module: str) -> set[str]:
    tree = ast.parse((FOLDER / f"{module}.py").read_text())
    return {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level and node.module}


def test_every_module_has_its_place() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*ORDER, *STANDALONE}
    for place, module in enumerate(ORDER):
        assert imports_of(module) <= {*ORDER[:place], *STANDALONE}, module
    for module in STANDALONE:
        assert not imports_of(module)


def test_counts_and_scores_cannot_reach_a_text() -> None:
    for module in BLIND:
        reached = todo = {module}
        while todo:
            todo = set().union(*map(imports_of, todo)) - reached
            reached = reached | todo
        assert not reached & TEXT, module


def test_import_is_cheap() -> None:
    heavy = ["evaluate", "datasets", "torch", "transformers", "pandas", "matplotlib", "jinja2", "pyspark", "ray"]
    heavy += ["hashlib", "secrets"]  # milliseconds each, for what few calls need
    # What older versions of NumPy import themselves is no fault of this package
    code = "import numpy, pyarrow, sys; before = {*sys.modules}; import bleu_metric; "
    code += f"print([name for name in {heavy} if name in {{*sys.modules}} - before])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_public_names() -> None:
    assert set(bleu_metric.__all__) == set(
        """
        BleuConfig BleuScore BleuStatistics Comparison DIALECTS Explanation GroupScore Interval __version__
        bootstrap compute_metrics corpus_bleu corpus_statistics evaluate_dataset explain_difference length_groups
        load_groups ray_statistics save_groups score spark_statistics
        paired_bootstrap paired_randomization plot preprocess_logits report reward score_dialects score_groups
        score_systems sentence_bleu system_statistics
        """.split()
    )
    for name in bleu_metric.__all__:
        assert hasattr(bleu_metric, name)


def test_rooms_are_small() -> None:
    for path in FOLDER.glob("*.py"):
        assert len(path.read_text().splitlines()) <= 260, path.name
