"""From what was asked for ("champion", "hanabi/convention-bot") to an `Agent` row, and on to its folder.

Not for moving aliases (webapp.agents.promotion), nor for loading weights: this never imports torch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404

from engine import games
from engine.agents import catalogue
from engine.agents.policy import misfit
from engine.games.pages import pages
from engine.refusal import Refusal
from webapp.agents.models import Agent, Alias

EVERY_NUMBER = (2, 3, 4, 5)  # of players, for cards that don't say


def short(game: str, name: str) -> str:
    """`name` without a leading "<game>/"."""
    return name.removeprefix(f"{game}/")


def resolve(game: str, name: str, layout: str = "", options: dict[str, Any] | None = None) -> Agent:
    """The agent that `name` means now: an alias, or an agent's own ref.

    `name` may carry the game ("hanabi/champion") or not ("champion"). An alias is looked for in this order,
    and one that means an agent of another layout is passed over: the layout's in the database, the layout's
    that is shipped, the game's in the database, the game's that is shipped. With complete `options`, so is an
    agent that can't play them. Raises Refusal with a sentence.
    """
    wanted = short(game, name)
    for agent in _meant(game, wanted, layout):
        of_another = layout and layout_of(agent) not in ("", layout)
        if not of_another and not (options and why_not(agent, options)):
            return agent
    agent = Agent.objects.filter(game=game, ref=f"{game}/{wanted}").first()
    if agent:
        return agent
    known = sorted(
        {short(game, ref) for ref in Agent.objects.filter(game=game).values_list("ref", flat=True)}
    )
    if not known:
        raise Refusal(f"No agent of {game} is known yet; run `./manage.py agents sync`.")
    raise Refusal(
        f"There is no {game} agent {name!r}; known are {', '.join([*aliases(game, layout), *known])}."
    )


def _meant(game: str, wanted: str, layout: str) -> Iterator[Agent]:
    """The agents that an alias means, the most particular one first."""
    shipped = catalogue.aliases()
    for place in dict.fromkeys((layout, "")):
        row = Alias.objects.select_related("agent").filter(game=game, layout=place, name=wanted).first()
        if row:
            yield row.agent
        ref = shipped.get("/".join(part for part in (game, place, wanted) if part))
        agent = Agent.objects.filter(game=game, ref=ref).first() if ref else None
        if agent:
            yield agent


def aliases(game: str, layout: str = "") -> dict[str, str]:
    """The aliases of a game, or of one layout of it, and the refs that they mean now: {"champion":
    "hanabi/…"}. Where a layout has no alias of a name, the game's counts.
    """
    refs = alias_sets(game)
    return refs.get("", {}) | refs.get(layout, {})


def alias_sets(game: str) -> dict[str, dict[str, str]]:
    """The aliases of a game by layout ("": of the whole game): {layout: {name: ref}}."""
    sets: dict[str, dict[str, str]] = {"": {}}
    for key, ref in catalogue.aliases().items():
        owner, *place, name = key.split("/")
        if owner == game:
            sets.setdefault("/".join(place), {})[name] = ref
    for place, name, ref in Alias.objects.filter(game=game).values_list("layout", "name", "agent__ref"):
        sets.setdefault(place, {})[name] = ref
    return sets


def badges(game: str) -> dict[str, list[str]]:
    """The aliases of each agent as its badges, the layout beside it: {ref: ["champion · Cramped room"]}."""
    by_ref: dict[str, list[str]] = {}
    for layout, names in sorted(alias_sets(game).items()):
        for name, ref in sorted(names.items()):
            where = pages(game).layout_label(layout) if layout else ""
            by_ref.setdefault(ref, []).append(f"{name} · {where}" if where else name)
    return by_ref


def layout_of(agent: Agent) -> str:
    """The layout that an agent was made for; "" if it plays every one, and in games without layouts."""
    spec = games.spec(agent.game)
    trained = agent.card.get("options", {})
    if spec.variant is None or agent.kind != "network" or not trained:
        return ""
    return _variant(agent.game, json.dumps(trained))


@lru_cache(maxsize=1000)
def _variant(game: str, options: str) -> str:
    """What options, as JSON, are for: checking them anew for each agent of a list would take long."""
    spec = games.spec(game)
    return spec.variant(spec.validate(json.loads(options))) if spec.variant else ""


def place(game: str, options: dict[str, Any]) -> str:
    """The pages' name for the layout of some options; "" in games without (or that are gone), and where none
    is said.
    """
    if game not in games.names() or games.spec(game).variant is None or not options.get("layout"):
        return ""
    return pages(game).layout_label(options["layout"])


def in_words(game: str, layout: str = "") -> str:
    """A game, and the layout in it, as a sentence says them: "Overcooked, cramped room"."""
    label = pages(game).layout_label(layout) if layout else ""
    return ", ".join(part for part in (games.spec(game).title, label[:1].lower() + label[1:]) if part)


def why_not(agent: Agent, options: dict[str, Any]) -> str:
    """Why an agent can't play its game with these complete options, in a sentence; "" if it can."""
    players = tuple(agent.card.get("players", EVERY_NUMBER))
    return misfit(agent.name, players, {**agent.card, "game": agent.game}, options)


def judging(game: str, name: str, options: dict[str, Any]) -> str:
    """What the engine takes for the human proxy that `name` means here in games with these complete
    options; `name` itself where it means nobody who plays them.
    """
    variant = games.spec(game).variant
    try:
        agent = resolve(game, name, variant(options) if variant else "", options)
    except Refusal:
        return name
    return name if why_not(agent, options) else load_ref(agent)


def load_ref(agent: Agent) -> str:
    """What `engine.agents.catalogue.load` takes: a shipped agent's ref or a folder."""
    return str(settings.AGENTS_DIR / agent.folder) if agent.folder else agent.ref


def get_agent_for(game: str, name: str) -> Agent:
    """Everybody who may open the gallery may see every agent, retired ones too (old episodes lead to
    them)."""
    return get_object_or_404(Agent.objects.select_related("round"), ref=f"{game}/{name}")
