"""Agents on disk: the shipped ones load and act; whatever is wrong with a folder is said in one sentence."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from engine.agents.catalogue import aliases, load, read_card, shipped, shipped_folder, write_agent
from engine.agents.files import sha256_of
from engine.agents.policy import choose
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation

CHAMPION = shipped_folder(aliases()["hanabi/champion"])


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "agent"
    shutil.copytree(CHAMPION, folder)
    return folder


def change_card(folder, **values):
    card = read_card(folder) | values
    (folder / "card.json").write_text(json.dumps(card))


@pytest.mark.parametrize("ref", [*shipped("hanabi"), "champion", "hanabi/champion"])
def test_a_shipped_agent_plays_a_whole_game(ref):
    policy = load(ref)
    sim = Simulation("hanabi", seed=2)
    while not sim.over:
        sim.act(sim.current, choose(policy.logits([sim], [sim.current]))[0])
    assert sim.over and len(sim.actions) > 2


def test_every_shipped_card_says_what_people_need():
    for ref, card in shipped("hanabi").items():
        assert card["game"] == "hanabi" and card["kind"] in ("scripted", "network", "people"), ref
        assert card["title"] and card["description"] and card["instructions"], ref
        assert card["explanation"] if card["kind"] == "scripted" else card["command"], ref


def test_the_shipped_champion_is_a_small_learned_network_with_its_results():
    card = read_card(CHAMPION)
    assert card["kind"] == "network"
    assert sha256_of(CHAMPION / "weights.safetensors") == card["sha256"]
    assert (CHAMPION / "weights.safetensors").stat().st_size < 10_000_000
    assert card["evaluation"]["self_play"]["mean"] >= 21.0
    assert card["evaluation"]["self_play"]["episodes"] >= 4_000


def test_a_folder_loads_like_a_shipped_agent(copy):
    sim = Simulation("hanabi", seed=2)
    assert np.array_equal(load(str(copy)).logits([sim], [0]), load("champion").logits([sim], [0]))


def test_loading_and_acting_import_no_torch():
    program = (
        "import sys; from engine.agents.catalogue import load; "
        "from engine.simulation.simulation import Simulation; "
        "load('champion').logits([Simulation('hanabi')], [0]); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    "ref", ["nobody", "hanabi/nobody", "/no/such/folder", "hanabi/../hanabi/random", "", "/"]
)
def test_an_agent_that_is_not_there_is_refused(ref):
    with pytest.raises(Refusal, match="no agent|no card"):
        load(ref)


def test_missing_weights_are_refused(copy):
    (copy / "weights.safetensors").unlink()
    with pytest.raises(Refusal, match="no weights"):
        load(str(copy))


def test_tampered_weights_are_refused(copy):
    path = copy / "weights.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(Refusal, match="not those that its card describes"):
        load(str(copy))


def test_weights_in_another_format_are_refused(copy):
    path = copy / "weights.safetensors"
    path.write_bytes(b"\x80\x04 a pickle")
    change_card(copy, sha256=sha256_of(path))
    with pytest.raises(Refusal, match="not a safetensors file"):
        load(str(copy))


@pytest.mark.parametrize(
    "values",
    [
        {"game": "overcooked"},
        {"rules_version": 0},
        {"features_version": 0},
        {"kind": "scripted", "bot": "nobody"},
        {"options": {"players": 3}},
    ],
    ids=str,
)
def test_a_card_that_does_not_fit_is_refused(copy, values):
    change_card(copy, **values)
    with pytest.raises(Refusal) as refusal:
        load(str(copy))
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "values",
    [
        {"players": None},
        {"players": -1},
        {"players": []},
        {"players": [-1]},
        {"players": ["2"]},
        {"players": [True]},
        {"options": None},
        {"options": {"players": 10**18}},
        {"options": {"players": [2]}},
        {"game": None},
        {"game": ["hanabi"]},
        {"game": "chess"},
        {"kind": []},
        {"bot": {}},
        {"title": 5},
        {"parents": [None]},
        {"parents": "hanabi/learner-1"},
        {"hyperparameters": []},
        {"training": {"curve": [[1]]}},
        {"evaluation": []},
        {"evaluation": {"self_play": "good"}},
        {"evaluation": {"self_play": {"mean": "good"}}},
        {"evaluation": {"cross_play": [1]}},
        {"evaluation": {"layouts": {"a": 5}}},
        {"evaluation": {"action_matrix": {"labels": ["a"], "rows": []}}},
        {"evaluation": {"instructed": {"untold": {"mean": 1}, "instructions": [{"text": "go"}]}}},
        {"evaluation": {"instructed": {"untold": 20, "instructions": []}}},
        {"evaluation": {"instructed": []}},
        {"evaluation": {"counts": {"known_before_play": {"both": "many"}}}},
    ],
    ids=str,
)
def test_a_card_of_another_shape_is_refused_with_a_sentence(copy, values):
    change_card(copy, **values)
    with pytest.raises(Refusal) as refusal:
        read_card(copy)
    said = str(refusal.value)
    assert said.startswith("The card of ") and said.endswith(".") and "\n" not in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 10_000, "in one another"),
        ("null", "must be an object"),
        ('{"game": "hanabi", "options": {"players": 1%s}}' % ("0" * 30), "too large"),
        ('{"game": "hanabi", "mean": NaN}', "NaN is no number"),
        ('{"game": "hanabi", "name": "\\ud800"}', "half a character"),
    ],
)
def test_a_card_that_no_reader_could_hold_is_refused(copy, text, words):
    (copy / "card.json").write_text(text)
    with pytest.raises(Refusal, match=words):
        load(str(copy))


def test_a_card_that_is_no_text_or_no_file_is_refused(copy):
    (copy / "card.json").write_bytes(b"\xff")
    with pytest.raises(Refusal, match="isn't text in UTF-8"):
        read_card(copy)
    (copy / "card.json").unlink()
    (copy / "card.json").mkdir()
    with pytest.raises(Refusal, match="has no card.json"):
        read_card(copy)


@pytest.mark.parametrize(
    "ref", ["x" * 5000, "/" + "x" * 5000, "./a\0b", "a\0b", "../" * 50, "hanabi/" + "y" * 300]
)
def test_a_ref_that_no_file_system_has_is_unknown(ref):
    with pytest.raises(Refusal) as refusal:
        load(ref)
    assert len(str(refusal.value)) < 600


def test_a_card_that_is_not_json_is_refused(copy):
    (copy / "card.json").write_text("{")
    with pytest.raises(Refusal, match="isn't JSON"):
        load(str(copy))


def test_tensors_of_the_wrong_shape_are_refused(copy):
    card = read_card(copy)
    write_agent(copy, {"policy.weight": np.zeros((21, 3), np.float32)}, card)
    with pytest.raises(Refusal, match="don't fit"):
        load(str(copy))


def test_a_game_with_more_players_than_an_agent_knows_is_refused():
    with pytest.raises(Refusal, match="plays with 2 players, not 3"):
        load("champion").logits([Simulation("hanabi", {"players": 3})], [0])
