"""A page of a list too long to be counted: it knows whether there is a next one, not how many there are. As
templates/fragments/pages.html shows it, like Django's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from webapp.common.inputs import whole

FURTHEST = 10_000


@dataclass(frozen=True)
class UncountedPage:
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
