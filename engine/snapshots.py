"""The folder of a snapshot: the logs of its episodes, the marks on them, who reviewed what. Whatever learns
from a snapshot reads it here, in whichever format it was written. Not for: choosing what is in one, its
manifest, its other tables (webapp.datasets).

    tables/episodes.parquet  `id`, and where its log lies: `log`, a file of this folder, `offset`, `bytes`
    tables/marks.parquet     `id`, `episode`, `annotator`, `seat`, `tick`, `sign`, `simulated`
    tables/reviews.parquet   `episode`, `annotator`, `seats` that they have seen to the end, `simulated`; of
                             simulated annotators `measure`, the progress that they mark by
    episodes/<n>.jsonl       segments: logs, one after the other, byte for byte
    counted/<id>-<measure>.npy   of simulated snapshots: what a costly measure counted, (T+1, seats)

Up to format 5 there were `episodes/<id>.jsonl`, one log each, `marks.jsonl` and `reviews.jsonl`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog, read_lines

SEGMENT = 64 << 20  # bytes after which the next log begins a new segment
# What is read of each table, whatever else it has.
SCHEMAS = {
    "episodes": pa.schema([("id", "string"), ("log", "string"), ("offset", "int64"), ("bytes", "int64")]),
    "marks": pa.schema(
        [("id", "string"), ("episode", "string"), ("annotator", "string"), ("seat", "int8")]
        + [("tick", "int32"), ("sign", "int8"), ("simulated", "bool")]
    ),
    "reviews": pa.schema(
        [("episode", "string"), ("annotator", "string"), ("seats", pa.list_(pa.int8()))]
        + [("measure", "string"), ("simulated", "bool")]
    ),
}
Row = dict[str, Any]


class Segments:
    """The logs of a new folder while they are written."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number, self.written = folder, -1, 0
        self.file: BinaryIO | None = None
        (folder / "episodes").mkdir(parents=True, exist_ok=True)

    def add(self, log: bytes) -> Row:
        """Write a log; {"log", "offset", "bytes"}: where it lies."""
        if self.file is None or self.written >= SEGMENT:
            self.close()
            self.number, self.written = self.number + 1, 0
            self.name = f"episodes/{self.number:05d}.jsonl"
            self.file = (self.folder / self.name).open("wb")
        self.file.write(log)
        self.written += len(log)
        return {"log": self.name, "offset": self.written - len(log), "bytes": len(log)}

    def close(self) -> None:
        """After the last log."""
        if self.file is not None:
            self.file.close()


def write(
    folder: Path, logs: Iterable[tuple[str, bytes]], marks: Iterable[Row], reviews: Iterable[Row]
) -> None:
    """What trainings read of a snapshot: logs by episode's id, rows of its marks and reviews."""
    segments = Segments(folder)
    tables = {"episodes": [{"id": name, **segments.add(log)} for name, log in logs]}
    segments.close()
    (folder / "tables").mkdir(exist_ok=True)
    for name, rows in {**tables, "reviews": list(reviews), "marks": list(marks)}.items():
        pq.write_table(pa.Table.from_pylist(rows, SCHEMAS[name]), folder / "tables" / f"{name}.parquet")


class Snapshot:
    """A snapshot to read. Raises Refusal where the folder is none."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.is_old = not (self.folder / "tables" / "reviews.parquet").is_file()
        if self.is_old:
            files = sorted((self.folder / "episodes").glob("*.jsonl"))
            self._places = {path.stem: (f"episodes/{path.name}", 0, -1) for path in files}
        else:
            rows = self._table("episodes")
            self._places = {row["id"]: (row["log"], row["offset"], row["bytes"]) for row in rows}

    @property
    def episodes(self) -> list[str]:
        """The ids of its episodes, sorted."""
        return sorted(self._places)

    def written(self, episode: str) -> bytes:
        """The lines of an episode's log. Raises Refusal."""
        if episode not in self._places:
            raise Refusal(f"The snapshot {self.folder} has no log of episode {episode}.")
        log, offset, size = self._places[episode]
        with (self.folder / log).open("rb") as file:
            file.seek(offset)
            return file.read(size)

    def log(self, episode: str) -> EpisodeLog:
        """An episode's log. Raises Refusal, which names a damaged one."""
        try:
            return read_lines(self.written(episode))
        except Refusal as error:
            raise Refusal(f"Episode {episode}: {error}") from None

    def logs(self) -> Iterator[tuple[str, EpisodeLog]]:
        """Every episode's id and log, by id."""
        return ((episode, self.log(episode)) for episode in self.episodes)

    def marks(self) -> list[Row]:
        """Its marks."""
        found = self._lines("marks") if self.is_old else self._table("marks")
        return [row for row in found if not row.get("deleted") and row["sign"]]

    def reviews(self) -> list[Row]:
        """Who has reviewed which seats of which episode; [] where an old one doesn't say."""
        if not self.is_old:
            return self._table("reviews")
        return self._lines("reviews") if (self.folder / "reviews.jsonl").exists() else []

    def _table(self, name: str) -> list[Row]:
        path = self.folder / "tables" / f"{name}.parquet"
        try:
            with pq.ParquetFile(path) as file:
                own = [column for column in SCHEMAS[name].names if column in file.schema_arrow.names]
                return file.read(own).to_pylist()
        except (pa.ArrowException, OSError):
            raise Refusal(f"The snapshot {self.folder} has no table {name} that can be read.") from None

    def _lines(self, name: str) -> list[Row]:
        """Rows of an old snapshot, as its tables have them now."""
        path = self.folder / f"{name}.jsonl"
        if not path.exists():
            raise Refusal(f"The snapshot {self.folder} has no {path.name}.")
        whole = ("seat", "tick", "sign") if name == "marks" else ()
        found = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                row = json.loads(line)
                row |= {key: int(row[key]) for key in whole}
                row |= {key: str(row[key]) for key in ("episode", "annotator")}
                if name == "reviews":
                    row["seats"] = [int(seat) for seat in row["seats"]]
            except (ValueError, KeyError, TypeError):
                raise Refusal(f"Line {number} of {path} is no {name[:-1]}.") from None
            found.append(row)
        return found
