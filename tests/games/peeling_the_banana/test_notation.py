"""Commands as text, events as sentences, and the table in characters."""

from typing import Any

import pytest

from games.kernel import SPECTATOR, Chance, Illegal, Table, to_json
from games.peeling_the_banana import GAME
from tests.games.peeling_the_banana.staged import play, staged

NAMES = ("Ada", "Ben")


def parsed(text: str, table: Table | None = None) -> dict[str, Any]:
    state = (table or staged("coins2#1 tee4#1 bite#1")).state
    return dict(to_json(GAME.notation.parse(state, 0, text)))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("first 1", {"type": "choose_first", "seat": 1}),
        ("play coins2#1", {"type": "play_card", "card": "coins2#1"}),
        ("1", {"type": "play_card", "card": "coins2#1"}),
        ("play slip#1 line3#2", {"type": "play_card", "card": "slip#1", "target": "line3#2"}),
        ("3 @K1", {"type": "play_card", "card": "bite#1", "target": {"row": 1, "col": 11}}),
        ("buy coins3", {"type": "buy", "item": "coins3"}),
        ("end", {"type": "end_turn"}),
        ("resign", {"type": "resign"}),
    ],
)
def test_a_text_gives_the_command(text: str, command: dict[str, Any]) -> None:
    assert parsed(text) == command


@pytest.mark.parametrize(
    ("text", "placement"),
    [
        ("play tee4#1 @d4", {"row": 4, "col": 4, "rotation": 0, "flip": False}),
        ("2 @d10 r90 f", {"row": 10, "col": 4, "rotation": 90, "flip": True}),
        ("2 f r180 @a2", {"row": 2, "col": 1, "rotation": 180, "flip": True}),
    ],
)
def test_a_placement_is_a_space_a_turn_and_a_mirror(text: str, placement: dict[str, Any]) -> None:
    assert parsed(text) == {"type": "play_card", "card": "tee4#1", "placement": placement}


@pytest.mark.parametrize(
    "text",
    [
        "", "play", "4", "0", "first", "first 2", "buy", "end now", "2 @d", "2 @4d", "2 @d4 r45", "2 @d4 f f",
        "2 @d4 @d5", "2 r90", "3 @a1 f", "3 @a1 line3#1", "play 9", "shop", "²",
    ],
)  # fmt: skip
def test_other_texts_are_malformed_and_answered_with_examples(text: str) -> None:
    with pytest.raises(Illegal) as refusal:
        parsed(text)
    assert refusal.value.code == "malformed" and "2 @d4 r90 f" in refusal.value.message


def test_the_plainest_text_is_written() -> None:
    state = staged("tee4#1").state
    for text in ("play tee4#1 @d4", "play tee4#1 @d4 r90 f", "play bite#1 @k1", "first 0", "end", "resign"):
        assert GAME.notation.form(GAME.notation.parse(state, 0, text)) == text


def sentences(table: Table, since: int = 0) -> list[str]:
    return [GAME.notation.sentence(event, NAMES) for event in table.log[since:]]


def test_the_events_of_a_turn_read_as_sentences() -> None:
    table = staged("coins2#1 domino#1 slip#1 line3#1", "tee4#1", alone={"tee4#1": 1}, coins=9)
    since = table.version
    play(table, "2 @a1", "buy reach", "buy tee4", "end", "1 domino#1", "end")
    table.flag(0)
    assert sentences(table, since) == [
        "Ada chooses the Pair, passing over the 2 coins.",
        "Ada plays a Pair on a1: 2 filled.",
        "Ada buys Reach for 3.",
        "Ada buys a Tee for 5.",
        "Now for Ada and Ben: the Tee.",
        "Ada ends the turn.",
        "Ben begins turn 1 with 3 coins.",
        "Ben chooses the Slip.",
        "Now for Ben: the Pair.",
        "Ben ends the turn.",
        "Ada begins turn 2 with 2 coins.",
        "Ada has run out of time.",
    ]


def test_rarer_events_read_as_sentences() -> None:
    table = staged("regrow#1 slip#1 coins4#1", "line3#1", alone={"coins4#1": 0})
    since = table.version
    play(table, "1 line3#1", "end", "play slip#1 coins4#1")
    table.act(1, {"type": "resign"})
    assert sentences(table, since)[1] == "Ada puts the Line of 3 back on top of the deck."
    assert sentences(table, since)[-2:] == ["Out of the game: the 4 coins.", "Ben resigns."]


def test_the_start_reads_as_sentences() -> None:
    table = Table(GAME, {"deck": {"coins2": 1}}, chance=Chance(b"start"))
    table.settle()
    play(table, "first 1", "1", "end")
    table.settle()
    lines = sentences(table)
    assert lines[:2] == ["The deck is shuffled.", "Ben takes the first turn."]
    assert "Ben takes 2 coins." in lines
    assert lines[-1] == "The dealer shuffles the discard back into the deck."


def test_the_text_board_shows_all_that_a_turn_needs() -> None:
    table = staged("coins2#1 tee4#1 domino#1 line3#1", "bite#1", alone={"line3#1": 1}, filled=("a1", "d2"))
    assert GAME.text_board(table.witness(0), 0).splitlines() == [
        "Turn 1 of 25: seat 0 plays a card.",
        "Seat 0 (you): -8 points, 9 empty, 1 coin, no upgrades",
        "Seat 1: -8 points, 9 empty, 2 coins, no upgrades",
        "",
        "Seat 0        Seat 1",
        "   a b c d       a b c d",
        " 1 o # # #     1 # # # #",
        " 2 # # # #     2 # # # o",
        " 3 # #         3 # #",
        "",
        "In reach: 1 coins2#1   2 tee4#1   3 domino#1",
        "  2 # # #     3 # #",
        "      #",
        "",
        "Deck, top first: coins2#1, tee4#1, domino#1, line3#1/1",
        "Discard, latest first: bite#1",
        "Shop, for seat 0: domino 2, line3 3, corner3 3, square4 4, ell4 4, tee4 5, coins3 3, bite 4,",
        "  slip 3, seconds 5, income 6, reach 3, haggle 6",
    ]


@pytest.mark.parametrize("witness", [1, SPECTATOR])
def test_the_text_board_says_what_the_match_waits_for(witness: Any) -> None:
    table = Table(GAME, chance=Chance(b"start"))
    first_lines = []
    for step in (
        table.settle,
        lambda: play(table, "first 0"),
        lambda: table.act(0, {"type": "resign"}),
        list,
    ):
        first_lines.append(GAME.text_board(table.witness(witness), witness).splitlines()[0])
        step()
    assert first_lines == [
        "The dealer shuffles.",
        "Seat 0 chooses who takes the first turn: first 0, first 1.",
        "Turn 1 of 25: seat 0 plays a card.",
        "Seat 1 has won (resigned).",
    ]
