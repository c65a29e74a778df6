"""What goes wrong with a language model, as sentences that people are shown."""

from __future__ import annotations

from engine.refusal import Refusal


class Unsupported(Refusal):
    """The server answers, but not to this kind of request; another kind may work."""
