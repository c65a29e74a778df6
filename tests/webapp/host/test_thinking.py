"""What the child in which agents think is asked: instructions once, and again when it has forgotten them."""

from types import SimpleNamespace

from engine.simulation.simulation import Simulation
from webapp.host.thinking import Thinker

TOLD = [{"id": "a", "program": {"clauses": []}}]


class Match(SimpleNamespace):
    """As much of a match as its thinker needs: seat 1 is an agent, and every seat has an instruction."""

    def __init__(self) -> None:
        self.requests: list[dict] = []
        self.told = {0: TOLD, 1: TOLD}
        child = SimpleNamespace(post=lambda request, answered: self.requests.append(request))
        super().__init__(
            id="m",
            closed=False,
            over=False,
            sim=Simulation("overcooked"),
            ticks_per_second=6,
            stand_in_agent=None,
            controllers={0: {"kind": "person"}, 1: {"kind": "agent", "ref": "overcooked/greedy"}},
            host=SimpleNamespace(agents=SimpleNamespace(child=child)),
            in_force=SimpleNamespace(default=lambda seat: [], of=lambda seat: self.told[seat]),
            agent_seats=lambda: [1],
            programs=lambda seat: self.told[seat],
            actions_since=lambda tick: [],
            note_goals=lambda goals: None,
            agents_thought=lambda: None,
        )


def brought(request: dict) -> dict[int, list]:
    """The instructions in a request, by seat."""
    return {one["seat"]: one["programs"] for one in (*request["ask"], *request["watch"]) if "programs" in one}


def test_instructions_go_to_the_child_when_they_change_and_when_it_begins_anew() -> None:
    match = Match()
    thinker = Thinker(match)
    thinker.ask()
    reply = {"tick": 0, "actions": {}, "goals": {}, "reasons": [], "errors": {}}
    thinker._answered(0, reply)
    match.told[1] = []
    thinker._answered(0, reply)
    thinker._answered(0, {"forgotten": True})
    assert [brought(request) for request in match.requests] == [
        {1: TOLD, 0: TOLD},
        {},
        {1: []},
        {1: [], 0: TOLD},
    ]
