"""Train what judges programs: how likely a program is all that a text asks for and nothing else.

A layer over the frozen encoder and decoder of engine.learning.reading.programs, which looks at the program's
tokens and the text's together. It learns from right programs and from wrong ones: those that the decoder
draws by chance where they differ from the right one, and right ones of which a clause, a negation, a
condition or a value was changed.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from engine.language import text as typed
from engine.language.declared import FLAGS, SPEECH, Clause, Declared, same, values
from engine.language.vocabulary import END, start
from engine.learning.reading import material
from engine.learning.reading.material import Batch, Material, Sample
from engine.learning.reading.networks import WIDTH, Layer, Texts, Writer, texts

RATE = 5e-4
DRAWN = 0.5
"""Share of the wrong programs that the decoder draws."""
WARMTH = 1.3


class Judge(nn.Module):
    """Log odds that a program is right, (texts,), from the states of the text and the decoder's of the
    program.
    """

    def __init__(self) -> None:
        super().__init__()
        self.layer = Layer()
        self.norm = nn.LayerNorm(WIDTH)
        self.inner = nn.Linear(2 * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 1)

    def forward(self, hidden: Tensor, written: Tensor, states: Tensor, there: Tensor) -> Tensor:
        """`hidden` (texts, written, WIDTH) of the decoder; `written`: which of them are there; `states`,
        `there`: of the text.
        """
        seen = self.norm(self.layer(hidden, states, there))
        mask = written[..., None]
        mean = (seen * mask).sum(1) / mask.sum(1)
        most = seen.masked_fill(~mask, -1e4).amax(1)
        return self.out(F.gelu(self.inner(torch.cat([mean, most], -1))))[:, 0]


def spoilt(
    declared: Declared, clauses: list[Clause], others: list[Clause], rng: random.Random
) -> list[Clause]:
    """A program with something changed; `others`: clauses of other programs of the game, to be taken in their
    place.
    """
    out = [dict(clause) for clause in clauses]
    at = rng.randrange(len(out))
    kind = rng.choice(("not", "drop", "drop", "slot", "slot", "value", "value", "act", "more", "by", "then"))
    if kind == "not":
        out[at] = {**out[at], "not": not out[at].get("not")}
    elif kind == "drop" and len(out) > 1:
        del out[at]
    elif kind in ("slot", "drop"):
        names = [name for name in out[at] if name not in ("act", "then", *FLAGS)]
        if names:
            del out[at][rng.choice(names)]
    elif kind == "value":
        names = [name for name in out[at] if name not in ("act", "then", *FLAGS)]
        if names:
            name = rng.choice(names)
            slot = declared.slot(name)
            allowed = [value for value in slot.values if value not in values(out[at], name)]
            out[at][name] = rng.choice(
                [*allowed, *([rng.randrange(1, 6)] if slot.number else [])] or [out[at][name]]
            )
    elif kind == "act":
        names = [name for name in declared.acts if name != out[at]["act"]]
        act = rng.choice(names)
        kept = ("act", "then", "by", *FLAGS, *declared.slots_of(act))
        out[at] = {name: value for name, value in {**out[at], "act": act}.items() if name in kept}
    elif kind == "more" and len(out) < 4:
        out.insert(rng.randrange(len(out) + 1), rng.choice(others))
    elif kind == "by":
        given = [value for value in ("me", *declared.by) if value not in values(out[at], "by")]
        out[at] = {**out[at], "by": rng.choice(given)} if not out[at].get("by") or rng.random() < 0.4 else {
            name: value for name, value in out[at].items() if name != "by"
        }  # fmt: skip
    elif kind == "then" and len(out) > 1:
        rng.shuffle(out)
    return out


@torch.no_grad()
def drawn(model: Writer, games: list[str], own: Texts, states: Tensor) -> list[list[int]]:
    """A program of each text, drawn token by token; it may be none that the language allows."""
    vocabulary, end = model.vocabulary, model.vocabulary.ids[END]
    written = torch.tensor([[vocabulary.ids[start(game)]] for game in games])
    over = torch.zeros(len(games), dtype=torch.bool)
    for _ in range(40):
        logits = model(states, own.there, own.copies, written)[:, -1].float() * WARMTH
        token = torch.multinomial(torch.softmax(logits, -1), 1)
        token[over] = end
        written = torch.cat([written, token], 1)
        over |= token[:, 0] == end
        if over.all():
            break
    rows = written[:, 1:].tolist()
    return [row[: row.index(end) + 1] if end in row else [] for row in rows]


def hidden_of(
    model: Writer, own: Texts, states: Tensor, programs: list[list[int]], games: list[str]
) -> tuple[Tensor, Tensor]:
    """The decoder's states of programs up to their ends, and which of them are there."""
    longest = max(len(ids) for ids in programs)
    before = torch.zeros(len(programs), longest, dtype=torch.long)
    written = torch.zeros(len(programs), longest, dtype=torch.bool)
    for row, ids in enumerate(programs):
        before[row, : len(ids)] = torch.tensor([model.vocabulary.ids[start(games[row])], *ids[:-1]])
        written[row, : len(ids)] = True
    return model.hidden(states, own.there, before), written


