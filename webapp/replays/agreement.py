"""Agreement between the annotators of a study, from what stood when they submitted it: pair by pair,
episode by episode, and of one person with the others. Not for: who may know it (see `access`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from engine.evaluation.agreement import Agreement, agree, unmatched
from webapp.accounts.models import User
from webapp.replays.access import blind_spots
from webapp.replays.counting import place
from webapp.replays.models import Assignment, Episode, Mark
from webapp.studies.models import Study


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators by pseudonym and how their marks on common episodes agree."""

    a: str
    b: str
    agreement: Agreement


@dataclass(frozen=True)
class Disputed:
    """An episode that several have submitted, how many marks each put on it, and how these agree, all pairs
    pooled.
    """

    episode: Episode
    people: dict[str, int]
    agreement: Agreement


@dataclass(frozen=True)
class Difference:
    """A mark that one of two has and the other hasn't; `who` has it, None: oneself."""

    seat: int
    tick: int
    sign: int
    who: str | None


@dataclass(frozen=True)
class Own:
    """How one's own marks on an episode agree with another person's, and where they don't."""

    who: str
    agreement: Agreement
    differences: list[Difference]


def shared(study: Study, viewer: User | None = None) -> list[tuple[Episode, dict[str, list]]]:
    """The episodes that two or more people have submitted, with the marks of each. For a viewer, without
    those of whose marks they may not know yet.
    """
    submitted = Assignment.objects.filter(study=study, status=Assignment.SUBMITTED)
    if viewer is not None:
        submitted = submitted.exclude(episode__in=blind_spots(viewer))
    submitted = submitted.select_related("annotator", "episode").order_by("annotator__pseudonym")
    by_episode: dict = defaultdict(list)
    for row in submitted:
        by_episode[row.episode_id].append(row)
    several = {key: rows for key, rows in by_episode.items() if len(rows) > 1}
    marks: dict = defaultdict(list)
    for mark in Mark.objects.filter(episode__in=several, submitted__isnull=False):
        marks[mark.episode_id, mark.annotator_id].append(place(mark))
    return [
        (rows[0].episode, {row.annotator.pseudonym: marks[key, row.annotator_id] for row in rows})
        for key, rows in several.items()
    ]


def study_agreement(study: Study, viewer: User | None = None) -> tuple[list[PairAgreement], Agreement]:
    """Every pair with a common episode, and all pairs pooled. Gold episodes count as others do."""
    pairs: dict = defaultdict(list)
    for episode, marks in shared(study, viewer):
        for a, b in combinations(marks, 2):
            pairs[a, b].append((episode.ticks, marks[a], marks[b]))
    window = study.window
    found = [PairAgreement(a, b, agree(episodes, window)) for (a, b), episodes in sorted(pairs.items())]
    pooled = agree([episode for episodes in pairs.values() for episode in episodes], window)
    return found, pooled


def disputed(study: Study, viewer: User) -> list[Disputed]:
    """Those episodes, where people agree least first; last where nobody marked anything."""
    found = []
    for episode, marks in shared(study, viewer):
        pairs = [(episode.ticks, marks[a], marks[b]) for a, b in combinations(marks, 2)]
        people = {who: len(own) for who, own in marks.items()}
        found.append(Disputed(episode, people, agree(pairs, study.window)))

    def order(one: Disputed) -> tuple:
        value = one.agreement.corrected
        return value is None, value or 0.0, -(one.agreement.marks_a + one.agreement.marks_b)

    return sorted(found, key=order)


def own(assignment: Assignment, others: list[dict], submitters: list[str]) -> list[Own]:
    """One's own submitted marks on an episode beside each other person's. `others` are the marks of others
    that this person may see, `submitters` who submitted it, with marks or without.
    """
    mine = [
        place(mark)
        for mark in Mark.objects.filter(
            episode=assignment.episode_id, annotator=assignment.annotator_id, submitted__isnull=False
        )
    ]
    theirs: dict[str, list] = {who: [] for who in submitters}
    for mark in others:
        theirs.setdefault(mark["who"], []).append((mark["seat"], mark["tick"], mark["sign"]))
    window, ticks = assignment.study.window, assignment.episode.ticks
    found = []
    for who, marks in sorted(theirs.items()):
        alone = unmatched(mine, marks, window)
        differences = [Difference(*mark, None) for mark in alone[0]]
        differences += [Difference(*mark, who) for mark in alone[1]]
        differences.sort(key=lambda one: (one.tick, one.seat))
        found.append(Own(who, agree([(ticks, mine, marks)], window), differences))
    return found
