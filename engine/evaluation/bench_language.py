"""How well instructions are read: held-out sets (engine/evaluation/instructions), scored beside baselines.

Hanabi: answers to all questions of the prior (instructRL paper, section 5.2). Overcooked: triples of intent,
who and negated. Arena: sub-goals of Table 7 of the OpenContra paper, with their values (F1) and by name alone
(F1 choice, section 5.2). Figures have 95 % intervals over instructions drawn again. Nothing is trained.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import language
from engine.evaluation import instructions
from engine.language import arena, meaning, second
from engine.language.bank import bank, development
from engine.language.decisions.settings import Settings
from engine.language.hanabi import table
from engine.language.reading import Reading

GAMES = ("hanabi", "overcooked", "arena")
RESAMPLES = 1000
# Figures of the papers: text-davinci-003 on the paper's own wordings (instructRL, appendix C.2: share of
# 3,852 questions, colour and rank), ChatGLM-6B on an unpublished set (OpenContra, Table 2, the best tuning).
GPT_3_5 = {"original": [1.0, 1.0], "without quotes": [0.9997, 0.9997], "simple": [0.9707, 0.9714]}
CHATGLM_6B = {"f1": 0.529, "f1_choice": 0.652}

Said = dict[str, Any]
"""What a reader made of a text: {"refused", and "table", "triples" or "goals"}."""
TextReader = Callable[[str], Said]


def bench_language(
    game: str,
    progress: Callable[[str], None] = lambda text: None,
    on: str = "held-out",
    asked: Settings | None = None,
) -> dict[str, Any]:
    """Scores of the embedded reader on the held-out set of a game (or, `on` "development", on the set on
    which settings are chosen), of baselines, and how long reading takes. `asked`: a language model to measure
    beside them, as the second opinion that it is in play (engine.language.second).

    Raises ValueError for a game without a set.
    """
    items = instructions.load(game) if on == "held-out" else development(game)
    known = {row["text"].strip().lower() for row in bank(game)}
    count = len(items)
    items = [item for item in items if item["text"].strip().lower() not in known]
    times: list[float] = []

    def timed(text: str) -> Said:
        began = time.perf_counter()
        said = read(game, text)
        times.append(1000 * (time.perf_counter() - began))
        return said

    found: dict[str, Any] = {"game": game, "instructions": sum(not item["refused"] for item in items)}
    found["meaningless"] = len(items) - found["instructions"]
    found["left_out"] = count - len(items)  # short ones that somebody else thought of too
    progress(f"Reading {len(items)} texts …")
    found["embedded"] = score(game, items, [timed(item["text"]) for item in items])
    if asked:
        found["asked"] = by_model(game, items, asked, progress)
    found["by_voice"] = by_voice(game, items)
    found["read_ms"] = {f"p{p}": round(float(np.percentile(times, p)), 2) for p in (50, 95, 99)}
    progress("Baselines …")
    found["baselines"] = {name: score(game, items, [reader(i["text"]) for i in items])
                          for name, reader in baselines(game).items()}  # fmt: skip
    if game == "hanabi":
        found["paper_wordings"] = {"embedded": paper_wordings(), "GPT-3.5 (instructRL paper)": GPT_3_5}
    if game == "arena":
        found["baselines"]["ChatGLM-6B (OpenContra paper, its own set)"] = CHATGLM_6B
    return found


def read(game: str, text: str, model: meaning.Model | None = None) -> Said:
    """What the embedded reader makes of a text, with another model than the one in use if one is given."""
    return _said(game, language.read(game, text, model=model))


def by_model(
    game: str, items: list[dict[str, Any]], asked: Settings, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Scores with a language model's opinion on every text; how often none answered, and what it took."""
    said, silent, usage, began = [], 0, Counter[str](), time.perf_counter()
    model = notice = ""
    for at, item in enumerate(items, 1):
        one = second.opinion(game, item["text"], asked)
        silent += one.labels is None
        model, notice = one.model or model, one.notice or notice
        usage.update(one.usage)
        said.append(_said(game, second.applied(game, item["text"], one)))
        if at % 20 == 0:
            progress(f"{at} of {len(items)} texts asked about …")
    seconds = round(time.perf_counter() - began, 1)
    about = {"model": model, "unanswered": silent, "notice": notice, "usage": dict(usage), "seconds": seconds}
    return about | score(game, items, said)


