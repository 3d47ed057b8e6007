"""Tables of this game that stand where a test wants them."""

from collections.abc import Iterable, Sequence
from typing import Any

from games.higher_or_lower import GAME
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import BOARDS, DEFAULT_BOARDS
from games.kernel import HOST, Chance, Illegal, Table

SIZES = {place: len(spaces) for place, spaces in layout_of(DEFAULT_BOARDS).groups["cyan"].items()}

OWN_SUITS: dict[tuple[str, str], list[str]] = {}
"""A whole assignment for either colour: each board takes the ten cards of its own suit, from 1 on."""
for _board, _shape in SIZES:
    _begin = 1 + sum(SIZES[place] for place in OWN_SUITS if place[0] == _board)
    OWN_SUITS[_board, _shape] = [f"{_board}{n}" for n in range(_begin, _begin + SIZES[_board, _shape])]

DEAD_END = (
    ("D", "square", ["E1", "E2"]),
    ("D", "triangle", ["D1", "D2", "D3"]),
    ("A", "square", ["B1", "B2", "B3"]),
    ("E", "circle", ["E3", "E4"]),
)
"""Four groups that can't stand together on the default boards, though any three of them can."""

CLIMB = [
    ["A1", "A2", "A3", "A4", "A5"],
    ["A6", "A7", "A8", "A9", "A10"],
    ["B1", "B2", "B3", "B4", "B5"],
    ["B6", "B7", "B8", "B9", "B10"],
    ["C1", "C2", "C3", "C4", "C5"],
]
"""Cards for any board: numbers rise to the east, and the rows are 1-5, 6-10, 1-5, 6-10, 1-5."""

UNEVEN = """
pT gS gC cC pS   cT pC cC cC pC   pT cC gT pT pT   cC cC gC pC pS   cT cS cS gS gS
cT cS cC cT cC   pT gC cC gC gC   gT cT cT pT pT   pS cS pS cS gC   cC pS pC cS pS
cC cC pC cC cT   pT gC pT pC pC   pT gT pT gT gC   gC gC cC cS pC   pT pS cS gS pS
pT pT cS cC pC   pC cC pS cS pC   pC cC pT cT cT   pC cC cC gC pC   pT gC cT pS gT
pS gT gC pT pC   cS cC pC pS cT   pT cT cS cT cT   pC cC cS cS gC   pC gS cS pS pS
"""
UNEVEN_BOARDS = {
    board: [line.split()[5 * i : 5 * i + 5] for line in UNEVEN.strip().splitlines()] for i, board in enumerate(BOARDS)
}
"""Boards on which the seats have 8 to 12 spaces, in groups of other sizes than by default."""


def fresh(seed: bytes = b"higher", **more: Any) -> Table:
    """A table before its first command."""
    return Table(GAME, chance=Chance(seed=seed), **more)


def assigning(seed: bytes = b"higher") -> Table:
    """Seat 0 has taken cyan; both seats assign."""
    table = fresh(seed)
    say(table, 0, "colour cyan")
    return table


def assign(table: Table, seat: int, board: str, shape: str, cards: Iterable[str]) -> tuple[Any, ...]:
    """A seat's assignment of one group."""
    return table.act(seat, {"type": "assign_group", "board": board, "shape": shape, "cards": list(cards)})


def assign_all(table: Table, seat: int) -> None:
    """A seat's whole assignment, each board in its own suit."""
    for (board, shape), cards in OWN_SUITS.items():
        assign(table, seat, board, shape, cards)


def dealt(seed: bytes = b"higher") -> Table:
    """Both seats' time ran out with nothing assigned; the boards are dealt and seat 0 chooses one."""
    table = assigning(seed)
    table.flag(0)
    table.flag(1)
    table.settle()
    return table


def on_board(board: str = "A", order: str = "first", rows: Sequence[Sequence[str]] = CLIMB) -> Table:
    """Round 1 on a board, chosen by seat 0; every board holds the same cards."""
    return Table.replay(GAME, {}, 2, 0, [*dealt_log(rows), board_chosen(board, order)])


def dealt_log(rows: Sequence[Sequence[str]] = CLIMB) -> list[dict[str, Any]]:
    """A log up to the deal, with the same cards on every board."""
    return [
        {"type": "colour_chosen", "seat": 0, "colour": "cyan"},
        {"type": "locked_in", "seat": 0},
        {"type": "locked_in", "seat": 1},
        *({"type": "board_dealt", "board": board, "cards": rows} for board in BOARDS),
    ]


def board_chosen(board: str, order: str, seat: int = 0) -> dict[str, Any]:
    """The event that begins a round."""
    return {"type": "board_chosen", "seat": seat, "board": board, "order": order}


def round_finished(board: str, winner: int) -> dict[str, Any]:
    """The event that ends a round, one to nil."""
    return {
        "type": "round_finished",
        "board": board,
        "points": [1 - winner, winner],
        "winner": winner,
    }


def flipped(seat: int, row: int, col: int, card: str) -> dict[str, Any]:
    """The event of a grey card turned up."""
    return {"type": "card_flipped", "seat": seat, "row": row, "col": col, "card": card}


def guessed(seat: int, row: int, col: int, call: str, card: str, correct: bool) -> dict[str, Any]:
    """The event of a call."""
    place = {"type": "card_guessed", "seat": seat, "row": row, "col": col}
    return {**place, "call": call, "card": card, "correct": correct}


def ended(seat: int, reason: str) -> dict[str, Any]:
    """The event that ends a turn."""
    return {"type": "turn_ended", "seat": seat, "reason": reason}


def opened(*names: str, by: int = 1) -> list[dict[str, Any]]:
    """A log in which a seat has turned those spaces in a turn without a point, before seat 0's turn."""
    spaces = [(int(name[1]), "abcde".index(name[0]) + 1) for name in names]
    turned = [guessed(by, row, col, "lower", CLIMB[row - 1][col - 1], False) for row, col in spaces]
    return [*turned, ended(by, "wrong")] if turned else []


def all_greys_but(*names: str) -> list[str]:
    """The names of board A's grey spaces but for some."""
    return [name for name in ("c1", "a2", "c3", "e4", "c5") if name not in names]


def after(*log: dict[str, Any], order: str = "first") -> Table:
    """Seat 0's turn on board A after those events."""
    return Table.replay(GAME, {}, 2, 0, [*dealt_log(), board_chosen("A", order), *log])


def say(table: Table, seat: int, *texts: str) -> list[dict[str, Any]]:
    """A seat's commands in notation; the events they bring, as the host's dicts."""
    since = table.version
    for text in texts:
        table.act(seat, GAME.notation.parse(table.witness(seat), seat, text))
    return events(table, since)


def events(table: Table, since: int) -> list[dict[str, Any]]:
    """The host's events after a version."""
    return table.events(HOST, since)


def refusal(table: Table, seat: int, command: str | dict[str, Any]) -> str:
    """The code with which a command is refused; nothing may have changed."""
    before = table.log
    try:
        if isinstance(command, str):
            say(table, seat, command)
        else:
            table.act(seat, command)
    except Illegal as illegal:
        assert table.log == before
        return illegal.code
    raise AssertionError(f"{command!r} was accepted.")
