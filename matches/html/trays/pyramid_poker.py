"""Pyramid Poker: a space to build on, a brick to draw, a hand to put it into."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.pieces import HAND_SIZE, spoken
from games.pyramid_poker.pyramid import pyramid_of
from games.pyramid_poker.state import State
from matches.html.trays.tray import Choice, Tray, TrayContext

_TASKS = {"choice": "choose who starts", "construction": "place {}", "deconstruction": "draw a brick"}


def tray(context: TrayContext) -> Tray:
    """Return the cells that may be built on or drawn, or the three hands."""
    state = context.state
    held = state.held.brick if state.held else None
    task = _TASKS.get(state.phase, "wait").format(f"the {spoken(held)}" if held else "your brick")
    if state.phase == "deconstruction" and held:
        task = f"choose a hand for the {spoken(held)}"
    choices = tuple(_choice(context, command) for command in context.commands)
    return Tray(task=task, choices=choices, reasons=dict(_reasons(state)))


def _reasons(state: State) -> Iterator[tuple[str, str]]:
    """Yield why nothing can be built on an empty space yet, or why a brick can't be drawn."""
    pyramid = pyramid_of(state.options.base)
    if state.phase == "construction":
        for space, below in pyramid.below.items():
            missing = [under for under in below if under not in state.spaces]
            if missing and space not in state.spaces:
                yield space, f"{space} rests on two bricks: {_joined(missing, 'is', 'are')} missing."
    elif state.phase == "deconstruction" and state.held is None:
        for space in state.spaces:
            over = [upper for upper in pyramid.above[space] if upper in state.spaces]
            if over:
                yield space, f"{_joined(over, 'lies', 'lie')} on {space}."


def _joined(spaces: Sequence[str], one: str, many: str) -> str:
    return f"{' and '.join(spaces)} {one if len(spaces) == 1 else many}"


def _choice(context: TrayContext, command: object) -> Choice:
    text = context.form(command)
    match command:
        case ChooseFirst(seat=seat):
            return Choice(text, "I start" if seat == context.seat else f"{context.names[seat]} starts")
        case Place(cell=cell):
            return Choice(text, f"Place on {cell}", cell=cell, source="held")
        case Draw(cell=cell):
            hint = "Everybody will see its value."
            return Choice(text, f"Draw {cell}", cell=cell, hint=hint, confirm=True, source=cell)
        case Assign(hand=hand):
            bricks = context.state.hands[context.seat][hand - 1]
            filled = f"{len(bricks)} of {HAND_SIZE} bricks"
            return Choice(
                text, f"Hand {hand}", cell=f"hand {hand}", key=str(hand), hint=filled, listed=True, source="held"
            )
    return Choice(text, text.capitalize())


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    return (event["cell"],) if event["type"] in ("brick_placed", "brick_drawn") else ()
