"""Who controlled which seat when, from an episode's log: the takeover track of a replay.

The word of a step record ("by") is the truth where there is one; else the header and the control records
tell. Not for: who may control a seat (webapp.host).
"""

from __future__ import annotations

from engine.simulation.log import EpisodeLog, words_by_step

LATE, NOBODY = "late", "none"
TITLES = {"person": "a person", "agent": "an agent", "copilot": "the co-pilot", NOBODY: "nobody"}


def spans_of(log: EpisodeLog, last_tick: int) -> list[dict]:
    """[{"seat", "by": "person" | "agent" | "copilot" | "none", "name", "first", "last"}] by seat and tick.

    `first` and `last` are the ticks that the first and the last step of the span led to, as for events and
    marks. `name` is that of an agent, "" otherwise: people's names are the page's business. A late agent is
    still in control.
    """
    spans: list[list[dict]] = [[] for _ in log.header["seats"]]
    for tick, words, controllers in words_by_step(log):
        if tick < last_tick:
            for seat, word in enumerate(words):
                _extend(spans[seat], seat, word, controllers[seat], tick + 1)
    return [span for of_seat in spans for span in of_seat]


def _extend(spans: list[dict], seat: int, word: str, controller: dict, tick: int) -> None:
    by = "agent" if word == LATE else word
    name = controller.get("name", "") if by == "agent" and controller.get("kind") == "agent" else ""
    if spans and (spans[-1]["by"], spans[-1]["name"]) == (by, name):
        spans[-1]["last"] = tick
    else:
        spans.append({"seat": seat, "by": by, "name": name, "first": tick, "last": tick})


def late_of(log: EpisodeLog, last_tick: int) -> list[dict]:
    """[{"seat", "tick"}]: the steps in which an agent was late and its seat stayed."""
    return [
        {"seat": seat, "tick": tick + 1}
        for tick, words, _ in words_by_step(log)
        if tick < last_tick
        for seat, word in enumerate(words)
        if word == LATE
    ]
