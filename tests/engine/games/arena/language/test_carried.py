"""Declared programs told back in words, and carried out as programs of version 1: nothing more than was said,
nothing without its condition, and what is left is told.
"""

import pytest

from engine import language
from engine.games.arena.language import saying
from engine.games.arena.language.carried import BARRED, CAN, CONTRARY, carried, of_version_1
from engine.games.arena.language.declared import DECLARED
from engine.games.arena.language.programs import ADDING, clause
from engine.language.declared import CONDITIONS, FLAGS, SPEECH, acts, notation, parse
from engine.simulation.simulation import Simulation

AIM = {"x": 9000, "y": 8000, "seat": 5}


def read(text: str) -> list[dict]:
    return parse(DECLARED, text)


def steps(text: str, aim: dict | None = None) -> list[str]:
    """The clauses of version 1 in few words: "go place=house flags=quietly"."""
    program = carried(read(text), aim).program
    return [short(one) for one in program["clauses"]] if program else []


def short(one: dict) -> str:
    told = [one["kind"] if not one["negated"] else f"not {one['kind']}"]
    for name in ("to", "who", "place", "point", "metres", "seconds"):
        told += [f"{name}={one[name]}"] if one[name] is not None else []
    told += [f"{name}={','.join(one[name])}" for name in ("flags", "what") if one.get(name)]
    told += [f"result={one['result']}"] if "result" in one else []
    for name, some in one.get("if", {}).items():
        told.append(f"{name}={some if name == 'after' else ','.join(some)}")
    return " ".join(told + (["beside"] if "beside" in one else []))


def step(kind: str, **more) -> dict:
    """A clause of version 1 as it is stored."""
    return clause(kind, adds=kind in ADDING, **more)


def old(*clauses: dict) -> dict:
    return {"game": "arena", "version": 1, "clauses": list(clauses), "reading": ""}


# --- What is carried out ---------------------------------------------------------------------------------

