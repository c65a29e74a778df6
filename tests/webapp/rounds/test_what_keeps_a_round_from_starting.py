"""Whatever would fail in a worker is said before there is a job: values, data, agents, instructions."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine import games
from engine.refusal import Refusal
from tests.webapp.cast import small_network, text_of
from tests.webapp.rounds.test_pages import form_data
from webapp.agents import promotion
from webapp.agents.resolve import load_ref
from webapp.annotation.models import Mark
from webapp.episodes.models import Episode
from webapp.rounds import launch
from webapp.rounds.models import Round

pytestmark = pytest.mark.django_db

SENSELESS = {
    "reward_model-held_out": "1.5",
    "agent-lr": "1e9",
    "agent-gamma": "5",
    "agent-moves": "0",
    "agent-allowed_drop": "nan",
    "agent-seed": "",
    "evaluation-episodes": "many",
}


def an_episode(game: str, options: dict, annotator, signs=(1, -1), **more) -> Episode:
    """A finished episode with one mark a sign."""
    episode = Episode.objects.create(
        game=game,
        rules_version="1",
        options=games.spec(game).validate(options),
        seats=[],
        status=Episode.FINISHED,
        ticks=400,
        **more,
    )
    for tick, sign in enumerate(signs, 1):
        Mark.objects.create(
            id=uuid.uuid4(), episode=episode, annotator=annotator, seat=0, tick=tick, sign=sign
        )
    return episode


def count(client, base, **more) -> dict:
    """The context of the live count."""
    return client.get(reverse("rounds:count"), {"base": base.ref, "min_marks": 1, **more}).context


def test_every_senseless_value_is_refused_at_once_beside_its_field_and_kept(adam_client, anna):
    base = small_network()
    data = form_data(adam_client, base=base.ref) | SENSELESS
    answer = adam_client.post(reverse("rounds:new"), data)
    form = answer.context["form"]
    assert answer.status_code == 400 and not Round.objects.exists()
    assert {name: form[name].value() for name in SENSELESS} == SENSELESS
    assert {name: list(form.errors[name]) for name in SENSELESS} == {
        "reward_model-held_out": ["Held out is 1.5; it must be a number above 0 and below 1."],
        "agent-lr": ["Learning rate is 1000000000.0; it must be a number above 0 to 1."],
        "agent-gamma": ["Gamma is 5.0; it must be a number from 0 to 1."],
        "agent-moves": ["Moves is 0; it must be a whole number from 1 to 1,000,000,000,000."],
        "agent-allowed_drop": ["Allowed drop is nan; it must be a number from 0 to 1,000,000."],
        "agent-seed": ["Seed is empty; it must be a whole number from 0 to 2,147,483,647."],
        "evaluation-episodes": ["Episodes is 'many'; it must be a whole number from 4 to 1,000,000."],
    }
    # What has no field is said with them, not after them.
    assert form.non_field_errors() == ["No mark passes the filters, so there is nothing to learn from."]
    page = answer.content.decode()
    assert 'name="agent-moves" value="0" min="1" max="1000000000000" step="1"' in page
    assert 'name="agent-gamma" value="5" min="0" max="1" step="any"' in page


def test_the_command_says_all_of_it_before_it_collects_an_episode():
    small_network()
    arguments = [f"--set={name.replace('-', '.')}={value}" for name, value in SENSELESS.items()]
    with pytest.raises(CommandError) as refused:
        call_command("rounds", "run", "--base", "little", "--annotators", "simulated", *arguments)
    said = str(refused.value)
    assert "agent.lr is 1000000000.0; it must be a number above 0 to 1." in said
    assert "reward_model.held_out is 1.5" in said and "agent.seed is empty" in said
    assert not Episode.objects.exists()


def test_a_part_that_there_is_not_is_refused(adam):
    with pytest.raises(Refusal, match="no part 'agnet'; its parts are data, reward_model, agent"):
        launch.create(small_network(), {"agnet": {"lr": 1}}, adam)


def test_no_episodes_means_none_and_episodes_are_for_simulated_annotators():
    small_network()
    with pytest.raises(CommandError, match="No mark passes the filters"):
        call_command("rounds", "run", "--base", "little", "--annotators", "simulated", "--episodes", "0")
    with pytest.raises(CommandError, match="give --annotators simulated, too"):
        call_command("rounds", "run", "--base", "little", "--episodes", "3")
    assert not Episode.objects.exists()


@pytest.mark.parametrize(
    ("game", "trained", "others"),
    [
        ("hanabi", {"players": 2}, [{"players": 3}, {"players": 2, "colors": 3}, {"lives": 1}]),
        ("hanabi", {"players": 2, "colors": 3}, [{"players": 2}]),
        (
            "overcooked",
            {"layout": "cramped_room", "dynamics": "new", "players": 2},
            [
                {"layout": "cramped_room", "dynamics": "old"},
                {"layout": "forced_coordination", "dynamics": "new"},
            ],
        ),
        ("arena", {}, []),
    ],
)
def test_only_episodes_that_the_round_can_use_are_counted_and_launched_with(
    game, trained, others, adam_client, adam, anna
):
    base = small_network(game=game, trained=trained or {"teams": 2})
    if not trained:  # a squad plays any match
        base.card = base.card | {"options": {}, "players": list(range(2, 21))}
        base.save()
    mine = [an_episode(game, {**trained, **more}, anna) for more in usual(game)]
    an_episode(game, trained, anna, signs=())
    for options in others:
        an_episode(game, options, anna)
    if game != "hanabi":
        an_episode("hanabi", {"players": 2}, anna)
    found = count(adam_client, base)
    assert (found["found"]["episodes"], found["found"]["marks"]) == (len(mine), 2 * len(mine))
    one = launch.create(base, {"data": {"min_marks": 0}}, adam)
    chosen = launch.selection.episodes(launch.Filters.from_json(one.settings["data"]))
    assert set(chosen) == set(mine)


def usual(game: str) -> list[dict]:
    """Options that make no difference to an agent of the game."""
    return {"arena": [{"team_size": 1}, {"teams": 3}], "overcooked": [{}, {"start": "random"}]}.get(
        game, [{}, {}]
    )


def test_the_live_count_asks_for_an_agent_to_count_for(adam_client, anna):
    an_episode("hanabi", {}, anna)
    page = adam_client.get(reverse("rounds:count"))
    assert "found" not in page.context and "Choose the agent" in page.content.decode()


def test_one_marked_episode_is_too_little_and_says_what_is_needed(adam_client, adam, anna):
    base = small_network()
    an_episode("hanabi", {}, anna)
    an_episode("hanabi", {}, anna, signs=())
    needed = "at least 2 are needed, one to learn from and one that is held out"
    page = adam_client.get(reverse("rounds:count"), {"base": base.ref}).content.decode()
    assert needed in page
    answer = adam_client.post(reverse("rounds:new"), form_data(adam_client, base=base.ref))
    assert needed in answer.content.decode()
    with pytest.raises(Refusal, match=needed):
        launch.create(base, {"data": {"min_marks": 0}}, adam)


@pytest.mark.parametrize(("sign", "missing"), [(1, "regression"), (-1, "progress")])
def test_marks_of_one_sign_are_refused_before_the_start(sign, missing, adam_client, adam, anna):
    base = small_network()
    for _ in range(2):
        an_episode("hanabi", {}, anna, signs=(sign, sign))
    page = adam_client.get(reverse("rounds:count"), {"base": base.ref}).content.decode()
    assert f"No {missing} is marked" in page
    with pytest.raises(Refusal, match=f"No {missing} is marked"):
        launch.create(base, {}, adam)
    assert not Round.objects.exists()


def test_few_marks_are_warned_about_before_the_start(adam_client, adam, anna):
    base = small_network()
    for _ in range(2):
        an_episode("hanabi", {}, anna)
    few = "These are few marks: 2 of progress and 2 of regression."
    page = adam_client.get(reverse("rounds:count"), {"base": base.ref}).content.decode()
    assert few in page
    assert launch.notes_on(launch.create(base, {}, adam))[0].startswith(few)
    assert not launch.notes({"episodes": 9, "marks": 500, "progress": 495, "regression": 5})
    for progress, regression in ((250, 249), (496, 4)):
        counts = {"marks": progress + regression, "progress": progress, "regression": regression}
        assert launch.notes({"episodes": 9, **counts})


def test_episodes_of_older_rules_are_left_out_and_said_to_be(adam_client, adam, anna):
    base = small_network()
    for _ in range(3):
        an_episode("hanabi", {}, anna)
    old = an_episode("hanabi", {}, anna)
    Episode.objects.filter(pk=old.pk).update(rules_version="0")
    said = "1 marked episode was played by other rules than this version's (1)"
    page = adam_client.get(reverse("rounds:count"), {"base": base.ref})
    assert page.context["found"]["episodes"] == 3 and said in page.context["notes"][-1]
    one = launch.create(base, {}, adam)
    assert old not in launch.selection.episodes(launch.Filters.from_json(one.settings["data"]))
    assert any(text.startswith(said) for text in launch.notes_on(one))
    Episode.objects.update(rules_version="0")
    with pytest.raises(Refusal, match="No mark passes the filters"):
        launch.create(base, {}, adam)


def test_an_agent_whose_weights_are_gone_is_refused_with_a_sentence(adam_client, adam, anna):
    base = small_network()
    for _ in range(2):
        an_episode("hanabi", {}, anna)
    (Path(load_ref(base)) / "weights.safetensors").unlink()
    with pytest.raises(Refusal, match="Little can't be used: The agent folder .* has no weights"):
        launch.create(base, {}, adam)
    answer = adam_client.post(reverse("rounds:new"), form_data(adam_client, base=base.ref))
    assert "can't be used" in answer.context["form"].errors["base"][0]


def test_a_champion_for_another_number_of_players_is_not_compared_with(adam):
    base = small_network("three", trained={"players": 3})
    two = small_network("two")
    base.card |= {"players": [3]}
    two.card |= {"players": [2]}
    for agent in (base, two):
        agent.save()
    promotion.point("hanabi", "champion", two)
    assert launch.champion_for(base) == base
    assert launch.champion_for(two) == two


@pytest.mark.parametrize(
    ("game", "part", "text", "sentence"),
    [
        ("hanabi", "agent", "the weather is nice", "can't be followed: That is talk"),
        ("hanabi", "evaluation", "the weather is nice", "can't be followed: That is talk"),
        ("arena", "agent", "follow me", "here they are goals"),
        ("hanabi", "agent", "never discard", None),
        ("arena", "evaluation", "follow me", None),
    ],
)
def test_an_instruction_that_nobody_can_follow_is_refused_in_its_field(
    game, part, text, sentence, adam_client, anna
):
    base = small_network(game=game, trained={"teams": 2} if game == "arena" else {"players": 2})
    for _ in range(2):
        an_episode(game, base.card["options"], anna)
    data = form_data(adam_client, base=base.ref, variant=game) | {f"{part}-instruction": text}
    answer = adam_client.post(reverse("rounds:new"), data)
    if sentence is None:
        assert answer.status_code == 302, answer.context["form"].errors
    else:
        assert sentence in answer.context["form"].errors[f"{part}-instruction"][0]


def test_a_setting_of_0_is_shown_as_0(adam_client, adam, anna):
    base = small_network()
    for _ in range(2):
        an_episode("hanabi", {}, anna)
    one = launch.create(base, {"agent": {"seed": 0, "value_warmup": 0}, "evaluation": {"seed": 0}}, adam)
    launch.create(base, {"agent": {"seed": 3, "value_warmup": 1}}, adam)
    page = text_of(adam_client.get(reverse("rounds:round", args=[one.number])))
    assert "<td>seed</td><td>0</td>" in page and "<td>value warmup</td><td>0</td>" in page
    page = text_of(adam_client.get(reverse("rounds:round", args=[2])))
    assert '<td>seed</td><td>3</td><td class="muted">0</td>' in page


def test_too_few_people_to_clone_are_told_before_the_round(adam_client, anna):
    base = small_network()
    cloning = {"algorithm-agent": "clone_people"}

    def on_people(notes: list[str]) -> list[str]:
        return [text for text in notes if "few marks" not in text]

    def found() -> tuple[list[str], str]:
        notes = on_people(count(adam_client, base, **cloning)["notes"])
        return notes, launch.problems(base, {"algorithms": {"agent": "clone_people"}}).get("data", "")

    def play(*names: str, ticks: int = 400) -> None:
        seats = [{"kind": "person", "name": name, "pseudonym": name} for name in names]
        seats += [{"kind": "agent", "name": "bot"}] * (2 - len(seats))
        episode = an_episode("hanabi", {"players": 2}, anna)
        Episode.objects.filter(pk=episode.pk).update(seats=seats, ticks=ticks)

    for names in (["ann", "ben"], ["ben", "cat"], ["dan"]):
        play(*names)
    sentence = "3 people or pairs who never played together are needed, so that one can be held out; in these"
    assert found() == ([f"{sentence} games there are 2."], f"{sentence} games there are 2.")
    assert on_people(count(adam_client, base)["notes"]) == [], "other algorithms don't mind"
    play("eve")
    few = "There are 1,200 moves of people, which is little (2,000 or more are better)."
    assert found() == ([few], "")
    play("fay", ticks=2000)
    assert found() == ([], "")
    halves = {"algorithms": {"agent": "clone_people"}, "agent": {"divide": 5}}
    assert "5 people" in launch.problems(base, halves)["data"]
    three = small_network("three", trained={"players": 3})
    an_episode("hanabi", {"players": 3}, anna), an_episode("hanabi", {"players": 3}, anna)
    said = launch.problems(three, {"algorithms": {"agent": "clone_people"}})["data"]
    assert said.endswith("in these games there are none.") and "3 people" in said
    page = adam_client.get(reverse("rounds:new"), {"base": base.ref, **cloning}).content.decode()
    assert "start from the chosen agent" in page
