"""The gallery, an agent's page, comparisons, files; syncing and resolving."""

from __future__ import annotations

import shutil

import pytest
from django.core.management import call_command
from django.urls import reverse

from engine.agents import catalogue
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from tests.webapp.cast import small_network
from webapp.agents import cards, promotion, shipped
from webapp.agents.models import Agent, Alias
from webapp.agents.resolve import load_ref, resolve, why_not
from webapp.common.made import cache
from webapp.episodes import simulated
from webapp.episodes.models import Episode
from webapp.gallery import moments
from webapp.rounds.forms import learners

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    cache.clear()


@pytest.fixture
def synced() -> None:
    shipped.sync()


def test_a_round_goes_on_from_networks_and_not_from_proxies_of_people(synced):
    kinds = dict(Agent.objects.values_list("ref", "kind"))
    assert kinds["hanabi/human"] == kinds["overcooked/human-train"] == "people"
    assert (kinds["hanabi/learner-1"], kinds["hanabi/random"]) == ("network", "scripted")
    assert not [agent.ref for agent in learners() if agent.kind != "network"]


def test_what_was_known_of_cards_stands_on_the_page_in_shares(client, pia, synced):
    agent = Agent.objects.get(ref="hanabi/learner-1")
    agent.card["evaluation"]["counts"] = {
        "known_before_play": {"nothing": 0, "color": 1, "rank": 2, "both": 1}
    }
    agent.save()
    client.force_login(pia)
    page = client.get(reverse("agents:agent", args=["hanabi", "learner-1"]))
    [known] = page.context["shares"]
    assert known["title"] in page.content.decode()
    assert [cell["value"] for cell in known["rows"][0]["cells"]] == [0, 0.25, 0.5, 0.25]
    assert not cards.shares("say_select", {"untold": {}})


def test_what_instructions_cost_stands_on_the_page_cheapest_first(client, pia, synced):
    agent = Agent.objects.get(ref="hanabi/learner-1")
    matrix = agent.card["evaluation"]["action_matrix"]
    size = len(matrix["labels"])

    def row(text: str, strict: float) -> dict:
        scores = {"sensible": {"mean": 21.0}, "strict": {"mean": strict}}
        rows = [[100] + [0] * (size - 1)] * size
        return {"text": text, "sentence": f"I do {text}.", "program": None, "rows": rows, "scores": scores}

    rows = [row("dear", 9.0), row("cheap", 20.5)]
    rows[1]["scores"]["sensible"]["mean"] = 21.2
    told = {"episodes": 9, "untold": {"mean": 21.5, "stderr": 0.1}, "instructions": rows}
    agent.card["evaluation"]["instructed"] = told
    agent.save()
    client.force_login(pia)
    found = cards.instructed(agent.card, 1)
    assert [one["text"] for one in found["rows"]] == ["cheap", "dear"]
    assert found["matrix"]["rows"][3]["cells"][0] == {"value": 1.0, "level": 10}
    assert found["rows"][1]["costs"] == [0.5, 12.5] and found["chosen"]["text"] == "cheap"
    address = reverse("agents:agent", args=["hanabi", "learner-1"])
    page = client.get(address, {"told": "0"}).content.decode()
    assert "What an instruction changes" in page and "I do dear." in page and "I do cheap." not in page
    changes = client.get(reverse("agents:told", args=["hanabi", "learner-1", 0])).content.decode()
    assert "I do dear." in changes and "No moments were recorded" in changes and "with it" in changes
    assert client.get(reverse("agents:told", args=["hanabi", "learner-1", 2])).status_code == 404
    for odd in ("7", "-1", "x", "9" * 40):
        assert client.get(address, {"told": odd}).status_code == 200


def test_syncing_twice_changes_nothing(synced):
    before = Agent.objects.count()
    done = shipped.sync()
    assert before == len(done["unchanged"]) >= 4
    assert not done["added"] and not done["updated"] and not done["retired"]
    assert all(catalogue.load(load_ref(agent), agent.game) for agent in Agent.objects.all())


