"""From what was asked for ("champion", "hanabi/convention-bot") to an `Agent` row, and on to its folder.

Not for moving aliases (webapp.agents.promotion), nor for loading weights: this never imports torch.
"""

from __future__ import annotations

from django.conf import settings

from engine.agents import catalogue
from webapp.agents.models import Agent, Alias


class UnknownAgent(LookupError):
    """No such alias or agent; the message is one sentence."""


def short(game: str, name: str) -> str:
    """`name` without a leading "<game>/"."""
    return name.removeprefix(f"{game}/")


def resolve(game: str, name: str, layout: str = "") -> Agent:
    """The agent that `name` means now: an alias in the database, a shipped alias, or an agent's own ref.

    `name` may carry the game ("hanabi/champion") or not ("champion"). Raises UnknownAgent with a sentence.
    """
    wanted = short(game, name)
    alias = Alias.objects.select_related("agent").filter(game=game, layout=layout, name=wanted).first()
    if alias:
        return alias.agent
    ref = catalogue.aliases().get(f"{game}/{wanted}", f"{game}/{wanted}")
    agent = Agent.objects.filter(game=game, ref=ref).first()
    if agent:
        return agent
    known = sorted(
        {short(game, ref) for ref in Agent.objects.filter(game=game).values_list("ref", flat=True)}
    )
    if not known:
        raise UnknownAgent(f"No agent of {game} is known yet; run `manage.py agents sync`.")
    raise UnknownAgent(
        f"There is no {game} agent {name!r}; known are {', '.join([*aliases(game, layout), *known])}."
    )


def aliases(game: str, layout: str = "") -> dict[str, str]:
    """Every alias of a game and the ref that it means now: {"champion": "hanabi/…"}."""
    prefix = f"{game}/"
    meant = {k.removeprefix(prefix): ref for k, ref in catalogue.aliases().items() if k.startswith(prefix)}
    return meant | dict(Alias.objects.filter(game=game, layout=layout).values_list("name", "agent__ref"))


def load_ref(agent: Agent) -> str:
    """What `engine.agents.catalogue.load` takes: a shipped agent's ref or a folder."""
    return str(settings.AGENTS_DIR / agent.folder) if agent.folder else agent.ref
