"""Declared programs told back, carried out by rules of version 1, and read from such rules."""

import numpy as np
import pytest

from engine.games.hanabi.language import carried as bridge
from engine.games.hanabi.language import say, saying
from engine.games.hanabi.language.carried import carried, of_version_1
from engine.games.hanabi.language.declared import DECLARED
from engine.games.hanabi.language.standing import remaining
from engine.language import prior
from engine.language.declared import CONDITIONS, SPEECH, Clause, acts, checked, parse, same
from engine.simulation.simulation import Simulation

# player_0 holds R1 R2 Y3 G4 B5, player_1 holds R1 Y1 G1 W2 B2; colour * 5 + rank.
DECK_TOP = [0, 1, 7, 13, 24, 0, 5, 10, 16, 21]
DISCARD, PLAY, COLOR, RANK = 0, 5, 10, 15
WORKED_OUT = [name for name in DECLARED.events if name not in bridge.EVENTS]

CONDITIONAL = [
    f"{clause} {name}={event}"
    for clause in (
        "rather discard cards=oldest",
        "not hint",
        "play cards=touched",
        "keep cards=critical",
        "play rank=1",
    )
    for name in CONDITIONS
    for event in DECLARED.events
    if event != "signal" and (name == "until" or event in WORKED_OUT)
]
BEYOND = [f"{clause} {name}=signal" for clause in ("discard", "not play", "hint") for name in CONDITIONS]
BEYOND += ["discard when=hint when=signal", "discard when=late until=signal"]
BEYOND += (
    """
    by=2 play | by=me by=3 play | play slot=6 | keep rank=0 | hint rank=7 | discard except=9
    play cards=newest rank=1 | play slot=2 rank=1 | hint color=red rank=1 | hint kind_of=color rank=1
    play cards=useless | discard cards=critical | discard cards=oldest except=critical
    play cards=useless when=late
    not hint kind_of=color about=playable | play cards=newest cards=oldest
    play cards=touched cards=newest | discard when=late unless=late | play told=5 when=hint when=late
    play told=5 when=hint_color | discard touch=many unless=hint_color | play when=hint unless=hint
""".replace("\n", "|")
    .strip(" |")
    .split("|")
)


def game(*moves: int) -> Simulation:
    """A game in which the seats have made such moves in turn."""
    left = [c * 5 + r for c in range(5) for r in range(5) for _ in range((3, 2, 2, 2, 1)[r])]
    for card in DECK_TOP:
        left.remove(card)
    sim = Simulation("hanabi", deck=DECK_TOP + left)
    for move in moves:
        sim.act(sim.current, move)
    return sim


GAMES = [game(), game(RANK + 0), game(COLOR + 2, RANK + 0), game(RANK + 0, COLOR + 0, DISCARD + 3)]


def clauses(notation: str) -> list[Clause]:
    return parse(DECLARED, notation)


def rules(notation: str) -> list[dict]:
    """The rules of a notation that is carried out whole."""
    made = carried(clauses(notation))
    assert made.program is not None and not made.left, made.left
    return made.program["rules"]


def added(notation: str, sim: Simulation) -> np.ndarray:
    return prior("hanabi", {"rules": rules(notation)}, sim, sim.current)


def every_clause(**flags: object) -> list[Clause]:
    """A clause of each act with each value of each slot, and of each condition."""
    found: list[Clause] = []
    for act in acts(DECLARED):
        found.append({"act": act, **flags})
        for name in DECLARED.slots_of(act):
            slot = DECLARED.slot(name)
            numbers = range(8) if slot.number else ()
            found += [{"act": act, **flags, name: value} for value in (*slot.values, *numbers)]
            if name in CONDITIONS and act != "hint":
                found += [{"act": act, **flags, "cards": "touched", name: value} for value in slot.values]
    return [checked(DECLARED, [one])[0] for one in found]


