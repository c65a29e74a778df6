"""What each page of a grown site costs: CPU time, queries, rows examined; and the next episode, a mark, a
snapshot.

CPU time is this process's, and on PostgreSQL that of the server process beside it, as /proc has it (where it
can't be read, the time that the queries took). Rows examined are, on PostgreSQL, those that EXPLAIN ANALYZE
counts in every scan, dropped ones too; SQLite doesn't count them: there they are the rows of the tables that
a query's plan goes through whole, and those that it returned.
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from engine.simulation.log import EpisodeLog, verify
from tools.growth.site import Site
from webapp.accounts.models import User
from webapp.annotation import queue
from webapp.annotation.marks import write_batch
from webapp.annotation.models import Assignment
from webapp.datasets import arriving, importing, snapshot_files, snapshots
from webapp.datasets.models import Snapshot
from webapp.datasets.selection import Filters
from webapp.rounds.forms import learners, variant_of

TIMES = 3  # of which the fastest counts
SLOW = 2.0  # seconds: a page that takes longer is measured once


def pages(site: Site) -> dict[str, tuple[User, str]]:
    """Every list, count and form: who opens it, and where."""
    study = f"?study={site.study.pk}"
    base = learners().filter(game=site.study.game).order_by("ref").first()
    chosen = {
        "base": base.ref,
        "variant": variant_of(base),
        "min_marks": "1",
        "simulated_episodes": "on",
        "simulated_marks": "on",
    }
    count = f"{reverse('rounds:count')}?{urlencode(chosen)}"
    admin, annotator, player = site.admin, site.annotator, site.player
    found = {
        "replays": (admin, reverse("replays:list")),
        "replays, annotator": (annotator, reverse("replays:list")),
        "replays, player": (player, reverse("replays:list")),
        "replays, marked by me": (annotator, f"{reverse('replays:list')}?marked=me"),
        "replays, not marked by me": (annotator, f"{reverse('replays:list')}?marked=no"),
        "replays, of a game": (annotator, f"{reverse('replays:list')}?game={site.study.game}"),
        # Of which there are none.
        "replays, of an agent": (annotator, f"{reverse('replays:list')}?agent={base.ref}"),
        "replays, of a score": (annotator, f"{reverse('replays:list')}?score_min=1000000"),
        "replays, of words": (annotator, f"{reverse('replays:list')}?instruction=xyzzy"),
        "replays, of a format": (annotator, f"{reverse('replays:list')}?format=xyzzy"),
        "replays, last page": (annotator, f"{reverse('replays:list')}?end=1"),
        "people's games": (annotator, reverse("published:list")),
        "queue": (annotator, reverse("replays:queue") + study),
        "agreement": (admin, reverse("replays:agreement", args=[site.study.pk])),
        "studies": (admin, reverse("studies:list")),
        "study": (admin, reverse("studies:edit", args=[site.study.pk])),
        "rounds": (admin, reverse("rounds:list")),
        "round": (admin, reverse("rounds:round", args=[1])),
        "new round": (admin, reverse("rounds:new")),
        "new round, count": (admin, count),
        "datasets": (admin, reverse("datasets:list")),
        "instructions": (admin, reverse("datasets:instructions")),
        "instructions, of words": (admin, f"{reverse('datasets:instructions')}?text=xyzzy"),
        "agents": (player, reverse("agents:gallery")),
        "agent": (player, reverse("agents:agent", args=base.ref.split("/", 1))),
        "lobby": (player, reverse("play:lobby") + f"?game={site.study.game}"),
        "open games": (player, reverse("play:open_games")),
        "people": (admin, reverse("accounts:people")),
        "audit": (admin, reverse("accounts:audit")),
        "account": (annotator, reverse("accounts:account")),
        "replay": (annotator, reverse("replays:replay", args=[site.episode.pk])),
        "clips": (annotator, reverse("replays:clips", args=[site.episode.pk])),
    }
    if snapshot := Snapshot.objects.first():
        found["snapshot"] = (admin, reverse("datasets:snapshot", args=[snapshot.pk]))
    return found


def measured(site: Site, tell: Callable[[str], object]) -> dict[str, Any]:
    """All of it; `tell` hears what is being done."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # what other processes compute for a query isn't seen
            cursor.execute("SET max_parallel_workers_per_gather = 0")
    found: dict[str, Any] = {"database": connection.vendor, "pages": {}}

    def look(names: Iterable[str]) -> None:
        addresses = pages(site)
        for name in names:
            found["pages"][name] = page_cost(*addresses[name])
            tell(f"{name}: {found['pages'][name]}")

    look(pages(site))
    found |= (work := work_cost(site))
    tell(str(work))
    found["snapshot"] = snapshot_cost(site, tell)
    look(["datasets", "snapshot"])  # now that there is one
    found["snapshot"]["steps"]["import, none of it here"] = import_cost(tell)
    return found