CARRIED = {
    "follow": "follow who=me",
    "follow whom=me how=hurrying": "follow who=me flags=hurrying",
    "follow whom=3 far=near seconds=20": "follow who=player 3 seconds=20",
    "follow whom=mate": "follow who=nearest",
    "follow whom=aim": "follow who=aim",
    "rather follow whom=me": "follow who=me",
    "hold": "hold",
    "hold at=here seconds=5": "hold seconds=5",
    "hold behind=wall how=crouched how=quietly": "hold place=behind wall flags=quietly,crouched",
    "now hold at=there": "hold place=there",
    "go at=there": "go place=there",
    "go at=here": "go place=me",
    "go whom=me": "go place=me",
    "go whom=2 how=crouched": "go who=player 2 flags=crouched",
    "go at=northeast metres=30": "go place=northeast metres=30",
    "go at=left until=there": "go place=left",
    "go behind=rock": "go place=behind rock",
    "go at=zone how=hurrying": "rotate flags=hurrying",
    "attack": "attack",
    "attack whom=enemy": "attack",
    "attack whom=nearest": "attack who=nearest",
    "attack whom=shooter how=lying": "attack who=shooter flags=lying",
    "attack whom=7": "attack who=player 7",
    "attack at=there": "attack who=aim",
    "attack whom=mine": "attack who=mine",
    "attack whom=nearest result=down": "attack who=nearest",
    "attack result=kill": "attack result=kill",
    "approach": "go place=enemy",
    "approach whom=nearest how=crouched": "go place=enemy flags=crouched",
    "approach whom=aim": "go who=aim place=enemy",
    "avoid": "retreat metres=25",
    "avoid whom=enemy far=far seconds=20": "retreat metres=45 seconds=20",
    "scout": "attack until=seen",
    "scout at=north": "go place=north",
    "cover": "cover who=me",
    "cover whom=2": "cover who=player 2",
    "take_cover": "take_cover",
    "take_cover behind=rock": "hold place=behind rock flags=crouched",
    "take_cover behind=bush how=lying": "hold place=behind bush flags=lying",
    "loot": "loot",
    "loot at=here how=quietly": "loot flags=quietly",
    "loot what=gun what=bullets": "loot what=gun,bullets",
    "heal": "heal",
    "rescue": "rescue",
    "rescue whom=mate": "rescue",
    "rescue whom=me how=hurrying": "rescue who=me flags=hurrying",
    "help": "help who=me",
    "help whom=4": "help who=player 4",
    "prone": "prone",
    "crouch seconds=10": "crouch seconds=10",
    "stand": "stand",
    "hold_fire seconds=15": "hold_fire seconds=15",
    "fire": "fire",
    "rotate until=there": "rotate",
    "regroup": "regroup",
    "retreat": "retreat",
    "hurry": "hurry",
    "cancel": "cancel",
    "slow": "not hurry",
    "not slow": "hurry",
    "hurry seconds=20": "hurry seconds=20 beside",
    "not avoid": "not retreat",
    "not follow whom=me": "not follow who=me",
    "not go whom=me": "not go place=me",
    "not hold": "not hold",
    "not loot": "not loot beside",
    "not heal": "not heal beside",
    "not rescue": "not rescue beside",
    "not rescue whom=mate until=clear": "not rescue until=clear beside",
    "not heal when=close": "not heal when=close beside",
    "not loot seconds=20": "not loot seconds=20 beside",
    "not go at=house": "not go place=house beside",
    "not go at=there until=clear": "not go place=there until=clear beside",
    "not approach": "not go place=enemy beside",
    "not rather approach whom=enemy when=hurt": "not go place=enemy when=hurt beside",
    "not attack whom=aim": "not attack who=aim beside",
    "not attack whom=7": "not attack who=player 7 beside",
    "not attack result=kill": "not attack result=kill beside",
    "not attack whom=aim result=kill": "not attack who=aim result=kill beside",
    "look at=north": "look place=north beside",
    "look at=back when=i_loot": "look place=back when=i_loot beside",
    "look at=there": "look place=there beside",
    "look whom=aim": "look who=aim beside",
    "look whom=nearest": "look who=nearest beside",
    "look whom=enemy seconds=9": "look who=enemy seconds=9 beside",
    "look whom=mate": "look who=mate beside",
    "look whom=3": "look who=player 3 beside",
    "spread": "spread beside",
    "not look": "not look",
    "not spread": "not spread",
    "follow whom=me far=touch": "follow who=me metres=2",
    "follow whom=3 far=far": "follow who=player 3 metres=20",
    "go at=door how=slowly": "go place=door flags=slowly",
    "not rotate": "not rotate",
    "not hurry": "not hurry",
    "not take_cover": "not take_cover",
    "not prone": "not prone",
    "not attack": "hold_fire",
    "not attack whom=enemy seconds=10": "hold_fire seconds=10",
    "not fire": "hold_fire",
    "not hold_fire": "fire",
    "not stand": "crouch",
    "not go": "hold",
    "hold until=shot_at until=seen": "hold until=seen,shot_at",
    "attack when=seen": "attack when=seen beside",
    "loot when=clear unless=hurt": "loot when=clear unless=hurt beside",
    "heal unless=close": "heal unless=close",
    "retreat until=healthy": "retreat until=healthy",
    "rotate after=30": "rotate after=30 beside",
    "scout until=zone": "attack until=seen,zone",
    "not attack until=i_attack": "hold_fire until=i_attack",
    "not go unless=i_move seconds=9": "hold seconds=9 unless=i_move",
    "fire when=close": "fire when=close beside",
    "slow when=there": "not hurry when=there beside",
    "hurry until=there": "hurry until=there beside",
    "crouch when=i_stop": "crouch when=i_stop beside",
}
LEFT = {
    "avoid whom=shooter": "I can't pick them out for that yet: keep away from whoever shoots at us.",
    "draw": "I always have my gun in my hands: take my gun into my hands.",
    "holster": "I have no move for that yet: put my gun away.",
    "look": "I don't know where: look.",
    "look at=up": "I can't do it in that way yet: look upwards.",
    "cannot": "There is one part I have no move for.",
    "go": "I don't know where: go.",
    "hold until=signal": "I can't wait for your signal yet: wait until you say so.",
    "attack when=seen when=signal": (
        "I can't wait for your signal yet: attack when an enemy is in sight or you say so."
    ),
    "not draw until=seen": (
        "I can't keep from that yet: don't take my gun into my hands until an enemy is in sight."
    ),
    "not loot what=gun": "I can't keep from that yet: don't search for a gun.",
    "not rescue whom=3": "I can't keep from that yet: don't help Player 3 up.",
    "not go at=north": "I can't keep from that yet: don't go to the north.",
    "not go behind=house": "I can't keep from that yet: don't go behind the nearest house.",
    "not attack whom=aim at=there": (
        "I can't keep from that yet: don't attack the one that you look at at the point that you show."
    ),
    "loot times=2": "I can't count yet: search for things, 2 of them.",
    "follow whom=enemy": "I can't pick them out for that yet: follow enemies.",
    "follow whom=me whom=2": "I can't pick them out for that yet: follow you and Player 2.",
    "not follow whom=3": "I can't keep from that yet: don't follow Player 3.",
    "by=0 hold": "I can't do it in that way yet: Player 0 waits.",
    **{
        text: f"I can't do it in that way yet: {told}."
        for text, told in {
            "go at=there how=slowly how=hurrying": "go to the point that you show, running, slowly",
            "attack how=quietly": "attack, without shooting",
            "attack whom=enemy at=house": "attack enemies at the nearest house",
            "attack whom=7 at=there": "attack Player 7 at the point that you show",
            "hold at=zone": "wait at the white circle",
            "hold at=house behind=wall": "wait at the nearest house behind the nearest wall",
            "hold seconds=0": "wait for 0 seconds",
            "hold how=crouched how=lying": "wait, crouched, lying down",
            "go at=up": "go upwards",
            "go at=house metres=10": "go 10 metres to the nearest house",
            "fire seconds=20": "shoot again at will for 20 seconds",
        }.items()
    },
}


