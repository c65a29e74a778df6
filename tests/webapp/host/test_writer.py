"""The log writer: many matches in one transaction, nothing twice after a failure, nobody held up."""

import asyncio
import math
import time
import uuid
from dataclasses import replace
from functools import partial

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from engine.refusal import Refusal
from tests.waiting import PATIENCE
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import batches, storage
from webapp.host import writer as host_writer
from webapp.host.batches import save_instruction
from webapp.host.writer import Ledger, Writer
from webapp.matches.models import Instruction, Match

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def step(tick: int) -> dict:
    return {"type": "step", "tick": tick, "actions": [4, 4], "by": ["person", "agent"]}


def words(text: str, **more) -> dict:
    return {"type": "utterance", "tick": 0, "seat": 0, "text": text, **more}


@pytest_asyncio.fixture
async def writer():
    writer = Writer()
    yield writer
    await writer.stop()


class Kept(Ledger):
    """The ledger of a match that this process has claimed, and what its match is told."""

    def __init__(self, match) -> None:
        self.lost, self.refused = [], []
        durable = len(log_store().read(match.pk).records)
        epoch = storage.claim(match.pk, storage.host_name())
        super().__init__(
            match.pk, epoch, durable, lambda: self.lost.append(True), lambda *what: self.refused.append(what)
        )

    def log(self) -> list:
        """The steps' ticks and what was said, in the order of the log."""
        records = log_store().read(self.match_id).records
        return [one["tick"] if one["type"] == "step" else one["text"] for one in records]


@pytest.fixture
def ledger(make_kitchen, pia):
    return lambda: Kept(make_kitchen(pia))


async def settled(*entries) -> list[Exception | None]:
    return await asyncio.wait_for(asyncio.gather(*(entry.done for entry in entries)), PATIENCE)


async def test_what_is_put_is_durable_soon_for_all_matches(writer, ledger):
    one, two = [await in_thread(ledger) for _ in range(2)]
    entries = [writer.put(one, [step(tick)]) for tick in range(3)] + [writer.put(two, [step(0)])]
    assert one.unsaved_for() < 1
    assert await settled(*entries) == [None] * 4
    assert (await in_thread(one.log), await in_thread(two.log)) == ([0, 1, 2], [0])
    assert (one.unsaved_for(), one.entries) == (0, [])
    assert (await in_thread(Episode.objects.get, pk=one.match_id)).ticks == 3


@pytest.mark.parametrize("store", ["file", "database"])
async def test_many_matches_cost_no_more_queries_than_one(writer, ledger, store, settings):
    settings.EPISODE_STORE = store

    def queries(ledgers) -> int:
        given = [replace(one.batch(), entries=[entry(step(0))]) for one in ledgers]
        with CaptureQueriesContext(connection) as seen:
            assert batches.write_batches(given) == batches.Outcome()
        return len(seen)

    def entry(record):
        return batches.Entry([record], None, loop.create_future())

    loop = asyncio.get_running_loop()
    one, *four = [await in_thread(ledger) for _ in range(5)]
    assert await in_thread(queries, [one]) == await in_thread(queries, four)


async def test_where_writing_takes_long_it_begins_sooner(writer, ledger, monkeypatch):
    """What is put is on the disk within a quarter of a second also when that takes half of it."""
    kept, real = await in_thread(ledger), batches.write_batches

    def slow_disk(given):
        time.sleep(0.13)
        return real(given)

    monkeypatch.setattr(host_writer, "write_batches", slow_disk)
    assert writer._pause() == host_writer.GATHER
    await settled(writer.put(kept, [step(0)]))
    assert writer._pause() == 0


async def test_who_waits_does_not_wait_for_more_to_gather(writer, ledger, monkeypatch):
    monkeypatch.setattr(host_writer, "GATHER", 3600)
    monkeypatch.setattr(host_writer, "DURABLE_WITHIN", 3600)
    kept = await in_thread(ledger)
    first = writer.put(kept, [step(0)])
    await asyncio.sleep(0.5)
    assert not first.done.done()
    assert await settled(writer.put(kept, [step(1)], now=True), first) == [None, None]


async def test_nothing_is_written_twice_when_a_try_got_through_and_was_reported_as_failed(
    writer, ledger, monkeypatch
):
    kept = await in_thread(ledger)
    real, tries = batches._write, []

    def got_through(*given):
        tries.append(real(*given))
        if len(tries) == 1:
            raise OperationalError("the connection was lost at the commit")
        return tries[-1]

    monkeypatch.setattr(batches, "_write", got_through)
    entries = [writer.put(kept, [step(0), step(1)])]
    assert not await writer.flush()
    entries.append(writer.put(kept, [step(2)]))
    assert await settled(*entries) == [None, None]
    assert await in_thread(kept.log) == [0, 1, 2]


