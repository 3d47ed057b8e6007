"""Players' names in place of seats in what people read, whatever the fields of other rounds are called."""

from typing import Any

import pytest
from msgspec import convert

from games.contest import GAME
from games.contest.board import BOARD
from games.contest.content import Content
from games.contest.trial import course
from games.drawing.themes import LIGHT
from games.kernel import HOST, SPECTATOR, Chance, Generator, Illegal, Table, redact

NAMES = ("Mina", "Bot A", "\u2068יעל\u2069", "7")
"""A name with a space, an isolated one, and one that reads as a seat."""
PICK = {"name": "pick", "fields": [{"kind": "player", "name": "pick"}], "repeat": 2}
NUMBER = {"name": "bid", "title": "The bid", "fields": [{"kind": "number", "name": "pick", "most": 9}]}
SHARES = {"name": "shares", "fields": [{"kind": "split", "name": "shares", "budget": 4}], "needs": {"least": 1}}
SOME = {"name": "some", "fields": [{"kind": "player", "name": "pick", "most": 3}], "reveal": "everything"}
NEVER = {"name": "never", "title": "The lone round", "fields": [], "needs": {"most": 1}}


def table_of(*rounds: Any, **content: Any) -> Table:
    table = Table(GAME, {"content": {"title": "The island", "rounds": list(rounds)} | content}, 4, 0, Chance(b"names"))
    table.settle()
    return table


def all_submit(table: Table, *values: dict[str, Any]) -> Table:
    for seat, of_seat in enumerate(values):
        table.act(seat, {"type": "submit", "round": table.state.number, "values": of_seat})
    table.settle()
    return table


def sentences(table: Table, witness: Any = HOST, after: int = 0) -> list[str]:
    events = [redact(event, witness) for event in table.log[after:]]
    contexts = GAME.contexts(table.witness(witness), events)
    return [GAME.sentence(event, NAMES, it) for event, it in zip(events, contexts, strict=True)]


def played() -> Table:
    """Return a contest that has asked for a player, then for a number, in fields of the same name."""
    table = table_of(PICK, NEVER, NUMBER, SHARES)
    for _ in range(2):
        all_submit(table, *({"pick": 1 if seat != 1 else 3} for seat in range(4)))
    all_submit(table, *({"pick": 2} for _ in range(4)))
    return all_submit(table, {"shares": {"1": 3, "3": 1}}, *({"shares": {"0": 4}} for _ in range(3)))


def test_sentences_name_players_in_fields_of_players_alone() -> None:
    told = sentences(played())
    assert 'Mina submits: pick "Bot A".' in told and "Bot A submits: pick 7." in told
    assert "Mina submits: pick 2." in told, "This is a number."
    assert 'Mina submits: shares "Bot A" 3 7 1.' in told and "Bot A submits: shares Mina 4." in told
    assert any(it.startswith("The submissions: Mina: shares") and "shares Mina 4" in it for it in told)


@pytest.mark.parametrize("reveal", ["totals", "choices", "everything"])
@pytest.mark.parametrize("later", [False, True])
def test_published_submissions_name_players(reveal: str, later: bool) -> None:
    rounds = ({**it, "repeat": 1, "reveal": reveal, "later": later} for it in (PICK, NUMBER))
    table = table_of(*rounds)
    all_submit(table, *({"pick": 0 if seat else 1} for seat in range(4)))
    all_submit(table, *({"pick": 1} for _ in range(4)))
    votes, numbers = [it for it in sentences(table, SPECTATOR) if it.startswith(("The totals", "The submissions"))]
    assert "Mina" in votes.replace("Mina:", "") and "Bot A" in votes.replace("Bot A:", "")
    assert "pick: 1 4" in numbers or "pick 1" in numbers


def test_sentence_is_the_same_for_an_event_alone_and_among_others() -> None:
    table = table_of(PICK, NEVER, NUMBER, SHARES)
    alone, begun = list[str](), table.version
    rng = Generator(Chance(b"names").draws("moves"))
    while table.outcome is None:
        before = table.version
        if table.due.dealer:
            table.deal()
        else:
            seat = table.due.seats[0]
            table.act(seat, table.sample(seat, rng))
        for place, event in enumerate(table.log[before:], before):
            at = Table.replay(GAME, table.options, 4, 0, table.log[: place + 1]).state
            (context,) = GAME.contexts(at, [event])
            alone.append(GAME.sentence(event, NAMES, context))
    assert alone == sentences(table)[begun:]


