"""Arena, a small battle royale. Its spec is imported when it is asked for."""

from engine.simulation.lazy import names_of

DECISION_TICKS = 3  # agents decide 6.7 times a second

__getattr__ = names_of(__name__, {"SPEC": "spec"})
