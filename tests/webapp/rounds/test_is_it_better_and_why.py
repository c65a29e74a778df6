"""What a round's page says beside the scores: games of the same deal, what changed, and what speaks against
believing it.
"""

from __future__ import annotations

import json
import uuid

import pytest
from django.urls import reverse

from engine.evaluation.probes import probes_of
from engine.learning.algorithms import evaluate_round
from engine.learning.run.reporting import Reporter
from tests.webapp.annotation.models_of_rounds import write_model
from tests.webapp.cast import simulated_episodes, small_network
from webapp.agents.models import Agent
from webapp.datasets.models import Snapshot
from webapp.episodes.models import Episode
from webapp.jobs import steps
from webapp.jobs.models import Job
from webapp.rounds import comparison, doubts, judges, launch, presets, watched
from webapp.rounds import steps as rounds_steps
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db
AGENTS = {"game": "hanabi", "candidate": "hanabi/random", "base": "hanabi/convention-bot"}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[dict, object]:
    """What the real program reports, and its folder."""
    found, out = {}, tmp_path_factory.mktemp("out")
    reporter = Reporter()
    reporter.result = lambda **fields: found.update(fields)
    settings = evaluate_round.Settings(**AGENTS, episodes=6, watched=4, probes=3, cross_play=False, people="")
    evaluate_round.train(settings, out, reporter)
    return json.loads(json.dumps(found)), out


@pytest.fixture
def one(adam, settings, tmp_path) -> Round:
    settings.EPISODES_DIR, settings.JOBS_DIR = tmp_path / "episodes", tmp_path / "jobs"
    base = small_network()
    simulated_episodes(base, count=3)
    return launch.create(
        base, {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}, adam
    )


@pytest.fixture
def evaluated(one, made) -> Round:
    """A round whose evaluation is done and registered, as by a worker."""
    result, out = made
    job = one.jobs.get(kind="evaluation")
    steps.out(job).mkdir(parents=True)
    (steps.out(job) / "games").symlink_to(out / "games")
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED, result=steps.register(job, result))
    return one


def test_three_games_of_the_same_deal_can_be_watched(evaluated, made, adam_client, anna_client):
    page = adam_client.get(reverse("rounds:round", args=[evaluated.number]))
    shown = page.context["side_by_side"]
    assert [game["deal"] for game in shown["games"]] == [1, 2, 3]
    for game in shown["games"]:
        ours, theirs = (Episode.objects.get(pk=side["replay"].split("/")[2]) for side in game["sides"])
        assert ours.options == theirs.options and not ours.public and ours.source == "simulated"
        assert ours.seats[0]["agent"] != theirs.seats[0]["agent"]
        stream = adam_client.get(reverse("replays:stream", args=[ours.pk])).json()
        assert stream["ticks"] == ours.ticks > 0
        assert anna_client.get(reverse("replays:replay", args=[ours.pk])).status_code == 404
        picture = adam_client.get(game["sides"][0]["picture"])
        assert (
            picture["Content-Type"] == "image/png" and b"".join(picture.streaming_content)[:4] == b"\x89PNG"
        )
    missing = reverse("rounds:picture", args=[evaluated.number, "nothing"])
    assert adam_client.get(missing).status_code == 404
    assert anna_client.get(shown["games"][0]["sides"][0]["picture"]).status_code == 403
    before = Episode.objects.count()
    watched.register(made[0], made[1])
    assert Episode.objects.count() == before


def test_what_changed_is_told_with_intervals_and_moments(evaluated, adam_client):
    page = adam_client.get(reverse("rounds:round", args=[evaluated.number]))
    rows = page.context["side_by_side"]["rows"]
    assert rows[0]["state"] == "worse" and rows[0]["half"]
    assert any("?tick=" in row["replay"] for row in rows)
    text = page.content.decode()
    assert "What it does more and less" in text and "Candidate minus base over 4 deals" in text
    assert text.index("The same deal") < text.index('class="pipeline"')  # games to watch come first


