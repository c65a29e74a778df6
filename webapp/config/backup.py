"""A whole site in a folder, and back: the database, the files that rows name, the secret key, and a manifest.

    manifest.json     format, version, made, vendor, store, key, migrations, and {path: {"sha256", "bytes"}}
    database.sqlite3  or database.dump (pg_dump's own format)
    var/…             agents, jobs, snapshots, files, episodes, secret-key, as in the var folder

A backup appears whole (written beside, then renamed) or not at all, while the site runs: the database comes
first, so that rows lack no file. A restore checks everything before it touches anything. Not for: moving a
site from one kind of database to another.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from engine.agents.files import sha256_of, write_atomically
from engine.refusal import Refusal
from webapp.common import running

FORMAT = 1
MANIFEST = "manifest.json"
KEPT = ("agents", "jobs", "snapshots", "files", "episodes", "secret-key")
"""What of the var folder is data; all else can be made again."""
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}


# --- Making one ------------------------------------------------------------------------------------------


def write(folder: Path) -> dict[str, Any]:
    """Make `folder` a backup of this site; returns its manifest. Raises Refusal and OSError."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refusal(f"{folder} is there already; name a folder that isn't, or an empty one.")
    if Path(settings.VAR_DIR) in (folder.resolve(), *folder.resolve().parents):
        raise Refusal(f"{folder} is in the site's own folder, {settings.VAR_DIR}; name one outside of it.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        copy_database(part / DATABASES[connection.vendor])
        for name in KEPT:
            _copy(Path(settings.VAR_DIR) / name, part / "var" / name)
        files = {
            str(path.relative_to(part)): {"sha256": sha256_of(path), "bytes": path.stat().st_size}
            for path in sorted(part.rglob("*"))
            if path.is_file()
        }
        manifest = {
            "format": FORMAT,
            "version": _version(),
            "made": timezone.now().isoformat(),
            "vendor": connection.vendor,
            "store": settings.EPISODE_STORE,
            "key": _fingerprint(settings.SECRET_KEY),
            "migrations": sorted(map(list, MigrationLoader(connection).applied_migrations)),
            "files": files,
        }
        write_atomically(part / MANIFEST, json.dumps(manifest, indent=2).encode())
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return manifest


def _version() -> str:
    return str(tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"])


def _fingerprint(key: str) -> str:
    """What tells two secret keys apart and gives neither away."""
    return hmac.new(key.encode(), b"coplay backup", hashlib.sha256).hexdigest()[:16]


def _copy(source: Path, target: Path) -> None:
    """Copy a file or folder as it is now; what goes meanwhile is left out."""
    if source.is_dir():
        target.mkdir(parents=True)
        for entry in sorted(source.iterdir()):
            _copy(entry, target / entry.name)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copy2(source, target)
    except FileNotFoundError:
        target.unlink(missing_ok=True)


def copy_database(target: Path) -> None:
    """The database as it is at one moment. Raises Refusal."""
    if connection.vendor == "postgresql":
        _postgresql("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(target)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def _postgresql(program: str, *args: str) -> None:
    """Run one of PostgreSQL's programs on this site's database. Raises Refusal."""
    given = connection.settings_dict
    login = {
        f"PG{'DATABASE' if name == 'NAME' else name}": str(given[name])
        for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")
        if given[name]
    }
    try:
        subprocess.run([program, *args], env=os.environ | login, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise Refusal(
            f"{program} is not installed here; install PostgreSQL's client programs, of the server's version "
            "or a later one (Debian: apt install postgresql-client)."
        ) from None
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or ["it said nothing"]
        # Notices come before it.
        reason = next((line for line in lines if "error:" in line.lower()), lines[0])
        raise Refusal(f"{program} failed: {reason.rstrip('.')}.") from None


# --- Reading one back --------------------------------------------------------------------------------------


def checked(folder: Path) -> dict[str, Any]:
    """The manifest of a backup that is whole and that this Coplay can read. Raises Refusal."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        sums = {name: entry["sha256"] for name, entry in manifest["files"].items()}
        applied = {tuple(migration) for migration in manifest["migrations"]}
        form, vendor, store = manifest["format"], manifest["vendor"], manifest["store"]
        manifest["key"], manifest["made"]
    except FileNotFoundError:
        raise Refusal(f"{folder} is no backup: it has no {MANIFEST}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Refusal(f"{folder} is no backup, or a damaged one: its {MANIFEST} can't be read.") from None
    newer = applied - set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
    labels = {app.label for app in apps.get_app_configs()}
    newer = {migration for migration in newer if migration[0] in labels}
    if form != FORMAT or newer:
        raise Refusal(
            f"{folder} was made by a newer Coplay ({manifest.get('version')}"
            f"{', with ' + '.'.join(sorted(newer)[0]) if newer else ''}); restore it with that one."
        )
    if vendor != connection.vendor:
        raise Refusal(f"{folder} holds a {vendor} database, and this site's is {connection.vendor}.")
    if store != settings.EPISODE_STORE:
        raise Refusal(f"{folder} keeps episodes in the {store}; set COPLAY_EPISODE_STORE={store}.")
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {MANIFEST}
    wrong = sorted(there ^ sums.keys()) or sorted(
        name for name, known in sums.items() if sha256_of(folder / name) != known
    )
    if wrong or DATABASES[vendor] not in sums:
        name = wrong[0] if wrong else DATABASES[vendor]
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise Refusal(f"{folder} is damaged: {name}{more} is not as it was written.")
    return manifest


def restore(folder: Path) -> dict[str, Any]:
    """Put a backup in this site's place; returns its manifest. Raises Refusal and OSError, and then all is
    as it was.
    """
    manifest = checked(folder)
    var = Path(settings.VAR_DIR)
    with running.alone():
        _nobody_else()
        stage = Path(tempfile.mkdtemp(prefix=".restore-", dir=var))
        try:
            for name in KEPT:
                if (folder / "var" / name).exists():
                    _copy(folder / "var" / name, stage / "new" / name)
            put_database = _staged(folder / DATABASES[manifest["vendor"]], stage)
            with _exchanged(stage, folder):
                put_database()
        except BaseException:
            if not any((stage / "old").rglob("*")):  # what could not be put back is the only copy
                shutil.rmtree(stage, ignore_errors=True)
            raise
        # One that was killed left the site's own files here, which only a whole restore makes needless.
        for left in var.glob(".restore-*"):
            shutil.rmtree(left, ignore_errors=True)
    return manifest


def is_other_key(manifest: dict[str, Any]) -> bool:
    """Whether this site, with the backup in place, signs with another key than the one it was made with."""
    path = Path(settings.VAR_DIR) / "secret-key"
    key = os.environ.get("COPLAY_SECRET_KEY") or (path.read_text() if path.exists() else settings.SECRET_KEY)
    return manifest["key"] != _fingerprint(key)


@contextmanager
def _exchanged(stage: Path, folder: Path) -> Iterator[None]:
    """The staged files in the place of the site's own, which come back if the rest fails. A process that is
    killed within leaves a file that keeps others from starting (`running.cut_short`).
    """
    var, moved = Path(settings.VAR_DIR), []
    guard = running.cut_short()
    before = guard.read_text() if guard.exists() else ""
    guard.write_text(str(folder.resolve()))
    try:
        for name in KEPT:
            for source, target in ((var / name, stage / "old" / name), (stage / "new" / name, var / name)):
                if source.exists():
                    target.parent.mkdir(exist_ok=True)
                    source.rename(target)
                    moved.append((source, target))
        yield
    except BaseException:
        for source, target in reversed(moved):
            target.rename(source)
        if before:  # an earlier one was cut short, and still is
            guard.write_text(before)
        else:
            guard.unlink()
        raise
    guard.unlink()


def _nobody_else() -> None:
    """Raise Refusal where others use the database, from whichever machine."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        [others] = cursor.fetchone()
    if others:
        raise Refusal(f"{others} others are connected to the database; stop what uses it before a restore.")


def _staged(source: Path, stage: Path) -> Callable[[], None]:
    """What puts the backup's database in place, all of it or nothing, once it is found to be readable."""
    if connection.vendor == "postgresql":
        return _staged_postgresql(source, stage)
    place = Path(connection.settings_dict["NAME"])
    place.parent.mkdir(parents=True, exist_ok=True)
    copy = place.with_name(f".{place.name}.restore")
    shutil.copy2(source, copy)
    with closing(sqlite3.connect(copy)) as opened:
        [answer] = opened.execute("PRAGMA quick_check").fetchone()
    if answer != "ok":
        copy.unlink()
        raise Refusal(f"{source} is damaged: {answer}.")

    def put() -> None:
        connection.close()
        for tail in ("-wal", "-shm"):
            place.with_name(place.name + tail).unlink(missing_ok=True)
        os.replace(copy, place)

    return put


def _staged_postgresql(source: Path, stage: Path) -> Callable[[], None]:
    script, whole = stage / "database.sql", stage / "whole.sql"
    _postgresql("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source))
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'SET ' || name FROM pg_settings")
        known = {name for (name,) in cursor.fetchall()}
    with script.open(errors="surrogateescape") as given, whole.open("w", errors="surrogateescape") as into:
        # All tables go first, those of a later version, too; then what their triggers called.
        into.write(
            "DO $$ DECLARE one text; BEGIN FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = "
            "current_schema() LOOP EXECUTE format('DROP TABLE %I CASCADE', one); END LOOP; "
            "FOR one IN SELECT oid::regprocedure FROM pg_proc WHERE starts_with(proname, 'keep_') AND "
            "pronamespace = current_schema()::regnamespace "
            "LOOP EXECUTE 'DROP FUNCTION ' || one || ' CASCADE'; END LOOP; END $$;\n"
        )
        # The head of a later pg_dump sets what an earlier server doesn't know.
        for line in given:
            if line.startswith("SET ") and line.split(" =")[0] not in known:
                continue
            into.write(line)
            if line.startswith(("CREATE ", "ALTER ")):
                break
        shutil.copyfileobj(given, into)

    def put() -> None:
        connection.close()
        _postgresql("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "--single-transaction", f"--file={whole}")

    return put
