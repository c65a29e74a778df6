"""`{% load figures %}{{ share|percent }}`: numbers of tables, where there are hundreds on a page."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
NONE = "–"  # where there is no such number


@register.filter
def percent(share: float | None) -> str:
    """A share as "87 %", one below zero as "−13 %"."""
    return NONE if share is None else f"{round(100 * share)} %".replace("-", "−")


@register.filter
def cells(numbers: Iterable[float | None]) -> SafeString:
    """A row's cells: whole numbers as they are, others with one decimal."""
    texts = (
        NONE if number is None else f"{number:.1f}" if isinstance(number, float) else escape(number)
        for number in numbers
    )
    return mark_safe("".join(f'<td class="num">{text}</td>' for text in texts))
