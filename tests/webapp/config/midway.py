"""A round in its middle, for tests of backups: begun here, finished where it was restored.

Also started by `manage.py shell` on PostgreSQL (test_production.py).
"""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.management import call_command  # noqa: F401, for those who start this in a shell
from django.utils import timezone

from tests.webapp.cast import small_network
from webapp.datasets.models import Snapshot
from webapp.jobs import jobs, runner, steps
from webapp.jobs.models import Job
from webapp.rounds import steps as rounds
from webapp.rounds.models import Round

PROGRAM = ["-m", "tests.workers.regression"]


def begin() -> Round:
    """A round whose reward model is made and whose agent's training lost its worker after three updates."""
    base = small_network()
    snapshot = Snapshot.objects.create(game="hanabi", folder=str(uuid.uuid4()), sha256="0" * 64)
    (Path(settings.SNAPSHOTS_DIR) / snapshot.folder).mkdir()
    one = Round.objects.create(number=1, game="hanabi", base_agent=base, snapshot=snapshot, settings={})
    model = Job.objects.create(round=one, kind="reward_model", state=Job.COMPLETED)
    folder = steps.out(model) / "reward-model"
    folder.mkdir(parents=True)
    (folder / "card.json").write_text(json.dumps({"game": "hanabi", "sha256": "1" * 64}))
    Job.objects.filter(pk=model.pk).update(result={"folder": str(folder), "sha256": "1" * 64})
    job = Job.objects.create(round=one, kind="agent", position=1, settings={"updates": 6, "fail_at": 3})
    program()
    assert runner.run(jobs.claim(job.pk, "here")) == Job.FAILED
    lost = {"worker": "gone:1", "lease_until": timezone.now() - timedelta(seconds=1)}
    Job.objects.filter(pk=job.pk).update(state=Job.RUNNING, settings={"updates": 6}, **lost)
    return one


def program() -> None:
    """Agents are lines here."""
    rounds.STEPS["agent"] = steps.Step(PROGRAM)


def finish() -> None:
    """The round goes on, with what was made before, from the checkpoint."""
    program()
    one = Round.objects.get(number=1)
    model = rounds.reward_model_of(one)
    assert Path(model).is_dir() and model.startswith(f"{settings.VAR_DIR}/")
    jobs.reap()  # unless the first site did before its backup
    job = one.jobs.get(kind="agent")
    assert runner.run(jobs.claim(job.pk, "there")) == Job.COMPLETED
    assert (steps.out(job) / "starts.txt").read_text().split() == ["0", "3"]