def test_tasks_in_words_are_shown_told_and_untold(evaluated, made, adam_client):
    page = adam_client.get(reverse("rounds:round", args=[evaluated.number]))
    rows = page.context["comparison"]["probes"]
    assert [row["text"] for row in rows] == [probe.text for probe in probes_of("hanabi")]
    told, untold = (made[0]["probes"][rows[0]["name"]][which]["base"] for which in ("told", "untold"))
    assert [cell["mean"] for cell in rows[0]["cells"][2][1:]] == [
        100 * told["share"],
        100 * untold["share"],
    ]
    assert "Does it follow instructions?" in page.content.decode()
    clear = {"share": 0.9, "interval": [0.7, 1.0]}
    nobody = {"share": None, "interval": None}
    sides_ = {"candidate": clear, "champion": nobody, "base": nobody}
    one = {
        "text": "go",
        "told": sides_,
        "untold": {**sides_, "candidate": {"share": 0.1, "interval": [-0.1, 0.3]}},
    }
    (row,) = comparison.probes({"probes": {"go": one}})
    assert row["clear"] and row["cells"][0][2]["low"] == 0.0 and row["cells"][1][1] is None


def test_the_games_of_an_evaluation_lead_to_the_candidate_once_there_is_one(evaluated, adam_client):
    job = evaluated.jobs.get(kind="evaluation")
    ids = [row["ours"]["episode"] for row in job.result["side_by_side"]["games"]]
    (ref,) = {seat["agent"] for one in Episode.objects.filter(pk__in=ids) for seat in one.seats}
    Agent.objects.filter(ref=ref).delete()
    agent = Agent.objects.create(ref=ref, name="Round 1", game="hanabi", kind="network")
    watched.credit(evaluated, agent)
    assert set(agent.episodes.values_list("pk", flat=True)) == {uuid.UUID(one) for one in ids}


def test_a_round_without_watched_games_says_nothing_of_them(one, adam_client):
    page = adam_client.get(reverse("rounds:round", args=[one.number]))
    assert page.context["side_by_side"] is None and page.context["doubts"] == []


# --- What speaks against believing it --------------------------------------------------------------------


def done(one: Round, kind: str, **result) -> None:
    one.jobs.filter(kind=kind).update(state=Job.COMPLETED, result=result)


def score(mean: float, stderr: float = 0.1) -> dict:
    low, high = mean - 1.96 * stderr, mean + 1.96 * stderr
    return {"mean": mean, "stderr": stderr, "interval": [low, high], "episodes": 100, "deals": 100}


def found(one: Round) -> str:
    return " ".join(doubts.doubts(one, list(one.jobs.all())))


def sides(candidate: float, base: float) -> dict:
    return {"candidate": score(candidate), "base": score(base), "champion": score(base)}


def test_few_and_one_signed_marks_are_doubted(one):
    one.snapshot = Snapshot.objects.create(
        game="hanabi",
        folder="some",
        sha256="0" * 64,
        counts={"episodes": 3, "marks": 12, "progress": 9, "regression": 3},
    )
    assert "These are few marks: 9 of progress and 3 of regression." in found(one)
    one.snapshot.counts = {"episodes": 3, "marks": 90, "progress": 90, "regression": 0}
    assert "No regression is marked" in found(one)


def test_a_reward_model_that_is_no_better_than_its_controls_is_doubted(one):
    def of(value, low):
        return {"pair_accuracy": {"value": value, "low": low, "high": 1.0}, "calibration": {"value": 0.1}}

    done(
        one,
        "reward_model",
        held_out={"model": of(0.8, 0.7), "shuffled": of(0.75, 0.6), "clock": of(0.5, 0.5)},
    )
    assert "not clearly better than marks with shuffled signs in pair accuracy" in found(one)
    assert "U = t" not in found(one)
    done(
        one,
        "reward_model",
        held_out={"model": of(0.8, 0.7), "shuffled": of(0.55, 0.4), "clock": of(0.5, 0.5)},
    )
    assert found(one) == ""


def test_no_clear_difference_its_own_judge_and_one_seed_are_doubted(one):
    scores = sides(10.0, 10.1)
    done(one, "evaluation", self_play=scores, difference={"champion": score(-0.1)}, reward_return=sides(9, 5))
    assert "No clear difference in self-play" in found(one) and "includes 0" in found(one)
    assert "Only the reward model that the candidate was trained on finds it better" in found(one)
    assert "one training with one seed" in found(one)
    better = {"self_play": sides(12, 10), "difference": {"champion": score(2.0)}}
    done(one, "evaluation", **better, reward_return=sides(9, 5))
    assert "Only the reward model" not in found(one) and "No clear difference" not in found(one)
    other = Round.objects.create(
        number=one.number + 1,
        game=one.game,
        base_agent=one.base_agent,
        candidate=one.base_agent,
        settings={**one.settings, "agent": {**one.settings["agent"], "seed": 77}},
    )
    assert other.settings != one.settings and found(one) == ""


