"""Web, match host and workers start in a second or two and stay small: what trainings need stays outside."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.browser.stack import ROOT

HEAVY = ("torch", "transformers", "matplotlib", "tensorboard")


@pytest.mark.parametrize(
    "served", ["webapp.config.asgi, webapp.config.urls", "workers.app, webapp.jobs.runner, workers.sweep"]
)
def test_no_process_that_waits_for_people_loads_what_trainings_need(served: str) -> None:
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'webapp.config.settings'\n"
        f"import django; django.setup(); import {served}\n"
        f"sys.exit(', '.join(name for name in {HEAVY} if name in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
