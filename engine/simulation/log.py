"""The episode log: the one record of a game from which everything else is re-simulated.

A log is a header and records, one JSON object a line, in the order in which they happened
(docs/data-formats.md has every field). It only grows. Each line ends with its own checksum, so that a line
cut short by a crash is noticed: a torn last line is dropped, anything else that is wrong is refused.

Tick k is the state after k joint steps; a step record's tick is that of the state in which the step was
taken, so the first step has tick 0.

`LogStore` is where logs are kept: in plain files here, in a database in the web application. Not for: who may
write to a log, or what instructions mean (engine.language).
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol
from uuid import UUID

from engine.refusal import Refusal
from engine.simulation import registry
from engine.simulation.simulation import Simulation

FORMAT = 1
RECORD_TYPES = (
    "step", "control", "instruction", "standing", "reason", "judged", "utterance", "end",
    "plan", "planned", "plan_edit",
)  # fmt: skip
FILES_AT_ONCE = 64
DISK_THREADS = 8
FILES_REMEMBERED = 1000
_SUM = ',"crc":"'
_SUM_BYTES, _SUM_LENGTH = _SUM.encode() + b'%08x"}', len(_SUM) + 10
# What values of the wrong kind end in: checksums say that a line is whole, not that it was written by us.
ODD = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError)


class EpisodeLog:
    """A header and the records after it."""

    def __init__(self, header: dict[str, Any], records: Iterable[dict[str, Any]] = ()) -> None:
        if header.get("type") != "header":
            raise Refusal("An episode log begins with its header.")
        if header.get("format") != FORMAT:
            raise Refusal(
                f"This log has format {header.get('format')!r}; this version reads format {FORMAT}."
            )
        self.header = header
        self.records: list[dict[str, Any]] = []
        for record in records:
            self.append(record)

    def append(self, record: dict[str, Any]) -> None:
        """Add a record; raises `Refusal` for one of unknown type."""
        if record.get("type") not in RECORD_TYPES:
            raise Refusal(f"A log record is one of {', '.join(RECORD_TYPES)}, not {record.get('type')!r}.")
        self.records.append(record)

    @property
    def steps(self) -> list[list[int]]:
        """The joint actions, in order."""
        return [record["actions"] for record in self.records if record["type"] == "step"]

    @property
    def instructions(self) -> list[dict[str, Any]]:
        """The instruction records, in order: one for each time that one was said or changed its status."""
        return [record for record in self.records if record["type"] == "instruction"]

    @property
    def end(self) -> dict[str, Any] | None:
        """The end record, None while the game runs."""
        return next((record for record in reversed(self.records) if record["type"] == "end"), None)


def header_of(simulation: Simulation, episode: str, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """The header of a game that begins: each seat is `{"kind": "person" | "agent", "name", …}`."""
    return {
        "type": "header",
        "format": FORMAT,
        "episode": str(episode),
        "game": simulation.game,
        "rules_version": simulation.rules_version,
        "options": simulation.options,
        "seed": simulation.seed,
        "deck": simulation.deck,
        "seats": seats,
    }


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def encode_line(record: dict[str, Any]) -> str:
    """A header or record as one line, with its checksum (CRC-32 of the line without it) and the line feed."""
    text = _ENCODER.encode(record)
    return f'{text[:-1]}{_SUM}{zlib.crc32(text.encode()):08x}"}}\n'


def decode_line(line: str) -> dict[str, Any]:
    """The record of a line (with or without line feed); raises `Refusal` unless its checksum is right."""
    line = line.rstrip("\n")
    text, mark, rest = line.rpartition(_SUM)
    text += "}"
    if not mark or rest != f'{zlib.crc32(text.encode()):08x}"}}':
        raise Refusal("A line of the log is damaged: its checksum is wrong.")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("A line of the log isn't JSON.") from None
    if not isinstance(record, dict):
        raise Refusal("A line of the log is no record.")
    return record


def whole_lines(data: bytes) -> list[bytes]:
    """The lines of a log (without line feeds), none of them parsed; a torn last one is dropped. Raises
    `Refusal` if any other is damaged or none is whole.
    """
    *lines, _ = data.split(b"\n")
    # Whether each ends with the checksum of what stands before.
    whole = [
        line[-_SUM_LENGTH:] == _SUM_BYTES % zlib.crc32(b"}", zlib.crc32(line[:-_SUM_LENGTH]))
        for line in lines
    ]
    if whole and not whole[-1]:
        lines.pop()
        whole.pop()
    if not all(whole):
        raise _damaged(lines)
    if not lines:
        raise Refusal("The log is empty: not even its header is whole.")
    return lines


def read_lines(data: bytes) -> EpisodeLog:
    """The log in these bytes; a torn last line is dropped. Raises `Refusal` if any other line is damaged."""
    lines = whole_lines(data)
    try:
        # All at once, for a third of what it takes line by line.
        records = json.loads(f"[{b','.join(lines).decode()}]")
    except (ValueError, RecursionError):
        raise _damaged(lines) from None
    if len(records) != len(lines) or not all(isinstance(record, dict) for record in records):
        raise _damaged(lines)
    for record in records:
        del record["crc"]
    return EpisodeLog(records[0], records[1:])


def _damaged(lines: list[bytes]) -> Refusal:
    """What is said of lines of which one is no record: which is the first."""

    def is_record(line: bytes) -> bool:
        try:
            return bool(decode_line(line.decode()))
        except (Refusal, UnicodeDecodeError):
            return False

    number = next((number for number, line in enumerate(lines, 1) if not is_record(line)), len(lines))
    return Refusal(f"Line {number} of the log is damaged: its checksum is wrong.")


def words_by_step(log: EpisodeLog) -> Iterator[tuple[int, list[str], list[dict]]]:
    """(tick of the step, who moved each seat, the controllers by seat) of every step. A word is "person",
    "agent", "copilot", "none" (nobody: the seat stayed) or "late" (an agent, too late: the seat stayed).
    """
    controllers = [dict(seat) for seat in log.header["seats"]]
    for record in log.records:
        if record["type"] == "control" and record["seat"] < len(controllers):
            controllers[record["seat"]] = record.get("controller") or {}
        elif record["type"] == "step":
            words = record.get("by") or [controller.get("kind", "person") for controller in controllers]
            yield record["tick"], words[: len(controllers)], controllers


def begin(log: EpisodeLog) -> Simulation:
    """The game of a log at tick 0; raises `Refusal` if these rules didn't write it."""
    header = log.header
    try:
        version = registry.spec(header["game"]).rules_version
        if header["rules_version"] != version:
            raise Refusal(
                f"This log was written with version {header['rules_version']} of the rules of "
                f"{header['game']}; this program has version {version}, so it can't replay it."
            )
        return Simulation(header["game"], header["options"], header["seed"], header.get("deck"))
    except Refusal as error:
        raise Refusal(f"The log's header can't be replayed: {error}") from None
    except KeyError as error:
        raise Refusal(f"The log's header has no {error}.") from None
    except ODD as error:
        raise Refusal(f"The log's header can't be replayed ({type(error).__name__}: {error}).") from None


