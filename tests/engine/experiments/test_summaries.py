"""What experiments make of their rows, and their parts that play; the numbers aren't judged here."""

import numpy as np
import pytest

from engine import games
from engine.agents.catalogue import load
from engine.agents.features import reward_inputs_for
from engine.agents.utility import RewardModel
from engine.evaluation.annotators import Annotator
from engine.evaluation.simulated_episodes import play_logs, write_snapshot
from engine.experiments import data, hacking, parts, people, plans, reward_model, rounds, settings
from engine.experiments.work import Work
from engine.language import num_features
from engine.snapshots import Snapshot


def scored(**scores: float) -> dict:
    return {name.replace("_", " "): {"score": score, "progress": score} for name, score in scores.items()}


def test_rounds_claim_marks_only_where_both_controls_are_excluded():
    def row(seed: int, same: float) -> dict:
        arms = scored(base=10, cloning=11, same_model=same, marked_again=30, round_1=20 + seed)
        arms |= {
            "new, marked": {"score": 40 + seed},
            "new, shuffled": {"score": 21},
            "round 3": {"score": 50},
        }
        return {"setting": "kitchen", "seed": seed, "arms": arms, "marks": {}}

    assert rounds.summary([row(seed, 25) for seed in (1, 2, 3)], quick=False)["holds"]
    found = rounds.summary([row(seed, 25 + 30 * (seed % 2)) for seed in (1, 2, 3)], quick=False)
    assert not found["settings"]["kitchen"]["met"]["new, marked - same model"]


def test_a_seed_without_marks_of_both_signs_is_said_to_have_no_model():
    one = {"matched_accuracy": 0.7, "regress_accuracy": None, "delta_auc": 0.8}
    row = {"setting": "kitchen", "counts": {"people": 2}, "models": {"agents to people": one}}
    both = row["models"] | {"people to agents": one}
    rows = [{**row, "seed": seed, "models": both, "refused": {}} for seed in (1, 2)]
    found = people.summary([*rows, {**row, "seed": 3, "refused": {"people": "All are of progress."}}], True)
    models = found["settings"]["kitchen"]["models"]
    assert len(models["agents to people"]["matched_accuracy"]["by_seed"]) == 3
    assert len(models["people to agents"]["matched_accuracy"]["by_seed"]) == 2
    assert "seed 3, people: All are of progress." in found["table"]


def test_a_bar_that_nothing_could_be_measured_by_is_neither_met_nor_missed():
    def metrics(**values: float | None) -> dict:
        return {"matched_accuracy": 0.9, "regress_accuracy": 0.8, "delta_auc": 0.7, "swap_auc": None} | values

    models = {name: {"model": metrics()} for name in ("clean", "noisy", "rare")}
    row = {"setting": "arena", "models": models, "calibration": []}
    found = reward_model.summary([{**row, "seed": seed} for seed in (1, 2)], quick=False)
    assert found["settings"]["arena"]["met"]["clean swap_auc"] is None and not found["holds"]
    assert "bars missed: clean delta_auc" in found["table"]
    assert "bars not measured: clean swap_auc" in found["table"]


def test_true_progress_itself_tells_instructions_apart_as_far_as_games_are_alike(tmp_path):
    policy = load("hanabi/learner-1", "hanabi")
    texts = ["discard your oldest card", "If I hint you a rank, play it"]
    logs = list(play_logs(policy, 6, {"players": 2}, 0.0, texts, always=True, seed=1))
    write_snapshot(tmp_path, logs, (), per_seat=0)
    found = reward_model._itself(str(tmp_path), 1, Work(tmp_path / "work"))
    assert found["swap_accuracy"] > 0.8 and 0.5 < found["swap_auc"] <= 1
    assert found["matched_accuracy"] is None


