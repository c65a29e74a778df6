"""Exports and imports are jobs: asked for on a page, done by a worker, cancelled and resumed."""

from __future__ import annotations

import asyncio
import json
import os
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
from tests.webapp.cast import text_of
from tests.webapp.datasets.parcels import everything, forget_everything
from webapp.accounts.models import AuditEvent
from webapp.datasets import snapshots, transfers, views
from webapp.datasets.models import Snapshot
from webapp.jobs import jobs, runner, steps
from webapp.jobs.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path, monkeypatch) -> None:
    settings.JOBS_DIR = tmp_path / "jobs"
    monkeypatch.setattr(views, "nudge", lambda job_id: True)


def work(job: Job, capsys) -> dict:
    """What the job's program does, and says last."""
    config = Path(steps.command(job)[steps.command(job).index("--config") + 1])
    program = steps.program_of(job)
    call_command(*program[1:], "--config", str(config), "--out", str(steps.out(job)))
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED, result=result, done=100, total=100)
    job.refresh_from_db()
    return result


def unpacked(archive: Path) -> Snapshot:
    """The archive's snapshot, as if nobody had exported it."""
    one = Snapshot.objects.get()
    snapshots.packed(one).unlink()
    return one


def test_a_snapshot_is_packed_by_a_worker_and_downloaded(archive, adam_client, capsys):
    one = unpacked(archive)
    page, pack = (reverse(f"datasets:{name}", args=[one.pk]) for name in ("snapshot", "pack"))
    assert "Export as zip" in adam_client.get(page).content.decode()
    assert adam_client.get(reverse("datasets:export", args=[one.pk])).status_code == 404
    assert adam_client.get(pack).status_code == 405
    for _ in range(2):  # asking twice is asking once
        told = adam_client.post(pack, follow=True).content.decode()
        assert "The zip waits for a worker" in told and "Cancel" in told
        assert "No worker is running" in told
    job = Job.objects.get(kind="export")
    assert work(job, capsys)["bytes"] == snapshots.packed(one).stat().st_size
    told = adam_client.get(reverse("datasets:job", args=[job.pk])).content.decode()
    assert "The zip is packed" in told and "hx-get" not in told
    assert "Download the zip" in adam_client.get(page).content.decode()
    answer = adam_client.get(reverse("datasets:export", args=[one.pk]))
    assert b"".join(answer) == snapshots.packed(one).read_bytes()
    assert AuditEvent.objects.filter(verb="dataset.export").count() == 1


def test_a_download_leaves_piece_by_piece(tmp_path):
    data = bytes(3 * views.CHUNK + 5)
    (tmp_path / "a.zip").write_bytes(data)
    answer = views.Download((tmp_path / "a.zip").open("rb"))

    async def pieces() -> list[int]:
        return [len(piece) async for piece in answer]

    assert asyncio.run(pieces()) == [views.CHUNK] * 3 + [5]
    answer.close()


def test_a_file_is_taken_in_by_a_worker(archive, adam, adam_client, capsys):
    before = everything()
    with archive.open("rb") as file:
        answer = adam_client.post(reverse("datasets:import"), {"file": file}, follow=True)
    assert "export.zip waits for a worker" in text_of(answer)
    job = Job.objects.get(kind="import")
    upload = Path(job.settings["file"])
    assert upload.read_bytes() == archive.read_bytes() and upload.is_relative_to(steps.folder(job))
    Snapshot.objects.all().delete()
    made = work(job, capsys)
    assert made["episodes"] == 0 and Snapshot.objects.get().created_by == adam
    assert everything() == before and not upload.exists()
    told = adam_client.get(reverse("datasets:list")).content.decode()
    assert (
        "0 new episodes and 0 new marks" in " ".join(told.split())
        and reverse("datasets:snapshot", args=[made["snapshot"]]) in told
    )


def test_a_job_says_how_far_it_is_and_is_cancelled_and_resumed(archive, adam_client):
    one = unpacked(archive)
    job = transfers.ask_export(one)
    Job.objects.filter(pk=job.pk).update(state=Job.RUNNING, done=40, total=100)
    fragment = reverse("datasets:job", args=[job.pk])
    told = adam_client.get(fragment).content.decode()
    assert (
        "Packing the zip" in told
        and '<progress max="100" value="40"' in told
        and f'hx-get="{fragment}"' in told
    )
    change = {
        name: reverse("datasets:job-change", args=[job.pk, name]) for name in ("cancel", "resume", "eat")
    }
    adam_client.post(change["cancel"])
    assert "Stopping" in adam_client.get(fragment).content.decode()
    Job.objects.filter(pk=job.pk).update(state=Job.CANCELLED)
    assert "Resume" in adam_client.get(fragment).content.decode()
    adam_client.post(change["resume"])
    job.refresh_from_db()
    assert job.state == Job.QUEUED
    assert adam_client.post(change["eat"]).status_code == 404
    told = adam_client.post(change["resume"], follow=True).content.decode()
    assert "only cancelled and failed jobs can be resumed" in told


