"""Matches to play in, sockets to play them through, and episodes as rows alone for tests without a log."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async

from tests import forks
from tests.webapp.host.arena import Fighter
from tests.webapp.host.matches import Browser, new_kitchen, new_match
from webapp.agents import shipped
from webapp.agents.models import Agent, Alias
from webapp.episodes.models import Episode
from webapp.host import inference, manager, tickets
from webapp.jobs import runner
from webapp.matches.models import Match
from webapp.studies.models import Study


@pytest.fixture(scope="session")
def shipped_cards() -> dict[str, dict]:
    """The shipped agents' cards, read once."""
    return shipped.cards()


@pytest.fixture
def agents(db, shipped_cards) -> None:
    """The shipped agents as rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "cards", lambda: shipped_cards)
        shipped.sync()


@pytest.fixture(autouse=True)
def quick_agents(settings) -> None:
    settings.AGENT_PAUSE_MS = 0
    settings.AGENT_TIMEOUT_MS = 60_000


@pytest.fixture
def make_kitchen(agents, settings) -> Callable[..., Match]:
    """Ten ticks a second, no countdown, and an agent that stands in for whoever is away for a second."""
    settings.COUNTDOWN_SECONDS, settings.ABSENT_SECONDS = 0, 1
    Study.objects.update_or_create(game="overcooked", defaults={"name": "Kitchen", "ticks_per_second": 10})
    cook = Agent.objects.get(ref="overcooked/self_play-cramped_room")
    Alias.objects.update_or_create(
        game="overcooked", layout="cramped_room", name="champion", defaults={"agent": cook}
    )
    return new_kitchen


@pytest.fixture
def make_match(agents) -> Callable[..., Match]:
    return new_match


@pytest.fixture(scope="session")
def fork_command(tmp_path_factory) -> Iterator[list[str]]:
    with forks.ready(tmp_path_factory.mktemp("forks"), "tests.webapp.host.thinking") as command:
        yield [*command, "engine.agents.serve"]


@pytest.fixture
def quick_child(fork_command, monkeypatch) -> None:
    """The host's child in which agents think is a fork of one that is ready."""
    monkeypatch.setattr(inference, "COMMAND", fork_command)


@pytest.fixture
def forked_jobs(monkeypatch) -> None:
    """The programs of jobs that this process runs are forks of it. The stacks of tests/browser and the
    workers of tests/workers start them from nothing.
    """
    pipes = {"PIPE": subprocess.PIPE, "DEVNULL": subprocess.DEVNULL}
    monkeypatch.setattr(runner, "subprocess", SimpleNamespace(Popen=forks.Fork, **pipes))


@pytest.fixture
def page_of(live_server, browser, signed_in) -> Iterator[Callable[..., Any]]:
    """A function: a page of a browser of its own in which `user` is signed in; its addresses are the site's.
    The test fails when a script had errors, or the `console`, which also has every answer that refuses.
    """
    errors: list[str] = []
    contexts = []

    def opened(user, console: bool = True, **settings: Any):
        contexts.append(browser.new_context(base_url=live_server.url, **settings))
        session = signed_in(user).cookies["sessionid"].value
        contexts[-1].add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = contexts[-1].new_page()
        if console:
            page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest_asyncio.fixture
async def browse(quick_child) -> AsyncIterator[Callable[..., Any]]:
    """A function: the socket of `user` at `match`, joined; closed at the end."""
    opened: list[Browser] = []

    async def make(match: Match, user, join: bool = True, **kwargs: Any) -> Browser:
        ticket = await sync_to_async(tickets.issue)(match, user, kwargs.pop("session", None))
        browser = Browser(match.pk, ticket, **kwargs)
        opened.append(browser)
        return await browser.open() if join else browser

    yield make
    for browser in opened:
        await browser.close()
    await manager.current_host().stop()
    await asyncio.sleep(0)


@pytest_asyncio.fixture
async def fight(agents, settings, quick_child):
    """A function: a page of `user` at an Arena `match`, joined unless told otherwise; closed at the end."""
    settings.COUNTDOWN_SECONDS = 0
    opened = []

    async def make(match: Match, user, join: bool = True, **kwargs):
        ticket = await sync_to_async(tickets.issue)(match, user, None)
        page = Fighter(match.pk, ticket, **kwargs)
        opened.append(page)
        return await page.open() if join else page

    yield make
    for page in opened:
        await page.close()
    await manager.current_host().stop()
    await asyncio.sleep(0)


@pytest.fixture
def make_episode(db):
    """A function: a finished Hanabi episode of a person (seat 0, if given) and an agent."""

    def make(player=None, ticks=20, **fields) -> Episode:
        name = player.pseudonym if player else "P-other"
        seats = [
            {"kind": "person", "name": "", "pseudonym": name},
            {"kind": "agent", "name": "Convention bot", "agent": "hanabi/convention-bot"},
        ]
        values = {"game": "hanabi", "rules_version": "1", "seats": seats, "status": Episode.FINISHED}
        episode = Episode.objects.create(**values | {"ticks": ticks, "score": 18.0} | fields)
        if player:
            episode.players.add(player)
        return episode

    return make
