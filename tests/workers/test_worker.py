"""A real worker process with a real training program: running, cancelling, dying, resuming, double
delivery."""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack

import pytest
from django.conf import settings

from engine.refusal import Refusal
from tests import services
from tests.waiting import eventually
from tests.workers.worker import programs_alive, running, starts, wait_for
from webapp.jobs import jobs, steps
from webapp.jobs.broker import app, nudge, transport_options
from webapp.jobs.models import Job, JobMetric, WorkerHeartbeat

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
FIVE_SECONDS = 10  # on a machine that does other things too


def make(**given) -> Job:
    return Job.objects.create(kind="reward_model", settings={"updates": 10, **given})


def test_a_job_runs_to_its_end_with_curves_and_a_log():
    job = make()
    with running():
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.COMPLETED, job.error
    assert (job.done, job.total) == (10, 10)
    assert job.result["weight"] == pytest.approx(3, abs=2)
    assert [m.step for m in job.metrics.all()] == list(range(10))
    assert job.lines.filter(text="Completed.").exists()
    assert any((steps.out(job) / "events").iterdir()), "TensorBoard event files"


def test_a_job_without_a_message_is_found_by_the_sweep():
    with running():
        job = make()
        wait_for(job, lambda job: job.state == Job.COMPLETED)


def test_ten_messages_for_one_job_do_its_work_once():
    job = make(pause=0.1)
    for _ in range(10):
        assert nudge(job.pk)
    with running(), running():
        wait_for(job, lambda job: job.is_over)
        time.sleep(1.5)
    assert starts(job) == [0]
    assert job.metrics.count() == 10
    assert job.token == 1


def test_cancelling_stops_the_program_within_five_seconds_and_resuming_goes_on():
    job = make(updates=200, pause=0.05)
    with running():
        wait_for(job, lambda job: job.done >= 5)
        jobs.cancel(job)
        assert wait_for(job, lambda job: job.state == Job.CANCELLED) < FIVE_SECONDS
        assert not programs_alive(job)
        done = job.done
        Job.objects.filter(pk=job.pk).update(settings={"updates": done + 20})
        jobs.resume(job)
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.COMPLETED, job.error
    assert starts(job)[0] == 0 and starts(job)[1] >= done - 1 > 0


def test_a_program_that_is_deaf_to_the_request_is_killed_within_five_seconds():
    job = make(updates=1000, pause=0.05, ignore_stop=True)
    with running():
        wait_for(job, lambda job: job.done >= 2)
        jobs.cancel(job)
        assert wait_for(job, lambda job: job.state == Job.CANCELLED) < FIVE_SECONDS
        assert not programs_alive(job)


def test_a_killed_worker_takes_its_program_along_and_the_next_one_resumes():
    job = make(updates=60, pause=0.1)
    with running(lease=10) as first:
        wait_for(job, lambda job: job.done >= 5)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        eventually(lambda: not programs_alive(job))  # it doesn't outlive its worker
    with running(lease=10):
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.COMPLETED, job.error
    assert len(starts(job)) == 2 and starts(job)[1] >= 5
    steps_seen = [m.step for m in JobMetric.objects.filter(job=job)]
    assert steps_seen == sorted(set(steps_seen)), "each step is drawn once"
    # What the program said in the last moment, before it was written, is in its event files alone.
    assert steps_seen[-1] == 59 and len(steps_seen) >= 50
    assert job.lines.filter(level="warning", text__contains="last checkpoint").exists()


def test_a_worker_that_is_stopped_gives_its_job_back():
    job = make(updates=100, pause=0.1)
    with running() as worker:
        wait_for(job, lambda job: job.done >= 5)
        for _ in range(3):  # as when Ctrl-C reaches it by its terminal and by its supervisor
            worker.send_signal(signal.SIGTERM)
        assert wait_for(job, lambda job: job.state == Job.QUEUED) < FIVE_SECONDS
        assert worker.wait(timeout=60) == 0
    assert not programs_alive(job)
    assert job.attempts == 0
    assert not WorkerHeartbeat.objects.exists()


def test_a_program_that_fails_says_why_in_one_sentence():
    job = make(fail_at=3)
    with running():
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.FAILED
    assert job.error == "It broke at update 3."
    assert job.can_resume


def test_a_program_that_refuses_what_it_was_given_is_not_tried_again():
    job = make(refuse=True)
    with running():
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.REFUSED
    assert job.error == "That can't be learned."
    with pytest.raises(Refusal, match="The job is refused"):
        jobs.resume(job)


def test_a_program_that_is_killed_says_so():
    job = make(updates=200, pause=0.05)
    with running():
        wait_for(job, lambda job: job.done >= 2)
        for process in programs_alive(job):
            os.kill(int(process), signal.SIGKILL)
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.FAILED
    assert job.error.startswith("The program was killed (SIGKILL). This machine may have too little memory")


def test_a_live_worker_says_so():
    with running() as worker:
        eventually(WorkerHeartbeat.objects.filter(name__endswith=f":{worker.pid}").exists)


@pytest.mark.parametrize("broker", ["sqla", "filesystem", pytest.param("redis", marks=pytest.mark.redis)])
def test_the_message_of_each_broker_wakes_the_worker(broker):
    with ExitStack() as stack:
        if broker == "redis":
            url = stack.enter_context(services.redis_databases(1))[0]
        else:
            url = settings.BROKER_URL if broker == "sqla" else "filesystem://"
        worker = stack.enter_context(running(broker=url, sweep=600))
        eventually(WorkerHeartbeat.objects.filter(name__endswith=f":{worker.pid}").exists)
        time.sleep(1)  # its first sweep is over and the next one far away
        job = make()
        options = transport_options(url, settings.VAR_DIR)
        with app.connection_for_write(url, transport_options=options) as connection:
            app.send_task("coplay.look", [str(job.pk)], connection=connection)
        wait_for(job, lambda job: job.state == Job.COMPLETED)
