"""Experiments as anyone runs them: found by name, resumed, summed up with controls; the numbers aren't judged
here.
"""

import json
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from engine import experiments
from engine.experiments import lost_score, parts, preference, probes, provenance
from engine.experiments.figures import drawn
from engine.experiments.prove import _commands, _met, _others, outcome, prove, row_folder, seeds_of
from engine.experiments.work import Work
from engine.learning.run.reporting import Stopped


def test_an_unknown_experiment_is_named_with_those_that_there_are():
    with pytest.raises(ValueError, match="There is no experiment 'fame'; there are .*lost-score"):
        experiments.find("fame")


def test_the_seed_that_settings_are_chosen_on_is_not_among_those_of_results():
    assert seeds_of(5) == [1, 2, 3, 4, 5]
    assert 6 not in seeds_of(9)
    assert seeds_of(10, first=101) == [*range(101, 111)]


def test_a_step_is_done_once_and_anew_when_it_is_asked_something_else(tmp_path):
    work, done = Work(tmp_path), []

    def do(out):
        done.append(out)
        return {"number": len(done)}

    assert work.step("a", {"x": 1}, do) == work.step("a", {"x": 1}, do) == {"number": 1}
    assert work.step("a", {"x": 2}, do) == {"number": 2}


def test_a_row_says_which_commits_and_machines_made_its_steps_and_how_long_they_took(tmp_path, monkeypatch):
    first = Work(tmp_path)
    monkeypatch.setattr(provenance, "commit", lambda: "old")
    first.step("a", {}, lambda out: {})
    assert first.made == {**provenance.here(0), "commit": "old", "seconds": first.made["seconds"]}
    monkeypatch.setattr(provenance, "commit", lambda: "new")
    again = Work(tmp_path)
    again.step("a", {}, lambda out: pytest.fail("done twice"))
    again.step("b", {}, lambda out: {})
    assert again.made["commit"] == "new; old" and again.made["machine"] == provenance.machine()
    (tmp_path / "a" / "done.json").write_text(json.dumps({"asked": {}, "found": {}}))  # as steps were before
    again.step("a", {}, lambda out: pytest.fail("done twice"))
    assert again.made["commit"] == f"new; {provenance.UNKNOWN}"


def test_the_commit_says_where_code_was_changed_but_not_where_documents_were(tmp_path, monkeypatch):
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    of_now = provenance.commit.__wrapped__
    assert of_now() == provenance.UNKNOWN

    def git(*words: str) -> str:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        asked = ["git", "-C", str(tmp_path), *who, *words]
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout

    git("init")
    (tmp_path / "docs").mkdir()
    for name in ("code.py", "docs/page.md"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "-m", "begin")
    clean = of_now()
    assert git("rev-parse", "HEAD").startswith(clean) and len(clean) == 10
    (tmp_path / "docs" / "page.md").write_text("2")
    assert of_now() == clean
    changed = []
    for name, text in (("code.py", "2"), ("code.py", "3"), ("new.py", "4"), ("new.py", "5")):
        (tmp_path / name).write_text(text)
        changed.append(of_now())
    assert len(set(changed)) == 4 and all(one.startswith(f"{clean}+") for one in changed)


def test_what_came_out_is_said_beside_what_was_claimed():
    good, bad = {"met": {"a": True}, "holds": True}, {"met": {"a": True, "b": False}, "holds": False}
    result = {"seeds": [1, 2], "not_run": [], "settings": {"hands": good}, "holds": True}
    assert outcome(result) == "It holds."
    result |= {"settings": {"hands": good, "kitchen": bad}, "holds": False}
    assert outcome(result) == "It isn't shown in kitchen; b."
    result |= {"seeds": [6], "settings": {"hands": good}, "not_run": ["arena"]}
    assert outcome(result) == "It isn't shown. One seed has no interval, so nothing could be. Not run: arena."


def test_a_step_that_is_stopped_is_done_later(tmp_path):
    stopped = Work(tmp_path, stopping=lambda: True)
    with pytest.raises(Stopped):
        stopped.step("a", {}, lambda out: {})
    assert Work(tmp_path).step("a", {}, lambda out: {"done": True}) == {"done": True}


