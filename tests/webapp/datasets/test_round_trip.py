"""A snapshot goes out as a zip and comes into an empty instance as what it was."""

from __future__ import annotations

import json
import shutil
import uuid
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.urls import reverse

from engine import language
from engine.learning.parts import marked
from engine.refusal import Refusal
from engine.simulation.log import encode_line
from engine.simulation.told import told
from engine.snapshots import Snapshot as EngineSnapshot
from tests.webapp.datasets.parcels import FILTERS, ID, everything, forget_everything, freeze
from tests.webapp.episodes import kitchen
from webapp.accounts.models import User
from webapp.annotation.counting import place
from webapp.annotation.models import Assignment, Mark
from webapp.datasets import importing, snapshot_files, snapshot_reading, snapshots, tables
from webapp.datasets.models import Marked, Snapshot
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Rating

pytestmark = pytest.mark.django_db


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
    assert sum(row.marks for row in Marked.objects.all()) == len(before["marks"])


def test_importing_twice_is_importing_once_and_no_query_names_them_all(archive, monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 2)
    monkeypatch.setattr(snapshots, "AT_ONCE", 2)
    monkeypatch.setattr(snapshot_files, "AT_ONCE", 1)
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
    snapshot_files.write(FILTERS, again, lambda done, total: None)
    for name in ("marks", "instructions", "annotators", "reviews"):
        first = snapshot_reading.read_table(tmp_path / "first", name)
        assert sorted(map(str, snapshot_reading.read_table(again, name))) == sorted(map(str, first)), name


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_equal_data_and_filters_make_equal_files(archive, pia, anna, tmp_path):
    """Also where the database gives people and agents in another order, and in another instance."""
    episode = Episode.objects.first()
    episode.players.add(pia, anna)
    one, other = tmp_path / "one", tmp_path / "other"
    made = snapshot_files.write(FILTERS, one, lambda done, total: None)
    episode.players.set([])
    episode.players.add(anna)
    episode.players.add(pia)
    assert snapshot_files.write(FILTERS, other, lambda done, total: None)["sha256"] == made["sha256"]
    assert contents(one) == contents(other)
    Mark.objects.filter(annotator=anna).update(sign=1)
    assert snapshot_files.write(FILTERS, other, lambda done, total: None)["sha256"] != made["sha256"]


def test_an_import_keeps_the_checksum_and_freezes_to_the_same_one(archive):
    before = Snapshot.objects.get()
    forget_everything()
    importing.import_zip(archive)
    arrived = Snapshot.objects.get()
    assert arrived.pk != before.pk and arrived.sha256 == before.sha256
    assert freeze().sha256 == before.sha256
    assert importing.import_zip(archive)["snapshot"] in {str(one.pk) for one in Snapshot.objects.all()}
    assert Snapshot.objects.count() == 2


def test_either_of_two_snapshots_with_one_checksum_is_exported(archive, tmp_path):
    forget_everything()
    importing.import_zip(archive)
    again = freeze()
    call_command("datasets", "export", again.sha256[:8], "--out", str(tmp_path / "again.zip"), "--json")
    with zipfile.ZipFile(archive) as first, zipfile.ZipFile(tmp_path / "again.zip") as second:
        assert {name: first.read(name) for name in first.namelist()} == {
            name: second.read(name) for name in second.namelist()
        }


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
    rows = snapshot_reading.read_table(tmp_path, "annotators")
    simulated = {row["pseudonym"]: row["simulated"] for row in rows}
    assert sorted(simulated.values()) == [False, True, True]
    marks = snapshot_reading.read_table(tmp_path, "marks")
    assert all(row["simulated"] == simulated[row["annotator"]] for row in marks)


def test_training_programs_read_the_folder(archive):
    folder = snapshots.folder_of(Snapshot.objects.get())
    tracks = marked.load(folder, "hanabi")
    assert sum(track.marks for track in tracks) == Mark.objects.count()
    assert {track.simulated for track in tracks} == {True, False}


def test_a_snapshot_keeps_marks_as_they_were(archive, anna):
    snapshot = Snapshot.objects.get()
    Mark.objects.filter(annotator=anna).update(sign=1, revision=2)
    frozen = snapshot.mark(Mark.objects.get(annotator=anna).pk)
    assert (frozen["sign"], frozen["revision"]) == (-1, 1)
    assert snapshot.mark(uuid.uuid4()) is None
    assert snapshot_reading.verify(snapshots.folder_of(snapshot))["sha256"] == snapshot.sha256


