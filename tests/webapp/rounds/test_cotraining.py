"""Rounds that train an agent and its reader together: which games, on whose words, what is refused, what
their jobs get, and what their page says.
"""

from __future__ import annotations

import copy
import json
import uuid
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine import games, language
from engine.agents.catalogue import load
from engine.evaluation import side_by_side
from engine.refusal import Refusal
from engine.simulation.log import encode_line
from tests.webapp.cast import small_network, text_of
from webapp.agents.models import Agent
from webapp.annotation.models import Mark
from webapp.episodes.models import Episode
from webapp.jobs.models import Job, JobMetric
from webapp.matches.models import Instruction, Match, Rating
from webapp.rounds import apart, candidates, cotrain, inline, kinds, launch, presets, watched
from webapp.rounds import steps as rounds_steps
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db
URL, COUNT = "/rounds/new/cotrain/", "/rounds/new/cotrain/count/"
SMALL = {"teams": 2, "team_size": 2, "pace": "short"}
FEW_MOVES = {"moves": 512, "envs": 4, "steps": 32, "texts": 40, "evaluation_games": 2}
FEW_GAMES = {"episodes": 4, "watched": 0, "probes": 0, "cross_play": False, "people": "", "counted": 0}
TEXT = "follow me"
MOVES = presets.values(presets.USUAL, "arena", {"agent": "cotrain"})["agent"]["moves"]


@pytest.fixture
def base(fighter) -> Agent:
    return fighter


@cache
def played() -> side_by_side.Watched:
    """A game of Arena in which seat 1 was told something."""
    bot, heard = load("arena/idle", "arena"), {1: language.meant("arena", TEXT)}
    options = games.spec("arena").validate(SMALL)
    return side_by_side.watch([bot] * 4, bot, options, 3, lambda: None, heard)


@pytest.fixture
def told(pia, tmp_path):
    """A function: such a game, as if pia had played it in seat 0."""

    def make(judged: int = 1) -> Episode:
        log, folder = copy.deepcopy(played().log), tmp_path / watched.FOLDER
        log.header["episode"] = str(uuid.uuid4())
        folder.mkdir(exist_ok=True)
        (folder / "one.jsonl").write_text("".join(map(encode_line, [log.header, *log.records])))
        watched.keep([{"episode": log.header["episode"], "file": "one.jsonl"}], tmp_path)
        Episode.objects.filter(pk=log.header["episode"]).update(source="play", instruction=TEXT)
        episode = Episode.objects.get(pk=log.header["episode"])
        match = Match.objects.create(pk=episode.pk, game="arena", seed=3, episode=episode)
        given = {"match": match, "user": pia, "seat": 0, "tick": 0, "status": "confirmed"}
        Instruction.objects.create(text=TEXT, judged=judged, **given)
        Rating.objects.create(episode=episode, user=pia, seat=0, partner_seat=1, followed=6)
        return episode

    return make


def posted(base: Agent, **changes) -> dict:
    return {"base": base.ref, "words": "people", "budget": "small", "algorithm": "cotrain"} | changes


def the_round(base: Agent, user=None, filters: dict | None = None) -> Round:
    return launch.create(base, cotrain.settings_of(base, filters, "cotrain", "small"), user)


def test_an_algorithm_that_learns_from_peoples_words_is_found_by_its_setting(base):
    assert "cotrain" in kinds.fitting("agent", kinds.WORDS, "arena")
    for kind in (kinds.MARKS, kinds.TOLD):
        assert "cotrain" not in kinds.fitting("agent", kind, "arena")
    with pytest.raises(Refusal, match="'ppo' isn't one that makes an agent in such a round of Arena"):
        launch.create(base, cotrain.settings_of(base, None, "ppo"), None)


def test_only_admins_get_in(base, pia_client, anna_client, client, adam_client):
    for url in (URL, COUNT):
        assert [one.get(url).status_code for one in (pia_client, anna_client, client)] == [403, 403, 302]
        assert adam_client.get(url).status_code == 200


