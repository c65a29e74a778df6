"""The phrasings that readers are made of: texts with their right readings, and texts that mean nothing.

phrasings/<game>.jsonl is what the grammars were built on, <game>.free.jsonl was never shown to them,
<game>.examples.jsonl are the examples of the grammars' tests, read by the grammars. The model
(meaning.py) is trained on all three. <game>.development.jsonl is neither: settings are chosen on it. All
were written one by one by a language model in many voices; none comes from real players. <game>.ready.jsonl
is what the buttons of the pages say. Not for: the held-out sets of engine/evaluation/instructions.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from engine.language import text as typed

FOLDER = Path(__file__).parent / "phrasings"


def bank(game: str) -> list[dict[str, Any]]:
    """What readers learn from: {"text", "refused", and the right reading}."""
    return [*_rows(f"{game}.jsonl"), *_rows(f"{game}.free.jsonl"), *_rows(f"{game}.examples.jsonl")]


@cache
def known(game: str) -> dict[str, dict[str, Any]]:
    """What the banks and the pages' buttons say, by the text as `clean` leaves it; texts that ask for
    something alone.
    """
    rows = [*bank(game), *_rows(f"{game}.ready.jsonl")]
    return {typed.clean(row["text"]): row for row in rows if not row["refused"]}


@cache
def ready(game: str, most: int = 6) -> list[str]:
    """Texts to begin with: what the pages' buttons say, else examples that are written as sentences, each
    with another meaning.
    """
    rows = _rows(f"{game}.ready.jsonl") or _rows(f"{game}.examples.jsonl")
    found: dict[str, str] = {}
    for row in rows:
        means = json.dumps({name: value for name, value in row.items() if name not in ("text", "voice")})
        if not row["refused"] and row["text"][:1].isupper():
            found.setdefault(means, row["text"])
    return list(found.values())[:most]


def development(game: str) -> list[dict[str, Any]]:
    """The same that no reader has learned from, with "voice"."""
    return _rows(f"{game}.development.jsonl")


def _rows(name: str) -> list[dict[str, Any]]:
    path = FOLDER / name
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.strip()]
