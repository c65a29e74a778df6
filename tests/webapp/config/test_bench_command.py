"""`manage.py bench` where the folder of the benchmarks isn't, as in the container image."""

from __future__ import annotations

import importlib

import pytest
from django.core.management import CommandError, call_command

from webapp.config.management.commands import bench


def test_without_the_tools_the_command_says_what_it_lacks(settings, tmp_path) -> None:
    here, settings.BASE_DIR = settings.BASE_DIR, tmp_path
    try:
        without = importlib.reload(bench).Command()
        with pytest.raises(CommandError, match="need the folder tools/ of the repository"):
            call_command(without, "env", "--game", "hanabi")
    finally:
        settings.BASE_DIR = here
        importlib.reload(bench)
    assert bench.Command.__module__ == "tools.bench.command"
