"""Who answers: the settings of the language model, and what the environment says of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

PROVIDERS = ("embedded", "endpoint", "checkpoint")
MODES = ("auto", "systemone", "decisions", "logprobs", "structured")
LONGEST_SECONDS = 3600
VARIABLES = {
    "provider": "COPLAY_LANGUAGE_PROVIDER",
    "model": "COPLAY_LANGUAGE_MODEL",
    "url": "COPLAY_LANGUAGE_URL",
    "key": "COPLAY_LANGUAGE_KEY",
    "seconds": "COPLAY_LANGUAGE_SECONDS",
    "mode": "COPLAY_LANGUAGE_MODE",
}


@dataclass(frozen=True)
class Settings:
    provider: str = "embedded"
    """embedded (offline), endpoint (a server that speaks OpenAI's language) or checkpoint (a local folder).
    """
    model: str = ""
    """The model's name at the endpoint, or the checkpoint's folder."""
    url: str = ""
    """The endpoint's address up to and with its version, like http://127.0.0.1:8000/v1."""
    key: str = field(default="", repr=False)
    """What the endpoint wants to see; never shown, logged or put into a cache key."""
    seconds: float = 60.0
    """Everything that is asked in one call must be answered within this time."""
    mode: str = "auto"
    """How an endpoint is asked; auto finds out what it can do and remembers it."""


def check(settings: Settings) -> Settings:
    """The settings if they make sense; raises ValueError with a sentence if not."""
    if settings.provider not in PROVIDERS:
        raise ValueError(
            f"There is no language model provider {settings.provider!r}; allowed are {', '.join(PROVIDERS)}."
        )
    if settings.mode not in MODES:
        raise ValueError(f"An endpoint can't be asked by {settings.mode!r}; allowed are {', '.join(MODES)}.")
    if not 0 < settings.seconds <= LONGEST_SECONDS:
        raise ValueError(
            f"The time limit is {settings.seconds:g} seconds; it must be more than 0, and at most "
            f"{LONGEST_SECONDS}."
        )
    if not settings.key.isascii() or not settings.key.isprintable() or " " in settings.key:
        raise ValueError("The endpoint's key must be plain letters, digits and signs, without spaces.")
    if settings.provider == "endpoint":
        check_address(settings.url)
    if settings.provider != "embedded" and not settings.model:
        what = "the model's name" if settings.provider == "endpoint" else "a folder with the checkpoint"
        raise ValueError(f"A language model of kind {settings.provider} needs {what}.")
    return settings


def check_address(url: str) -> None:
    """Raise ValueError for what is no http or https address, or has a password in it."""
    try:
        parts = urlsplit(url)
        bad = parts.scheme not in {"http", "https"} or not parts.hostname or (parts.port or 1) < 1
    except ValueError:
        bad = True
    if bad or any(c.isspace() or not c.isprintable() for c in url):
        raise ValueError("The endpoint's address must start with http:// or https:// and name a server.")
    if parts.username or parts.password:
        raise ValueError(
            "The endpoint's address must not hold a name or password; there is a field for the key."
        )
    if parts.query or parts.fragment:
        raise ValueError("The endpoint's address must end with its path, such as /v1.")


def environment() -> dict[str, str | float]:
    """The settings that the environment gives; those not set are left out. Raises ValueError for seconds that
    are no number.
    """
    given = {name: os.environ.get(variable, "") for name, variable in VARIABLES.items()}
    values: dict[str, str | float] = {name: text for name, text in given.items() if text}
    if "seconds" in values:
        try:
            values["seconds"] = float(given["seconds"])
        except ValueError:
            raise ValueError(
                f"{VARIABLES['seconds']} is {given['seconds']!r}; it must be a number."
            ) from None
    return values


def from_environment() -> Settings:
    """Settings from the environment and the defaults; raises ValueError if they make no sense."""
    values = environment()
    try:
        return check(Settings(**values))  # type: ignore[arg-type]
    except ValueError as problem:
        raise ValueError(f"The variables of the language model don't fit: {problem}") from None
