"""Pages of lists too long to be counted: `Stretch`, found by a row in the list's order, so that nothing
before it is read, and `UncountedPage`, by its number, for what has no rows of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.http import QueryDict

from webapp.common.inputs import whole

FURTHEST = 10_000
# Each value is found from the one before it, by an index.
DIFFERENT = """WITH RECURSIVE found (value) AS (SELECT min({column}) FROM {table}
  UNION ALL SELECT (SELECT min({column}) FROM {table} WHERE {column} > found.value)
  FROM found WHERE found.value IS NOT NULL)
SELECT value FROM found WHERE value IS NOT NULL"""
COUNTED = 1000  # rows of a list; of more it is said that there are more
REACH = 50_000  # rows that a page looks through where no index finds what is looked for


@dataclass(frozen=True)
class Stretch:
    """Rows of a list beside another one that the address names, as templates/fragments/stretch.html shows
    them: `?after=` or `?before=` the row with that key, or `?end=1`; else the first ones.
    """

    object_list: list[Any]
    has_previous: bool
    has_next: bool
    count: int  # in all; COUNTED + 1: more than that
    backwards: bool = False
    # The last row that was looked at, where not all were; `count` is of those that were.
    reached: Any = None

    @classmethod
    def of(cls, address: QueryDict, rows: QuerySet, size: int, all_rows: QuerySet | None = None) -> Stretch:
        """`rows` are in an order that an index has, of columns that are never null, the key the last. Where
        no index finds them among `all_rows`, in the same order, a page looks at REACH of these.
        """
        backwards = "before" in address or "end" in address
        place = _place(rows, address.get("before", "") or address.get("after", ""))
        reached = None
        if all_rows is not None:
            reached, edge = _reach(all_rows, place, backwards)
            rows = rows if edge is None else rows.filter(_beyond(rows, edge, not backwards))
        beside = rows if place is None else rows.filter(_beyond(rows, place, backwards))
        found = list((beside.reverse() if backwards else beside)[: size + 1])
        if place is not None and not found and all_rows is None:
            return cls.of(QueryDict(), rows, size)  # there is nothing any more
        is_more, found = len(found) > size, found[:size]
        if backwards:
            before, after = is_more, place is not None
            found.reverse()
        else:
            before, after = place is not None, is_more
        if not found:  # of a search: nothing here
            before = after = False
        counted = rows if all_rows is None else beside
        count = counted.order_by()[: COUNTED + 1].count() if before or after else len(found)
        return cls(found, before, after, count, backwards, None if is_more else reached)

    @property
    def looked(self) -> int:
        """Rows that were looked at, where not all were."""
        return REACH

    @property
    def first(self) -> Any:
        return self.object_list[0]

    @property
    def last(self) -> Any:
        return self.object_list[-1]


def different(model: type[Model], column: str) -> list[Any]:
    """The different values of an indexed column, in order; of each one row is read."""
    words = {"table": model._meta.db_table, "column": model._meta.get_field(column).column}
    with connection.cursor() as cursor:
        cursor.execute(DIFFERENT.format(**words))
        return [value for (value,) in cursor.fetchall()]


def _place(rows: QuerySet, key: str) -> tuple[Any, ...] | None:
    """What a row is ordered by; None where there is no such row."""
    try:
        known = rows.model._meta.pk.clean(key, None)
    except ValidationError:
        return None
    names = [name.lstrip("-") for name in rows.query.order_by]
    return rows.model._default_manager.filter(pk=known).values_list(*names).first()


def _reach(rows: QuerySet, place: tuple[Any, ...] | None, backwards: bool) -> tuple[Any, Any]:
    """The key of the last of the next REACH rows, and the place of the one after it; None twice where there
    are no more than that.
    """
    ahead = rows if place is None else rows.filter(_beyond(rows, place, backwards))
    keys = (ahead.reverse() if backwards else ahead).values_list("pk", flat=True)[REACH - 1 : REACH + 1]
    return (keys[0], _place(rows, str(keys[1]))) if len(keys) == 2 else (None, None)


def _beyond(rows: QuerySet, place: tuple[Any, ...], backwards: bool) -> Q:
    """What comes after a place in the order of rows, or before it."""
    beyond, alike = Q(), {}
    for name, value in zip(rows.query.order_by, place, strict=True):
        column = name.lstrip("-")
        least = "lt" if name.startswith("-") != backwards else "gt"
        beyond |= Q(**alike, **{f"{column}__{least}": value})
        if not alike:
            reached = Q(**{f"{column}__{least}e": value})  # said for the index's sake
        alike[column] = value
    return reached & beyond


@dataclass(frozen=True)
class UncountedPage:
    """A page by its number: it knows whether there is a next one, not how many there are. As
    templates/fragments/pages.html shows it, like Django's own.
    """

    number: int
    object_list: list[Any]
    has_next: bool

    @classmethod
    def of(cls, number: str | None, size: int, rows: Callable[[int, int], list[Any]]) -> UncountedPage:
        """The page that an address names, the first for anything else; `rows(first, last)` gives what is on
        it, and one more.
        """
        place = whole(number, low=1, high=FURTHEST) or 1
        row_list = rows((place - 1) * size, place * size + 1)
        return cls(place, row_list[:size], len(row_list) > size)

    @property
    def has_previous(self) -> bool:
        return self.number > 1

    @property
    def has_other_pages(self) -> bool:
        return self.has_previous or self.has_next

    @property
    def previous_page_number(self) -> int:
        return self.number - 1

    @property
    def next_page_number(self) -> int:
        return self.number + 1
