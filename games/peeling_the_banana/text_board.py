"""The board as text, for a terminal."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from games.kernel import Witness, quantity
from games.peeling_the_banana.banana import EMPTY, OUTSIDE, Rows
from games.peeling_the_banana.options import shapes_of
from games.peeling_the_banana.pieces import UPGRADES, Offsets, kind_of, turned
from games.peeling_the_banana.rules import due, outcome, score
from games.peeling_the_banana.shop import price_for, sold_out
from games.peeling_the_banana.state import Cards, State, reach

_WIDTH: Final = 96
_DRAWN_IN_A_ROW: Final = 8
_GAP: Final = "    "


def text_board(state: State, witness: Witness) -> str:
    """Return the board in at most 100 columns, with the row and column names of the notation."""
    table = (_status(state), *_seats(state, witness), "", *_boards(state), *_choice(state))
    return "\n".join((*table, "", *_piles(state), *_shop(state)))


def _status(state: State) -> str:
    ended = outcome(state)
    if ended is not None:
        return f"Seat {ended.winners[0]} has won ({ended.reason})."
    if due(state).dealer:
        return "The dealer shuffles."
    if state.seat is None:
        return f"Seat {state.priority} chooses who takes the first turn: first 0, first 1."
    doing = "plays a card" if state.stage == "play" else "is in the shop: buy, end"
    return f"Turn {state.turns[state.seat]} of {state.options.turns}: seat {state.seat} {doing}."


def _seats(state: State, witness: Witness) -> Iterator[str]:
    points = score(state)
    for seat, board in enumerate(state.boards):
        you = " (you)" if seat == witness else ""
        held = {name: getattr(state.upgrades[seat], name) for name in UPGRADES}
        upgrades = ", ".join(f"{name} {times}" for name, times in held.items() if times) or "no upgrades"
        empty = "".join(board).count(EMPTY)
        held_now = f"{quantity(points[seat], 'point')}, {empty} empty, {quantity(state.coins[seat], 'coin')}"
        yield f"Seat {seat}{you}: {held_now}, {upgrades}"


def _boards(state: State) -> Iterator[str]:
    left, right = (list(_board(rows, f"Seat {seat}")) for seat, rows in enumerate(state.boards))
    for pair in zip(left, right, strict=True):
        yield _GAP.join(pair).rstrip()


def _board(rows: Rows, title: str) -> Iterator[str]:
    width = 2 * len(rows[0]) + 2
    yield title.ljust(width)
    yield "  " + "".join(f" {chr(97 + col)}" for col in range(len(rows[0])))
    for number, row in enumerate(rows, 1):
        yield f"{number:2}" + "".join(" " + (" " if mark == OUTSIDE else mark) for mark in row)


def _choice(state: State) -> Iterator[str]:
    """Yield the cards that the seat on turn may play, numbered, with the shapes of the pieces."""
    if state.stage != "play" or state.seat is None:
        return
    cards = reach(state, state.seat)
    yield ""
    yield from _lines("In reach: " + "   ".join(f"{place}\0{card}" for place, card in enumerate(cards, 1)))
    numbered = [(place, kind_of(card)) for place, card in enumerate(cards, 1)]
    shapes = shapes_of(state.options)
    drawings = [_drawn(place, shapes[kind]) for place, kind in numbered if kind in shapes]
    for start in range(0, len(drawings), _DRAWN_IN_A_ROW):
        for lines in zip_longest(*drawings[start : start + _DRAWN_IN_A_ROW], fillvalue=""):
            yield ("  " + "".join(line.ljust(12) for line in lines)).rstrip()


def _drawn(place: int, shape: Offsets) -> list[str]:
    """Return the rows of an unturned piece, the first one with its number in the reach."""
    cells = turned(shape, 0, False)
    height, width = max(row for row, _ in cells), max(col for _, col in cells)
    rows = [" ".join("#" if (row, col) in cells else " " for col in range(width + 1)) for row in range(height + 1)]
    return [f"{' ' if row else place} {drawn}" for row, drawn in enumerate(rows)]


def _piles(state: State) -> Iterator[str]:
    yield from _wrapped("Deck, top first", _cards(state, state.deck))
    yield from _wrapped("Discard, latest first", _cards(state, state.discard[::-1]))


def _cards(state: State, cards: Cards) -> Iterator[str]:
    """Yield the cards; one that only one seat may play ends with the seat's number: `line3#2/0`."""
    for card in cards:
        seats = state.available[card]
        yield card if len(seats) == 2 else f"{card}/{seats[0]}"


def _shop(state: State) -> Iterator[str]:
    seat = state.seat or 0
    prices = (
        f"{item} {'sold out' if sold_out(state, seat, item) else price_for(state, seat, item)}"
        for item in state.options.shop
    )
    yield from _wrapped(f"Shop, for seat {seat}", prices)


def _wrapped(title: str, words: Iterable[str]) -> list[str]:
    joined = ", ".join(word.replace(" ", "\0") for word in words) or "nothing"
    return _lines(f"{title}: {joined}")


def _lines(text: str) -> list[str]:
    """Wrap a text into lines; words joined by NUL stay together."""
    lines = wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]
