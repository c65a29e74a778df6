"""The pages of rounds: who may open them, the form, live news, decisions."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from engine import games
from engine.refusal import Refusal
from tests.webapp.cast import simulated_episodes, small_network, text_of
from tests.webapp.datasets.parcels import freeze
from webapp.accounts.models import AuditEvent
from webapp.agents import promotion
from webapp.agents.models import Agent, Alias, Promotion
from webapp.agents.resolve import resolve
from webapp.annotation.models import Mark
from webapp.datasets import selection
from webapp.episodes.models import Episode
from webapp.jobs import jobs
from webapp.jobs.models import Job, JobLine, JobMetric, WorkerHeartbeat
from webapp.lobby import listing as lobby
from webapp.matches.start import agents_for
from webapp.rounds import decisions, kinds, launch, presets, watched
from webapp.rounds.forms import usual_variant
from webapp.rounds.models import Round
from webapp.studies.models import Study

pytestmark = pytest.mark.django_db


@pytest.fixture
def base() -> Agent:
    return small_network()


@pytest.fixture
def one(base, adam) -> Round:
    simulated_episodes(base, count=3)
    settings = {
        "data": {"simulated_episodes": True, "simulated_marks": True, "seats": 2},
        **presets.values("tiny"),
    }
    return launch.create(base, settings, adam, "Hint better")


def with_candidate(one: Round) -> Round:
    one.candidate = small_network("next", seed=2)
    one.save()
    return one


def form_data(client, **changes) -> dict:
    """What a browser would post for the form as it stands."""
    form = client.get(reverse("rounds:new")).context["form"]
    data = {}
    for name in form.fields:
        value = form[name].value()
        if value is True:
            data[name] = "on"
        elif value is not None and value is not False:
            data[name] = value
    return data | changes


@pytest.mark.parametrize("last_round", ["hanabi", "none"])
def test_a_new_round_begins_with_what_is_marked_and_not_with_what_was(anna, last_round):
    """Of removed marks a tally stays behind, which says that nothing counts there."""
    games_of = {}
    for game in ("hanabi", "say_select"):
        common = {"game": game, "name": "one", "ref": f"{game}/one", "kind": "network"}
        agent = Agent.objects.create(**common)
        episode = Episode.objects.create(game=game, rules_version="1", status=Episode.FINISHED, ticks=9)
        fields = {"id": uuid.uuid4(), "episode": episode, "annotator": anna, "seat": 0, "tick": 1, "sign": 1}
        games_of[game] = agent, fields
    if last_round == "hanabi":
        Round.objects.create(number=1, game="hanabi", base_agent=games_of["hanabi"][0], settings={})
    Mark.objects.create(**games_of["say_select"][1])
    removed = Mark.objects.create(**games_of["hanabi"][1])
    assert usual_variant().partition("/")[0] == "hanabi"
    removed.deleted = True
    removed.save()
    assert usual_variant().partition("/")[0] == "say_select"


@pytest.mark.parametrize("name", ["list", "new", "count"])
def test_only_admins_get_in(name, pia_client, anna_client, client, adam_client):
    url = reverse(f"rounds:{name}")
    assert pia_client.get(url).status_code == 403
    assert anna_client.get(url).status_code == 403
    assert client.get(url).status_code == 302
    assert adam_client.get(url).status_code == 200


def test_players_can_neither_see_nor_change_a_round(one, pia_client):
    job = one.jobs.first()
    for url in (reverse("rounds:round", args=[1]), reverse("rounds:live", args=[1])):
        assert pia_client.get(url).status_code == 403
    for url in (reverse("rounds:decide", args=[1]), reverse("rounds:cancel", args=[job.pk])):
        assert pia_client.post(url, {"decision": "promote", "reason": "mine"}).status_code == 403
    job.refresh_from_db()
    assert job.state == Job.QUEUED


def test_an_empty_list_says_what_to_do(adam_client):
    page = adam_client.get(reverse("rounds:list")).content.decode()
    assert "Start the first round" in page


def test_settings_are_compared_with_the_last_round_of_the_same_game(one, adam_client, adam):
    page = adam_client.get(reverse("rounds:round", args=[1])).content.decode()
    assert "This is the first round for Hanabi." in page
    Round.objects.filter(pk=one.pk).update(game="arena")
    second = launch.create(one.base_agent, one.settings, adam, "Again")
    page = adam_client.get(reverse("rounds:round", args=[second.number])).content.decode()
    assert "This is the first round for Hanabi." in page
    third = launch.create(one.base_agent, one.settings, adam, "And again")
    page = adam_client.get(reverse("rounds:round", args=[third.number])).content.decode()
    assert f'The same as in <a href="{reverse("rounds:round", args=[second.number])}">' in page


def labels() -> list[str]:
    return [row["label"] for row in lobby.partners("hanabi")]


def test_players_are_offered_a_candidate_once_it_is_promoted_or_where_a_study_says_so(
    one, adam, adam_client, pia_client
):
    made = with_candidate(one).candidate
    Agent.objects.filter(pk=made.pk).update(round=one)
    promotion.point("hanabi", promotion.CANDIDATE, made)
    assert not any(made.name in label for label in labels())
    assert made not in agents_for("hanabi", games.spec("hanabi").validate({})), "nor drawn as a surprise"
    link = f"{reverse('play:lobby')}?game=hanabi&agent={made.ref}"
    assert f'value="agent:{made.slug}"' in adam_client.get(link).content.decode(), "an admin may try it"
    page = pia_client.get(link)
    assert f'value="agent:{made.slug}"' not in page.content.decode() and page.context["typed"] == {}
    study = Study.objects.filter(game="hanabi").first()
    Study.objects.filter(pk=study.pk).update(offers_candidate=True, active=True)
    assert f"Candidate · {made.name}" in labels()
    one.refresh_from_db()
    decisions.decide(one, "discard", "worse", adam)
    assert not any(made.name in label for label in labels())
    assert not Alias.objects.filter(name=promotion.CANDIDATE).exists(), "it is decided on"
    promotion.point("hanabi", promotion.CANDIDATE, made)
    decisions.decide(one, "promote", "better after all", adam)
    assert f"Champion · {made.name}" in labels() and f"Candidate · {made.name}" not in labels()


def test_what_an_agent_learned_from_is_linked_for_admins_alone(one, adam_client, pia_client):
    """Rounds and snapshots are closed to others."""
    one.snapshot = freeze()
    made = with_candidate(one).candidate
    Agent.objects.filter(pk=made.pk).update(round=one)
    snapshot = reverse("datasets:snapshot", args=[one.snapshot.pk])
    closed = [reverse("rounds:round", args=[one.number]), snapshot]
    for client, linked in ((adam_client, True), (pia_client, False)):
        page = client.get(reverse("agents:agent", args=["hanabi", made.slug])).content.decode()
        assert f"round {one.number}" in page and one.snapshot.sha256[:12] in page
        for address in closed:
            assert (f'href="{address}"' in page) == (client.get(address).status_code == 200) == linked


def test_the_form_launches_a_round_of_five_jobs(base, adam_client):
    simulated_episodes(base, count=3)
    data = form_data(
        adam_client, base=base.ref, simulated_episodes="on", simulated_marks="on", goal="Hint better"
    )
    data |= presets.fields("tiny")
    answer = adam_client.post(reverse("rounds:new"), data)
    assert answer.status_code == 302, answer.context["form"].errors
    one = Round.objects.get()
    assert answer.url == reverse("rounds:round", args=[one.number])
    assert [job.kind for job in one.jobs.order_by("position")] == list(kinds.PIPELINES[kinds.MARKS])
    assert one.settings["reward_model"]["steps"] == 40
    assert one.settings["data"]["seats"] == 2
    assert one.goal == "Hint better"
    assert AuditEvent.objects.filter(verb="round.launch").exists()


def test_a_value_that_makes_no_sense_keeps_what_was_typed(base, adam_client):
    simulated_episodes(base, count=2)
    data = form_data(
        adam_client, base=base.ref, simulated_episodes="on", simulated_marks="on", goal="Keep me"
    )
    answer = adam_client.post(reverse("rounds:new"), data | {"reward_model-steps": "many"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "Keep me" in page and "whole number" in page
    assert not Round.objects.exists()


def test_a_value_of_the_folded_settings_that_makes_no_sense_is_seen(base, adam_client):
    """Though there is nothing to learn from, either."""
    page = adam_client.get(reverse("rounds:new"), {"base": base.ref})
    agent = next(part for part in page.context["parts"] if part["name"] == "agent")
    assert "<details open" not in page.content.decode()
    data = form_data(adam_client, base=base.ref) | {agent["more"][0].html_name: "-5 pounds"}
    page = adam_client.post(reverse("rounds:new"), data).content.decode()
    assert "nothing to learn from" in page and "They are marked below" in page
    before, _, after = page.partition("-5 pounds")
    assert page.count("<details open") == 1 and before.rindex("<details") == before.index("<details open")


def test_a_round_without_marks_is_refused_with_a_sentence(base, adam_client):
    answer = adam_client.post(reverse("rounds:new"), form_data(adam_client, base=base.ref))
    assert "nothing to learn from" in answer.content.decode()
    assert not Round.objects.exists()


def test_the_live_count_follows_the_filters(base, adam_client):
    simulated_episodes(base, count=3)
    url = reverse("rounds:count")
    data = form_data(adam_client, base=base.ref)
    for name in ("simulated_episodes", "simulated_marks"):
        data.pop(name, None)
    assert adam_client.get(url, data).context["found"]["episodes"] == 0
    found = adam_client.get(url, data | {"simulated_episodes": "on", "simulated_marks": "on"}).context[
        "found"
    ]
    assert found["episodes"] == 3 and found["simulated_marks"] == found["marks"] > 0


def test_the_live_count_says_what_is_left_out_for_its_seats_or_rules(base, adam_client):
    simulated_episodes(base, count=3)
    data = form_data(adam_client, base=base.ref) | {"simulated_episodes": "on", "simulated_marks": "on"}
    assert "left out: played with" not in adam_client.get(reverse("rounds:count"), data).content.decode()
    first, second, _ = Episode.objects.filter(game=base.game)
    for episode, change in ((first, {"players": 3}), (second, {"discard": "always"})):
        Episode.objects.filter(pk=episode.pk).update(options={**episode.options, **change})
    page = adam_client.get(reverse("rounds:count"), data)
    assert page.context["found"]["episodes"] == 1
    said = "2 more marked episodes are left out: played with another number of seats, another layout or other"
    assert said in text_of(page)


def test_a_count_that_is_estimated_says_so(base, adam_client, monkeypatch):
    simulated_episodes(base, count=2)
    data = form_data(adam_client, base=base.ref) | {"simulated_episodes": "on", "simulated_marks": "on"}
    said = "Estimated from 2000 of this game’s episodes"
    assert said not in adam_client.get(reverse("rounds:count"), data).content.decode()
    exact = selection.counts
    monkeypatch.setattr(selection, "about", lambda filters: selection.About(exact(filters), [], 0, 2000))
    assert said in adam_client.get(reverse("rounds:count"), data).content.decode()


def test_nobody_is_told_to_tick_what_is_ticked(base, adam_client):
    """Nothing is marked here, so the form opens with both boxes ticked."""
    data = form_data(adam_client, base=base.ref)
    assert data["simulated_episodes"] == data["simulated_marks"] == "on"
    page = adam_client.get(reverse("rounds:count"), data).content.decode()
    assert "nothing to learn from. Mark some replays.<" in page
    data.pop("simulated_marks")
    page = text_of(adam_client.get(reverse("rounds:count"), data))
    assert "Mark some replays, or tick “Include simulated annotators&#x27; marks”." in page


def test_the_page_says_when_no_worker_is_there(one, adam_client):
    url = reverse("rounds:round", args=[1])
    assert "No worker is running" in adam_client.get(url).content.decode()
    WorkerHeartbeat.objects.create(name="here:1")
    assert adam_client.get(url).context["no_worker"] is None
    WorkerHeartbeat.objects.update(at=timezone.now() - timedelta(minutes=2))
    assert adam_client.get(url).context["no_worker"]["command"].startswith(".venv/bin/celery")


def test_live_news_come_once(one, adam_client):
    job = one.jobs.get(kind="reward_model")
    JobMetric.objects.create(job=job, step=1, values={"loss": 0.7})
    JobLine.objects.create(job=job, text="<b>hello</b>")
    url = reverse("rounds:live", args=[1])
    news = adam_client.get(url).json()
    assert news["metrics"][0]["values"] == {"loss": 0.7}
    assert news["lines"][0]["text"] == "<b>hello</b>"
    assert [job["state"] for job in news["jobs"]] == ["queued"] * 5
    after = {"metrics_after": news["metrics"][0]["id"], "lines_after": news["lines"][0]["id"]}
    assert adam_client.get(url, after).json()["metrics"] == []
    assert adam_client.get(url, {"metrics_after": "x"}).status_code == 400


def test_cancel_and_resume_answer_in_json_and_refuse_with_a_sentence(one, adam_client):
    job = one.jobs.get(kind="snapshot")
    json = {"headers": {"Accept": "application/json"}}
    assert adam_client.post(reverse("rounds:cancel", args=[job.pk]), **json).json()["state"] == "cancelled"
    assert adam_client.post(reverse("rounds:resume", args=[job.pk]), **json).json()["state"] == "queued"
    jobs.end(jobs.claim(job.pk, "w"), Job.COMPLETED)
    answer = adam_client.post(reverse("rounds:cancel", args=[job.pk]), **json)
    assert answer.status_code == 409 and "completed" in answer.json()["error"]


def test_promoting_moves_the_aliases_at_once_and_rolling_back_moves_them_back(one, adam_client, base):
    promotion.point("hanabi", "champion", base)
    candidate = with_candidate(one).candidate
    url = reverse("rounds:decide", args=[1])
    adam_client.post(url, {"decision": "promote", "reason": "Hints better"})
    assert resolve("hanabi", "champion") == candidate
    assert resolve("hanabi", "previous") == base
    assert Promotion.objects.get().reason == "Hints better"
    adam_client.post(url, {"decision": "rollback", "reason": "People dislike it"})
    assert resolve("hanabi", "champion") == base
    one.refresh_from_db()
    assert one.decision == "rolled back"
    assert [p.kind for p in Promotion.objects.all()] == ["rollback", "promote"]
    assert AuditEvent.objects.filter(verb="agent.rollback").exists()


@pytest.mark.parametrize("decision", ["promote", "discard", "rollback"])
def test_a_decision_needs_a_reason(one, adam_client, decision, base):
    promotion.point("hanabi", "champion", base)
    with_candidate(one)
    answer = adam_client.post(
        reverse("rounds:decide", args=[1]), {"decision": decision, "reason": " "}, follow=True
    )
    assert "needs a reason" in answer.content.decode()
    assert resolve("hanabi", "champion") == base


def test_the_champion_can_not_be_discarded(one, adam_client):
    promotion.point("hanabi", "champion", with_candidate(one).candidate)
    data = {"decision": "discard", "reason": "Oops"}
    answer = adam_client.post(reverse("rounds:decide", args=[1]), data, follow=True)
    assert "roll back first" in answer.content.decode()


def test_the_list_needs_a_fixed_number_of_queries(
    one, adam_client, adam, base, django_assert_max_num_queries
):
    settings = {"data": {"simulated_episodes": True, "simulated_marks": True}, **presets.values("tiny")}
    for _ in range(5):
        launch.create(base, settings, adam)
    with django_assert_max_num_queries(12):
        assert len(adam_client.get(reverse("rounds:list")).context["rounds"]) == 6


def test_settings_that_changed_since_the_last_round_are_marked(one, adam, base, adam_client):
    changed = presets.values("tiny")
    changed["reward_model"]["steps"] = 77
    launch.create(
        base, {"data": {"simulated_episodes": True, "simulated_marks": True, "seats": 2}, **changed}, adam
    )
    rows = adam_client.get(reverse("rounds:round", args=[2])).context["differences"]
    assert [(r["name"], r["before"], r["value"]) for r in rows if r["changed"]] == [("steps", "40", "77")]


def test_a_scripted_bot_can_not_be_trained(adam):
    bot = Agent.objects.create(ref="hanabi/bot", name="Bot", game="hanabi", kind="scripted")
    with pytest.raises(Refusal, match="only a network"):
        launch.create(bot, {}, adam)


KITCHENS = [
    {"layout": name, "dynamics": "old", "players": 2} for name in ("cramped_room", "forced_coordination")
]


def an_episode(trained: dict, annotator) -> None:
    """A finished episode of a kitchen with a mark of each sign."""
    options = games.spec("overcooked").validate(trained)
    episode = Episode.objects.create(
        game="overcooked", rules_version="1", options=options, seats=[], status=Episode.FINISHED, ticks=400
    )
    for tick, sign in ((9, 1), (12, -1)):
        Mark.objects.create(
            id=uuid.uuid4(), episode=episode, annotator=annotator, seat=0, tick=tick, sign=sign
        )


def test_the_form_offers_each_layout_with_its_own_agents_and_counts_its_data(base, adam_client, anna):
    near, far = (small_network(t["layout"][:6], game="overcooked", trained=t) for t in KITCHENS)
    for trained in (*KITCHENS, KITCHENS[0]):
        an_episode(trained, anna)
    form = adam_client.get(reverse("rounds:new"), {"base": near.ref}).context["form"]
    assert form["variant"].value() == "overcooked/cramped_room"
    assert {"hanabi", "overcooked/cramped_room", "overcooked/forced_coordination"} <= set(
        dict(form.fields["variant"].choices)
    )
    assert form.variants[far.ref] == "overcooked/forced_coordination"
    assert form["evaluation-episodes"].value() == presets.fields("usual", "overcooked")["evaluation-episodes"]
    chosen = {"base": near.ref, "variant": "overcooked/cramped_room", "min_marks": 1}
    found = adam_client.get(reverse("rounds:count"), chosen).context
    assert found["found"]["episodes"] == 2
    rows = {row["layout"]: (row["episodes"], row["marks"]) for row in found["layouts"]}
    assert rows == {"cramped_room": (2, 4), "forced_coordination": (1, 2)}


def test_an_agent_of_another_layout_is_refused_with_a_sentence(base, adam_client, adam, anna):
    near, far = (small_network(t["layout"][:6], game="overcooked", trained=t) for t in KITCHENS)
    for _ in range(2):
        an_episode(KITCHENS[0], anna)
    data = form_data(adam_client, base=far.ref, variant="overcooked/cramped_room")
    page = adam_client.post(reverse("rounds:new"), data)
    assert "was trained for Overcooked, forced coordination, not for Overcooked, cramped room" in (
        page.content.decode()
    )
    with pytest.raises(Refusal, match="choose one layout"):
        launch.create(far, {"data": {"layout": "cramped_room"}}, adam)
    with pytest.raises(Refusal, match="No mark passes"):
        launch.create(far, {}, adam)
    assert launch.create(near, {}, adam).settings["data"]["layout"] == "cramped_room"


def test_promoting_a_cook_moves_the_alias_of_its_layout_alone(base, adam_client, adam, anna):
    near, far = (small_network(t["layout"][:6], game="overcooked", trained=t) for t in KITCHENS)
    for _ in range(2):
        an_episode(KITCHENS[0], anna)
    promotion.point("overcooked", "champion", near, "cramped_room")
    promotion.point("overcooked", "champion", far, "forced_coordination")
    one = launch.create(near, {}, adam)
    one.candidate = small_network("better", game="overcooked", trained=KITCHENS[0])
    one.save()
    url = reverse("rounds:decide", args=[one.number])
    adam_client.post(url, {"decision": "promote", "reason": "More soups"})
    assert resolve("overcooked", "champion", "cramped_room") == one.candidate
    assert resolve("overcooked", "champion", "forced_coordination") == far
    assert "Overcooked, cramped room" in adam_client.get(reverse("rounds:list")).content.decode()
    adam_client.post(url, {"decision": "rollback", "reason": "Burned them"})
    assert resolve("overcooked", "champion", "cramped_room") == near


def test_a_new_round_opens_where_something_is_marked_or_in_the_game_of_the_address(base, adam_client, anna):
    near, far = (small_network(t["layout"][:6], game="overcooked", trained=t) for t in KITCHENS)
    an_episode(KITCHENS[1], anna)

    def opened(**query: str) -> str:
        return adam_client.get(reverse("rounds:new"), query).context["form"]["variant"].value()

    assert opened() == "overcooked/forced_coordination", "what was marked, not the first kitchen there is"
    assert opened(game="hanabi") == "hanabi" and opened(game="chess") == "overcooked/forced_coordination"
    told = adam_client.get(reverse("rounds:told"), {"game": "hanabi"}).context["form"]
    assert told["base"].value() == base.ref
    told = adam_client.get(reverse("rounds:told"), {"game": "overcooked"}).context["form"]
    assert told["base"].value() == far.ref


def test_a_difference_that_rounds_to_nothing_has_no_minus():
    row = {"name": "waiting", "worse": False, "clear": False, "interval": None}
    values = {"ours": 0.07, "theirs": 0.074, "difference": -0.004}
    shown = [watched._difference(None, row | values | {"unit": unit}, {}) for unit in ("share", "count")]
    assert [one["difference"] for one in shown] == ["+0 %", "+0.0"]
