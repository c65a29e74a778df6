"""What stands aside while the rows of a site that is made are put in (webapp.common.bulk). Not for a site
that runs: nothing is kept and nothing is checked until all rows are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import connection, models, transaction

from webapp.annotation import kept

MEMORY = "512MB"  # that PostgreSQL may take to sort an index
# What is looked up or checked for each row, as statements that take it away and bring it back; those of the
# other tables that name these come first.
CONSTRAINTS = """SELECT format('ALTER TABLE %%s DROP CONSTRAINT %%I', c.conrelid::regclass, c.conname),
    format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s',
      c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
  FROM pg_constraint AS c WHERE c.contype IN ('f', 'u', 'p')
    AND (c.conrelid::regclass::text = ANY(%(tables)s) OR c.confrelid::regclass::text = ANY(%(tables)s))
  ORDER BY array_position(ARRAY['f', 'u', 'p'], c.contype::text)"""
INDEXES = """SELECT format('DROP INDEX %%s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
  FROM pg_index AS i WHERE i.indrelid::regclass::text = ANY(%(tables)s)
    AND NOT EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)"""


@contextmanager
def loading(kinds: Iterable[type[models.Model]]) -> Iterator[None]:
    """Inside, rows of these kinds are put in, all or none. Triggers, and in PostgreSQL indexes and
    constraints, are away meanwhile; they come back over all rows at once, which takes a fraction of the time.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        kept.remove()
        back = []
        if connection.vendor == "postgresql":
            cursor.execute(f"SET LOCAL maintenance_work_mem = '{MEMORY}'")
            tables = {"tables": [kind._meta.db_table for kind in kinds]}
            for query in (CONSTRAINTS, INDEXES):
                cursor.execute(query, tables)
                for away, again in cursor.fetchall():
                    cursor.execute(away)
                    back.append(again)
        yield
        for statement in reversed(back):
            cursor.execute(statement)
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE")
        kept.install()
