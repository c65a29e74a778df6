"""A worker's process: `celery -A workers.app worker --pool solo`. Not for the work itself
(webapp.jobs.runner), its state (webapp.jobs.jobs) or the messages (webapp.jobs.broker).
"""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")

import django
from django.apps import apps

if not apps.ready:
    django.setup()

from celery import signals

from webapp.jobs.broker import LOOK, app


@app.task(name=LOOK)
def look(job_id: str) -> None:
    """Job `job_id` may be ready: work through the queue."""
    from workers import sweep

    sweep.work()


@signals.worker_init.connect
def _hold_the_folder(**_: object) -> None:
    from webapp.common import running

    app.in_use = running.serving()  # until this process ends


@signals.worker_ready.connect
def _start(sender: object = None, **_: object) -> None:
    from workers import sweep

    # Children of a prefork pool have their own threads; their parent only says that it is alive.
    prefork = "prefork" in str(getattr(sender, "pool_cls", getattr(sender, "pool", "")))
    sweep.start(works=not prefork)


@signals.worker_process_init.connect
def _start_child(**_: object) -> None:
    from workers import sweep

    sweep.start()


@signals.worker_shutting_down.connect
def _stop(**_: object) -> None:
    from webapp.jobs import runner

    runner.stopping.set()


@signals.worker_shutdown.connect
def _end(**_: object) -> None:
    from workers import sweep

    sweep.stop()
