"""Ridge regression on ticks: what it tells where one tick is enough, and where it isn't."""

import numpy as np
import torch

from engine.agents.utility import TickModel
from engine.learning.parts import ridge, utilities
from engine.learning.parts.marked import Track


def tracks_of(back: int, count: int = 12, length: int = 50) -> tuple[list[Track], list[np.ndarray]]:
    """Tracks in which what was seen `back` ticks ago is what counts, and that: (T, 1) each."""
    rng, tracks, targets = np.random.default_rng(3), [], []
    for number in range(count):
        seen = rng.normal(size=(length, 4)).astype(np.float16)
        effect = np.append(np.zeros(back), seen[: length - back, 0].astype(float))
        none = np.zeros(length, np.int16)
        tracks.append(Track(f"e{number}", 0, "simulated:a", True, seen, np.zeros((length, 0)), none, none))
        targets.append(effect[1:, None])
    return tracks, targets


def explained(ticks: int, back: int) -> float:
    tracks, targets = tracks_of(back)
    model = ridge.fitted(tracks[:8], targets[:8], ticks)
    told = np.concatenate([model.gains(track) for track in tracks[8:]])
    true = np.concatenate(targets[8:])
    return float(1 - ((told - true) ** 2).sum() / (true**2).sum())


def test_it_tells_what_lies_within_its_ticks_and_nothing_else():
    assert explained(ticks=1, back=0) > 0.99
    assert explained(ticks=1, back=2) < 0.05
    assert explained(ticks=3, back=2) > 0.99
    assert explained(ticks=3, back=3) < 0.05


def test_one_track_is_enough():
    tracks, targets = tracks_of(back=0, count=1)
    found = ridge.fitted(tracks, targets).weights[:, 0]
    assert np.isfinite(found).all() and abs(found).argmax() == 0


def test_several_targets_are_fitted_as_each_alone():
    tracks, targets = tracks_of(back=0)
    both = ridge.fitted(tracks, [np.concatenate([target, -target], 1) for target in targets])
    one = ridge.fitted(tracks, targets)
    assert np.allclose(both.weights, np.concatenate([one.weights, -one.weights], 1))
    assert np.allclose(np.diff(one.utilities(tracks)[0]), one.gains(tracks[0])[:, 0], atol=1e-6)


def test_as_a_reward_model_it_is_an_ensemble_that_goes_tick_by_tick_and_remembers_nothing():
    rng = np.random.default_rng(1)
    tracks, targets = tracks_of(back=0, count=30)
    marked = []
    for number, (track, target) in enumerate(zip(tracks, targets, strict=True)):
        up, down = (np.append(0, (sign * target[:, 0] > 1)).astype(np.int16) for sign in (1, -1))
        told = np.zeros((len(up), 2), np.float32)
        marked.append(Track(f"e{number}", 0, "simulated:a", True, track.observations, told, up, down))
    model = ridge.reward_model(marked[:20], rng)
    assert isinstance(model, TickModel) and model.sizes["heads"] == ridge.MEMBERS
    one = ridge.fitted(marked[:20], [ridge.signs(track)[:, None] for track in marked[:20]])
    for u, straight in zip(utilities.utilities(model, marked[20:]), one.utilities(marked[20:]), strict=True):
        assert np.corrcoef(np.diff(u), np.diff(straight))[0, 1] > 0.99
    seen = torch.from_numpy(marked[20].observations[None].astype(np.float32))
    told = torch.zeros(1, seen.shape[1], 2)
    members = model.members(seen, told)
    assert members.shape[0] == ridge.MEMBERS and torch.allclose(members.mean(0), model(seen, told), atol=1e-5)
    assert (members.std(0) > 0).any()
    half = seen.shape[1] // 2
    first, memory = model.gains(seen[:, :half], told[:, :half])
    second, memory = model.gains(seen[:, half:], told[:, half:], memory)
    assert memory.shape == (1, 1, model.memory_size)
    assert torch.allclose(torch.cat([first, second], 1).cumsum(1), model(seen, told), atol=1e-5)
