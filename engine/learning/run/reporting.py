"""How a long training program talks to whoever started it: JSON lines out, SIGTERM in.

Every algorithm runs as `python -m engine.learning.<name> --config FILE --out FOLDER` through `run_program`.
Not for storing anything: what must survive is a checkpoint (engine.learning.run.checkpoints) or an agent
(engine.agents.catalogue).
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Protocol, TextIO, TypeVar

from engine import command_line
from engine.learning.run.settings import of_class, problems
from engine.refusal import Refusal

STOPPED = 143  # exit status after SIGTERM, as shells count it


class Stopped(Exception):
    """Raised by a training loop once a stop was asked for; the program has left a checkpoint by then."""


class DataclassInstance(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


C = TypeVar("C", bound=DataclassInstance)


class Reporter:
    """Writes one JSON object a line to `stream`, and metrics to TensorBoard files if `events` is given."""

    def __init__(self, stream: TextIO | io.TextIOBase | None = None, events: Path | None = None) -> None:
        self.stream = stream or sys.stdout
        self.stopping = False
        self.started = time.monotonic()
        self.first_done: float | None = None
        self.writer: Any = None
        if events is not None:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(log_dir=str(events))

    def line(self, kind: str, **fields: Any) -> None:
        """One JSON line; numbers that are not finite become null, because JSON has no word for them."""
        print(json.dumps({"type": kind, **_finite(fields)}), file=self.stream, flush=True)

    def progress(self, done: float, total: float) -> None:
        """How much of the work is done, in the program's own unit; time left comes from this run's pace."""
        now = time.monotonic()
        if self.first_done is None:
            self.first_done, self.started = done, now
        gained = done - self.first_done
        eta = (now - self.started) / gained * (total - done) if gained > 0 else None
        self.line("progress", done=done, total=total, eta_s=None if eta is None else round(eta, 1))

    def metrics(self, step: int, **values: float) -> None:
        """Named numbers at one step (the program's own unit, the x-axis of its curves)."""
        self.line("metrics", step=step, values={name: float(value) for name, value in values.items()})
        if self.writer is not None:
            for name, value in values.items():
                self.writer.add_scalar(name, float(value), step)
            self.writer.flush()

    def device(self, name: str) -> None:
        """On what the program computes, in words."""
        self.line("device", device=name)

    def log(self, text: str, level: str = "info") -> None:
        """One sentence for the job's log; level is "info", "warning" or "error"."""
        self.line("log", level=level, text=text)

    def result(self, **fields: Any) -> None:
        """What the program made; written once, last."""
        self.line("result", **fields)

    def stop(self, *_: Any) -> None:
        """Ask the program to stop at its next safe point (also the handler of SIGTERM and SIGINT)."""
        self.stopping = True

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


class _Nobody(io.TextIOBase):
    """To whom those report who aren't to be heard."""

    def write(self, text: str) -> int:
        return len(text)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def config_from(cls: type[C], given: dict[str, Any]) -> C:
    """Build a settings dataclass from JSON; raises Refusal with a sentence for each value that can't be
    used.
    """
    known = {setting.name: setting for setting in of_class(cls)}
    if wrong := problems(known.values(), given):
        raise Refusal(" ".join(f"The setting {name!r} {text}." for name, text in wrong.items()))
    # JSON has one kind of number: 1 is as good as 1.0.
    return cls(**{name: known[name].value(value) for name, value in given.items()})


def _settings(text: str) -> dict[str, Any]:
    return {} if text == "defaults" else command_line.json_object_file(text)


def _setting(text: str) -> tuple[str, Any]:
    name, value = command_line.setting(text)
    try:
        return name, json.loads(value) if value[:1] in ("[", "{") else value
    except ValueError:
        raise argparse.ArgumentTypeError(f"is {text[:40]!r}; its value must be JSON") from None


def run_program(
    name: str,
    config: type[C],
    train: Callable[[C, Path, Reporter], None],
    argv: list[str] | None = None,
    suiting: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> int:
    """Command line of one algorithm; returns the exit status.

    `--config FILE` holds the settings as JSON ("defaults" takes the dataclass's own), `--out FOLDER` receives
    checkpoints, TensorBoard events and the result. `train(config, out, reporter)` polls `reporter.stopping`,
    leaves a checkpoint and raises Stopped. Status 0 when done, 143 when stopped, else 1 (2 for options,
    settings and snapshots that can't be used) with one sentence on stderr. `suiting` adds to what FILE says
    what it leaves open.
    """
    from engine.learning.run import devices  # imports torch, which a web process that reports doesn't

    parser = command_line.Parser(prog=f"python -m engine.learning.{name}")
    parser.add_argument("--config", required=True, type=_settings, help='a JSON file, or "defaults"')
    parser.add_argument(
        "--out", required=True, type=command_line.new_folder, help="folder for checkpoints and the result"
    )
    parser.add_argument(
        "--set", action="append", type=_setting, default=[], metavar="NAME=VALUE", help="goes before the file"
    )
    args = parser.parse_args(argv)
    try:
        known = {setting.name: setting for setting in of_class(config)}
        given = {key: known[key].value(value) if key in known else value for key, value in args.set}
        settings = config_from(config, suiting(args.config | given))
        device = devices.named(devices.chosen(getattr(settings, "device", "cpu")))
        follows = int(os.environ.get("RANK", "0")) > 0  # of a team (engine.learning.run.team) one speaks
        args.out.mkdir(parents=True, exist_ok=True)
        reporter = Reporter(stream=_Nobody()) if follows else Reporter(events=args.out / "events")
        previous = {sign: signal.signal(sign, reporter.stop) for sign in (signal.SIGTERM, signal.SIGINT)}
        reporter.device(device)
        try:
            train(settings, args.out, reporter)
        finally:
            reporter.close()
            for sign, handler in previous.items():
                signal.signal(sign, handler)
    except Stopped:
        return STOPPED
    except (ValueError, OSError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return command_line.exit_status(error)
    return 0
