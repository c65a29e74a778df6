"""Algorithm 1 of the IBT paper: what is drawn against the algorithm written out, and what it learns."""

import dataclasses
import json
import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import logsigmoid, softplus

from engine.agents.files import sha256_of
from engine.agents.utility import RewardModel, load
from engine.learning.algorithms.ibt import Settings, ibt_loss
from engine.learning.parts import pairs
from engine.learning.parts.marked import Track
from engine.learning.parts.utilities import (
    Held,
    check_enough,
    clock,
    counts,
    judge,
    make_batch,
    notes_on,
    other_instruction,
    shuffled_signs,
    split,
    utilities,
)
from engine.learning.run.reporting import config_from
from engine.refusal import Refusal


def every_pair(
    u: Tensor, positive: np.ndarray, negative: np.ndarray, valid: np.ndarray, c: float, balance: bool
) -> Tensor:
    """The loss over all pairs of each window (B, T), at a cost of T^2: what drawing a few is measured by."""
    up, down = torch.tensor(positive).cumsum(1), torch.tensor(negative).cumsum(1)
    place = torch.tensor(valid).long().cumsum(1)  # among the ticks that count
    gap = place[:, None, :] - place[:, :, None]
    usable = (gap > 0) & torch.tensor(valid[:, :, None] & valid[:, None, :])
    ups = (up[:, None, :] - up[:, :, None]) > 0
    downs = (down[:, None, :] - down[:, :, None]) > 0
    gain = u[:, None, :] - u[:, :, None]
    kinds = [usable & ups & ~downs, usable & downs & ~ups, usable & ~ups & ~downs]
    losses = [-logsigmoid(gain), -logsigmoid(-gain), c * gain.square()]
    weight = 1 / gap.clamp(min=1) if balance else torch.ones_like(gain)
    sums = [(loss * kind * weight).sum() for loss, kind in zip(losses, kinds, strict=True)]
    sizes = [(kind * weight).sum() for kind in kinds]
    if not balance:
        return sum(sums) / sum(sizes)
    first, second, third = (a / b.clamp(min=1e-9) for a, b in zip(sums, sizes, strict=True))
    return (first + second) / 2 + third


def algorithm_1(u: np.ndarray, positive: np.ndarray, negative: np.ndarray, c: float) -> float:
    """Written as the paper writes it, for one window."""
    losses = []
    for t1 in range(len(u)):
        for t2 in range(t1 + 1, len(u)):
            ups, downs = positive[t1 + 1 : t2 + 1].sum(), negative[t1 + 1 : t2 + 1].sum()
            if ups and not downs:
                losses.append(math.log1p(math.exp(-(u[t2] - u[t1]))))
            elif downs and not ups:
                losses.append(math.log1p(math.exp(-(u[t1] - u[t2]))))
            elif not ups and not downs:
                losses.append(c * (u[t2] - u[t1]) ** 2)
    return float(np.mean(losses))


def balanced(u: np.ndarray, positive: np.ndarray, negative: np.ndarray, c: float) -> float:
    """The same with three weighted means instead of one."""
    sums = np.zeros((3, 2))
    for t1 in range(len(u)):
        for t2 in range(t1 + 1, len(u)):
            ups, downs = positive[t1 + 1 : t2 + 1].sum(), negative[t1 + 1 : t2 + 1].sum()
            if ups and downs:
                continue
            kind = 0 if ups else 1 if downs else 2
            gain = u[t2] - u[t1]
            loss = (math.log1p(math.exp(-gain)), math.log1p(math.exp(gain)), c * gain**2)[kind]
            sums[kind] += loss / (t2 - t1), 1 / (t2 - t1)
    means = sums[:, 0] / np.maximum(sums[:, 1], 1e-9)
    return float((means[0] + means[1]) / 2 + means[2])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("balance", [False, True])
def test_all_pairs_at_once_are_algorithm_1(seed, balance):
    rng = np.random.default_rng(seed)
    u = rng.normal(size=12)
    positive, negative = (rng.random((2, 12)) < 0.2).astype(int)
    written = (balanced if balance else algorithm_1)(u, positive, negative, 0.7)
    marks = (positive[None], negative[None], np.ones((1, 12), bool))
    got = every_pair(torch.tensor(u[None]), *marks, 0.7, balance)
    assert got.item() == pytest.approx(written, rel=1e-6)


