"""The shell of trainings: what a stop leaves, how a training goes on, what is reported and when."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from engine.learning.run import shell
from engine.learning.run.checkpoints import load_checkpoint
from engine.learning.run.reporting import Reporter, Stopped
from engine.refusal import Refusal


@dataclass(frozen=True)
class Settings:
    lr: float = 0.1
    threads: int = 1
    device: str = "cpu"
    seed: int = 3
    updates: int = 6
    dataset: str = ""


class Games:
    """Something that goes on from update to update."""

    def __init__(self) -> None:
        self.moves = torch.zeros(1)

    def tensors(self) -> dict[str, torch.Tensor]:
        return {"moves": self.moves}

    def restore(self, tensors: dict[str, torch.Tensor]) -> None:
        self.moves = tensors["moves"].clone()


class Line(shell.Training):
    """Fits a line to points drawn anew, and asks in the middle of an update whether to stop."""

    stops_within = True
    checkpoint_every = 2
    per_update = 10
    counters = ("losses",)

    def __init__(self, config, check=shell.never) -> None:
        super().__init__(config, check)
        self.net, self.games = torch.nn.Linear(1, 1), Games()
        self.adam = torch.optim.Adam(self.net.parameters())
        self.updates, self.losses, self.rates_seen = config.updates, [], []

    def parts(self):
        return {"net": self.net, "adam": self.adam, "games": self.games}

    def advance(self):
        self.games.moves += 10
        for _ in range(3):
            self.check()
            x = self.on_device(self.rng.random((8, 1)).astype(np.float32))
            loss = (self.net(x) - 2 * x).square().mean()
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
        self.losses.append(loss.item())
        self.rates_seen.append(self.adam.param_groups[0]["lr"])
        return {"loss": loss.item()}

    def look(self, out):
        return {"looked": 1.0} if self.update == 4 else {}

    def finish(self, out):
        return {
            "folder": str(out),
            "losses": self.losses,
            "moves": self.games.moves.item(),
            "notes": ["Done."],
        }


def said(stream: io.StringIO, kind: str) -> list[dict]:
    return [line for line in map(json.loads, stream.getvalue().splitlines()) if line["type"] == kind]


def whole(tmp_path) -> tuple[dict, io.StringIO]:
    stream = io.StringIO()
    shell.run(Line, Settings(), tmp_path / "whole", Reporter(stream))
    return said(stream, "result")[0], stream


def test_curves_progress_notes_and_the_result_are_reported(tmp_path):
    result, stream = whole(tmp_path)
    assert [line["step"] for line in said(stream, "metrics")] == [10, 20, 30, 40, 50, 60]
    assert "looked" in said(stream, "metrics")[3]["values"]
    assert said(stream, "progress")[-1]["done"] == said(stream, "progress")[-1]["total"] == 60
    assert said(stream, "log") == [{"type": "log", "level": "warning", "text": "Done."}]
    assert result["losses"][-1] < result["losses"][0] and result["moves"] == 60


@pytest.mark.parametrize("at", [1, 5, 8, 15])
def test_a_stop_within_an_update_leaves_the_last_whole_one_and_the_rest_is_as_without(tmp_path, at):
    result, _ = whole(tmp_path)
    out, asked = tmp_path / "stopped", 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == at:
            raise Stopped

    with pytest.raises(Stopped):
        Line(Settings(), check).run(out, Reporter(io.StringIO()))
    assert load_checkpoint(out).meta["update"] == (at - 1) // 3
    stream = io.StringIO()
    again = Line(Settings()).run(out, Reporter(stream))
    assert said(stream, "log")[0]["text"] == f"Going on after update {(at - 1) // 3} of 6."
    assert (again["losses"], again["moves"]) == (result["losses"], result["moves"])


def test_a_stop_between_updates_leaves_a_checkpoint(tmp_path):
    reporter = Reporter(io.StringIO())
    reporter.stop()
    with pytest.raises(Stopped):
        shell.run(Line, Settings(), tmp_path, reporter)
    assert load_checkpoint(tmp_path).meta["update"] == 0


def test_the_learning_rate_falls_to_a_tenth_along_a_line(tmp_path):
    training = Line(Settings())
    training.run(tmp_path, Reporter(io.StringIO()))
    assert training.rates_seen == pytest.approx([0.1 * (1 - 0.9 * update / 6) for update in range(6)])


def test_a_folder_with_other_settings_is_refused(tmp_path):
    whole(tmp_path)
    with pytest.raises(Refusal, match="other settings"):
        Line(Settings(lr=0.2)).resume(tmp_path / "whole")


def test_a_training_goes_on_where_its_folders_were_moved_to_and_not_with_others(tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text('{"format": 1}')
    Line(Settings(dataset=str(tmp_path / "here"))).run(tmp_path / "out", Reporter(io.StringIO()))
    assert Line(Settings(dataset=str(tmp_path / "there"))).resume(tmp_path / "out")
    (tmp_path / "there" / "manifest.json").write_text('{"format": 2}')
    with pytest.raises(Refusal, match="other settings"):
        Line(Settings(dataset=str(tmp_path / "there"))).resume(tmp_path / "out")


def test_several_processes_are_refused_where_a_program_has_not_taken_them_up(monkeypatch):
    from engine.learning.run.team import Team

    monkeypatch.setattr(shell, "joined", lambda device: Team(size=2))
    with pytest.raises(Refusal, match="without torchrun"):
        Line(Settings())


class Diverging(Line):
    """Goes wrong in its third update."""

    def advance(self):
        values = super().advance()
        wrong = float("nan") if self.update == 2 else 0.5
        return {**values, "grad_norm": wrong}


def test_a_training_that_goes_wrong_ends_with_a_sentence_and_keeps_nothing_of_it(tmp_path):
    reporter = Reporter(stream=io.StringIO())
    said = "The training went wrong at update 3 of 6: grad norm is no finite number any more."
    with pytest.raises(Refusal, match=said):
        shell.run(Diverging, Settings(), tmp_path, reporter)
    assert load_checkpoint(tmp_path).meta["update"] == 2
    assert '"result"' not in reporter.stream.getvalue()
