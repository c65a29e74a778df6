"""The site's language model: what admins have chosen, before what the environment says, before the default.

Whatever asks a language model for the site passes `current()` to `engine.language.decide.ask`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.language.decisions.settings import PROVIDERS, Settings, check, environment, from_environment
from webapp.language.models import LanguageModel
from webapp.language.sealing import unseal

MODELS = (*PROVIDERS, "site")
MODELS_HELP = (
    "which model answers; `site`: the one that admins have set; default: the one in the "
    "environment variables, otherwise the embedded model"
)
DATABASE, ENVIRONMENT, DEFAULT = "set here", "environment", "default"


class Value(NamedTuple):
    """A setting, and where it comes from."""

    value: Any
    source: str


def values(row: LanguageModel) -> dict[str, Value]:
    """Every setting with its source.

    The key of the environment is for the address of the environment: an address chosen here never gets it.
    """
    here = {
        "provider": row.provider,
        "model": row.model,
        "url": row.url,
        "key": unseal(row.sealed_key),
        "seconds": row.seconds,
    }
    given, defaults = environment(), Settings()
    if row.url:
        given.pop("key", None)
    sourced = {}
    for name in Settings.__annotations__:
        if here.get(name) not in ("", None):
            sourced[name] = Value(here[name], DATABASE)
        elif name in given:
            sourced[name] = Value(given[name], ENVIRONMENT)
        else:
            sourced[name] = Value(getattr(defaults, name), DEFAULT)
    return sourced


def settings_of(row: LanguageModel) -> Settings:
    return Settings(**{name: value for name, (value, _) in values(row).items()})


def current() -> Settings:
    """Who answers for this site."""
    return settings_of(LanguageModel.row())


def named(model: str | None) -> Settings:
    """Who answers by the name that commands give: one of MODELS, or None for whoever the environment says.
    Raises ValueError for settings that make no sense.
    """
    if model == "site":
        return check(current())
    if model is None:
        return from_environment()
    return check(Settings(**environment() | {"provider": model}))
