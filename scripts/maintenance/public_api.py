"""List the public names with their signatures, fields and examples, so that two versions can be compared.

    python scripts/maintenance/public_api.py > new.txt
    PYTHONPATH=OLD python scripts/maintenance/public_api.py > old.txt
    diff old.txt new.txt

OLD is a checkout of the other version.
"""

from __future__ import annotations

import argparse
import doctest
import inspect
from collections.abc import Iterator
from typing import Any

import bleu_metric


def lines_of(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value) or inspect.isfunction(value):
        yield f"{name}{inspect.signature(value)}"
    else:
        yield f"{name}: {type(value).__name__}"
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(value) or ""):
        yield f"{name} >>> {example.source.strip()!r} -> {example.want.strip()!r}"
    if inspect.isclass(value):
        for member, own in sorted(vars(value).items()):
            if not member.startswith("_"):
                yield from lines_of(f"{name}.{member}", getattr(own, "__func__", getattr(own, "fget", own)))


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for name in sorted(bleu_metric.__all__):
        print("\n".join(lines_of(name, getattr(bleu_metric, name))))
    for dialect, config in bleu_metric.DIALECTS.items():
        print(f"DIALECTS[{dialect!r}] = {config.signature()}")


if __name__ == "__main__":
    main()
