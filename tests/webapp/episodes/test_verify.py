"""`manage.py episodes verify`: every log is checked, whatever is wrong with the others."""

from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from engine.simulation.log import encode_line, read_lines
from webapp.episodes import simulated
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path) -> None:
    settings.EPISODES_DIR = tmp_path


@pytest.fixture
def episode(db) -> Episode:
    return simulated.simulate("hanabi", 1, ["hanabi/grounded-bot"], seed=3)[0]


def test_verify_finds_rows_and_logs_that_tell_different_games(episode, capsys):
    call_command("episodes", "verify", "--json")
    assert json.loads(capsys.readouterr().out) == {"episodes": 1, "problems": {}}
    Episode.objects.update(score=99, digest="0" * 64)
    with pytest.raises(CommandError, match="1 of 1 episodes have problems"):
        call_command("episodes", "verify")
    told = capsys.readouterr().err
    assert "points, the row says 99" in told
    assert "another digest" in told


def damaged(change: Callable[[bytes], bytes]) -> Episode:
    """A simulated episode whose log's file was changed by `change(bytes)`."""
    [made] = simulated.simulate("hanabi", 1, ["hanabi/random"], seed=7)
    path = Path(settings.EPISODES_DIR) / f"{made.pk}.jsonl"
    path.write_bytes(change(path.read_bytes()))
    return made


def test_verify_goes_on_after_damaged_logs_and_names_each(episode, capsys):
    bad = {
        "empty": damaged(lambda data: b""),
        "garbled": damaged(lambda data: data[:500] + b"\xff\xfe" + data[502:]),
        "twice": damaged(lambda data: data * 2),
        "not JSON": damaged(lambda data: zeros(b"{" * 9)),
        "no record": damaged(lambda data: zeros(b'["a"')),
        "of another": damaged(lambda data: data.replace(data.split(b"\n")[0], other_header(data))),
        "without actions": damaged(lambda data: stripped(data)),
    }
    good = simulated.simulate("hanabi", 2, ["hanabi/random"], seed=11)
    with pytest.raises(CommandError, match=f"{len(bad)} of {len(bad) + 3} episodes have problems"):
        call_command("episodes", "verify", "--json")
    out, err = capsys.readouterr()
    problems = json.loads(out)["problems"]
    assert set(problems) == {str(one.pk) for one in bad.values()}
    assert not set(problems) & {str(one.pk) for one in (episode, *good)}
    for name, one in bad.items():
        [said] = [line for line in err.splitlines() if line.startswith(str(one.pk))]
        assert said.endswith("."), name
        assert problems[str(one.pk)] == [said.partition(": ")[2]], name


def zeros(text: bytes) -> bytes:
    """A line with a right checksum, whatever it says."""
    whole = text + b"}"
    return text + b',"crc":"%08x"}\n' % zlib.crc32(whole)


def other_header(data: bytes) -> bytes:
    header = read_lines(data).header | {"episode": str(uuid.uuid4())}
    return encode_line(header).encode().rstrip(b"\n")


def stripped(data: bytes) -> bytes:
    log = read_lines(data)
    records = [{k: v for k, v in one.items() if k != "actions"} for one in log.records]
    return "".join(map(encode_line, (log.header, *records))).encode()


def test_verify_says_that_an_episode_is_not_there(episode):
    missing = uuid.uuid4()
    with pytest.raises(CommandError, match=f"There is no episode {missing}"):
        call_command("episodes", "verify", str(episode.pk), str(missing))


def test_commands_take_the_short_id_that_pages_show(episode, tmp_path, capsys):
    taken = uuid.UUID(int=0x8F3B << 112)
    Episode.objects.create(pk=taken, game="hanabi", rules_version="1", options={}, seats=[])
    for command in (("verify",), ("utility",), ("clip", "--out", str(tmp_path / "clip"), "--episode")):
        with pytest.raises(CommandError, match="There is no episode 1234"):
            call_command("episodes", *command, "1234")
        with pytest.raises(CommandError, match="problems|Name a reward model|still running"):
            call_command("episodes", *command, "8F3B")
        with pytest.raises(CommandError, match="neither an id like"):
            call_command("episodes", *command, "8f3")
    Episode.objects.create(
        pk=uuid.UUID(int=taken.int + 1), game="hanabi", rules_version="1", options={}, seats=[]
    )
    with pytest.raises(CommandError, match="Several episodes begin with 8f3b, as 8f3b0000"):
        call_command("episodes", "verify", "8f3b")


def test_verify_finds_a_missing_log(episode):
    log_store().delete(episode.pk)
    with pytest.raises(CommandError):
        call_command("episodes", "verify")
