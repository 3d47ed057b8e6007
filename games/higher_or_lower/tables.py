"""The board as text and tables, for screen readers; the picture uses the same texts."""

from collections.abc import Iterator, Sequence

from games.drawing.headlines import ended
from games.drawing.texttable import TextTable
from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.panels import group_words, hand_of, known_seats
from games.higher_or_lower.pieces import ALLOWED, BOARDS, COLOUR_OF, NUMBER_OF, SHAPE_OF, SIDE, SUITS, listed, spoken
from games.higher_or_lower.playing import LIMIT
from games.higher_or_lower.rules import outcome
from games.higher_or_lower.state import FACE_DOWN, State
from games.kernel import Witness


def tables(view: State, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
    """Return the players, the round's board or all five, the boards' results, and the visible groups."""
    boards = (view.board,) if view.board else BOARDS
    return (
        _players_table(view, names),
        *(_board_table(view, board) for board in boards),
        _boards_table(view, names),
        *(table for seat in known_seats(view, viewer) for table in _groups_tables(view, seat, names)),
    )


def boards_won(view: State, seat: int) -> int:
    """Return the number of boards that a seat has won."""
    return sum(played.winner == seat for played in view.rounds)


def headline(view: State, names: Sequence[str]) -> str:
    """Return the phase, or the round's board, boards won, points and the seat on turn, or the result."""
    end = outcome(view)
    if end is not None:
        return ended(end, names)
    if not view.colours:
        return f"{names[view.priority]} chooses a colour"
    if len(view.locked) < view.seats:
        assigning = [name for seat, name in enumerate(names) if seat not in view.locked]
        return f"Assignment: {' and '.join(assigning)} to lock in"
    won = " to ".join(str(boards_won(view, seat)) for seat in range(view.seats))
    if len(view.dealt) < len(BOARDS):
        return "The dealer lays the cards"
    if view.mover is None:
        return f"Boards {won}: {names[view.chooser]} chooses a board"
    points = " to ".join(map(str, view.points))
    return f"Board {view.board}, boards {won}, points {points}: {names[view.mover]} {doing(view, view.mover)}"


def doing(view: State, seat: int) -> str:
    """Return a seat's next action in a few words, empty without one."""
    end = outcome(view)
    if end is not None:
        return "wins the match" if seat in end.winners else ""
    if not view.colours:
        return "chooses a colour" if seat == view.priority else ""
    if len(view.locked) < view.seats:
        return "locked in" if seat in view.locked else "assigns cards"
    if view.mover is None:
        return "chooses a board" if seat == view.chooser else ""
    if seat != view.mover:
        return ""
    return "turns a grey card" if view.at is None else "calls a neighbour"


def hidden_card(view: State, board: str, space: int) -> str | None:
    """Return the card on a space if the viewer may see it, even face down, else None."""
    rows = view.dealt.get(board)
    return rows[space // SIDE][space % SIDE] if rows else None


def space_words(view: State, board: str, space: int) -> str:
    """Describe the card on a space, as far as the viewer may see it."""
    code = layout_of(view.options.boards).codes[board][space]
    card = view.cards_open.get(board, FACE_DOWN)[space]
    place = f"{COLOUR_OF[code[0]]} {SHAPE_OF[code[1]]}"
    if card is None:
        hidden = hidden_card(view, board, space)
        return f"{place}, face down{f': {spoken(hidden)}' if hidden else ''}"
    last = ", the card last turned" if board == view.board and space == view.at else ""
    return f"{spoken(card)}, {place}{last}"


def board_words(view: State, board: str, names: Sequence[str]) -> str:
    """Describe a board: in play, its winner, or the suits that it takes."""
    takes = f"takes {suits_of(board)}"
    if board == view.board:
        return f"in play, {takes}"
    played = next((played for played in view.rounds if played.board == board), None)
    return f"won by {names[played.winner]}, {played.points[0]} to {played.points[1]}" if played else takes


def suits_of(board: str) -> str:
    """Return the suits that a board takes, as a list in words."""
    return listed([SUITS[suit] for suit in ALLOWED[board]])


def _players_table(view: State, names: Sequence[str]) -> TextTable:
    rows = tuple(
        (
            names[seat],
            view.colours[seat] if view.colours else "",
            str(boards_won(view, seat)),
            str(view.points[seat]),
            doing(view, seat),
        )
        for seat in range(view.seats)
    )
    caption = f"Round on board {view.board}, {view.turned} of {LIMIT} cards turned" if view.board else "The players"
    return TextTable(caption, ("Player", "Colour", "Boards won", "Points", "Does"), rows)


def _board_table(view: State, board: str) -> TextTable:
    rows = tuple(
        (str(row + 1), *(space_words(view, board, row * SIDE + column) for column in range(SIDE)))
        for row in range(SIDE)
    )
    return TextTable(f"Board {board}, row 1 in the north", ("Row", *"abcde"), rows)


def _boards_table(view: State, names: Sequence[str]) -> TextTable:
    rows = tuple((board, board_words(view, board, names)) for board in BOARDS)
    return TextTable("The boards", ("Board", "State"), rows)


def _groups_tables(view: State, seat: int, names: Sequence[str]) -> Iterator[TextTable]:
    rows = tuple((*place, group_words(view, seat, place)) for place in places_of(view, seat))
    yield TextTable(f"The groups of {names[seat]}", ("Board", "Group", "Cards"), rows)
    if seat not in view.locked:
        left = hand_of(view, seat)
        held = tuple(
            (fruit, ", ".join(str(NUMBER_OF[card]) for card in left if card[0] == suit))
            for suit, fruit in SUITS.items()
        )
        yield TextTable(f"In the hand of {names[seat]}", ("Suit", "Cards"), held)
