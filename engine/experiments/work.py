"""A folder in which the steps of one seed are done once: finished steps are read, begun ones continue.

The result of a step is JSON in the step's folder, together with its settings and where it comes from; a step
with other settings is done again. Trainings resume from their own checkpoints. Not for the steps themselves
(engine.experiments.parts).
"""

from __future__ import annotations

import dataclasses
import io
import json
import shutil
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.agents.files import write_atomically
from engine.experiments import provenance
from engine.learning.run.reporting import Reporter, Stopped, config_from

DONE = "done.json"


class Work:
    """The steps of one seed in `folder`. `tell` receives a line about each step; `stopping` says whether to
    stop.
    """

    def __init__(
        self,
        folder: Path,
        tell: Callable[[str], None] = lambda text: None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.folder, self.tell, self.stopping = folder.resolve(), tell, stopping
        self._made: dict[str, dict[str, Any]] = {}  # of every step that was asked for

    def check(self) -> None:
        """Raises Stopped when that was asked for."""
        if self.stopping():
            raise Stopped

    def step(self, name: str, asked: dict[str, Any], do: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
        """The result of `do(folder of the step)`, or its earlier result if `asked` was the same."""
        self.check()
        out = self.folder / name
        asked = json.loads(json.dumps(asked))
        note = json.loads((out / DONE).read_text()) if (out / DONE).exists() else None
        if note and note["asked"] == asked:
            self._made[name] = note.get("made", {})
            return note["found"]
        if note:
            shutil.rmtree(out)
        out.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        result = json.loads(json.dumps(do(out)))
        made = self._made[name] = provenance.here(time.monotonic() - began)
        note = {"asked": asked, "found": result, "made": made}
        write_atomically(out / DONE, json.dumps(note, indent=1).encode())
        self.tell(f"{name}: {made['seconds']:.0f} s")
        return result

    @property
    def made(self) -> dict[str, Any]:
        """Commit, machine and seconds of all steps that were asked for, those done earlier included."""
        return provenance.together(self._made.values())

    def train(self, name: str, program: str, /, **given: Any) -> dict[str, Any]:
        """The result of a learning program (engine.learning) with these settings, in the step's folder.
        Settings that name other steps' folders are absolute paths.
        """
        module = import_module(f"engine.learning.algorithms.{program}")
        settings = config_from(module.Settings, given)

        def do(out: Path) -> dict[str, Any]:
            within = _Within(self.stopping)
            module.train(settings, out, within)
            return within.made

        return self.step(name, {"program": program, **dataclasses.asdict(settings)}, do)


class _Within(Reporter):
    """A training's reports inside an experiment: the result is kept, metrics go to the curve's file."""

    def __init__(self, stopping: Callable[[], bool]) -> None:
        super().__init__(stream=io.StringIO())
        self._stopping, self.made = stopping, {}
        self.curve: list[dict[str, float]] = []

    @property
    def stopping(self) -> bool:
        return self._stopping()

    @stopping.setter
    def stopping(self, value: bool) -> None:
        pass

    def line(self, kind: str, **fields: Any) -> None:
        """Nobody reads along."""

    def metrics(self, step: int, **values: float) -> None:
        self.curve.append({"step": step, **values})

    def result(self, **fields: Any) -> None:
        self.made = {**fields, "curve": self.curve[-400:]}
