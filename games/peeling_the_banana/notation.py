"""Commands as short text and back, events as English sentences."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.kernel import Command, Event, FlagFallen, Illegal, Resign, Resigned, quantity
from games.peeling_the_banana import events
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn, PlayCard
from games.peeling_the_banana.pieces import Placement, Space, is_piece, kind_of, space_name
from games.peeling_the_banana.state import State, reach
from games.peeling_the_banana.words import listed, one, the

_EXAMPLES: Final = (
    "first 0; 2 @d4 r90 f; play domino#1 @d4; play bite#1 @k1; play slip#1 line3#2; buy coins3; end; resign"
)
_SPACE: Final = re.compile(r"@([a-z])([1-9][0-9]?)")
_CARD: Final = re.compile(r"[a-z][a-z0-9_]*#[1-9][0-9]*")
_TURN: Final = re.compile(r"r(0|90|180|270)")


def parse(state: State, seat: int, text: str) -> Command:
    """Parse a command from its text; raise Illegal("malformed")."""
    match text.lower().split():
        case ["first", "0" | "1" as first]:
            return ChooseFirst(0 if first == "0" else 1)
        case ["buy", item]:
            return Buy(item)
        case ["end"]:
            return EndTurn()
        case ["resign"]:
            return Resign()
        case ["play", card, *how] | [card, *how]:
            return _parse_play(_card(state, seat, card), how)
        case _:
            raise _malformed()


def form(command: Any) -> str:
    """Return the short text of a command."""
    match command:
        case ChooseFirst():
            return f"first {command.seat}"
        case PlayCard():
            how = (*_form_placement(command.placement), *_form_target(command.target))
            return " ".join(("play", command.card, *how))
        case Buy():
            return f"buy {command.item}"
        case EndTurn():
            return "end"
        case _:
            return "resign"


def sentence(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence for people."""
    match event:
        case events.DeckShuffled():
            return "The deck is shuffled."
        case events.DeckReshuffled():
            return "The dealer shuffles the discard back into the deck."
        case events.FirstChosen():
            return f"{names[event.seat]} takes the first turn."
        case events.TurnStarted():
            return f"{names[event.seat]} begins turn {event.turn} with {quantity(event.coins, 'coin')}."
        case events.CardPlayed():
            return _play_sentence(event, names)
        case events.PiecePlaced():
            return _piece_sentence(event, names)
        case events.CoinsGained():
            return f"{names[event.seat]} takes {quantity(event.coins, 'coin')}."
        case events.AvailabilityChanged():
            return f"Now for {listed([names[seat] for seat in event.seats])}: {the(event.card)}."
        case events.CardRemoved():
            return f"Out of the game: {the(event.card)}."
        case events.CardRegrown():
            return f"{names[event.seat]} puts {the(event.card)} back on top of the deck."
        case events.Bought():
            return f"{names[event.seat]} buys {one(event.item)} for {event.price}."
        case events.TurnFinished():
            return f"{names[event.seat]} ends the turn."
        case Resigned():
            return f"{names[event.seat]} resigns."
        case FlagFallen():
            return f"{names[event.seat]} has run out of time."
        case _:
            return "Something happens."


def _parse_play(card: str, how: Iterable[str]) -> PlayCard:
    space: Space | None = None
    target: str | None = None
    turn: dict[str, Any] = {}
    for word in how:
        if (match := _SPACE.fullmatch(word)) and space is None:
            space = Space(int(match[2]), ord(match[1]) - 96)
        elif (match := _TURN.fullmatch(word)) and "rotation" not in turn:
            turn["rotation"] = int(match[1])
        elif word == "f" and "flip" not in turn:
            turn["flip"] = True
        elif _CARD.fullmatch(word) and target is None:
            target = word
        else:
            raise _malformed()
    return _aimed(card, space, target, turn)


def _aimed(card: str, space: Space | None, target: str | None, turn: dict[str, Any]) -> PlayCard:
    if space is None:
        if turn:
            raise _malformed()
        return PlayCard(card, target=target)
    if is_piece(kind_of(card)):
        return PlayCard(card, Placement(space.row, space.col, **turn), target)
    if turn or target is not None:
        raise _malformed()
    return PlayCard(card, target=space)


def _card(state: State, seat: int, word: str) -> str:
    """Return a card given by its id or by its number in the seat's reach."""
    if _CARD.fullmatch(word):
        return word
    cards = reach(state, seat)
    if len(word) <= 3 and word.isdecimal() and 1 <= int(word) <= len(cards):
        return cards[int(word) - 1]
    raise _malformed()


def _malformed() -> Illegal:
    return Illegal("malformed", f"Write a command like one of these: {_EXAMPLES}.")


def _form_placement(placement: Placement | None) -> Iterable[str]:
    if placement is None:
        return ()
    turn = [f"r{placement.rotation}"] if placement.rotation else []
    return (f"@{space_name(placement.row, placement.col)}", *turn, *["f"][: placement.flip])


def _form_target(target: Space | str | None) -> Iterable[str]:
    if target is None:
        return ()
    return (target if isinstance(target, str) else f"@{space_name(target.row, target.col)}",)


def _play_sentence(event: events.CardPlayed, names: Sequence[str]) -> str:
    passed = [the(card) for card in event.discarded[:-1]]
    over = f", passing over {listed(passed)}" if passed else ""
    return f"{names[event.seat]} chooses {the(event.card)}{over}."


def _piece_sentence(event: events.PiecePlaced, names: Sequence[str]) -> str:
    """Describe a placed piece; its position is the top left of its box, as in commands."""
    corner = space_name(min(cell.row for cell in event.cells), min(cell.col for cell in event.cells))
    over = len(event.cells) - len(event.filled)
    again = f", {over} covered again" if over else ""
    return f"{names[event.seat]} plays {one(event.card)} on {corner}: {len(event.filled)} filled{again}."
