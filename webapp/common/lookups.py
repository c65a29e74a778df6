"""How rows are looked up beside Django's own ways; every process has them (apps.py)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import ForeignObject, Lookup, UUIDField
from django.db.models.sql.compiler import SQLCompiler


@UUIDField.register_lookup
@ForeignObject.register_lookup
class Among(Lookup):
    """`episode__among=[ids]`: as `in`, with all ids as one parameter. A query text of hundreds of values
    takes longer to write and to read than what it finds.
    """

    lookup_name = "among"
    prepare_rhs = False

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> tuple[str, list[Any]]:
        column, params = self.process_lhs(compiler, connection)
        ids: Iterable[UUID] = self.rhs
        if connection.vendor == "postgresql":
            given, chosen = ",".join(map(str, ids)), "= ANY(string_to_array(%s, ',')::uuid[])"
        else:
            given, chosen = json.dumps([one.hex for one in ids]), "IN (SELECT value FROM json_each(%s))"
        return f"{column} {chosen}", [*params, given]
