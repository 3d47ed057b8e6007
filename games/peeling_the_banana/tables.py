"""The board as text and tables, for screen readers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from games.drawing.headlines import ended
from games.drawing.texttable import TextTable
from games.kernel import Witness, quantity
from games.peeling_the_banana.banana import EMPTY
from games.peeling_the_banana.options import shapes_of, sheet_of
from games.peeling_the_banana.pieces import UPGRADES, Offsets, coins_of, kind_of, space_name
from games.peeling_the_banana.rules import due, outcome, score
from games.peeling_the_banana.shop import price_for, sold_out
from games.peeling_the_banana.state import State, reach
from games.peeling_the_banana.words import name_of

Names = Sequence[str]

_WORDS: Final = {
    "domino": "two in a line",
    "line3": "three in a line",
    "corner3": "three round a corner",
    "line4": "four in a line",
    "tee4": "three in a line, one below the middle",
    "skew4": "two lines of two, shifted by one",
    "ell4": "three in a line, one beside the end",
    "square4": "two by two",
    "pent_p": "two by two, and one more",
    "pent_v": "a corner with arms of three",
    "bite": "fills any one empty space",
    "seconds": "play another card",
    "slip": "the opponent may no longer play a card",
    "graft": "the opponent's card becomes available to both",
    "regrow": "a card of the discard goes on top of the deck",
    "tumble": "deck and discard are shuffled together",
    "income": "1 coin more in each of your turns",
    "reach": "choose among one card more",
    "haggle": "every later purchase costs 1 less",
}
"""Descriptions of the game's own cards and upgrades, in a few words."""


def words_of(kind: str, shapes: Mapping[str, Offsets]) -> str:
    """Describe a card or an upgrade in a few words."""
    if coins_of(kind):
        return "for your purse"
    return _WORDS.get(kind) or f"a piece of {quantity(len(shapes[kind]), 'space')}"


def headline(state: State, names: Names) -> str:
    """Return the awaited action, or the result."""
    end = outcome(state)
    if end is not None:
        return ended(end, names)
    if due(state).dealer:
        return "The dealer shuffles"
    if state.seat is None:
        return f"{names[state.priority]} chooses who starts"
    doing = "plays a card" if state.stage == "play" else "is in the shop"
    return f"Turn {state.turns[state.seat]} of {state.options.turns}: {names[state.seat]} {doing}"


def shopper(state: State, viewer: Witness) -> int:
    """Return the seat whose prices are shown: the viewer's, else the seat on turn."""
    return viewer if isinstance(viewer, int) else state.seat or 0


def choices(state: State) -> tuple[str, ...]:
    """Return the cards that the seat on turn may play now, in the order of their numbers."""
    return reach(state, state.seat) if state.stage == "play" and state.seat is not None else ()


def lying_on(state: State, seat: int, row: int, col: int) -> str:
    """Describe the content of a space."""
    number = state.laid[seat][row - 1][col - 1]
    if number:
        return f"piece {number}"
    return "empty" if state.boards[seat][row - 1][col - 1] == EMPTY else "outside"


def newest(state: State, seat: int) -> set[str]:
    """Return the spaces of the piece laid last on a sheet, none before the first."""
    number = max(map(max, state.laid[seat]))
    rows = enumerate(state.laid[seat], 1)
    return {space_name(r, c) for r, row in rows for c, other in enumerate(row, 1) if number and other == number}


def laid_last(state: State, last: Collection[str], large: int) -> int:
    """Return the seat on whose sheet the last piece lies: the one whose newest piece has exactly these spaces.

    If both have, the stage tells whether the other seat laid it before this turn; if neither has, it is `large`.
    """
    names = {space_name(space.row, space.col) for space in sheet_of(state.options).spaces}
    alike = [seat for seat in (0, 1) if newest(state, seat) == names.intersection(last)]
    if len(alike) == 2 and state.seat is not None:
        return 1 - state.seat if state.stage in ("play", "reshuffle") else state.seat
    return alike[0] if len(alike) == 1 else large


def description_of(state: State, card: str) -> str:
    """Return the name and description of a card or an upgrade."""
    return f"{name_of(card)}, {words_of(kind_of(card), shapes_of(state.options))}"


def players_of(state: State, card: str, names: Names) -> str:
    """Return the name of the seat that may play a card, or `both`."""
    seats = state.available[card]
    return "both" if len(seats) == 2 else names[seats[0]]


def tables(view: State, *, viewer: Witness, names: Names) -> tuple[TextTable, ...]:
    """Return the seats, both sheets, deck, discard and shop."""
    sheets = (_sheet(view, seat, names) for seat in (0, 1))
    return (_seats(view, viewer, names), *sheets, _deck(view, names), _discard(view, names), _shop(view, viewer, names))


def _seats(state: State, viewer: Witness, names: Names) -> TextTable:
    points = score(state)
    header = ("Seat", "Points", "Empty spaces", "Coins", "Turns", *map(str.capitalize, UPGRADES))
    rows = tuple(
        (
            names[seat] + (" (you)" if seat == viewer else ""),
            str(points[seat]),
            str("".join(board).count(EMPTY)),
            str(state.coins[seat]),
            f"{state.turns[seat]} of {state.options.turns}",
            *(str(getattr(state.upgrades[seat], name)) for name in UPGRADES),
        )
        for seat, board in enumerate(state.boards)
    )
    return TextTable(f"{headline(state, names)}.", header, rows)


def _sheet(state: State, seat: int, names: Names) -> TextTable:
    board = state.boards[seat]
    columns = range(1, len(board[0]) + 1)
    rows = tuple((str(row), *(lying_on(state, seat, row, col) for col in columns)) for row in range(1, len(board) + 1))
    return TextTable(f"Sheet of {names[seat]}", ("Row", *(space_name(1, col)[0] for col in columns)), rows)


def _deck(state: State, names: Names) -> TextTable:
    numbers = {card: str(number) for number, card in enumerate(choices(state), 1)}
    rows = tuple(
        (card, description_of(state, card), players_of(state, card, names), numbers.get(card, "no"))
        for card in state.deck
    )
    return TextTable("Deck, top first", ("Card", "What it is", "Available to", "Choice"), rows)


def _discard(state: State, names: Names) -> TextTable:
    rows = tuple((card, description_of(state, card), players_of(state, card, names)) for card in state.discard[::-1])
    return TextTable("Discard, latest first", ("Card", "What it is", "Available to"), rows)


def _shop(state: State, viewer: Witness, names: Names) -> TextTable:
    seat = shopper(state, viewer)
    return TextTable(f"Shop, prices for {names[seat]}", ("Item", "What it is", "Coins"), tuple(_goods(state, seat)))


def _goods(state: State, seat: int) -> Iterator[tuple[str, str, str]]:
    for item in state.options.shop:
        yield (
            item,
            description_of(state, item),
            "sold out" if sold_out(state, seat, item) else str(price_for(state, seat, item)),
        )
