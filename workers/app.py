"""The Celery app: `celery -A workers.app worker --pool solo`. Not for the work itself (runner.py) or its
state (jobs.py).

The one task carries an id and is only a nudge: the worker looks at the job table, which is the truth. So
messages may get lost, come twice or out of order. They are acknowledged on receipt: with late
acknowledgement Redis would deliver a long training again after its visibility timeout.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")

import django
from django.apps import apps

if not apps.ready:
    django.setup()

from celery import Celery, signals
from django.conf import settings


def transport_options(broker: str, var: Path) -> dict[str, object]:
    """Kombu's options for a broker; only the file-system transport needs any."""
    if not broker.startswith("filesystem://"):
        return {}
    folders = {name: var / "broker" / name for name in ("messages", "control")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    messages, control = str(folders["messages"]), str(folders["control"])
    return {"data_folder_in": messages, "data_folder_out": messages, "control_folder": control}


app = Celery("coplay", broker=settings.BROKER_URL)
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    result_serializer="json",
    task_ignore_result=True,
    task_acks_late=False,
    task_publish_retry=False,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    broker_connection_retry_on_startup=True,
    # A solo worker answers no broker heartbeats while it trains.
    broker_heartbeat=0,
    broker_transport_options=transport_options(settings.BROKER_URL, settings.VAR_DIR),
    timezone="UTC",
)


@app.task(name="coplay.look")
def look(job_id: str) -> None:
    """Job `job_id` may be ready: work through the queue."""
    from workers import sweep

    sweep.work()


def nudge(job_id: object) -> bool:
    """Tell a worker that there is work; False if the broker can't be reached (the sweep finds the job
    anyway)."""
    from kombu.exceptions import OperationalError

    try:
        look.delay(str(job_id))
    except (OperationalError, OSError):
        return False
    return True


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
    from workers import runner

    runner.stopping.set()


@signals.worker_shutdown.connect
def _end(**_: object) -> None:
    from workers import sweep

    sweep.stop()
