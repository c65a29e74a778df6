"""Rounds that train a partner to an instruction: who and what is taken, what is refused, what such a round
learns from, and what its page says.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.urls import reverse

from engine.learning.run.programs import Program
from engine.learning.run.reporting import config_from
from engine.learning.run.settings import problems
from engine.refusal import Refusal
from tests.webapp.cast import small_network
from webapp.agents.models import Agent
from webapp.jobs import jobs
from webapp.jobs.models import Job, JobMetric
from webapp.jobs.progress import ALIVE
from webapp.rounds import budgets, candidates, comparison, doubts, launch, programs, told
from webapp.rounds import steps as rounds_steps
from webapp.rounds.models import Round
from webapp.rounds.told_form import UNCONFIRMED

pytestmark = pytest.mark.django_db
WORDS = "If I hint you a colour, play it"
URL = "/rounds/new/told/"


@pytest.fixture
def base() -> Agent:
    return small_network()


def posted(base: Agent, **changes) -> dict:
    return {"base": base.ref, "instruction": WORDS, "confirmed": "yes", "budget": "small"} | changes


def the_round(base: Agent, user=None, **more) -> Round:
    return launch.create(base, told.settings_of("hanabi", WORDS, budget="small", more=more), user)


def test_algorithms_are_found_by_their_settings(shaken):
    # Who names it foremost is first.
    assert list(programs.instructed("hanabi"))[:3] == ["instruct_ppo", "instruct_q", "ppo"]
    for name in ("bcrl", "clone_people", "shaken"):  # needs marks; needs games; has no instruction
        assert name in programs.choices("agent", "hanabi") and name not in programs.instructed("hanabi")


def test_only_admins_get_in(base, pia_client, anna_client, client, adam_client):
    for url in (URL, reverse("rounds:told-apart", args=["hanabi", "little"])):
        assert [one.get(url).status_code for one in (pia_client, anna_client, client)] == [403, 403, 302]
        assert adam_client.get(url).status_code == 200


def test_it_starts_without_marks_and_makes_no_reward_model(base, adam_client):
    answer = adam_client.post(URL, posted(base))
    assert answer.status_code == 302, answer.context["form"].errors
    one = Round.objects.get()
    assert [job.kind for job in one.jobs.order_by("position")] == ["agent", "evaluation", "candidate"]
    assert set(one.settings) == {"told", "algorithms", "agent", "evaluation"}
    assert one.told["instruction"] == WORDS and "I play the cards" in one.told["reading"]
    agent, evaluation = one.jobs.get(kind="agent"), one.jobs.get(kind="evaluation")
    assert agent.program == "instruct_ppo" and agent.settings["instruction"] == WORDS
    assert evaluation.settings["instruction"] == WORDS
    assert jobs.ready().get(round=one) == agent
    config = rounds_steps.agent_config(agent)
    assert "reward_model" not in config and "dataset" not in config
    assert config_from_is_fine("instruct_ppo", config)
    agent_done(one)
    config = rounds_steps.evaluation_config(evaluation)
    assert config["reward_model"] == config["judge"] == ""
    assert config_from_is_fine("evaluate_round", config)


def config_from_is_fine(program: str, config: dict) -> bool:
    """Whether the program takes it, as it would in its process."""
    from importlib import import_module

    module = import_module(f"engine.learning.algorithms.{program}")
    assert problems(programs.programs.find(program).settings, config) == {}
    return bool(config_from(module.Settings, config))


def offered() -> list[dict]:
    return budgets.offered("hanabi", lambda budget: told.settings_of("hanabi", "", budget=budget))


def agent_done(one: Round) -> None:
    one.jobs.filter(kind="agent").update(state=Job.COMPLETED, result={"folder": "some"})


def test_a_reading_that_nobody_confirmed_trains_nothing_and_loses_nothing(base, adam_client):
    answer = adam_client.post(URL, posted(base, confirmed="", goal="Keep me"))
    page = answer.content.decode()
    assert answer.status_code == 400 and not Round.objects.exists()
    assert UNCONFIRMED in page and WORDS in page and "Keep me" in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"instruction": "the weather is nice today"}, "can&#x27;t be followed: That is talk"),
        ({"instruction": "thanks!"}, "can&#x27;t be followed"),
        ({"instruction": " "}, "Type the instruction that the agent should be trained to"),
        ({"instruction": "x" * 501}, "at most 500 characters"),
        ({"choice": "9"}, "has no reading 9"),
        ({"choice": "77"}, "less than or equal to 9"),
        ({"agent-moves": "0"}, "Moves is 0; it must be a whole number from 1"),
        ({"agent-instruction_weight": "lots"}, "it must be a number from 0"),
        ({"budget": "endless"}, "Select a valid choice"),
        ({"algorithm": "bcrl"}, "Choose one that fits: instruct_ppo, instruct_q, ppo"),
        ({"base": "hanabi/nobody"}, "Select a valid choice"),
    ],
)
def test_what_can_not_be_trained_is_refused_with_a_sentence(base, adam_client, changes, sentence):
    answer = adam_client.post(URL, posted(base) | changes)
    assert answer.status_code == 400 and sentence in answer.content.decode()
    assert not Round.objects.exists()


def test_a_base_that_can_not_be_used_is_refused_with_a_sentence(base, adam_client):
    Agent.objects.filter(pk=base.pk).update(folder="gone")
    answer = adam_client.post(URL, posted(base))
    assert answer.status_code == 400 and "Little can&#x27;t be used" in answer.content.decode()
    bot = Agent.objects.create(ref="hanabi/bot", name="Bot", game="hanabi", kind="scripted")
    with pytest.raises(Refusal, match="only a network"):
        launch.create(bot, told.settings_of("hanabi", WORDS), None)
    assert not Round.objects.exists()


def test_games_whose_instructions_can_not_be_learned_are_left_out_and_the_page_says_why(base, adam_client):
    goals = Agent.objects.create(ref="arena/fighter", name="Fighter", game="arena", kind="network")
    small_network("cook", game="overcooked", trained={"layout": "cramped_room"})
    page = adam_client.get(URL)
    assert set(page.context["games"]) == {base.ref, "overcooked/cook"}
    said = page.content.decode()
    assert "In Arena instructions are goals" in said and "told things in words yet" in said
    assert page.context["instead"] == ""
    reasons = {"arena": "In Arena instructions are goals", "say_select": "told things in words yet"}
    for game, why in reasons.items():
        page = adam_client.get(f"{URL}?game={game}")
        assert why in page.context["instead"]
        assert "The agents below play other games." in page.content.decode()
        assert not any(why in sentence for sentence in page.context["left_out"])
    settings = told.settings_of("hanabi", WORDS)
    with pytest.raises(Refusal, match="goals for a while.* co-train an agent there"):
        launch.create(goals, settings, None)


def test_another_reading_that_was_chosen_is_what_is_trained(base, adam_client, monkeypatch):
    text = "Colour hints mean play"
    first, other = (told.language.meant("hanabi", text, number) for number in (0, 1))
    assert first.program != other.program
    adam_client.post(URL, posted(base, instruction=text, choice="1"))
    one = Round.objects.get()
    assert one.told["reading"] == other.sentence
    for kind in ("agent", "evaluation"):
        assert one.jobs.get(kind=kind).settings["reading"] == 1
    every = Program.settings.fget
    without = property(lambda program: tuple(one for one in every(program) if one.name != "reading"))
    monkeypatch.setattr(Program, "settings", without)
    answer = adam_client.post(URL, posted(base, instruction=text, choice="1", algorithm="ppo"))
    assert "keeps to the first reading alone" in answer.content.decode()
    assert Round.objects.count() == 1


def test_budgets_are_lengths_and_say_how_long_they_take_where_that_was_measured(base, adam_client):
    lengths = [one["length"] for one in offered()]
    assert lengths == ["100,000 moves", "1,000,000 moves", "5,000,000 moves"]
    assert [one["time"] for one in offered()] == ["", "", ""]
    one = the_round(base)
    job = one.jobs.get(kind="agent")
    Job.objects.filter(pk=job.pk).update(
        state=Job.COMPLETED, started_at=job.created_at, finished_at=job.created_at + 100 * ALIVE / 20
    )
    times = [one["time"] for one in offered()]
    assert times == ["up to 2 min", "up to 17 min", "up to 83 min"]  # 100 s for a tenth of the usual length
    # A curve says how much of it was start and end, which a longer training has but once.
    for step, seconds in ((0, 50), (100, 90)):
        JobMetric.objects.create(job=job, step=step, at=job.created_at + timedelta(seconds=seconds))
    assert [one["time"] for one in offered()] == ["up to 2 min", "up to 8 min", "up to 34 min"]
    JobMetric.objects.all().delete()
    page = adam_client.get(URL, {"base": base.ref}).content.decode()
    assert "1,000,000 moves" in page and "up to 17 min" in page
    exact = posted(base, **{"agent-moves": "777"})
    adam_client.post(URL, exact)
    assert Round.objects.first().settings["agent"]["moves"] == 777


def test_an_address_that_says_what_is_wanted_is_filled_in(base, adam_client):
    form = adam_client.get(URL, {"base": base.ref, "instruction": WORDS, "algorithm": "ppo"}).context["form"]
    assert form["instruction"].value() == WORDS and form.program.name == "ppo"
    form = adam_client.get(URL, {"algorithm": "no such"}).context["form"]
    assert form.program.name == "instruct_ppo"


def test_without_an_agent_the_page_says_what_to_do(adam_client):
    assert "manage.py agents sync" in adam_client.get(URL).content.decode()


def test_cards_and_lists_say_what_it_was_trained_to(base, adam_client, adam):
    one = the_round(base, adam)
    card = candidates.card_additions(one)
    assert card["told"] == WORDS and card["told_means"] == one.told["reading"] and card["snapshot"] is None
    assert card["description"] == f"Trained on from Little in round 1 to keep to “{WORDS}”."
    assert f"told “{WORDS}”" in adam_client.get(reverse("rounds:list")).content.decode()
    page = adam_client.get(reverse("rounds:round", args=[1])).content.decode()
    assert f"Trained to “{WORDS}”" in page and "tab-snapshot" not in page and "tab-reward_model" not in page
    made = small_network("next", seed=2)
    Agent.objects.filter(pk=made.pk).update(round=one)
    page = adam_client.get(reverse("agents:agent", args=["hanabi", "next"])).content.decode()
    assert f"to “{WORDS}”" in page


SCORE = {"mean": 5.0, "stderr": 0.1, "episodes": 60, "deals": 60}


def evaluated(one: Round) -> None:
    def did(touched: int) -> dict:
        return {"after": {"hint_color": {"play_touched": touched, "hint": 10 - touched}, "play": {"hint": 0}}}

    scores = {"self_play": {"candidate": SCORE, "base": SCORE}, "reward_return": {}}
    counts = {
        "candidate": {"both": did(9), "none": did(8)},
        "base": {"both": did(3), "none": did(2)},
    }
    known = {"nothing": 1, "color": 6, "rank": 0, "both": 3}
    for who in ("both", "none"):
        counts["candidate"][who]["known_before_play"] = known
    kinds = counts["candidate"]["none"]["after"]["hint_color"]
    kinds |= {"discard": 1, "hint": kinds["hint"] - 1}
    apart = {"difference": {"champion": {"mean": 0.0, "stderr": 1.0, "episodes": 60}}}
    heard = {"instruction": WORDS, "reading": "I play it.", **scores, "counts": counts}
    one.jobs.filter(kind="evaluation").update(
        state=Job.COMPLETED, result={**scores, **apart, "told": heard, "cross_play": {}}
    )


def test_what_it_does_when_told_is_counted_on_the_page(base, adam_client):
    one = the_round(base)
    evaluated(one)
    members = list(one.jobs.all())
    rows = comparison.of(one, members)["told"]["counts"]
    assert rows[0]["after"] == "hint color" and rows[0]["changed"] == 70
    by_name = {(row["after"], row["did"]): row["cells"] for row in rows}
    assert by_name["hint color", "play touched"] == [[90, 80], [30, 20]]
    # What never followed is none of a hundred; what never came is no share at all.
    assert by_name["hint color", "discard"] == [[0, 10], [0, 0]] and ("play", "hint") not in by_name
    [known] = comparison.of(one, members)["told"]["shares"]
    assert known["labels"] == ["nothing", "color", "rank", "both"]
    assert [row["label"] for row in known["rows"]] == ["candidate, with it", "candidate, without"]
    assert [cell["value"] for cell in known["rows"][0]["cells"]] == [0.1, 0.6, 0, 0.3]
    page = adam_client.get(reverse("rounds:round", args=[1])).content.decode()
    assert f"What “{WORDS}” changes" in page and known["title"] in page and "play touched" in page
    # To score no better speaks against a round that learned from marks, not against this one.
    assert not any("No clear difference" in text for text in doubts.doubts(one, members))


def test_it_is_cancelled_and_resumed_like_any_other(base, adam_client):
    one = the_round(base)
    job = one.jobs.get(kind="agent")
    asks = {"headers": {"Accept": "application/json"}}
    for action, state in (("cancel", "cancelled"), ("resume", "queued")):
        answer = adam_client.post(reverse(f"rounds:{action}", args=[job.pk]), **asks)
        assert json.loads(answer.content)["state"] == state