@pytest.mark.parametrize(
    "notation",
    [
        "play cards=touched when=hint_color",
        "play cards=touched_newest told=red touch=many when=hint_color",
        "play cards=touched told=5 when=hint_rank",
        "play cards=newest",
        "now play cards=newest",
        "rather play cards=untouched_oldest",
        "play cards=unsure",
        "play cards=any when=play when=start",
        "play slot=3",
        "not play slot=5",
        "play rank=1",
        "not play cards=unsure",
        "discard cards=oldest except=red except=5",
        "not discard cards=touched when=hint",
        "rather not discard color=blue",
        "now discard cards=untouched",
        "keep cards=touched when=hint_rank",
        "keep cards=critical",
        "keep cards=oldest",
        "keep rank=5",
        "not keep color=green",
        "hint",
        "now hint",
        "rather hint",
        "not hint",
        "rather not hint",
        "hint when=discard",
        "hint kind_of=color",
        "now hint kind_of=rank",
        "not hint kind_of=rank when=start",
        "hint color=red",
        "not hint rank=5",
        "hint rank=5 about=new",
        "hint about=playable",
        "hint kind_of=rank about=critical",
        "by=both hint kind_of=color about=useless",
        "not hint about=useless",
        "hint about=oldest when=critical",
        "hint about=newest when=discard",
        "not hint kind_of=rank about=oldest",
        "hint kind_of=color about=new",
        "play color=red rank=1",
        "not play cards=sure",
        "discard cards=useless",
        "play slot=2 then hint color=red ; not discard cards=any then discard cards=oldest",
        "by=both play cards=touched when=hint_color",
        "by=both keep cards=touched told=5 when=hint_rank",
        "by=both discard cards=touched when=hint",
        "by=both not discard cards=touched when=hint_rank",
        "play cards=touched when=hint_color ; discard cards=oldest when=hint_rank when=discard when=start",
    ],
)
def test_what_is_carried_out_comes_back(notation):
    program = carried(clauses(notation)).program
    assert program["game"] == "hanabi" and program["version"] == 1 and rules(notation)
    assert same(DECLARED, of_version_1(program), clauses(notation))
    assert carried(of_version_1(program)).program == program


@pytest.mark.parametrize(
    ("notation", "other"),
    [
        ("play cards=touched", "play cards=touched when=hint"),
        ("play", "play cards=any"),
        ("play when=you_know", "play cards=sure"),
        ("play when=playable", "play cards=sure"),
        ("not play until=you_know", "not play cards=unsure"),
        ("not play unless=you_know", "not play cards=unsure"),
        ("not play when=you_doubt", "not play cards=unsure"),
        ("not discard cards=critical", "keep cards=critical"),
        ("discard cards=oldest unless=hint", "discard cards=oldest when=play when=discard when=start"),
        ("hint when=critical", "hint about=critical"),
        ("hint kind_of=color about=playable when=playable", "hint kind_of=color about=playable"),
        ("hint about=playable about=critical", "hint about=playable ; hint about=critical"),
        ("hint kind_of=color unless=no_hints", "hint kind_of=color"),
        ("keep rank=4 rank=5", "keep rank=4 ; keep rank=5"),
        ("play cards=touched told=red told=5", "play cards=touched told=red ; play cards=touched told=5"),
        ("cancel then play rank=1", "play rank=1"),
    ],
)
def test_what_means_the_same_is_carried_out_alike(notation, other):
    assert carried(clauses(notation)).program == carried(clauses(other)).program is not None


@pytest.mark.parametrize("notation", CONDITIONAL)
def test_conditions_that_rules_cannot_say_stand_beside_them(notation):
    clause = clauses(notation)[0]
    name = next(iter(set(clause) & set(CONDITIONS)))
    made = rules(notation)
    assert [rule["if"] for rule in made] == [{name: [clause[name]]}]
    back = of_version_1({"rules": made})
    assert carried(back).program["rules"] == made
    assert saying.event(clause[name]) in say.sentence({"rules": made})


