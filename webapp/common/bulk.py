"""Many rows at once: COPY in PostgreSQL, one prepared statement in SQLite. Not for few: nothing of a row is
checked, and no signal is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def columns(kind: type[models.Model]) -> list[models.Field]:
    """What a row of this kind is made of; the database makes the numbers that it counts itself."""
    return [field for field in kind._meta.concrete_fields if not isinstance(field, models.AutoField)]


def prepared(row: models.Model) -> list[Any]:
    """A row as the database takes it."""
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in columns(type(row))]


def put(kind: type[models.Model], rows: Iterable[Sequence[Any]]) -> None:
    """Rows of one kind, each prepared."""
    names = [connection.ops.quote_name(field.column) for field in columns(kind)]
    into = f"{connection.ops.quote_name(kind._meta.db_table)} ({', '.join(names)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            values = ", ".join(["%s"] * len(names))
            cursor.executemany(f"INSERT INTO {into} VALUES ({values})", rows)
