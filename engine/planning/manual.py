"""A game and its state in words, for a language model that plans (SAMA, section 3.1): the manual, from what
the game declares; the objects in it; what is there now, and what each seat sees.

Everything comes from the game: its declared language, the words of its pages, its `planning` and its spec's
words. Not for the rule text that a model reads by itself (rule_text), nor for a prompt (prompt).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine import brings
from engine.games.pages import pages
from engine.language.declared import SPEECH, Declared
from engine.simulation.simulation import Simulation

NAMED = re.compile(r"\{(\d+)\}")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
NOTATION = (
    "A program is one act with its slots: `act slot=value slot=value`, slots in the order of the list, "
    "`times=` and conditions last. Clauses that hold together are joined by `;`, what comes afterwards by "
    "`then`. “me” is another member of the team. Where players are counted, seat 0 is player 1."
)


def manual(sim: Simulation) -> str:
    """What the game is, what a team wants in it, its objects, and all that a seat can be told to do."""
    game = sim.game
    declared = brings.Language.of(game).DECLARED
    about = " ".join(dict.fromkeys(part for part in (pages(game).rules, declared.about) if part))
    return "\n".join(
        [
            f"# {sim.spec.title}",
            about,
            f"What the team wants if nobody says anything else: {brings.Planning.of(game).GOAL}",
            "",
            f"Objects: {', '.join(objects(sim))}.",
            "",
            *language(declared),
        ]
    )


def objects(sim: Simulation) -> list[str]:
    """What one can do something with, each name once: the things that the game lists, without players."""
    names = (thing["name"] for thing in brings.Planning.of(sim.game).things(sim))
    return [name for name in dict.fromkeys(names) if not NAMED.search(name)]


def language(declared: Declared) -> list[str]:
    """The acts that a step may have, their slots and conditions, a line each."""
    acts = {name: act for name, act in declared.acts.items() if name not in SPEECH}
    lines = ["What a seat can be told to do, and the slots of each act:"]
    for name, act in acts.items():
        slots = f" ({', '.join(act.slots)})" if act.slots else ""
        lines.append(f"- `{name}`{slots}: {act.about}")
    used = {slot for act in acts.values() for slot in act.slots}
    lines += ["", "Slots:"]
    for name in (*(slot for slot in declared.slots if slot in used), *declared.limits):
        slot = declared.slot(name)
        known = [f"{value} ({about})" if about else value for value, about in slot.values.items()]
        known += ["a whole number"] if slot.number else []
        lines.append(f"- `{name}`: {slot.about}: {'; '.join(known)}")
    lines += ["", "Every act may also have `when`, `unless` or `until` with one of these events:"]
    lines += [f"- {name}: {about}" for name, about in declared.events.items()]
    return [*lines, "", NOTATION]


def things(sim: Simulation) -> list[str]:
    """What is there now, a sentence for each thing, those that are alike counted: "hole (3 of them)"."""
    counted = Counter(
        f"{thing['name']}: {thing['now']}" if thing["now"] else thing["name"]
        for thing in brings.Planning.of(sim.game).things(sim)
    )
    return [
        NAMED.sub(r"seat \1", f"{text} ({count} of them)" if count > 1 else text)
        for text, count in counted.items()
    ]


def sights(sim: Simulation, seats: Sequence[int]) -> dict[str, Any]:
    """What seats see, in the game's words: {"all": what each of them sees, by seat: what it says besides}."""
    texts = {seat: SENTENCE.split(sim.observation_text(seat)) for seat in seats}
    first = texts[seats[0]] if len(seats) > 1 else []
    shared = [one for one in first if all(one in text for text in texts.values())]
    own = {str(seat): " ".join(one for one in text if one not in shared) for seat, text in texts.items()}
    return {"all": " ".join(shared), **own}
