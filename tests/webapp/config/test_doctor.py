"""`manage.py doctor` tells what is wrong and what to do."""

from __future__ import annotations

import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from webapp.config import doctor, prepare
from webapp.jobs import gpu
from webapp.jobs.models import WorkerHeartbeat


def report() -> dict[str, dict]:
    out = io.StringIO()
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as end:
        assert end.code == 1
    return {finding["name"]: finding for finding in json.loads(out.getvalue())["findings"]}


def test_every_finding_that_is_not_good_says_what_to_do(db):
    found = [finding for finding in doctor.examine() if finding.state != doctor.GOOD]
    assert [finding.name for finding in found if not finding.cure] == []


def test_the_report_covers_every_check(db):
    assert len(report()) == len(doctor.CHECKS)


def test_an_up_to_date_database_is_good(db):
    assert doctor.database().state == doctor.GOOD


def test_a_pending_migration_is_found(db, monkeypatch):
    monkeypatch.setattr("webapp.config.prepare.pending_migrations", lambda: ["accounts.0002_more"])
    finding = doctor.database()
    assert finding.state == doctor.BAD and "1 migrations pending" in finding.text


def test_a_worker_is_alive_as_long_as_its_heart_beats(db):
    assert doctor.worker().state == doctor.NOTE
    heart = WorkerHeartbeat.objects.create(name="here:1", at=timezone.now())
    assert doctor.worker().state == doctor.GOOD
    heart.at -= timedelta(minutes=5)
    heart.save()
    assert doctor.worker().state == doctor.NOTE


def test_what_trainings_would_compute_on_is_said(db, monkeypatch, settings):
    monkeypatch.setattr(gpu, "usual_device", lambda: "cpu")
    assert doctor.gpu().text == "no CUDA GPU: trainings run on the CPU"
    monkeypatch.setattr(gpu, "usual_device", lambda: "cuda:0 (Made up)")
    assert (doctor.gpu().state, doctor.gpu().text) == (doctor.GOOD, "trainings run on cuda:0 (Made up)")
    settings.WORKER_DEVICE = "cpu"
    assert doctor.gpu().text == "cuda:0 (Made up), which workers started from here leave alone"
    WorkerHeartbeat.objects.create(name="there:1", has_gpu=True)
    assert "there:1, with a GPU" in doctor.worker().text


def test_games_that_are_still_being_compiled_are_named(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    assert doctor.kernels().text.startswith("not compiled yet")
    prepare.stamp().touch()
    assert doctor.kernels().state == doctor.GOOD
    (tmp_path / "compile-arena").touch()
    assert doctor.kernels().text == "not yet: Arena; their matches wait"


def test_a_broker_that_is_not_there_is_bad(settings):
    settings.BROKER_URL = "amqp://guest:secret@127.0.0.1:1//"
    finding = doctor.broker()
    assert finding.state == doctor.BAD
    assert "secret" not in finding.text


def test_redis_that_is_not_there_is_bad(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert doctor.redis().state == doctor.BAD


def test_a_package_of_another_version_is_named(monkeypatch):
    monkeypatch.setattr("webapp.config.doctor.metadata.version", lambda name: "0.0.1")
    finding = doctor.packages()
    assert finding.state == doctor.BAD and "Django 0.0.1" in finding.text


def test_changed_weights_are_named(monkeypatch, tmp_path):
    folder = tmp_path / "someone"
    folder.mkdir()
    (folder / "card.json").write_text(json.dumps({"sha256": "0" * 64}))
    (folder / "weights.safetensors").write_bytes(b"other")
    monkeypatch.setattr(doctor, "agents_of", lambda game: tmp_path)
    finding = doctor.shipped_agents()
    assert finding.state == doctor.BAD and "someone is changed" in finding.text


def test_a_check_that_breaks_is_a_finding_too():
    def broken_check():
        raise OSError("no such thing")

    finding = doctor.attempt(broken_check)
    assert finding.state == doctor.BAD and "OSError: no such thing" in finding.text


@pytest.mark.django_db
def test_a_bad_finding_makes_the_command_fail(monkeypatch):
    bad = doctor.Finding("Disk", doctor.BAD, "full", "Free some.")
    monkeypatch.setattr(doctor, "CHECKS", (lambda: bad,))
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert "Free some." in out.getvalue()