def test_agents_of_several_seeds_meet_where_an_experiment_lets_them(tmp_path):
    def meet(setting, rows, quick, work):
        assert {seed: row_folder(tmp_path, "hands", seed) for seed in (1, 2)} == rows and quick
        work.step("all", {}, lambda out: {})
        return {seed: {"with": max(rows) + 1 - seed} for seed in rows}

    settings = [{"name": "hands"}]
    found = _met(SimpleNamespace(meet=meet), settings, [1, 2], True, tmp_path)
    assert {seed: row["with"] for (_, seed), row in found.items()} == {1: 2, 2: 1}
    assert all(row["made"]["commit"] == provenance.commit() for row in found.values())
    assert _met(SimpleNamespace(), settings, [1, 2], True, tmp_path) == {}


def row(seed: int, **scores: float) -> dict:
    arms = {
        name: {"score": score, "progress": score, "liked": score / 100, "u": score, "kl": None}
        for name, score in scores.items()
    }
    return {"setting": "cramped_room", "seed": seed, "arms": arms, "marks": 9}


def test_lost_score_holds_only_where_every_control_is_excluded():
    each = {"progress": 110, "score": 120, "shuffled": 20, "clock": 20, "imitation": 22}
    good = [row(seed, base=20 + seed, ibt=30, bcrl=95 + seed, **each) for seed in (1, 2, 3)]
    found = lost_score.summary(good, quick=True)
    assert found["holds"] and found["settings"]["cramped_room"]["by"] == "bcrl"  # as kitchens say
    assert found["settings"]["cramped_room"]["share"]["mean"] == pytest.approx(75 / 88, abs=0.02)
    both = [row(seed, base=20, ibt=65, bcrl=110, **each) for seed in (1, 2, 3)]
    shares = lost_score.summary(both, quick=True)["settings"]["cramped_room"]["shares"]
    assert (shares["ibt"]["mean"], shares["bcrl"]["mean"]) == (0.5, 1.0)
    doubtful = [
        row(seed, base=20, ibt=95, bcrl=95, **{**each, "shuffled": 95 * (seed % 2)}) for seed in (1, 2)
    ]
    assert not lost_score.summary(doubtful, quick=True)["holds"]
    hands = [row(seed, base=20 + seed, ibt=95 + seed, **each) | {"setting": "hanabi"} for seed in (1, 2, 3)]
    found = lost_score.summary(hands, quick=True)
    assert found["holds"] and found["settings"]["hanabi"]["by"] == "ibt"


KITCHEN = next(one for one in experiments.settings("preference", quick=True) if one["game"] == "overcooked")
USUAL = KITCHEN["ppo"]["utility_weight"]
AT_LITTLE = f"ibt at {USUAL / 4:g}"


def test_a_preference_holds_only_at_a_small_price():
    each = {"base": 50, "score": 50, "true": 95, "ibt": 93, "shuffled": 51, AT_LITTLE: 60}
    liked = [row(seed, **each) for seed in (1, 2)]
    for one in liked:
        for arm in one["arms"].values():
            arm["score"] = 100.0
    assert preference.summary(liked, quick=True)["settings"]["cramped_room"]["met"]["liked"]
    for one in liked:
        one["arms"]["ibt"]["score"] = 80.0
    assert not preference.summary(liked, quick=True)["holds"]


