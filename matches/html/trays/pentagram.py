"""Pentagram: a space for the drawn card, with or without a worker, and what the row would pay."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from games.kernel import Event
from games.pentagram.commands import Place
from games.pentagram.events import CardPlaced, WorkerPlaced
from games.pentagram.notation import sentence
from games.pentagram.pieces import LETTERS, ROW, short
from games.pentagram.rules import pay_out
from games.pentagram.state import State, evolve
from matches.html.trays.tray import Choice, Tray, TrayContext


def tray(context: TrayContext) -> Tray:
    """The empty spaces."""
    card = context.state.card
    return Tray(
        task=f"place {short(card)}" if card else "place the card",
        choices=tuple(_choice(context, place) for place in context.commands if isinstance(place, Place)),
    )


def _choice(context: TrayContext, place: Place) -> Choice:
    cell = f"{LETTERS[place.colour]}{place.space}"
    told = [_price(context.state, context.seat, place)] if place.worker else []
    told += payout(context.state, context.seat, place, context.names)
    return Choice(
        context.form(place),
        f"Place on {cell} with a worker" if place.worker else f"Place on {cell}",
        cell=cell,
        key="w" if place.worker else "p",
        hint=" ".join(told),
        confirm=True,
    )


def _price(state: State, seat: int, place: Place) -> str:
    have = state.coins[seat][ROW[place.colour]]
    if not place.space:
        return "The worker is free."
    return f"The worker costs {place.space} {place.colour}; you have {have} and keep {have - place.space}."


def payout(state: State, seat: int, place: Place, names: Sequence[str]) -> list[str]:
    """What the row pays once the card lies there, a sentence a step; all of it lies open."""
    placed: list[Event] = [CardPlaced(seat=seat, colour=place.colour, space=place.space)]
    if place.worker:
        placed.append(WorkerPlaced(seat=seat, colour=place.colour, space=place.space, price=place.space))
    after = reduce(evolve, placed, state)
    return [sentence(event, names) for event in pay_out(after, place.colour)]


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """The space of a placed card."""
    return (f"{LETTERS[event['colour']]}{event['space']}",) if event["type"] == "card_placed" else ()
