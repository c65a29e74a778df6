"""docker-compose.yml is accepted, and what it starts exists."""

from __future__ import annotations

import os
import subprocess

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class

from tests.services import compose_command

FILE = settings.BASE_DIR / "docker-compose.yml"


@pytest.mark.compose
@pytest.mark.parametrize("profile", [[], ["--profile", "gpu"]])
def test_docker_compose_accepts_the_file(profile):
    environment = {**os.environ, "COPLAY_SECRET_KEY": "x", "POSTGRES_PASSWORD": "y"}
    command = [*compose_command(), "-f", str(FILE), *profile, "config", "--services"]
    answer = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert answer.returncode == 0, answer.stderr
    services = set(answer.stdout.split())
    assert {"proxy", "web", "matchhost", "worker", "postgres", "redis"} <= services
    if profile:
        assert "worker-gpu" in services


@pytest.mark.compose
def test_docker_compose_accepts_the_file_before_anything_is_filled_in():
    command = [*compose_command(), "-f", str(FILE), "config"]
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_every_manage_command_that_a_service_runs_takes_its_arguments():
    commands = [
        service["command"].split()
        for service in yaml.safe_load(FILE.read_text())["services"].values()
        if "command" in service
    ]
    ours = [words[2:] for words in commands if words[:2] == ["python", "manage.py"]]
    assert {name for name, *_ in ours} == {"prepare", "matchhost"}
    for name, *arguments in ours:
        command = load_command_class(get_commands()[name], name)
        command.create_parser("manage.py", name).parse_args(arguments)


def test_every_variable_of_the_file_is_explained():
    text = (settings.BASE_DIR / "docs" / "production.md").read_text()
    services = yaml.safe_load(FILE.read_text())["services"].values()
    used = {name for service in services for name in service.get("environment", {})}
    used = {name for name in used if name.startswith("COPLAY_")}
    assert used and [name for name in sorted(used) if f"`{name}`" not in text] == []
