"""Overcooked for 2 to 4 cooks. Its spec is imported when it is asked for."""

from engine.simulation.lazy import names_of

__getattr__ = names_of(__name__, {"SPEC": "spec"})
