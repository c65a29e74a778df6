"""No page tells who a hidden agent is before the match is over: whoever it is, a browser gets the same.

Everything that a player and a spectator can reach is fetched twice, with one agent in the hidden seats and
with another; what differs tells them apart. Not for: the match's socket (test_host).
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from engine.games.watched import hides
from engine.simulation.simulation import Simulation
from tests.webapp.host.arena import new_arena
from tests.webapp.host.matches import new_kitchen, new_match
from webapp.agents.models import Agent
from webapp.common.made import cache
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.access import copilot_seats
from webapp.matches.models import Match, Seat
from webapp.matches.start import describe

pytestmark = pytest.mark.slow

# Two agents of each game that could sit there, and how a match with hidden ones is set up.
CASES = {
    "hanabi": (
        "convention-bot",
        "grounded-bot",
        lambda pia, wish, **more: new_match(pia, ("me", wish), **more),
    ),
    "hanabi of five": (
        "convention-bot",
        "grounded-bot",
        lambda pia, wish, **more: new_match(pia, ("me", *[wish] * 4), **more),
    ),
    "overcooked": (
        "greedy",
        "self_play-cramped_room",
        lambda pia, wish, **more: new_kitchen(pia, ("me", wish), **more),
    ),
    "arena": (
        "middle",
        "strong",
        lambda pia, wish, **more: new_arena(pia, ("me", *[wish] * 3), team_size=2, **more),
    ),
}
STEPS = {True: 8, False: 30}  # where one moves at a time; where all do, watchers are further behind
LONGEST_CRAWL = 150  # pages
# What differs between two answers that tell the same: tokens, tickets, ids of errors, how long ago it was.
TOKENS = re.compile(
    r'(csrfmiddlewaretoken" value="|data-csrf="|"X-CSRFToken": "|"ticket": ")[^"]*"|<time\s.*?</time>'
    r"|id <code>[^<]*",
    re.DOTALL,
)
# Lists of all agents, which say nothing of a match, are not followed further than the two agents' own pages.
IGNORED = re.compile(r"^/(static|accounts|replays/(tutorial|positions|guidelines))|/files/")


@pytest.fixture(params=[(case, how) for case in CASES for how in ("surprise", "hidden")], ids="-".join)
def hidden_match(request, agents, pia) -> tuple[Match, list[Agent]]:
    """A running match of pia's with hidden agents, drawn by lot or chosen, and two agents that fit."""
    case, how = request.param
    first, second, new = CASES[case]
    game = case.split()[0]
    found = [Agent.objects.get(ref=f"{game}/{name}") for name in (first, second)]
    match = new(pia, "surprise") if how == "surprise" else new(pia, f"agent:{first}", hidden=True)
    assert set(match.seats.filter(kind=Seat.AGENT).values_list("hidden", flat=True)) == {True}
    return match, found


def seat(match: Match, agent: Agent) -> None:
    """Let this agent sit in every hidden seat, as if it had from the start, and a few steps be played, in
    which a co-pilot takes one of their places and gives it back.
    """
    hidden = Seat.objects.filter(match=match, hidden=True)
    hidden.update(agent=agent)
    for one in hidden.exclude(alias="surprise"):
        Seat.objects.filter(pk=one.pk).update(alias=agent.slug)
    seats = [describe(one) for one in match.seats.select_related("user", "agent").order_by("index")]
    store = log_store()
    header = {**store.read(match.pk).header, "seats": seats}
    simulation = Simulation(match.game, match.options, seed=match.seed)
    records: list[dict[str, Any]] = [header]
    own = {"kind": "agent", "name": agent.name, "agent": agent.ref}
    steps = STEPS[simulation.current is not None]
    for tick in range(steps):
        if tick in (2, 4):
            taken = {"kind": "copilot", "name": "P-copilot"} if tick == 2 else own
            records.append({"type": "control", "tick": tick, "seat": 1, "controller": taken})
        joint = [simulation.idle(one) for one in range(simulation.seats)]
        if simulation.current is not None:
            legal = simulation.legal(simulation.current)
            joint[simulation.current] = max(i for i, allowed in enumerate(legal) if allowed)  # a hint
        simulation.step(joint)
        records.append({"type": "step", "tick": tick, "actions": simulation.actions[-1]})
    store.delete(match.pk)
    store.append(match.pk, records)
    Episode.objects.filter(pk=match.pk).update(seats=seats, ticks=steps)
    match.episode.agents.set([agent])
    cache.clear()  # streams are kept; no two agents ever sit in one match