@pytest.mark.parametrize(
    ("notation", "when", "beside"),
    [
        ("discard when=hint when=late", None, {"when": ["hint", "late"]}),
        ("discard when=hint unless=late", ["hint_color", "hint_rank"], {"unless": ["late"]}),
        ("discard when=play until=late", ["play"], {"until": ["late"]}),
        ("play cards=touched when=play", ["hint_color", "hint_rank"], {"when": ["play"]}),
        ("discard cards=touched unless=discard", ["hint_color", "hint_rank"], {"unless": ["discard"]}),
        ("keep cards=critical when=hint", None, {"when": ["hint"]}),
        ("hint rank=5 about=new when=play unless=discard", None, {"when": ["play"], "unless": ["discard"]}),
    ],
)
def test_what_rules_can_say_of_conditions_they_say(notation, when, beside):
    (rule,) = rules(notation)
    assert rule.get("when", {}).get("partner_did") == when and rule["if"] == beside


def test_a_habit_for_long_asks_for_no_move_and_other_conditions_do():
    for notation in ("discard cards=oldest when=early", "discard cards=oldest unless=no_hints until=late"):
        assert rules(notation)[0]["habit"]
    for notation in ("discard cards=oldest when=no_hints", "play cards=newest when=early"):
        assert "habit" not in rules(notation)[0]
    assert not rules("hint kind_of=color unless=early")[0].get("asked")


def test_a_convention_of_both_has_an_answer_and_hints_that_ask_for_it():
    answer, own = rules("by=both play cards=touched told=1 when=hint_rank")
    assert answer["then"] == {"action": "play", "cards": "touched"} and answer["when"]["value"] == 1
    assert own == {"then": {"action": "hint_rank", "value": 1, "for": "playable"}, "weight": 1.0}
    made = carried(clauses("by=both discard cards=oldest when=hint_rank"))
    assert len(made.program["rules"]) == len(made.left) == 1 and "only answer yours" in made.left[0]


@pytest.mark.parametrize("notation", BEYOND)
def test_what_rules_cannot_say_is_left_whole_with_a_reason(notation):
    made = carried(clauses(notation))
    assert made.program is None and len(made.left) == 1
    why, told = made.left[0].split(": ", 1)
    assert len(why) > 10 and told == saying.clause(clauses(notation)[0]) + "."
    assert made == carried(clauses(f"by=me hint ; {notation} ; talk kind=chat"))


@pytest.mark.parametrize(
    "notation", ["by=me play", "by=me not hint until=late", "talk kind=thanks", "undo", "again", "redirect"]
)
def test_what_is_not_for_the_agent_is_neither_carried_out_nor_left(notation):
    assert carried(clauses(notation)) == bridge.Carried(None)


def test_who_goes_on_after_the_speaker_or_an_event_is_left():
    made = carried(clauses("by=me play then hint"))
    assert made.program is None and made.left[0].startswith("I can't tell yet when to go on after you")
    made = carried(clauses("play slot=2 then hint color=red when=discard"))
    assert made.program["rules"] == rules("now play slot=2")
    assert made.left[0].startswith("I can't wait for that between two things yet")
    assert carried(clauses("play slot=2 then by=me hint")).program["rules"] == rules("play slot=2")


def test_clauses_are_left_one_by_one():
    made = carried(clauses("play cards=touched when=hint_color ; discard cards=oldest when=signal ; cannot"))
    assert made.program["rules"] == rules("play cards=touched when=hint_color")
    assert [told.split(": ")[0] for told in made.left] == [
        "I can't go by whether you say so yet",
        "There is one part I have no move for yet.",
    ]


def test_whatever_is_carried_out_is_followed_and_a_ban_asks_for_nothing():
    carried_out = 0
    for flags in ({}, {"not": True}, {"rather": True}, {"now": True}, {"by": "both"}):
        for clause in every_clause(**flags):
            made = carried([clause])
            heard = clause["act"] in SPEECH and clause["act"] not in ("cannot", "cancel")
            assert heard or made.program is not None or made.left, clause
            if made.program is None:
                continue
            carried_out += 1
            for sim in GAMES:
                logits = prior("hanabi", made.program, sim, sim.current)
                assert np.isfinite(logits).all() and not logits[sim.legal(sim.current) == 0].any()
                if clause.get("not") or clause["act"] == "keep" and "by" not in clause:
                    assert (logits <= 0).all(), clause
    assert carried_out > 500


