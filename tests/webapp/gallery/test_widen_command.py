"""`manage.py agents widen`: an agent that reads what it is told, from one that doesn't."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from engine import language
from engine.agents.catalogue import load, read_card
from webapp.agents import shipped

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def agents(db):
    shipped.sync()


def widen(*args) -> dict:
    out = io.StringIO()
    call_command("agents", "widen", *args, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_an_alias_or_a_ref_is_widened_into_a_folder_that_loads(tmp_path):
    out = tmp_path / "reads"
    version = language.features_version("hanabi")
    assert widen("--agent", "companion", "--out", str(out)) == {"folder": str(out), "told_version": version}
    card = read_card(out)
    assert (card["name"], card["parents"]) == ("reads", ["hanabi/companion"])
    assert load(str(out)).card["told_version"] == version
    layout = ("--game", "overcooked", "--layout", "forced_coordination")
    widen(*layout, "--agent", "champion", "--out", str(tmp_path / "cook"))
    assert read_card(tmp_path / "cook")["options"]["layout"] == "forced_coordination"


def test_what_has_no_network_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(
        CommandError, match=r"hanabi/convention-bot has no network that could read anything\."
    ):
        widen("--agent", "convention-bot", "--out", str(tmp_path / "no"))
    with pytest.raises(CommandError, match="There is no hanabi agent 'nobody'"):
        widen("--agent", "nobody", "--out", str(tmp_path / "no"))
    assert not (tmp_path / "no").exists()
