"""A zip that is not what it says ends in one sentence, and nothing of it is kept; by command and by page."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from engine.refusal import Refusal
from engine.simulation.log import encode_line, read_lines
from tests.webapp.datasets.parcels import forget_everything, relisted, rewritten
from webapp.accounts.models import AuditEvent, User
from webapp.agents.models import Agent
from webapp.annotation.models import Mark
from webapp.datasets import arriving, importing, snapshot_reading, tables
from webapp.datasets.models import Snapshot
from webapp.episodes.models import Episode
from webapp.episodes.verify import problems_of

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]
LONG = "x" * 300


def manifest_is(value: Any) -> Callable[[Files], None]:
    return lambda files: files.update({"manifest.json": json.dumps(value).encode()})


def manifest_has(**fields: Any) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | fields).encode()

    return change


def with_file(name: str, data: bytes = b"boo") -> Callable[[Files], None]:
    def change(files: Files) -> None:
        files[name] = data
        relisted(files)

    return change


def without(name: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        del files[name]
        relisted(files)

    return change


def rows_of(table: str, change: Callable[[dict[str, Any]], None], least: int = 1) -> Callable[[Files], None]:
    """The first row of a table changed (the first `least`)."""

    def forge(files: Files) -> None:
        name = f"tables/{table}.parquet"
        rows = pq.read_table(io.BytesIO(files[name])).to_pylist()
        for row in rows[:least]:
            change(row)
        with_rows(table, rows)(files)

    return forge


def with_rows(table: str, rows: list[dict[str, Any]]) -> Callable[[Files], None]:
    out = io.BytesIO()
    pq.write_table(tables.table(table, tables.columns(table, rows)), out)
    return with_file(f"tables/{table}.parquet", out.getvalue())


def row_with(table: str, least: int = 1, **values: Any) -> Callable[[Files], None]:
    return rows_of(table, lambda row: row.update(values), least)


def log_of(change: Callable[[list[dict[str, Any]]], None]) -> Callable[[Files], None]:
    """A log whose lines are sound, with checksums to match, but which says something else."""

    def forge(files: Files) -> None:
        table = "tables/episodes.parquet"
        first, *rest = pq.read_table(io.BytesIO(files[table])).to_pylist()
        name, start, end = first["log"], first["offset"], first["offset"] + first["bytes"]
        log = read_lines(files[name][start:end])
        records = [log.header, *log.records]
        change(records)
        lines = "".join(map(encode_line, records)).encode()
        files[name] = files[name][:start] + lines + files[name][end:]
        for row in rest:
            row["offset"] += len(lines) - first["bytes"] if row["offset"] > start else 0
        with_rows("episodes", [first | {"bytes": len(lines)}, *rest])(files)

    return forge


def damage(files: Files) -> None:
    name = next(name for name in files if name.startswith("episodes/"))
    files[name] = files[name].replace(b"step", b"stop", 1)


def step_without_actions(records: list[dict[str, Any]]) -> None:
    del records[1]["actions"]


def end_elsewhere(records: list[dict[str, Any]]) -> None:
    records[-1]["digest"] = "0" * 64


def other_columns(files: Files) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"id": ["a"]}), out)
    files["tables/marks.parquet"] = out.getvalue()
    relisted(files)


BAD: dict[str, tuple[Callable[[Files], None], str]] = {
    "no manifest": (dict.clear, "no manifest.json"),
    "manifest is a list": (manifest_is([]), "must be a JSON object"),
    "manifest is null": (manifest_is(None), "must be a JSON object"),
    "manifest is deep": (lambda files: files.update({"manifest.json": b"[" * 10_000}), "in one another"),
    "manifest is no text": (lambda files: files.update({"manifest.json": b"\xff"}), "UTF-8"),
    "from the future": (manifest_has(format=99), "format is 99; it must be 1, 2"),
    "format is a list": (manifest_has(format=[]), r"format is \[\]; it must be"),
    "files is null": (manifest_has(files=None), "files is None; it must be an object"),
    "files is a list": (manifest_has(files=["marks.jsonl"]), "it must be an object"),
    "files are numbers": (
        manifest_has(files={"marks.jsonl": 3}),
        "marks.jsonl is 3; it must be an object with bytes",
    ),
    "sizes are texts": (
        manifest_has(files={"marks.jsonl": {"bytes": "3", "sha256": "a" * 64}}),
        "bytes is '3'",
    ),
    "counts is a list": (manifest_has(counts=[]), "it must be an object"),
    "counts are texts": (manifest_has(counts={"marks": "many"}), "a whole number"),
    "filters are odd": (manifest_has(filters={"game": "hanabi", "sources": 5}), "sources is 5"),
    "filters of no game": (manifest_has(filters={}), "The filter game is missing"),
    "another game": (manifest_has(game="chess"), "another game"),
    "simulated is a word": (manifest_has(has_simulated="yes"), "simulated"),
    "a review of no episode": (row_with("reviews", episode="x"), "The episode is 'x'"),
    "a review by nobody": (row_with("reviews", annotator=""), "The annotator is ''"),
    "a review of a seat too many": (row_with("reviews", seats=[0, 9]), "The seats is"),
    "a review of no seat": (row_with("reviews", seats=[]), "The seats is"),
    "a path that climbs out": (with_file("../../outside.txt"), "no file of a snapshot"),
    "an absolute path": (with_file("/etc/passwd"), "no file of a snapshot"),
    "a path with a drive": (with_file("C:\\windows"), "no file of a snapshot"),
    "a name of 300 characters": (with_file(f"episodes/{LONG}.jsonl"), "no file of a snapshot"),
    "a name that isn't ASCII": (with_file("episodes/é.jsonl"), "no file of a snapshot"),
    "a and a/b": (
        lambda files: (with_file("episodes/a.jsonl")(files), with_file("episodes/a.jsonl/b")(files)),
        "no file of a snapshot",
    ),
    "a file in a file's place": (with_file("episodes"), "no file of a snapshot"),
    "a file that isn't listed": (lambda files: files.update({"tables/extra.parquet": b""}), "doesn't list"),
    "a file that is listed alone": (lambda files: files.pop("README.md"), "missing"),
    "another checksum": (damage, "sha256 differs"),
    "a missing table": (without("tables/episodes.parquet"), "The table episodes is missing"),
    "a table that is none": (with_file("tables/marks.parquet"), "not a readable parquet file"),
    "a table with other columns": (other_columns, "other columns"),
    "a log that isn't there": (row_with("episodes", log="episodes/no.jsonl"), "isn't there"),
    "a log outside": (row_with("episodes", log="../../etc/passwd"), "isn't there"),
    "a log that is another file": (row_with("episodes", log="README.md"), "isn't there"),
    "a log beyond its file": (row_with("episodes", bytes=1 << 40), "a part of episodes/00000.jsonl"),
    "a log before its file": (row_with("episodes", offset=-1), "a part of episodes/00000.jsonl"),
    "a log from its middle on": (row_with("episodes", offset=9), "can't be read|does not replay"),
    "a damaged log": (log_of(lambda records: records.insert(1, {"type": "header"})), "can't be read"),
    "a log without actions": (log_of(step_without_actions), "does not replay"),
    "a log of another digest": (log_of(end_elsewhere), "does not replay"),
    "a log without an end": (log_of(lambda records: records.pop()), "does not replay"),
    "a log with an odd header": (log_of(lambda records: records[0].update(seed="one")), "does not replay"),
    "a log of another episode": (log_of(lambda records: records[0].update(episode="a")), "another episode"),
    "seats that are texts": (
        lambda files: (
            log_of(lambda records: records[0].update(seats=["a", "b"]))(files),
            row_with("episodes", seats='["a", "b"]')(files),
        ),
        r"another seats|seats of",
    ),
    "an episode without an id": (row_with("episodes", id="me"), "has the id 'me'"),
    "an episode twice": (row_with("episodes", 2, id="0b2f7c3e-0000-4000-8000-0000000000bb"), "another|twice"),
    "a row of another length": (row_with("episodes", ticks=3), "another ticks"),
    "a row of other options": (row_with("episodes", options="{}"), "another options"),
    "options that are no JSON": (row_with("episodes", options="{"), "isn't JSON"),
    "an episode that never began": (row_with("episodes", started_at=None), "started at"),
    "a mark of no episode": (row_with("marks", episode=LONG), "The episode of"),
    "a mark by nobody": (row_with("marks", annotator="nobody"), "The annotator of"),
    "a mark on a seat that isn't there": (row_with("marks", seat=9), "The seat of"),
    "a mark after the end": (row_with("marks", tick=30_000), "The tick of"),
    "a mark before the beginning": (row_with("marks", tick=-1), "The tick of"),
    "a mark without a tick": (row_with("marks", tick=None), "The tick of"),
    "a mark of no sign": (row_with("marks", sign=0), "The sign of"),
    "a mark of no revision": (row_with("marks", revision=0), "The revision of"),
    "a mark with a deep context": (row_with("marks", context="[" * 100 + "]" * 100), "in one another"),
    "a mark with a list as context": (row_with("marks", context="[]"), "no JSON object"),
    "a mark with an odd id": (row_with("marks", id="me"), "A mark has the id 'me'"),
    "a mark of no time": (row_with("marks", created_at=None), "when it was made"),
    "a mark of the year 33658": (row_with("marks", made_at=10**18), "outside of the years 1 to 9999"),
    "a mark twice": (row_with("marks", 2, id="0b2f7c3e-0000-4000-8000-0000000000bb"), "twice"),
    "a rater with a long name": (row_with("annotators", pseudonym=LONG), "pseudonym"),
    "a rater without a name": (row_with("annotators", pseudonym=""), "pseudonym"),
    "a rater with a line feed": (row_with("annotators", pseudonym="a\nb"), "pseudonym"),
    "a rater with character 0": (row_with("annotators", pseudonym="a\0"), "number 0"),
    "an agent with a long ref": (row_with("agents", ref=f"hanabi/{LONG}"), "The ref"),
    "an agent of no game": (row_with("agents", ref="chess/me"), "names no game"),
    "an agent with a list as card": (row_with("agents", card="[]"), "must be an object"),
    "an agent with an odd card": (row_with("agents", card='{"players": null}'), "players"),
    "an agent of an odd kind": (row_with("agents", kind="human"), "The kind"),
}


def nothing_is_here() -> bool:
    kept = [path for path in Path(settings.SNAPSHOTS_DIR).iterdir()]
    rows = [model.objects.exists() for model in (Episode, Mark, User, Agent, Snapshot)]
    outside = Path(settings.SNAPSHOTS_DIR).parent.parent / "outside.txt"
    logs = list(Path(settings.EPISODES_DIR).glob("*"))
    return not any([*kept, *rows, *logs, outside.exists()])


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path) -> None:
    for name in ("SNAPSHOTS_DIR", "EPISODES_DIR"):
        folder = tmp_path / name.lower()
        folder.mkdir()
        setattr(settings, name, folder)


@pytest.fixture
def arrived(archive) -> Path:
    """The zip of another instance; this one is empty."""
    forget_everything()
    assert nothing_is_here()
    return archive


def refused(path: Path) -> str:
    """The sentence that an import ends in."""
    with pytest.raises(Refusal) as found:
        importing.import_zip(path)
    said = str(found.value)
    assert said.endswith((".", "…")) and "\n" not in said and len(said) < 400
    assert nothing_is_here()
    return said


def test_whatever_is_wrong_is_said_and_nothing_is_kept(arrived):
    for name, (change, words) in BAD.items():
        try:
            said = refused(rewritten(arrived, change))
        except pytest.fail.Exception:
            pytest.fail(f"Accepted: {name}")
        assert re.search(words, said), name


def test_reviews_of_before_that_are_no_lines_are_refused(db, tmp_path):
    old = shutil.copy(Path(__file__).with_name("format-5.zip"), tmp_path / "old.zip")
    first = json.loads(zipfile.ZipFile(old).read("reviews.jsonl").splitlines()[0])
    for line, words in (
        (b"boo", "Line 1 of reviews.jsonl isn't JSON"),
        (json.dumps(first | {"annotator": 5}).encode(), "names no episode or annotator"),
        (json.dumps(first | {"seats": [[0]]}).encode(), "The seats is"),
        (json.dumps({name: first[name] for name in first if name != "seats"}).encode(), "The seats is"),
    ):
        assert re.search(words, refused(rewritten(Path(old), with_file("reviews.jsonl", line))))


def test_of_many_logs_some_are_replayed(arrived, monkeypatch):
    """The others say at their ends what the table says."""
    monkeypatch.setattr(arriving, "REPLAYED", 0)
    for change, words in (
        (end_elsewhere, "another digest"),
        (lambda records: records.pop(), "wasn't finished"),
        (lambda records: records[0].update(episode="a"), "another episode"),
    ):
        assert re.search(words, refused(rewritten(arrived, log_of(change))))
    assert importing.import_zip(rewritten(arrived, log_of(step_without_actions)))["episodes"] == 2
    wrong = [episode for episode in Episode.objects.all() if problems_of(episode)]
    assert len(wrong) == 1, "./manage.py episodes verify finds it"


def packed(
    path: Path, *entries: tuple[zipfile.ZipInfo | str, bytes], method: int = zipfile.ZIP_STORED
) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for info, data in entries:
            archive.writestr(info, data)
    return path


def encrypted(path: Path) -> Path:
    """A zip whose entries say that they are encrypted."""
    packed(path, ("manifest.json", b"{}"))
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    path.write_bytes(bytes(data))
    return path


def test_files_that_are_no_proper_zip(db, tmp_path, archive):
    forget_everything()
    whole = archive.read_bytes()
    file = tmp_path / "a.zip"
    for data, words in (
        (b"", "not a readable zip"),
        (b"nonsense", "Games from elsewhere come in by ./manage.py episodes import."),
        (whole[: len(whole) // 2], "not a readable zip"),
        (whole[:2000] + bytes(200) + whole[2200:], "."),
    ):
        file.write_bytes(data)
        assert words in refused(file)
    assert "encrypted" in refused(encrypted(file))
    with pytest.warns(UserWarning, match="Duplicate name"):
        packed(file, ("README.md", b"a"), ("README.md", b"b"))
    assert "twice" in refused(file)
    assert "isn't read here" in refused(packed(file, ("manifest.json", b"{}"), method=zipfile.ZIP_LZMA))
    assert "can't be unpacked" in refused(tmp_path)
    assert "can't be unpacked" in refused(tmp_path / "missing.zip")


def test_a_zip_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(arrived, monkeypatch):
    monkeypatch.setattr(importing, "MOST_BYTES", 1000)
    assert "unpacks to" in refused(arrived)
    monkeypatch.setattr(importing, "MOST_MANIFEST", 10)
    assert "manifest has more" in refused(arrived)


def test_a_table_that_unpacks_to_too_much_is_refused(arrived, monkeypatch):
    monkeypatch.setattr(snapshot_reading, "MOST_TABLE", 100)
    assert "unpacks to more" in refused(arrived)
    monkeypatch.setattr(snapshot_reading, "MOST_ROWS", 1)
    assert "more than 1 rows" in refused(arrived)


def test_a_failure_at_the_last_moment_leaves_nothing(arrived, monkeypatch):
    """Logs and the folder lie outside of the database's transaction."""

    def fail(**_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(AuditEvent.objects, "create", fail)
    assert "No space left" in refused(arrived)


def test_the_command_fails_with_the_sentence(arrived, tmp_path):
    for name in ("manifest is a list", "files is null", "a missing table"):
        with pytest.raises(CommandError, match=BAD[name][1]):
            call_command("datasets", "import", str(rewritten(arrived, BAD[name][0])))
    with pytest.raises(CommandError, match="isn't there"):
        call_command("datasets", "import", str(tmp_path / "missing.zip"))
    with pytest.raises(CommandError, match="is a folder"):
        call_command("datasets", "import", str(tmp_path))
