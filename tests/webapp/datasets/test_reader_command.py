"""`manage.py reader`: training the readers' model on corrections, replacing it, and going back."""

import json

import pytest
from django.core.management import CommandError, call_command

from engine import language
from engine.language import encoder, meaning
from engine.language.bank import bank, development
from engine.learning import corrected, reader, sureness


@pytest.mark.django_db
def test_the_command_trains_compares_replaces_and_restores(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reader, "bank", lambda game: bank(game)[:40])
    monkeypatch.setenv("COPLAY_VAR", str(tmp_path))
    monkeypatch.setattr(corrected, "development", lambda game: bank(game)[:6])
    monkeypatch.setattr(sureness, "development", lambda game: development(game)[:24])
    monkeypatch.setattr(corrected, "TOLERATED", 1.0)
    lines = tmp_path / "corrections.jsonl"
    with pytest.raises(CommandError, match="at least 5 are needed"):
        call_command("reader", "train", "--epochs", "1")
    with pytest.raises(CommandError, match="--epochs: .* whole number from 1 to 50"):
        call_command("reader", "train", "--epochs", "0")
    lines.write_text("nonsense")
    with pytest.raises(CommandError, match="Line 1 of .* isn't JSON"):
        call_command("reader", "train", "--file", str(lines))

    prone = language.read("arena", "go prone")
    meant = {"refused": False, "sentence": prone.sentence, "program": prone.program}
    rows = [
        {"game": "arena", "text": f"pancake {n}", "meant_text": "go prone", "meant": meant} for n in range(6)
    ]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(corrected, "is_better", lambda before, after: True)
    capsys.readouterr()
    call_command("reader", "train", "--file", str(lines), "--epochs", "2", "--dry-run", "--json")
    assert not json.loads(capsys.readouterr().out)["replaced"] and not meaning.own_file().exists()
    call_command("reader", "train", "--file", str(lines), "--epochs", "2", "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["replaced"] and sum(found["trained_on"].values()) + sum(found["kept_out"].values()) == 7
    call_command("reader", "show", "--json")
    assert json.loads(capsys.readouterr().out)["model"] == "trained here"
    assert meaning.model().about["card"]["corrections"]["arena"] > 0
    assert set(meaning.model().about["sureness"]) == set(language.games())
    call_command("reader", "restore", "--json")
    assert json.loads(capsys.readouterr().out)["model"] == "shipped"
    assert meaning.model().about == meaning.Model(encoder.FOLDER / meaning.FILE).about