def test_games_without_goals_are_left_out_and_the_page_says_why(base, adam_client):
    small_network("little")
    page = adam_client.get(f"{URL}?game=hanabi")
    assert page.context["games"] == {base.ref: "arena"}
    assert "no goals, so nothing can be co-trained" in page.context["instead"]
    Agent.objects.filter(pk=base.pk).update(retired=True)
    page = text_of(adam_client.get(URL))
    assert "No agent can be co-trained yet." in page and "manage.py agents sync" in page
    little = Agent.objects.get(ref="hanabi/little")
    silent = small_network("silent", game="arena", trained=SMALL)
    with pytest.raises(Refusal, match="Silent reads no goals, so it can't be co-trained"):
        launch.create(silent, {"words": {}}, None)
    with pytest.raises(Refusal, match="In Hanabi instructions say how to play"):
        launch.create(little, {"words": {}}, None)


def test_where_nobody_has_told_anything_the_page_says_so_and_the_shipped_sets_are_used(base, adam_client):
    assert cotrain.NOBODY in text_of(adam_client.get(COUNT, posted(base)))
    answer = adam_client.post(URL, posted(base))
    assert answer.status_code == 302, answer.context["form"].errors
    one = Round.objects.get()
    assert one.settings["words"] == {} and one.snapshot is None
    assert [job.kind for job in one.jobs.order_by("position")] == ["agent", "evaluation", "told", "candidate"]
    config = rounds_steps.agent_config(one.jobs.get(kind="agent"))
    assert config["snapshot"] == "" and config["moves"] == round(0.1 * MOVES) and config["name"] == "round-1"
    assert "nobody's instructions are in it" in text_of(adam_client.get(answer.url))
    assert "co-trained on the shipped sets" in text_of(adam_client.get(reverse("rounds:list")))
    assert "the shipped sets alone" in launch.notes_on(one)[0]
    assert "on the shipped sets." in candidates.description(one)


def test_what_people_told_is_counted_as_it_is_chosen(base, told, anna, adam_client):
    first, _ = told(), told(judged=-1)
    Mark.objects.create(id=uuid.uuid4(), episode=first, annotator=anna, seat=1, tick=5, sign=1)
    found = {"episodes": 2, "instructions": 2, "people": 1, "yes": 1, "no": 1, "ratings": 2, "marks": 1}
    assert adam_client.get(COUNT, posted(base)).context["found"] == found
    assert "“yes, that”" in text_of(adam_client.get(COUNT, posted(base)))
    page = text_of(adam_client.get(COUNT, posted(base, instruction="loot")))
    assert cotrain.NONE_SUCH in page
    page = text_of(adam_client.get(COUNT, posted(base, words="shipped")))
    assert "only the sets that come with Coplay" in page
    assert "Choose the agent first" in text_of(adam_client.get(COUNT, {"words": "people"}))
    Episode.objects.filter(pk=first.pk).update(rules_version="0")  # which can't be played again
    assert adam_client.get(COUNT, posted(base)).context["found"]["instructions"] == 1


def test_the_count_takes_as_many_queries_however_much_was_told(
    base, told, adam_client, django_assert_max_num_queries
):
    for _ in range(3):
        told()
        with django_assert_max_num_queries(40):
            adam_client.get(COUNT, posted(base))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"base": "arena/nobody"}, "Select a valid choice"),
        ({"words": "everybody"}, "Select a valid choice"),
        ({"budget": "endless"}, "Select a valid choice"),
        ({"algorithm": "ppo"}, "Choose one that fits: "),
        ({"agent-moves": "0"}, "Moves is 0; it must be a whole number from 1"),
        ({"agent-seed": "many"}, "Seed is &#x27;many&#x27;"),
        ({"since": "yesterday"}, "Enter a valid date"),
        ({"players": "nobody"}, "Select a valid choice"),
    ],
)
def test_what_can_not_be_used_is_refused_with_a_sentence(base, told, adam_client, changes, sentence):
    told()
    answer = adam_client.post(URL, posted(base) | changes)
    assert answer.status_code == 400 and sentence in answer.content.decode()
    assert not Round.objects.exists()


