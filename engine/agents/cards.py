"""The checked fields of a card, so that pages, matches and trainings can rely on their form.

A card may have further fields; only those that some code reads are checked. Not for reading files
(catalogue.py).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from engine import games
from engine.agents.features import READS
from engine.refusal import Refusal
from engine.shapes import Finite, Shape

MOST_PLAYERS = 1000
MOST_TEXT = 20_000  # characters
MOST_MS = 10_000  # of a tick and of a reaction

Text = Annotated[str, Field(max_length=MOST_TEXT)]
Players = Annotated[list[Annotated[int, Field(ge=1, le=MOST_PLAYERS)]], Field(min_length=1)]
Pair = Annotated[list[Finite], Field(min_length=2, max_length=2)]
Object = dict[str, Any]


class Mean(Shape):
    mean: Finite


class Score(Shape):
    mean: Finite | None = None
    stderr: Finite | None = None
    interval: Pair | None = None


class Matrix(Shape):
    """What an agent does after what: a row a label."""

    labels: list[Text]
    rows: list[list[Finite]]

    @model_validator(mode="after")
    def _square(self) -> Matrix:
        if len(self.labels) != len(self.rows):
            raise ValueError(f"has {len(self.rows)} rows for {len(self.labels)} labels")
        return self


class Cell(Shape):
    text: Text = ""
    level: Annotated[int, Field(ge=0, le=10)] = 0


class Row(Shape):
    label: Text = ""
    cells: list[Cell] = []


class PolicyTable(Shape):
    title: Text
    corner: Text
    sentence: Text
    columns: list[Text]
    rows: list[Row]


class Measured(Shape):
    """An instruction, and what came of it."""

    text: Text
    sentence: Text
    program: Object | None
    rows: list[list[Finite]]
    scores: dict[str, Mean]
    moments: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = []


class Played(Shape):
    options: Object = {}
    seed: int = 0
    actions: list[int] = []


class Instructed(Shape):
    untold: Mean
    instructions: list[Measured]
    game: Played = Played()

    @model_validator(mode="after")
    def _alike(self) -> Instructed:
        if len({tuple(one.scores) for one in self.instructions}) > 1:
            raise ValueError("has instructions with scores of different names")
        return self


class Scores(Shape):
    people: Score | None = None
    self_play: Score | None = None
    greedy: Finite | Score | None = None
    cross_play: dict[str, Score | None] = {}
    partners: dict[str, Score | None] = {}
    action_matrix: Matrix | None = None
    counts: dict[str, dict[str, int]] = {}
    instructed: Instructed | None = None
    policy_table: PolicyTable | None = None


class Evaluation(Scores):
    layouts: dict[str, Scores] = {}


class Parent(Shape):
    ref: Text


class Training(Shape):
    curve: list[Pair] | None = None


class Card(Shape):
    """An agent's card, as card.json in its folder holds it."""

    game: str
    name: Text | None = None
    title: Text | None = None
    kind: Text | None = None
    """`network`, `scripted` or, of a proxy of people, `people`."""
    algorithm: Text | None = None
    bot: Text | None = None
    description: Text | None = None
    explanation: Text | None = None
    instructions: Text | None = None
    """What it listens to."""
    orders: Text | None = None
    """The scripted player that acts for a seat while it has a goal."""
    acts: Text | None = None
    """`sampled`: it draws its actions, in live games and wherever it is measured."""
    hears: Text | None = None
    """How it follows instructions: `reading` (their features alone, without prior or goal) or `answers` (also
    the prior over the moves of now, as inputs); left out: by a prior on its logits.
    """
    goal: Text | None = None
    sha256: Text | None = None
    """Of the weights."""
    rules_version: int = 0
    features_version: int = 0
    told_version: int = 0
    """The network has its seat's instructions as inputs, in this version
    (`engine.language.features_version`); left out by one that hasn't.
    """
    reads: Literal[READS] = READS[0]  # type: ignore[valid-type]
    inputs: list[Text] = []
    choices: list[Text] = []
    players: Players = [2]
    """The numbers of players that it can play with."""
    tick_ms: Annotated[float, Field(ge=1, le=MOST_MS)] = 1
    reaction_ms: Annotated[float, Field(ge=0, le=MOST_MS)] = 0
    options: Object = {}
    """Of the games that it was trained in."""
    hyperparameters: Object = {}
    parents: list[Text | Parent] = []
    training: Training | None = None
    evaluation: Evaluation = Evaluation()
    """Scores, with the command that measured them."""

    @model_validator(mode="after")
    def _playable(self) -> Card:
        if self.game not in games.names():
            raise ValueError(f"names no game that is known here; those are {', '.join(games.names())}")
        try:
            games.spec(self.game).validate(dict(self.options))
        except Refusal as error:
            raise ValueError(f"has options that can't be played: {str(error).rstrip('.')}") from None
        return self
