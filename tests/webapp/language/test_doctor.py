"""`manage.py doctor` looks at the language model too."""

from __future__ import annotations

import socket

import pytest

from engine.language import languages
from webapp.config import doctor
from webapp.language.models import LanguageModel

pytestmark = pytest.mark.django_db


def test_the_embedded_model_is_good():
    finding = doctor.language_model()
    assert (finding.state, finding.text) == (doctor.GOOD, "embedded, offline")


def test_a_game_whose_language_nobody_taught_the_reader_is_named(monkeypatch):
    monkeypatch.setattr(languages, "unlearned", lambda vocabulary: [])
    assert doctor.reader().state == doctor.GOOD
    monkeypatch.setattr(languages, "unlearned", lambda vocabulary: ["say_select"])
    finding = doctor.reader()
    assert finding.state == doctor.NOTE and "Say-Select" in finding.text and "reader train" in finding.cure


def test_a_server_is_reached_for():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        LanguageModel.objects.create(pk=1, provider="endpoint", model="m", url=address)
        assert doctor.language_model().state == doctor.GOOD
    finding = doctor.language_model()
    assert finding.state == doctor.NOTE and "the embedded one stands in" in finding.text and finding.cure


def test_a_folder_without_a_checkpoint_is_named(tmp_path):
    LanguageModel.objects.create(pk=1, provider="checkpoint", model=str(tmp_path))
    finding = doctor.language_model()
    assert finding.state == doctor.NOTE and "holds no checkpoint" in finding.text
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert doctor.language_model().state == doctor.GOOD


def test_settings_that_do_not_fit_are_bad():
    LanguageModel.objects.create(pk=1, provider="endpoint", model="m")
    finding = doctor.language_model()
    assert finding.state == doctor.BAD and "http:// or https://" in finding.text and finding.cure
