"""Pyramid Poker: a space to build on, a brick to draw, a hand to put it into."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.pieces import HAND_SIZE
from matches.html.trays.tray import Choice, Tray, TrayContext

_TASKS = {"choice": "choose who starts", "construction": "place {}", "deconstruction": "draw a brick"}


def tray(context: TrayContext) -> Tray:
    """The cells that may be built on or drawn, or the three hands."""
    state = context.state
    held = state.held.brick if state.held else None
    task = _TASKS.get(state.phase, "wait").format(held or "your brick")
    if state.phase == "deconstruction" and held:
        task = f"put {held} into a hand"
    return Tray(task=task, choices=tuple(_choice(context, command) for command in context.commands))


def _choice(context: TrayContext, command: object) -> Choice:
    text = context.form(command)
    match command:
        case ChooseFirst(seat=seat):
            return Choice(text, "I start" if seat == context.seat else f"{context.names[seat]} starts")
        case Place(cell=cell):
            return Choice(text, f"Place on {cell}", cell=cell)
        case Draw(cell=cell):
            return Choice(text, f"Draw {cell}", cell=cell, hint="Everybody will see its value.", confirm=True)
        case Assign(hand=hand):
            bricks = context.state.hands[context.seat][hand - 1]
            filled = f"{len(bricks)} of {HAND_SIZE} bricks"
            return Choice(text, f"Hand {hand}", cell=f"hand {hand}", key=str(hand), hint=filled, listed=True)
    return Choice(text, text.capitalize())


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """The space of a placed or drawn brick."""
    return (event["cell"],) if event["type"] in ("brick_placed", "brick_drawn") else ()
