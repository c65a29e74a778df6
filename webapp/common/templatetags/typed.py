"""`{{ text|isolated }}`, in every template: what people typed turns nothing that stands round it."""

from __future__ import annotations

import re
from typing import Any

from django import template

register = template.Library()

TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
FIRST_STRONG, POP = "\u2068", "\u2069"


@register.filter
def isolated(typed: Any) -> Any:
    """A text with letters written from right to left between isolates, without characters that turn others; a
    list's texts each so; other values as they are. The pages' own: static/js/lib/isolated.js.
    """
    if isinstance(typed, list | tuple):
        return [isolated(part) for part in typed]
    if not isinstance(typed, str) or not (TURNING.search(typed) or FROM_RIGHT.search(typed)):
        return typed
    plain = TURNING.sub("", typed)
    return f"{FIRST_STRONG}{plain}{POP}" if FROM_RIGHT.search(plain) else plain
