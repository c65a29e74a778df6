"""A refusal that nothing catches becomes one sentence at each border: page, script, command."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError
from django.http import HttpRequest
from django.test import RequestFactory

from engine.refusal import NotNow, Refusal
from webapp.common.commands import CoplayCommand
from webapp.common.inputs import RefusedRequest, SoundInput

SENTENCE = "Choose 2 to 5 seats, not 7."


def answered(request: HttpRequest, refusal: Exception):
    return SoundInput(lambda request: None).process_exception(request, refusal)


@pytest.mark.django_db
def test_a_page_says_the_sentence_to_people() -> None:
    answer = answered(RequestFactory().get("/", headers={"accept": "text/html,*/*"}), Refusal(SENTENCE))
    assert answer.status_code == 400 and SENTENCE in answer.content.decode()
    assert "text/html" in answer["Content-Type"]


@pytest.mark.parametrize(
    ("refusal", "status"), [(Refusal(SENTENCE), 400), (RefusedRequest(SENTENCE, 413), 413)]
)
def test_a_script_gets_json(refusal: Refusal, status: int) -> None:
    answer = answered(RequestFactory().get("/"), refusal)
    assert (answer.status_code, json.loads(answer.content)) == (status, {"error": SENTENCE})


def test_what_is_no_refusal_stays_a_fault() -> None:
    assert answered(RequestFactory().get("/"), ValueError(SENTENCE)) is None


@pytest.mark.parametrize(("refusal", "status"), [(Refusal(SENTENCE), 2), (NotNow(SENTENCE), 1)])
def test_a_command_leaves_with_the_sentence(
    refusal: Refusal, status: int, tmp_path, settings, capsys: pytest.CaptureFixture[str]
) -> None:
    class Refuses(CoplayCommand):
        requires_system_checks = []

        def handle(self, *args: object, **options: object) -> None:
            raise refusal

    settings.VAR_DIR = tmp_path
    with pytest.raises(SystemExit) as left:
        Refuses().run_from_argv(["manage.py", "refuses"])
    assert left.value.code == status and capsys.readouterr().err == f"{SENTENCE}\n"
    with pytest.raises(CommandError, match=SENTENCE):  # who calls it from a program gets an exception
        Refuses().execute(traceback=False, no_color=True, force_color=False, skip_checks=True)