def page_cost(who: User, address: str) -> dict[str, Any]:
    client = Client()
    client.force_login(who)
    queries: list[tuple[str, Any]] = []

    def watch(execute: Callable, sql: str, params: Any, many: bool, context: dict) -> Any:
        queries.extend((sql, one) for one in (params if many else [params]))
        return execute(sql, params, many, context)

    began = time.monotonic()
    with connection.execute_wrapper(watch):
        answer = client.get(address)
    times = TIMES if time.monotonic() - began < SLOW else 1
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answers {answer.status_code}.")
    spent = [cpu(lambda: client.get(address)) for _ in range(times)]
    examined = sum(rows_examined(sql, params) for sql, params in queries)
    return {"cpu_ms": round(1000 * min(spent), 1), "queries": len(queries), "rows": examined}


def cpu(work: Callable[[], object]) -> float:
    """Seconds of CPU that work takes, here and in the database."""
    before, began = backend_seconds(), time.process_time()
    work()
    return time.process_time() - began + backend_seconds() - before


def backend_seconds() -> float:
    """What the database's process for this connection has computed so far; 0 on SQLite, which is in ours."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return int(stat.split()[0]) / 1e9


def rows_examined(sql: str, params: Any) -> int:
    if not sql.lstrip().upper().startswith("SELECT"):
        return 0
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
            found = cursor.fetchone()[0]
            plan = json.loads(found) if isinstance(found, str) else found
            return round(sum(scanned(node) for node in nodes(plan[0]["Plan"])))
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        tables = {alias: table for table, alias in re.findall(r'"(\w+)" (?:AS )?"?([A-Z]\d+)"?', sql)}
        plan = [row[3] for row in cursor.fetchall()]
        whole = [match[1] for line in plan if (match := re.match(r"SCAN (\w+)", line))]
        cursor.execute(sql, params)
        return len(cursor.fetchall()) + sum(table_size(tables.get(name, name)) for name in whole)


@cache
def table_size(name: str) -> int:
    """The rows of a table; 0 of what isn't one."""
    if name not in connection.introspection.table_names():
        return 0
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")
        return cursor.fetchone()[0]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def scanned(node: dict[str, Any]) -> float:
    """The rows that a scan of a table has looked at."""
    if "Relation Name" not in node:
        return 0.0
    removed = sum(value for key, value in node.items() if key.startswith("Rows Removed by"))
    return (node["Actual Rows"] + removed) * node["Actual Loops"]


# --- Work --------------------------------------------------------------------------------------------------


