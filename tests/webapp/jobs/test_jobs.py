"""Job rows: claims, leases, fencing tokens, cancelling, reaping. No worker process is needed for these."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from engine.refusal import Refusal
from webapp.agents.models import Agent
from webapp.jobs import jobs
from webapp.jobs.models import Job, JobLine, JobMetric
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def job() -> Job:
    return Job.objects.create(kind="reward_model")


def round_with_jobs() -> list[Job]:
    base = Agent.objects.create(ref="hanabi/base", name="Base", game="hanabi", kind="network")
    one = Round.objects.create(number=1, game="hanabi", base_agent=base)
    return [
        Job.objects.create(round=one, kind=kind, position=i) for i, kind in enumerate(("snapshot", "agent"))
    ]


def lose_worker(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_of_two_workers_one_gets_the_job(job):
    assert jobs.claim(job.pk, "a") is not None
    assert jobs.claim(job.pk, "b") is None


def test_a_claim_raises_the_token_and_takes_a_lease(job):
    claim = jobs.claim(job.pk, "a")
    job.refresh_from_db()
    assert claim.token == job.token == 1
    assert job.state == Job.RUNNING
    assert job.lease_until > timezone.now()


def test_a_job_of_a_round_waits_for_the_one_before_it():
    first, second = round_with_jobs()
    assert jobs.claim(second.pk, "a") is None
    jobs.end(jobs.claim(first.pk, "a"), Job.COMPLETED)
    assert jobs.claim(second.pk, "a") is not None


def test_a_worker_that_lost_its_lease_writes_nothing(job):
    old = jobs.claim(job.pk, "a")
    lose_worker(job)
    assert jobs.reap() == 1
    new = jobs.claim(job.pk, "b")
    with pytest.raises(jobs.LostLease):
        jobs.report(old, [JobMetric(job=job, step=1, values={"loss": 1.0})], done=5)
    with pytest.raises(jobs.LostLease):
        jobs.end(old, Job.COMPLETED)
    assert not JobMetric.objects.exists()
    jobs.end(new, Job.COMPLETED, result={"by": "b"})
    job.refresh_from_db()
    assert job.result == {"by": "b"}


def test_a_completed_job_is_never_run_again(job):
    jobs.end(jobs.claim(job.pk, "a"), Job.COMPLETED)
    assert jobs.claim(job.pk, "b") is None
    with pytest.raises(Refusal, match="completed"):
        jobs.resume(job)
    with pytest.raises(Refusal, match="completed"):
        jobs.cancel(job)


def test_a_queued_job_is_cancelled_at_once(job):
    jobs.cancel(job)
    job.refresh_from_db()
    assert job.state == Job.CANCELLED
    assert jobs.claim(job.pk, "a") is None


def test_a_running_job_learns_at_its_next_report_that_it_is_cancelled(job):
    claim = jobs.claim(job.pk, "a")
    assert jobs.report(claim) is False
    jobs.cancel(job)
    assert jobs.report(claim) is True
    jobs.end(claim, Job.CANCELLED)
    jobs.resume(job)
    assert jobs.claim(job.pk, "a") is not None


def test_metrics_that_are_computed_again_replace_the_old_ones(job):
    claim = jobs.claim(job.pk, "a")
    jobs.report(claim, [JobMetric(job=job, step=step, values={"loss": 1.0}) for step in range(5)])
    jobs.report(claim, [JobMetric(job=job, step=3, values={"loss": 0.5})], restart_at=3)
    assert list(job.metrics.values_list("step", "values")) == [
        (0, {"loss": 1.0}),
        (1, {"loss": 1.0}),
        (2, {"loss": 1.0}),
        (3, {"loss": 0.5}),
    ]


def test_a_job_whose_workers_keep_dying_fails_in_the_end(job):
    for _ in range(jobs.MAX_ATTEMPTS):
        assert jobs.claim(job.pk, "a")
        lose_worker(job)
        jobs.reap()
    job.refresh_from_db()
    assert job.state == Job.FAILED
    assert "resume" in job.error


def test_a_job_lost_while_it_was_being_cancelled_is_cancelled(job):
    jobs.claim(job.pk, "a")
    jobs.cancel(job)
    lose_worker(job)
    jobs.reap()
    job.refresh_from_db()
    assert job.state == Job.CANCELLED
    assert JobLine.objects.filter(job=job, level="warning").exists()


def test_a_dead_worker_on_this_machine_is_noticed_before_its_lease_ends(job):
    dead = jobs.worker_name().rsplit(":", 1)[0] + ":999999999"
    jobs.claim(job.pk, dead)
    assert jobs.reap() == 1
    job.refresh_from_db()
    assert job.state == Job.QUEUED