def train(model: Writer, learned: Material, epochs: int, seed: int, say: Any = print) -> Judge:
    """The judge of a trained writer, which stays as it is."""
    torch.manual_seed(seed)
    model.eval()
    judge = Judge()
    optimizer = torch.optim.AdamW(judge.parameters(), lr=RATE, weight_decay=0.01)
    began, steps = time.monotonic(), 0
    for number in range(epochs):
        rng = random.Random(f"judge {seed} {number}")
        every = material.epoch(model.vocabulary, learned, rng)
        lost, right = [], []
        for batch in every:
            kept = [(one, ids) for one, ids in batch if one.labels is None]
            if not kept:
                continue
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, steps / 100) * max(0.02, 1 - steps / (epochs * len(every)))
            odds, wanted = _judged(model, judge, kept, learned, rng)
            loss = F.binary_cross_entropy_with_logits(odds, wanted)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            steps += 1
            lost.append(loss.item())
            right.append(float(((odds > 0) == (wanted > 0.5)).float().mean()))
            if steps % 100 == 0:
                means = f"loss {np.mean(lost[-100:]):.3f}, right {np.mean(right[-100:]):.3f}"
                say(f"judge, {steps} steps: {means}, {time.monotonic() - began:.0f} s")
    return judge.eval()


def _judged(
    model: Writer, judge: Judge, batch: Batch, learned: Material, rng: random.Random
) -> tuple[Tensor, Tensor]:
    """The log odds of a program for each text of a batch, and whether it is right."""
    games = [one.game for one, _ in batch]
    own = texts(games, [one.text for one, _ in batch])
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        states = model.encoder(own.ids, own.there)
        drawings = drawn(model, games, own, states)
        shown = [
            _shown(model, *pair, drawing, learned, rng) for pair, drawing in zip(batch, drawings, strict=True)
        ]
        hidden, written = hidden_of(model, own, states, [ids for ids, _ in shown], games)
    odds = judge(hidden.float(), written, states.float(), own.there)
    return odds, torch.tensor([is_right for _, is_right in shown])


def _shown(
    model: Writer, one: Sample, ids: list[int], drawing: list[int], learned: Material, rng: random.Random
) -> tuple[list[int], float]:
    """The tokens of a program to be judged and whether it is right."""
    declared = model.vocabulary.languages[one.game]
    if rng.random() < 0.4:
        return ids, 1.0
    if rng.random() < DRAWN and drawing:
        return drawing, float(drawing == ids)
    if one.clauses[0]["act"] in SPEECH:
        return ids, 1.0
    others = rng.choice(learned.wishes[one.game]).clauses
    program = spoilt(declared, one.clauses, others, rng)
    written = model.vocabulary.written(one.game, program, typed.clean(one.text))
    if written is None or len(written) > 80 or same(declared, program, one.clauses):
        return ids, 1.0
    return written, 0.0
