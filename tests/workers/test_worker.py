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
from tests.waiting import PATIENCE, eventually
from tests.workers.worker import programs_alive, running, starts, wait_for
from webapp.jobs import jobs, steps
from webapp.jobs.broker import app, nudge, transport_options
from webapp.jobs.models import Job, JobMetric, WorkerHeartbeat

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PAUSE = 0.05
FIVE_SECONDS = 10 / PAUSE
"""Updates that a program makes meanwhile, if it rests after each: a busy machine is slow with both. What goes
on for ever makes many more.
"""
FOR_EVER = 20_000


def make(**given) -> Job:
    return Job.objects.create(kind="reward_model", settings={"updates": 10, **given})


def test_jobs_end_as_their_programs_do():
    """One worker has them all, one after the other: it takes longer to start than any of them."""
    whole, failing, refused = make(), make(fail_at=3), make(refuse=True)
    killed = make(updates=FOR_EVER, pause=PAUSE)
    with running() as worker:
        eventually(WorkerHeartbeat.objects.filter(name__endswith=f":{worker.pid}").exists)
        for job in (whole, failing, refused):
            wait_for(job, lambda job: job.is_over)
        wait_for(killed, lambda job: job.done >= 2)
        for process in programs_alive(killed):
            os.kill(int(process), signal.SIGKILL)
        wait_for(killed, lambda job: job.is_over)
        late = make()  # without a message: the sweep finds it
        wait_for(late, lambda job: job.state == Job.COMPLETED)

    assert whole.state == Job.COMPLETED, whole.error
    assert (whole.done, whole.total) == (10, 10)
    assert whole.result["weight"] == pytest.approx(3, abs=2)
    assert [m.step for m in whole.metrics.all()] == list(range(10))
    assert whole.lines.filter(text="Completed.").exists()
    assert any((steps.out(whole) / "events").iterdir()), "TensorBoard event files"

    assert failing.state == Job.FAILED and failing.can_resume
    assert failing.error == "It broke at update 3."

    assert refused.state == Job.REFUSED
    assert refused.error == "That can't be learned."
    with pytest.raises(Refusal, match="The job is refused"):
        jobs.resume(refused)

    assert killed.state == Job.FAILED
    assert killed.error.startswith(
        "The program was killed (SIGKILL). This machine may have too little memory"
    )


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


def cancelled(job: Job, done: int) -> int:
    """Cancel a job that has made so many updates; how many it made after that."""
    wait_for(job, lambda job: job.done >= done)
    before = job.done
    jobs.cancel(job)
    wait_for(job, lambda job: job.state == Job.CANCELLED)
    assert not programs_alive(job)
    return job.done - before


def test_cancelling_stops_a_program_within_five_seconds_a_deaf_one_too_and_resuming_goes_on():
    deaf = make(updates=FOR_EVER, pause=PAUSE, ignore_stop=True)
    with running():
        assert cancelled(deaf, 2) < FIVE_SECONDS
        job = make(updates=FOR_EVER, pause=PAUSE)
        assert cancelled(job, 5) < FIVE_SECONDS
        done = job.done
        Job.objects.filter(pk=job.pk).update(settings={"updates": done + 20})
        jobs.resume(job)
        wait_for(job, lambda job: job.is_over)
    assert job.state == Job.COMPLETED, job.error
    assert starts(job)[0] == 0 and starts(job)[1] >= done - 1 > 0


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
    job = make(updates=FOR_EVER, pause=PAUSE)
    with running() as worker:
        wait_for(job, lambda job: job.done >= 5)
        before = job.done
        for _ in range(3):  # as when Ctrl-C reaches it by its terminal and by its supervisor
            worker.send_signal(signal.SIGTERM)
        wait_for(job, lambda job: job.state == Job.QUEUED)
        assert job.done - before < FIVE_SECONDS
        assert worker.wait(timeout=PATIENCE) == 0
    assert not programs_alive(job)
    assert job.attempts == 0
    assert not WorkerHeartbeat.objects.exists()


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
