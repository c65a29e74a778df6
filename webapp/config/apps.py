from typing import Any

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


class SiteConfig(AppConfig):
    name = "webapp.config"

    def ready(self) -> None:
        connection_created.connect(run_uncompiled)


def run_uncompiled(connection: BaseDatabaseWrapper, **event: Any) -> None:
    """Have PostgreSQL compile no query: for a list's that takes ten times as long as running it. Not by an
    option of the connection: PgBouncer refuses that.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET jit = off")