def test_only_admins_and_only_exports_and_imports(archive, adam_client, anna_client):
    job = transfers.ask_export(Snapshot.objects.get())
    other = Job.objects.create(kind="clip")
    address = reverse("datasets:job", args=[job.pk])
    assert anna_client.get(address).status_code == 403
    assert anna_client.post(reverse("datasets:job-change", args=[job.pk, "cancel"])).status_code == 403
    assert adam_client.get(reverse("datasets:job", args=[other.pk])).status_code == 404


def test_packing_that_is_stopped_leaves_no_half_zip(archive, settings, monkeypatch):
    one = unpacked(archive)
    job = transfers.ask_export(one)
    monkeypatch.setattr(Reporter, "progress", lambda self, done, total: self.stop())
    with pytest.raises(SystemExit) as ended:
        config = steps.command(job)
        call_command("datasets", "pack", *config[config.index("--config") :])
    assert ended.value.code == 143
    assert snapshots.packed(one) is None and not list(Path(settings.SNAPSHOTS_DIR).glob("*.part"))


def test_what_a_killed_packing_left_is_swept_and_what_is_being_packed_stays(archive, settings):
    one = unpacked(archive)
    folder = Path(settings.SNAPSHOTS_DIR)
    left, at_work = (folder / f".{name}.zip.x1.part" for name in ("killed", "at_work"))
    for path in (left, at_work):
        path.write_bytes(b"half")
    os.utime(left, (0, 0))
    snapshots.export(one)
    assert not left.exists() and at_work.exists() and snapshots.packed(one)


def test_a_file_that_is_no_export_fails_with_its_sentence(archive, tmp_path, adam_client, settings):
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as packed:
        packed.writestr("a.txt", "a")
    with bad.open("rb") as file:
        adam_client.post(reverse("datasets:import"), {"file": file})
    job = Job.objects.get(kind="import")
    config = steps.command(job)
    with pytest.raises(CommandError, match="no file of a snapshot"):
        call_command("datasets", "take", *config[config.index("--config") :])
    Job.objects.filter(pk=job.pk).update(state=Job.REFUSED, error="It is no snapshot.")
    told = adam_client.get(reverse("datasets:list")).content.decode()
    assert "Nothing was imported" in told and "It is no snapshot." in told and "Resume" not in told
    assert not Path(job.settings["file"]).exists(), "nobody can use it"


def test_an_import_that_the_machine_stopped_can_be_resumed(archive, adam_client):
    with archive.open("rb") as file:
        adam_client.post(reverse("datasets:import"), {"file": file})
    Job.objects.filter(kind="import").update(state=Job.FAILED, error="No space left on device.")
    told = adam_client.get(reverse("datasets:list")).content.decode()
    assert "Nothing was imported" in told and "No space left" in told and "Resume" in told
    assert archive.name in told  # several imports are listed: which one it was


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_says_the_sentence_alone_and_that_another_attempt_cant_help(adam, forked_jobs):
    job = transfers.ask_import(SimpleUploadedFile("notes.zip", b"some text"), adam)
    assert runner.run(jobs.claim(job.pk, jobs.worker_name())) == Job.REFUSED
    job.refresh_from_db()
    assert job.error.startswith("The file is not a readable zip")
    with pytest.raises(Refusal, match="only cancelled and failed jobs"):
        jobs.resume(job)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_packs_a_snapshot_and_takes_it_in_again(archive, adam, forked_jobs):
    one = unpacked(archive)
    job = transfers.ask_export(one)
    assert runner.run(jobs.claim(job.pk, jobs.worker_name())) == Job.COMPLETED, job.lines.last()
    assert snapshots.packed(one)
    before = everything()
    forget_everything()
    job = transfers.ask_import(SimpleUploadedFile("export.zip", archive.read_bytes()), adam)
    assert runner.run(jobs.claim(job.pk, jobs.worker_name())) == Job.COMPLETED
    job.refresh_from_db()
    assert job.result["episodes"] == 2 and (job.done, job.total) == (100, 100)
    assert everything() == before
