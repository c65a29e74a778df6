"""The phrasings that readers are made from: texts with their right readings, and texts that mean nothing.

In a game's folder language/phrasings, programs.tsv holds texts with their programs in the declared language,
from which the model learns (model.py). bank.jsonl, free.jsonl and examples.jsonl are older ones with labels
(labels.py), whose texts stand in programs.tsv, too; development.jsonl is apart from them. A language model
wrote ours one by one in many voices; none comes from real players. ready.jsonl holds the texts of the pages'
buttons. Not for the held-out sets of engine/evaluation/instructions.py.
"""

from __future__ import annotations

import json
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from engine import games

ROOT = Path(__file__).resolve().parents[2]


def bank(game: str) -> list[dict[str, Any]]:
    """What readers learn from: {"text", "refused", and the right reading}."""
    return [*rows(game, "bank"), *rows(game, "free"), *rows(game, "examples")]


def plain(text: str) -> str:
    """A text as it is looked up: small letters, single spaces, no stop at its end."""
    return " ".join(text.lower().split()).rstrip(" .!")


def known(game: str, text: str) -> str | None:
    """The program of a phrasing, in notation; what this site was taught (`own_file`) comes first. None for
    other texts, and where a text honestly has several programs.
    """
    own = own_file()
    taught = _taught(own, own.stat().st_mtime_ns) if own.exists() else {}
    return taught.get((game, plain(text))) or _known(game).get(plain(text))


def own_file() -> Path:
    """What this site was taught (engine.learning.corrected): lines of game, notation and plain text."""
    return Path(os.environ.get("COPLAY_VAR") or ROOT / "var") / "reader" / "programs.tsv"


@lru_cache(maxsize=1)
def _taught(path: Path, changed: int) -> dict[tuple[str, str], str]:
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {(line[0], line[2]): line[1] for line in lines if len(line) == 3}


@cache
def _known(game: str) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for text, program, _ in programs(game):
        found.setdefault(plain(text), set()).add(program)
    return {text: next(iter(own)) for text, own in found.items() if len(own) == 1 and "||" not in min(own)}


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