def walk(log: EpisodeLog) -> Iterator[Simulation]:
    """The game at every tick, from 0 to the last: one `Simulation` that moves on; raises `Refusal`."""
    simulation = begin(log)
    yield simulation
    for record in log.records:
        if record["type"] != "step":
            continue
        if record.get("tick") != simulation.tick:
            raise Refusal(
                f"The log has a step of tick {record.get('tick')} where tick {simulation.tick} is due."
            )
        try:
            simulation.step(record["actions"])
        except Refusal as error:
            raise Refusal(f"The step of tick {record['tick']} isn't legal: {error}") from None
        except ODD as error:
            raise Refusal(
                f"The step of tick {record['tick']} can't be replayed ({type(error).__name__}: {error})."
            ) from None
        yield simulation


def iterate(log: EpisodeLog) -> Iterator[Simulation]:
    """As `walk`, each tick its own `Simulation`: dear in long games, for those who keep them."""
    return (simulation.copy() for simulation in walk(log))


def resimulate(log: EpisodeLog, tick: int | None = None) -> Simulation:
    """The game at a tick, by default the last; raises `Refusal`, also when the log ends before it."""
    if tick is not None and tick < 0:
        raise Refusal(f"There is no tick {tick}.")
    simulation = None
    for simulation in walk(log):
        if simulation.tick == tick:
            return simulation
    if simulation is None or tick is not None:
        raise Refusal(f"There is no tick {tick}: the log has {len(log.steps)} steps.")
    return simulation


def verify(log: EpisodeLog) -> list[str]:
    """What is wrong with a log, one sentence each; re-simulates and compares with its end record, if any."""
    try:
        last = resimulate(log)
    except Refusal as error:
        return [str(error)]
    problems = []
    end = log.end
    if end is None:
        return ["The game is over, but the log has no end record."] if last.over else []
    if log.records[-1] is not end:
        problems.append("The log goes on after its end record.")
    for name, shown in (("tick", last.tick), ("score", last.score), ("digest", last.digest())):
        if end.get(name) != shown:
            problems.append(f"The log ends with {name} {end.get(name)}; re-simulated, it is {shown}.")
    if end.get("reason") == "finished" and not last.over:
        problems.append("The log says that the game was finished, but it isn't over.")
    return problems


def encoded(logs: Mapping[UUID | str, Iterable[dict[str, Any]]]) -> dict[UUID | str, bytes]:
    """Records of logs as their lines."""
    return {name: "".join(map(encode_line, records)).encode() for name, records in logs.items()}


