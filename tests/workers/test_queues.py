"""Which worker takes which job next: GPU jobs go where a GPU is, short ones never wait for long ones."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.workers.worker import running, wait_for
from webapp.jobs import gpu, runner
from webapp.jobs.models import Job, WorkerHeartbeat
from workers import sweep

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting() -> dict[str, Job]:
    """One job a queue, the one for the GPU last."""
    return {
        queue: Job.objects.create(kind=kind, queue=queue)
        for queue, kind in ((Job.SHORT, "clip"), (Job.CPU, "evaluation"), (Job.GPU, "agent"))
    }


def kinds(lane: str, has_gpu: bool) -> list[str]:
    return [job.queue for job in sweep.offered(lane, has_gpu)]


def test_a_gpu_worker_takes_gpu_jobs_first(waiting):
    assert kinds(sweep.LONG, has_gpu=True) == [Job.GPU, Job.CPU]
    assert kinds(sweep.LONG, has_gpu=False) == [Job.CPU, Job.GPU]


def test_a_cpu_worker_leaves_gpu_jobs_to_a_gpu_worker_while_one_is_alive(waiting):
    other = WorkerHeartbeat.objects.create(name="elsewhere:1", has_gpu=True)
    assert kinds(sweep.LONG, has_gpu=False) == [Job.CPU]
    assert kinds(sweep.LONG, has_gpu=True) == [Job.GPU, Job.CPU]
    WorkerHeartbeat.objects.filter(pk=other.pk).update(at=timezone.now() - timedelta(minutes=1))
    assert kinds(sweep.LONG, has_gpu=False) == [Job.CPU, Job.GPU]


def test_short_jobs_have_a_lane_of_their_own(waiting):
    for has_gpu in (True, False):
        assert kinds(sweep.SHORT, has_gpu) == [Job.SHORT]


def test_a_short_job_runs_while_a_long_one_does(waiting, monkeypatch):
    monkeypatch.setattr(gpu, "is_here", lambda: False)
    ran = []

    def run(claim):
        Job.objects.filter(pk=claim.job.pk).update(state=Job.COMPLETED)
        ran.append(claim.job.queue)
        if claim.job.queue == Job.CPU:  # a nudge arrives in the middle of it
            assert sweep.work() == 1
        return Job.COMPLETED

    monkeypatch.setattr(runner, "run", run)
    assert sweep.work(sweep.LONG) == 2
    assert ran == [Job.CPU, Job.SHORT, Job.GPU]


def test_what_a_worker_has_is_said_by_its_settings(monkeypatch, settings):
    monkeypatch.setattr(gpu, "usual_device", lambda: "cuda:0 (Made up)")
    found = {}
    for settings.WORKER_DEVICE in ("auto", "cpu", "cuda"):
        found[settings.WORKER_DEVICE] = gpu.is_here(), gpu.environment()
    assert found == {
        "auto": (True, {}),
        "cpu": (False, {"CUDA_VISIBLE_DEVICES": ""}),
        "cuda": (True, {}),
    }


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_makes_a_short_job_beside_a_training_and_says_on_which_device():
    long = Job.objects.create(kind="reward_model", settings={"updates": 20_000, "pause": 0.05})
    with running():
        wait_for(long, lambda job: job.done >= 2)
        short = Job.objects.create(kind="reward_model", queue=Job.SHORT, settings={"updates": 3})
        wait_for(short, lambda job: job.is_over)
        assert short.state == Job.COMPLETED, short.error
        long.refresh_from_db()
        assert long.state == Job.RUNNING
        assert short.device == "cpu" == long.device
