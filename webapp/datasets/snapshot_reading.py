"""The folder of a snapshot, read: names, manifest and tables are taken only if they are what the format says,
whoever wrote them and whenever: older ones are read as if they were of today's format. Not for writing one
(snapshot_files.py), nor for rows (snapshots.py, importing.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pydantic import Field, model_validator

from engine import checked_json
from engine.agents.files import sha256_of
from engine.refusal import Refusal
from engine.shapes import Shape, checked, fitting
from webapp.datasets import tables
from webapp.datasets.selection import Filters

MANIFEST = "manifest.json"
# Every file that a snapshot may have beside its manifest: nothing else is read or unpacked.
NAME = re.compile(
    r"README\.md|schema\.json|(?:marks|reviews)\.jsonl|tables/[a-z_]{1,40}\.parquet"
    r"|episodes/[A-Za-z0-9_-]{1,100}\.jsonl"
)
MOST_ROWS = 50_000_000  # of a table
REVIEWS = "reviews.jsonl"  # in which older ones have what is a table now
MOST_TABLE = 4 << 30  # bytes of a table in memory; a small file may unpack to any size
YEARS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
AT_ONCE = 1000  # rows that are unpacked before anybody looks at how large they are


class Listed(Shape):
    """A file of a snapshot, as its manifest lists it."""

    bytes: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, *fitting(re.compile(r"[0-9a-f]{64}").fullmatch, "64 hexadecimal digits")]


class Manifest(Shape):
    """`manifest.json` of a snapshot."""

    format: Literal[tables.READABLE]
    game: str
    filters: dict[str, Any]
    """What was asked for (`Filters`)."""
    counts: dict[str, Annotated[int, Field(ge=0)]]
    has_simulated: bool
    """Whether anything in it was made by programs."""
    files: dict[str, Listed]
    """Every other file."""

    @model_validator(mode="after")
    def _of_one_game(self) -> Manifest:
        if Filters.from_json(self.filters).game != self.game:
            raise Refusal("The manifest names another game than its filters.")
        for name in self.files:
            if not NAME.fullmatch(name):
                raise Refusal(f"The manifest lists {name[:100]!r}, which is no file of a snapshot.")
        return self


def manifest_of(data: bytes) -> dict[str, Any]:
    """The manifest in these bytes, its fields of the right kinds. Raises Refusal."""
    found = checked_json.parse_object(data, "The manifest")
    checked(Manifest, found, "The manifest's {}", "The manifest")
    return found


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
    for batch in batches(folder, name, only):
        yield from batch.to_pylist()


def batches(folder: Path, name: str, only: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The same as columns, of which one that an older snapshot lacks is null."""
    path = folder / "tables" / f"{name}.parquet"
    if not path.is_file():
        path = path.with_stem(tables.NAMED.get(name, name))
    if not path.is_file():
        raise Refusal(f"The table {name} is missing.")
    try:
        with pq.ParquetFile(path) as file:
            yield from _batches(name, file, only)
    except Refusal:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        raise Refusal(f"The table {name} is not a readable parquet file.") from None


def mark_in(folder: Path, mark: str) -> dict[str, Any] | None:
    """{"id", "tick", "sign", "revision"} of one mark, None where there is none."""
    with suppress(Refusal):
        for batch in batches(folder, "marks", ["id", "tick", "sign", "revision"]):
            if found := batch.filter(pc.equal(batch.column("id"), mark)).to_pylist():
                return found[0]
    return None


def _as_in(found: pa.Schema, table: str, column: pa.Field) -> str | None:
    """What a table calls a column; None where it is older than that. Raises Refusal."""
    for name in (column.name, tables.NAMED.get(column.name)):
        if name in found.names:
            if found.field(name).type in (column.type, tables.ONCE.get((table, name))):
                return name
        elif (table, name) in tables.ADDED:
            return None
    raise Refusal(f"The table {table} has other columns than format {tables.FORMAT} says.")


def _batches(name: str, file: pq.ParquetFile, only: list[str] | None) -> Iterator[pa.RecordBatch]:
    wanted = tables.arrow_schema(name)
    names = {column.name: _as_in(file.schema_arrow, name, column) for column in wanted}
    if only is not None:
        wanted = pa.schema([column for column in wanted if column.name in only])
    if file.metadata.num_rows > MOST_ROWS:
        raise Refusal(f"The table {name} has more than {MOST_ROWS:,} rows.")
    size = 0
    for batch in file.iter_batches(AT_ONCE, columns=[names[one] for one in wanted.names if names[one]]):
        size += batch.nbytes
        if size > MOST_TABLE:
            raise Refusal(f"The table {name} unpacks to more than {MOST_TABLE >> 30} GiB.")
        columns = []
        for column in wanted:
            known = names[column.name]
            values = batch.column(known) if known else pa.nulls(len(batch), column.type)
            if known and values.null_count and not tables.may_be_null(column.type):
                raise Refusal(f"The table {name} has a row without {column.name!r}.")
            if problem := _problem_of(values):
                raise Refusal(f"The table {name} has {problem}.")
            columns.append(values.cast(column.type))
        yield pa.record_batch(columns, schema=wanted)


def _problem_of(values: pa.Array) -> str:
    """What values of a column have that isn't taken (see engine.checked_json); "" if there is nothing."""
    if pa.types.is_string(values.type):
        values.validate(full=True)  # as UTF-8
        return "a character of number 0" if pc.any(pc.match_substring(values, "\0")).as_py() else ""
    if pa.types.is_timestamp(values.type):
        first, last = (pa.scalar(time, tables.TIME) for time in YEARS)
        other = pc.or_(pc.less(values, first), pc.greater(values, last))
        return "a time outside of the years 1 to 9999" if pc.any(other).as_py() else ""
    if pa.types.is_floating(values.type) and pc.any(pc.invert(pc.is_finite(values))).as_py():
        return checked_json.problem_of(values.drop_null().to_pylist())
    return ""
