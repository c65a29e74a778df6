"""Clips: what may be asked for, whose they are, and what a worker draws."""

import json
import uuid

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse
from PIL import Image

from tests.webapp.episodes import battle, kitchen
from webapp.episodes import clips, simulated
from webapp.episodes.models import Episode
from webapp.jobs import jobs, steps
from webapp.jobs.models import Job


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path / "episodes"
    settings.JOBS_DIR = tmp_path / "jobs"


@pytest.fixture
def episode(pia):
    return kitchen.cook(pia)


def ask(client, episode, **asked):
    body = {"first": 0, "last": 12, "view": "open", "format": "gif"} | asked
    return client.post(
        reverse("replays:clips", args=[episode.pk]), json.dumps(body), content_type="application/json"
    )


def drawn(tmp_path, episode, **asked):
    """The clip that the job's program makes of it."""
    call_command(
        "episodes", "clip", "--episode", str(episode.pk), "--out", str(tmp_path / "out"), *asked["by"]
    )
    return next((tmp_path / "out").glob("clip.*"))


def test_a_clip_without_an_end_is_of_ten_seconds(episode, tmp_path, capsys):
    assert episode.ticks == 60 == 10 * clips.pace(episode)
    drawn(tmp_path, episode, by=())
    result = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert result["frames"] == 10 * clips.pace(episode) + 1


def test_a_clip_is_a_job_for_a_worker(episode, pia_client, pia):
    answer = ask(pia_client, episode, first="3", last=20, view="1")
    assert answer.status_code == 200
    (row,) = answer.json()["clips"]
    assert (row["state"], row["first"], row["last"], row["view"]) == ("queued", 3, 20, "Greedy cook")
    job = Job.objects.get(kind="clip")
    assert job.settings == {
        "episode": str(episode.pk), "user": pia.pk, "first": 3, "last": 20, "view": "1", "format": "gif"
    }  # fmt: skip
    assert answer.json()["no_worker"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"first": "x"}, "The first of a clip is 'x'; it must be the number of a tick."),
        ({"first": ""}, "The first of a clip is empty; it must be the number of a tick."),
        ({"last": None}, "The last of a clip is None; it must be the number of a tick."),
        ({"first": 9, "last": 9}, "A clip goes from a tick to a later one, 0 to 60 here, not from 9 to 9."),
        ({"last": 61}, "A clip goes from a tick to a later one, 0 to 60 here, not from 0 to 61."),
        ({"view": "7"}, "There is no view '7' of this episode."),
        ({"format": "avi"}, "The format of a clip is 'avi'; it must be gif or mp4."),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(episode, pia_client, asked, sentence):
    answer = ask(pia_client, episode, **asked)
    assert (answer.status_code, answer.json()) == (400, {"error": sentence})
    assert not Job.objects.exists()


def test_a_clip_has_at_most_a_minute(episode, pia_client):
    Episode.objects.filter(pk=episode.pk).update(ticks=1000)
    answer = ask(pia_client, episode, last=361)
    assert answer.json()["error"] == (
        "A clip has at most 60 seconds, which is 360 ticks here; these are 361."
    )
    assert ask(pia_client, episode, last=360).status_code == 200


def test_nobody_asks_for_more_than_three_at_once(episode, pia_client):
    assert all(ask(pia_client, episode).status_code == 200 for _ in range(clips.MOST_WAITING))
    assert "3 clips of yours are being made" in ask(pia_client, episode).json()["error"]
    Job.objects.update(state=Job.COMPLETED)
    assert ask(pia_client, episode).status_code == 200


def test_a_running_game_has_no_clips(episode, pia_client):
    Episode.objects.filter(pk=episode.pk).update(status=Episode.RUNNING)
    assert "still running" in ask(pia_client, episode).json()["error"]


@pytest.mark.parametrize("body", [" ", "[1]", "nonsense"])
def test_other_bodies_are_refused(episode, pia_client, body):
    address = reverse("replays:clips", args=[episode.pk])
    answer = pia_client.post(address, body, content_type="application/json")
    assert (answer.status_code, answer.json()["error"].startswith("The body ")) == (400, True)


