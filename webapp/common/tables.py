"""Whether the database has the tables of this version. Not for what else a site needs (config.prepare)."""

from __future__ import annotations

from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def pending_migrations() -> list[str]:
    """Names of the migrations that the database still needs."""
    executor = MigrationExecutor(connection)
    return [str(migration) for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def ensure_tables(out: OutputWrapper) -> None:
    """What a command needs that works on the database: an empty one is prepared on the spot, which is said on
    `out`.

    With the production settings that is left to whoever runs the site: CommandError with a sentence.
    """
    if "agents_agent" in connection.introspection.table_names():
        return
    if settings.PRODUCTION:
        raise CommandError("The database is empty. Run `./manage.py prepare` first.")
    call_command("prepare", first=True, stdout=out)
