"""What experiments make of agents that are told something: one convention each, or any."""

import json

import pytest

from engine.experiments import everywhere, instructed, robust, settings, told
from engine.experiments.figures import drawn
from engine.experiments.work import Work
from engine.games.overcooked.experiments.everywhere import kitchens

pytestmark = pytest.mark.slow


def arms(**kinds: list[int]) -> dict:
    matrix = {"labels": ["a"], "rows": [[1.0]]}
    known = {"nothing": 1, "color": 2, "rank": 3, "both": 4}
    return {
        arm: {
            "self_play": 22.0,
            "plays_after": {"hint_color": colour, "hint_rank": rank},
            "known": known,
            "matrix": matrix,
        }
        for arm, (colour, rank) in kinds.items()
    }


def test_an_instruction_chooses_where_hints_of_its_kind_lead_to_plays_and_they_fit():
    asked = {
        "kinds": {"colour": "hint_color", "rank": "hint_rank"},
        "bars": {"self_play": 21.5, "apart": 0.5, "kind": 0.8, "listener": 1.0, "wrong": 3.0},
    }
    kinds = {"colour": [90, 10], "rank": [5, 95], "untold": [50, 50]}
    crossed = {one: {other: 22.0 if one == other else 12.0 for other in kinds} for one in kinds}
    heard = {"colour": {"colour": 21.5, "rank": 12.0}, "rank": {"colour": 13.0, "rank": 21.2}}
    row = {
        "setting": "hands",
        "arms": arms(**kinds),
        "cross_play": crossed,
        "listener": heard,
        "asked": asked,
    }
    rows = [{**row, "seed": seed, "cross_play": json.loads(json.dumps(crossed))} for seed in (1, 2, 3)]
    found = instructed.summary(rows, quick=False)
    assert found["settings"]["hands"]["arms"]["rank"]["listener"]["wrong"]["mean"] == pytest.approx(8.2)
    assert found["holds"] and "untold: plays well" not in found["settings"]["hands"]["met"]
    rows[0]["cross_play"]["rank"]["rank"] = 18.0
    found = instructed.summary(rows, quick=False)["settings"]["hands"]
    assert not found["met"]["rank: fits its like"] and found["met"]["colour: fits its like"]


@pytest.mark.parametrize("which", [0, 1])
def test_agents_that_were_told_different_things_are_trained_and_met(tmp_path, which):
    setting = settings("instructed", True)[which]
    small = {**setting["training"], "moves": 512, "envs": 8, "steps": 16, "evaluation_games": 2}
    arms = {arm: setting["arms"][arm] for arm in ("colour", "untold")}
    setting = {**setting, "training": small, "arms": arms, "episodes": 4}
    if which:
        start = {"envs": 8, "rollout": 16, "steps": 256, "minibatch": 64, "evaluation_episodes": 2}
        setting["start"] = {**setting["start"], **start}
    told = {} if which else {"colour": {"colour"}}
    rows = {seed: tmp_path / f"row-{seed}" for seed in (1, 2)}
    found = {seed: instructed.run(setting, seed, True, Work(folder)) for seed, folder in rows.items()}
    assert set(found[1]["arms"]) == {"colour", "untold"}
    assert {arm: set(one) for arm, one in found[1]["listener"].items()} == told
    card = json.loads((rows[2] / "colour" / "agent" / "card.json").read_text())
    assert card["hyperparameters"]["seed"] == 2 and "told_version" not in card
    assert instructed.run(setting, 1, True, Work(rows[1])) == found[1]
    met = instructed.meet(setting, rows, True, Work(tmp_path / "met"))
    assert set(met) == {1, 2} and set(met[1]["cross_play"]) == set(met[2]["cross_play"]["colour"]) == set(
        arms
    )


def test_a_variant_is_as_much_less_as_the_same_instruction_with_another_seed_is_more():
    def kinds(seed: int, short: float) -> dict:
        same, less = ({"itself": 20, "met": 20 + seed - by, "reads": "I do."} for by in (0, short))
        return {"colour": {robust.SAME: same, "in short": less}}

    asked = {"bars": {"in short": 0.5}}
    for short, holds in ((0.4, True), (0.6, False)):
        rows = [
            {"setting": "hands", "seed": seed, "kinds": kinds(seed, short), "asked": asked} for seed in (1, 2)
        ]
        found = robust.summary(rows, quick=False)
        assert found["holds"] == holds
        assert found["settings"]["hands"]["kinds"]["colour"]["in short"]["less"]["mean"] == pytest.approx(
            short
        )


