"""What hints and open cards say, counted, for networks that are to hold no convention (`"reads": "public"`).

`encode_many` writes a seat's canonical observation and then, of every hand's cards, how likely each is to
fit, to be useless or critical, for who holds it by its hints and the cards that it can't be, and for others
what it is; and of each hint what it would make known. That follows from the rules alone: nothing here takes
a hint for more than it says (`features` does). Only the last move is in it: networks remember the others.

In NumPy, over all games at once. Seats are relative, the observer is 0.
"""

from __future__ import annotations

import numpy as np

from engine import games
from engine.games.hanabi import rules
from engine.games.hanabi.observation import observation_size
from engine.games.hanabi.rules import MAX_CARDS, MAX_COLORS, MAX_DECK, MAX_RANKS, MAX_SLOTS
from engine.simulation import kernels

FEATURES_VERSION = 1
HOLDS, SHOWS = 9, 3  # numbers of a card, as its holder knows it, and as others see it
TELLS = 6  # of a hint
TABLE = 6
NOWHERE = np.zeros((1, 1), np.int8)
COLOR, RANK = np.divmod(np.arange(MAX_CARDS), MAX_RANKS)


def input_size(state: np.ndarray) -> int:
    """Length of what `encode_many` writes."""
    players = int(state[rules.PLAYERS])
    cards = players * MAX_SLOTS * HOLDS + (players - 1) * MAX_SLOTS * SHOWS
    hints = (players - 1) * (MAX_COLORS + MAX_RANKS) * TELLS
    return int(observation_size(state)) + cards + hints + TABLE


