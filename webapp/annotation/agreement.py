"""Agreement between the annotators of a study, from what stood when they submitted it: pair by pair,
episode by episode, and of one person with the others. Each pair on each episode is compared once and kept
(`ComparedPair`); what a page says of a study are sums that the database makes. Not for: who may know it (see
`access`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db import connection, transaction
from django.db.models import Count, Q, QuerySet, Sum

from engine.evaluation.agreement import Agreement, agree, unmatched
from webapp.accounts.models import User
from webapp.annotation.access import told_of
from webapp.annotation.counting import place, submitted_places
from webapp.annotation.models import Assignment, ComparedPair, Mark
from webapp.episodes.models import Episode
from webapp.studies.models import Study

# The columns of a compared pair that make an `Agreement`, in its order.
COMPARED = ("marks_a", "marks_b", "matched", "expected")
POOLED = 2500  # pairs on an episode of which a study's agreement is computed
AT_ONCE = 200  # pairs that a worker compares, and then writes in one transaction
SUMS = {name: Sum(name) for name in COMPARED}
KEEP = f"""UPDATE {ComparedPair._meta.db_table}
  SET marks_a = %s, marks_b = %s, matched = %s, expected = %s, corrected = %s, "window" = %s
  WHERE id = %s AND asked = %s"""

# Which pairs wait to be compared.
OLD: tuple[Callable[[Study], Q], ...] = (
    lambda study: Q(window=None),
    lambda study: Q(window__lt=study.window),
    lambda study: Q(window__gt=study.window),
)


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators by pseudonym and how their marks on common episodes agree."""

    a: str
    b: str
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


def compare(study: Study, most: int) -> int:
    """Compare as many as `most` of the pairs that wait for it; how many were looked at. Nothing is locked
    meanwhile: a pair of which something was submitted again keeps waiting.
    """
    rows: list[ComparedPair] = []
    for old in OLD:  # each finds its own by an index; together they would be looked for among all
        rows += ComparedPair.objects.filter(old(study), study=study)[: most - len(rows)]
    if not rows:
        return 0
    episodes = {row.episode_id for row in rows}
    ticks = dict(Episode.objects.filter(pk__in=episodes).values_list("pk", "ticks"))
    rows = [row for row in rows if row.episode_id in ticks]  # of one that is deleted meanwhile there are none
    marks = submitted_places(Mark.objects.filter(episode__in=episodes))
    comparisons = []
    for row in rows:
        both = (marks.get((row.episode_id, who), []) for who in (row.a_id, row.b_id))
        agreed = agree([(ticks[row.episode_id], *both)], study.window)
        sums = agreed.marks_a, agreed.marks_b, agreed.matched, agreed.expected_matched, agreed.corrected
        comparisons.append((*sums, study.window, row.pk, row.asked))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(KEEP, comparisons)
    return len(rows)


def waiting(study: Study) -> QuerySet[ComparedPair]:
    """The pairs that wait to be compared: new ones, those whose marks were submitted again, and all after the
    study's window has changed.
    """
    return ComparedPair.objects.filter(reduce(or_, (old(study) for old in OLD)), study=study)


def compared(study: Study, viewer: User | None = None) -> QuerySet[ComparedPair]:
    """The pairs that are compared; for a viewer, without episodes of whose marks they may not know yet."""
    rows = ComparedPair.objects.filter(study=study, window=study.window)
    return rows if viewer is None else rows.filter(told_of(viewer))


def pooled(study: Study, rows: QuerySet[ComparedPair]) -> tuple[Agreement, bool]:
    """All pairs of a study on all episodes together, of more than POOLED about that many, and whether it is
    these alone: ids of episodes are made by chance, so those with the lowest are a fair sample. Gold episodes
    count as others do.
    """
    of_all = ComparedPair.objects.filter(study=study).order_by("episode").values_list("episode", flat=True)
    for later in (sampled := list(of_all[POOLED : POOLED + 1])):
        rows = rows.filter(episode__lt=later)
    sums = rows.aggregate(episodes=Count("*"), **SUMS)
    return Agreement(*(sums[name] or 0 for name in ("episodes", *COMPARED))), bool(sampled)


def of_pairs(rows: QuerySet[ComparedPair], first: int, last: int) -> list[PairAgreement]:
    """Of all pairs with a common episode, those from `first` to before `last`, the oldest accounts first: in
    the order of an index, so that no others are summed.
    """
    by_pair = rows.values_list("a", "b").annotate(episodes=Count("*"), **SUMS).order_by("a", "b")
    pairs = list(by_pair[first:last])
    names = dict(
        User.objects.filter(pk__in={who for a, b, *_ in pairs for who in (a, b)}).values_list(
            "pk", "pseudonym"
        )
    )
    return [PairAgreement(names[a], names[b], Agreement(*sums)) for a, b, *sums in pairs]


def disputed(rows: QuerySet[ComparedPair], most: int) -> QuerySet[ComparedPair]:
    """Where two agree least, the least first; nothing is disputed where neither marked anything."""
    worst = rows.filter(corrected__isnull=False).order_by("corrected", "-marks_a", "-marks_b")
    shown = ("episode__game", "a__pseudonym", "b__pseudonym", "marks_a", "marks_b", "matched", "corrected")
    return worst.select_related("episode", "a", "b").only(*shown)[:most]


def own(assignment: Assignment, others: list[dict], submitters: list[str]) -> list[Own]:
    """One's own submitted marks on an episode beside each other person's. `others` are the marks of others
    that this person may see, `submitters` who submitted it, with marks or without.
    """
    mine = [
        place(mark)
        for mark in Mark.objects.filter(
            episode=assignment.episode_id, annotator=assignment.annotator_id, submitted__isnull=False
        ).prefetch_related("versions")
    ]
    theirs: dict[str, list] = {who: [] for who in submitters}
    for mark in others:
        theirs.setdefault(mark["who"], []).append((mark["seat"], mark["tick"], mark["sign"]))
    window, ticks = assignment.study.window, assignment.episode.ticks
    rows = []
    for who, marks in sorted(theirs.items()):
        alone = unmatched(mine, marks, window)
        differences = [Difference(*mark, None) for mark in alone[0]]
        differences += [Difference(*mark, who) for mark in alone[1]]
        differences.sort(key=lambda difference: (difference.tick, difference.seat))
        rows.append(Own(who, agree([(ticks, mine, marks)], window), differences))
    return rows
