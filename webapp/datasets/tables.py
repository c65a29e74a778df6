"""The tables of a snapshot: their columns, what each means, and the JSON schema that is written beside them.

Parquet through pyarrow. Lists and objects without a fixed shape are JSON text in a string column, said so in
the column's description. Every table says in `simulated` which rows no person made.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

# Since 6 logs lie in segments, reviews in a table, and who marks is called annotator in every table; since 5
# marks say whether they are free; since 4 episodes have an origin and clocks need not be whole numbers; since
# 3 there are ratings, and the manifest names no id, so that equal data has one sha256.
FORMAT = 6
READABLE = (1, 2, 3, 4, 5, FORMAT)
# What is otherwise in an older snapshot: columns that it may lack, which are null then; columns of another
# type; names of tables and columns.
ADDED = {("episodes", "ticks_per_second"), ("episodes", "origin"), ("marks", "free")}
ADDED |= {("episodes", "offset"), ("episodes", "bytes")}
ONCE = {("episodes", "ticks_per_second"): pa.int16()}
NAMED = {"annotators": "raters", "annotator": "rater"}
TIME = pa.timestamp("us", tz="UTC")
SIMULATED = (
    "simulated",
    pa.bool_(),
    "true if no person made it: only agents played, or a program marked",
)

# table: (what a row is, [(column, type, meaning)])
TABLES: dict[str, tuple[str, list[tuple[str, pa.DataType, str]]]] = {
    "episodes": (
        "One game from deal to end",
        [
            ("id", pa.string(), "UUID"),
            ("game", pa.string(), "name of the game"),
            ("rules_version", pa.string(), "version of the rules that the log is replayed with"),
            ("options", pa.string(), "JSON object: the game's complete options"),
            ("seed", pa.int64(), "seed of the game's random stream"),
            ("seats", pa.string(), "JSON list, one object a seat: kind, name (people: pseudonym), agent"),
            ("source", pa.string(), "play, simulated, import, or people: published games of people"),
            (
                "origin",
                pa.string(),
                "JSON object: where people's games come from, licence, attribution, survey; {} of all others",
            ),
            SIMULATED,
            ("ticks", pa.int32(), "joint steps"),
            (
                "ticks_per_second",
                pa.float64(),
                "ticks per second; 0: turn by turn; null: the game has no clock",
            ),
            ("score", pa.float64(), "final score, in the game's points"),
            ("digest", pa.string(), "digest of the last state"),
            ("instruction", pa.string(), "first confirmed instruction, or empty"),
            ("started_at", TIME, "UTC"),
            ("finished_at", TIME, "UTC"),
            ("log", pa.string(), "the file of this folder in which the episode's log lies"),
            ("offset", pa.int64(), "bytes before it in that file"),
            ("bytes", pa.int64(), "its length"),
        ],
    ),
    "marks": (
        "Progress or regression of one seat at one tick, by one annotator",
        [
            ("id", pa.string(), "UUID"),
            ("episode", pa.string(), "id in episodes"),
            ("annotator", pa.string(), "pseudonym in annotators"),
            ("seat", pa.int8(), "whose progress"),
            ("tick", pa.int32(), "the mark is about the move that led to the state at this tick"),
            ("sign", pa.int8(), "+1 progress, -1 regression"),
            ("revision", pa.int32(), "how often it was changed, from 1"),
            ("context", pa.string(), "JSON object: how it was made"),
            ("made_at", TIME, "the browser's clock, UTC"),
            ("created_at", TIME, "the server's clock, UTC"),
            SIMULATED,
            (
                "free",
                pa.bool_(),
                "true if a person made it on an episode that the queue had not handed to them",
            ),
        ],
    ),
    "instructions": (
        "A player's instruction to a partner, and its reading",
        [
            ("episode", pa.string(), "id in episodes"),
            ("id", pa.string(), "UUID; the same text may have several rows as its status changes"),
            ("tick", pa.int32(), "when it was said"),
            ("seat", pa.int8(), "who said it"),
            ("target_seat", pa.int8(), "to whom; null: to all"),
            ("status", pa.string(), "read, unread, confirmed, rewritten or withdrawn"),
            ("text", pa.string(), "as typed"),
            ("reading", pa.string(), "JSON object: the reading, or null"),
            (
                "judged",
                pa.int8(),
                "what its player said of what was done, last: 1 yes, that; -1 no; null: nothing",
            ),
            SIMULATED,
        ],
    ),
    "ratings": (
        (
            "A player's rating of a partner after the game, given before the player saw the result and "
            "who the partner was"
        ),
        [
            ("episode", pa.string(), "id in episodes"),
            ("player", pa.string(), "pseudonym in players"),
            ("seat", pa.int8(), "where the player sat"),
            ("partner_seat", pa.int8(), "where the partner sat"),
            ("partner", pa.int8(), "the partner was good: 1 not at all to 7 very much; null: not answered"),
            (
                "followed",
                pa.int8(),
                "the partner followed the instructions, 1 to 7; null: not answered or not asked",
            ),
            (
                "instructions",
                pa.string(),
                "JSON list: ids of the instructions to this partner that the question was about",
            ),
            ("created_at", TIME, "the server's clock, UTC"),
            SIMULATED,
        ],
    ),
    "reviews": (
        "Seats of an episode that somebody has looked at to the end, so that no mark says something, too",
        [
            ("episode", pa.string(), "id in episodes"),
            ("annotator", pa.string(), "pseudonym in annotators"),
            ("seats", pa.list_(pa.int8()), "the seats"),
            ("handed", pa.bool_(), "true if the queue had handed it to a person, who has submitted it"),
            SIMULATED,
        ],
    ),
    "annotators": (
        "Who made the marks",
        [
            ("pseudonym", pa.string(), "stands for a person; names are not exported"),
            ("marks", pa.int32(), "marks in this snapshot"),
            ("episodes", pa.int32(), "episodes that they marked"),
            SIMULATED,
        ],
    ),
    "players": (
        "People who played in the episodes",
        [("pseudonym", pa.string(), "stands for a person; names are not exported"), SIMULATED],
    ),
    "agents": (
        "Agents that played in the episodes",
        [
            ("ref", pa.string(), "game/name"),
            ("name", pa.string(), "name on pages"),
            ("kind", pa.string(), "scripted or network"),
            ("sha256", pa.string(), "of the weights; empty for scripted bots"),
            ("card", pa.string(), "JSON object: the agent's card"),
            ("simulated", pa.bool_(), "true if some of the marks that it was trained on are simulated"),
        ],
    ),
}


def arrow_schema(name: str) -> pa.Schema:
    return pa.schema([(column, kind) for column, kind, _ in TABLES[name][1]])


Columns = dict[str, list[Any]]


def columns(name: str, rows: Iterable[dict[str, Any]] = ()) -> Columns:
    """Rows as the table's columns, which take a fraction of the time and memory."""
    found: Columns = {column: [] for column, _, _ in TABLES[name][1]}
    for row in rows:
        for column, values in found.items():
            values.append(row[column])
    return found


