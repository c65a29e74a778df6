"""What human proxies read: in a mirrored kitchen the same but for directions; what was done lately."""

import numpy as np

from engine.games.overcooked import layouts, rules
from engine.games.overcooked import people_features as read
from engine.simulation.simulation import Simulation

MIRRORED = {rules.EAST: rules.WEST, rules.WEST: rules.EAST}


def mirrored(name):
    layout = layouts.layout_of(name)
    rows = [list(row) for row in layout.grid]
    for number, (x, y) in enumerate(layout.starts, 1):
        rows[y][x] = str(number)
    return "\n".join("".join(reversed(row)) for row in rows)


def walked(layout, actions):
    """What seat 0 reads after each of these joint actions, (T, SIZE)."""
    sim = Simulation("overcooked", {"layout": layout})
    memory = np.zeros((1, read.MEMORY), np.float32)
    found = []
    for joint in actions:
        sim.step(joint)
        out = np.zeros((1, read.SIZE), np.float32)
        read.encode_many(sim.state[None], np.array([0], np.int32), memory, out)
        found.append(out[0])
    return np.array(found)


def test_a_mirrored_kitchen_reads_the_same_with_east_and_west_swapped():
    actions = np.random.default_rng(3).integers(6, size=(40, 2))
    swapped = [[MIRRORED.get(int(a), int(a)) for a in joint] for joint in actions]
    header = "name: mirror\norders: onion onion onion\n\n"
    ours = walked("coordination_ring", actions.tolist())
    theirs = walked(header + mirrored("coordination_ring"), swapped)
    sides = theirs[:, read.CONTEXT :].reshape(40, 4, read.SIDED)[:, [0, 1, 3, 2]]
    # Where two stations are as near, either may be meant: nearly all is alike.
    assert np.mean(ours[:, : read.CONTEXT] == theirs[:, : read.CONTEXT]) > 0.98
    assert np.mean(ours[:, read.CONTEXT :] == sides.reshape(40, -1)) > 0.98
    assert np.mean(ours[:, read.CONTEXT :] == theirs[:, read.CONTEXT :]) < 0.98


def test_it_remembers_each_tick_once_and_nothing_of_another_game():
    sim = Simulation("overcooked", {"layout": "cramped_room"})
    memory, out = np.zeros((1, read.MEMORY), np.float32), np.zeros((1, read.SIZE), np.float32)
    seat = np.array([0], np.int32)
    for joint in ([2, 4], [2, 4], [5, 3]):
        sim.step(joint)
        read.encode_many(sim.state[None], seat, memory, out)
        once = memory.copy()
        read.encode_many(sim.state[None], seat, memory, out)
        assert np.array_equal(once, memory)
    assert memory[0, read.OWN_AT : read.OWN_AT + 4].tolist() == [6, 3, 3, 0]
    assert memory[0, read.OTHER_AT : read.OTHER_AT + 3].tolist() == [4, 5, 5]
    assert memory[0, read.MOVES_AT : read.MOVES_AT + 3].tolist() == [6, 3, 3]
    fresh = Simulation("overcooked", {"layout": "cramped_room"})
    read.encode_many(fresh.state[None], seat, memory, out)
    assert not memory[0, read.OWN_AT : read.AGES_AT].any()
