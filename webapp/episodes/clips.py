"""Clips: a part of an episode as a GIF or MP4, drawn with pygame by a worker, as a job of the kind "clip".

What may be asked for (`checked`), the job's row (`create`, `of_user`), and the drawing (`draw`, which the
job's program runs: `manage.py episodes clip`). Not for: claiming and running jobs (workers), pages
(views.clips).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from django.db.models import QuerySet
from pydantic import Strict

from engine import games, shapes
from engine.learning.run.reporting import Reporter, Stopped
from engine.refusal import Refusal
from engine.shapes import Count, Shape, WithWords
from engine.simulation.log import EpisodeLog, walk
from engine.simulation.pictures import write_gif
from webapp.accounts.models import User
from webapp.episodes.models import Episode
from webapp.jobs.models import Job

KIND = "clip"
FORMATS = {"gif": "image/gif", "mp4": "video/mp4"}
LONGEST = 60  # seconds
TURN_SECONDS = 0.8  # for which a move is shown where players take turns
MOST_FRAMES = {"gif": 10, "mp4": 20}  # a second
WIDTH = {"gif": 480, "mp4": 720}  # pixels
MOST_WAITING = 3  # of one person
MOST_KEPT = 10  # of one person, of one episode


def has_ffmpeg() -> bool:
    """Whether MP4s can be written here."""
    try:
        import imageio_ffmpeg

        imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        return False
    return True


def pace(episode: Episode) -> float:
    """Ticks of an episode that a clip shows in a second."""
    spec = games.spec(episode.game)
    clock = spec.clock(episode.options) or spec.ticks_per_second
    return 1 / TURN_SECONDS if spec.turn_based else float(clock or 1)


def usual_end(episode: Episode) -> int:
    """The last tick of a clip from the beginning that nobody chose an end for: ten seconds, or the end."""
    return min(episode.ticks, int(10 * pace(episode)))


Tick = Annotated[Count, Strict(False), WithWords("the number of a tick")]  # also as a text, from a form


class Clip(Shape):
    """From which tick to which, of whose view (a seat's number, or "open"), as what."""

    first: Tick
    last: Tick
    view: str = "open"
    format: Literal[tuple(FORMATS)] = "gif"  # type: ignore[valid-type]


def checked(episode: Episode, views: tuple[str, ...], given: dict[str, Any]) -> dict[str, Any]:
    """The settings of the job, as `Clip` has them; `views` are those that the person may see. Raises
    Refusal.
    """
    if episode.status == Episode.RUNNING:
        raise Refusal("This game is still running; clips can be made when it is over.")
    clip = shapes.checked(Clip, given, "The {} of a clip")
    first, last = clip.first, clip.last
    if not first < last <= episode.ticks:
        raise Refusal(
            f"A clip goes from a tick to a later one, 0 to {episode.ticks} here, not from {first} to {last}."
        )
    seconds = (last - first) / pace(episode)
    if seconds > LONGEST:
        most = int(LONGEST * pace(episode))
        raise Refusal(
            f"A clip has at most {LONGEST} seconds, which is {most} ticks here; these are {last - first}."
        )
    if clip.view not in views:
        raise Refusal(f"There is no view {clip.view[:40]!r} of this episode.")
    return clip.model_dump()


def of_user(user: User, episode: Episode) -> QuerySet[Job]:
    """A person's clips of an episode, newest first."""
    return Job.objects.filter(kind=KIND, settings__user=user.pk, settings__episode=str(episode.pk)).order_by(
        "-created_at"
    )


def create(user: User, episode: Episode, settings: dict[str, Any]) -> Job:
    """The queued job; the caller nudges a worker after the commit. Raises Refusal when too many wait."""
    waiting = Job.objects.filter(
        kind=KIND, settings__user=user.pk, state__in=[Job.QUEUED, Job.RUNNING, Job.CANCELLING]
    )
    if waiting.count() >= MOST_WAITING:
        raise Refusal(f"{MOST_WAITING} clips of yours are being made; wait for one of them, or cancel it.")
    if of_user(user, episode).count() >= MOST_KEPT:
        raise Refusal(f"You have {MOST_KEPT} clips of this episode; remove one first.")
    settings = {**settings, "episode": str(episode.pk), "user": user.pk}
    return Job.objects.create(kind=KIND, queue=Job.SHORT, settings=settings)


def remove(job: Job, folder: Path) -> None:
    """Forget a clip and its file. Raises Refusal while it is being made."""
    if not job.is_over:
        raise Refusal("This clip is still being made; cancel it first.")
    job.delete()
    shutil.rmtree(folder, ignore_errors=True)


# --- Drawing ---------------------------------------------------------------------------------------------


def ticks_of(settings: dict[str, Any], per_second: float) -> tuple[list[int], float]:
    """The ticks that are drawn and the frames a second: every one, or as many as the format takes."""
    each = max(1, round(per_second / MOST_FRAMES[settings["format"]]))
    return list(range(settings["first"], settings["last"] + 1, each)), per_second / each


def pictures(log: EpisodeLog, view: str, ticks: list[int], width: int) -> Iterator[np.ndarray]:
    """The pictures of these ticks (ascending), each uint8 (height, width, 3), with even sides."""
    wanted, seat = set(ticks), None if view == "open" else int(view)
    for simulation in walk(log):
        if simulation.tick in wanted:
            image = simulation.picture(seat, width)
            # Videos have sides that are even.
            yield np.ascontiguousarray(image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2])
        if simulation.tick >= ticks[-1]:
            return


def draw(
    log: EpisodeLog, settings: dict[str, Any], per_second: float, out: Path, reporter: Reporter
) -> dict[str, Any]:
    """Draw a clip into the folder `out`; returns {"file", "bytes", "frames", "seconds"}. Raises Stopped,
    Refusal for an MP4 where there is no ffmpeg.
    """
    ticks, frames_per_second = ticks_of(settings, per_second)
    images = reporting(
        pictures(log, settings["view"], ticks, WIDTH[settings["format"]]), len(ticks), reporter
    )
    out.mkdir(parents=True, exist_ok=True)
    part = out / f"part.{settings['format']}"
    if settings["format"] == "gif":
        write_gif(part, images, frames_per_second)
    else:
        write_mp4(part, images, frames_per_second)
    target = out / f"clip.{settings['format']}"
    part.replace(target)
    return {
        "file": target.name,
        "bytes": target.stat().st_size,
        "frames": len(ticks),
        "seconds": round(len(ticks) / frames_per_second, 1),
    }


def reporting(images: Iterator[np.ndarray], total: int, reporter: Reporter) -> Iterator[np.ndarray]:
    """The same images; says how far they are, and stops when asked to."""
    for done, image in enumerate(images, 1):
        if reporter.stopping:
            raise Stopped
        if done % 5 == 0 or done == total:
            reporter.progress(done, total)
        yield image


def write_mp4(path: Path, images: Iterator[np.ndarray], per_second: float) -> None:
    """H.264, which every browser plays."""
    if not has_ffmpeg():
        raise Refusal("This machine has no ffmpeg for MP4; choose GIF.")
    import imageio_ffmpeg

    first = next(images)
    height, width = first.shape[:2]
    writer = imageio_ffmpeg.write_frames(
        str(path), (width, height), fps=per_second, codec="libx264", macro_block_size=2,
        output_params=["-crf", "23", "-preset", "veryfast", "-movflags", "+faststart"],
    )  # fmt: skip
    writer.send(None)
    try:
        writer.send(first)
        for image in images:
            writer.send(image)
    finally:
        writer.close()