def test_budgets_are_lengths_and_an_exact_one_goes_before_them(base, adam_client):
    page = adam_client.get(URL, {"base": base.ref, "algorithm": "cotrain"})
    lengths = [f"{round(share * MOVES):,} moves" for share in (0.1, 1, 5)]
    assert [one["length"] for one in page.context["form"].budgets] == lengths
    assert "not measured here yet" in text_of(page)
    adam_client.post(URL, posted(base, **{"agent-moves": "777"}))
    assert Round.objects.get().settings["agent"]["moves"] == 777


def test_it_is_cancelled_and_resumed_like_any_other(base, adam_client):
    job = the_round(base).jobs.get(kind="told")
    for action, state in (("cancel", "cancelled"), ("resume", "queued")):
        answer = adam_client.post(
            reverse(f"rounds:{action}", args=[job.pk]), headers={"Accept": "application/json"}
        )
        assert json.loads(answer.content)["state"] == state
        assert adam_client.post(reverse(f"rounds:{action}", args=[job.pk])).url == "/rounds/1/"


def test_games_asked_for_on_an_agents_page_push_no_rounds_games_out(base, monkeypatch):
    monkeypatch.setattr(apart, "MOST_KEPT", 0)
    job = the_round(base).jobs.get(kind="told")
    Job.objects.filter(pk=job.pk).update(state=Job.COMPLETED)
    apart.ask(base, [TEXT], [0], "second", 1)
    assert Job.objects.filter(pk=job.pk).exists()


def test_the_command_asks_for_marks_or_words_and_not_for_both(base):
    common = ("--game", "arena", "--base", "fighter", "--cotrain", "people")
    for more in (["--annotators", "simulated"], ["--instruction", TEXT]):
        with pytest.raises(CommandError, match="learns from no marks"):
            call_command("rounds", "run", *common, *more)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_whole_round_learns_from_what_people_told_and_shows_it(base, told, adam, adam_client, forked_jobs):
    told()
    one = the_round(base, adam, {"players": [], "instruction": ""})
    assert [job.kind for job in one.jobs.order_by("position")] == [*kinds.PIPELINES[kinds.WORDS]]
    for kind, fewer in (("agent", FEW_MOVES), ("evaluation", FEW_GAMES)):
        job = one.jobs.get(kind=kind)
        job.settings |= fewer
        job.save()
    assert inline.finish(one, print), [(job.kind, job.error) for job in one.jobs.all()]
    one.refresh_from_db()
    result = one.jobs.get(kind="agent").result
    assert result["instructions"] == 1 and not result["shipped_only"]
    drawn = {name for row in JobMetric.objects.filter(job__kind="agent") for name in row.values}
    assert {"contradictions", "completion"} <= drawn
    side = cotrain.language_side(list(one.jobs.all()))
    assert side["columns"] == ["before", "in the end"] and len(side["rows"][0]["shares"]) == 2
    made = Path(settings.AGENTS_DIR) / one.candidate.folder
    assert list((made / "language").iterdir())
    assert "what people said in 1 game and the shipped sets" in one.candidate.card["description"]
    page = adam_client.get("/rounds/1/")
    shown, read = page.context["told_games"], text_of(page)
    assert [game["instruction"] for game in shown["games"]] == ["", "go to the house", "loot", "go prone"]
    for game in shown["games"]:
        assert adam_client.get(game["clip"]).headers["Content-Type"] == "image/gif"
        assert all(adam_client.get(game[name]).status_code == 200 for name in ("replay", "picture"))
    assert adam_client.get(shown["games"][0]["clip"].replace(".gif", ".jsonl")).status_code == 404
    assert "nothing to learn from" not in read  # for want of marks
    assert "Told and untold, from the same state" in read and "Play the beginnings together" in read
    assert f"/datasets/{one.snapshot.pk}/" in page.content.decode()
    assert one.candidate.episodes.count() >= 4  # it is found with the games that show it
    adam_client.post(reverse("rounds:decide", args=[1]), {"decision": "promote", "reason": "obeys"})
    one.refresh_from_db()
    assert one.decision == "promoted"
