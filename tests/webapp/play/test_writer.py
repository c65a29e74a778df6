"""The log writer: many matches in one transaction, nothing twice after a failure, nobody held up."""

import asyncio

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import OperationalError

from webapp.play.host import batches, storage
from webapp.play.host.writer import Ledger, Writer
from webapp.replays.models import Episode
from webapp.replays.stores import log_store

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def step(tick: int) -> dict:
    return {"type": "step", "tick": tick, "actions": [4, 4], "by": ["person", "agent"]}


@pytest_asyncio.fixture
async def writer():
    writer = Writer()
    yield writer
    await writer.stop()


@pytest.fixture
def ledger(make_kitchen, pia):
    """A function: the ledger of a match that this process has claimed, and a list that says if it is lost."""

    def make():
        match = make_kitchen(pia)
        lost = []
        durable = len(log_store().read(match.pk).records)
        epoch = storage.claim(match.pk, storage.host_name())
        return Ledger(match.pk, epoch, durable, lambda: lost.append(True)), lost

    return make


def steps(ledger) -> list[int]:
    return [one["tick"] for one in log_store().read(ledger.match_id).records if one["type"] == "step"]


async def test_what_is_put_is_durable_soon_for_all_matches(writer, ledger):
    (one, _), (two, _) = [await in_thread(ledger) for _ in range(2)]
    for tick in range(3):
        writer.put(one, [step(tick)], tick + 1)
    writer.put(two, [step(0)], 1)
    assert one.unsaved_for() < 1
    await asyncio.wait_for(writer.saved(one), 30)
    await asyncio.wait_for(writer.saved(two), 30)
    assert (await in_thread(steps, one), await in_thread(steps, two)) == ([0, 1, 2], [0])
    assert (one.unsaved_for(), one.records) == (0, [])
    assert (await in_thread(Episode.objects.get, pk=one.match_id)).ticks == 3


async def test_nothing_is_written_twice_when_a_try_got_through_and_was_reported_as_failed(
    writer, ledger, monkeypatch
):
    kept, _ = await in_thread(ledger)
    real, tries = batches._write, []

    def got_through(given):
        tries.append(real(given))
        if len(tries) == 1:
            raise OperationalError("the connection was lost at the commit")
        return tries[-1]

    monkeypatch.setattr(batches, "_write", got_through)
    writer.put(kept, [step(0), step(1)], 2)
    assert not await writer.flush()
    writer.put(kept, [step(2)], 3)
    assert await writer.flush()
    assert await in_thread(steps, kept) == [0, 1, 2]


async def test_a_match_that_is_lost_writes_nothing_and_is_told(writer, ledger):
    (ours, ours_lost), (theirs, theirs_lost) = [await in_thread(ledger) for _ in range(2)]
    theirs.epoch -= 1
    for one in (ours, theirs):
        writer.put(one, [step(0)], 1)
    waiting = asyncio.ensure_future(writer.saved(theirs))
    await asyncio.sleep(0)
    assert await writer.flush()
    assert (ours_lost, theirs_lost) == ([], [True])
    assert (await in_thread(steps, ours), await in_thread(steps, theirs)) == ([0], [])
    with pytest.raises(storage.Fenced):
        await waiting


async def test_a_log_that_cannot_be_written_holds_up_no_other(writer, ledger, monkeypatch):
    (good, _), (bad, _) = [await in_thread(ledger) for _ in range(2)]
    store = type(log_store())
    append = store.append

    def full_disk(self, episode_id, records):
        if episode_id == bad.match_id:
            raise OSError("no space left")
        append(self, episode_id, records)

    monkeypatch.setattr(store, "append", full_disk)
    for one in (good, bad):
        writer.put(one, [step(0)], 1)
    assert not await writer.flush()
    assert (await in_thread(steps, good), await in_thread(steps, bad)) == ([0], [])
    monkeypatch.setattr(store, "append", append)
    assert await writer.flush()
    assert await in_thread(steps, bad) == [0]
