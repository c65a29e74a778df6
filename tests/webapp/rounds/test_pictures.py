"""Pictures first in the lists of rounds and datasets, human names, filters folded; and what a round's curves
are seen beside.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.webapp.cast import simulated_episodes, small_network
from webapp.agents import promotion
from webapp.agents.models import Agent
from webapp.datasets.models import Snapshot
from webapp.jobs.models import Job
from webapp.rounds import beside, launch, presets
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def base() -> Agent:
    return small_network()


@pytest.fixture
def snapshot(base) -> Snapshot:
    counts = {"episodes": 2, "marks": 1234, "raters": 1}
    made = Snapshot.objects.create(game="hanabi", sha256="a" * 64, folder="nowhere", counts=counts)
    made.episodes.set(simulated_episodes(base, count=2))
    return made


def launched(base: Agent, adam, seed: int = 0, goal: str = "") -> Round:
    """A round on simulated data, which `snapshot` has made."""
    settings = {
        "data": {"simulated_episodes": True, "simulated_marks": True, "seats": 2},
        **presets.values("tiny"),
    }
    settings["agent"]["seed"] = seed
    return launch.create(base, settings, adam, goal)


def listed(client, name: str, query: str = "") -> str:
    return " ".join(client.get(f"{reverse(name)}?{query}").content.decode().split())


def test_a_dataset_begins_with_pictures_of_one_of_its_games(snapshot, adam_client):
    page = listed(adam_client, "datasets:list")
    shown = [reverse("replays:strip", args=[one.pk]) in page for one in snapshot.episodes.all()]
    assert sorted(shown) == [False, True] and 'loading="lazy"' in page
    assert ">Hanabi, " in page
    assert "<strong>1,234</strong> marks by 1 annotator in 2 episodes" in " ".join(page.split())


def test_a_round_begins_with_pictures_of_what_it_learned_from(base, snapshot, adam, adam_client):
    one = launched(base, adam)
    assert "Pictures come with its evaluation." in listed(adam_client, "rounds:list")
    one.snapshot = snapshot
    one.save()
    page = listed(adam_client, "rounds:list")
    assert any(reverse("replays:strip", args=[one.pk]) in page for one in snapshot.episodes.all())


def test_once_it_is_evaluated_with_pictures_of_candidate_and_base(base, snapshot, adam, adam_client):
    one = launched(base, adam)
    games = [{side: {"picture": f"{side}-1.png"} for side in ("ours", "theirs")}]
    scores = {"candidate": {"mean": 20.0, "stderr": 0.1, "episodes": 1000}, "champion": {"mean": 19.0}}
    result = {"self_play": scores, "side_by_side": {"games": games}}
    one.jobs.filter(kind="evaluation").update(state=Job.COMPLETED, result=result)
    page = listed(adam_client, "rounds:list")
    places = [page.index(reverse("rounds:picture", args=[1, name])) for name in ("ours-1", "theirs-1")]
    assert places == sorted(places) and "candidate</figcaption>" in page
    assert "n 1,000" in page and "None" not in page


@pytest.mark.parametrize("name", ["rounds:list", "datasets:list"])
def test_filters_are_folded_until_one_is_active(name, base, snapshot, adam, adam_client):
    launched(base, adam)
    assert "<summary>Filters" not in listed(adam_client, name), "of one game there is nothing to choose"
    Snapshot.objects.create(game="arena", sha256="b" * 64, counts={"episodes": 0, "marks": 0, "raters": 0})
    Round.objects.create(
        number=2, game="arena", base_agent=small_network("a", game="arena", trained={"teams": 2})
    )
    assert '<details class="panel folded"> <summary>Filters <' in listed(adam_client, name).replace(
        "Filters<", "Filters <"
    )
    page = listed(adam_client, name, "game=arena")
    assert '<details class="panel folded" open>' in page and "1 active" in page
    assert page.count('<li class="panel shown">') == 1


def test_the_list_of_datasets_has_a_fixed_number_of_queries(snapshot, adam_client, django_assert_num_queries):
    adam_client.get(reverse("datasets:list"))
    with django_assert_num_queries(8):
        adam_client.get(reverse("datasets:list"))
    for number in range(5):
        made = Snapshot.objects.create(game="hanabi", sha256=str(number) * 64, counts=snapshot.counts)
        made.episodes.set(snapshot.episodes.all())
    with django_assert_num_queries(8):
        adam_client.get(reverse("datasets:list"))


def test_rounds_that_differ_by_their_seed_alone_are_told_and_come_first(base, snapshot, adam):
    one, like, unlike = (launched(base, adam, seed, f"goal {seed}") for seed in range(3))
    unlike.settings["agent"]["lr"] = 0.5
    for made in (one, like, unlike):
        made.candidate = base
        made.save()
    rows = beside.others(one)
    assert [(row["number"], row["alike"]) for row in rows] == [(2, True), (3, False)]
    assert rows[0]["label"] == "Round 2: goal 1 (the same, another seed)"
    assert rows[0]["url"] == reverse("rounds:live", args=[2])


def test_other_games_rounds_are_not_laid_over(base, snapshot, adam):
    one = launched(base, adam)
    Round.objects.create(number=2, game="arena", base_agent=base)
    assert beside.others(one) == []


def test_targets_are_the_points_of_base_and_champion_and_the_kl_that_is_steered_to(base, snapshot, adam):
    one = launched(base, adam)
    champion = small_network("better")
    for agent, mean in ((base, 12.0), (champion, 18.0)):
        agent.card["evaluation"] = {"self_play": {"mean": mean, "stderr": 0.1}}
        agent.save()
    one.base_agent.refresh_from_db()
    promotion.promote(champion, reason="better", user=None)
    found = beside.targets(one, champion)["agent"]
    assert found["score"] == found["training_score"]
    assert {row["label"]: row["value"] for row in found["score"]} == {"the base": 12.0, "the champion": 18.0}
    assert found["base_kl"] == [{"label": "target_kl", "value": one.settings["agent"]["target_kl"]}]
    assert [row["label"] for row in beside.targets(one, one.base_agent)["agent"]["score"]] == ["the champion"]
    del one.settings["agent"]["target_kl"]
    one.base_agent.card = {}
    assert beside.targets(one, None) == {"agent": {}}