class LogStore(Protocol):
    """Logs by episode id. What `append` was given is durable when it returns."""

    def append(self, episode_id: UUID | str, records: Iterable[dict[str, Any]]) -> None:
        """Add records at the end; the first one ever is the header."""

    def append_all(self, logs: Mapping[UUID | str, Iterable[dict[str, Any]]]) -> None:
        """Add records to many logs, for less than one by one. Some may have got theirs when this raises."""

    def append_lines(self, logs: Mapping[UUID | str, bytes]) -> None:
        """As `append_all`, of lines that are written already, of games that nobody plays just now."""

    def lines(self, episode_id: UUID | str) -> bytes:
        """The whole log as it is written; raises FileNotFoundError if there is none."""

    def read(self, episode_id: UUID | str) -> EpisodeLog:
        """The whole log; raises FileNotFoundError if there is none and `Refusal` if it is damaged."""

    def exists(self, episode_id: UUID | str) -> bool:
        """Whether there is a log of this episode."""

    def delete(self, episode_id: UUID | str) -> None:
        """Remove the log, if there is one."""


class FileLogStore:
    """One file an episode, `<folder>/<id>.jsonl`, only ever appended to.

    Readers may read while a writer writes: they see whole records, up to some moment. Two writers take turns.
    After a crash in the middle of an append the torn line is cut off by the next one.
    """

    _left: ClassVar[dict[Path, tuple[int, int]]] = {}  # (inode, length) of files as this process left them

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    def path(self, episode_id: UUID | str) -> Path:
        """The file of an episode; raises ValueError for an id that is no plain name."""
        name = str(episode_id)
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name):
            raise ValueError(f"{name!r} is no episode id.")
        return self.folder / f"{name}.jsonl"

    def append(self, episode_id: UUID | str, records: Iterable[dict[str, Any]]) -> None:
        """Add records; on disk (fsync) when this returns."""
        self.append_all({episode_id: records})

    def append_all(self, logs: Mapping[UUID | str, Iterable[dict[str, Any]]]) -> None:
        """Add records to many logs: all are written, then all are waited for, which the disk does at once."""
        self._append_all(encoded(logs), lambda: None)

    def append_lines(self, logs: Mapping[UUID | str, bytes]) -> None:
        """Add lines to many logs. The disk first writes all that waits, of whomever, so that little is left
        to do for each file.
        """
        self._append_all(logs, os.sync)

    def _append_all(self, logs: Mapping[UUID | str, bytes], before: Callable[[], None]) -> None:
        """`before` is what is done when some are written, before each of them is waited for."""
        data = {self.path(name): lines for name, lines in logs.items()}
        self.folder.mkdir(parents=True, exist_ok=True)
        paths = list(data)
        for at in range(0, len(paths), FILES_AT_ONCE):
            self._append({path: data[path] for path in paths[at : at + FILES_AT_ONCE]}, before)

    def _append(self, data: dict[Path, bytes], before: Callable[[], None]) -> None:
        files: list[int] = []
        try:
            new = False
            for path, lines in data.items():
                files.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o644))
                new |= self._write(path, files[-1], lines)
            if new:
                files.append(os.open(self.folder, os.O_RDONLY))
            before()
            # At once, because a disk takes many in the time of one.
            list(_waiting().map(os.fsync, files) if len(files) > 1 else map(os.fsync, files))
        finally:
            for file in files:
                os.close(file)

    def _write(self, path: Path, file: int, data: bytes) -> bool:
        """Append to the file; returns whether it was empty. Looks for a torn line only if another
        process may have written there.
        """
        fcntl.flock(file, fcntl.LOCK_EX)
        status = os.fstat(file)
        end = status.st_size
        if self._left.pop(path, None) != (status.st_ino, end):
            end = _whole_length(file)
            os.ftruncate(file, end)
        written = 0
        while written < len(data):
            written += os.pwrite(file, data[written:], end + written)
        fcntl.flock(file, fcntl.LOCK_UN)
        self._left[path] = (status.st_ino, end + written)
        if len(self._left) > FILES_REMEMBERED:
            self._left.pop(next(iter(self._left)), None)
        return not end

    def lines(self, episode_id: UUID | str) -> bytes:
        """The whole log so far, as it is written."""
        try:
            return self.path(episode_id).read_bytes()
        except FileNotFoundError:
            raise FileNotFoundError(f"There is no log of episode {episode_id}.") from None

    def read(self, episode_id: UUID | str) -> EpisodeLog:
        """The whole log so far."""
        return read_lines(self.lines(episode_id))

    def exists(self, episode_id: UUID | str) -> bool:
        """Whether there is a log of this episode."""
        return self.path(episode_id).exists()

    def delete(self, episode_id: UUID | str) -> None:
        """Remove the log, if there is one."""
        self.path(episode_id).unlink(missing_ok=True)


@cache
def _waiting() -> ThreadPoolExecutor:
    """Threads that wait for the disk."""
    return ThreadPoolExecutor(DISK_THREADS, "fsync")


def _whole_length(file: int) -> int:
    """The length of a file without a torn last line (one without line feed, or with a wrong checksum)."""
    size = os.fstat(file).st_size
    back = min(size, 1 << 16)
    while True:
        tail = os.pread(file, back, size - back)
        lines = tail.split(b"\n")
        if len(lines) > 2 or back == size:
            break
        back = min(size, back * 4)
    end = size - len(lines[-1])
    if len(lines) > 1:
        try:
            decode_line(lines[-2].decode())
        except (Refusal, UnicodeDecodeError):
            end -= len(lines[-2]) + 1
    return end
