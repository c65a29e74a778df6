"""Proxies of a site's own people: what they played becomes a training's games and settings.

Not for the training itself (engine.learning.clone_people) nor for published games (episodes import).
"""

from __future__ import annotations

import json
from pathlib import Path

from engine import checked_json, games
from engine.agents.people import Shape
from engine.learning.clone_people import Settings, train
from engine.learning.reporting import BadConfig, run_program
from webapp.datasets import people, snapshot_files
from webapp.datasets.selection import Filters
from webapp.datasets.snapshot_reading import BadSnapshot

OWN = ["play", "import"]  # sources of episodes whose people are the site's


def clone(game: str, out: Path, more: list[tuple[str, str]], published: bool) -> int:
    """Make a proxy of the people who played `game` here, in games of two, as OUT/agent; returns the exit
    status of the training, which says on standard output how far it is and what was found on people held out.

    Called again with the same `out` after a stop, it goes on, with the games it began with. With `published`,
    imported games of people count, too. `more`: settings of the training. Raises BadConfig and
    Unsupported with a sentence, which also says what is missing where there is too little.
    """
    Shape(game).module  # noqa: B018 (raises for games without proxies)
    folder, config = out / "games", out / "config.json"
    if not config.exists():
        spec = games.spec(game)
        two = {"players": 2} if "players" in spec.options else {}
        sources = [*OWN, *(["people"] if published else [])]
        out.mkdir(parents=True, exist_ok=True)
        filters = Filters(game, options=two, sources=sources, min_marks=0)
        try:
            snapshot_files.write(filters, folder, lambda done, total: None)
        except BadSnapshot:
            raise BadConfig(
                f"Nobody has finished a game of {spec.title} for two here yet; --imported takes published "
                "games, too."
            ) from None
        few, _ = people.lacking(filters, Settings.divide)
        if few and not {"divide", "parts"} & dict(more).keys():
            raise BadConfig(few)
        settings = _settings(game, folder)
        if published:
            settings["description"] = "Does what people did here, and in published games."
        config.write_text(json.dumps(settings, indent=2) + "\n")
    try:
        began_with = checked_json.read_object(config, str(config)).get("game")
    except checked_json.BadJson as problem:
        raise BadConfig(str(problem)) from None
    if began_with != game:
        raise BadConfig(f"{out} holds a proxy of {began_with}; choose another folder for {game}.")
    sets = [word for name, value in more for word in ("--set", f"{name}={value}")]
    return run_program("clone_people", Settings, train, ["--config", str(config), "--out", str(out), *sets])


def _settings(game: str, folder: Path) -> dict:
    """What the training of a snapshot's people is made with, besides its own defaults."""
    return {
        "game": game,
        "file": str(folder.resolve()),
        "name": "own-people",
        "title": "Proxy of this site's people",
        "description": "Does what people did here.",
        "command": f"manage.py agents clone-people --game {game} --out FOLDER",
    }
