"""Many rows at once: COPY in PostgreSQL, one prepared statement in SQLite. Not for few: nothing of a row is
checked, and no signal is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import QuerySet
from pyarrow import csv


def columns(kind: type[models.Model]) -> list[models.Field]:
    """What a row of this kind is made of; the database makes the numbers that it counts itself."""
    return [field for field in kind._meta.concrete_fields if not isinstance(field, models.AutoField)]


def prepared(row: models.Model) -> list[Any]:
    """A row as the database takes it."""
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in columns(type(row))]


def put(kind: type[models.Model], rows: Iterable[Sequence[Any]]) -> None:
    """Rows of one kind, each prepared."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {_into(kind)} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            values = ", ".join(["%s"] * len(columns(kind)))
            cursor.executemany(f"INSERT INTO {_into(kind)} VALUES ({values})", rows)


def put_columns(kind: type[models.Model], rows: pa.Table) -> None:
    """Rows of one kind as columns: ids as texts with dashes, times in UTC, JSON as text."""
    if not len(rows):
        return
    if connection.vendor == "postgresql":
        out = pa.BufferOutputStream()
        rows = rows.select([field.attname for field in columns(kind)])
        csv.write_csv(rows, out, csv.WriteOptions(include_header=False))
        with (
            connection.cursor() as cursor,
            cursor.copy(f"COPY {_into(kind)} FROM STDIN (FORMAT csv)") as copy,
        ):
            copy.write(out.getvalue().to_pybytes())
    else:
        put(kind, zip(*(_in_sqlite(field, rows[field.attname]) for field in columns(kind)), strict=True))


def _into(kind: type[models.Model]) -> str:
    names = [connection.ops.quote_name(field.column) for field in columns(kind)]
    return f"{connection.ops.quote_name(kind._meta.db_table)} ({', '.join(names)})"


def _in_sqlite(field: models.Field, values: pa.ChunkedArray) -> list[Any]:
    """Values of a column as SQLite has them: ids without dashes, times without zone."""
    if field.db_type(connection) == "char(32)":
        values = pc.replace_substring(values, "-", "")
    if pa.types.is_timestamp(values.type):
        texts = values.cast(pa.timestamp("us")).cast(pa.string())
        values = pc.replace_substring(texts, ".000000", "")
    return values.to_pylist()


def known(kind: type[models.Model], ids: pa.Array) -> list[bool]:
    """Whether there is a row of this kind with each of these ids, with dashes."""
    table = connection.ops.quote_name(kind._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            given = ids.to_pylist()  # as one text: a list is written for the database value by value
            look = f"SELECT id::text FROM {table} WHERE id = ANY(string_to_array(%s, ',')::uuid[])"
            cursor.execute(look, [",".join(given)])
        else:
            given = _in_sqlite(kind._meta.pk, ids)
            cursor.execute(f"SELECT id FROM {table} WHERE id IN ({', '.join(['%s'] * len(given))})", given)
        there = {one for (one,) in cursor.fetchall()}
    return [one in there for one in given]


def fetched(rows: QuerySet) -> list[tuple[Any, ...]]:
    """What a query of values finds, as the database gives it."""
    try:
        query = rows.query.sql_with_params()
    except EmptyResultSet:  # where a list to choose from is empty
        return []
    with connection.cursor() as cursor:
        cursor.execute(*query)
        return cursor.fetchall()
