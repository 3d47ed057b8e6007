"""Commands as text, events as sentences, the text board, and the bot."""

from random import Random

import pytest

from games.higher_or_lower import GAME, commands
from games.kernel import HOST, SPECTATOR, Chance, Command, Illegal, Resign, Table, redact
from tests.games.higher_or_lower.staged import (
    DEAD_END,
    assign,
    assign_all,
    assigning,
    dealt,
    fresh,
    on_board,
    say,
)

NAMES = ("Ada", "Ben")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("colour cyan", commands.ChooseColour("cyan")),
        ("assign A circle A1 A2 A3", commands.AssignGroup("A", "circle", ("A1", "A2", "A3"))),
        ("withdraw E triangle", commands.WithdrawGroup("E", "triangle")),
        ("lock", commands.LockIn()),
        ("board C first", commands.ChooseBoard("C", "first")),
        ("flip c3", commands.Flip(3, 3)),
        ("flip a5", commands.Flip(5, 1)),
        ("N H", commands.Guess("north", "higher")),
        ("E L", commands.Guess("east", "lower")),
        ("stop", commands.Stop()),
        ("resign", Resign()),
    ],
)
def test_each_command_has_a_text_both_ways(text: str, command: Command) -> None:
    state = fresh().state
    assert GAME.notation.parse(state, 0, text) == command
    assert GAME.notation.form(command) == text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("  ASSIGN a C a1  a2 ", "assign A circle A1 A2"),
        ("north higher", "N H"),
        ("w l", "W L"),
        ("flip C3", "flip c3"),
        ("Lock in", "lock"),
        ("color pink", "colour pink"),
    ],
)
def test_texts_may_be_loose(text: str, meant: str) -> None:
    assert GAME.notation.form(GAME.notation.parse(fresh().state, 0, text)) == meant


@pytest.mark.parametrize(
    "text",
    ["", "flip f1", "flip c6", "N", "N X", "board C", "assign A hexagon A1", "dance", "stop here", "no hope", "wins l"],
)
def test_other_texts_are_refused_with_examples(text: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.notation.parse(fresh().state, 0, text)
    assert refused.value.code == "malformed"
    assert "flip c3" in refused.value.message


def test_sentences_tell_a_seat_what_it_knows() -> None:
    table = assigning()
    for group in DEAD_END:
        assign(table, 0, *group)
    table.flag(0)
    sentences = [GAME.notation.sentence(redact(event, 0), NAMES) for event in table.log]
    assert sentences[0] == "Ada takes cyan."
    assert sentences[1] == "Ada assigns Elderberry 1 and 2 to the squares of board D."
    assert sentences[4].endswith("3 and 4 to the circles of board E. The other groups can't all be filled any more.")
    assert sentences[5:] == [
        "Ada's time is up.",
        "Ada's circles of board E are withdrawn.",
        "The dealer fills Ada's missing groups with hidden cards.",
    ]


def test_sentences_tell_the_other_seat_less() -> None:
    table = assigning()
    for group in DEAD_END:
        assign(table, 0, *group)
    table.flag(0)
    sentences = [GAME.notation.sentence(redact(event, 1), NAMES) for event in table.log]
    assert sentences[1:5] == ["Ada assigns a hidden group."] * 4
    assert sentences[6] == "A hidden group of Ada's is withdrawn."


def test_sentences_of_a_round() -> None:
    table = on_board()
    say(table, 0, "flip c1", "E H", "stop")
    say(table, 1, "flip a2", "N H")
    sentences = [GAME.notation.sentence(event, NAMES) for event in table.log[8:]]
    assert sentences == [
        "Ada chooses board A and goes first.",
        "Ada turns grey c1: Apple 3.",
        "Ada calls d1 higher: Apple 4, right.",
        "Ada stops.",
        "Ben turns grey a2: Apple 6.",
        "Ben calls a1 higher: Apple 1, wrong.",
        "Ben's turn ends with that.",
    ]


def test_the_host_reads_what_was_filled_and_dealt() -> None:
    table = dealt()
    sentences = [GAME.notation.sentence(event, NAMES) for event in table.log]
    assert "missing groups. Board A, circles: " in sentences[2]
    assert sentences[-1].startswith("Board E is dealt. Row 1: ") and sentences[-1].count("Row ") == 5


@pytest.mark.parametrize("witness", [0, 1, SPECTATOR, HOST])
def test_the_text_board_fits_a_terminal(witness: object) -> None:
    for table in (fresh(), assigning(), dealt(), on_board()):
        text = GAME.text_board(table.witness(witness), witness)  # type: ignore[arg-type]
        assert max(map(len, text.splitlines())) <= 100


def test_the_text_board_shows_open_cards_and_the_last_one() -> None:
    table = on_board()
    say(table, 0, "flip c1", "E H")
    text = GAME.text_board(table.witness(1), 1)
    assert "1   pC   cT   A3  [A4]  cC " in text
    assert "Seat 0 is on d1: A4, card 2 of 8." in text
    assert "Board A: in play" in text


def test_the_text_board_shows_a_seat_its_own_groups_only() -> None:
    table = assigning()
    assign_all(table, 0)
    own, other = (GAME.text_board(table.witness(seat), seat) for seat in (0, 1))
    assert "circle A1 A2 A3 A4; square A5 A6 A7" in own
    assert "circle (4 to assign); square (3 to assign)" in other
    assert "Apple      in hand: A 1 2 3 4 5 6 7 8 9 10\n" in other


def test_the_text_board_tells_nothing_of_a_fill() -> None:
    table = dealt()
    assert "circle (4 not told)" in GAME.text_board(table.witness(0), 0)
    assert "not told" not in GAME.text_board(table.witness(HOST), HOST)


def test_the_text_board_says_who_has_won_and_that_the_dealer_is_at_work() -> None:
    table = assigning()
    for seat in (0, 1):
        assign_all(table, seat)
        say(table, seat, "lock")
    assert "The dealer lays the cards." in GAME.text_board(table.witness(0), 0)
    table.settle()
    assert "chooses a board." in GAME.text_board(table.witness(0), 0)
    say(table, 0, "resign")
    for witness in (0, 1, SPECTATOR, HOST):
        text = GAME.text_board(table.witness(witness), witness)
        assert "Seat 1 has won (resigned). Rounds won 0-0." in text and "chooses" not in text


def test_the_text_board_stars_own_cards_that_lie_open() -> None:
    table = assigning()
    for seat in (0, 1):
        assign_all(table, seat)
        say(table, seat, "lock")
    table.settle()
    say(table, 0, "board A first", "flip c1", "E H")
    card = table.witness(0).cards_open["A"][3]
    assert f"{card}*" in GAME.text_board(table.witness(0), 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_bot_beats_random_play(seed: int) -> None:
    table, rng = Table(GAME, chance=Chance(bytes([seed]))), Random(seed)
    while not table.outcome:
        table.settle()
        seat = table.due.prompts[0].seat
        bot = seat == seed % 2
        table.act(seat, GAME.bot(table.witness(seat), seat, rng) if bot else table.sample(seat, rng))
    assert table.outcome.winners == (seed % 2,)


def test_the_bot_leaves_a_dead_end() -> None:
    table = assigning()
    for group in DEAD_END:
        assign(table, 0, *group)
    assert GAME.notation.form(GAME.bot(table.witness(0), 0, Random(1))) == "withdraw E circle"
