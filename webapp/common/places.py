"""Paths in rows: what lies in the var folder is kept relative to it, so that a site can be moved or restored
elsewhere. Not for: which folders there are (settings).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models

MARK = "in the var folder"  # {MARK: "jobs/…"} stands for a path in a row


def kept(value: Any) -> Any:
    """JSON as a row keeps it: each path in the var folder by where it is in there."""
    var = f"{settings.VAR_DIR}/"

    def shortened(one: Any) -> Any:
        return {MARK: one.removeprefix(var)} if isinstance(one, str) and one.startswith(var) else one

    return _each(value, shortened)


def here(value: Any) -> Any:
    """The same JSON as it was: with whole paths, of the var folder as it is now."""

    def whole(one: Any) -> Any:
        if isinstance(one, dict) and list(one) == [MARK]:
            return str(Path(settings.VAR_DIR) / str(one[MARK]))
        return one

    return _each(value, whole)


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    changed = change(value)
    if changed is not value:
        return changed
    if isinstance(value, dict):
        return {key: _each(one, change) for key, one in value.items()}
    return [_each(one, change) for one in value] if isinstance(value, list | tuple) else value


class PlacedJSON(models.JSONField):
    """JSON with paths in it, which are relative to the var folder in the database and whole in Python."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        plain = isinstance(value, dict | list)
        return super().get_db_prep_value(kept(value) if plain else value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return here(super().from_db_value(value, expression, connection))
