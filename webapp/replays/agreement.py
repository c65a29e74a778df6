"""Agreement between the annotators of a study, from what stood when they submitted it: pair by pair,
episode by episode, and of one person with the others. Not for: who may know it (see `access`).
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest
from itertools import combinations

from engine.evaluation.agreement import Agreement, agree, total, unmatched
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
class Compared:
    """An episode that several have submitted: how many marks each put on it, and how each two agree."""

    episode: uuid.UUID
    people: dict[str, int]
    pairs: dict[tuple[str, str], Agreement]


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


def compared(study: Study, viewer: User | None = None) -> list[Compared]:
    """The episodes that two or more people have submitted, every pair of them compared. For a viewer, without
    those of whose marks they may not know yet.
    """
    submitted = Assignment.objects.filter(study=study, status=Assignment.SUBMITTED)
    if viewer is not None:
        submitted = submitted.exclude(episode__in=blind_spots(viewer))
    people: dict[uuid.UUID, dict[int, str]] = defaultdict(dict)
    ticks: dict[uuid.UUID, int] = {}
    columns = ("episode", "episode__ticks", "annotator", "annotator__pseudonym")
    for episode, length, annotator, who in submitted.order_by("annotator__pseudonym").values_list(*columns):
        people[episode][annotator], ticks[episode] = who, length
    marks: dict[tuple[uuid.UUID, int], list[tuple[int, int, int]]] = defaultdict(list)
    stood = Mark.objects.filter(episode__in=submitted.values("episode"), submitted__isnull=False)
    for episode, annotator, said in stood.values_list("episode", "annotator", "submitted").iterator():
        marks[episode, annotator].append((said["seat"], said["tick"], said["sign"]))
    found = []
    for episode, members in people.items():
        own = {who: marks[episode, annotator] for annotator, who in members.items()}
        pairs = {
            (a, b): agree([(ticks[episode], own[a], own[b])], study.window) for a, b in combinations(own, 2)
        }
        if pairs:
            found.append(Compared(episode, {who: len(rows) for who, rows in own.items()}, pairs))
    return found


def of_pairs(found: Iterable[Compared]) -> tuple[list[PairAgreement], Agreement]:
    """Every pair with a common episode, and all pairs pooled. Gold episodes count as others do."""
    by_pair: dict[tuple[str, str], list[Agreement]] = defaultdict(list)
    for one in found:
        for pair, agreement in one.pairs.items():
            by_pair[pair].append(agreement)
    pairs = [PairAgreement(*pair, total(own)) for pair, own in sorted(by_pair.items())]
    return pairs, total(pair.agreement for pair in pairs)


def study_agreement(study: Study, viewer: User | None = None) -> tuple[list[PairAgreement], Agreement]:
    return of_pairs(compared(study, viewer))


def disputed(found: Iterable[Compared], most: int) -> list[Disputed]:
    """Those episodes where people agree least, as many as `most`, the least first; last where nobody marked
    anything."""

    def order(one: tuple[Compared, Agreement]) -> tuple:
        value = one[1].corrected
        return value is None, value or 0.0, -(one[1].marks_a + one[1].marks_b)

    worst = nsmallest(most, [(one, total(one.pairs.values())) for one in found], key=order)
    episodes = Episode.objects.in_bulk([one.episode for one, _ in worst])
    return [Disputed(episodes[one.episode], one.people, agreement) for one, agreement in worst]


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
