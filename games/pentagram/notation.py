"""Commands as short text and back, events as English sentences."""

import re
from collections.abc import Iterable, Sequence

from games.kernel import Command, Event, FlagFallen, Illegal, Resign, Resigned
from games.pentagram.commands import Place
from games.pentagram.events import (
    CardDrawn,
    CardPlaced,
    DeckShuffled,
    SpacePaid,
    WorkerPlaced,
    WorkersReturned,
    ZeroDealt,
)
from games.pentagram.pieces import COLOUR_OF, COLOURS, FACES, LETTERS, spoken
from games.pentagram.state import State

PLACEMENT = re.compile(
    r"(?:place\s+)?"
    rf"(?P<colour>{'|'.join(sorted(COLOUR_OF, key=len, reverse=True))})\s*"
    r"(?P<space>\d{1,2})"
    r"(?:\s*(?P<worker>w|(?:with\s+)?(?:a\s+)?worker))?",
    re.IGNORECASE,
)


def parse(state: State, seat: int, text: str) -> Command:
    """Parse `O3 w`, `place orange 3 worker` or `resign`; raise Illegal("malformed")."""
    written = text.strip()
    if written.lower() == "resign":
        return Resign()
    match = PLACEMENT.fullmatch(written)
    if match is None:
        raise Illegal(
            "malformed",
            "Write a row and a space, with w for a worker: O3, O3 w or place orange 3 worker."
            f" The rows are {', '.join(f'{letter} {colour}' for colour, letter in LETTERS.items())}.",
        )
    colour = COLOUR_OF[match["colour"].lower()]
    return Place(colour=colour, space=int(match["space"]), worker=match["worker"] is not None)


def form(command: Command) -> str:
    """Return the short text of a command, as `parse` reads it."""
    match command:
        case Place(colour=colour, space=space, worker=worker):
            return f"{LETTERS[colour]}{space} w" if worker else f"{LETTERS[colour]}{space}"
        case _:
            return "resign"


def sentence(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence for people, without the deck's order."""
    match event:
        case DeckShuffled():
            return "The dealer shuffles the deck."
        case ZeroDealt(cards=cards):
            dealt = (f"{spoken(cards[colour])} on {colour} 0" for colour in COLOURS)
            return f"The dealer puts {_listed(dealt)}."
        case CardDrawn(seat=seat, card=card):
            return f"{names[seat]} draws {spoken(card)}."
        case CardPlaced(seat=seat, colour=colour, space=space):
            return f"{names[seat]} places the card on {colour} {space}."
        case WorkerPlaced(seat=seat, colour=colour, price=price):
            cost = f"for {price} {colour}" if price else "for free"
            return f"{names[seat]} puts a worker on it {cost}."
        case SpacePaid(colour=colour, space=space, card=card):
            return f"{colour.capitalize()} {space} pays, {spoken(card)}{_gains(event, names)}."
        case WorkersReturned(colour=colour, seats=seats):
            return f"Home from the {colour} row: {_homecoming(seats, names)}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns."
        case FlagFallen(seat=seat):
            return f"{names[seat]}'s time runs out."
        case _:
            return ""


def _gains(event: SpacePaid, names: Sequence[str]) -> str:
    target = COLOURS[FACES[event.card].target]
    gains = [
        f"{names[seat]} stays at {after} {target}"
        if before == after
        else f"{names[seat]} goes from {before} to {after} {target}"
        for seat, (before, after) in sorted(event.coins.items())
    ]
    return f": {_listed(gains)}" if gains else "; no worker stands there"


def _homecoming(seats: Sequence[int], names: Sequence[str]) -> str:
    return _listed(_workers(seats.count(seat), names[seat]) for seat in sorted(set(seats)))


def _workers(count: int, name: str) -> str:
    return f"{name}'s worker" if count == 1 else f"{count} of {name}'s workers"


def _listed(items: Iterable[str]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
