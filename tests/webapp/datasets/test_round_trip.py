"""A snapshot goes out as a zip and comes into an empty instance as what it was."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.conf import settings

from engine.agents.files import sha256_of
from engine.learning import marked
from tests.webapp.cast import simulated_episodes, small_network
from tests.webapp.replays import kitchen
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.datasets import importing, snapshot_files, snapshots, tables
from webapp.datasets.models import Snapshot, SnapshotMark
from webapp.datasets.selection import Filters
from webapp.datasets.snapshot_files import BadSnapshot
from webapp.replays.models import Episode, Mark
from webapp.replays.stores import log_store

pytestmark = pytest.mark.django_db
ID = "0b2f7c3e-0000-4000-8000-000000000001"
FILTERS = Filters(game="hanabi", include_simulated=True)


def freeze(filters: Filters = FILTERS) -> Snapshot:
    folder = Path(settings.SNAPSHOTS_DIR) / ID
    shutil.rmtree(folder, ignore_errors=True)
    folder.with_name(f"{ID}.zip").unlink(missing_ok=True)
    snapshot_files.write(ID, filters, folder, lambda done, total: None)
    return snapshots.register(ID, None)


def everything() -> dict:
    """What an instance knows about episodes and marks, people by pseudonym, in a form that can be
    compared."""
    store = log_store()
    return {
        "episodes": {
            str(e.pk): (e.game, e.options, e.ticks, e.score, e.digest, e.source, e.started_at)
            for e in Episode.objects.all()
        },
        "logs": {str(e.pk): store.read(e.pk).steps for e in Episode.objects.all()},
        "marks": {
            str(m.pk): (
                str(m.episode_id),
                m.annotator.pseudonym,
                m.seat,
                m.tick,
                m.sign,
                m.revision,
                m.context,
            )
            for m in Mark.objects.select_related("annotator")
        },
        "people": {
            (u.pseudonym, u.is_simulated)
            for u in User.objects.filter(marks__isnull=False) | User.objects.filter(episodes__isnull=False)
        },
    }


def forget_everything() -> None:
    """As if this were another, empty instance."""
    SnapshotMark.objects.all().delete()
    Snapshot.objects.all().delete()
    Mark.objects.all().delete()
    for episode in Episode.objects.all():
        log_store().delete(episode.pk)
    Episode.objects.all().delete()
    Agent.objects.all().delete()
    User.objects.all().delete()
    shutil.rmtree(Path(settings.SNAPSHOTS_DIR) / ID)


@pytest.fixture
def archive(anna, tmp_path) -> Path:
    """The zip of two simulated episodes, one of them marked by anna too."""
    first, _ = simulated_episodes(small_network(), count=2)
    Mark.objects.create(
        id="0b2f7c3e-0000-4000-8000-0000000000aa",
        episode=first,
        annotator=anna,
        seat=1,
        tick=4,
        sign=-1,
        note="secret",
    )
    return Path(shutil.copy(snapshots.export(freeze()), tmp_path / "export.zip"))


def test_an_export_comes_into_an_empty_instance_as_it_was(archive, anna):
    before = everything()
    assert before["marks"] and len(before["episodes"]) == 2
    forget_everything()
    done = importing.import_zip(archive)
    assert done["episodes"] == 2
    assert done["marks"] == len(before["marks"])
    assert everything() == before
    arrived = User.objects.get(pseudonym=anna.pseudonym)
    assert not arrived.is_active and not arrived.has_usable_password()
    assert arrived.username != "anna" and not arrived.email
    assert Snapshot.objects.get().marks.count() == len(before["marks"])


def test_importing_twice_is_importing_once(archive):
    forget_everything()
    importing.import_zip(archive)
    before = everything()
    assert importing.import_zip(archive)["episodes"] == 0
    assert everything() == before
    assert Snapshot.objects.count() == 1


def test_what_was_imported_is_exported_again_as_the_same_tables(archive, tmp_path):
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path / "first")
    forget_everything()
    importing.import_zip(archive)
    again = tmp_path / "again"
    snapshot_files.write(ID, FILTERS, again, lambda done, total: None)
    for name in ("steps", "marks", "instructions", "raters"):
        first = snapshot_files.read_table(tmp_path / "first", name)
        assert sorted(map(str, snapshot_files.read_table(again, name))) == sorted(map(str, first)), name


def test_names_notes_and_addresses_of_people_do_not_leave(archive):
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            data = packed.read(name)
            if name.endswith(".parquet"):
                data = str(pq.read_table(packed.open(name)).to_pylist()).encode()
            assert b"anna" not in data and b"secret" not in data and b"example.org" not in data, name


def test_every_table_has_its_schema_and_says_what_is_simulated(archive, tmp_path):
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    schema = json.loads((tmp_path / "schema.json").read_text())["$defs"]
    for name in tables.TABLES:
        found = pq.read_table(tmp_path / "tables" / f"{name}.parquet")
        assert set(found.column_names) == set(schema[name]["properties"]) == set(schema[name]["required"])
        assert "simulated" in found.column_names
    raters = {row["pseudonym"]: row["simulated"] for row in snapshot_files.read_table(tmp_path, "raters")}
    assert sorted(raters.values()) == [False, True, True]
    marks = snapshot_files.read_table(tmp_path, "marks")
    assert all(row["simulated"] == raters[row["rater"]] for row in marks)


def test_training_programs_read_the_folder(archive):
    folder = snapshots.folder_of(Snapshot.objects.get())
    tracks = marked.load(folder, "hanabi")
    assert sum(track.marks for track in tracks) == Mark.objects.count()
    assert {track.simulated for track in tracks} == {True, False}


def test_a_snapshot_keeps_marks_as_they_were(archive, anna):
    snapshot = Snapshot.objects.get()
    Mark.objects.filter(annotator=anna).update(sign=1, revision=2)
    frozen = SnapshotMark.objects.get(snapshot=snapshot, mark__annotator=anna)
    assert (frozen.sign, frozen.revision) == (-1, 1)
    assert snapshot_files.verify(snapshots.folder_of(snapshot))["sha256"] == snapshot.sha256


def test_nothing_found_is_said_in_a_sentence(db):
    with pytest.raises(BadSnapshot, match="No finished episode passes the filters"):
        freeze()


def rewritten(archive: Path, change) -> Path:
    """A copy of the zip with `change(names to bytes)` applied."""
    with zipfile.ZipFile(archive) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    change(files)
    target = archive.with_name("changed.zip")
    with zipfile.ZipFile(target, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return target


def damage(files: dict) -> None:
    name = next(name for name in files if name.startswith("episodes/"))
    files[name] = files[name].replace(b"step", b"stop", 1)


def climb_out(files: dict) -> None:
    files["../../outside.txt"] = b"boo"


def add_a_stranger(files: dict) -> None:
    files["tables/extra.parquet"] = b"boo"


def lose_a_file(files: dict) -> None:
    del files["marks.jsonl"]


def from_the_future(files: dict) -> None:
    files["manifest.json"] = files["manifest.json"].replace(b'"format": %d' % tables.FORMAT, b'"format": 99')


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (damage, "sha256 differs"),
        (climb_out, "outside of the snapshot"),
        (add_a_stranger, "the manifest doesn't list"),
        (lose_a_file, "missing"),
        (from_the_future, "format 99"),
        (dict.clear, "no manifest.json"),
    ],
)
def test_a_zip_that_is_not_what_it_says_changes_nothing(archive, change, words):
    bad = rewritten(archive, change)
    forget_everything()
    with pytest.raises(BadSnapshot, match=words):
        importing.import_zip(bad)
    assert not Episode.objects.exists() and not User.objects.exists() and not Mark.objects.exists()
    assert not list(Path(settings.SNAPSHOTS_DIR).glob(".import-*"))
    assert not (Path(settings.SNAPSHOTS_DIR).parent.parent / "outside.txt").exists()


def test_a_log_that_does_not_replay_is_refused(archive):
    def forge(files: dict) -> None:
        """A log whose lines are sound, but whose last digest isn't the game's; with checksums to match."""
        from engine.simulation.log import encode_line, read_lines

        name = next(name for name in files if name.startswith("episodes/"))
        log = read_lines(files[name])
        records = [{**r, "digest": "0" * 64} if r["type"] == "end" else r for r in log.records]
        files[name] = "".join(encode_line(r) for r in (log.header, *records)).encode()
        path = archive.with_name("forged")
        path.write_bytes(files[name])
        manifest = json.loads(files["manifest.json"])
        manifest["files"][name] = {"sha256": sha256_of(path), "bytes": len(files[name])}
        files["manifest.json"] = json.dumps(manifest).encode()

    bad = rewritten(archive, forge)
    forget_everything()
    with pytest.raises(BadSnapshot, match="does not replay"):
        importing.import_zip(bad)
    assert not Episode.objects.exists()


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../b", "C:\\windows", "a\\b", "nul\0"])
def test_paths_that_lead_outside_are_known(name):
    assert importing.unsafe(name)


def test_an_ordinary_path_is_safe():
    assert not importing.unsafe("episodes/0b2f7c3e.jsonl")


def test_kitchens_go_out_and_come_back_with_who_was_in_control_and_without_names(pia):
    episode = kitchen.cook(pia)
    Mark.objects.create(id=ID, episode=episode, annotator=pia, seat=1, tick=kitchen.FULL, sign=1)
    filters = Filters(game="overcooked")
    folder = snapshots.folder_of(freeze(filters))
    [row] = snapshot_files.read_table(folder, "episodes")
    assert json.loads(row["options"])["layout"] == "cramped_room"
    assert row["ticks_per_second"] == 6
    by = {(step["seat"], step["tick"]): step["by"] for step in snapshot_files.read_table(folder, "steps")}
    assert len(by) == 2 * episode.ticks
    assert {by[0, tick] for tick in range(episode.ticks)} == {"person"}
    assert by[1, kitchen.LATE] == "late"
    assert [tick for tick in range(episode.ticks) if by[1, tick] == "copilot"] == list(kitchen.COPILOT)
    log = (folder / row["log"]).read_text()
    assert '"kind":"copilot"' in log and "P-copilot" not in log
    path = snapshots.export(Snapshot.objects.get())
    before, steps = everything(), log_store().read(episode.pk).steps
    moved = path.with_name("elsewhere.zip")
    shutil.copy(path, moved)
    forget_everything()
    assert importing.import_zip(moved)["episodes"] == 1
    after = everything()
    assert after["logs"] == before["logs"] == {str(episode.pk): steps}
    assert after["marks"] == before["marks"]
    moved.unlink()


def test_a_snapshot_of_the_first_format_is_still_read():
    simulated_episodes(small_network(), count=2)
    folder = snapshots.folder_of(freeze())
    for name, column in tables.ADDED:
        path = folder / "tables" / f"{name}.parquet"
        pq.write_table(pq.read_table(path).drop_columns([column]), path)
    assert {row["ticks_per_second"] for row in snapshot_files.read_table(folder, "episodes")} == {None}
    assert {row["by"] for row in snapshot_files.read_table(folder, "steps")} == {None}