def encode_many(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Into `out` (n, input_size), what the seats (n,) of games with the same options know."""
    if not len(states):
        return
    kernels.load(games.spec("hanabi")).see_as(states, NOWHERE, seats, out)
    players, size = int(states[0, rules.PLAYERS]), int(observation_size(states[0]))
    rows = np.arange(len(states))
    table = states.astype(np.int64)
    fireworks = table[:, rules.FIREWORKS : rules.FIREWORKS + MAX_COLORS][:, COLOR]
    ranks = table[:, rules.RANKS, None]
    exist = (table[:, rules.COLORS, None] > COLOR) & (ranks > RANK)
    each = np.where(RANK == 0, 3, np.where(ranks - 1 == RANK, 1, 2)) * exist
    gone = table[:, rules.DISCARDED : rules.DISCARDED + MAX_CARDS]
    playable = exist & (fireworks == RANK)
    # Useless: played already, or all copies of a card below it are gone.
    lost = (gone == each) & (fireworks <= RANK) & exist
    blocked = np.cumsum(lost.reshape(-1, MAX_COLORS, MAX_RANKS), axis=2).reshape(lost.shape) > lost
    useless = exist & ((fireworks > RANK) | blocked)
    critical = exist & ~useless & (each - gone == 1)
    unseen = (each - gone - (fireworks > RANK)).astype(np.float32)  # by anybody
    weighed = np.stack([playable, useless, critical, exist], axis=2).astype(np.float32)  # (n, 25, 4)
    worth = weighed[..., :3]

    holders = (np.asarray(seats)[:, None] + np.arange(players)) % players
    slots = np.arange(MAX_SLOTS)
    keys = table[rows[:, None, None], rules.HANDS + holders[..., None] * MAX_SLOTS + slots]  # (n, players, 5)
    counts = table[rows[:, None], rules.HAND_COUNTS + holders][..., None]
    held: np.ndarray = np.asarray(slots < counts)
    keys = np.where(held, keys, 0)
    at = rules.CARDS + keys * rules.CARD_STRIDE
    fields = [table[rows[:, None, None], at + field] for field in range(rules.CARD_STRIDE)]
    may_color = fields[rules.COLOR_MASK][..., None] >> COLOR & 1
    may_rank = fields[rules.RANK_MASK][..., None] >> RANK & 1
    plausible = ((may_color & may_rank) * held[..., None]).astype(np.float32)  # (n, players, 5, 25)
    cards = table[rows[:, None, None], rules.DECK + keys]
    seen = np.zeros_like(unseen)  # what the observer sees in the others' hands
    for other in range(1, players):
        for slot in range(MAX_SLOTS):
            seen[rows, cards[:, other, slot]] += held[:, other, slot]

    def shares(plausible: np.ndarray, left: np.ndarray) -> np.ndarray:
        """(…, 3) of cards (n, …, 25) of which so many are left (n, 25)."""
        flat = plausible.reshape(len(left), -1, MAX_CARDS)
        sums = flat @ (left[..., None] * weighed)
        # Where counting says that it can't be anything, all of what hints allow.
        sums = np.where(sums[..., 3:] > 0, sums, flat @ weighed)
        shared = sums[..., :3] / np.maximum(sums[..., 3:], 1)
        return shared.reshape(*plausible.shape[:-1], 3)

    known = shares(plausible, unseen)
    known[:, 0] = shares(plausible[:, 0], np.maximum(unseen - seen, 0))
    position = size

    def write(numbers: np.ndarray) -> None:
        nonlocal position
        flat = numbers.reshape(len(states), -1)
        out[:, position : position + flat.shape[1]] = flat
        position += flat.shape[1]

    turns = table[:, rules.TURN, None, None]
    just = (fields[rules.LAST_TOUCHED_TURN] == turns - 1) & (fields[rules.LAST_TOUCHED_TURN] >= 0)
    hinted = [fields[rules.COLOR_HINT] >= 0, fields[rules.RANK_HINT] >= 0, just]
    newest = slots == counts - 1
    sure = known[..., :2] > 1 - 1e-4
    holds = np.concatenate([known, sure, np.stack([*hinted, newest], axis=-1)], axis=-1)
    write(holds * held[..., None])
    shown = worth[rows[:, None, None], cards[:, 1:]] * held[:, 1:, :, None]  # (n, players - 1, 5, 3)
    write(shown)

    # Hints: (n, players - 1, 10, 5 slots).
    touched = np.concatenate(
        [
            (cards[:, 1:, None] // MAX_RANKS == np.arange(MAX_COLORS)[:, None]) & held[:, 1:, None],
            (cards[:, 1:, None] % MAX_RANKS == np.arange(MAX_RANKS)[:, None]) & held[:, 1:, None],
        ],
        axis=2,
    )
    matches = np.concatenate([np.arange(MAX_COLORS)[:, None] == COLOR, np.arange(MAX_RANKS)[:, None] == RANK])
    allowed = np.where(touched[..., None], matches[:, None], ~matches[:, None])  # (n, P - 1, 10, 5, 25)
    after = shares(plausible[:, 1:, None] * allowed, unseen) * held[:, 1:, None, :, None]
    some: np.ndarray = np.asarray(touched.any(3))[..., None]
    new = (after[..., :2] > 1 - 1e-4) & ~sure[:, 1:, None]
    playables = shown[:, :, None, :, 0] * touched
    tells = [
        touched.sum(3) / MAX_SLOTS,
        playables.sum(3) / MAX_SLOTS,
        (shown[:, :, None, :, 1] * touched).sum(3) / MAX_SLOTS,
        (new[..., 0] * some).sum(3) / MAX_SLOTS,
        (new[..., 1] * some).sum(3) / MAX_SLOTS,
        (np.abs(after - known[:, 1:, None]).sum(-1) * some).sum(3) / MAX_SLOTS,
    ]
    write(np.stack(tells, axis=-1))
    numbers = [
        table[:, rules.SCORE] / MAX_CARDS,
        table[:, rules.LIVES] / np.maximum(1, table[:, rules.LIVES_MAX]),
        table[:, rules.INFORMATION] / np.maximum(1, table[:, rules.INFORMATION_MAX]),
        (table[:, rules.DECK_SIZE] - table[:, rules.DEALT]) / MAX_DECK,
        (table[:, rules.DECK_SIZE] == table[:, rules.DEALT]) * table[:, rules.TURNS_LEFT] / players,
        table[:, rules.TURN] / 100,
    ]
    write(np.stack(numbers, axis=1))