async def test_a_match_that_is_lost_writes_nothing_and_is_told(writer, ledger):
    ours, theirs = [await in_thread(ledger) for _ in range(2)]
    theirs.epoch -= 1
    entries = [writer.put(one, [step(0)]) for one in (ours, theirs)]
    end = {"type": "end", "tick": 1, "score": 0, "digest": "", "reason": "abandoned"}
    entries.append(writer.put(theirs, [end], partial(storage.close, theirs.match_id, end)))
    done, lost, never = await settled(*entries)
    assert done is None and isinstance(lost, storage.Fenced) and isinstance(never, storage.Fenced)
    assert (ours.lost, theirs.lost) == ([], [True])
    assert (await in_thread(ours.log), await in_thread(theirs.log)) == ([0], [])
    assert (await in_thread(Match.objects.get, pk=theirs.match_id)).status == Match.PLAYING
    later = writer.put(theirs, [step(1)])
    assert isinstance(later.done.result(), storage.Fenced)


async def test_a_log_that_cannot_be_written_holds_up_no_other(writer, ledger, monkeypatch):
    good, bad = [await in_thread(ledger) for _ in range(2)]
    store = type(log_store())
    append_all = store.append_all

    def full_disk(self, logs):
        if bad.match_id in logs:
            raise OSError("no space left")
        append_all(self, logs)

    monkeypatch.setattr(store, "append_all", full_disk)
    written, waits = writer.put(good, [step(0)]), writer.put(bad, [step(0)])
    assert await settled(written) == [None]
    assert (await in_thread(good.log), await in_thread(bad.log)) == ([0], [])
    assert not waits.done.done()
    monkeypatch.setattr(store, "append_all", append_all)
    assert await settled(waits) == [None]
    assert await in_thread(bad.log) == [0]


@pytest.mark.parametrize(
    "bad", [words("half a character: \ud800"), words("x", at=math.nan), words("x", by={1, 2})]
)
async def test_what_no_log_can_hold_is_set_aside_and_all_the_rest_is_written(writer, ledger, bad, caplog):
    one, two = [await in_thread(ledger) for _ in range(2)]
    entries = [
        writer.put(one, [step(0)]),
        writer.put(one, [bad]),
        writer.put(one, [words("after")]),
        writer.put(one, [step(1)]),
        writer.put(two, [step(0)]),
    ]
    first, refused, *others = await settled(*entries)
    assert [first, *others] == [None] * 4
    assert isinstance(refused, Refusal)
    number = str(refused).split("problem ")[1].rstrip(").")
    assert f"set aside as problem {number}" in caplog.text
    assert one.refused == [(entries[1], refused)] and not two.refused
    assert (await in_thread(one.log), await in_thread(two.log)) == ([0, "after", 1], [0])
    assert await settled(writer.put(one, [step(2)])) == [None]
    assert await in_thread(one.log) == [0, "after", 1, 2]


async def test_an_instruction_with_the_id_of_another_match_is_set_aside_by_itself(writer, ledger, pia):
    one, two = [await in_thread(ledger) for _ in range(2)]

    def told(ledger, name, text):
        values = {"id": name, "user_id": pia.pk, "seat": 0, "target_seat": None, "tick": 0, "text": text}
        values |= {"reading": None, "status": "unread"}
        record = {"type": "instruction", **{key: value for key, value in values.items() if key != "user_id"}}
        return writer.put(ledger, [record], partial(save_instruction, ledger.match_id, values, None))

    same, other = str(uuid.uuid4()), str(uuid.uuid4())
    assert await settled(told(one, same, "the first")) == [None]
    entries = [told(two, same, "a thief"), told(two, other, "the second"), writer.put(one, [step(0)])]
    refused, *others = await settled(*entries)
    assert "another game has this id" in str(refused) and others == [None, None]
    assert (await in_thread(one.log), await in_thread(two.log)) == (["the first", 0], ["the second"])
    rows = await in_thread(lambda: list(Instruction.objects.all()))
    found = {row.text: (str(row.pk), row.match_id) for row in rows}
    assert found == {"the first": (same, one.match_id), "the second": (other, two.match_id)}


async def test_after_a_step_that_cannot_be_written_nothing_is_because_no_log_may_have_a_gap(writer, ledger):
    kept = await in_thread(ledger)
    bad = {**step(1), "by": {"a set"}}
    entries = [writer.put(kept, [one]) for one in (step(0), bad, words("hello"), step(2))]
    first, *others = await settled(*entries)
    assert first is None and all(isinstance(one, Refusal) for one in others)
    assert await in_thread(kept.log) == [0]
