"""The phrasings that readers are made of: texts with their right readings, and texts that mean nothing.

Of a game's folder language/phrasings, bank.jsonl is what its grammar was built on, free.jsonl was never shown
to it, examples.jsonl are the examples of the grammar's tests, read by the grammar. The model (meaning.py) is
trained on all three. development.jsonl is neither: settings are chosen on it. Ours were written one by one by
a language model in many voices; none comes from real players. ready.jsonl is what the buttons of the pages
say. Not for: the held-out sets of engine/evaluation/instructions.py.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine import games
from engine.language import text as typed


def bank(game: str) -> list[dict[str, Any]]:
    """What readers learn from: {"text", "refused", and the right reading}."""
    return [*rows(game, "bank"), *rows(game, "free"), *rows(game, "examples")]


@cache
def known(game: str) -> dict[str, dict[str, Any]]:
    """What the banks and the pages' buttons say, by the text as `clean` leaves it; texts that ask for
    something alone.
    """
    texts = [*bank(game), *rows(game, "ready")]
    return {typed.clean(row["text"]): row for row in texts if not row["refused"]}


@cache
def ready(game: str, most: int = 6) -> list[str]:
    """Texts to begin with: what the pages' buttons say, else examples that are written as sentences, each
    with another meaning.
    """
    found: dict[str, str] = {}
    for row in rows(game, "ready") or rows(game, "examples"):
        means = json.dumps({name: value for name, value in row.items() if name not in ("text", "voice")})
        if not row["refused"] and row["text"][:1].isupper():
            found.setdefault(means, row["text"])
    return list(found.values())[:most]


def development(game: str) -> list[dict[str, Any]]:
    """The same that no reader has learned from, with "voice"."""
    return rows(game, "development")


def rows(game: str, name: str) -> list[dict[str, Any]]:
    """One of the files above, none where the game doesn't bring it."""
    if not games.brings(game, room="language"):
        return []
    path = games.folder(game) / "language" / "phrasings" / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.strip()]
