"""Write the golden values of tests/peers/golden with the installed libraries, or check them.

    python scripts/maintenance/make_golden.py [--check] [--perl FOLDER] [DIALECT ...]

Every installed library, or those of the dialects, scores every corpus of tests/peers/corpora.json, with every
set of options that peers.py lists. With --perl, the two Perl scripts in FOLDER also score the corpora. Each golden
file names the library, its version and this command. With --check, no file is written, and the exit status is 1 if a
value differs.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the modules compare_with and peers are in scripts/

from compare_with import PACKAGES, Corpus, as_peer_takes_it
from peers import PEERS, Answer, Peer, differences
from perl_peers import perl_peers

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "peers" / "golden"


def corpora() -> list[Corpus]:
    """Return the corpora that the libraries score."""
    rows = json.loads((FOLDER.parent / "corpora.json").read_text(encoding="utf-8"))
    return [Corpus(row["name"], row["predictions"], row["references"]) for row in rows]


def values(peer: Peer) -> dict[str, dict[str, Any]]:
    """Return the library's results as corpus -> set of options -> results."""
    found: dict[str, dict[str, Any]] = {}
    for corpus in corpora():
        if peer.kind == "lines" and len(set(map(len, corpus.references))) > 1:
            continue
        given = as_peer_takes_it(corpus, peer.kind)
        found[corpus.name] = {choice: value(peer, given, theirs) for choice, theirs, _ in peer.choices}
    return found


def value(peer: Peer, corpus: Corpus, theirs: dict[str, Any]) -> Any:
    """Return the library's results for a corpus and a set of options, or the name of the error that it raises."""
    try:
        answer = peer.run(corpus.predictions, corpus.references, **theirs)
    except Exception as error:
        if not any(known in f"{type(error).__name__}: {error}" for known in peer.raises):
            error.add_note(f"{peer.dialect}, {corpus.name}: if the library raises this, add it to `Peer.raises`")
            raise
        return type(error).__name__
    return {name: told for name, told in answer._asdict().items() if told is not None}


def golden(peer: Peer) -> dict[str, Any]:
    """Return the content of a golden file."""
    if peer.module == "re" and not peer.version:
        raise SystemExit(f"{peer.dialect}: peers.py restates its formula, so add version=… to its Peer")
    package = PACKAGES.get(peer.module, peer.module)
    installed = importlib.metadata.version(package) if package else ""
    library, version = package or peer.dialect, installed or "Moses, scripts/generic"
    if peer.version:
        tools = f", with {package} {installed}" if package else ""
        library, version = f"{peer.dialect}, restated in peers.py{tools}", peer.version
    return {
        "library": library,
        "version": version,
        "python": platform.python_version(),
        "command": "python scripts/maintenance/make_golden.py" + (" --perl FOLDER" if peer.module == "perl" else ""),
        "values": values(peer),
    }


def _to_json(made: dict[str, Any]) -> str:
    """Return the text of a golden file. It has one line per corpus and set of options."""

    def dumps(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    about = [f"{dumps(key)}: {dumps(value)}" for key, value in made.items() if key != "values"]
    corpora = []
    for corpus, by_choice in made["values"].items():
        answers = ",\n".join(f"{dumps(choice)}: {dumps(answer)}" for choice, answer in by_choice.items())
        corpora.append(f"{dumps(corpus)}: {{\n{answers}\n}}")
    return ",\n".join(["{\n" + ",\n".join(about), '"values": {\n' + ",\n".join(corpora)]) + "\n}\n}\n"


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return a line for each value that differs between two golden files, or that only one of them has."""
    before, now = _by_name(old), _by_name(new)
    found = []
    for name in {**before, **now}:
        if name not in before:
            found.append(f"{name}: not recorded -> {now[name]}")
        elif name not in now:
            found.append(f"{name}: {before[name]} -> not scored any more")
        elif not _same(before[name], now[name]):
            found.append(f"{name}: {before[name]} -> {now[name]}")
    return found


def _by_name(made: dict[str, Any]) -> dict[str, Any]:
    return {f"{corpus}, {choice}": value for corpus, row in made["values"].items() for choice, value in row.items()}


def _same(before: Any, now: Any) -> bool:
    if isinstance(now, str) or isinstance(before, str):
        return bool(before == now)
    return set(before) == set(now) and not differences(Answer(**before), Answer(**now))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    parser.add_argument("--perl", type=Path, metavar="FOLDER", help="folder with the Perl scripts of Moses")
    parser.add_argument("dialects", nargs="*", metavar="DIALECT", help="record only the libraries of these dialects")
    arguments = parser.parse_args()
    peers = {**PEERS, **(perl_peers(arguments.perl) if arguments.perl else {})}
    unknown = {*arguments.dialects} - {*peers}
    if unknown:
        parser.error(f"PEERS in scripts/peers.py has no {', '.join(sorted(unknown))}, but {', '.join(peers)}")
    problems = []
    for name, peer in peers.items():
        if arguments.dialects and name not in arguments.dialects:
            continue
        if peer.module != "perl" and not peer.is_installed:
            print(f"{name}: {peer.module} is not installed: {peer.install}")
            continue
        new, path = golden(peer), FOLDER / f"{name}.json"
        count = sum(map(len, new["values"].values()))
        if arguments.check:
            found = changed(json.loads(path.read_text(encoding="utf-8")), new)
            problems += found
            print(f"{name}: {count} values, {len(found)} not as recorded", *found, sep="\n  ")
        else:
            path.write_text(_to_json(new), encoding="utf-8")
            print(f"{name} {new['version']}: {count} values")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
