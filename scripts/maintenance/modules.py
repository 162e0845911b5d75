"""Print each module of the package: what it does, and where its tests are.

    python scripts/maintenance/modules.py [WORD]

With WORD, only lines that contain the word are printed. What a module does is the first sentence of its docstring.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "bleu_metric", ROOT / "tests"

# Modules whose tests are not in a file of the same name
ELSEWHERE = {
    "_arrow": "core/test_containers.py core/test_corpus.py",
    "_reading": "core/test_containers.py core/test_corpus.py",
    "_columns": "integrations/test_datasets.py",
    "_counts": "core/test_statistics.py",
    "_dialects": "peers/test_peers.py peers/test_golden.py",
    "_documents": "core/test_document_bleu.py",
    "_formula": "peers/test_oracle.py core/test_score.py",
    "_labels": "core/test_groups.py",
    "_lazy": "core/test_lists.py project/test_structure.py",
    "_options": "core/test_config.py cli/test_score_command.py",
    "_reference_length": "peers/test_oracle.py",
    "_smoothing": "peers/test_oracle.py peers/test_golden.py",
    "_staging": "host/test_staging.py",
    "bleu_metric": "host/test_metric.py host/test_places.py",
    "_tables": "core/test_groups.py core/test_display.py comparison/test_group_comparisons.py",
    "_textbook": "core/test_counting.py",
    "_tokenize": "peers/test_oracle.py core/test_counting.py",
    "_validation": "robustness/test_wrong_arguments.py",
    "cli/commands": "cli/test_score_command.py cli/test_compare_command.py cli/test_other_commands.py",
    "cli/drawing": "cli/test_terminal.py",
    "cli/files": "cli/test_input_files.py cli/test_what_is_scored.py",
    "cli/inputs": "cli/test_what_is_scored.py cli/test_bad_input.py",
    "cli/read_tables": "cli/test_input_files.py",
    "cli/help": "cli/test_cli_processes.py",
    "cli/main": "cli/test_cli_processes.py",
    "cli/options": "cli/test_bad_input.py",
    "cli/results": "cli/test_score_command.py cli/test_compare_command.py cli/test_other_commands.py",
    "cli/output": "cli/test_terminal.py robustness/test_printed_text.py",
    "comparison/checks": "comparison/test_paired.py comparison/test_systems.py",
    "comparison/dialects": "comparison/test_explain.py",
    "comparison/groups": "comparison/test_group_comparisons.py",
    "comparison/ranking": "comparison/test_paired.py",
    "comparison/result": "comparison/test_paired.py comparison/test_systems.py",
    "compat/": "compat/test_modules.py compat/test_random_calls.py compat/test_coming_from.py",
    "integrations/framework_scores": "frameworks/test_missing.py",
    "integrations/loading": "host/test_metric.py",
    "integrations/padding": "core/test_token_ids.py integrations/test_trainer.py",
    "integrations/rewards": "integrations/test_trl.py integrations/test_verl.py",
    "many/definitions": "many/test_self_bleu.py",
    "many/distinct": "many/test_self_bleu.py",
    "many/ngrams": "many/test_pairwise.py",
    "many/texts": "many/test_pairwise.py",
    "many/others": "many/test_self_bleu.py",
    "reporting/figures": "reporting/test_plots.py",
    "reporting/lengths": "reporting/test_plots.py",
    "reporting/panels": "reporting/test_plots.py",
    "reporting/html": "reporting/test_report.py",
    "reporting/sentences": "reporting/test_matches.py",
}


def modules() -> dict[str, Path]:
    """Return the file of each module, by its path in the package, without the suffix."""
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if not path.stem.startswith("__")]
    return {path.relative_to(PACKAGE).with_suffix("").as_posix(): path for path in paths}


def tests_of(module: str) -> list[str]:
    """Return the files of tests of a module, as paths below `tests`."""
    folder, _, stem = module.rpartition("/")
    own = f"test_{stem.lstrip('_')}.py"
    found = [f"{place}/{own}" for place in (folder or "core", "frameworks") if (TESTS / place / own).exists()]
    return found + ELSEWHERE.get(module, "").split() + ELSEWHERE.get(f"{folder}/", "").split()


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Yield each module, what it does and its tests."""
    for module, path in modules().items():
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        yield f"{module}.py", " ".join(text.split("\n\n")[0].split()), tests_of(module)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("word", nargs="?", default="", help="print only lines that contain this word")
    word = parser.parse_args().word
    for module, text, tests in rows():
        if word in f"{module} {text}":
            print(f"{module}\n    {text}\n    tests: {', '.join(tests)}")


if __name__ == "__main__":
    main()
