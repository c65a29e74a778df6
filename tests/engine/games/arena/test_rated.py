"""What a reward model reads of an Arena match: what a seat did and bore, how it is, and what is near."""

import numpy as np
import pytest

from engine.agents.features import reward_inputs_for
from engine.games import make_batch
from engine.games.arena import DECISION_TICKS, features
from engine.games.arena import state as s
from tests.engine.games.arena.acts import Acts, duel
from tests.engine.games.arena.test_combat import SHOT


def rated(field: Acts, seat: int) -> dict[str, float]:
    inputs = reward_inputs_for("arena", {"teams": 2, "team_size": 1})
    row = inputs(field.state[None], np.array([seat]), field.world, np.zeros((1, 8), np.int16))[0]
    assert row.size == features.rated_size(field.state) and row.min() >= 0 and row.max() <= 1
    return dict(zip(features.RATED_NAMES, map(float, row), strict=True))


def test_a_hit_is_seen_on_both_sides_until_the_next_decision() -> None:
    field = duel()
    field.tick(p0=SHOT)
    for _ in range(DECISION_TICKS):
        one, other = rated(field, 0), rated(field, 1)
        assert (one["did/hit"], one["did/shoot"], one["bore/hit"]) == (0.5, 1, 0)
        assert (other["did/hit"], other["bore/hit"], other["health"]) == (0, 0.5, pytest.approx(0.8))
        field.tick()
    one = rated(field, 0)
    assert one["did/hit"] == 0 and one["so far/dealt"] == pytest.approx(0.2)
    assert (one["looked at"], one["enemies seen"], one["near/enemy seen"]) == (1, 0.25, 0.25)


def test_what_was_picked_up_and_who_is_down_is_told() -> None:
    field = Acts(teams=2, team_size=3)
    for seat, x in enumerate((60, 62, 80)):
        field.put(seat, x, 60, 0)
    field.door(70, 60)
    field.lay(0, s.BULLETS, 30, 60, 60)
    assert rated(field, 0)["near/supply"] == 0
    field.tick(p0={"basic": s.PICK})
    field.set(1, life=s.DOWNED, stance=s.DOWN, hp=50)
    one = rated(field, 0)
    assert (one["did/pick"], one["so far/picked"], one["near/supply"]) == (1, 0.5, 1)
    assert (one["mates up"], one["mates downed"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (one["near/mate"], one["near/downed mate"]) == (0.5, pytest.approx(0.05))
    assert one["near/door"] == pytest.approx(10.5 / 40, abs=0.01) and one["indoors"] == 0
    downed = rated(field, 1)
    assert (downed["life/downed"], downed["stance/down"], downed["health"]) == (1, 1, 0.5)


@pytest.mark.parametrize("options", [{"teams": 2, "team_size": 1}, {"teams": 20, "team_size": 1}, {}])
def test_every_seat_of_any_match_reads_as_many_numbers_in_range(options: dict[str, int]) -> None:
    batch = make_batch("arena", 1, observations="none", **options)
    seats = np.arange(int(batch.states[0][s.SEATS]))
    inputs, rng = reward_inputs_for("arena", options), np.random.default_rng(1)
    for _ in range(60):
        batch.step(rng.integers(0, s.HEADS, (1, len(seats), len(s.HEADS))))
        rows = inputs(np.repeat(batch.states, len(seats), axis=0), seats, batch.world)
        assert rows.shape == (len(seats), len(features.RATED_NAMES))
        assert rows.min() >= 0 and rows.max() <= 1 and rows[:, 14:17].sum(1).tolist() == [1] * len(seats)