def test_clips_belong_to_who_asked_for_them(episode, pia_client, anna_client, otto_client):
    ask(pia_client, episode)
    job = Job.objects.get()
    for name in ("clip-cancel", "clip-retry", "clip-remove"):
        address = reverse(f"replays:{name}", args=[episode.pk, job.pk])
        assert anna_client.post(address).status_code == 404
    assert anna_client.get(reverse("replays:clip-file", args=[episode.pk, job.pk])).status_code == 404
    assert anna_client.get(reverse("replays:clips", args=[episode.pk])).json()["clips"] == []
    Episode.objects.filter(pk=episode.pk).update(public=False)
    assert ask(otto_client, episode).status_code == 404


def test_it_can_be_cancelled_tried_again_and_removed(episode, pia_client):
    ask(pia_client, episode)
    job = Job.objects.get()

    def post(name):
        return pia_client.post(reverse(f"replays:clip-{name}", args=[episode.pk, job.pk]))

    assert post("remove").json()["error"] == "This clip is still being made; cancel it first."
    assert post("cancel").json()["clips"][0]["state"] == "cancelled"
    assert post("retry").json()["clips"][0]["state"] == "queued"
    post("cancel")
    assert post("remove").json()["clips"] == []
    assert not Job.objects.exists()


def test_a_worker_draws_it_and_one_downloads_it(episode, pia_client):
    ask(pia_client, episode, first=2, last=11)
    job = Job.objects.get()
    address = reverse("replays:clip-file", args=[episode.pk, job.pk])
    assert pia_client.get(address).status_code == 404
    # The program without a process of its own, which would not see this test's transaction.
    steps.command(job)
    call_command(
        "episodes", "clip", "--config", str(steps.folder(job) / "config.json"), "--out", str(steps.out(job))
    )
    claim = jobs.claim(job.pk, "here:1")
    jobs.end(claim, Job.COMPLETED, result={"bytes": 1, "seconds": 1.5})
    answer = pia_client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/gif")
    assert f"overcooked-{str(episode.pk)[:4]}-2-11.gif" in answer["Content-Disposition"]
    assert b"".join(answer)[:6] == b"GIF89a"


def test_a_gif_has_a_picture_for_every_tick_of_a_slow_game(tmp_path, episode):
    path = drawn(tmp_path, episode, by=["--first", "0", "--last", "9", "--view", "0"])
    image = Image.open(path)
    assert (image.format, image.n_frames, image.width) == ("GIF", 10, clips.WIDTH["gif"])
    assert image.info["duration"] == 170


def test_a_fast_game_is_drawn_every_second_tick(tmp_path, pia):
    path = drawn(tmp_path, battle.fight(pia), by=["--first", "200", "--last", "220", "--view", "2"])
    image = Image.open(path)
    assert (image.n_frames, image.info["duration"]) == (11, 100)


def test_cards_are_drawn_too(tmp_path, db):
    episode = simulated.simulate("hanabi", 1, ["hanabi/grounded-bot"], seed=3)[0]
    path = drawn(tmp_path, episode, by=["--last", "4"])
    assert Image.open(path).n_frames == 5


@pytest.mark.skipif(not clips.has_ffmpeg(), reason="no ffmpeg")
def test_an_mp4_is_one(tmp_path, episode):
    path = drawn(tmp_path, episode, by=["--last", "9", "--format", "mp4"])
    assert path.read_bytes()[4:8] == b"ftyp"


def test_an_mp4_without_ffmpeg_is_refused_with_a_sentence(tmp_path, episode, monkeypatch):
    monkeypatch.setattr(clips, "has_ffmpeg", lambda: False)
    with pytest.raises(CommandError, match="no ffmpeg for MP4; choose GIF"):
        drawn(tmp_path, episode, by=["--last", "9", "--format", "mp4"])


def test_an_unknown_episode_is_refused(tmp_path, db):
    with pytest.raises(CommandError, match="There is no episode"):
        call_command("episodes", "clip", "--episode", str(uuid.uuid4()), "--out", str(tmp_path))