def _said(game: str, reading: Reading) -> Said:
    return of_program(game, None if reading.refused else reading.program)


def of_program(game: str, program: dict[str, Any] | None) -> Said:
    """A reading as it is scored; None: refused."""
    if program is None:
        return {"refused": True}
    if game == "hanabi":
        return {"refused": False, "table": table_of(program)}
    if game == "overcooked":
        return {"refused": False, "triples": triples(program["goals"])}
    return {"refused": False, "goals": set(arena.subgoals(program).items())}


def table_of(program: dict[str, Any]) -> np.ndarray:
    """A Hanabi program's answers: bool (321, 12)."""
    keys = [key for key, _ in table.actions()]
    rows = [[table.answer(program, seen, move) for move in keys] for seen, _ in table.observations()]
    return np.array(rows, bool)


def triples(goals: Sequence[dict[str, Any]]) -> set[tuple[str, str, bool]]:
    return {(goal["intent"], goal["who"], bool(goal["negated"])) for goal in goals}


def right(game: str, item: dict[str, Any]) -> list[Any]:
    """The readings of an instruction that are as right as each other."""
    if game == "hanabi":
        return [instructions.answers(item)]
    key = "subgoals" if game == "overcooked" else "goals"
    both = [item[key], *([item["or"]] if "or" in item else [])]
    return [triples(one) if game == "overcooked" else set(one.items()) for one in both]


# --- Scores ----------------------------------------------------------------------------------------------


def score(game: str, items: list[dict[str, Any]], said: list[Said]) -> dict[str, Any]:
    """Every figure with its interval: {"name": {"mean", "low", "high"}}."""
    good = [(item, one) for item, one in zip(items, said, strict=True) if not item["refused"]]
    bad = [one for item, one in zip(items, said, strict=True) if item["refused"]]
    counts = np.array([_counts(game, item, one) for item, one in good], float)
    found = {name: interval(counts, figure) for name, figure in FIGURES[game].items()}
    refused = np.array([[one["refused"]] for _, one in good], float)
    found["good_refused"] = interval(refused, lambda c: c.sum(0)[0] / len(c))
    if bad:
        refused = np.array([[one["refused"]] for one in bad], float)
        found["meaningless_refused"] = interval(refused, lambda c: c.sum(0)[0] / len(c))
    return found


def _counts(game: str, item: dict[str, Any], said: Said) -> list[float]:
    """Hanabi: [yes right, yes, no right, no, all right]; the others: for the closest of the right readings
    [hits, said, meant, exact], for Arena the first three by name as well.
    """
    if game == "hanabi":
        wanted = right(game, item)[0]
        got = said.get("table", np.zeros_like(wanted))
        same = got == wanted
        return [same[wanted].sum(), wanted.sum(), same[~wanted].sum(), (~wanted).sum(), same.all()]
    got = said.get("triples" if game == "overcooked" else "goals", set())
    best = max((_overlap(got, wanted) for wanted in right(game, item)), key=lambda c: _f1(c[0], c[1], c[2]))
    if game == "overcooked":
        return [*best, float(best[0] == best[1] == best[2])]
    names = [
        _overlap({name for name, _ in got}, {name for name, _ in wanted}) for wanted in right(game, item)
    ]
    return [*best, float(best[0] == best[1] == best[2]), *max(names, key=lambda c: _f1(c[0], c[1], c[2]))]


def _overlap(got: set, wanted: set) -> tuple[float, float, float]:
    return float(len(got & wanted)), float(len(got)), float(len(wanted))


def _f1(hits: float, said: float, meant: float) -> float:
    return 2 * hits / (said + meant) if said + meant else 1.0