@pytest.mark.parametrize("name", ["hanabi-words", "hanabi-wrong", "hanabi-weights", "say_select-wrong"])
def test_every_variant_is_learned_and_meets_what_was_learned_as_it_stands(tmp_path, name):
    [setting] = [one for one in settings("robust", True) if one["name"] == name]
    small = {"envs": 8, "evaluation_games": 2}
    small |= {"episodes": 640} if "episodes" in setting["training"] else {"moves": 512, "steps": 16}
    kind, text = next(iter(setting["kinds"].items()))
    setting = {**setting, "training": {**setting["training"], **small}, "kinds": {kind: text}, "episodes": 4}
    found = robust.run(setting, 1, True, Work(tmp_path))["kinds"][kind]
    assert set(found) == set(setting["variants"])
    row = {"setting": name, "seed": 1, "kinds": {kind: found}, "asked": setting}
    summed = robust.summary([row, {**row, "seed": 2}], quick=True)
    summed |= {"experiment": "robust", "annotators": "none", "quick": True, "seeds": [1, 2]}
    drawn(robust, summed, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").exists()


def test_what_is_read_as_the_same_program_is_the_same_agent(tmp_path):
    [setting] = [one for one in settings("robust", True) if one["name"] == "hanabi-words"]
    small = {**setting["training"], "moves": 512, "envs": 8, "steps": 16, "evaluation_games": 2}
    words = {"colour": setting["kinds"]["colour"].replace("'", "")}
    variants = {robust.SAME: {}, "without quotes": {"words": words}}
    kinds = {"colour": setting["kinds"]["colour"]}
    setting = {**setting, "training": small, "kinds": kinds, "variants": variants, "episodes": 4}
    found = robust.run(setting, 1, True, Work(tmp_path))["kinds"]["colour"]
    assert found["without quotes"] == found[robust.SAME]
    assert len(list((tmp_path / "agents").iterdir())) == 2


def row(seed: int, changed: float | None, score: float, with_people: float) -> dict:
    one = {"changed": changed, "asked": 9, "score": score, "reading": "I do."}
    groups = {"kinds": {"a": one, "b": {**one, "changed": None}}, "wordings": {"c": one}}
    people = {"agent": {"": 12.0 + seed / 10, "a": with_people + seed / 10}, "alike": 11.0}
    asked = {"bars": {"changed": 0.6, "told": 20.0, "untold": 21.5}}
    told_ = {"strict": groups, "sensible": groups}
    return {
        "setting": "hands",
        "seed": seed,
        "untold": 22 + seed / 100,
        "told": told_,
        "people": people,
        "asked": asked,
    }


def test_one_agent_obeys_where_what_it_gets_wrong_untold_is_right_when_it_is_told():
    rows = [row(seed, 0.7 + seed / 100, 20.5 + seed / 100, 13.0) for seed in range(1, 6)]
    found = told.summary(rows, quick=False)
    assert found["holds"], found["settings"]["hands"]["met"]
    one = found["settings"]["hands"]["told"]["strict"]
    assert one["changed"]["mean"] == pytest.approx(0.73) and one["kinds"]["b"]["changed"] is None
    rows = [row(seed, 0.5, 19.0, 11.0) for seed in range(1, 6)]
    met = told.summary(rows, quick=False)["settings"]["hands"]["met"]
    wrong = {"strict: changed", "strict: score", "sensible: changed", "sensible: score"}
    assert {name for name, holds in met.items() if not holds} == wrong | {"with people, told"}


def test_one_cook_is_measured_in_a_known_kitchen_and_in_a_new_one(tmp_path):
    setting = {"game": "overcooked", **kitchens(told=1, episodes=2, new=2, known=1)}
    setting["options"] = {"horizon": 150}
    setting["unseen"] = ["new 3", "new 6"]
    row = {"setting": "kitchens", "seed": 1, "asked": setting}
    row |= json.loads(json.dumps(everywhere.run(setting, 1, True, Work(tmp_path))))
    found = everywhere.summary([row], quick=True)
    assert set(found["settings"]["kitchens"]["met"]) == {"obeys", "costs little", "plays elsewhere"}
    assert 0 < found["settings"]["kitchens"]["elsewhere"]["mean"] < 3
    found |= {"experiment": "everywhere", "annotators": "none", "quick": True, "seeds": [1]}
    drawn(everywhere, found, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_a_cook_that_obeys_less_than_the_program_or_only_at_home_misses_its_bars():
    def row(completed: float, score: float, elsewhere: float) -> dict:
        program = {"told": {"completed": 0.9, "score": 100}, "untold": {"completed": 0.3, "score": 200}}
        program |= {"by": {"stop": 1.0}, "alone": 200}
        agent = {**program, "told": {"completed": completed, "score": score}}
        places = {"ring": {"agent": agent, "program": program}}
        bars = {"bars": {"obeyed": 0.85, "cost": 0.1, "elsewhere": 0.6}}
        unseen = {"new": {"agent": elsewhere, "program": 100}}
        return {"setting": "kitchens", "seed": 1, "asked": bars, "known": places, "unseen": unseen}

    assert everywhere.summary([row(0.8, 95, 70)], quick=False)["holds"]
    for worse, missed in (
        ((0.7, 95, 70), "obeys"),
        ((0.8, 80, 70), "costs little"),
        ((0.8, 95, 50), "plays elsewhere"),
    ):
        met = everywhere.summary([row(*worse)], quick=False)["settings"]["kitchens"]["met"]
        assert [name for name, holds in met.items() if not holds] == [missed]