def addresses(match: Match, agents: list[Agent]) -> list[str]:
    """Where to begin: every page and endpoint of a match, and every list that may know of it."""
    named = [one.slug for one in agents] + [one.name for one in agents] + ["bot", "agent", "surprise"]
    return [
        "/",
        reverse("play:lobby"),
        f"{reverse('play:lobby')}?game={match.game}",
        reverse("play:open_games"),
        *(reverse(f"play:{name}", args=[match.pk]) for name in ("table", "waiting", "ticket", "after")),
        reverse("play:invitation", args=[match.join_token]),
        *(reverse("play:copilot", args=[s.copilot_token]) for s in copilot_seats(match)),
        reverse("replays:list"),
        *(f"{reverse('replays:list')}?agent={name}&game={match.game}" for name in named),
        f"{reverse('replays:list')}?player=me",
        *(reverse(f"replays:{name}", args=[match.pk]) for name in ("replay", "stream", "clips")),
        *(reverse("replays:words", args=[match.pk, seat, 3]) for seat in range(match.seats.count())),
        reverse("agents:gallery"),
        *(reverse("agents:agent", args=[one.game, one.slug]) for one in agents),
        reverse("agents:compare") + "?" + "&".join(f"agent={one.ref}" for one in agents),
    ]


def crawl(client, begin: list[str]) -> dict[str, str]:
    """What is answered at these addresses and at all that they lead to, but for tokens."""
    found: dict[str, str] = {}
    waiting = list(begin)
    while waiting and len(found) < LONGEST_CRAWL:
        address = waiting.pop(0)
        if address in found:
            continue
        answer = client.get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = TOKENS.sub("", body.decode("utf-8", "replace"))
        found[address] = f"{answer.status_code} {answer.get('Location', '')} {answer.get('ETag', '')} {text}"
        links = re.findall(r'(?:href|hx-get)="(/[^"#]*|\?[^"#]*)', text)
        links = [unescape(one if one[0] == "/" else address.split("?")[0] + one) for one in links]
        if not address.startswith("/agents/"):
            waiting += [one for one in links if not IGNORED.search(one)]
    return found


def test_nothing_tells_who_it_is(hidden_match, signed_in, pia, otto, anna):
    match, agents = hidden_match
    begin = addresses(match, agents)
    told = []
    for agent in agents:
        seat(match, agent)
        told.append({user.username: crawl(signed_in(user), begin) for user in (pia, otto, anna)})
    for name, one in told[0].items():
        other = told[1][name]
        assert set(one) == set(other)
        for address, text in one.items():
            assert text == other[address], f"{address} tells it to {name}"
        replay = one[reverse("replays:replay", args=[match.pk])]
        # Who doesn't play sees no replay of a running game that hides something.
        assert ("Surprise agent" in replay) == (name == "pia" or not hides(match.game))
        assert not any(agent.name in replay or agent.ref in replay for agent in agents)


def test_playing_again_waits_for_the_end(hidden_match, pia, pia_client):
    match, agents = hidden_match
    seat(match, agents[0])
    answer = pia_client.post(reverse("play:again", args=[match.pk]))
    assert answer.url == reverse("play:table", args=[match.pk])
    assert Match.objects.count() == 1
    rated = {"seat": 1, "question": "partner", "value": 5}
    answer = pia_client.post(reverse("play:rate", args=[match.pk]), rated, content_type="application/json")
    assert answer.status_code == 403


def test_when_it_is_over_it_is_told_to_players_once_they_have_said_how_it_was(
    hidden_match, pia_client, otto_client
):
    match, agents = hidden_match
    seat(match, agents[0])
    Episode.objects.update(status=Episode.FINISHED)
    Match.objects.update(status=Match.FINISHED)
    listed, asked = reverse("replays:list"), f"{reverse('replays:list')}?agent={agents[0].slug}"

    def told(client) -> tuple[bool, bool, bool]:
        """Whether the game is in the list, whether its agent's name is, and whether it is found by it."""
        # Behind the filters, which offer the names of all agents that there are.
        everything, found = (
            client.get(address).content.decode().partition("shown-list")[2] for address in (listed, asked)
        )
        return str(match.pk) in everything, agents[0].name in everything, str(match.pk) in found

    assert told(pia_client) == (True, False, False)
    assert told(otto_client) == (True, True, True)
    # Opening the replay is a way to say that one doesn't want to.
    page = pia_client.get(reverse("replays:replay", args=[match.pk])).content.decode()
    assert agents[0].name in page
    assert told(pia_client) == (True, True, True)
