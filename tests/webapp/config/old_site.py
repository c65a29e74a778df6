"""Says, as a program on a restored site: what a site of an earlier commit has become. One JSON object last.

`python -m tests.webapp.config.old_site FACTS`, in a process of its own, on the site that the environment
names (COPLAY_VAR, COPLAY_DATABASE_URL). It is always the day on which the old site was made, so that links,
sessions and lists are as old as they were.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

MADE = datetime(2026, 11, 28, 6, 45, tzinfo=UTC)
SESSION = "3gf0tk6gfekusk1akx0ytyrxjwoz72wc"  # anna was signed in
timezone.now = lambda: MADE  # before any model takes it as a default
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.config.settings")

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

settings.ALLOWED_HOSTS = ["*"]


def rows() -> dict[str, int]:
    """How many rows each table has."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            found[table] = cursor.fetchone()[0]
    return found


def lost_pages(pages: dict[str, dict[str, list[str]]]) -> list[str]:
    """Addresses that answer otherwise than with 200 or name less than they did, in sentences."""
    from webapp.accounts.models import User

    lost = []
    for who, addresses in pages.items():
        client = Client()
        client.force_login(User.objects.get(username=who))
        for address, named in addresses.items():
            response = client.get(address)
            if response.status_code != 200:
                lost.append(f"{who} {address}: {response.status_code}")
                continue
            text = (response.getvalue() if response.streaming else response.content).decode(errors="replace")
            if gone := [one for one in named if one not in text]:
                lost.append(f"{who} {address}: lacks {', '.join(gone)}")
    return lost


def frozen_again() -> dict[str, list[int]]:
    """Of each snapshot: how many marks its row, its table and a snapshot with the same filters have now."""
    from webapp.datasets import snapshot_files, snapshot_reading, snapshots
    from webapp.datasets.models import Snapshot
    from webapp.datasets.selection import Filters

    found = {}
    for one in Snapshot.objects.all():
        kept = snapshot_reading.read_table(Path(snapshots.folder_of(one)), "marks")
        with tempfile.TemporaryDirectory() as folder:
            again = Path(folder) / "again"
            snapshot_files.write(Filters.from_json(one.filters), again, lambda done, total: None)
            anew = list(snapshot_reading.read_table(again, "marks"))
        found[str(one.pk)] = [
            one.counts["marks"],
            len(list(kept)),
            sum(row.marks for row in one.marked.all()),
            len(anew),
        ]
    return found


def agents() -> dict[str, Any]:
    """The champion, its parents, whether both load, and which folders of jobs' results are there."""
    from engine.agents import catalogue
    from webapp.agents.resolve import load_ref, resolve
    from webapp.rounds.models import Round

    champion, one = resolve("hanabi", "champion"), Round.objects.get()
    for agent in (champion, *champion.parents.all()):
        catalogue.load(load_ref(agent))
    made = one.jobs.exclude(kind="snapshot")  # whose folder is a name
    folders = [job.result["folder"] for job in made if "folder" in job.result]
    return {
        "champion": champion.ref,
        "parents": [agent.ref for agent in champion.parents.all()],
        "round": [one.number, one.decision, one.candidate.ref, [job.state for job in one.jobs.all()]],
        "gone": [folder for folder in folders if not Path(folder).is_dir()],
    }


def counted_by_triggers() -> int:
    """How many more of anna's marks on an episode are counted once she has made another one."""
    from webapp.annotation.models import Mark, Tally

    mine = Tally.objects.filter(annotator__username="anna").first()
    of = {"episode": mine.episode, "annotator": mine.annotator}
    Mark.objects.create(id=uuid.uuid4(), **of, seat=0, tick=0, sign=1)
    return Tally.objects.get(**of).standing - mine.standing


def main(facts: dict[str, Any]) -> None:
    call_command("migrate", verbosity=0)
    found: dict[str, Any] = {"rows": rows()}
    found["verified"] = json.loads(captured("episodes", "verify", "--json"))
    found["snapshots"] = frozen_again()
    found["agents"] = agents()
    client = Client()
    client.cookies["sessionid"] = SESSION
    page = client.get("/replays/annotate/")
    found["session"] = [page.status_code, page.wsgi_request.user.username]
    found["lost"] = lost_pages(facts["pages"])
    found["counted"] = counted_by_triggers()
    print(json.dumps(found))


def captured(*command: str) -> str:
    """The last line that a command prints."""
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue().splitlines()[-1]


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
