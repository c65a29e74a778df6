"""What goes wrong with a language model, as sentences that people are shown."""

from __future__ import annotations


class Trouble(Exception):
    """A model that can't be asked or whose answers are no answers; the text is a sentence."""


class Unsupported(Trouble):
    """The server answers, but not to this kind of request; another kind may work."""