def test_more_data_is_compared_over_the_weak_agent():
    arms = {"base": {"score": 10}, "25 episodes": {"score": 12, "marks": 90}}
    arms |= {"100 episodes": {"score": 30, "marks": 400}, "disagreement": {"score": 25, "marks": 380}}
    found = data.summary([{"setting": "hands", "seed": 1, "arms": arms}], quick=True)["settings"]["hands"]
    assert found["arms"]["100 episodes"]["mean"] == 20
    assert found["met"]["more brings more"]


def planned(seed: int, chance: float = 150, none: float = 150, partner: float = 100) -> dict:
    """A row of the experiment on plans: two kitchens known, two others, with the plan 200 points."""
    arms = {"plan": 200, "by chance": chance, "none": none, "opposite": 120, "one step ahead": 160}
    known = {"known": True, **arms, "script": 180, "done": {"fill": 1.0}}
    places = {"a": known, "b": known} | dict.fromkeys("cd", {"known": False, **arms, "done": {}})
    with_people = {"plan": 100, "none": 90, "partner": partner}
    asked = {"bars": {"more": 0.1, "people": 2}}
    row = {"setting": "kitchens", "seed": seed, "asked": asked, "places": places}
    return row | {"people": {"a": with_people, "b": {**with_people, "partner": 100}}}


@pytest.mark.parametrize("arm", plans.KNOWN)
def test_each_arm_of_the_experiment_on_plans_plays(arm, tmp_path):
    setting = {**settings("plans", quick=True)[0], "options": {"horizon": 20}}
    found = plans._played(setting, "cramped_room", arm, 1, tmp_path)
    assert found["mean"] == 0 and bool(found["steps"]) == (arm not in ("none", "script", "no decomposition"))


def test_plans_hold_only_against_chance_and_none_elsewhere_and_with_people():
    def summed(*rows: dict) -> dict:
        return plans.summary(list(rows), quick=False)

    found = summed(*(planned(seed) for seed in (1, 2, 3)))
    assert found["holds"] and all(found["settings"]["kitchens"]["met"].values())
    assert found["settings"]["kitchens"]["more"]["none"]["mean"] == pytest.approx(1 / 3)
    assert found["settings"]["kitchens"]["unseen"]["plan"]["mean"] == 200
    assert "script" not in found["settings"]["kitchens"]["unseen"]
    for name, worse in {
        "more than by chance": {"chance": 190},
        "more than none": {"none": 199},
        "with people": {"partner": 101},
    }.items():
        found = summed(*(planned(seed, **worse) for seed in (1, 2, 3)))
        met = found["settings"]["kitchens"]["met"]
        assert not found["holds"] and [bar for bar, is_met in met.items() if not is_met] == [name]
    # Twice as much as by chance on the mean, but not with every seed.
    uneven = summed(*(planned(seed, chance) for seed, chance in ((1, 40), (2, 205), (3, 210))))
    assert uneven["settings"]["kitchens"]["more"]["by chance"]["mean"] > 0.1
    assert not uneven["settings"]["kitchens"]["met"]["more than by chance"]
    alone = summed(planned(1))
    assert not alone["settings"]["kitchens"]["met"]["more than none"], "one seed has no interval"


def test_an_early_stop_goes_by_the_second_model_alone():
    curve = [
        {"moves": 0, "own": 1.0, "others": 1.0, "progress": 1.0, "score": 0},
        {"moves": 5, "own": 2.0, "others": 3.0, "progress": 4.0, "score": 0},
        {"moves": 9, "own": 5.0, "others": 2.0, "progress": 0.5, "score": 0},
    ]
    assert hacking.stop(curve) == 1
    row = {"setting": "hands", "loops": {"circle": {"n": 3, "gain": 0.01}}, "event": {"n": 2, "gain": 1.0}}
    rows = [{**row, "seed": seed, "curve": curve} for seed in (1, 2)]
    found = hacking.summary(rows, quick=True)["settings"]["hands"]
    assert found["holds"]
    assert found["turns"] == [5, 5]
    rows[0]["loops"] = {"circle": {"n": 3, "gain": 0.5}}
    assert not hacking.summary(rows, quick=True)["settings"]["hands"]["met"]["loops"]


