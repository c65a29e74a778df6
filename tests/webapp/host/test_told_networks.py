"""A network that reads what it is told, in a live match: its next move is by what is in force then."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async

from engine.simulation.log import EpisodeLog, resimulate
from tests.engine.agents.heeding import heeding
from webapp.agents.models import Agent
from webapp.episodes.stores import log_store
from webapp.episodes.streams import words_until
from webapp.host import manager

pytestmark = pytest.mark.django_db(transaction=True)
PLAYS = [5, 6, 7, 8, 9]
PLAY, DISCARD = "if I hint a colour, play those cards", "When I hint a colour, discard those cards"


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest.fixture
def make_agent(settings, tmp_path):
    """A function: a row of such an agent."""
    settings.AGENTS_DIR = tmp_path

    def make(game: str, options: dict, untold: list[int], told: dict[str, list[int]]) -> Agent:
        card = heeding(game, options, Path(settings.AGENTS_DIR) / "heeding", untold, told)
        return Agent.objects.create(
            ref=f"{game}/heeding", name="Heeding", game=game, kind="network", folder="heeding",
            sha256=card["sha256"], card=card,
        )  # fmt: skip

    return make


async def say(page, text) -> str:
    """The id of an instruction that is confirmed."""
    name = str(uuid.uuid4())
    await page.send("instruct", id=name, text=text, target=None)
    while (await page.until("instruction"))["status"] != "confirmed":
        await page.send("confirm_reading", id=name)
    return name


async def test_a_move_that_an_instruction_changed_says_so_and_the_log_keeps_why(
    make_match, make_agent, pia, browse
):
    await in_thread(make_agent, "hanabi", {"players": 2}, [0], {PLAY: PLAYS})
    match = await in_thread(make_match, pia, ("me", "agent:heeding"))
    page = await browse(match, pia)
    told = await say(page, PLAY)
    await page.my_turn()
    await page.move("hint_color", "hint_rank")
    reason = await page.until("reason")
    assert (reason["id"], reason["seat"], reason["tick"], reason["kind"]) == (told, 1, 2, "because")
    assert reason["text"] == f"Because Player 1 asked: “{PLAY}”."
    log = await in_thread(log_store().read, match.pk)
    kept = [record for record in log.records if record["type"] == "reason"]
    assert [record["id"] for record in kept] == [told] and kept[0]["instead"] == 0
    later = await browse(match, pia)
    assert reason in later.joined["dialogue"], "who comes back reads it, too"
    words = words_until(log, 2)
    assert [word["text"] for word in words if word["kind"] == "reason"] == [reason["text"]]
    bare = EpisodeLog(log.header, [one for one in log.records if one["type"] != "reason"])
    assert resimulate(bare).digest() == resimulate(log).digest(), "nothing is played differently for it"


async def test_in_turns(make_match, make_agent, pia, browse):
    await in_thread(make_agent, "hanabi", {"players": 2}, [0], {PLAY: [1], DISCARD: [2]})
    match = await in_thread(make_match, pia, ("me", "agent:heeding"))
    page = await browse(match, pia)

    async def answer() -> int:
        """What the agent does after a hint, which leaves it free to discard."""
        await page.my_turn()
        await page.move("hint_color", "hint_rank")
        await page.my_turn()
        return manager.current_host().matches[match.pk].sim.actions[-1][1]

    assert await answer() == 0
    await say(page, PLAY)
    assert await answer() == 1
    name = await say(page, DISCARD)
    assert (await page.until("standing"))["state"] == "replaced"
    assert await answer() == 2
    await page.send("withdraw", id=name)
    await page.until("instruction")
    assert await answer() == 0


async def test_where_all_move_at_once(make_kitchen, make_agent, pia, browse):
    north, still, task = 0, 4, "you do onions"
    options = {"layout": "cramped_room"}
    await in_thread(make_agent, "overcooked", options, [still], {task: [north]})
    match = await in_thread(make_kitchen, pia, ("me", "agent:heeding"), horizon=1200)
    page = await browse(match, pia)

    async def does(move: int) -> None:
        """The agent comes to do this, for five ticks on end: what it decided before may still go on."""
        sim = manager.current_host().matches[match.pk].sim
        begun = sim.tick
        while [joint[1] for joint in sim.actions[begun:]][-5:] != [move] * 5:
            await page.ticks(1)
            assert sim.tick < 1200

    await does(still)
    name = await say(page, task)
    await does(north)
    await page.send("withdraw", id=name)
    await page.until("instruction")
    await does(still)