FIGURES: dict[str, dict[str, Callable[[np.ndarray], float]]] = {
    "hanabi": {
        "answered_right": lambda c: (c[:, 0].sum() + c[:, 2].sum()) / (c[:, 1].sum() + c[:, 3].sum()),
        "balanced": lambda c: (c[:, 0].sum() / c[:, 1].sum() + c[:, 2].sum() / c[:, 3].sum()) / 2,
        "all_right": lambda c: c[:, 4].mean(),
    },
    "overcooked": {
        "f1": lambda c: _f1(*c[:, :3].sum(0)),
        "precision": lambda c: c[:, 0].sum() / max(1, c[:, 1].sum()),
        "recall": lambda c: c[:, 0].sum() / max(1, c[:, 2].sum()),
        "exact": lambda c: c[:, 3].mean(),
    },
    "arena": {
        "f1": lambda c: _f1(*c[:, :3].sum(0)),
        "f1_choice": lambda c: _f1(*c[:, 4:7].sum(0)),
        "exact": lambda c: c[:, 3].mean(),
    },
}


def interval(counts: np.ndarray, figure: Callable[[np.ndarray], float]) -> dict[str, float]:
    """A figure and its 95 % interval over instructions drawn again (bootstrap, seed 0)."""
    rng = np.random.default_rng(0)
    again = [figure(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(RESAMPLES)]
    low, high = np.percentile(again, [2.5, 97.5])
    return {
        "mean": round(float(figure(counts)), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
    }


MAIN = {"hanabi": "answered_right", "overcooked": "f1", "arena": "f1"}


def by_voice(game: str, items: list[dict[str, Any]]) -> dict[str, float]:
    """The main figure for each voice with instructions."""
    figure = FIGURES[game][MAIN[game]]
    good = [item for item in items if not item["refused"]]
    found = {}
    for voice in sorted({item["voice"] for item in good}):
        own = [item for item in good if item["voice"] == voice]
        counts = np.array([_counts(game, item, read(game, item["text"])) for item in own], float)
        found[voice] = round(float(figure(counts)), 3)
    return found


# --- Baselines -------------------------------------------------------------------------------------------


def baselines(game: str) -> dict[str, TextReader]:
    """Readers to be better than: always "no" (Hanabi), the nearest phrasing of the bank."""
    found: dict[str, TextReader] = {}
    if game == "hanabi":
        nothing = np.zeros((len(table.observations()), len(table.actions())), bool)
        found['always "no"'] = lambda text: {"refused": False, "table": nothing}
    found["nearest phrasing"] = nearest(game)
    found["grammar alone"] = lambda text: _said(game, language.by_grammar(game, text))
    return found


def nearest(game: str) -> TextReader:
    """The reading of the phrasing that shares most of its words and letter triples (TF-IDF, cosine)."""
    phrasings = bank(game)
    pieces = [_pieces(item["text"]) for item in phrasings]
    names = {piece: at for at, piece in enumerate(sorted({p for own in pieces for p in own}))}
    there = np.zeros((len(phrasings), len(names)), np.float32)
    for row, own in enumerate(pieces):
        for piece in own:
            there[row, names[piece]] = 1
    weight = np.log((1 + len(phrasings)) / (1 + there.sum(0))) + 1
    there *= weight
    there /= np.linalg.norm(there, axis=1, keepdims=True).clip(1e-9)

    def reader(text: str) -> Said:
        own = np.zeros(len(names), np.float32)
        for piece in _pieces(text):
            if piece in names:
                own[names[piece]] = weight[names[piece]]
        item = phrasings[int((there @ own).argmax())]
        if item["refused"]:
            return {"refused": True}
        key = {"hanabi": "table", "overcooked": "triples", "arena": "goals"}[game]
        return {"refused": False, key: right(game, item)[0]}

    return reader


def _pieces(text: str) -> set[str]:
    words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
    return {
        *words,
        *(f"{word}|"[i : i + 3] for word in (f"|{w}" for w in words) for i in range(len(word) - 1)),
    }


def paper_wordings() -> dict[str, list[float]]:
    """Share of questions answered right on each wording of the instructRL paper: [colour, rank]."""
    found: dict[str, list[float]] = {}
    for item in instructions.paper():
        wanted = instructions.answers(item)
        got = read("hanabi", item["text"]).get("table", np.zeros_like(wanted))
        found.setdefault(item["wording"], []).append(round(float((got == wanted).mean()), 4))
    return found