def test_rounds_that_differ_by_their_seed_are_shown_together(one, adam, adam_client):
    result = {"self_play": sides(12, 10), "difference": {"champion": score(2.0), "base": score(2.0)}}
    done(one, "evaluation", **result)
    assert comparison.seeds(one) is None
    others = []
    for seed, gained in ((77, 4.0), (78, 6.0)):
        part = {**one.settings["agent"], "seed": seed}
        others.append(launch.create(one.base_agent, {**one.settings, "agent": part}, adam))
        Round.objects.filter(pk=others[-1].pk).update(candidate=one.base_agent)
        done(others[-1], "evaluation", self_play=sides(12, 10), difference={"base": score(gained)})
    other = launch.create(one.base_agent, {**one.settings, "evaluation": {"episodes": 61}}, adam)
    done(other, "evaluation", self_play=sides(12, 10), difference={"base": score(9.0)})
    shown = comparison.seeds(one)
    assert {row["round"].number for row in shown["rows"]} == {one.number, *(two.number for two in others)}
    assert shown["mean"] == pytest.approx(4.0) and shown["half"] == pytest.approx(4.303 * 2 / 3**0.5)
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert "over 3 trainings" in page and f">Round {others[0].number}</a>, seed 77" in page


def model_of(one: Round, where, raters: list[str], **changes) -> Job:
    """The round's reward model, of chance, as if learned from these raters' marks."""
    made = where / f"model-{one.number}"
    sha256 = write_model(made, one.game, {"players": 2})
    result = {"folder": str(made), "sha256": sha256, "raters": {name: {"marks": 9} for name in raters}}
    Job.objects.filter(round=one, kind="reward_model").update(
        state=Job.COMPLETED, result={**result, **changes}
    )
    return one.jobs.get(kind="reward_model")


def test_a_second_model_judges_where_other_raters_made_one(one, adam, tmp_path):
    model_of(one, tmp_path, ["ann", "bob"])
    assert judges.second(one) is None
    settings = {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}
    shared, apart, gone = (launch.create(one.base_agent, settings, adam) for _ in range(3))
    model_of(shared, tmp_path, ["bob", "eve"])
    assert judges.second(one) is None
    wanted = model_of(apart, tmp_path, ["eve"])
    model_of(gone, tmp_path, ["eve"], folder=str(tmp_path / "nowhere"))
    assert judges.second(one) == wanted
    own = model_of(one, tmp_path, ["ann", "bob"])
    Job.objects.filter(round=one, kind="agent").update(
        state=Job.COMPLETED, result={"folder": own.result["folder"]}
    )
    assert rounds_steps.evaluation_config(one.jobs.get(kind="evaluation"))["judge"] == wanted.result["folder"]


def test_what_a_second_model_finds_stands_on_the_page_and_in_what_is_doubted(one, adam_client, tmp_path):
    found, reporter = {}, Reporter()
    reporter.result = lambda **fields: found.update(fields)
    write_model(tmp_path / "judge", "hanabi", {"players": 2})
    settings = evaluate_round.Settings(
        **AGENTS, episodes=6, watched=0, probes=0, cross_play=False, people="", judge=str(tmp_path / "judge")
    )
    evaluate_round.train(settings, tmp_path / "out", reporter)
    assert set(found["second_opinion"]) == {"candidate", "base", "champion"}
    better = {"mean": 3.0, "stderr": 0.1, "episodes": 6}
    worse = {**better, "mean": 1.0}
    found["reward_return"] = {"candidate": better, "base": worse, "champion": worse}
    found["second_opinion"] = {"candidate": worse, "base": worse, "champion": worse}
    Job.objects.filter(round=one, kind="evaluation").update(state=Job.COMPLETED, result=found)
    page = adam_client.get(reverse("rounds:round", args=[one.number])).content.decode()
    assert "A second reward model" in page
    said = doubts.on_evaluation(one, found)
    assert any("nor a second model" in sentence for sentence in said)
    found["second_opinion"]["candidate"] = better
    assert not any("Only the reward model" in sentence for sentence in doubts.on_evaluation(one, found))
