"""Texts with the sub-goals that they ask for (subgoal_table.py): written down, of programs, and made by a
grammar, for the language side of co-training (brings.GoalTexts). Not for reading what players say (declared).

goals_written.tsv has a text and its sub-goals a line, "name=value; name=value"; goal_phrases.tsv what people
say for a value, "*" for each of the sub-goal's values, whose words stand for "{}".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.games.arena import subgoal_table as table
from engine.games.arena import wanted
from engine.games.arena.language.carried import carried
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.language.follow import goals
from engine.language import bank
from engine.language.declared import parse
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

FOLDER = Path(__file__).parent
WORDS: dict[tuple[str, ...], tuple[str, ...]] = {
    table.GRADES: ("no", "very little", "a little", "some", "quite a lot of", "a lot of"),
    table.DISTANCES: (
        *("right at/next to/touching", "near/close to/within ten metres of", "about 20 metres from"),
        *("far from/30 metres from", "very far from/50 metres from", "as far as can be from/100 metres from"),
    ),
    table.VELOCITIES: ("not at all", "slowly/slow", "at a normal pace/medium", "fast/quickly", "falling"),
    table.LENGTHS: ("not at all", "a few metres/a bit", "some way/ten metres", "far/30 metres", "very far"),
    table.LEVELS: ("empty", "low", "at half/medium", "high", "full/at 100"),
    table.PITCHES: ("down/at the ground", "down a little", "straight ahead", "up a little", "up/at the sky"),
    table.EVER: ("no", "one", "two", "three", "four", "five", *table.EVER[6:]),
    table.COUNTS: ("nothing", "one thing", "several things"),
    table.DIRECTIONS: (
        *("west/w", "northwest/nw", "north/n", "northeast/ne"),
        *("east/e", "southeast/se", "south/s", "southwest/sw"),
    ),
}
JOINS = (" and ", ", ", ", then ", ". ", " but ", " while you ", " + ", ", also ")
BEFORE = ("", "", "", "please ", "could you ", "hey, ", "ok ", "now ", "pls ", "i want you to ", "everyone ")
AFTER = ("", "", "", "", " please", " now", " pls", "!", " ok?", " mate", ", quick", " for me")
DROPPED = frozenset(("the", "a", "an", "your", "you", "to", "of", "some", "at", "is"))


def vector(named: str) -> np.ndarray:
    """The vector of "name=value; name=value", int8 (COUNT,). Raises Refusal for others."""
    pairs = [part.strip().partition("=") for part in named.split(";") if part.strip()]
    try:
        return table.encode({name: value for name, _, value in pairs})
    except (KeyError, ValueError):
        raise Refusal(f"“{named}” names no sub-goals and values of Arena.") from None


def labelled(path: Path) -> list[tuple[str, np.ndarray]]:
    """(text, vector) of each line of a file. Raises Refusal."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if wrong := next((line for line in lines if len(line) != 2), None):
        raise Refusal(f"{path.name}: “{wrong[0]}” has no sub-goals behind a tab.")
    return [(text, vector(named)) for text, named in lines]


def written() -> list[tuple[str, np.ndarray, str]]:
    """(text, vector, provenance) of texts that were written down with their sub-goals one by one."""
    own = [(*row, "written") for row in labelled(FOLDER / "goals_written.tsv")]
    older = [(row["text"], table.encode(row["goals"]), "bank") for row in bank.bank("arena") if row["goals"]]
    return own + older


def spoken() -> Iterator[tuple[str, dict[str, Any]]]:
    """(text, program) of texts whose program is carried out whole."""
    for text, notation, source in bank.programs("arena"):
        if source == "written" and "||" not in notation:
            found = carried(parse(DECLARED, notation), None)
            if found.program is not None and not found.left:
                yield text, found.program


def of_program(program: dict[str, Any], options: dict[str, Any], state: np.ndarray, seat: int) -> np.ndarray:
    """The vector (COUNT,) that a program comes to for a seat in a state, if a mate of it says so now."""
    out = np.full(table.COUNT, -1, np.int8)
    if any("if" in one for one in program["clauses"]):  # what waits for something asks for nothing yet
        return out
    sim = Simulation.at("arena", options, state)
    speaker = seat // options["team_size"] * options["team_size"]
    speaker += 1 if speaker == seat else 0
    begun = {**program, "since_tick": sim.tick, "from_seat": speaker}
    wanted.wanted(state, seat, goals([begun], sim, seat), out)
    return out


@cache
def _phrases() -> dict[tuple[int, int], list[str]]:
    """What is said for each sub-goal's value, by their numbers."""
    found: dict[tuple[int, int], list[str]] = {}
    for line in (FOLDER / "goal_phrases.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, value, phrases = line.split("\t")
        index, values = table.INDEX[name], table.SUBGOALS[table.INDEX[name]].values
        words = next((own for known, own in WORDS.items() if values[: len(known)] == known), ())
        for number, one in enumerate(values):
            if value == one:
                found[index, number] = phrases.split("|")
            elif value == "*" and number < len(words):
                spoken = [p.format(word) for p in phrases.split("|") for word in words[number].split("/")]
                found.setdefault((index, number), spoken)
    return found


def said(row: np.ndarray, rng: np.random.Generator) -> str:
    """A text that asks for a vector's values (COUNT,), made by the grammar: a phrase of each in any order,
    joined, politely or not, with words left out; "" where it can't be said.
    """
    parts = [
        str(rng.choice(options))
        for index in rng.permutation(np.flatnonzero(row >= 0)).tolist()
        if (options := _phrases().get((index, int(row[index]))))
    ]
    if not parts or len(parts) < int((row >= 0).sum()):
        return ""
    text = parts[0]
    for part in parts[1:]:
        text += str(rng.choice(JOINS)) + part
    text = str(rng.choice(BEFORE)) + text + str(rng.choice(AFTER))
    if rng.random() < 0.3:
        text = " ".join(word for word in text.split() if word not in DROPPED)
    return text[:1].upper() + text[1:] if rng.random() < 0.3 else text