def test_an_agent_that_is_no_longer_shipped_is_retired_and_one_that_comes_back_is_not(synced):
    gone = Agent.objects.create(ref="hanabi/gone", name="Gone", game="hanabi", kind="scripted")
    assert shipped.sync()["retired"] == ["hanabi/gone"]
    Agent.objects.filter(ref="hanabi/random").update(retired=True)
    assert shipped.sync()["updated"] == ["hanabi/random"]
    gone.refresh_from_db()
    assert gone.retired


def test_a_broken_card_is_named_and_the_other_agents_are_synced(monkeypatch, tmp_path, caplog):
    folder = tmp_path / "agents"
    shutil.copytree(catalogue.agents_of("hanabi"), folder)
    (folder / "random" / "card.json").write_text('{"game": "hanabi", "players": "many"}')
    (folder / "grounded-bot" / "card.json").write_text("{")
    agents_of = catalogue.agents_of
    monkeypatch.setattr(catalogue, "agents_of", lambda game: folder if game == "hanabi" else agents_of(game))
    call_command("agents", "sync")
    refs = set(Agent.objects.values_list("ref", flat=True))
    assert "hanabi/convention-bot" in refs and not refs & {"hanabi/random", "hanabi/grounded-bot"}
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    bad, unreadable = sorted(caplog.messages, key=lambda text: "grounded" in text)
    assert f"The card of {folder}/random can't be used: its players is 'many'" in bad
    assert f"The card of {folder}/grounded-bot" in unreadable and "is left out." in unreadable


def test_agents_trained_here_survive_a_sync(synced):
    mine = small_network()
    shipped.sync()
    mine.refresh_from_db()
    assert not mine.retired


def test_an_alias_in_the_database_goes_before_the_shipped_one(synced):
    first = resolve("hanabi", "champion")
    assert first.ref == catalogue.aliases()["hanabi/champion"]
    mine = small_network()
    promotion.promote(mine, reason="better", user=None)
    assert resolve("hanabi", "champion") == resolve("hanabi", "hanabi/champion") == mine
    assert resolve("hanabi", "previous") == first
    assert catalogue.load(load_ref(mine)).name == "little"
    promotion.roll_back("hanabi", reason="worse", user=None)
    assert resolve("hanabi", "champion") == first


def test_an_unknown_name_is_refused_with_what_there_is(synced):
    with pytest.raises(Refusal, match="no hanabi agent 'genius'; known are champion, .*random"):
        resolve("hanabi", "genius")


def test_before_a_sync_the_sentence_says_what_to_do():
    with pytest.raises(Refusal, match="agents sync"):
        resolve("hanabi", "champion")


def test_the_gallery_shows_every_agent_to_everybody_signed_in(synced, pia_client, client):
    assert client.get(reverse("agents:gallery")).status_code == 302
    page = pia_client.get(reverse("agents:gallery")).content.decode()
    for agent in Agent.objects.all():
        assert agent.name in page
    assert "champion" in page


def test_the_gallery_shows_one_game_where_the_address_names_it(synced, pia_client):
    every = pia_client.get(reverse("agents:gallery")).context["games"]
    page = pia_client.get(reverse("agents:gallery"), {"game": "hanabi"})
    assert len(every) > 1 and [group["game"] for group in page.context["games"]] == ["hanabi"]
    assert len(pia_client.get(reverse("agents:gallery"), {"game": "chess"}).context["games"]) == len(every)


def test_the_gallery_needs_a_fixed_number_of_queries(synced, pia_client, django_assert_max_num_queries):
    for number in range(6):
        small_network(f"more-{number}")
    with django_assert_max_num_queries(12):
        pia_client.get(reverse("agents:gallery"))


@pytest.mark.parametrize("name", ["convention-bot", "grounded-bot", "random"])
def test_each_shipped_agent_has_a_page(synced, pia_client, name):
    page = pia_client.get(reverse("agents:agent", args=["hanabi", name])).content.decode()
    assert "Play with it" in page and f"agent=hanabi/{name}" in page.replace("%2F", "/")


