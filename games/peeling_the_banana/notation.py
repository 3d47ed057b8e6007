"""Commands as short text and back, events as English sentences."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.kernel import Command, Event, FlagFallen, Illegal, Resign, Resigned
from games.peeling_the_banana import events as told
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn, PlayCard
from games.peeling_the_banana.pieces import SHAPES, UPGRADES, Placement, Space, kind_of, space_name
from games.peeling_the_banana.state import State, reach

_EXAMPLES: Final = (
    "first 0; 2 @d4 r90 f; play domino#1 @d4; play bite#1 @k1; play slip#1 line3#2; buy coins3; end; resign"
)
_SPACE: Final = re.compile(r"@([a-z])([1-9][0-9]?)")
_CARD: Final = re.compile(r"[a-z_]+[0-9]?#[1-9][0-9]*")
_TURN: Final = re.compile(r"r(0|90|180|270)")


def parse(state: State, seat: int, text: str) -> Command:
    """A command from its text; raises Illegal("malformed")."""
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
    """The short text of a command."""
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
    """An event in English."""
    match event:
        case told.DeckShuffled():
            return f"The dealer shuffles the deck: {_listed(event.order)}."
        case told.DeckReshuffled():
            return f"The dealer shuffles deck and discard into a new deck: {_listed(event.order)}."
        case told.FirstChosen():
            return f"{names[event.seat]} takes the first turn."
        case told.TurnStarted():
            return f"{names[event.seat]} begins turn {event.turn} with {_count(event.coins, 'coin')}."
        case told.CardPlayed():
            return _tell_play(event, names)
        case told.PiecePlaced():
            return _tell_piece(event, names)
        case told.CoinsGained():
            return f"{names[event.seat]} gains {_count(event.coins, 'coin')}."
        case told.AvailabilityChanged():
            return f"{event.card} is now available to {' and '.join(names[seat] for seat in event.seats)}."
        case told.CardRemoved():
            return f"{event.card} leaves the game."
        case told.CardRegrown():
            return f"{names[event.seat]} puts {event.card} back on top of the deck."
        case told.Bought():
            return _tell_purchase(event, names)
        case told.TurnFinished():
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
        if (found := _SPACE.fullmatch(word)) and space is None:
            space = Space(int(found[2]), ord(found[1]) - 96)
        elif (found := _TURN.fullmatch(word)) and "rotation" not in turn:
            turn["rotation"] = int(found[1])
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
    if kind_of(card) in SHAPES:
        return PlayCard(card, Placement(space.row, space.col, **turn), target)
    if turn or target is not None:
        raise _malformed()
    return PlayCard(card, target=space)


def _card(state: State, seat: int, word: str) -> str:
    """A card by its id, or by its place in the seat's reach."""
    if _CARD.fullmatch(word):
        return word
    known = reach(state, seat)
    if len(word) <= 3 and word.isdecimal() and 1 <= int(word) <= len(known):
        return known[int(word) - 1]
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


def _tell_play(event: told.CardPlayed, names: Sequence[str]) -> str:
    passed = event.discarded[:-1]
    over = f", passing over {_listed(passed)}" if passed else ""
    return f"{names[event.seat]} plays {event.card}{over}."


def _tell_piece(event: told.PiecePlaced, names: Sequence[str]) -> str:
    where = _listed([space_name(cell.row, cell.col) for cell in event.cells])
    return f"{names[event.seat]} covers {where} and fills {_count(len(event.filled), 'space')}."


def _tell_purchase(event: told.Bought, names: Sequence[str]) -> str:
    buys = f"{names[event.seat]} buys {event.item} for {_count(event.price, 'coin')}"
    return f"{buys}." if event.item in UPGRADES or event.card is None else f"{buys}: {event.card}."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) or "nothing"
