"""The phrasings that readers are made of: texts with their right readings, and texts that mean nothing.

phrasings/<game>.jsonl is what the grammars were built on, <game>.free.jsonl was never shown to them,
<game>.examples.jsonl are the examples of the grammars' tests, read by the grammars. The model
(meaning.py) is trained on all three. <game>.development.jsonl is neither: settings are chosen on it. All
were written one by one by a language model in many voices; none comes from real players. Not for: the
held-out sets of engine/evaluation/instructions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "phrasings"


def bank(game: str) -> list[dict[str, Any]]:
    """What readers learn from: {"text", "refused", and the right reading}."""
    return [*_rows(f"{game}.jsonl"), *_rows(f"{game}.free.jsonl"), *_rows(f"{game}.examples.jsonl")]


def development(game: str) -> list[dict[str, Any]]:
    """The same that no reader has learned from, with "voice"."""
    return _rows(f"{game}.development.jsonl")


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]
