"""`manage.py reader`: training the model that reads on corrections, replacing it, and going back."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from engine.evaluation import messy
from engine.language import model
from engine.learning import corrected
from tests.engine.learning.test_corrected import corrections


@pytest.mark.django_db
def test_the_command_trains_compares_replaces_and_restores(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))
    monkeypatch.setattr(corrected, "BESIDE", 20)
    few = messy.load
    monkeypatch.setattr(messy, "load", lambda declared, path: few(declared, path)[:3])
    monkeypatch.setattr(corrected, "is_better", lambda before, after: True)
    monkeypatch.setattr(corrected, "unlearned", lambda vocabulary: [])
    lines, own = tmp_path / "corrections.jsonl", tmp_path / "reader"
    with pytest.raises(CommandError, match="at least 5 are needed"):
        call_command("reader", "train", "--epochs", "1")
    with pytest.raises(CommandError, match="--epochs: .* whole number from 1 to 50"):
        call_command("reader", "train", "--epochs", "0")
    lines.write_text("nonsense")
    with pytest.raises(CommandError, match="Line 1 of .* isn't JSON"):
        call_command("reader", "train", "--file", str(lines))

    rows = corrections([f"pancake {number}" for number in range(6)])
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    capsys.readouterr()
    call_command("reader", "train", "--file", str(lines), "--epochs", "1", "--dry-run", "--json")
    assert not json.loads(capsys.readouterr().out)["replaced"] and list(own.iterdir()) == []
    call_command("reader", "train", "--file", str(lines), "--epochs", "1", "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["replaced"] and sum(found["trained_on"].values()) + sum(found["kept_out"].values()) == 7
    assert set(found["before"]["development"]) == {"arena", "hanabi", "overcooked"}, "what it was taught"
    assert "arena\tprone\tpancake 0\n" in (own / "programs.tsv").read_text()
    call_command("reader", "show", "--json")
    shown = json.loads(capsys.readouterr().out)
    assert shown["model"] == "trained here" and shown["corrections"]["arena"] > 0
    assert model.shipped().about["card"] == {key: shown[key] for key in shown if key != "model"}
    call_command("reader", "restore", "--json")
    assert json.loads(capsys.readouterr().out)["model"] == "shipped"
    assert sorted(path.name for path in own.iterdir()) == ["programs.aside.safetensors", "programs.aside.tsv"]
    assert "corrections" not in model.shipped().about["card"]


def test_a_broken_file_costs_nobody_a_reading(tmp_path, monkeypatch, caplog, capsys):
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))
    model.own_file().parent.mkdir()
    model.own_file().write_bytes(b"cut off")
    for _ in range(3):
        assert model.shipped().read("arena", "follow me")
    assert caplog.text.count("is no safetensors file") == 1 and "reader restore" in caplog.text
    with pytest.raises(CommandError, match="is no safetensors file"):
        call_command("reader", "show")
    call_command("reader", "restore")
    capsys.readouterr()
    call_command("reader", "show", "--json")
    assert json.loads(capsys.readouterr().out)["model"] == "shipped"