def test_nothing_found_is_said_in_a_sentence(db):
    with pytest.raises(Refusal, match="No finished episode passes the filters"):
        freeze()


def test_kitchens_go_out_and_come_back_with_who_was_in_control_and_without_names(pia, tmp_path):
    episode = kitchen.cook(pia)
    Mark.objects.create(id=ID, episode=episode, annotator=pia, seat=1, tick=kitchen.FULL, sign=1)
    filters = Filters(game="overcooked")
    folder = snapshots.folder_of(freeze(filters))
    [row] = snapshot_reading.read_table(folder, "episodes")
    assert json.loads(row["options"])["layout"] == "cramped_room"
    assert row["ticks_per_second"] == 6
    log = EngineSnapshot(folder).log(str(episode.pk))
    by = [record["by"] for record in log.records if record["type"] == "step"]
    assert len(by) == episode.ticks and {word for word, _ in by} == {"person"}
    assert by[kitchen.LATE][1] == "late"
    assert [tick for tick, words in enumerate(by) if words[1] == "copilot"] == list(kitchen.COPILOT)
    written = (folder / row["log"]).read_text()
    assert '"kind":"copilot"' in written and "P-copilot" not in written
    path = snapshots.export(Snapshot.objects.get())
    before, steps = everything(), log_store().read(episode.pk).steps
    moved = tmp_path / "elsewhere.zip"
    shutil.copy(path, moved)
    forget_everything()
    assert importing.import_zip(moved)["episodes"] == 1
    after = everything()
    assert after["logs"] == before["logs"] == {str(episode.pk): steps}
    assert after["marks"] == before["marks"]


OLD = Path(__file__).with_name("format-5.zip")  # as the version before segments wrote it


def test_an_export_of_before_comes_in_and_is_learned_from(db, tmp_path):
    done = importing.import_zip(OLD)
    assert (done["episodes"], done["marks"]) == (2, 190)
    snapshot = Snapshot.objects.get()
    folder = snapshots.folder_of(snapshot)
    tracks = marked.load(folder, "hanabi")
    assert sum(track.marks for track in tracks) == 190 and any(track.asked.any() for track in tracks)
    assert Rating.objects.get().instructions == [ID]
    # What she submitted counts, what he marked freely does as well, and nobody else was handed anything.
    assert {one.annotator.pseudonym for one in Assignment.objects.all()} == {"Anna-1"}
    handed = Mark.objects.filter(annotator__pseudonym="Anna-1").order_by("tick")
    assert [(*place(mark), mark.submitted is not None) for mark in handed] == [
        (1, 3, 1, True),
        (0, 5, -1, True),
    ]
    free = Mark.objects.get(annotator__pseudonym="Otto-2")
    assert free.submitted is None
    assert {row.annotator.pseudonym: row.marks for row in snapshot.marked.filter(episode=free.episode)}[
        "Otto-2"
    ] == 1
    assert snapshot.mark(free.pk)["tick"] == free.tick
    # Written anew it says the same, in today's format.
    snapshot_files.write(FILTERS, tmp_path / "new", importing.silent(0, 1))
    old, new = EngineSnapshot(folder), EngineSnapshot(tmp_path / "new")
    assert old.is_old and not new.is_old and old.episodes == new.episodes
    assert [log.steps for _, log in old.logs()] == [log.steps for _, log in new.logs()]
    said = ("id", "episode", "annotator", "seat", "tick", "sign", "simulated")
    marks = [sorted(tuple(row[name] for name in said) for row in one.marks()) for one in (old, new)]
    assert marks[0] == marks[1]
    looked = [{(r["episode"], r["annotator"], *r["seats"]) for r in one.reviews()} for one in (old, new)]
    assert looked[0] == looked[1]