def work_cost(site: Site, times: int = 40) -> dict[str, float]:
    """Milliseconds of the next episode and of one mark, from taking the locks to letting them go: medians, of
    CPU and by the clock. What a request costs beside that is the same on every site.
    """
    spent_on: dict[str, list[float]] = {"next": [], "mark": [], "next_clock": [], "mark_clock": []}

    def spent(name: str, work: Callable[[], object]) -> None:
        began = time.perf_counter()
        spent_on[name].append(cpu(work))
        spent_on[f"{name}_clock"].append(time.perf_counter() - began)

    for _ in range(times):
        spent("next", partial(queue.hand_out, site.study, site.annotator))
        held = Assignment.objects.filter(annotator=site.annotator, status=Assignment.OPEN).first()
        if held is None:
            raise RuntimeError("Nothing was handed out.")
        mark = {"id": str(uuid.uuid4()), "episode": str(held.episode_id), "seat": 0, "tick": 1, "sign": 1}
        spent("mark", partial(write_batch, site.annotator, [mark]))
        queue.close(held, Assignment.SKIPPED)
    return {f"{name}_ms": round(1000 * median(one), 1) for name, one in spent_on.items()}


# --- Snapshot, export, import ------------------------------------------------------------------------------


def snapshot_cost(site: Site, tell: Callable[[str], object]) -> dict[str, Any]:
    """The most memory that each step took beyond what was there before, and marks a second."""
    folder = Path(settings.SNAPSHOTS_DIR) / str(uuid.uuid4())
    filters = Filters(game=site.study.game, simulated_episodes=True, simulated_marks=True)
    steps: dict[str, Callable[[], Any]] = {
        "write": lambda: snapshot_files.write(filters, folder, lambda done, total: None),
        "register": lambda: snapshots.register(folder.name, site.admin),
        "export": lambda: snapshots.export(Snapshot.objects.get()),
        "import, all of it here": lambda: importing.import_zip(snapshots.export(Snapshot.objects.get())),
    }
    found = {name: step_cost(name, step, tell) for name, step in steps.items()}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as the server does by itself
    marks = Snapshot.objects.get().counts["marks"]
    return {
        "peak_mb": max(one["peak_mb"] for one in found.values()),
        "marks_per_second": round(marks / max(found["write"]["cpu"], 0.001)),
        "marks": marks,
        "steps": found,
    }


def import_cost(tell: Callable[[str], object]) -> dict[str, Any]:
    """What the site's snapshot takes to come into an empty one, which this one is then; "replays" is the CPU
    time of the logs that are replayed.
    """
    archive = Path(settings.SNAPSHOTS_DIR).with_name("export.zip")
    snapshots.export(Snapshot.objects.get()).rename(archive)
    call_command("flush", verbosity=0, interactive=False)
    for folder in map(Path, (settings.SNAPSHOTS_DIR, settings.EPISODES_DIR)):
        shutil.rmtree(folder)
        folder.mkdir()
    replays: list[float] = []

    def replayed(log: EpisodeLog) -> list[str]:
        before = time.process_time()
        problems = verify(log)
        replays.append(time.process_time() - before)
        return problems

    with patch.object(arriving, "verify", replayed):
        cost = step_cost("import, none of it here", lambda: importing.import_zip(archive), tell)
    return {**cost, "replays": round(sum(replays), 1)}


def step_cost(name: str, step: Callable[[], Any], tell: Callable[[str], object]) -> dict[str, Any]:
    began, before = time.monotonic(), cpu_now()
    with peak() as most:
        step()
    spent = {"seconds": round(time.monotonic() - began, 1), "cpu": round(cpu_now() - before, 1)}
    cost = {**spent, "peak_mb": round(most[0])}
    tell(f"{name}: {cost}")
    return cost


def cpu_now() -> float:
    return time.process_time() + backend_seconds()


@contextmanager
def peak() -> Iterator[list[float]]:
    """MiB of memory beyond what was used before; in the list when it is over."""

    def used() -> float:
        pages_used = int(Path("/proc/self/statm").read_text().split()[1])
        return pages_used * resource.getpagesize() / (1 << 20)

    before, most, over = used(), [0.0], threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            most[0] = max(most[0], used() - before)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()
        most[0] = max(most[0], used() - before)
