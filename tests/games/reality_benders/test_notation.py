"""Text to command and back, and events told in English."""

from typing import Any

import pytest

from games.kernel import SPECTATOR, FlagFallen, Illegal, Resign, Resigned, redact
from games.reality_benders import GAME
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.events import BoutFinished, BoutStarted
from tests.games.reality_benders.scripted import bends, duel, play, table

NAMES = ("Ada", "Ben")

WRITTEN = [
    ("bend A>D C>G", Bend(("A>D", "C>G"))),
    ("bend A>D C>G bridge E>F break G>H", Bend(("A>D", "C>G"), "E>F", "G>H")),
    ("bend A>D C>G break G>H", Bend(("A>D", "C>G"), None, "G>H")),
    ("bend", Bend(())),
    ("cast G", Cast("G")),
    ("cast F:G", Cast("F", ("G",))),
    ("cast H:A,B bonus", Cast("H", ("A", "B"), True)),
    ("offer A,B,C", Offer(("A", "B", "C"))),
    ("pick A", Pick("A")),
    ("resign", Resign()),
]


def parsed(text: str) -> Any:
    return GAME.notation.parse(table().witness(0), 0, text)


@pytest.mark.parametrize(("text", "command"), WRITTEN)
def test_notation_reads_and_writes(text: str, command: object) -> None:
    assert parsed(text) == command
    assert GAME.notation.form(command) == text


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("A>D C>G", "bend A>D C>G"),
        ("a > d c>g Bridge e>f", "bend A>D C>G bridge E>F"),
        ("Break G>H A>D C>G", "bend A>D C>G break G>H"),
        ("bend greed>hellfire A>B", "bend G>H A>B"),
        ("cast f : g", "cast F:G"),
        ("CAST hellfire: a, b item bonus", "cast H:A,B bonus"),
        ("offer a b c", "offer A,B,C"),
        ("pick armageddon", "pick A"),
    ],
)
def test_notation_is_lenient(text: str, form: str) -> None:
    if text.startswith("Break"):
        text = f"bend {text}"
    assert GAME.notation.form(parsed(text)) == form


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "bend A",
        "bend AB",
        "bend A>D bridge",
        "bend A>B bridge C>D bridge E>F",
        "cast",
        "cast F:G twice",
        "cast fireball",
        "cast G item",
        "cast G item item",
        "cast F:",
        "offer",
        "offer A;B",
        "pick A B",
        "resign now",
        "place A1",
    ],
)
def test_notation_refuses_what_it_cannot_read(text: str) -> None:
    with pytest.raises(Illegal) as refusal:
        parsed(text)
    assert refusal.value.code == "malformed"
    assert "cast F:G" in refusal.value.message


def test_commands_of_the_wrong_shape_are_malformed() -> None:
    for command in (
        {"type": "bend", "rules": ["A-B", "C>D"]},
        {"type": "bend", "rules": "A>B"},
        {"type": "bend"},
        {"type": "cast", "spell": "F", "target": "G"},
    ):
        with pytest.raises(Illegal, match="malformed"):
            table().act(0, command)


def test_a_command_names_its_break_break() -> None:
    at = table("G>H")
    at.act(0, {"type": "bend", "rules": ["A>D", "C>G"], "break": "G>H"})
    assert at.events(0)[0]["break"] == "G>H"


def sentences_of(events: Any, witness: Any = 0) -> list[str]:
    return [GAME.notation.sentence(redact(event, witness), NAMES) for event in events]


