"""The folder of a snapshot, read: names, manifest and tables are taken only if they are what the format says,
whoever wrote them. Not for writing one (snapshot_files.py), nor for rows (snapshots.py, importing.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from engine import checked_json
from engine.agents.files import sha256_of
from engine.refusal import Refusal
from webapp.datasets import tables
from webapp.datasets.selection import Filters

MANIFEST = "manifest.json"
# Every file that a snapshot may have beside its manifest: nothing else is read or unpacked.
NAME = re.compile(
    r"README\.md|schema\.json|(?:marks|reviews)\.jsonl|tables/[a-z_]{1,40}\.parquet|episodes/[A-Za-z0-9_-]{1,100}\.jsonl"
)
MOST_ROWS = 50_000_000  # of a table
MOST_TABLE = 4 << 30  # bytes of a table in memory; a small file may unpack to any size
AT_ONCE = 1000  # rows that are unpacked before anybody looks at how large they are


def manifest_of(data: bytes) -> dict[str, Any]:
    """The manifest in these bytes, its fields of the right kinds. Raises Refusal."""
    found = checked_json.parse_object(data, "The manifest")
    if found.get("format") not in tables.READABLE:
        readable = " and ".join(str(number) for number in tables.READABLE)
        raise Refusal(f"The snapshot has format {found.get('format')!r}; this version reads {readable}.")
    filters, counts, files = (found.get(name) for name in ("filters", "counts", "files"))
    if not isinstance(filters, dict) or not isinstance(counts, dict) or not isinstance(files, dict):
        raise Refusal("The manifest needs an object each of filters, counts and files.")
    try:
        if Filters.from_json(filters).game != found.get("game"):
            raise Refusal("The manifest names another game than its filters.")
    except Refusal as error:
        raise Refusal(f"The manifest's filters can't be used: {error}") from None
    if any(not _is_count(value) for value in counts.values()):
        raise Refusal("The manifest's counts must be whole numbers from 0 on.")
    if not isinstance(found.get("has_simulated"), bool):
        raise Refusal("The manifest doesn't say whether anything in it is simulated (true or false).")
    for name, said in files.items():
        if not NAME.fullmatch(name):
            raise Refusal(f"The manifest lists {name[:100]!r}, which is no file of a snapshot.")
        size, checksum = (said.get("bytes"), said.get("sha256")) if isinstance(said, dict) else (None, None)
        if not _is_count(size) or not _is_sha256(checksum):
            raise Refusal(f"The manifest doesn't give the size and the sha256 of {name}.")
    return found


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_sha256(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def verify(folder: Path) -> dict[str, Any]:
    """The manifest with its "sha256", once every file in it is there with its checksum. Raises
    Refusal."""
    path = folder / MANIFEST
    if not path.is_file():
        raise Refusal("There is no manifest.json, so this is not a snapshot.")
    manifest = manifest_of(path.read_bytes())
    for name, said in manifest["files"].items():
        file = folder / name
        if not file.is_file() or file.stat().st_size != said["bytes"] or sha256_of(file) != said["sha256"]:
            raise Refusal(f"{name} is missing or is not what the manifest says (its sha256 differs).")
    return {**manifest, "sha256": sha256_of(path)}


def read_table(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of one table; raises Refusal when they are not those of a readable format."""
    return list(each_row(folder, name))


def each_row(folder: Path, name: str, only: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The same, some at a time; `only` these columns, if any are named."""
    path = folder / "tables" / f"{name}.parquet"
    if not path.is_file():
        raise Refusal(f"The table {name} is missing.")
    try:
        with pq.ParquetFile(path) as file:
            yield from _rows(name, file, only)
    except Refusal:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        raise Refusal(f"The table {name} is not a readable parquet file.") from None


def _as_in(schema: pa.Schema, table: str, column: pa.Field) -> pa.Field:
    """The column, with the type that it once had where an older snapshot has it so."""
    once = tables.ONCE.get((table, column.name))
    is_older = once is not None and column.name in schema.names and schema.field(column.name).type == once
    return column.with_type(once) if is_older else column


def _rows(name: str, file: pq.ParquetFile, only: list[str] | None) -> Iterator[dict[str, Any]]:
    wanted = tables.arrow_schema(name)
    found = file.schema_arrow
    added = [c for c in wanted if (name, c.name) in tables.ADDED and c.name not in found.names]
    expected = [_as_in(found, name, column) for column in wanted if column not in added]
    if not found.equals(pa.schema(expected)):
        raise Refusal(f"The table {name} has other columns than format {tables.FORMAT} says.")
    if only is not None:
        wanted = [column for column in wanted if column.name in only]
    filled = [column for column in wanted if column not in added and not tables.may_be_null(column.type)]
    if file.metadata.num_rows > MOST_ROWS:
        raise Refusal(f"The table {name} has more than {MOST_ROWS:,} rows.")
    size = 0
    for batch in file.iter_batches(AT_ONCE, columns=only):
        size += batch.nbytes
        if size > MOST_TABLE:
            raise Refusal(f"The table {name} unpacks to more than {MOST_TABLE >> 30} GiB.")
        for column in filled:
            if batch.column(column.name).null_count:
                raise Refusal(f"The table {name} has a row without {column.name!r}.")
        more = batch.to_pylist()
        if problem := checked_json.problem_of(more):
            raise Refusal(f"The table {name} has {problem}.")
        if added and only is None:
            more = [dict.fromkeys(column.name for column in added) | row for row in more]
        yield from more
