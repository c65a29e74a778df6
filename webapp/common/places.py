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

    def shortened(value: Any) -> Any:
        return {MARK: value.removeprefix(var)} if isinstance(value, str) and value.startswith(var) else value

    return _each(value, shortened)


def here(value: Any) -> Any:
    """The same JSON as it was: with whole paths, of the var folder as it is now."""

    def whole(value: Any) -> Any:
        if isinstance(value, dict) and list(value) == [MARK]:
            return str(Path(settings.VAR_DIR) / str(value[MARK]))
        return value

    return _each(value, whole)


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    changed = change(value)
    if changed is not value:
        return changed
    if isinstance(value, dict):
        return {key: _each(part, change) for key, part in value.items()}
    return [_each(part, change) for part in value] if isinstance(value, list | tuple) else value


class PlacedJSON(models.JSONField):
    """JSON with paths in it, which are relative to the var folder in the database and whole in Python."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        plain = isinstance(value, dict | list)
        return super().get_db_prep_value(kept(value) if plain else value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return here(super().from_db_value(value, expression, connection))
