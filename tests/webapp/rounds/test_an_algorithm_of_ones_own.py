"""An algorithm is one file: a folder with one is enough for the form, the command and a round."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.urls import reverse

from engine.simulation.code_cache import CACHE_FOLDER
from tests.webapp.cast import small_network
from tests.workers.worker import database_url
from webapp.agents.resolve import resolve
from webapp.jobs.models import Job
from webapp.rounds.models import Round


@pytest.mark.django_db
def test_the_form_offers_it_where_it_fits_and_shows_its_settings(shaken, adam_client):
    base = small_network()
    url = reverse("rounds:new")
    form = adam_client.get(url, {"base": base.ref}).context["form"]
    assert form["algorithm-agent"].value() == "ppo"
    assert ("shaken", "shaken") in form.fields["algorithm-agent"].choices
    assert "broken" not in str(form.fields["algorithm-agent"].choices)

    page = adam_client.get(url, {"base": base.ref, "algorithm-agent": "shaken"})
    form = page.context["form"]
    assert {name for name in form.fields if name.startswith("agent-")} == {"agent-shaking", "agent-seed"}
    field = '<input type="number" name="agent-shaking" value="0.5" min="0" max="1" step="any"'
    assert field in page.content.decode() and "Standard deviation of the noise" in page.content.decode()
    assert page.context["presets"]["tiny"]["values"]["agent-shaking"] == 0.25

    cook = small_network("cook", game="overcooked", trained={"layout": "cramped_room"})
    form = adam_client.get(url, {"base": cook.ref, "algorithm-agent": "shaken"}).context["form"]
    assert form["algorithm-agent"].value() == "ppo"
    assert "shaken" not in str(form.fields["algorithm-agent"].choices)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_round_runs_with_it(shaken, monkeypatch, capsys, adam_client):
    monkeypatch.setenv("COPLAY_DATABASE_URL", database_url())
    monkeypatch.setenv("COPLAY_VAR", str(settings.VAR_DIR))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(CACHE_FOLDER))
    small_network()
    given = ("--base", "little", "--annotators", "simulated", "--episodes", "3", "--size", "tiny", "--json")
    small = ("--set", "reward_model.steps=5", "--set", "evaluation.episodes=4")
    common = ("rounds", "run", "--game", "hanabi", *given, *small)
    with pytest.raises(CommandError, match="makes an agent in a round of Hanabi; there are ppo, .*shaken"):
        call_command(*common, "--algorithm", "shakn")
    with pytest.raises(CommandError, match="agent.moves is no setting; there are shaking, seed"):
        call_command(*common, "--algorithm", "shaken", "--set", "agent.moves=3")

    call_command(*common, "--algorithm", "shaken", "--set", "agent.shaking=0.125")
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    one = Round.objects.get()
    assert said["rounds"][0]["algorithms"]["agent"] == "shaken" == one.jobs.get(kind="agent").program
    assert [job.state for job in one.jobs.all()] == [Job.COMPLETED] * 5
    card = resolve("hanabi", "candidate").card
    assert card["algorithm"] == "shaken" and card["hyperparameters"] == {"shaking": 0.125}
    page = adam_client.get(reverse("rounds:round", args=[one.number]))
    rows = {(row["part"], row["name"]): row["value"] for row in page.context["differences"]}
    assert rows["Algorithm", "agent"] == "shaken" and rows["Agent", "shaking"] == "0.125"
