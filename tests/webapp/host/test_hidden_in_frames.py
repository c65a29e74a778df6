"""No frame of any game tells any browser who a hidden agent is: whatever is said, whoever comes, whatever
fails. (The pages: test_hidden_agents.)
"""

import uuid

import pytest
from asgiref.sync import sync_to_async

from engine.agents.catalogue import folder_of
from tests.webapp.host.arena import new_arena, until_true
from webapp.agents.models import Agent
from webapp.host import manager
from webapp.host.connection import Connection
from webapp.lobby.views.table import take_seat
from webapp.matches.models import Seat

pytestmark = pytest.mark.django_db(transaction=True)
# The agent that hides, the first of its seats, and something to tell it.
HIDDEN = {
    "hanabi": ("grounded-bot", 2, "discard your oldest card"),
    "overcooked": ("random", 1, "bring me a plate"),
    "arena": ("middle", 1, "hold here"),
}
KINDS = ["hanabi", "kitchen", "kitchen turn by turn", "arena"]


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def live(match):
    return manager.current_host().matches[match.pk]


@pytest.fixture
def sent(monkeypatch) -> list[str]:
    """Every frame that goes to any browser, as text."""
    frames, post = [], Connection.post

    def keep(self, text, state=False):
        frames.append(text if isinstance(text, str) else bytes(text).decode("latin-1"))
        post(self, text, state)

    monkeypatch.setattr(Connection, "post", keep)
    return frames


@pytest.fixture(params=KINDS)
def table(request, make_match, make_kitchen, pia, otto, anna, browse, fight):
    """A function: (match, what opens the pages of its players pia and otto and of its co-pilot anna)."""

    async def open_all(match, gone=()):
        sit = fight if match.game == "arena" else browse
        return [await sit(match, user) for user in (pia, otto, anna) if user.username not in gone]

    async def make():
        game = {"hanabi": "hanabi", "arena": "arena"}.get(request.param, "overcooked")
        wish = f"agent:{HIDDEN[game][0]}"
        if game == "hanabi":
            match = await in_thread(make_match, pia, ("me", "friend", wish), hidden=True)
        elif game == "arena":
            wishes = ("me", wish, "friend", wish)
            match = await in_thread(new_arena, pia, wishes, 2, hidden=True)
        else:
            pace = {"pace": "turns"} if "turn" in request.param else {}
            layout = "XXPXX\nO1  O\nX 2 X\nX 3 X\nXDXSX"
            options = {"layout": layout}
            match = await in_thread(
                make_kitchen, pia, ("me", wish, "friend"), 3000, hidden=True, options=options, **pace
            )
        hidden = Seat.objects.filter(match=match, index=HIDDEN[game][1])
        await in_thread(hidden.update, copilot=anna)
        assert await in_thread(take_seat, match, otto)
        return match, open_all

    return make


def secrets_of(match) -> list[str]:
    agent = Agent.objects.get(ref=f"{match.game}/{HIDDEN[match.game][0]}")
    assert set(match.seats.filter(agent=agent).values_list("hidden", flat=True)) == {True}
    said = [agent.ref, agent.name, agent.card.get("description", ""), agent.card.get("explanation", "")]
    return [one for one in [*said, str(folder_of(agent.ref))] if one]


async def act(match, *pages) -> None:
    """Each of these players makes a move, where they do in turns, and sees what it led to."""
    for page in pages:
        if match.game == "hanabi":
            await page.my_turn()
            await page.move("discard", "hint_color", "hint_rank")
        elif not live(match).real_time:
            await page.send("move", tick=live(match).sim.tick, action=4)
        else:
            await page.ticks(2)


async def do_everything(match, pia, otto, anna) -> None:
    """What players, spectators and co-pilots can do, and what can go wrong with an agent."""
    _, agent, text = HIDDEN[match.game]
    name, other = str(uuid.uuid4()), str(uuid.uuid4())
    await pia.send("instruct", id=name, text=text, target=agent)
    await pia.until("instruction")
    await pia.send("rewrite", id=name, new_id=other, text=text + " please")
    await pia.until("instruction")
    await pia.send("withdraw", id=other)
    await pia.send("instruct", id=str(uuid.uuid4()), text="Surprise agent, " + text, target=None)
    await pia.send("instruct", id="7", text=text, target=99)
    await pia.send("say", text="who are you?")
    for seat in (0, agent, 9, None):
        for kind in ("see", "watch", "takeover"):
            await pia.send(kind, seat=seat)
    await act(match, pia, otto)
    for page in (anna, pia):
        await page.send("take_control")
        await page.send("see", seat=agent)
    await anna.send("move", tick=live(match).sim.tick, action=4)
    await anna.send("hand_back")
    await act(match, pia, otto)


@pytest.mark.parametrize("how", ["its name is no agent's", "it is late", "its process died"])
async def test_no_frame_tells_who_a_hidden_agent_is(table, sent, how, settings):
    match, open_all = await table()
    secrets = await in_thread(secrets_of, match)
    pages = await open_all(match)
    await do_everything(match, *pages)
    game = live(match)
    if how == "its name is no agent's":
        # The true ref stays part of what goes wrong, as it does in a broken file's path.
        for one in game.agent_seats():
            game.controllers[one] = {**game.controllers[one], "ref": f"{game.controllers[one]['ref']}/broken"}
    elif how == "it is late":
        settings.AGENT_TIMEOUT_MS = 0  # sooner than any answer
    else:
        manager.current_host().agents.child._process.kill()
    await act(match, *pages[:2])
    sentence = ""  # a new process answers, or the agent stays where it is for a tick
    if match.game == "hanabi" and "process" not in how:
        sentence = "A scripted player made this move"
    elif "name" in how:
        sentence = "can't play; another agent plays on for it"
    await until_true(lambda: any(sentence in one.get("text", "") for one in game.dialogue))
    await pages[1].send("leave")
    await pages[0].until("control")
    # Another host tells those who come all that was told before.
    await manager.current_host().stop()
    manager._host = None
    pages = await open_all(match, gone=("otto",))
    assert pages[0].joined["dialogue"]
    await act(match, pages[0])
    await pages[0].send("leave")
    assert (await pages[0].until("end"))["names"][HIDDEN[match.game][1]].startswith("Surprise agent")
    frames = "\n".join(sent).lower()
    assert len(sent) > 40 and "surprise agent" in frames
    assert [one for one in secrets if one.lower() in frames] == []
