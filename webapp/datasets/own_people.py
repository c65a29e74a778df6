"""Human proxies of a site's own people: turns the games that they played into a training's games and
settings. Not for the training itself (engine.learning.algorithms.clone_people) nor for published games
(episodes import).
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from engine import checked_json, games
from engine.learning.algorithms.clone_people import Settings, train
from engine.learning.parts.sides import suiting
from engine.learning.run.reporting import run_program
from engine.refusal import Refusal
from webapp.datasets import people, selection, snapshot_files
from webapp.datasets.selection import Filters

OWN = ["play", "import"]  # sources of episodes whose people are the site's


def clone(
    game: str, out: Path, more: list[tuple[str, str]], published: bool, options: dict[str, Any] | None = None
) -> int:
    """Make a proxy of the people who played `game` here, with these options, as OUT/agent; returns the exit
    status of the training, which says on standard output how far it is and what was found on people held out.
    Where options say how many play, and these don't, it is of the games with the commonest number.

    Called again with the same `out` after a stop, it goes on, with the games it began with. With `published`,
    imported games of people count, too. `more`: settings of the training. Raises Refusal and
    Refusal with a sentence, which also says what is missing where there is too little.
    """
    folder, config = out / "games", out / "config.json"
    if not config.exists():
        spec = games.spec(game)
        sources = [*OWN, *(["people"] if published else [])]
        out.mkdir(parents=True, exist_ok=True)
        given = options or {}
        complete = spec.validate(given)
        filters = Filters(
            game=game, options={name: complete[name] for name in given}, sources=sources, min_marks=0
        )
        if "players" in spec.options and "players" not in given:
            filters.options["players"] = _commonest(filters)
        try:
            snapshot_files.write(filters, folder, lambda done, total: None)
        except Refusal:
            raise Refusal(
                f"Nobody has finished such a game of {spec.title} here yet; --imported takes published "
                "games, too."
            ) from None
        few, _ = people.lacking(filters, Settings.divide)
        if few and not {"divide", "parts"} & dict(more).keys():
            raise Refusal(few)
        settings = _settings(game, folder)
        if published:
            settings["description"] = "Does what people did here, and in published games."
        config.write_text(json.dumps(settings, indent=2) + "\n")
    began_with = checked_json.read_object(config, str(config)).get("game")
    if began_with != game:
        raise Refusal(f"{out} holds a proxy of {began_with}; choose another folder for {game}.")
    sets = [word for name, value in more for word in ("--set", f"{name}={value}")]
    given = ["--config", str(config), "--out", str(out), *sets]
    return run_program("clone_people", Settings, train, given, partial(suiting, "clone_people"))


def _commonest(filters: Filters) -> int:
    """How many seats the most games of people have; 2 where there are none."""
    found = selection.episodes(filters).order_by().values_list("seats", flat=True)
    people_ = [len(seats) for seats in found if any(seat.get("kind") == "person" for seat in seats)]
    return Counter(people_).most_common(1)[0][0] if people_ else 2


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
