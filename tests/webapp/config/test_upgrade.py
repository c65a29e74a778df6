"""A site of an earlier commit has all its rows, pages and files after `restore` and `migrate` with this one.

tests/data/site-b9b4276.tar.xz is such a site, made by that commit's own code (`made_by.py` in it): matches of
three games, marks, gold, compared annotators, a round with a candidate that was promoted, snapshots; as a
backup (SQLite), as a dump for PostgreSQL, and with what its pages named then on each of them (`facts….json`).
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import psycopg
import pytest

from engine.simulation.code_cache import CACHE_FOLDER
from tests import services

ROOT = Path(__file__).resolve().parents[3]
GROW = {"django_migrations", "django_content_type", "auth_permission"}
"""Tables to which a migration adds rows of its own."""
SUMMED = {"datasets_snapshotmark"}
"""Tables whose rows are now numbers in others; `snapshots` below says that these add up."""
PICTURED = {"adam /datasets/: lacks c172822b-972e-4c03-a4f2-91daa99f021a"}
"""A snapshot's picture is of another one of its episodes."""
FOR_ADMINS = "/agents/hanabi/round-1/: lacks 310af39b-b5b5-430e-bf18-0583adb7d9fa"
"""The snapshot that an agent was trained on is linked for admins alone, as nobody else may open it."""


@pytest.fixture
def old(tmp_path) -> Path:
    """The archive's folder."""
    with tarfile.open(ROOT / "tests/data/site-b9b4276.tar.xz") as archive:
        archive.extractall(tmp_path / "old", filter="data")
    return tmp_path / "old"


def run(var: Path, database: str, *command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COPLAY_")}
    environment |= {
        "COPLAY_VAR": str(var),
        "COPLAY_DATABASE_URL": database,
        "COPLAY_LOG_LEVEL": "ERROR",
        "NUMBA_CACHE_DIR": str(CACHE_FOLDER),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def check(known: Path, var: Path, database: str) -> None:
    facts = json.loads(known.read_text())
    said = run(var, database, "-m", "tests.webapp.config.old_site", str(known))
    found = json.loads(said.splitlines()[-1])
    now = found["rows"]
    assert {
        name: (count, now.get(name))
        for name, count in facts["rows"].items()
        if now.get(name) != count and name not in GROW | SUMMED
    } == {}
    lost = {one for one in found["lost"] if one.startswith("adam") or not one.endswith(FOR_ADMINS)}
    assert lost - PICTURED == set()
    assert len(facts["pages"]["adam"]) > 100 and found["session"] == [200, "anna"]
    assert found["verified"] == {"episodes": facts["rows"]["replays_episode"], "problems": {}}
    assert found["agents"] == {
        "champion": "hanabi/round-1",
        "parents": ["hanabi/little"],
        "round": [1, "promoted", "hanabi/round-1", ["completed"] * 5],
        "gone": [],
    }
    assert [len(set(counts)) for counts in found["snapshots"].values()] == [1, 1]
    assert found["counted"] == 1


def test_a_site_of_sqlite_upgrades(old, tmp_path):
    var = tmp_path / "var"
    database = f"sqlite:///{var / 'coplay.sqlite3'}"
    run(var, database, "manage.py", "restore", str(old / "backup"))
    check(old / "facts.json", var, database)


@pytest.mark.postgres
def test_a_site_of_postgresql_upgrades(old, tmp_path):
    var = Path(shutil.copytree(old / "backup/var", tmp_path / "var"))
    name = f"coplay_{secrets.token_hex(6)}"
    url = services.POSTGRES_URL.rpartition("/")[0] + "/" + name
    load = ["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", str(old / "database.sql"), url]
    with psycopg.connect(services.POSTGRES_URL, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            subprocess.run(load, check=True, stdout=subprocess.DEVNULL)
            check(old / "facts-postgresql.json", var, url)
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