def test_a_snapshot_of_the_first_format_is_still_read(db, tmp_path):
    with zipfile.ZipFile(OLD) as packed:
        packed.extractall(tmp_path)
    for name, column in tables.ADDED:
        path = tmp_path / "tables" / f"{name}.parquet"
        found = pq.read_table(path)
        pq.write_table(found.drop_columns([column] if column in found.column_names else []), path)
    assert {row["ticks_per_second"] for row in snapshot_reading.read_table(tmp_path, "episodes")} == {None}
    assert {row["free"] for row in snapshot_reading.read_table(tmp_path, "marks")} == {None}


def test_ratings_and_instructions_go_out_and_come_back(pia, anna, archive, tmp_path):
    episode = Episode.objects.order_by("pk").first()
    episode.players.add(pia)
    log = log_store().read(episode.pk)
    text = "never discard fives"
    said = {"type": "instruction", "seat": 0, "target_seat": None, "id": ID, "text": text, "tick": 2}
    said |= {"status": "confirmed", "reading": language.read("hanabi", text).as_json()}
    place = next(i for i, one in enumerate(log.records) if one["type"] == "step" and one["tick"] == 2)
    log.records[place:place] = [said]
    log_store().delete(episode.pk)
    log_store().append(episode.pk, [log.header, *log.records])
    given = {"seat": 0, "partner_seat": 1, "partner": 6, "followed": 2, "instructions": [ID]}
    Rating.objects.create(episode=episode, user=pia, comment="by Ann from Example Street", **given)
    out = tmp_path / "out"
    snapshot_files.write(FILTERS, out, lambda done, total: None)
    (row,) = snapshot_reading.read_table(out, "instructions")
    assert (row["id"], row["seat"], row["text"]) == (ID, 0, text)
    (span,) = told(EngineSnapshot(out).log(str(episode.pk))).spans
    assert (span.id, span.seat, span.start, span.end) == (ID, 1, 2, None)
    assert b"Example Street" not in b"".join(contents(out).values())
    again = snapshots.export(freeze())
    packed = again.rename(tmp_path / "again.zip")
    forget_everything()
    importing.import_zip(packed)
    arrived = Rating.objects.get()
    assert {name: getattr(arrived, name) for name in given} == given
    assert (arrived.episode_id, arrived.user.pseudonym) == (episode.pk, pia.pseudonym)


@pytest.mark.parametrize("damage", ["torn", "changed", "gone", "odd"])
def test_a_damaged_log_is_left_out_of_a_snapshot_and_named(damage, archive, settings, tmp_path, adam_client):
    name = str(uuid.uuid4())
    bad, good = Episode.objects.filter(marks__isnull=False).distinct()
    path = Path(settings.EPISODES_DIR) / f"{bad.pk}.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    whole = {
        "torn": "".join(lines[:4]) + lines[4][:20],
        "changed": "".join([lines[0], lines[1].replace("step", "stop"), *lines[2:]]),
        "gone": None,
        "odd": encode_line({"type": "header", "format": 1}) + "".join(lines[1:]),
    }[damage]
    path.unlink() if whole is None else path.write_text(whole)
    made = snapshot_files.write(FILTERS, tmp_path / name, lambda done, total: None)
    assert [*made["left_out"]] == [str(bad.pk)] and made["left_out"][str(bad.pk)].endswith(".")
    assert (made["counts"]["episodes"], made["counts"]["left_out"]) == (1, 1)
    rows = snapshot_reading.read_table(tmp_path / name, "marks")
    assert {row["episode"] for row in rows} == {str(good.pk)} == {*EngineSnapshot(tmp_path / name).episodes}
    assert {track.episode for track in marked.load(tmp_path / name, "hanabi")} == {str(good.pk)}
    assert str(bad.pk) in (tmp_path / name / "README.md").read_text()
    settings.SNAPSHOTS_DIR = tmp_path
    page = adam_client.get(reverse("datasets:snapshot", args=[snapshots.register(name, None).pk]))
    assert "1 episode was left out" in page.content.decode()


def test_a_snapshot_of_nothing_but_damaged_logs_says_so(archive, settings, tmp_path):
    name = str(uuid.uuid4())
    for path in Path(settings.EPISODES_DIR).glob("*.jsonl"):
        path.write_text("no log")
    with pytest.raises(Refusal, match="No episode can be read: "):
        snapshot_files.write(FILTERS, tmp_path / name, lambda done, total: None)
    assert not [*tmp_path.glob(f"*{name}*")]
