"""What an agent's card says of how it acts holds wherever it acts, and a flag can say otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from engine import games, language
from engine.agents.acting import act, draws, manner
from engine.agents.catalogue import load, write_agent
from engine.agents.features import inputs_for
from engine.agents.serve import Server
from engine.evaluation.reward_return import play_rewarded
from engine.evaluation.self_play import play
from engine.evaluation.simulated_episodes import play_logs
from engine.games.arena.evaluation.squads import squads
from engine.simulation.simulation import Simulation

ROOT = Path(__file__).parents[3]
OPTIONS = {"hanabi": {"players": 2}, "overcooked": {"layout": "cramped_room"}, "arena": {}}


@pytest.fixture(scope="module")
def indifferent(tmp_path_factory):
    """(game, acts) -> a network that likes all moves alike: its best is always the first legal one."""
    root = tmp_path_factory.mktemp("agents")

    def make(game: str, acts: str):
        folder = root / f"{game}-{acts}"
        spec, inputs = games.spec(game), inputs_for(game, OPTIONS[game])
        actions = spec.num_actions(spec.validate(OPTIONS[game]))
        sizes = {"hidden.0": (4, inputs.size), "policy": (actions, 4), "value": (1, 4)}
        tensors = {f"{name}.weight": np.zeros(size, np.float32) for name, size in sizes.items()}
        tensors |= {f"{name}.bias": np.zeros(size[0], np.float32) for name, size in sizes.items()}
        players = list(range(2, 21)) if game == "arena" else [2]
        card = {"name": acts, "kind": "network", "game": game, "players": players, "acts": acts}
        card |= {"options": OPTIONS[game], "rules_version": spec.rules_version}
        write_agent(folder, tensors, card | {"features_version": inputs.version})
        return load(str(folder), game), str(folder)

    return make


def served(agent: str, policy) -> list:
    """Moves of the turn-based agent server in many games."""
    request = {"agent": agent, "game": "hanabi", "options": OPTIONS["hanabi"], "deck": None, "actions": []}
    made = [{**request, "id": n, "match": n, "seed": n, "seat": 0} for n in range(20)]
    for one in made:
        one["deck"] = Simulation("hanabi", OPTIONS["hanabi"], seed=one["seed"]).deck
    return [reply["action"] for reply in Server().answer(made)]


def live(agent: str, policy) -> list:
    """Moves of the agent server in kitchens."""
    begin = {"game": "overcooked", "options": OPTIONS["overcooked"], "seed": 1, "deck": None}
    ask = [{"seat": 0, "agent": agent, "programs": []}]
    requests = [{**begin, "id": n, "match": n, "from": 0, "actions": [], "ask": ask} for n in range(20)]
    return [reply["actions"]["0"] for reply in Server().answer(requests)]


def logged(agent: str, policy) -> list:
    (log,) = play_logs(policy, 1, {**OPTIONS["overcooked"], "horizon": 20}, mistakes=0.0, seed=1)
    return [joint[0] for joint in log.steps]


PLACES = [("hanabi", served), ("overcooked", live), ("overcooked", logged)]


@pytest.mark.parametrize(("game", "place"), PLACES, ids=lambda one: getattr(one, "__name__", one))
def test_moves_are_drawn_or_the_best_as_the_card_says(game, place, indifferent):
    best, best_folder = indifferent(game, "best")
    drawn, drawn_folder = indifferent(game, "sampled")
    assert len(set(place(best_folder, best))) == 1
    assert len(set(place(drawn_folder, drawn))) > 2


def scores(policy, greedy=None) -> list:
    options = {**OPTIONS["hanabi"], "bomb": "keep"}
    return play([policy], "hanabi", options, 40, seed=3, greedy=greedy).tolist()


def rewarded(policy) -> list:
    options = games.spec("hanabi").validate({**OPTIONS["hanabi"], "bomb": "keep"})
    return play_rewarded([policy] * 2, "hanabi", options, 40, 3).scores.tolist()


def test_measurements_act_as_the_card_says_the_same_for_a_seed_and_as_a_flag_says(indifferent):
    best, drawn = indifferent("hanabi", "best")[0], indifferent("hanabi", "sampled")[0]
    assert scores(drawn) == scores(drawn) != scores(best)
    assert scores(drawn, greedy=True) == scores(best)
    assert scores(best, greedy=False) == scores(drawn)
    assert rewarded(drawn) == rewarded(drawn) != rewarded(best)


def test_squads_act_as_their_cards_say(indifferent):
    best, drawn = indifferent("arena", "best")[0], indifferent("arena", "sampled")[0]
    weak = load("arena/weak", "arena")
    walked = [
        squads(one, weak, {"pace": "short"}, matches=2, seed=1, greedy=greedy)["rates"]["a"]["metres"]
        for one, greedy in ((best, None), (drawn, None), (drawn, True))
    ]
    assert walked[0] == walked[2] != walked[1]


def test_scripted_players_are_what_they_choose():
    bot = load("hanabi/convention-bot")
    assert not draws(bot) and not draws(bot, greedy=False) and manner(bot) == "best"
    assert draws(load("overcooked/partner-cramped_room", "overcooked"))


def test_what_a_seat_was_told_is_heard():
    cook = load("overcooked/greedy", "overcooked")
    sim = Simulation("overcooked", OPTIONS["overcooked"])
    stop = language.read("overcooked", "stop").program
    told, untold = act(cook, [sim, sim], [1, 1], None, [[stop], []])
    assert told == 4 != untold


def test_nobody_else_chooses_for_an_agent():
    """Who calls `choose` by itself would have to look at the card by itself, too."""
    allowed = {
        "engine/agents/acting.py",
        "engine/agents/policy.py",
    }
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("engine", "webapp", "workers")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^from engine.agents.policy import .*\bchoose\b", path.read_text(), re.M)
    }
    assert found <= allowed, f"Act with engine.agents.acting in {sorted(found - allowed)}."
