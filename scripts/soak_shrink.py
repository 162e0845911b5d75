"""Make a case that differs as small and as plain as it can be while it still differs in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from peers import PEERS
from soak_cases import Case

_SECONDS = 60
_ENOUGH = 50  # characters of an error, to tell it from others
Check = Callable[[Case], list[str]]
_WAYS = ("corpus_bleu", "sentence_bleu")  # the plainest first
_PLAIN = (
    *({"containers": ("list", "list")}, {"threads": 1}, {"rows": 4000}, {"bytes": 2 << 20}, {"flat": False}),
    {"cuts": [], "order": [0]},
)


def _source(found: list[str]) -> set[str]:
    return {one[:_ENOUGH] if one.startswith("error") else one.partition(" ")[0] for one in found}


def shrink(case: Case, check: Check) -> Case:
    """Drop and simplify, again and again, until nothing more can go; or until a minute is over."""
    source = _source(check(case))
    until = time.monotonic() + _SECONDS

    def differs(smaller: Case) -> bool:
        return bool(_source(check(smaller)) & source)

    if case.of_peer is not None and not any(one.startswith("peer") for one in source):
        case = replace(case, of_peer=None)
    while time.monotonic() < until:
        smaller = next((one for one in _smaller(case) if time.monotonic() < until and differs(one)), None)
        if smaller is None:
            break
        case = smaller
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Cases that are a step smaller or plainer, the largest steps first."""
    yield from _fewer_segments(case)
    plainer_ways = _WAYS[: _WAYS.index(case.way) if case.way in _WAYS else None]
    yield from (replace(case, way=way) for way in plainer_ways)
    yield from (replace(case, **plain) for plain in _PLAIN if any(getattr(case, key) != plain[key] for key in plain))
    yield from _plainer_options(case)
    for row, refs in enumerate(case.references):
        for place in range(len(refs)):
            fewer = refs[:place] + refs[place + 1 :]
            if any(ref is not None for ref in fewer):
                yield _with_references(case, row, fewer)
    yield from _shorter_texts(case)


def _fewer_segments(case: Case) -> Iterator[Case]:
    for some in _without_stretches(list(range(len(case.predictions)))):
        if some:
            groups = [case.groups[row] for row in some] if case.groups else []
            cuts = [cut for cut in case.cuts if cut < len(some)]
            rows = {name: [getattr(case, name)[row] for row in some] for name in ("predictions", "references")}
            yield replace(case, **rows, groups=groups, cuts=cuts, order=list(range(len(cuts) + 1)))


def _plainer_options(case: Case) -> Iterator[Case]:
    if case.of_peer is None:
        for name in case.options:
            yield replace(case, options={key: value for key, value in case.options.items() if key != name})
        return
    listed = [(theirs, ours) for _, theirs, ours in PEERS[case.dialect].choices]
    now = (case.of_peer, case.options)
    for theirs, ours in listed[: listed.index(now) if now in listed else None]:
        yield replace(case, of_peer=theirs, options=ours)


def _with_references(case: Case, row: int, refs: list[Any]) -> Case:
    return replace(case, references=[*case.references[:row], refs, *case.references[row + 1 :]])


def _shorter_texts(case: Case) -> Iterator[Case]:
    for row, text in enumerate(case.predictions):
        for shorter in _without_stretches(text):
            yield replace(case, predictions=[*case.predictions[:row], shorter, *case.predictions[row + 1 :]])
    for row, refs in enumerate(case.references):
        for place, ref in enumerate(refs):
            for shorter in _without_stretches(ref or ()):
                yield _with_references(case, row, [*refs[:place], shorter, *refs[place + 1 :]])


def _without_stretches(items: Any) -> Iterator[Any]:
    """Leave out halves, then quarters, … then single items, of a list or a string."""
    for power in count(1):
        size = len(items) >> power or 1
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        if size == 1:
            return
