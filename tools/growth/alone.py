"""A grown site in a process of its own, with files in a temporary folder and a database that is gone
afterwards, so that no site's data are ever met. `manage.py bench data` starts it, once a database; `python -m
tools.growth.alone` is it.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engine.refusal import Refusal

ROOT = Path(__file__).resolve().parents[2]
USUAL = "postgresql://postgres@127.0.0.1:5432/postgres"


def grown(
    episodes: int, marks: int, databases: Sequence[str], server: str | None, tell: Callable[[str], Any]
) -> dict[str, Any]:
    """What a site of this size costs in each database: that of the first as `measure.measured` says it, with
    those of the others under their names, or {"why_not"} where no PostgreSQL is reached.
    """
    found = {name: _in(name, episodes, marks, server, tell) for name in databases}
    first = found.pop(databases[0])
    return {"episodes": episodes, "marks": marks, **first, **found}


def _in(
    name: str, episodes: int, marks: int, server: str | None, tell: Callable[[str], Any]
) -> dict[str, Any]:
    if name == "sqlite":
        return _run(episodes, marks, "", tell)
    site = os.environ.get("COPLAY_DATABASE_URL", "")
    try:
        with own_database(server or (site if site.startswith("postgres") else USUAL)) as address:
            return _run(episodes, marks, address, tell)
    except Unreachable as error:
        return {"database": name, "why_not": str(error)}


class Unreachable(Exception):
    """No database can be made there; the message is one sentence."""


@contextmanager
def own_database(server: str) -> Iterator[str]:
    """The address of a new database on a PostgreSQL server, dropped afterwards."""
    import psycopg

    name = f"coplay_bench_{uuid.uuid4().hex[:12]}"
    try:
        connection = psycopg.connect(server, autocommit=True, connect_timeout=5)
    except psycopg.Error as error:
        raise Unreachable(f"{server} isn't reached: {str(error).strip().splitlines()[0]}") from None
    with connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _run(episodes: int, marks: int, address: str, tell: Callable[[str], Any]) -> dict[str, Any]:
    command = [sys.executable, "-m", __name__, str(episodes), str(marks), "--database", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        last = ""
        for line in child.stdout or ():
            if last:
                tell(last)
            last = line.rstrip()
    if child.returncode:
        raise Refusal(f"The measuring process ended with status {child.returncode}.")
    return json.loads(last)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("episodes", type=int)
    parser.add_argument("marks", type=int)
    parser.add_argument("--database", default="")
    options = parser.parse_args()
    from engine.simulation.code_cache import CACHE_FOLDER  # the site's: what is compiled is compiled

    for name in [name for name in os.environ if name.startswith("COPLAY_")]:
        del os.environ[name]
    os.environ["NUMBA_CACHE_DIR"] = str(CACHE_FOLDER)
    with tempfile.TemporaryDirectory(prefix="coplay-growth-", ignore_cleanup_errors=True) as folder:
        os.environ |= {"COPLAY_VAR": folder, "COPLAY_LOG_LEVEL": "ERROR"}
        os.environ["COPLAY_ALLOWED_HOSTS"] = "testserver"  # as Django's client calls itself
        if options.database:
            os.environ["COPLAY_DATABASE_URL"] = options.database
        os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.config.settings"
        import django

        django.setup()
        from django.core.management import call_command

        from tools.growth import measure, site

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        built = site.build(options.episodes, options.marks)
        print("The site is made.", flush=True)
        gc.collect()
        gc.freeze()  # of what making it took, a web process knows nothing
        found = measure.measured(built, lambda text: print(text, flush=True))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
