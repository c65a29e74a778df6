"""Ridge regression on ticks: what it tells where one tick is enough, and where it isn't."""

import numpy as np

from engine.learning.parts import ridge
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


def test_several_targets_are_fitted_as_each_alone():
    tracks, targets = tracks_of(back=0)
    both = ridge.fitted(tracks, [np.concatenate([target, -target], 1) for target in targets])
    one = ridge.fitted(tracks, targets)
    assert np.allclose(both.weights, np.concatenate([one.weights, -one.weights], 1))
    assert np.allclose(np.diff(one.utilities(tracks)[0]), one.gains(tracks[0])[:, 0], atol=1e-6)