def test_round_is_named_with_its_number_among_those_played() -> None:
    told = sentences(played())
    assert "Round 1 of 5: Pick opens." in told and "Round 2 of 5: Pick opens." in told
    assert "The round “The lone round” isn't played." in told
    assert "Round 3 of 4: The bid opens." in told, "One round was left out."


def test_trial_tells_of_players_by_name() -> None:
    content = convert({"title": "The island", "rounds": [SOME]}, Content)
    told = [it for it in course(content, 3, 1) if "submits" in it]
    assert told and all('"Player ' in it.partition(":")[2] for it in told)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("submit pick Mina", {"pick": 0}),
        ("submit pick mina", {"pick": 0}),
        ('submit pick "Bot A"', {"pick": 1}),
        ("submit pick Bot A", {"pick": 1}),
        ("submit pick יעל", {"pick": 2}),
        ("submit pick 1", {"pick": 1}),
    ],
)
def test_command_names_a_player_or_a_seat(text: str, values: dict[str, int]) -> None:
    command = GAME.parse(table_of(PICK).witness(3), 3, text, NAMES)
    assert command == GAME.read_command({"type": "submit", "round": 1, "values": values})


def test_command_with_an_unknown_name_is_refused() -> None:
    with pytest.raises(Illegal, match="Nobody here is called 'Zoe'"):
        GAME.parse(table_of(PICK).witness(3), 3, "submit pick Zoe", NAMES)


@pytest.mark.parametrize("of_round", [PICK, SHARES, SOME, NUMBER], ids=lambda it: it["name"])
def test_written_command_is_read_back(of_round: dict[str, Any]) -> None:
    balance = {"name": "coins", "start": 5, "gives": "publicly"}
    table = table_of(of_round, balances=[balance])
    for seat in range(4):
        state = table.witness(seat)
        commands = [*table.legal(seat), *GAME.with_names.examples(state, seat)]  # type: ignore[union-attr]
        for command in commands:
            assert GAME.parse(state, seat, GAME.written(state, command, NAMES), NAMES) == command


def test_example_is_one_command_of_each_kind_that_is_accepted() -> None:
    table = table_of(SHARES, balances=[{"name": "coins", "start": 5, "gives": "publicly"}])
    table.act(0, {"type": "submit", "round": 1, "values": {"shares": {"1": 4}}})
    state = table.witness(0)
    examples = list(GAME.with_names.examples(state, 0))  # type: ignore[union-attr]
    written = [GAME.written(state, it, NAMES) for it in examples]
    assert written == ['submit shares "Bot A" 4', "withdraw", 'transfer 1 coins to "Bot A"']
    for command in examples:
        Table.replay(GAME, table.options, 4, 0, table.log).act(0, command)


def test_boards_name_players() -> None:
    table = table_of(SOME, NUMBER)
    table.act(0, {"type": "submit", "round": 1, "values": {"pick": [1]}})
    text = GAME.in_text(table.witness(0), 0, NAMES)
    assert 'You have submitted: pick "Bot A"' in text and "Missing: Bot A" in text and "0 Mina (you)" in text
    for seat in (1, 2, 3):
        table.act(seat, {"type": "submit", "round": 1, "values": {"pick": [0]}})
    table.settle()
    _, closed = BOARD.tables(table.witness(SPECTATOR), viewer=SPECTATOR, names=NAMES)
    assert closed.caption == "Round 1 of 2: Some" and closed.rows[1][1] == "pick Mina"


@pytest.mark.parametrize("reveal", ["totals", "choices", "everything"])
def test_bars_of_the_board_are_labelled_with_names(reveal: str) -> None:
    table = all_submit(table_of({**PICK, "reveal": reveal}), *({"pick": 0 if seat else 1} for seat in range(4)))
    drawn = BOARD.draw(table.witness(SPECTATOR), viewer=SPECTATOR, theme=LIGHT, names=NAMES)
    bars = drawn.partition('data-place="bars"')[2]
    assert ">Mina<" in bars and ">Bot A<" in bars
