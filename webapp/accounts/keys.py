"""Every action that can be rebound, for the keys page: what it is called, where it works, its default keys.

The pages' own modules register the same names and defaults (`registerKeys` in static/js/lib/keys.js);
tests/webapp/accounts/test_keys.py holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_KEYS = 4


@dataclass(frozen=True)
class Action:
    name: str
    label: str
    keys: tuple[str, ...]


# Scope -> its actions. Two actions of one scope on one key are a conflict; across scopes they aren't.
CATALOGUE: dict[str, tuple[Action, ...]] = {}

ACTIONS = {action.name: action for actions in CATALOGUE.values() for action in actions}


def is_key(key: object) -> bool:
    return isinstance(key, str) and 0 < len(key) <= 40 and key.isprintable()


def validated(bindings: object) -> dict[str, list[str]]:
    """`bindings` as kept with the user: known actions, 1 to 4 key names each, defaults left out.

    Raises ValueError with a sentence for anything else.
    """
    if not isinstance(bindings, dict):
        raise ValueError('Key bindings must be an object like {"replay.play": ["Space"]}.')
    kept = {}
    for name, keys in bindings.items():
        if name not in ACTIONS:
            raise ValueError(f"There is no action {str(name)[:60]!r} to bind a key to.")
        if not isinstance(keys, list) or not 0 < len(keys) <= MAX_KEYS or not all(map(is_key, keys)):
            raise ValueError(f"{ACTIONS[name].label}: give one to {MAX_KEYS} keys.")
        if tuple(keys) != ACTIONS[name].keys:
            kept[name] = keys
    return kept