@pytest.mark.parametrize("game", ["hanabi", "overcooked", "arena"])
def test_loops_begin_in_marked_episodes_and_go_on(game, tmp_path):
    own = games.part(game, "hacking", "experiments")
    options = own.QUICK[0]["options"]
    logs = list(play_logs(load("random", game, options), 1, options, seed=3))
    write_snapshot(tmp_path, logs, [Annotator()])
    model = RewardModel(reward_inputs_for(game, options).size, num_features(game), 8)
    found = hacking.looped(model, logs, own, 4, 1, Work(tmp_path / "work"))
    assert sum(one["n"] for one in found["loops"].values()) >= 4
    assert all(np.isfinite(one["gain"]) for one in [*found["loops"].values(), found["event"]])
    assert set(found["loops"]) == set(own.LOOPS)


@pytest.mark.parametrize("game", ["overcooked", "arena"])
def test_the_others_go_on_as_they_did_while_one_goes_in_a_loop(game):
    own = games.part(game, "hacking", "experiments")
    options, seat = own.QUICK[0]["options"], 1
    (log,) = play_logs(load("random", game, options), 1, options, seed=3)
    begin = 4 * games.spec(game).decision_ticks
    further, at = hacking._going_on(log, begin, seat, own.LOOPS["stand still"], 5)
    before, after = (np.array(one.steps[: len(further.steps)]) for one in (log, further))
    assert at == begin and len(after) == begin + 5 * games.spec(game).decision_ticks
    others = np.arange(before.shape[1]) != seat
    assert (before[:, others] == after[:, others]).all() and (before[:begin] == after[:begin]).all()
    assert (before[begin:, seat] != after[begin:, seat]).any()


@pytest.mark.parametrize("game", ["hanabi", "overcooked"])
def test_recorded_people_are_marked_in_their_own_seats(game, tmp_path):
    (setting, *_) = games.part(game, "people", "experiments").QUICK
    logs = people.games_of_people(game, setting["options"], 2)
    assert len(logs) == 2
    work = Work(tmp_path)
    folder = parts.marked_logs(work, "marked", logs, parts.people_like(game), 1, 1)
    seats = {log.header["episode"]: log.header["seats"] for log in logs}
    reviews = [
        (row["episode"], seat) for row in Snapshot(tmp_path / "marked").reviews() for seat in row["seats"]
    ]
    assert folder == str((tmp_path / "marked").resolve())
    assert {(episode, seat) for episode, seat in reviews} == {
        (episode, number)
        for episode, row in seats.items()
        for number, seat in enumerate(row)
        if seat["kind"] == "person"
    }


def test_snapshots_are_put_together_and_taken_apart(tmp_path):
    work, folders = Work(tmp_path), []
    for seed in (1, 2):
        logs = list(play_logs(load("random", "hanabi", {}), 3, {}, seed=seed))
        write_snapshot(tmp_path / str(seed), logs, [Annotator()])
        folders.append(str(tmp_path / str(seed)))
        played = [log.header["episode"] for log in logs]
        assert [log.header["episode"] for log in parts.episodes_of(folders[-1])] == played
    whole = parts.together(work, "whole", folders)
    marks = Snapshot(whole).marks()
    assert len(marks) == sum(len(Snapshot(folder).marks()) for folder in folders)
    chosen = sorted({row["episode"] for row in marks})[:2]
    some = Snapshot(parts.some_of(work, "some", whole, chosen))
    assert sorted({row["episode"] for row in some.marks()}) == chosen == some.episodes
    assert {row["episode"] for row in some.reviews()} == set(chosen)
    assert some.written(chosen[0]) == Snapshot(whole).written(chosen[0])