def test_the_convention_bots_page_explains_its_conventions(synced, pia_client):
    page = pia_client.get(reverse("agents:agent", args=["hanabi", "convention-bot"])).content.decode()
    for word in ("Chop", "Focus", "Play hint", "Save hint"):
        assert f"<strong>{word}.</strong>" in page


def test_weights_and_card_can_be_downloaded_and_nothing_else(pia_client):
    agent = small_network()
    url = reverse("agents:download", args=["hanabi", "little", "weights.safetensors"])
    assert len(b"".join(pia_client.get(url).streaming_content)) > 1000
    for name in ("secret-key", "..%2f..%2fsecret-key", "checkpoint.safetensors"):
        assert pia_client.get(f"/agents/hanabi/little/files/{name}").status_code == 404
    assert agent.sha256 == catalogue.read_card(catalogue.folder_of(load_ref(agent)))["sha256"]


def carded(name: str, **card) -> Agent:
    agent = small_network(name)
    Agent.objects.filter(pk=agent.pk).update(card=agent.card | card)
    agent.refresh_from_db()
    return agent


def test_how_an_agent_does_with_peoples_proxy_is_shown_first(pia_client):
    known = {"self_play": {"mean": 20.0, "stderr": 0.1}}
    judged = {**known, "people": {"mean": 9.0, "interval": [8.0, 10.0], "proxy": "hanabi/human"}}
    (one,) = cards.evaluations(carded("judged", evaluation=judged))
    assert [bar["label"] for bar in one["bars"]] == ["with people (proxy)", "self-play"]
    assert (one["bars"][0]["score"]["low"], one["bars"][0]["score"]["high"]) == (8.0, 10.0)


def test_a_proxys_page_says_how_well_it_foretells_people(synced, pia_client):
    page = pia_client.get(reverse("agents:agent", args=["overcooked", "human"])).content.decode()
    card = Agent.objects.get(ref="overcooked/human").card["held_out"]
    low, high = card["people"]["interval"]
    assert f"{card['people']['nats']:.3f}" in page and f"{low:.3f} to {high:.3f}" in page
    assert "forced coordination" in page and "10 people" in page and "Not evaluated yet" not in page
    assert "10 held-out people" in pia_client.get(reverse("agents:gallery")).content.decode()


@pytest.mark.parametrize(("game", "trained"), [("hanabi", {"players": 2}), ("arena", {"teams": 2})])
def test_a_proxy_becomes_human_and_never_champion(game, trained, synced):
    before, champion = resolve(game, "human"), resolve(game, "champion")
    own = small_network("own", game=game, trained=trained)
    own.kind = "people"
    own.save()
    moved = promotion.promote(own, reason="our people", user=None)
    assert (moved.alias, moved.before) == ("human", before)
    assert resolve(game, "human") == own and resolve(game, "champion") == champion
    with pytest.raises(Refusal, match="Own is the human proxy already"):
        promotion.promote(own, reason="again", user=None)
    with pytest.raises(Refusal, match="no earlier champion"):
        promotion.roll_back(game, reason="worse", user=None)
    call_command("agents", "rollback", "--game", game, "--alias", "human", "--reason", "few")
    # Arena's is a scripted leader.
    assert resolve(game, "human") == before and resolve(game, "champion") == champion


def test_a_spread_that_nobody_measured_is_not_shown_as_zero(pia_client):
    carded("lone", evaluation={"self_play": {"mean": 3.0}})
    page = " ".join(pia_client.get("/agents/hanabi/lone/").content.decode().split())
    assert '<span class="bar-value">3.00</span>' in page


def test_a_card_with_one_number_as_greedy_score_has_its_page(pia_client):
    carded("lone", evaluation={"greedy": 0.0})
    assert pia_client.get("/agents/hanabi/lone/").status_code == 200


def test_players_can_not_roll_back(pia_client, synced):
    promotion.promote(small_network(), reason="better", user=None)
    data = {"game": "hanabi", "reason": "I want to"}
    assert pia_client.post(reverse("agents:rollback"), data).status_code == 403
    assert Alias.objects.get(name="champion").agent.ref == "hanabi/little"


