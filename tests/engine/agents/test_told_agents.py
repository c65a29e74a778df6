"""Networks that read what they are told: today's become such networks unchanged, and what is in force arrives
wherever agents act.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import load_file

from engine import games, language
from engine.agents import fresh, surgery
from engine.agents.acting import act, asked, together
from engine.agents.catalogue import WEIGHTS, load, read_card, shipped, shipped_folder
from engine.agents.features import inputs_for
from engine.agents.live import LiveGame
from engine.agents.serve import Server
from engine.games.arena.features import CHOICE_NAMES, INPUT_NAMES
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from tests.engine.agents.heeding import heeding

TEXTS = {"hanabi": "never discard", "overcooked": "get an onion", "arena": "hold here", "say_select": "",
         "frozen_lake_2": ""}  # fmt: skip
AGAIN = {"hanabi": "play your newest card", "overcooked": "stop", "arena": "follow me"}
SQUADS = {"teams": 2, "team_size": 3, "pace": "short"}
# Choices, one a head, that are always legal: untold, told the one thing, told the other.
STILL = {"overcooked": [4], "hanabi": [5], "arena": [0, 16, 32, 36, 44, 51]}
OTHER = {"overcooked": [0], "hanabi": [6], "arena": [0, 17, 32, 36, 44, 51]}
THIRD = {"overcooked": [1], "hanabi": [7], "arena": [0, 18, 32, 36, 44, 51]}
NETWORKS = [
    ref
    for game in games.names()
    for ref, card in shipped(game).items()
    if card.get("kind") == "network" and "told_version" not in card and ref != "arena/mates"
]
VARIANTS = [
    *(("hanabi", {"players": players}) for players in (2, 3, 4, 5)),
    ("overcooked", {"layout": "cramped_room"}),
    ("arena", SQUADS),
    ("say_select", {}),
]


def program(game: str, text: str = "") -> dict:
    return {**language.read(game, text or TEXTS[game]).program, "since_tick": 0, "from_seat": 0}


def rows_of(game: str, options: dict) -> tuple:
    """What `logits_many` takes of some games, a few moves in, for every seat: with goals for some."""
    rng = np.random.default_rng(1)
    sims = [Simulation(game, options, seed=seed) for seed in range(3)]
    for sim in sims:
        for _ in range(4):
            if sim.spec.heads:
                sim.step([sim.idle(seat) for seat in range(sim.seats)])
            elif not sim.over:
                sim.step([int(rng.choice(np.flatnonzero(sim.legal(seat)))) for seat in range(sim.seats)])
    every = [(sim, seat) for sim in sims for seat in range(sim.seats)]
    states = np.stack([sim.state for sim, _ in every])
    masks = np.stack([sim.legal(seat) for sim, seat in every])
    seats = np.array([seat for _, seat in every], np.int32)
    worlds = [sim.world for sim, _ in every if sim.world is not None] or None
    words = [[program(game)] if TEXTS[game] and index % 2 else [] for index in range(len(every))]
    reads = [language.together(game, own) for own in words]
    heard = together([asked(*one, *rest) for one, *rest in zip(every, words, reads, strict=True)])
    return (states, seats, masks, worlds, heard.goal), heard.instructions


@pytest.mark.parametrize("ref", NETWORKS)
def test_todays_networks_become_such_that_read_and_act_as_before(ref, tmp_path):
    game, old = ref.split("/")[0], load(ref, ref.split("/")[0])
    card = surgery.widen(shipped_folder(ref), ref, tmp_path / "wider")
    new = load(str(tmp_path / "wider"), game)
    assert (card["parents"], card["parent_sha256"]) == ([ref], old.card["sha256"])
    assert card["told_version"] == language.features_version(game)
    given, told = rows_of(game, old.card.get("options", {}))
    before = old.logits_many(*given)
    loud = np.random.default_rng(2).normal(size=(len(before), language.num_features(game)))
    for words in (None, told, loud.astype(np.float32)):
        assert np.array_equal(new.logits_many(*given, words), before), "to the last bit"
    assert np.array_equal(old.logits_many(*given, told), before), "what does not read it is not moved by it"


@pytest.mark.parametrize(("game", "options"), VARIANTS, ids=str)
def test_in_one_batch_those_who_are_told_act_otherwise_and_the_others_as_ever(game, options, tmp_path):
    fresh.fresh(game, options, tmp_path / "first")
    surgery.widen(tmp_path / "first", f"{game}/first", tmp_path / "wider")
    policy = load(str(tmp_path / "wider"), game)
    assert policy._told.shape[0] == language.num_features(game)
    given, told = rows_of(game, options)
    alone = policy.logits_many(*given)
    policy._told = np.random.default_rng(3).normal(size=policy._told.shape).astype(np.float32)
    mixed = policy.logits_many(*given, told)
    hears = np.zeros(len(mixed), bool) if told is None else told.any(1)
    assert hears.any() == bool(TEXTS[game]) and not hears.all()
    assert np.array_equal(mixed[~hears], alone[~hears])
    legal = given[2] != 0
    changed = ((mixed != alone) & legal).any(1)
    assert np.array_equal(changed, hears)


def test_what_is_widened_already_or_has_no_network_is_refused(tmp_path):
    surgery.widen(shipped_folder("say_select/beginner"), "say_select/beginner", tmp_path / "wider")
    with pytest.raises(Refusal, match="reads what it is told already"):
        surgery.widen(tmp_path / "wider", "wider", tmp_path / "again")
    with pytest.raises(Refusal, match="reads what it is told as goals already"):
        surgery.widen(shipped_folder("arena/mates"), "arena/mates", tmp_path / "again")
    with pytest.raises(Refusal, match="has no network"):
        surgery.widen(shipped_folder("hanabi/convention-bot"), "hanabi/convention-bot", tmp_path / "again")
    card = read_card(tmp_path / "wider")
    assert surgery.hearing({}, card) == ({}, card)
    with pytest.raises(Refusal, match=r"in version 7; this is version 0\."):
        surgery.hearing({}, {**card, "told_version": 7})


def test_inputs_are_added_before_what_is_told(tmp_path):
    """An agent that reads what it is told is brought up to the inputs that its game has now, too."""
    card = fresh.fresh("arena", SQUADS, tmp_path / "first")
    names = [f"input {index}" for index in range(inputs_for("arena", SQUADS).size)]
    tensors, card = surgery.hearing(load_file(tmp_path / "first" / WEIGHTS), card)
    told = np.arange(language.num_features("arena"), dtype=np.float32)
    tensors["hidden.0.weight"][:, len(names) :] = told
    fewer = np.delete(tensors["hidden.0.weight"], range(10), axis=1)
    old = {**tensors, "hidden.0.weight": fewer}
    new, renewed = surgery.renew(
        old, {**card, "inputs": list(INPUT_NAMES[10:]), "choices": list(CHOICE_NAMES)}
    )
    read = new["hidden.0.weight"]
    assert not read[:, :10].any() and np.array_equal(read[:, 10:], fewer)
    assert (renewed["inputs"], renewed["told_version"]) == (list(INPUT_NAMES), card["told_version"])


@pytest.mark.parametrize(
    ("version", "sentence"),
    [(0, "in version 0; this is version 1"), ("1", "its told_version is '1'; it must be a whole number")],
)
def test_a_card_of_another_version_is_refused_with_a_sentence(tmp_path, version, sentence):
    heeding("hanabi", {"players": 2}, tmp_path / "a", [5], {TEXTS["hanabi"]: [6]})
    card = read_card(tmp_path / "a")
    (tmp_path / "a" / "card.json").write_text(json.dumps({**card, "told_version": version}))
    with pytest.raises(Refusal, match=sentence):
        load(str(tmp_path / "a"))


def test_weights_that_do_not_hold_what_the_card_says_are_refused(tmp_path):
    heeding("hanabi", {"players": 2}, tmp_path / "a", [5], {TEXTS["hanabi"]: [6]})
    card = read_card(tmp_path / "a")
    del card["told_version"]
    (tmp_path / "a" / "card.json").write_text(json.dumps(card))
    with pytest.raises(Refusal, match=r"hidden\.0\.weight is"):
        load(str(tmp_path / "a"))


@pytest.fixture
def agent(tmp_path):
    """A function: the folder of an agent that stands still until it is told something."""

    def make(game: str, options: dict) -> str:
        told = {TEXTS[game]: OTHER[game], AGAIN[game]: THIRD[game]}
        heeding(game, options, tmp_path / game, STILL[game], told)
        return str(tmp_path / game)

    return make


def choice(game: str, chosen: dict[str, list[int]]):
    """The action of these choices."""
    heads = games.spec(game).heads
    first = np.cumsum([0, *heads[:-1]])
    return [int(c - f) for c, f in zip(chosen[game], first, strict=True)] if heads else chosen[game][0]


@pytest.mark.parametrize(("game", "options"), [("overcooked", {"layout": "cramped_room"}), ("arena", SQUADS)])
def test_in_live_play_what_is_said_replaced_and_withdrawn_counts_from_the_next_move(game, options, agent):
    folder, server, sim = agent(game, options), Server(), Simulation(game, options, seed=1)
    policy = load(folder, game)
    whole = {"game": game, "options": sim.options, "seed": sim.seed, "deck": sim.deck}
    said = {"id": "a", "program": program(game)}
    other = {"id": "b", "program": program(game, AGAIN[game])}
    turns = [([], STILL), ([said], OTHER), ([said], OTHER), ([other], THIRD), ([], STILL), ([said], OTHER)]
    for tick, (words, chosen) in enumerate(turns):
        # Two seats of one batch: one hears, the other never does.
        ask = [{"seat": 1, "agent": folder, "programs": words}, {"seat": 0, "agent": folder, "programs": []}]
        request = {
            "id": tick,
            "match": "m",
            "from": max(0, tick - 1),
            "actions": sim.actions[-1:],
            "ask": ask,
        }
        (reply,) = server.answer([json.loads(json.dumps(request | whole if tick == 0 else request))])
        assert reply["actions"] == {"1": choice(game, chosen), "0": choice(game, STILL)}, reply["errors"]
        own = [one["program"] for one in words]
        assert act(policy, [sim, sim], [1, 0], None, [own, []]) == list(reply["actions"].values())
        sim.step([sim.idle(seat) if sim.spec.heads else STILL[game][0] for seat in range(sim.seats)])


def test_what_networks_read_is_put_together_when_it_changes_and_not_at_every_tick(monkeypatch):
    made = []
    monkeypatch.setattr(language, "together", lambda game, programs: made.append(programs) or np.ones(3))
    game, said = LiveGame(Simulation("overcooked")), [program("overcooked")]
    for programs in ([], [], said, json.loads(json.dumps(said)), said, [], said):
        game.inputs(1, programs)
    assert made == [[], said, [], said]


def test_a_server_of_turns_hears_it_in_a_batch_of_told_and_untold(agent):
    folder, server = agent("hanabi", {"players": 3}), Server()
    sim = Simulation("hanabi", {"players": 3}, seed=1)
    request = {"agent": folder, "game": "hanabi", "options": sim.options, "seed": 1, "deck": sim.deck}
    request |= {"actions": [], "seat": 0}
    words = [[], [program("hanabi")], [], [program("hanabi", AGAIN["hanabi"])]]
    requests = [{**request, "id": n, "match": n, "programs": own} for n, own in enumerate(words)]
    replies = sorted(server.answer(requests), key=lambda reply: reply["id"])
    assert [reply["action"] for reply in replies] == [5, 6, 5, 7]
    assert act(load(folder), [sim] * 4, [0] * 4, None, words) == [5, 6, 5, 7], "in this process, too"