def test_sentences_of_a_round() -> None:
    at = table("G>H F>C")
    play(at, "0 bend A>D C>G bridge E>F break G>H", "1 bend A>B A>C")
    play(at, "0 cast F:C bonus", "1 cast C:A")
    assert sentences_of(at.log) == [
        "Ada locks in Armageddon to Dizzy and Combo to Greed, the bridge from Explosion to Foresight,"
        " the break of Greed to Hellfire.",
        "Ben locks in hidden rules.",
        "The rules are bent: new are Armageddon to Build, Armageddon to Combo, Armageddon to Dizzy, Combo to Greed and"
        " Explosion to Foresight; gone is Greed to Hellfire."
        " Ada used the break on Greed to Hellfire. Ada used the bridge on Explosion to Foresight.",
        "Ada locks in Foresight naming Combo, with the bonus.",
        "Ben locks in a hidden spell.",
        "Ada casts Foresight naming Combo, with the bonus; Ben casts Combo naming Armageddon.",
        "Combo (Ben) resolves: no rule changes.",
        "Foresight (Ada) resolves: no rule changes.",
        "Foresight reaches Combo in 1 step; Combo never reaches Foresight."
        " Ada foresaw Combo and wins the duel. Ada gains 2 points; both spells are trashed.",
    ]


def test_sentences_of_an_imagination() -> None:
    at = table()
    duel(at, "I", "C:A", quiet="G>H H>G")
    version = at.version
    play(at, "1 offer A,B,C", "0 pick B")
    assert sentences_of(at.log[version:], SPECTATOR) == [
        "Ben locks in a hidden offer for Ada's Imagination.",
        "Ada may take Armageddon, Build or Combo.",
        "Ada takes Build into hand.",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("B:C,A", "Build between Armageddon and Combo"),
        ("C:I", "Combo naming Imagination"),
        ("D:A", "Dizzy at Armageddon"),
        ("E:A bonus", "Explosion at Armageddon, with the bonus"),
        ("H:C,A", "Hellfire from Combo to Armageddon"),
        ("I", "Imagination"),
    ],
)
def test_sentences_of_casts(text: str, words: str) -> None:
    at = table()
    bends(at)
    play(at, f"0 cast {text}")
    assert sentences_of(at.log)[-1] == f"Ada locks in {words}."


@pytest.mark.parametrize(
    ("rules", "one", "two", "words"),
    [
        (
            "G>B B>E",
            "G",
            "E:I",
            "Greed reaches Explosion in 2 steps; Explosion never reaches Greed. Ada wins",
        ),
        ("A>H", "G", "A", "Neither Greed nor Armageddon reaches the other. The duel is a tie."),
        ("", "G", "G", "Both cast Greed. The duel is a tie."),
    ],
)
def test_duel_is_described_in_steps(rules: str, one: str, two: str, words: str) -> None:
    at = table(rules)
    duel(at, one, two)
    assert sentences_of(at.log)[-1].startswith(words)


def test_sentences_of_bouts() -> None:
    ends = (BoutFinished(1, (4, 2), 0), BoutFinished(2, (3, 3), None), BoutStarted(3))
    assert sentences_of(ends) == [
        "Bout 1 ends 4-2: Ada wins it.",
        "Bout 2 ends 3-3: nobody wins it.",
        "Bout 3 begins: full hands, the rules stay as they are.",
    ]


def test_sentences_of_the_kernels_events() -> None:
    assert sentences_of([Resigned(0), FlagFallen(1, "turn")]) == ["Ada resigns.", "Ben's time has run out."]


def test_the_board_shows_a_seat_its_own_submission_only() -> None:
    at = table("A>B")
    play(at, "0 bend A>D C>G")
    own, other = (GAME.text_board(at.witness(seat), seat) for seat in (0, 1))
    assert "locked in: bend A>D C>G" in own
    assert "locked in: hidden" in other and "A>D" not in other
    assert "Now: seat 1 to bend" in own


def test_the_board_marks_rules_and_the_spell_that_may_not_be_repeated() -> None:
    at = table("A>B")
    bends(at, "C>D D>C")
    play(at, "0 cast E:A", "1 cast G")
    board = GAME.text_board(at.witness(0), 0)
    lines = board.splitlines()
    assert "    A \\ x . . . . . . .   Armageddon" in lines
    assert "    C . . \\ + . . . . .   Combo" in lines
    assert "Seat 0 (you): hand A B C D [E] F G H I; items bonus, break, bridge" in lines
    assert max(map(len, lines)) <= 100