def loss_of(u: Tensor, marks: tuple, c: float, balance: bool, each: int, rng: np.random.Generator) -> Tensor:
    """The loss of pairs that are drawn, of one member's U (B, T)."""
    drawn = pairs.drawn(*marks, each, balance, rng)
    return ibt_loss(u[None], {name: torch.tensor(value) for name, value in drawn.items()}, c, balance)


@pytest.mark.parametrize("balance", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_drawn_is_all_pairs_without_bias_in_value_and_gradient(seed, balance):
    rng = np.random.default_rng(seed)
    u = torch.tensor(rng.normal(size=(3, 40)).cumsum(1), requires_grad=True)
    positive, negative = (rng.random((2, 3, 40)) < [[[0.1]], [[0.05]]]).astype(int)
    valid = rng.random((3, 40)) < 0.8  # not all of them count
    marks = (positive, negative, valid)
    exact = every_pair(u, *marks, 0.3, balance)
    (wanted,) = torch.autograd.grad(exact, u)
    draws = [loss_of(u, marks, 0.3, balance, 4, rng) for _ in range(300)]
    (found,) = torch.autograd.grad(torch.stack(draws).mean(), u)
    values = torch.stack(draws).detach()
    assert abs(values.mean() - exact) < 4 * values.std() / math.sqrt(300) + 1e-6
    assert values.std() < 0.1 * exact, "a few pairs for every tick say nearly as much as all"
    assert (found - wanted).norm() < 0.03 * wanted.norm()


def test_the_cost_is_linear_in_the_length():
    rng = np.random.default_rng(0)
    for size in (50, 400):
        marks = ((rng.random((2, 2, size)) < 0.1).astype(int), np.ones((2, size), bool))
        assert pairs.drawn(*marks[0], marks[1], 4, True, rng)["first"].shape == (2, 8 * size)


def test_a_window_counts_for_a_member_as_often_as_it_is_told():
    rng = np.random.default_rng(0)
    u = torch.tensor(rng.normal(size=(2, 30)))
    marks = (*(rng.random((2, 2, 30)) < 0.1).astype(int), np.ones((2, 30), bool))
    drawn = {k: torch.tensor(v) for k, v in pairs.drawn(*marks, 4, True, rng).items()}
    alone = ibt_loss(u[None, :1], {k: v[:1] for k, v in drawn.items()}, 0.3, True)
    counted = torch.tensor([[2.0, 0.0]])
    assert ibt_loss(u[None], drawn, 0.3, True, counted).item() == pytest.approx(alone.item(), rel=1e-6)


def test_ticks_outside_the_window_do_not_count():
    rng = np.random.default_rng(0)
    u, positive, negative = rng.normal(size=12), rng.random(12) < 0.3, rng.random(12) < 0.3
    valid = np.zeros(12, bool)
    valid[3:9] = True
    marks = tuple(x[None].astype(int) for x in (positive, negative)) + (valid[None],)
    draws = [loss_of(torch.tensor(u[None]), marks, 0.5, False, 64, rng).item() for _ in range(40)]
    assert np.mean(draws) == pytest.approx(algorithm_1(u[3:9], positive[3:9], negative[3:9], 0.5), rel=0.02)


def test_more_utility_after_progress_costs_less():
    u = torch.tensor([[0.0, 0.0, 1.0, 1.0]])
    mark, rng = np.array([[0, 0, 1, 0]]), np.random.default_rng(0)
    none, valid = np.zeros_like(mark), np.ones((1, 4), bool)
    for up, down, sign in ((mark, none, 1), (none, mark, -1)):
        assert loss_of(sign * u, (up, down, valid), 0.1, False, 8, rng) < loss_of(
            -sign * u, (up, down, valid), 0.1, False, 8, rng
        )


def world(count: int, seed: int, length: int = 30) -> list[Track]:
    """Episodes in which bit 0 of the observation is a good move, bit 1 a bad one; the instruction turns them
    round."""
    rng = np.random.default_rng(seed)
    tracks = []
    for i in range(count):
        observations = (rng.random((length, 12)) < 0.15).astype(np.uint8)
        observations[0, :2] = 0
        instruction = np.zeros((length, 4), np.float32)
        turned = i % 2
        instruction[:, turned] = 1
        good, bad = observations[:, turned].astype(bool), observations[:, 1 - turned].astype(bool)
        tracks.append(
            Track(
                f"e{i}",
                0,
                "simulated:test",
                True,
                observations,
                instruction,
                (good & ~bad).astype(np.int16),
                (bad & ~good).astype(np.int16),
            )
        )
    return tracks


def tensors(batch: dict) -> dict[str, Tensor]:
    return {name: torch.from_numpy(value) for name, value in batch.items()}


def fit(tracks: list[Track], settings: Settings) -> RewardModel:
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    model = RewardModel(12, 4, settings.hidden, settings.heads)
    optimizer = torch.optim.Adam(model.parameters(), settings.lr)
    for _ in range(settings.steps):
        batch = make_batch(tracks, settings, rng)
        drawn = pairs.drawn(batch["positive"], batch["negative"], batch["valid"], 4, settings.balance, rng)
        seen = tensors(batch)
        u = model.members(seen["observations"].float(), seen["instructions"])
        loss = ibt_loss(u, tensors(drawn), settings.no_mark_weight, settings.balance)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


def judged(tracks: list[Track], of: Callable, settings: Settings) -> dict:
    """By marks."""
    nothing: list = [None] * len(tracks)
    return judge(Held(tracks, nothing, nothing), of, settings)["held_out"]


def test_it_learns_what_was_marked_and_the_controls_do_not():
    settings = Settings(
        dataset="", game="hanabi", steps=150, batch=24, window=20, hidden=24, lr=4e-3, swap=0.0
    )
    training, held_out = split(world(60, seed=1), 0.25)
    learned = judged(held_out, partial(utilities, fit(training, settings)), settings)
    shuffled = shuffled_signs(training, np.random.default_rng(2))
    control = judged(held_out, partial(utilities, fit(shuffled, settings)), settings)
    assert learned["pair_accuracy"]["low"] > 0.8
    assert learned["delta_auc"]["value"] > control["delta_auc"]["value"] + 0.2
    assert control["pair_accuracy"]["value"] < 0.7


def test_neighbours_are_the_pairs_of_single_ticks_marks():
    positive, negative = np.array([[0, 1, 0, 1, 0, 0]]), np.array([[0, 0, 1, 1, 0, 0]])
    found = pairs.neighbours(positive, negative, np.array([[1, 1, 1, 1, 1, 0]], bool))
    assert found["first"].tolist() == [[0, 1, 2, 3, 4]] and found["second"].tolist() == [[1, 2, 3, 4, 5]]
    assert found["sign"].tolist() == [[1, -1, 0, 0, 0]]
    assert found["weight"].tolist() == [[1, 1, 0, 1, 0]]  # both signs say nothing, nor does padding
    u = torch.tensor([[0.0, 2.0, 1.0, 1.0, 1.0, 5.0]])
    expected = (softplus(torch.tensor(-2.0)) + softplus(torch.tensor(-1.0))) / 2
    loss = ibt_loss(u[None], tensors(found), 0.1, balance=True)
    assert loss.item() == pytest.approx(expected.item())


def test_shuffling_keeps_the_ticks_and_the_proportion_of_signs():
    tracks = world(10, seed=0)
    dealt = shuffled_signs(tracks, np.random.default_rng(0))
    for before, after in zip(tracks, dealt, strict=True):
        assert np.array_equal(before.positive + before.negative, after.positive + after.negative)
    assert sum(t.positive.sum() for t in tracks) == sum(t.positive.sum() for t in dealt)
    assert any((a.positive != b.positive).any() for a, b in zip(tracks, dealt, strict=True))


def test_episodes_are_held_out_whole_and_always_the_same():
    tracks = [*world(20, seed=0), *world(20, seed=0)]
    training, held_out = split(tracks, 0.2)
    assert not {t.episode for t in training} & {t.episode for t in held_out}
    assert len({t.episode for t in held_out}) == 4
    assert {t.episode for t in split(tracks[::-1], 0.2)[1]} == {t.episode for t in held_out}
    assert len(split(tracks[:2], 0.9)[0]) > 0


def only(tracks: list[Track], sign: str) -> list[Track]:
    """The same with marks of one sign."""
    other = {"positive": "negative", "negative": "positive"}[sign]
    return [dataclasses.replace(track, **{other: np.zeros_like(track.negative)}) for track in tracks]


@pytest.mark.parametrize("rare", ["positive", "negative"])
def test_marks_of_both_signs_are_held_out_and_learned_from_where_there_are_two_episodes_of_each(rare):
    common = {"positive": "negative", "negative": "positive"}[rare]
    tracks = world(20, seed=0)
    for first in range(0, 18, 3):
        few = {f"e{first}", f"e{first + 1}"}
        mixed = [t if t.episode in few else only([t], common)[0] for t in tracks]
        for part in split(mixed, 0.1):
            assert any(getattr(t, rare).any() for t in part) and any(getattr(t, common).any() for t in part)


def test_one_marked_episode_is_refused_with_what_is_needed():
    with pytest.raises(Refusal, match="1 episode of the snapshot is marked; at least 2 are needed"):
        split(world(1, seed=0), 0.2)


def test_metrics_that_can_not_be_had_are_explained():
    settings = Settings(dataset="", game="hanabi")

    def notes(tracks: list[Track]) -> list[str]:
        return notes_on(tracks, judged(tracks, clock, settings))

    assert notes(world(3, seed=0)) == []
    (note,) = notes(only(world(3, seed=0), "positive"))
    assert "0 of regression" in note
    assert "pair accuracy, regress accuracy, delta auc, matched accuracy, calibration error can't be" in note
    assert notes(world(1, seed=0))[-1].startswith("One episode is held out, so the metrics have no intervals")


def test_under_a_swapped_instruction_progress_is_none():
    settings = Settings(dataset="", game="hanabi", batch=64, window=20, swap=0.9)
    batch = make_batch(world(20, seed=0), settings, np.random.default_rng(0))
    turned = [bool(s.any()) for s in batch["negative"] * (batch["positive"].sum(1) == 0)[:, None]]
    assert 10 < sum(turned) < 60
    unswapped = make_batch(
        world(20, seed=0),
        Settings(dataset="", game="hanabi", batch=64, window=20, swap=0.0),
        np.random.default_rng(0),
    )
    assert unswapped["positive"].sum() > batch["positive"].sum()


def test_nothing_is_swapped_for_no_instruction_nor_where_none_was_given():
    """Or good play that nobody asked for would be an example of what was not asked for."""
    settings = Settings(dataset="", game="hanabi", batch=64, window=20, swap=0.999)
    told, untold = world(2, seed=0), world(20, seed=1)
    for track in untold:
        track.instructions[:] = 0
    alone = make_batch([told[0], *untold], settings, np.random.default_rng(0))
    assert (alone["positive"] * alone["negative"]).sum() == 0
    expected = make_batch(
        [told[0], *untold], dataclasses.replace(settings, swap=0.0), np.random.default_rng(0)
    )
    assert alone["positive"].sum() == expected["positive"].sum(), "one instruction has no other to swap for"
    assert other_instruction(untold[0], told[0], np.random.default_rng(0)).any()
    assert other_instruction(told[0], untold[0], np.random.default_rng(0)) is None
    assert other_instruction(told[0], told[0], np.random.default_rng(0)) is None


def test_what_was_done_before_anything_was_asked_is_not_turned_round():
    settings = Settings(dataset="", game="hanabi", batch=64, window=30, swap=0.999)
    tracks = world(2, seed=0)
    for track in tracks:
        track.instructions[:15] = 0
    batch = make_batch(tracks, settings, np.random.default_rng(0))
    turned = (batch["negative"] > 0) & (batch["positive"] == 0)
    assert batch["positive"][:, 1:15].sum() > 0
    assert not batch["instructions"][:, :15].any()
    assert turned[:, 15:].any() and (batch["positive"][:, 15:].sum(1) == 0).sum() > 10


def test_episodes_without_a_mark_are_learned_from_and_held_out_too():
    marked, empty = world(10, seed=0), world(20, seed=1)[10:]
    empty = [only(only([track], "positive"), "negative")[0] for track in empty]
    training, held_out = split([*marked, *empty], 0.2)
    for part in (training, held_out):
        assert any(track.marks for track in part) and any(not track.marks for track in part)
    with pytest.raises(Refusal, match="1 episode of the snapshot is marked"):
        split([marked[0], *empty], 0.2)
    counted = counts([*marked, *empty], held_out)
    assert (counted["episodes"], counted["reviewed_without_a_mark"]) == (20, 10)


def test_memory_can_be_carried_from_tick_to_tick():
    torch.manual_seed(0)
    model = RewardModel(12, 4, 16)
    track = world(1, seed=0)[0]
    x, i = torch.tensor(track.observations[None]).float(), torch.tensor(track.instructions[None])
    memory, total = None, []
    with torch.no_grad():
        for t in range(x.shape[1]):
            gain, memory = model.gains(x[:, t : t + 1], i[:, t : t + 1], memory)
            total.append(gain.item())
        assert np.allclose(np.cumsum(total), model(x, i)[0].numpy(), atol=1e-5)


@pytest.mark.parametrize(("name", "value"), [("steps", 0), ("window", 1), ("swap", 1.0), ("held_out", 0)])
def test_settings_out_of_range_are_refused(name, value):
    with pytest.raises(Refusal, match=name):
        config_from(Settings, {"dataset": "", "game": "hanabi", name: value})


def test_too_few_marks_and_marks_of_one_sign_are_refused_with_a_sentence():
    tracks = world(4, seed=0)
    check_enough(tracks)
    with pytest.raises(Refusal, match="are of progress; without marks of regression"):
        check_enough(only(tracks, "positive"))
    with pytest.raises(Refusal, match="are of regression; without marks of progress"):
        check_enough(only(tracks, "negative"))
    for track in tracks:
        track.positive[:], track.negative[:] = 0, 0
    tracks[0].positive[3], tracks[1].negative[4] = 1, 1
    with pytest.raises(Refusal, match="There are 2 marks to learn from"):
        check_enough(tracks)


def test_members_differ_and_their_mean_is_u():
    torch.manual_seed(0)
    model = RewardModel(12, 4, 16, heads=3)
    track = world(1, seed=0)[0]
    x, i = torch.tensor(track.observations[None]).float(), torch.tensor(track.instructions[None])
    members = model.members(x, i)
    assert members.shape == (3, 1, 30)
    assert torch.allclose(members.mean(0), model(x, i), atol=1e-5)
    assert (members.std(0)[0, 1:] > 0).all()


def test_a_model_that_was_saved_before_there_were_members_is_loaded(tmp_path):
    old = {"embed": nn.Linear(16, 8), "memory": nn.GRU(8, 8, batch_first=True)}
    old["head"] = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 1))
    save_file(nn.ModuleDict(old).state_dict(), tmp_path / "weights.safetensors")
    card = {"kind": "reward-model", "sha256": sha256_of(tmp_path / "weights.safetensors")}
    card["network"] = {"observation_size": 12, "instruction_size": 4, "hidden": 8}
    (tmp_path / "card.json").write_text(json.dumps(card))
    x, i = torch.rand(2, 9, 12), torch.rand(2, 9, 4)
    embedded = torch.relu(old["embed"](torch.cat([x, i], -1)))
    wanted = old["head"](torch.cat([embedded, old["memory"](embedded)[0]], -1)).squeeze(-1)
    assert torch.allclose(load(tmp_path).gains(x, i)[0], wanted, atol=1e-5)


@pytest.mark.parametrize("rare", ["positive", "negative"])
def test_the_only_episode_with_a_sign_is_learned_from(rare):
    common = {"positive": "negative", "negative": "positive"}[rare]
    tracks = world(7, seed=0)
    for alone in (t.episode for t in tracks):
        mixed = [t if t.episode == alone else only([t], common)[0] for t in tracks]
        training, held_out = split(mixed, 0.2)
        assert alone in {t.episode for t in training} and held_out