@pytest.mark.parametrize(("text", "wanted"), CARRIED.items())
def test_a_clause_is_carried_out_and_the_reading_says_it(text, wanted):
    found = carried(read(text))
    assert steps(text) == [wanted]
    assert found.left == ()
    assert {
        "game": "arena",
        "version": 1,
        "reading": saying.sentence(read(text)),
    }.items() <= found.program.items()


@pytest.mark.parametrize(("text", "wanted"), LEFT.items())
def test_what_cannot_be_carried_out_is_left_whole_and_told(text, wanted):
    found = carried(read(text))
    assert found.program is None
    assert found.left == (wanted,)


def test_every_act_is_among_these():
    unheard = {"talk", "undo", "again", "redirect"}
    assert {read(text)[0]["act"] for text in (*CARRIED, *LEFT)} | unheard == {*acts(DECLARED)}


@pytest.mark.parametrize(
    "text", ["talk kind=question", "undo", "again", "redirect", "by=me loot", "by=me cannot"]
)
def test_what_asks_the_agent_for_nothing_is_neither_carried_out_nor_left(text):
    assert carried(read(text)) == carried([])
    assert steps(f"{text} ; hold") == ["hold"]


@pytest.mark.parametrize("act", [act for act in CAN if act not in SPEECH])
def test_nothing_is_carried_out_without_its_condition(act):
    for name in CONDITIONS:
        for event in DECLARED.events:
            for flag in ("", "not ", "rather "):
                where = " at=there" if act in ("go", "look") and flag != "not " else ""
                found = carried(read(f"{flag}{act}{where} {name}={event}"))
                told = (flag, act, name, event)
                bans = (
                    flag == "not " and act not in CONTRARY and (act in ("go", "attack") or act not in BARRED)
                )
                if event == "signal" or bans:
                    assert (found.program, len(found.left)) == (None, 1), told
                    continue
                assert found.left == (), told
                [one] = found.program["clauses"]
                ends_there = flag != "not " and act in ("go", "rotate", "regroup")
                assert ends_there and (name, event) == ("until", "there") or event in one["if"][name], told


def test_a_ban_is_never_the_act():
    for act in CAN:
        found = carried(read(f"not {act}")).program
        kinds = [one["kind"] for one in found["clauses"] if not one["negated"]] if found else []
        assert act not in kinds


def test_where_the_speaker_looks_is_kept():
    assert steps("go at=there", AIM) == ["go place=there point=[9000, 8000]"]
    assert steps("attack whom=aim", AIM) == ["attack who=5"]
    assert steps("loot at=there", AIM) == ["go place=there point=[9000, 8000]", "loot"]
    assert steps("go at=there", {"x": 5, "y": None, "seat": None}) == ["go place=there"]


