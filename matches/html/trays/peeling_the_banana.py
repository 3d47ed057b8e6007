"""Peeling the Banana: a card of the reach with its piece or target, then the shop."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.peeling_the_banana.banana import banana
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn
from games.peeling_the_banana.effects import discarded_by, targets
from games.peeling_the_banana.pieces import AIMED, COINS, ROTATIONS, SHAPES, kind_of, space_name, turned
from games.peeling_the_banana.shop import price_for
from games.peeling_the_banana.state import State, reach
from matches.html.trays.tray import Choice, Tray, TrayContext

_EFFECTS = {
    "bite": "fills one empty space",
    "seconds": "you play another card",
    "slip": "takes a card away from the other seat",
    "graft": "opens a card of the other seat's to both",
    "regrow": "puts a discarded card on top of the deck",
    "tumble": "shuffles deck and discard into a new deck",
}


def tray(context: TrayContext) -> Tray:
    """Who starts, the cards of the reach, or the shop."""
    state, seat = context.state, context.seat
    if state.stage == "play":
        return _play(state, seat)
    choices = tuple(_choice(context, command) for command in context.commands)
    if state.stage == "shop":
        return Tray(f"buy for {state.coins[seat]} coins, or end the turn", choices)
    return Tray("choose who starts", choices)


def _choice(context: TrayContext, command: object) -> Choice:
    text = context.form(command)
    match command:
        case ChooseFirst(seat=seat):
            return Choice(text, "I start" if seat == context.seat else f"{context.names[seat]} starts")
        case Buy(item=item):
            price = price_for(context.state, context.seat, item)
            return Choice(text, f"Buy {item}", cell=item, hint=f"costs {price}", confirm=True, listed=True)
        case EndTurn():
            return Choice(text, "End turn", key="e")
    return Choice(text, text.capitalize())


def _play(state: State, seat: int) -> Tray:
    sheet = banana(state.options.board)
    cards = [_card(state, seat, number, card) for number, card in enumerate(reach(state, seat), 1)]
    data = {
        "seat": seat,
        "cards": cards,
        "board": list(state.boards[seat]),
        "width": sheet.width,
        "height": sheet.height,
    }
    choices = _without_aim(cards)
    return Tray("play a card", choices, module="banana", data=data, cells=reach(state, seat), offers=True)


def _without_aim(cards: Sequence[dict[str, Any]]) -> tuple[Choice, ...]:
    """The plays that need no placement, and those at a card, each a button; they work without a script."""
    found = []
    for card in cards:
        if card["how"] == "plain":
            found.append(Choice(f"play {card['card']}", f"Play {card['card']}", key=card["key"], hint=card["tells"]))
        for target in card["targets"]:
            text = f"play {card['card']} {target}"
            found.append(Choice(text, f"Play {card['card']} on {target}", hint=card["tells"], confirm=True))
    return tuple(found)


def _card(state: State, seat: int, number: int, card: str) -> dict[str, Any]:
    kind = kind_of(card)
    aims = list(targets(state, seat, card)) if kind in AIMED else []
    discards = len(discarded_by(state, card)) - 1
    told = {"card": card, "kind": kind, "key": str(number), "targets": aims, "discards": discards, "lies": {}}
    if kind in SHAPES and banana(state.options.board).lies[kind]:
        return told | {"how": "piece", "lies": _lies(kind), "tells": f"{len(SHAPES[kind])} spaces"}
    tells = f"{COINS[kind]} coins" if kind in COINS else _EFFECTS.get(kind, "it fits nowhere, so it brings nothing")
    empty = any("#" in row for row in state.boards[seat])
    how = "space" if kind == "bite" and empty else "card" if aims else "plain"
    return told | {"how": how, "tells": tells} | ({"lies": {"0": [[0, 0]]}} if how == "space" else {})


def _lies(kind: str) -> dict[str, list[list[int]]]:
    """By `rotation` or `rotation f`: the piece's offsets as it lies."""
    return {
        f"{rotation}{' f' if flip else ''}": [list(offset) for offset in turned(kind, rotation, flip)]
        for flip in (False, True)
        for rotation in ROTATIONS
    }


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """The spaces of a piece just placed."""
    if event["type"] != "piece_placed":
        return ()
    return tuple(space_name(space["row"], space["col"]) for space in event["cells"])