def test_text_of_a_card_is_escaped(pia_client):
    agent = small_network()
    Agent.objects.filter(pk=agent.pk).update(card=agent.card | {"description": "<script>alert(1)</script>"})
    page = pia_client.get(reverse("agents:agent", args=["hanabi", "little"])).content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_the_command_line_promotes_and_rolls_back(synced, capsys):
    small_network()
    call_command("agents", "promote", "--agent", "little", "--reason", "better", "--json")
    assert '"champion": "hanabi/little"' in capsys.readouterr().out
    call_command("agents", "rollback", "--reason", "worse", "--json")
    assert '"previous": "hanabi/little"' in capsys.readouterr().out


# --- Games whose agents are made for one layout ---

RING, ROOM = "coordination_ring", "cramped_room"


def cook(name: str, layout: str = "", **card) -> Agent:
    """A row of an Overcooked agent: of a network that knows one layout, or of a scripted cook."""
    kind = "network" if layout else "scripted"
    options = {"options": {"layout": layout, "dynamics": "old"}} if layout else {}
    said = {"game": "overcooked", "kind": kind, "players": [2], **options, **card}
    return Agent.objects.create(ref=f"overcooked/{name}", name=name, game="overcooked", kind=kind, card=said)


def test_a_layouts_champion_goes_before_the_games_and_others_are_passed_over():
    anyone, ring = cook("anyone"), cook("ring-cook", RING)
    promotion.point("overcooked", "champion", anyone)
    promotion.point("overcooked", "champion", ring)
    assert resolve("overcooked", "champion", RING) == ring
    assert resolve("overcooked", "champion", "forced_coordination") == anyone
    assert resolve("overcooked", "champion", "custom") == anyone
    promotion.point("overcooked", "champion", ring, layout="")
    shipped.sync()
    for layout in ("custom", "forced_coordination"):
        assert resolve("overcooked", "champion", layout) != ring, "it plays the ring only"


def test_of_other_options_of_a_layout_its_agent_is_passed_over_too():
    anyone, ring = cook("anyone"), cook("ring-cook", RING)
    promotion.point("overcooked", "champion", anyone)
    promotion.point("overcooked", "champion", ring)
    options = Simulation("overcooked", {"layout": RING, "dynamics": "new"}).options
    assert resolve("overcooked", "champion", RING, options) == anyone
    assert "trained for" in why_not(ring, options)


def test_promotion_and_rollback_keep_to_the_layout():
    first, second = cook("ring-1", RING), cook("ring-2", RING)
    room = cook("room", ROOM)
    for one in (first, room, second):
        promotion.promote(one, reason="better", user=None)
    assert resolve("overcooked", "champion", RING) == second
    promotion.roll_back("overcooked", reason="worse", user=None, layout=RING)
    assert resolve("overcooked", "champion", RING) == first
    assert resolve("overcooked", "champion", ROOM) == room
    with pytest.raises(Refusal, match=f"was made for {RING} and can't become champion of {ROOM}"):
        promotion.promote(second, reason="why not", user=None, layout=ROOM)
    with pytest.raises(Refusal, match="no earlier champion of overcooked on forced_coordination"):
        promotion.roll_back("overcooked", reason="worse", user=None, layout="forced_coordination")


def test_the_gallery_groups_agents_by_layout_and_says_it_on_badges(pia_client, adam_client):
    ring = cook("ring-cook", RING, evaluation={"self_play": {"mean": 231.5, "stderr": 1.0, "episodes": 500}})
    cook("anyone", evaluation={"layouts": {ROOM: {"self_play": {"mean": 120, "stderr": 2, "episodes": 100}}}})
    promotion.promote(ring, reason="better", user=None)
    page = pia_client.get(reverse("agents:gallery")).content.decode()
    assert "champion · Coordination ring" in page and ">Coordination ring" in page
    assert "231.50" in page and "± 1.96" in page
    assert "120.0" in page
    assert f"agent=overcooked/ring-cook&amp;layout={RING}" in page.replace("%2F", "/")
    page = adam_client.get(reverse("agents:agent", args=["overcooked", "ring-cook"])).content.decode()
    assert "Why roll back in Overcooked, coordination ring?" in page
    data = {"game": "overcooked", "layout": RING, "reason": "worse"}
    answer = adam_client.post(reverse("agents:rollback"), data, follow=True).content.decode()
    assert f"There is no earlier champion of overcooked on {RING}" in answer