# --- Several clauses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("follow whom=me ; hold_fire ; crouch", ["follow who=me flags=quietly,crouched"]),
        ("not attack ; follow whom=me", ["follow who=me flags=quietly"]),
        ("prone ; hold_fire", ["prone flags=quietly"]),
        ("rotate ; hurry", ["rotate flags=hurrying"]),
        ("not attack ; hold_fire", ["hold_fire"]),
        ("cover whom=me ; loot", ["loot", "cover who=me"]),  # what ends comes before what lasts
        ("loot at=house then go whom=me", ["go place=house", "loot", "go place=me"]),
        ("hold at=door then rotate", ["hold place=door seconds=10", "rotate"]),
        ("hold seconds=30 then rotate", ["hold seconds=30", "rotate"]),
        ("rotate then hold", ["rotate", "hold"]),
        ("cancel ; follow whom=me", ["cancel", "follow who=me"]),
        ("stand ; hurry", ["stand", "hurry"]),
        ("undo then hold", ["hold"]),
        ("by=2 by=3 hold at=door", ["hold to=player 2 place=door", "hold to=player 3 place=door"]),
        ("by=me by=2 loot", ["loot to=player 2"]),
        ("hold ; by=2 rotate", ["rotate to=player 2", "hold"]),  # Player 2 would hold forever otherwise
        (
            "by=2 rotate ; by=3 loot then by=2 heal",
            ["rotate to=player 2", "loot to=player 3", "heal to=player 2"],
        ),
        ("by=all hold_fire ; by=2 rotate", ["rotate to=player 2 flags=quietly", "hold_fire to=all"]),
        ("by=one rescue whom=me", ["rescue to=one who=me"]),
        ("hold when=seen then loot", ["hold seconds=10 when=seen", "loot"]),
        ("hold until=seen then attack", ["hold until=seen", "attack"]),
        ("help until=clear then rotate", ["help who=me until=clear", "rotate"]),
        ("hold_fire until=close then attack", ["hold_fire until=close", "attack"]),
        ("follow whom=me ; attack when=seen", ["attack when=seen beside", "follow who=me"]),
        (
            "follow whom=me unless=seen ; hold when=seen",
            ["follow who=me unless=seen", "hold when=seen beside"],
        ),
        ("follow whom=me ; hold_fire seconds=10", ["follow who=me", "hold_fire seconds=10 beside"]),
        ("go at=house ; hold_fire until=there", ["go place=house", "hold_fire until=there beside"]),
        ("hold_fire ; fire when=i_attack", ["fire when=i_attack beside", "hold_fire"]),
        ("hold until=seen ; crouch", ["hold flags=crouched until=seen"]),
        (
            "by=2 rotate ; by=all hold_fire until=seen",
            ["rotate to=player 2", "hold_fire to=all until=seen beside"],
        ),
        ("loot at=house when=clear", ["go place=house when=clear beside", "loot beside"]),
        (
            "look at=north ; follow whom=me ; crouch",
            ["look place=north beside", "follow who=me flags=crouched"],
        ),
        ("by=all spread ; by=2 look at=west", ["look to=player 2 place=west beside", "spread to=all beside"]),
        ("go at=hill then look at=southeast", ["go place=hill", "look place=southeast"]),
        ("go at=hill then look at=north ; hold seconds=9", ["go place=hill", "look place=north seconds=9"]),
        ("look at=left then loot", ["look place=left seconds=10", "loot"]),
        ("not go at=house ; go at=rock then hold", ["not go place=house beside", "go place=rock", "hold"]),
        (
            "not attack whom=aim result=kill ; attack whom=aim result=down",
            ["not attack who=aim result=kill beside", "attack who=aim"],
        ),
    ],
)
def test_clauses_hold_together_or_one_after_the_other(text, wanted):
    assert steps(text) == wanted
    assert carried(read(text)).left == ()


@pytest.mark.parametrize(
    ("text", "wanted", "left"),
    [
        ("hold when=signal then loot", [], 2),
        ("follow whom=me ; attack when=seen then loot", ["follow who=me"], 2),
        ("cannot then loot", [], 2),
        ("draw then loot", ["loot"], 1),  # there is nothing to wait for
        ("by=me loot then hold", [], 1),
        ("by=2 loot then by=3 rotate", ["loot to=player 2"], 1),
        ("help then rotate", ["help who=me"], 1),  # it never ends
        ("loot then fire", ["loot"], 1),
        ("follow whom=me ; hold at=door", ["follow who=me"], 1),
        ("attack whom=aim ; hold_fire", ["attack who=aim"], 1),
        ("prone ; crouch", ["prone"], 1),
        ("hold_fire ; hurry", ["hold_fire"], 1),
        ("not follow whom=3 ; go at=back then hold", ["go place=back", "hold"], 1),
        ("loot then not go at=house", ["loot"], 1),
        ("look at=north ; look at=south", ["look place=north beside"], 1),
        ("not attack whom=6 ; not attack result=kill", ["not attack who=player 6 beside"], 1),
        ("not rotate until=zone then loot", [], 2),
        ("by=2 hurry ; by=3 loot", ["loot to=player 3"], 1),
        ("loot times=2 ; follow whom=me ; cannot", ["follow who=me"], 2),
    ],
)
def test_what_does_not_go_together_is_left(text, wanted, left):
    assert steps(text) == wanted
    assert len(carried(read(text)).left) == left


