"""The phrasings that readers are made from: texts with their right readings, and texts that mean nothing.

In a game's folder language/phrasings, the grammar was built on bank.jsonl; free.jsonl was never used for it;
examples.jsonl holds the examples of the grammar's tests, read by the grammar. The model (meaning.py) is
trained on all three. Settings are chosen on development.jsonl, which is in neither. A language model wrote
ours one by one in many voices; none comes from real players. ready.jsonl holds the texts of the pages'
buttons. Not for the held-out sets of engine/evaluation/instructions.py.
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
    """The readings of the banks and the pages' buttons, by the text as `clean` returns it; only texts that
    ask for something.
    """
    texts = [*bank(game), *rows(game, "ready")]
    return {typed.clean(row["text"]): row for row in texts if not row["refused"]}


@cache
def ready(game: str, most: int = 6) -> list[str]:
    """Texts for a start: those of the pages' buttons, otherwise examples written as sentences, each with
    another meaning.
    """
    by_meaning: dict[str, str] = {}
    for row in rows(game, "ready") or rows(game, "examples"):
        means = json.dumps({name: value for name, value in row.items() if name not in ("text", "voice")})
        if not row["refused"] and row["text"][:1].isupper():
            by_meaning.setdefault(means, row["text"])
    return list(by_meaning.values())[:most]


def development(game: str) -> list[dict[str, Any]]:
    """Texts from which no reader has learned, in the same form, with "voice"."""
    return rows(game, "development")


def programs(game: str) -> list[tuple[str, str, str]]:
    """(text, the notation of its program, where it is from: "bank", "written" or "talk"): what the model that
    writes programs learns from.
    """
    path = games.folder(game) / "language" / "phrasings" / "programs.tsv"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [(text, program, source) for program, text, source in (line.split("\t") for line in lines)]


def rows(game: str, name: str) -> list[dict[str, Any]]:
    """One of the files above, none where the game doesn't bring it."""
    if not games.brings(game, room="language"):
        return []
    path = games.folder(game) / "language" / "phrasings" / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.strip()]