def table(name: str, found: Columns) -> pa.Table:
    """Columns as an Arrow table; a value of the wrong type is an error of ours and raises."""
    return pa.table(found, schema=arrow_schema(name))


def may_be_null(kind: pa.DataType) -> bool:
    """Whether a column of this type may be empty in a row: numbers and times may, the rest says so itself."""
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_timestamp(kind)


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of a row of each table, under `$defs`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Coplay snapshot",
        "description": f"Rows of the parquet tables of a snapshot, format {FORMAT}.",
        "$defs": {
            name: {
                "description": title,
                "type": "object",
                "properties": {column: _property(kind, text) for column, kind, text in columns},
                "required": [column for column, _, _ in columns],
                "additionalProperties": False,
            }
            for name, (title, columns) in TABLES.items()
        },
    }


def _property(kind: pa.DataType, text: str) -> dict[str, Any]:
    if pa.types.is_boolean(kind):
        return {"type": "boolean", "description": text}
    if pa.types.is_integer(kind):
        return {"type": ["integer", "null"], "description": text}
    if pa.types.is_floating(kind):
        return {"type": ["number", "null"], "description": text}
    if pa.types.is_timestamp(kind):
        return {"type": ["string", "null"], "format": "date-time", "description": text}
    if pa.types.is_list(kind):
        return {"type": "array", "items": {"type": "integer"}, "description": text}
    return {"type": "string", "description": text}
