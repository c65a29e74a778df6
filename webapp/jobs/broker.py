"""The Celery app that pages and workers share, and the nudge to a worker. Not for what workers do
(workers.app).

The one task carries an id and is only a nudge: the worker looks at the job table, which is the truth. So
messages may get lost, come twice or out of order. They are acknowledged on receipt: with late
acknowledgement Redis would deliver a long training again after its visibility timeout.
"""

from __future__ import annotations

from pathlib import Path

from celery import Celery
from django.conf import settings

LOOK = "coplay.look"  # the task's name


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


def nudge(job_id: object) -> bool:
    """Tell a worker that there is work; False if the broker can't be reached (the sweep finds the job
    anyway)."""
    from kombu.exceptions import OperationalError

    try:
        app.send_task(LOOK, [str(job_id)])
    except (OperationalError, OSError):
        return False
    return True