def test_a_preference_is_weaker():
    for one in (
        "play rank=1",
        "not hint",
        "hint",
        "keep cards=critical",
        "play cards=sure",
        "discard cards=oldest",
    ):
        firm, weak = rules(one), rules(f"rather {one}")
        assert [{**rule, "weight": rule["weight"] / 2} for rule in firm] == weak


def test_a_play_of_sure_cards_asks_for_these_alone_and_undoes_nothing():
    sim = game(RANK + 0)  # its ones at A, B and C
    wanted = added("play cards=sure", sim)
    assert (wanted[PLAY : PLAY + 3] > 0).all() and (wanted[DISCARD : DISCARD + 5] == 0).all()
    assert (wanted[PLAY + 3 :] <= 0).all(), "the others are no ones"
    assert not added("play cards=sure", game()).any()
    before = carried(clauses("discard cards=oldest ; keep rank=5 ; play cards=newest")).program
    assert remaining([before, carried(clauses("play cards=sure")).program], sim, 0)[0] == before


def test_cards_that_need_not_be_kept_are_free_and_not_thrown():
    kept, free = (carried(clauses(one)).program for one in ("keep rank=1", "not keep rank=1"))
    sim = game(RANK + 0)
    assert prior("hanabi", kept, sim, 1).min() < 0 and not prior("hanabi", free, sim, 1).any()
    assert remaining([kept, free], sim, 1)[0] is None


@pytest.mark.parametrize(
    ("notation", "wanted"),
    [
        ("play cards=touched when=hint_color", [PLAY + 2]),
        ("play cards=touched when=hint_rank", []),
        ("now play cards=newest", [PLAY + 4]),
        ("play slot=4", [PLAY + 3]),
        ("now discard cards=untouched_oldest", [DISCARD + 0]),
        ("hint rank=1 when=hint_color", [RANK + 0]),
        ("hint rank=1 when=discard", []),
    ],
)
def test_what_is_said_is_what_is_done(notation, wanted):
    sim = game(COLOR + 2, RANK + 1, COLOR + 2) if "discard" in notation else game(COLOR + 2)
    assert np.flatnonzero(added(notation, sim) > 0).tolist() == wanted


def test_sentences_of_different_programs_differ_and_are_sentences():
    told: dict[str, Clause] = {}
    flags = [{}, *({name: True} for name in ("not", "rather", "now")), {"rather": True, "not": True}]
    for flag in [*flags, *({"by": by} for by in ("me", "both", 2, 3, ["me", 2]))]:
        for clause in every_clause(**flag):
            sentence = saying.sentence([clause])
            assert sentence not in told, (sentence, told[sentence], clause)
            told[sentence] = clause
            assert sentence[0].isupper() and sentence.endswith(".") and not set("{}_=") & set(sentence)


@pytest.mark.parametrize(
    ("notation", "sentence"),
    [
        ("discard cards=oldest", "When I discard, I discard my oldest card."),
        (
            "by=me discard cards=oldest ; hint about=oldest when=critical",
            "When you discard, you discard your oldest card; when your card is the last of its kind, I give "
            "a hint about your oldest card.",
        ),
        (
            "by=both play cards=touched told=red when=hint_color",
            "When the other hints a colour (red), each of us plays the cards it touches.",
        ),
        (
            "now play slot=2 then rather not hint color=red rank=5 until=late",
            "Right now, I play the card in position B; then I would rather not hint red 5s, until the deck "
            "is nearly empty.",
        ),
        (
            "not discard cards=untouched except=5 except=critical unless=no_hints ; cannot",
            "I do not discard my cards without a hint, except last copies or 5s, unless no hint is left; "
            "something I can't do.",
        ),
    ],
)
def test_programs_are_told_in_plain_words(notation, sentence):
    assert saying.sentence(clauses(notation)) == sentence


def test_order_and_company_are_told():
    both, after = "hint ; discard", "hint then discard"
    assert saying.sentence(clauses(both)) == "I give a hint; I discard."
    assert saying.sentence(clauses(after)) == "I give a hint; then I discard."
