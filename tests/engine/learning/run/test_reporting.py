"""The command line shared by all algorithms: settings, JSON lines, stopping, exit status."""

import io
import json
import os
import signal
from dataclasses import dataclass

import pytest

from engine.learning.run.reporting import STOPPED, Reporter, Stopped, config_from, run_program
from engine.refusal import Refusal


@dataclass(frozen=True)
class Settings:
    steps: int = 3
    lr: float = 0.1
    teacher: str = "x"


def test_lines_are_json_with_a_type_and_no_nan():
    stream = io.StringIO()
    reporter = Reporter(stream)
    reporter.progress(0, 4)
    reporter.progress(2, 4)
    reporter.metrics(7, loss=float("nan"), score=2)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[0] == {"type": "progress", "done": 0, "total": 4, "eta_s": None}
    assert lines[1]["eta_s"] >= 0
    assert lines[2] == {"type": "metrics", "step": 7, "values": {"loss": None, "score": 2.0}}


def test_settings_from_json_keep_defaults_and_widen_ints_to_floats():
    assert config_from(Settings, {"lr": 1}) == Settings(lr=1.0)


@pytest.mark.parametrize("given", [{"stepz": 1}, {"steps": "many"}, {"steps": True}, {"steps": 1.5}])
def test_bad_settings_are_refused(given):
    with pytest.raises(Refusal):
        config_from(Settings, given)


def test_a_program_reports_its_result_and_exits_with_zero(tmp_path, capsys):
    def train(settings, out, reporter):
        reporter.metrics(1, loss=0.5)
        reporter.result(steps=settings.steps)

    config = tmp_path / "config.json"
    config.write_text('{"steps": 5}')
    assert run_program("x", Settings, train, ["--config", str(config), "--out", str(tmp_path / "out")]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"type": "result", "steps": 5}
    assert list((tmp_path / "out" / "events").glob("events.out.tfevents.*"))


def test_a_program_stops_at_sigterm_with_its_own_status(tmp_path):
    def train(settings, out, reporter):
        os.kill(os.getpid(), signal.SIGTERM)
        assert reporter.stopping
        raise Stopped

    assert run_program("x", Settings, train, ["--config", "defaults", "--out", str(tmp_path)]) == STOPPED


def test_a_failure_is_one_sentence_on_stderr(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text('{"stepz": 5}')
    status = run_program("x", Settings, lambda *_: None, ["--config", str(config), "--out", str(tmp_path)])
    err = capsys.readouterr().err
    assert status == 2
    assert err.count("\n") == 1 and "stepz" in err
