"""Co-training: what the language side is paid for, that it learns that, what comes out, and resuming."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine import brings
from engine.agents.catalogue import load
from engine.games.arena import subgoal_table as table
from engine.games.arena.evaluation import texts as measure
from engine.games.arena.language.goal_texts import spoken
from engine.language.goal_head import GoalHead, measured
from engine.learning.algorithms.cotrain import CoTrain, Settings, train
from engine.learning.parts import goal_language
from engine.learning.parts.telling import Ended, by_dimensions
from engine.learning.run.reporting import Reporter
from engine.refusal import Refusal
from engine.simulation.log import encode_line
from engine.simulation.simulation import Simulation
from engine.snapshots import write

SMALL = {"envs": 2, "steps": 32, "moves": 256, "texts": 24, "minibatches": 2, "evaluation_games": 2}
CROUCHED = table.INDEX["Whether crouch position"]


def settings(**more) -> Settings:
    return Settings(**{"game": "arena", "base": "arena/mates", "options": {"pace": "short"}, **SMALL, **more})


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, dict]:
    """The folder of a whole training that was stopped on the way, and its result."""
    out, told = tmp_path_factory.mktemp("cotrain"), io.StringIO()
    config = settings(reset_every=1)
    stopped = Reporter(io.StringIO())
    begun = CoTrain(config)
    begun.start(out, stopped)
    begun.step()
    begun.save(out)
    train(config, out, Reporter(told))
    lines = [json.loads(line) for line in told.getvalue().splitlines()]
    assert any("Going on after update 1 of 4" in line.get("text", "") for line in lines)
    return out / "agent", lines[-1]


def test_both_sides_come_out_and_a_training_goes_on_where_it_stopped(made):
    folder, result = made
    assert result["type"] == "result" and result["shipped_only"] and result["resets"] == 1
    assert {"HI", "SI", "AI", "RI"} == set(result["sets"]) and "the shipped sets alone" in result["notes"][-1]
    assert list(result["probabilities"][0]) == list(brings.GoalSpace.of("arena").TRACKED)
    now, before = (GoalHead.load(folder / "language" / f"{name}.npz") for name in ("goals", "supervised"))
    assert not np.array_equal(now.layers[2], before.layers[2])
    assert load(str(folder), "arena").card["algorithm"] == "cotrain"


def windows(training: CoTrain, wanted: np.ndarray, text: int, **more) -> Ended:
    """Windows that had these goals (k, sub-goals) of one text, as the language side would draw them."""
    drawn = training.draw(np.full((len(wanted), table.COUNT), -1, np.int8))
    k, nothing = len(wanted), np.zeros(len(wanted), np.float32)
    came = {"closer": nothing, "kept": nothing, "met": nothing > 0, "open": nothing == 0}
    came["values"] = np.full((k, table.COUNT), -1, np.int8)
    with torch.no_grad():
        odds, _ = training.language(torch.from_numpy(drawn.inputs))
    drawn_with = goal_language.logprob(odds, torch.from_numpy(wanted)).sum(1).numpy()
    return Ended(np.full(k, text), drawn.inputs, wanted, drawn_with, **{**came, **more})


@pytest.fixture(scope="module")
def training() -> CoTrain:
    begun = CoTrain(settings(examination=1.0, novelty=0.0))
    begun.gather()
    return begun


def test_the_examination_pays_for_what_a_text_asks_for_and_more_where_it_is_reached(training):
    text = int(np.flatnonzero(training.said.sets == "SI")[0])
    right = training.said.wanted[text]
    others = np.full_like(right, -1)
    goals = np.array([right, right, others])
    values = np.array([right, others, right])
    found = training.examine(windows(training, goals, text, values=values))
    assert np.allclose(found.reward, [2, 1, -1]) and np.allclose(found.kept, [1, 1, 0])
    apart = int(np.flatnonzero(training.said.sets == "AI")[0])
    assert np.isnan(training.examine(windows(training, goals, apart)).reward).all()


def test_what_is_paid_for_becomes_likelier_and_what_contradicts_itself_rarer():
    training = CoTrain(settings(novelty=0.0, examination=0.0, language_lr=3e-3))
    training.gather()
    goals = np.full((64, table.COUNT), -1, np.int8)
    goals[::2, CROUCHED] = 0
    goals[1::4, CROUCHED] = goals[1::4, table.INDEX["Whether prone position"]] = 0  # nobody can do both
    clash = training.space.contradicts(goals)
    assert clash.sum() == 16 and not clash[::2].any()

    def odds() -> np.ndarray:
        rows = training.followed
        return goal_language.head_of(training.language).odds(rows)[:, :, 1].mean(0)

    before = odds()
    for _ in range(12):
        paid = windows(training, goals, 0, closer=1.0 * ((goals[:, CROUCHED] == 0) & ~clash))
        figures = training.rlaf(paid)
    assert figures["contradictions"] == 0.25
    prone = table.INDEX["Whether prone position"]
    after = odds() - before
    assert after[CROUCHED] > 0.1 and after[prone] < -0.1


def test_windows_are_measured_from_where_they_began(training):
    """With goals that hold at the start, that never come, and none."""
    collector, telling = training.games(9), training.telling
    states, world = collector.batch.states, collector.world
    asks = {"hand": lambda hand: hand, "other": lambda hand: np.where(hand == 0, 1, 0)}
    for name, ask in asks.items():

        def tell(hand, ask=ask):
            wanted = np.full_like(hand, -1)
            wanted[:, CROUCHED] = ask(hand)[:, CROUCHED]
            return replace(training.draw(hand), wanted=wanted)

        own = type(telling)("arena", telling.asking, collector.goals.shape[:2], 1.0, tell,
                            training.language.up.in_features, np.random.default_rng(1))  # fmt: skip
        goals = np.zeros_like(collector.goals)
        own.renew(states, world, goals, 0)
        assert (own.text >= 0).all()
        later = states.copy()
        for _ in range(3):
            own.renew(later, world, goals, 0)
        later[:, :] = states
        goals[:, :, 4] = 0  # UNTIL: the windows end
        own.renew(later, world, goals, 0)
        ended = own.take()
        assert len(ended.text) == goals.shape[0] * goals.shape[1] and not len(own.take().text)
        holds = name == "hand"
        assert (ended.met == holds).all() and (ended.open != holds).all()
        assert (ended.closer == 0).all() and (ended.kept == 0).all()
        assert by_dimensions(ended) == ({} if holds else {"completion": 0.0, "completion_1": 0.0})


def test_controls_are_named_and_bases_must_read_goals():
    with pytest.raises(Refusal, match="There is no control 'none'; there are language"):
        settings(control="none")
    with pytest.raises(Refusal, match="reads no goal vectors"):
        CoTrain(settings(base="arena/squad"))


@pytest.mark.parametrize("control", ["apart", "agent", "language", "shuffled"])
def test_controls_leave_out_what_they_say(control, tmp_path):
    training = CoTrain(settings(control=control, texts=12))
    training.start(tmp_path, Reporter(io.StringIO()))
    agent, head = (
        {k: v.clone() for k, v in net.state_dict().items()} for net in (training.net, training.language)
    )
    for _ in range(2):
        training.step()
    moved = [
        any(not (old[name] == now).all() for name, now in net.state_dict().items())
        for old, net in ((agent, training.net), (head, training.language))
    ]
    language = training.lessons > 0
    assert (moved[0], language) == {
        "apart": (moved[0], True), "agent": (moved[0], False), "language": (False, True),
        "shuffled": (moved[0], True),
    }[control]  # fmt: skip
    assert (training.on_goals is None) == (control == "apart")
    assert (training.heard != np.arange(len(training.heard))).any() == (control == "shuffled")


def test_what_people_typed_is_known_unless_it_was_taken_back_or_marked_down(tmp_path):
    sim = Simulation("arena", {"teams": 2, "team_size": 4, "pace": "short"}, seed=1)
    _, program = next(iter(spoken()))
    header = {
        "type": "header", "game": "arena", "options": sim.options, "seed": 1, "seats": [{}] * 8,
        "rules_version": 1, "format": 1,
    }  # fmt: skip
    said = [
        {"type": "instruction", "tick": 0, "seat": 0, "target_seat": 1, "id": str(number), "text": text,
         "status": "confirmed", "reading": {"program": program}}
        for number, text in enumerate(("good", "marked down", "taken back", "not that"))
    ]  # fmt: skip
    said.append({**said[2], "status": "withdrawn"})
    said.append({"type": "judged", "tick": 0, "id": "3", "sign": -1})
    log = "".join(map(encode_line, (header, *said))).encode()
    mark = {"id": "m", "episode": "e", "annotator": "A", "seat": 1, "tick": 1, "sign": -1, "simulated": False}
    write(tmp_path, [("e", log)], [], [])
    found = dict(goal_language.typed(str(tmp_path), "arena"))
    assert found["good"] and found["taken back"] is None is found["not that"] and found["marked down"]
    write(tmp_path, [("e", log)], [mark], [])
    assert dict(goal_language.typed(str(tmp_path), "arena"))["marked down"] is None


def test_texts_are_measured_told_and_untold_for_agents_side_by_side(made, tmp_path):
    folder, _ = made
    file = tmp_path / "texts.tsv"
    file.write_text("crouch\tWhether crouch position=True\nlie down\tWhether prone position=True\n")
    sides = [
        (load(str(folder), "arena"), folder / "language" / name) for name in ("goals.npz", "supervised.npz")
    ]
    found = measure.texts(sides, None, 4, 1, file)
    assert [row["agent"] for row in found["agents"]] == ["candidate", "candidate"]
    assert found["texts"] == 2 and len(found["differences"]) == 1
    for row in found["agents"]:
        assert 0 <= row["contradictions"] <= 1
        assert row["every"]["n"] == row["n"] + row["often"]["n"] > 0
        assert {"told", "untold", "another", "known"} <= set(row["every"])
    assert len(measure.lines(found)) >= 4


def test_precision_and_recall_count_values_and_choices():
    right = np.array([[0, -1, 2], [-1, -1, 1]], np.int8)
    said = np.array([[1, -1, 2], [-1, 3, -1]], np.int8)
    found = measured(said, right)
    assert found["precision"] == pytest.approx(1 / 3) and found["recall"] == pytest.approx(1 / 3)
    assert found["precision_choice"] == pytest.approx(2 / 3) and found["exact_choice"] == 0.5
    assert found["exact"] == 0.0
