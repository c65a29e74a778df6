"""Answers, texts, what servers can do, and the cost of asking, kept on disk: one SQLite file in the var
folder that any number of processes may use at once. It may be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.language.decisions import prompt
from engine.language.decisions.answers import Answers, Usage
from engine.language.decisions.questions import Question

ROOT = Path(__file__).resolve().parents[3]
# What a server can do is found out again after a day, when it may have been renewed.
KNOWN_SECONDS = 86_400
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, shares TEXT NOT NULL, model TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS servers (key TEXT PRIMARY KEY, found TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS spent (
    day TEXT NOT NULL, model TEXT NOT NULL, requests INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL, cost REAL NOT NULL, PRIMARY KEY (day, model)
);
"""
_SPEND = """
INSERT INTO spent VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (day, model) DO UPDATE SET
    requests = requests + excluded.requests, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, cost = cost + excluded.cost
"""


def key_of(model: str, context: Mapping[str, Any], question: Question) -> str:
    """The key of a kept answer: model with revision, prompt version, context, question."""
    parts = [model, prompt.VERSION, context, question.kind, question.text, question.options]
    return hashlib.sha256(prompt.data(parts).encode()).hexdigest()


class Memory:
    """Reads and writes the file. Errors are ignored, as in a cache."""

    def __init__(self) -> None:
        folder = Path(os.environ.get("COPLAY_VAR") or ROOT / "var")
        self.file: sqlite3.Connection | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.file = sqlite3.connect(folder / "language.sqlite3", timeout=10, isolation_level=None)
            # Another process that is just making the file locks it for this one line, whatever the timeout
            # says; the mode is then the one that it has set.
            with contextlib.suppress(sqlite3.OperationalError):
                self.file.execute("PRAGMA journal_mode=WAL")
            self.file.execute("PRAGMA synchronous=NORMAL")
            self.file.executescript(_TABLES)
        except (OSError, sqlite3.Error):
            self.close()

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
        self.file = None

    def answers(self, keys: Sequence[str]) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._rows(f"SELECT key, shares FROM answers WHERE key IN ({marks})", some)
            found |= {name: json.loads(shares) for name, shares in rows}
        return found

    def keep(self, model: str, answers: Iterable[tuple[str, list[float]]]) -> None:
        rows = [(name, json.dumps(shares), model) for name, shares in answers]
        if self.file is None or not rows:
            return
        try:
            self.file.execute("BEGIN IMMEDIATE")
            self.file.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            self.file.execute("COMMIT")
        except sqlite3.Error:
            if self.file.in_transaction:
                self.file.execute("ROLLBACK")

    def text(self, key: str) -> tuple[str, str] | None:
        """(a text that a model wrote, that model); None where there is none."""
        rows = self._rows("SELECT text, model FROM texts WHERE key = ?", [key])
        return (rows[0][0], rows[0][1]) if rows else None

    def keep_text(self, key: str, text: str, model: str) -> None:
        self._rows("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", [key, text, model])

    def server(self, name: str) -> dict[str, Any] | None:
        """What was found out about a server within the last day."""
        rows = self._rows("SELECT found, at FROM servers WHERE key = ?", [name])
        return json.loads(rows[0][0]) if rows and time.time() - rows[0][1] < KNOWN_SECONDS else None

    def keep_server(self, name: str, found: dict[str, Any]) -> None:
        self._rows("INSERT OR REPLACE INTO servers VALUES (?, ?, ?)", [name, json.dumps(found), time.time()])

    def forget_server(self, name: str) -> None:
        self._rows("DELETE FROM servers WHERE key = ?", [name])

    def spend(self, model: str, usage: Usage) -> None:
        """Add the cost of asking a model to today's (UTC)."""
        day = time.strftime("%Y-%m-%d", time.gmtime())
        counts = [usage.requests, usage.input_tokens, usage.output_tokens, usage.cost]
        if usage.requests:
            self._rows(_SPEND, [day, model, *counts])

    def spent(self, days: int = 30) -> list[tuple[str, str, Usage]]:
        """(day, model, what it took) of the last days on which any was asked, the latest first."""
        rows = self._rows("SELECT * FROM spent ORDER BY day DESC, model LIMIT ?", [days])
        return [(day, model, Usage(*counts)) for day, model, *counts in rows]

    def _rows(self, query: str, values: Sequence[Any]) -> list[Any]:
        if self.file is None:
            return []
        try:
            return self.file.execute(query, values).fetchall()
        except sqlite3.Error:
            return []


def missing(
    answers: Answers, context: dict[str, Any], questions: Sequence[Question], kept: Memory | None
) -> dict[str, list[int]]:
    """Fill in what is remembered; the rest as {key: places of that question}."""
    places: dict[str, list[int]] = {}
    for i, question in enumerate(questions):
        places.setdefault(key_of(answers.model, context, question), []).append(i)
    known = kept.answers(list(places)) if kept is not None else {}
    for key, shares in known.items():
        for i in places.pop(key):
            answers.shares[i] = shares
    return places
