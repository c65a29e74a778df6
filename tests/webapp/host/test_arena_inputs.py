"""The queue of one person's inputs: one a tick, four at most, no faster than time."""

import pytest

from tests.webapp.host.arena import STAND
from webapp.host.inputs import MOST_FASTER, MOST_WAITING, REPEATS, SPARE_TICKS, WINDOW, Inputs, TooFast


def numbers(*seqs: int):
    return [STAND._replace(seq=seq) for seq in seqs]


@pytest.fixture
def queue() -> Inputs[str]:
    queue: Inputs[str] = Inputs(20)
    queue.give("page")
    return queue


def test_inputs_are_used_in_order_one_a_tick(queue):
    queue.put(numbers(1, 2), 0.0)
    queue.put(numbers(1, 2, 3), 0.05)
    assert [queue.take()[0].seq for _ in range(3)] == [1, 2, 3]
    assert queue.used == 3 and len(queue) == 0


def test_the_last_one_is_repeated_for_a_moment(queue):
    queue.put(numbers(7), 0.0)
    assert queue.take() == (numbers(7)[0], True)
    assert [queue.take() for _ in range(REPEATS)] == [(numbers(7)[0], False)] * REPEATS
    assert queue.take() == (None, False)
    assert queue.used == 7


def test_only_the_newest_four_wait(queue):
    for seq in range(1, 10):
        queue.put(numbers(seq), 0.0)
    assert len(queue) == MOST_WAITING
    assert queue.take()[0].seq == 6


def test_faster_than_time_is_refused_and_takes_nothing(queue):
    most = int(20 * WINDOW * MOST_FASTER)
    for seq in range(1, 401):
        queue.put(numbers(seq), seq / 25)  # a quarter too fast is within the limit
    for seq in range(401, 401 + most):
        queue.put(numbers(seq), 30.0)
    with pytest.raises(TooFast):
        queue.put(numbers(401 + most), 30.1)
    assert len(queue) == MOST_WAITING and queue.take()[0].seq == 397 + most
    queue.put(numbers(402 + most), 41.0)
    assert [queue.take()[0].seq - most for _ in range(4)] == [398, 399, 400, 402]


def test_a_line_that_stood_still_and_lets_all_through_at_once_is_not_too_fast(queue):
    for seq in range(1, 601):
        now = seq / 20
        queue.put(numbers(seq), 13.0 if 10.0 < now < 13.0 else now)  # three seconds' at once
    assert queue.take()[0].seq == 597


def test_another_page_begins_anew(queue):
    queue.put(numbers(50), 0.0)
    queue.take()
    queue.give("other")
    assert (queue.used, queue.take()) == (0, (None, False))
    queue.put(numbers(1), 0.1)
    assert queue.take()[0].seq == 1
    queue.drop("page")
    assert queue.owner == "other"
    queue.drop("other")
    assert queue.owner is None


def test_a_delay_that_is_no_longer_needed_goes_away(queue):
    queue.put(numbers(1, 2), 0.0)
    skipped = 0
    for tick in range(SPARE_TICKS + 2):
        before = queue.used
        queue.take()
        skipped += queue.used - before - 1
        queue.put(numbers(3 + tick), 0.05 * (tick + 1))
    assert skipped == 1 and len(queue) == 1
