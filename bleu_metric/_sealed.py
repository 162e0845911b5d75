"""Counts as an Arrow table whose metadata says how they were counted, and back; all of it is checked when read.

The metadata holds the signature, the numbers of references, and a seal: a digest of every count and of the rest of
the metadata. Tables that were put together, cut, or damaged on a disk keep their metadata but not their seal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._config import BleuConfig
from ._names import described
from ._signature import COUNTS_ALIKE, VERSION, version_of

Ints = NDArray[np.int64]

LAST = ("last_matches_5", "last_totals_5", "last_length")
_PREFIX = "bleu_metric."
_SEAL = "seal"


def counted_orders(config: BleuConfig) -> int:
    """How many orders have to be counted: NLTK's methods 5 and 7 look at 5-grams whatever the weights are."""
    return max(config.max_order, 5) if config.depends_on_segment_order else config.max_order


def columns(config: BleuConfig) -> list[str]:
    """Name the columns of the table that this configuration needs."""
    orders = range(1, config.max_order + 1)
    names = [f"matches_{order}" for order in orders] + [f"totals_{order}" for order in orders]
    return [*names, "translation_length", "reference_length", *(LAST if config.depends_on_segment_order else ())]


def to_arrow(rows: Ints, names: Sequence[str]) -> pa.Table:
    """Make a table of int64 columns of counts, shape (rows, columns)."""
    arrays = [pa.array(np.ascontiguousarray(column)) for column in rows.T]
    return pa.table(dict(zip(names, arrays, strict=True)))


def columns_in(table: pa.Table, config: BleuConfig) -> list[str]:
    """Name the columns that a table counted so has; ``ValueError`` if it cannot have as many."""
    if config.max_order > table.num_columns:  # before a million names are made for what a file says
        raise ValueError(
            f"its signature speaks of n-grams up to order {config.max_order}, the table has {table.num_columns} columns"
        )
    return columns(config)


def from_arrow(table: pa.Table, names: Sequence[str]) -> Ints:
    """Read int64 columns as counts, shape (rows, columns); ``ValueError`` if there are others, or nulls."""
    if table.column_names != list(names) or any(field.type != pa.int64() for field in table.schema):
        raise ValueError(
            f"the columns must be int64 {list(names)}, got {table.schema.to_string(show_schema_metadata=False)}"
        )
    if any(column.null_count for column in table.columns):
        raise ValueError("BLEU statistics have no nulls; this table has")
    return np.stack([column.to_numpy() for column in table.columns], axis=1)


def describe(table: pa.Table, config: BleuConfig, **facts: object) -> pa.Table:
    """Put the signature, other facts and the seal into a table's metadata."""
    about = {"signature": config.signature(), **{key: str(value) for key, value in facts.items()}}
    about[_SEAL] = _seal(table, about)
    return table.replace_schema_metadata({_PREFIX + key: value for key, value in about.items()})


def description(table: pa.Table) -> dict[str, str]:
    """Read what `describe` wrote; empty where there is nothing."""
    metadata = table.schema.metadata or {}
    facts = {key.decode(errors="replace"): value.decode(errors="replace") for key, value in metadata.items()}
    return {key.removeprefix(_PREFIX): value for key, value in facts.items() if key.startswith(_PREFIX)}


def counted_by(about: Mapping[str, str], config: BleuConfig | None) -> BleuConfig:
    """Find out how a table was counted: by its metadata, or as the caller says.

    Raises ``ValueError`` where neither says it, or both contradict each other.
    """
    signature = about.get("signature", "")
    if config is not None and not isinstance(config, BleuConfig):
        raise TypeError(f"config must be a BleuConfig, got {described(config)}")
    if config is None and not signature:
        raise ValueError("this Arrow table holds no BLEU statistics: its metadata has no signature")
    if config is not None:
        if signature not in ("", config.signature()):
            raise ValueError(f"the table was counted by {signature}, not by {config.signature()}")
        return config
    if version_of(signature) not in COUNTS_ALIKE:
        raise ValueError(
            f"the table was counted by version {version_of(signature)} of bleu_metric, this is {VERSION}: counts may "
            f"differ, count again. Versions that count alike: {', '.join(COUNTS_ALIKE)}"
        )
    return BleuConfig.from_signature(signature)


def is_sealed(table: pa.Table) -> bool:
    """Whether the table and its metadata are as they were written."""
    about = description(table)
    return about.pop(_SEAL, "") == _seal(table, about)


def refuse_changed(table: pa.Table) -> None:
    """Raise ``ValueError`` if the table or its metadata is not as it was written."""
    if not is_sealed(table):
        raise ValueError(
            "the rows of this table are not those that its metadata speaks of: it was put together from several "
            "tables, cut, or damaged. Add statistics up with +; or pass config= to from_table if all rows were counted "
            "alike"
        )


def references_of(about: Mapping[str, str]) -> tuple[int, int]:
    """Read the fewest and the most references of a segment; (0, 0) where they are not known."""
    fewest, _, most = about.get("nrefs", "0-0").partition("-")
    digits = all(number.isascii() and number.isdecimal() and len(number) < 19 for number in (fewest, most))
    if not digits or not are_references(int(fewest), int(most)):
        raise ValueError(f"the metadata of this table says {fewest[:19]!r} to {most[:19]!r} references")
    return int(fewest), int(most)


def are_references(fewest: Any, most: Any) -> Any:
    """Whether these can be the fewest and the most references, numbers or arrays of them; both 0: not known."""
    return ((fewest > 0) & (fewest <= most)) | ((fewest == 0) & (most == 0))


def _seal(table: pa.Table, about: Mapping[str, str]) -> str:
    import hashlib  # here, as it loads OpenSSL: 3 ms that every import of the package would take

    digest = hashlib.sha256(json.dumps(sorted(about.items())).encode())
    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(f"{name} {len(column)} ".encode())
        if column.type == pa.int64() and not column.null_count:
            digest.update(np.ascontiguousarray(column.to_numpy(), "<i8").data)
        else:
            digest.update(json.dumps(column.to_pylist(), default=str).encode())
    return digest.hexdigest()
