"""Over which options the laws are run, and other truths.

What lies face down changes: numbers a witness can't know, the order within groups, and the grey cards.
"""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from games.higher_or_lower.dealing import keeps_grey_rule
from games.higher_or_lower.events import BoardDealt, GroupAssigned, GroupsFilled
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import NUMBER_OF, NUMBERS, Group, rows_of, sorted_cards
from games.higher_or_lower.state import FACE_DOWN, State
from games.kernel import Event, Table, Witness
from tests.games.higher_or_lower.staged import UNEVEN_BOARDS
from tests.laws.settings import one_of

OPTIONS = one_of({}, {"boards": UNEVEN_BOARDS})


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with each seat's unknown numbers renamed, and what lies face down laid anew.

    Renaming the numbers in all suits alike keeps every group valid and every dead end one.
    """
    state: State = table.state
    names = [renaming(table, seat, witness, rng) for seat in range(table.seats)]
    return [another(state, event, names, rng) for event in table.log]


def renaming(table: Table, seat: int, witness: Witness, rng: Random) -> dict[str, str]:
    """A seat's cards under a random change of those numbers of which the witness knows no card."""
    cards_in_use = set(open_cards(table.state, seat))
    if seat == witness:
        assignments = (event for event in table.log if isinstance(event, GroupAssigned) and event.seat == seat)
        cards_in_use.update(card for event in assignments for card in event.cards or ())
    free = sorted(set(NUMBERS) - {NUMBER_OF[card] for card in cards_in_use})
    number = dict(zip(free, rng.sample(free, len(free)), strict=True))
    return {card: f"{card[0]}{number.get(n, n)}" for card, n in NUMBER_OF.items()}


def open_cards(state: State, seat: int) -> Iterator[str]:
    """The seat's cards that lie open."""
    if state.colours:
        for (board, _), spaces in layout_of(state.options.boards).groups[state.colours[seat]].items():
            cards = state.cards_open.get(board, FACE_DOWN)
            yield from (card for space in spaces if (card := cards[space]))


def another(state: State, event: Event, names: list[dict[str, str]], rng: Random) -> Event:
    """The event as the other truth has it."""
    match event:
        case GroupAssigned(seat=seat, cards=tuple(cards)):
            return replace(event, cards=renamed(cards, names[seat]))
        case GroupsFilled(seat=seat, groups=tuple(groups)):
            changed = (Group(g.board, g.shape, renamed(g.cards, names[seat])) for g in groups)
            return replace(event, groups=tuple(changed))
        case BoardDealt():
            return laid_anew(state, event, names, rng)
    return event


def renamed(cards: tuple[str, ...], names: dict[str, str]) -> tuple[str, ...]:
    return sorted_cards(tuple(names[card] for card in cards))


def laid_anew(state: State, event: BoardDealt, names: list[dict[str, str]], rng: Random) -> BoardDealt:
    """A deal of the board in which the open cards lie where they do."""
    groups = layout_of(state.options.boards).groups
    lying = [card for row in event.cards or () for card in row]
    cards_shown = state.cards_open.get(event.board, FACE_DOWN)
    for seat, colour in enumerate(state.colours):
        for (board, _), spaces in groups[colour].items():
            if board == event.board:
                shuffle_hidden([space for space in spaces if not cards_shown[space]], lying, names[seat], rng)
    greys = [spaces for (board, _), spaces in groups["grey"].items() if board == event.board]
    redraw_greys(event.board, greys, lying, cards_shown, rng)
    return replace(event, cards=rows_of(tuple(lying)))


def shuffle_hidden(hidden: list[int], lying: list[str], names: dict[str, str], rng: Random) -> None:
    cards = [names[lying[space]] for space in rng.sample(hidden, len(hidden))]
    for space, card in zip(hidden, cards, strict=True):
        lying[space] = card


def redraw_greys(
    board: str, groups: list[tuple[int, ...]], lying: list[str], cards_shown: tuple[str | None, ...], rng: Random
) -> None:
    """Other grey numbers that keep the grey rule together with those shown."""
    hidden = [space for spaces in groups for space in spaces if not cards_shown[space]]
    out = {NUMBER_OF[lying[space]] for spaces in groups for space in spaces if cards_shown[space]}
    left = [number for number in NUMBERS if number not in out]
    while True:
        drawn = dict(zip(hidden, rng.sample(left, len(hidden)), strict=True))
        numbers = [tuple(drawn.get(space) or NUMBER_OF[lying[space]] for space in spaces) for spaces in groups]
        if keeps_grey_rule(numbers):
            break
    for space, number in drawn.items():
        lying[space] = f"{board}{number}"
