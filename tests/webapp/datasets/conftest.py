from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.webapp.cast import simulated_episodes, small_network
from tests.webapp.datasets.parcels import freeze
from webapp.annotation.models import Mark
from webapp.datasets import snapshots


@pytest.fixture
def archive(anna, tmp_path) -> Path:
    """The zip of two simulated episodes, one of them marked by anna too."""
    first, _ = simulated_episodes(small_network(), count=2)
    Mark.objects.create(
        id="0b2f7c3e-0000-4000-8000-0000000000aa",
        episode=first,
        annotator=anna,
        seat=1,
        tick=4,
        sign=-1,
        note="secret",
    )
    return Path(shutil.copy(snapshots.export(freeze()), tmp_path / "export.zip"))
