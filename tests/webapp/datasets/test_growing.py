"""What a snapshot takes doesn't grow with its marks, and whatever is cut off in its middle is offered nowhere
and goes on."""

from __future__ import annotations

import gc
import tracemalloc
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from engine.learning.run.reporting import Stopped
from engine.refusal import Refusal
from engine.simulation.log import EpisodeLog
from tests.webapp.cast import simulated_episodes, small_network
from tests.webapp.datasets.parcels import FILTERS, everything, forget_everything
from webapp.annotation.models import Mark
from webapp.datasets import importing, selection, snapshot_files, snapshot_reading, snapshots
from webapp.datasets.models import Marked, Snapshot
from webapp.datasets.selection import Filters
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store

pytestmark = pytest.mark.django_db
EACH = 100  # marks of an episode
ONLY_PEOPLE = Filters(game="hanabi", simulated_episodes=True)


@pytest.fixture(autouse=True)
def few_at_once(settings, tmp_path, monkeypatch) -> None:
    for name in ("SNAPSHOTS_DIR", "EPISODES_DIR"):
        folder = tmp_path / name.lower()
        folder.mkdir()
        setattr(settings, name, folder)
    monkeypatch.setattr(snapshot_files, "AT_ONCE", 2)
    monkeypatch.setattr(snapshot_files, "ROW_GROUP", 100)
    monkeypatch.setattr(snapshot_reading, "AT_ONCE", 100)
    monkeypatch.setattr(snapshots, "AT_ONCE", 100)
    monkeypatch.setattr(importing, "AT_ONCE", 100)
    monkeypatch.setattr(importing, "LOGS_AT_ONCE", 2)
    monkeypatch.setattr(importing, "CHUNK", 1 << 12)


def again(episode: Episode, log: EpisodeLog) -> Episode:
    """The same game once more."""
    episode.pk = uuid.uuid4()
    episode.save(force_insert=True)
    log_store().append(episode.pk, [{**log.header, "episode": str(episode.pk)}, *log.records])
    return episode


def marked(episode: Episode, rater) -> None:
    seats = len(episode.seats)
    places = [divmod(place, seats) for place in range(min(EACH, seats * episode.ticks))]
    Mark.objects.bulk_create(
        Mark(
            **{"pk": uuid.uuid4(), "episode": episode, "annotator": rater, "context": {"input": "key"}},
            **{"seat": seat, "tick": tick + 1, "sign": 1 - 2 * (tick % 2)},
        )
        for tick, seat in places
    )


@pytest.fixture
def growing(anna) -> Callable[[int], None]:
    """A function that adds so many marked episodes."""
    first = simulated_episodes(small_network(), count=1)[0]
    log = log_store().read(first.pk)
    Mark.objects.all().delete()

    def grow(count: int) -> None:
        for _ in range(count):
            marked(again(first, log), anna)

    return grow


