"""Everything that a game brings, as JSON on standard output: what test_moved_game.py compares.

    python -m tests.engine.games.what_it_brings GAME            # as the registry finds it
    python -m tests.engine.games.what_it_brings GAME --moved    # ours hidden: only a package's is found
    python -m tests.engine.games.what_it_brings GAME --only language    # that part alone

Not for: whether that is right.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

TEXTS = 12  # held-out instructions that are read
EPISODES = 20


class Hidden:
    """No module of ours of that game can be imported."""

    def __init__(self, game: str) -> None:
        self.home = f"engine.games.{game}"

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == self.home or name.startswith(f"{self.home}."):
            raise ModuleNotFoundError(f"{name} is hidden", name=name)


def hide(game: str) -> None:
    from engine.simulation import registry

    others = [name for name in registry._own() if name != game]
    registry._own = lambda: others  # type: ignore[assignment]
    sys.meta_path.insert(0, Hidden(game))


def agents(game: str) -> dict[str, Any]:
    from engine.agents import catalogue
    from engine.evaluation.self_play import self_play

    refs = catalogue.shipped(game)
    played = refs if game == "say_select" else {}
    return {
        "cards": refs,
        "aliases": {alias: ref for alias, ref in catalogue.aliases().items() if alias.startswith(f"{game}/")},
        "self_play": {ref: self_play(catalogue.load(ref, game), game, None, EPISODES) for ref in played},
    }


def configs(game: str) -> dict[str, Any]:
    """Every config, and the settings that its program makes of it."""
    from engine import games
    from engine.learning.parts.sides import suiting
    from engine.learning.run.reporting import config_from

    folder, found = games.folder(game) / "configs", {}
    for path in sorted(folder.rglob("*.json")):
        given = json.loads(path.read_text())
        module = re.search(r"python -m (\S+) ", given["command"])
        assert module
        program = module[1].rpartition(".")[2]
        made = config_from(import_module(module[1]).Settings, suiting(program, given))
        found[path.relative_to(folder).as_posix()] = repr(made)
    return found


def experiments(game: str) -> dict[str, Any]:
    from engine import experiments, games

    return {
        name: [one for one in experiments.settings(name, quick=True) if one["game"] == game]
        for name in experiments.names()
        if games.brings(game, name.replace("-", "_"), "experiments")
    }


def words(game: str) -> list[str]:
    """A game by its first legal moves, told."""
    from engine.simulation.simulation import Simulation

    sim, told = Simulation(game, seed=3), []
    while not sim.over and len(told) < 30:
        sim.step([int(sim.legal(seat).nonzero()[0][0]) for seat in range(sim.seats)])
        told += [sim.last_move_text(), *(sim.observation_text(seat) for seat in range(sim.seats))]
    return told


def language(game: str) -> dict[str, Any]:
    from engine import language
    from engine.evaluation import instructions
    from engine.language import bank

    held_out = instructions.load(game) if game in instructions.games() else []
    return {
        "read": game in language.games(),
        "held_out": len(held_out),
        "readings": [repr(language.read(game, one["text"])) for one in held_out[:TEXTS]],
        "phrasings": [len(bank.bank(game)), len(bank.development(game))],
        "ready": bank.ready(game),
    }


def evaluation(game: str) -> dict[str, Any]:
    from engine import games
    from engine.evaluation import measures, probes

    modules = ("events", "moments", "obedience", "peers", "progress", "readings", "squads", "told")
    own = games.brings(game, "probes", "evaluation")
    return {
        "measures": sorted(measures.measures(game)),
        "probes": [one.name for one in probes.probes_of(game)] if own else [],
        "modules": [name for name in modules if games.part(game, name, "evaluation")],
    }


def people(game: str) -> dict[str, Any]:
    from engine import games
    from engine.games import people

    own = {key: form for key, (whose, form) in people.formats().items() if whose == game}
    path = games.folder(game) / people.SHIPPED
    ids = [people.identity_of(row) for row in people.lines_of(path)] if path.exists() else []
    return {"formats": sorted(own), "recorded": ids}


def pages(game: str) -> dict[str, Any]:
    """What the site finds: texts, templates, scripts, styles."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.config.settings"
    django.setup()
    from django.contrib.staticfiles import finders
    from django.template import TemplateDoesNotExist
    from django.template.loader import get_template

    from engine.games import first
    from engine.games import pages as shown
    from webapp.common import brought

    templates, files = {}, {}
    for name in ("lobby", "table", "guidelines"):
        try:
            templates[name] = get_template(f"games/{game}/{name}.html").template.source
        except TemplateDoesNotExist:
            continue
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            if f"/{game}/" in name or name == f"css/{game}.css":
                files[name] = hashlib.sha256(Path(storage.path(name)).read_bytes()).hexdigest()
    return {
        "pages": repr(shown.pages(game)),
        "first": repr(first.of(game)),
        "templates": templates,
        "files": files,
        "brought": [brought.replay_script(game), brought.stylesheet(game), brought.ending_script(game)],
    }


def main(game: str, moved: bool, only: str = "") -> None:
    if moved:
        hide(game)
    from engine import games

    parts = (agents, configs, experiments, words, language, evaluation, people, pages)
    found = {part.__name__: part(game) for part in parts if only in ("", part.__name__)}
    spec = games.spec(game)
    found["spec"] = [games.names(), spec.name, spec.title, spec.rules_version, spec.options]
    text = json.dumps(found, default=repr, sort_keys=True)
    # Where a function lies in memory, and in which module, is nobody's matter.
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    print(text.replace(f"{games.spec(game).step.__module__.rpartition('.')[0]}.", f"{game}."))


if __name__ == "__main__":
    main(sys.argv[1], "--moved" in sys.argv, sys.argv[-1] if "--only" in sys.argv else "")
