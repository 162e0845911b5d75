"""Score a small corpus with `evaluate.load`, and explain the result."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no network is needed: the metric and the data are local files


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    import datasets
    import evaluate

    from bleu_metric import DIALECTS, BleuScore
    from bleu_metric._score import CAVEAT, meaning

    datasets.disable_progress_bars()
    sample = str(ROOT / "scripts" / "sample.jsonl")
    with tempfile.TemporaryDirectory() as cache:
        corpus = datasets.load_dataset("json", data_files=sample, split="train", cache_dir=cache)
        inputs = {"predictions": corpus["prediction"], "references": corpus["references"]}
        result = evaluate.load(str(ROOT / "bleu_metric")).compute(**inputs)
        languages = len(set(corpus["language"]))
        print(f"{len(corpus)} segments in {languages} languages, from {Path(sample).name}\n")
        print(f"BLEU               {100 * result['bleu']:.2f}   ({meaning(BleuScore(**result))})")
        print(f"precisions         {'  '.join(f'{100 * precision:.1f}' for precision in result['precisions'])}")
        print(f"brevity penalty    {result['brevity_penalty']:.4f}")
        print(f"lengths            {result['translation_length']} tokens, references {result['reference_length']}")
        print(f"signature          {result['signature']}\n{CAVEAT}\n")
        print("The same corpus in other dialects:\n")
        for dialect in DIALECTS:
            score = evaluate.load(str(ROOT / "bleu_metric"), dialect).compute(**inputs)
            print(f"{dialect:<14} {100 * score['bleu']:6.2f}   {score['signature']}")


if __name__ == "__main__":
    main()