def test_a_weight_costs_what_the_score_alone_has_more(tmp_path):
    kept = {"reached": 0.25, "target": 0.3, "held": True, "cut": 0.0}
    each = {"base": 50, "true": 95, "ibt": 70, "shuffled": 51, AT_LITTLE: 88}
    rows = [row(seed, **each, score=90 + seed) for seed in (1, 2)]
    rows[0]["arms"]["ibt"]["kl"] = kept
    found = preference.summary(rows, quick=True)
    none, little, usual = found["settings"]["cramped_room"]["weights"]
    assert [one["weight"] for one in (none, little, usual)] == [0, USUAL / 4, USUAL]
    assert [one["cost"]["mean"] for one in (none, little, usual)] == [0, 3.5, 21.5]
    assert none["kl"] is None and usual["kl"]["mean"] == 0.25 and usual["held"] == 1
    assert any(line.startswith("held") and "1 of 2" in line for line in found["table"])
    assert AT_LITTLE not in found["settings"]["cramped_room"]["arms"]  # it stands by its weight
    found |= {"experiment": "preference", "annotators": "simulated", "quick": True, "seeds": [1, 2]}
    drawn(preference, found, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_every_weight_is_trained_and_measured(tmp_path):
    setting = {**KITCHEN, "options": {**KITCHEN["options"], "horizon": 100}, "episodes": 20, "evaluation": 2}
    setting["ibt"] = {"steps": 3, "batch": 4, "hidden": 8, "clone_steps": 2}
    setting["ppo"] = {**setting["ppo"], "envs": 4, "steps": 25, "minibatches": 1, "moves": 100}
    setting["ppo"] |= {"evaluation_games": 1, "kl_weight": 1.0, "target_kl": 0.2}
    arms = preference.run(setting, 1, True, Work(tmp_path))["arms"]
    assert set(arms) == {"base", "score", "ibt", "shuffled", "true", AT_LITTLE}
    assert all(np.isfinite(one["u"]) for one in arms.values())
    assert arms[AT_LITTLE]["kl"]["target"] == 0.2
    row = {"setting": setting["name"], "seed": 1, "arms": arms}
    found = preference.summary([row], quick=True)["settings"][setting["name"]]
    assert [one["weight"] for one in found["weights"]] == [0, USUAL / 4, USUAL] and found["weights"][0]["kl"]
    for name, weight in (("ibt", USUAL), (AT_LITTLE, USUAL / 4)):
        card = json.loads((tmp_path / "arms" / name / "agent" / "card.json").read_text())
        assert card["hyperparameters"]["utility_weight"] == weight


def test_an_interval_over_seeds_decides_and_one_seed_decides_nothing():
    assert parts.above(parts.spread([1.0, 1.1, 0.9]), 0)
    assert not parts.above(parts.spread([1.0]), 0)
    assert parts.spread([3.0])["interval"] is None


def test_a_result_keeps_the_rows_of_other_settings_and_seeds_that_the_same_commit_made(tmp_path):
    result = tmp_path / "lost-score.json"
    row = {"seed": 1, "asked": {"moves": 1}, "made": {"commit": "abc"}}
    new = [{"setting": "kitchen", **row, "seed": 2}]
    asked = {"kitchen": {"moves": 1}, "hands": {"moves": 2}}
    assert _others(result, asked, new) == []
    rows = [{"setting": name, **row} for name in ("kitchen", "hands", "gone")]
    result.write_text(json.dumps({"rows": [*rows, *new]}))
    assert _others(result, asked, new) == rows[:1]
    for commit in ("another", provenance.UNKNOWN):
        assert _others(result, asked, [{**new[0], "made": {"commit": commit}}]) == []


def test_a_result_says_by_which_commands_its_rows_come():
    rows = [{"setting": "hands", "seed": seed} for seed in (1, 2, 3, 4, 5, 7)]
    rows += [{"setting": "kitchen", "seed": seed} for seed in (1, 2, 3, 4, 5, 7, 101, 102, 200)]
    start = "manage.py rounds prove --experiment x --seeds"
    assert _commands("x", rows, 2) == [
        f"{start} 6",
        f"{start} 2 --first 101 --only kitchen",
        "python -m engine.experiments.prove --experiment x --seed 200 --only kitchen",
    ]
    assert _commands("x", rows, 3)[:2] == [f"{start} 6 --only hands", f"{start} 6 --only kitchen"]


def told(seed: int, **shares: float) -> dict:
    arms = {arm: {"go": share, "bring": share, "place": share, "both": 0.5} for arm, share in shares.items()}
    return {"setting": "cramped_room", "seed": seed, "arms": arms, "marks": 9}


def test_probes_hold_where_three_of_four_are_a_fifth_above_imitation_and_half_of_the_gain():
    shares = {"clone": 0.3, "bc": 0.3, "ar": 0.3, "progress": 0.8, "shuffled": 0.2}
    good = [told(seed, **shares, ibt=0.6 + seed / 100) for seed in (1, 2, 3)]
    found = probes.summary(good, quick=True)
    assert found["holds"] and found["settings"]["cramped_room"]["beaten"] == 0.75
    assert found["settings"]["cramped_room"]["share"]["mean"] == pytest.approx(0.64, abs=0.01)
    little = [told(seed, **shares, ibt=0.4 + seed / 100) for seed in (1, 2, 3)]
    assert not probes.summary(little, quick=True)["holds"]  # above imitation, but not half of the gain
    assert found["settings"]["cramped_room"]["untold"] == {} and not any(
        "untold" in line for line in found["table"]
    )
    both = probes.summary([{**row, "untold": row["arms"]} for row in good], quick=True)
    assert both["settings"]["cramped_room"]["untold"]["bc"]["go"]["mean"] == pytest.approx(0.3)
    assert sum("untold" in line for line in both["table"]) == 4
    chance = [told(seed, **{**shares, "shuffled": 0.7}, ibt=0.6 + seed / 100) for seed in (1, 2, 3)]
    assert not probes.summary(chance, quick=True)["holds"]


def test_every_arm_of_the_probes_is_trained_and_measured(tmp_path):
    small = {
        "envs": 4,
        "steps": 25,
        "minibatches": 1,
        "moves": 100,
        "evaluation_games": 1,
    }
    model = {"steps": 3, "batch": 4, "hidden": 8, "clone_steps": 2}
    [setting] = [one for one in experiments.settings("probes", quick=True) if one["game"] == "overcooked"]
    sizes = {"demonstrations": 3, "episodes": 40, "evaluation": 2, "clone": small, "arm": small}
    setting = {**setting, **sizes, "ibt": model, "ar": model, "untold": True}
    setting["options"] = {**setting["options"], "horizon": 100}
    found = probes.run(setting, 1, True, Work(tmp_path))
    assert set(found["arms"]) == set(found["untold"]) == {"clone", *probes.ARMS}
    assert set(found["arms"]["ibt"]) == {one.name for one in probes.natural("overcooked")}
    assert found["marks"] > 0
    assert probes.run(setting, 1, True, Work(tmp_path)) == found
    card = json.loads((tmp_path / "arms" / "ibt" / "agent" / "card.json").read_text())
    assert card["hears"] == "reading" and "told_version" in card


@pytest.mark.slow
def test_a_whole_experiment_runs_from_one_command_and_goes_on_where_it_was(tmp_path, monkeypatch):
    said: list[str] = []
    found = prove("lost-score", [1], quick=True, out=tmp_path, only="cramped_room", tell=said.append)
    assert (tmp_path / "lost-score.png").read_bytes().startswith(b"\x89PNG")
    written = json.loads((tmp_path / "lost-score.json").read_text())
    assert written["annotators"] == "simulated"
    arms = found["settings"]["cramped_room"]["arms"]
    assert set(arms) == {"base", "ibt", "bcrl", "shuffled", "clock", "progress", "score", "imitation"}
    assert all(np.isfinite(one["mean"]) for one in arms.values())
    again = prove("lost-score", [1], quick=True, out=tmp_path, only="cramped_room", tell=said.append)
    assert again["rows"] == found["rows"]
    made, here = written["made"], provenance.here(0)
    assert made["machine"] == here["machine"] and made["seconds"] > 0 and written["rows"][0]["made"] == made
    assert made["commit"].partition("+")[0] == here["commit"].partition("+")[0]
    assert written["rows"][0]["asked"]["name"] == "cramped_room" and "Not run" in written["outcome"]
    assert found["not_run"] == ["arena", "hanabi"] and not found["holds"]