def peak(work: Callable[[], object]) -> int:
    """Bytes that work has in memory at most, beyond what was there before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def tidy(first: int, last: int) -> importing.Tell:
    """Phases in which nothing waits for Python to find that nobody needs it any more."""
    return lambda done, total: gc.collect() and None


def folder_named(name: str) -> Path:
    return Path(settings.SNAPSHOTS_DIR) / name


def written(name: str) -> None:
    snapshot_files.write(ONLY_PEOPLE, folder_named(name), importing.silent(0, 1))


def frozen() -> str:
    name = str(uuid.uuid4())
    written(name)
    return name


def test_memory_does_not_grow_with_the_marks(growing):
    """Twice as many marks, on twice as many episodes, take a few bytes for each episode."""
    peaks: dict[str, list[int]] = {}

    def note(what: str, work: Callable[[], object]) -> None:
        peaks.setdefault(what, []).append(peak(work))

    counts = []
    for more in (2, 10, 12):  # the first time fills caches
        growing(more)
        name = str(uuid.uuid4())
        note("write", lambda name=name: written(name))
        note("register", lambda name=name: snapshots.register(name, None))
        one = Snapshot.objects.get(pk=name)
        counts.append(one.counts["marks"])
        note("export", lambda one=one: snapshots.export(one))
        archive = snapshots.packed(one).rename(folder_named("export.zip"))
        Snapshot.objects.all().delete()
        Mark.objects.all().delete()
        Episode.objects.all().delete()
        note("import", lambda archive=archive: importing.import_zip(archive, None, tidy))
    assert counts[2] == 2 * counts[1] > 1000
    for what, (_, once, twice) in peaks.items():
        assert twice < once + 0.3 * once, f"{what}: {once} bytes, then {twice}"


def cut_off(after: int) -> Callable[[int, int], None]:
    """What stops at its so many-th call, as a kill would."""
    left = [after]

    def tell(done: int, total: int) -> None:
        left[0] -= 1
        if not left[0]:
            raise Stopped

    return tell


def test_registering_that_is_cut_off_goes_on_and_is_offered_when_it_is_whole(
    growing, adam_client, monkeypatch
):
    monkeypatch.setattr(snapshots, "AT_ONCE", 2)
    growing(5)
    name = frozen()
    with pytest.raises(Stopped):
        snapshots.register(name, None, cut_off(after=5))
    assert 0 < Marked.objects.count() < 5
    assert not Snapshot.objects.exists()
    assert name not in adam_client.get(reverse("datasets:list")).content.decode()
    for address in ("snapshot", "export"):
        assert adam_client.get(reverse(f"datasets:{address}", args=[name])).status_code == 404
    one = snapshots.register(name, None)
    assert sum(row.marks for row in one.marked.all()) == Mark.objects.count() == one.counts["marks"]
    assert one.marked.count() == 5
    assert one.episodes.count() == one.counts["episodes"] == 5
    assert name in adam_client.get(reverse("datasets:list")).content.decode()


def test_a_folder_that_was_written_and_not_registered_is_not_written_again(growing):
    growing(2)
    name = frozen()
    assert snapshots.frozen(name) is not None and not Snapshot.every.exists()
    (folder_named(name) / "README.md").unlink()
    assert snapshots.frozen(name) is None


def test_writing_that_is_cut_off_leaves_no_folder(growing):
    growing(3)
    with pytest.raises(Stopped):
        snapshot_files.write(ONLY_PEOPLE, folder_named("a"), cut_off(after=3))
    assert not list(Path(settings.SNAPSHOTS_DIR).iterdir())


def test_a_log_is_copied_as_it_is_but_for_names(growing):
    growing(1)
    episode = Episode.objects.order_by("-pk").filter(marks__isnull=False).first()
    store, pk = log_store(), str(episode.pk)
    header, data, said, judged = snapshot_files.leaving(store, pk, episode.seats, episode.ticks)
    assert header == store.read(pk).header and not said and not judged
    assert data.partition(b"\n")[2] == store.lines(pk).partition(b"\n")[2]
    taken = {"kind": "copilot", "name": "Ann", "pseudonym": "A-1"}
    store.append(pk, [{"type": "control", "tick": episode.ticks, "seat": 0, "controller": taken}])
    answer = {"type": "judged", "tick": episode.ticks, "seat": 0, "id": "a"}
    store.append(pk, [{**answer, "sign": 1}, {**answer, "sign": -1}])
    _, more, _, judged = snapshot_files.leaving(store, pk, episode.seats, episode.ticks)
    assert judged == {"a": -1}
    assert more.startswith(data) and b"A-1" in more and b"Ann" not in more
    with pytest.raises(Refusal, match="ticks, the row says 3"):
        snapshot_files.leaving(store, pk, episode.seats, 3)


@pytest.fixture
def sent(archive) -> Path:
    """The zip of another instance."""
    return archive


def killed(monkeypatch, phase: int) -> Callable[[int, int], importing.Tell]:
    """Phases of an import that is killed in one of them, so that nothing tidies up after it."""
    monkeypatch.setattr(importing.Taking, "_undo", lambda self: None)
    seen = []

    def phases(first: int, last: int) -> importing.Tell:
        seen.append(first)
        return cut_off(after=2) if len(seen) == phase else importing.silent(first, last)

    return phases


def test_an_import_that_is_killed_is_offered_nowhere_and_goes_on(sent, monkeypatch, anna_client, adam):
    before = everything()
    forget_everything()
    with monkeypatch.context() as patched, pytest.raises(Stopped):
        importing.import_zip(sent, None, killed(patched, phase=3))
    arriving = list(Episode.objects.all())
    assert len(arriving) == 2
    assert not Snapshot.objects.exists() and not selection.episodes(FILTERS).exists()
    assert not Episode.objects.exclude(status=Episode.RUNNING, public=False, for_annotators=False).exists()
    assert [path.suffix for path in Path(settings.SNAPSHOTS_DIR).iterdir()] == []
    done = importing.import_zip(sent)
    assert (done["episodes"], done["marks"]) == (2, len(before["marks"]))
    assert everything() == before
    assert sum(row.marks for row in Marked.objects.all()) == len(before["marks"])


def test_an_import_that_is_killed_while_it_is_registered_goes_on(sent, monkeypatch):
    before = everything()
    forget_everything()
    with pytest.raises(Stopped):
        importing.import_zip(sent, None, killed(monkeypatch, phase=4))
    assert everything() == before and not Snapshot.objects.exists()
    assert importing.import_zip(sent)["episodes"] == 0
    assert sum(row.marks for row in Marked.objects.all()) == len(before["marks"])


@pytest.mark.parametrize("phase", [1, 2, 3])
def test_an_import_that_is_cancelled_leaves_nothing(sent, phase):
    forget_everything()
    seen = []

    def phases(first: int, last: int) -> importing.Tell:
        seen.append(first)
        return cut_off(after=1) if len(seen) == phase else importing.silent(first, last)

    with pytest.raises(Stopped):
        importing.import_zip(sent, None, phases)
    assert not Episode.objects.exists() and not Mark.objects.exists() and not Snapshot.every.exists()
    assert not list(Path(settings.SNAPSHOTS_DIR).iterdir()) and not list(
        Path(settings.EPISODES_DIR).iterdir()
    )


def test_an_import_of_what_is_here_in_part_adds_the_rest(sent):
    before = everything()
    forget_everything()
    importing.import_zip(sent)
    gone = Mark.objects.order_by("pk").first()
    gone.delete()
    done = importing.import_zip(sent)
    assert (done["episodes"], done["marks"]) == (0, 1)
    assert everything() == before