def test_an_agents_page_shows_partners_and_how_it_learned(pia_client):
    partners = {
        "overcooked/zoo-lazy": {"mean": 80.0, "interval": [78.0, 82.0], "episodes": 50, "share": 0.83}
    }
    evaluation = {"self_play": {"mean": 231.5, "stderr": 1.0}, "partners": partners}
    training = {"joint_steps": 3_000_000, "curve": [[0, 0], [1_000_000, 120], [3_000_000, 231]]}
    cook("ring-cook", RING, evaluation=evaluation, training=training)
    page = pia_client.get(reverse("agents:agent", args=["overcooked", "ring-cook"])).content.decode()
    assert "<td>zoo-lazy</td>" in page and "0.83" in page and "± 2.0" in page
    assert '"points": [[0, 0], [1000000, 120], [3000000, 231]]' in page
    assert "3,000,000" in page
    cook("zoo-lazy")
    Agent.objects.filter(ref="overcooked/zoo-lazy").update(name="Lazy cook")
    page = pia_client.get(reverse("agents:agent", args=["overcooked", "ring-cook"])).content.decode()
    assert "<td>Lazy cook</td>" in page


def test_a_link_to_the_lobby_chooses_agent_and_layout(pia_client):
    cook("ring-cook", RING)
    data = {"game": "overcooked", "agent": "overcooked/ring-cook", "layout": RING}
    page = pia_client.get(reverse("play:lobby"), data)
    assert page.context["typed"] == {
        "option_layout": [RING],
        "seat": ["me", "agent:ring-cook"],
    }


def test_moments_of_an_instruction_are_drawn_as_the_one_to_move_sees_them(client, pia, synced):
    agent = Agent.objects.get(ref="hanabi/told")
    kept = agent.card["evaluation"]["instructed"]["instructions"]
    number = next(place for place, one in enumerate(kept) if one["text"] == "Play your newest card")
    found = moments.moments(agent, number)
    assert [one["turn"] for one in found] == [tick + 1 for tick, _ in kept[number]["moments"]]
    assert len({one["picture"] for one in found}) == 3 and all(one["told"] != one["untold"] for one in found)
    client.force_login(pia)
    page = client.get(reverse("agents:told", args=["hanabi", "told", number])).content.decode()
    assert page.count("data:image/png") == 3 and f"With it: {found[0]['told']}" in page


def test_moments_of_a_game_that_cannot_be_played_any_more_are_left_out(synced):
    agent = Agent.objects.get(ref="hanabi/told")
    measured = agent.card["evaluation"]["instructed"]
    measured["game"]["actions"] = [10_000]
    agent.card["sha256"] = "other"
    assert moments.moments(agent, 0) == []


def test_the_gallery_shows_a_game_of_an_agent_that_everybody_may_watch(
    client, pia, synced, settings, tmp_path
):
    settings.EPISODES_DIR = tmp_path
    (episode,) = simulated.simulate("hanabi", 1, ["hanabi/grounded-bot"], seed=3)
    strip = reverse("replays:strip", args=[episode.pk])
    Episode.objects.update(public=True)
    client.force_login(pia)
    assert client.get("/agents/").content.decode().count(strip) == 1
    Episode.objects.update(public=False)
    assert strip not in client.get("/agents/").content.decode()


def test_agents_of_one_name_are_told_apart_in_the_lineage_by_their_layout(client, pia, synced):
    client.force_login(pia)
    page = client.get(reverse("agents:gallery"), {"game": "overcooked"}).content.decode()
    assert "Companion · Cramped room</a>" in page and "Companion · Coordination ring</a>" in page
    assert "Companion</a> <span" not in page