def test_the_reading_has_what_is_carried_out_and_no_more():
    found = carried(read("by=me loot ; hold at=door then loot times=3 ; rotate"))
    assert (
        found.program["reading"]
        == "I wait at the nearest door for 10 seconds, then I go into the white circle."
    )
    assert len(found.left) == 1


# --- Back from version 1 ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [text for text in CARRIED if not text.startswith(("rather", "now"))])
def test_a_program_is_the_same_after_it_was_told_in_clauses(text):
    program = carried(read(text)).program
    again = carried(of_version_1(program)).program
    assert again["clauses"] == program["clauses"]


@pytest.mark.parametrize(
    ("clauses", "wanted"),
    [
        ([step("go", place="north", flags=["hurrying"]), step("loot")], "go at=north how=hurrying then loot"),
        ([step("attack", who=4)], "attack whom=5"),
        ([step("follow", who="nearest", to="mate 2")], "by=2 follow whom=mate"),
        ([step("heal", flags=["quietly"])], "heal ; hold_fire"),
        ([step("heal"), step("fire")], "heal ; fire"),
        ([step("hold", to="player 2"), step("hold", to="player 3")], "by=2 hold ; by=3 hold"),
        ([step("hold", place="east", metres=30, seconds=9)], "go at=east metres=30 then hold seconds=9"),
        ([step("go", place="house", negated=True)], "not go at=house"),
        ([step("hold", seconds=4000)], "hold seconds=999"),
        ([], "cannot"),
    ],
)
def test_an_old_program_is_told_in_clauses(clauses, wanted):
    assert notation(DECLARED, of_version_1(old(*clauses))) == wanted


# --- The sentences ---------------------------------------------------------------------------------------


def every_clause() -> list[str]:
    """Each act alone, with each flag, doer, slot and value, in notation."""
    found = []
    for act in acts(DECLARED):
        found += [
            act,
            *(f"{flag} {act}" for flag in FLAGS),
            f"rather not {act}",
        ]
        found += [f"by={by} {act}" for by in (*DECLARED.by, 2, 3)] + [f"by=2 by=3 {act}", f"by=me by=2 {act}"]
        for name in DECLARED.slots_of(act):
            slot = DECLARED.slot(name)
            found += [
                f"{act} {name}={value}" for value in (*slot.values, *([1, 2, 12] if slot.number else []))
            ]
    return found


def test_no_two_clauses_have_the_same_sentence():
    told: dict[str, str] = {}
    for text in every_clause():
        sentence = saying.sentence(read(text))
        assert sentence not in told, (text, told[sentence])
        assert (
            sentence[0].isupper() and sentence.endswith(".") and "{" not in sentence and "  " not in sentence
        )
        told[sentence] = text


def test_events_differ_for_whoever_does_it():
    for by in ("me", "all", "one", 2):
        told = {saying.sentence(read(f"by={by} heal when={event}")) for event in DECLARED.events}
        assert len(told) == len(DECLARED.events)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("follow whom=me ; by=me loot", "I follow you; you search for things."),
        ("by=2 rotate then by=2 hold", "Player 2 goes into the white circle, then Player 2 waits."),
        ("go at=door how=hurrying metres=1", "I go 1 metre to the nearest door, running."),
        ("rather not heal until=clear", "I try not to treat my wounds until no enemy is in sight."),
        ("now not hold_fire", "Right now I don't hold fire."),
        ("by=one hurry", "One of us hurries."),
        (
            "by=all not look at=up when=down when=hurt",
            "We all don't look upwards when an enemy is down or we are wounded.",
        ),
        ("loot what=gun what=bullets times=3", "I search for a gun and bullets, 3 of them."),
        ("hold at=here unless=shot_at ; cannot", "I wait here unless we are shot at; something I can't do."),
    ],
)
def test_a_sentence_says_all_of_a_program(text, wanted):
    assert saying.sentence(read(text)) == wanted


# --- In a match ------------------------------------------------------------------------------------------


def test_what_is_carried_out_is_followed():
    sim = Simulation(
        "arena", {"teams": 2, "team_size": 4, "map_seed": 3, "monsters": 0, "pace": "long"}, seed=9
    )
    for text in CARRIED:
        program = {**carried(read(text), AIM).program, "since_tick": 0, "from_seat": 0}
        for seat in (1, 2, 3):
            goal = language.goals("arena", [program], sim, seat)
            assert goal.shape == (sim.spec.goal_size,)
            assert language.progress("arena", program, sim, seat)["text"] != "meant for others"
        assert language.remaining("arena", [program], sim, 1) == [program]
    assert not language.prior("arena", program, sim, 1).any()
