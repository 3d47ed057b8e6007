"""Peeling the Banana: a card of the reach with its piece or target, then the shop."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.kernel import quantity
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn
from games.peeling_the_banana.effects import discarded_by, targets
from games.peeling_the_banana.options import shapes_of, sheet_of
from games.peeling_the_banana.pieces import AIMED, ROTATIONS, Offsets, is_piece, kind_of, space_name, turned
from games.peeling_the_banana.shop import price_for, sold_out
from games.peeling_the_banana.state import State, reach
from games.peeling_the_banana.tables import words_of
from games.peeling_the_banana.words import name_of, passing_over, short_of, the
from matches.html.trays.tray import Choice, Tray, TrayContext


def tray(context: TrayContext) -> Tray:
    """Return the choice of who starts, the cards of the reach, or the shop."""
    state, seat = context.state, context.seat
    if state.stage == "play":
        return _play(state, seat, counts="fillings" in context.aided)
    choices = tuple(_choice(context, command) for command in context.commands)
    if state.stage == "shop":
        task = f"buy for {quantity(state.coins[seat], 'coin')}, or end your turn"
        return Tray(task, choices, reasons=dict(_too_much(state, seat)))
    return Tray("choose who starts", choices)


def _choice(context: TrayContext, command: object) -> Choice:
    text = context.form(command)
    match command:
        case ChooseFirst(seat=seat):
            return Choice(text, "I start" if seat == context.seat else f"{context.names[seat]} starts")
        case Buy(item=item):
            price = price_for(context.state, context.seat, item)
            label, hint = f"Buy {name_of(item)} for {price}", words_of(item, shapes_of(context.state.options))
            return Choice(text, label, cell=item, hint=hint, confirm=True, listed=True, source=item)
        case EndTurn():
            return Choice(text, "End turn", key="e")
    return Choice(text, text.capitalize())


def _too_much(state: State, seat: int) -> Iterator[tuple[str, str]]:
    """Yield why an item of the shop can't be bought."""
    for item in state.options.shop:
        price = price_for(state, seat, item)
        if sold_out(state, seat, item):
            yield item, f"You have {name_of(item)} as often as you may."
        elif price > state.coins[seat]:
            yield item, f"{name_of(item)} costs {price}, and you have {quantity(state.coins[seat], 'coin')}."


def _play(state: State, seat: int, *, counts: bool) -> Tray:
    sheet = sheet_of(state.options)
    cards_in_reach = reach(state, seat)
    cards = [_card(state, seat, number, card) for number, card in enumerate(cards_in_reach, 1)]
    data = {
        "seat": seat,
        "cards": cards,
        "board": list(state.boards[seat]),
        "width": sheet.width,
        "height": sheet.height,
        "counts": counts,
    }
    choices = _without_aim(cards)
    reasons = dict.fromkeys(state.options.shop, "The shop opens once you have played a card.")
    return Tray("play a card", choices, module="banana", data=data, cells=cards_in_reach, offers=True, reasons=reasons)


def _without_aim(cards: Sequence[dict[str, Any]]) -> tuple[Choice, ...]:
    """Return buttons for plays that need no placement, and for those at a card; they work without a script."""
    plays = []
    for card in cards:
        if card["how"] == "plain":
            plays.append(Choice(f"play {card['card']}", f"Play {card['name']}", key=card["key"], hint=card["tells"]))
        for target, where in card["targets"].items():
            label = f"Play {card['name']} on {where}"
            plays.append(Choice(f"play {card['card']} {target}", label, hint=card["tells"], confirm=True))
    return tuple(plays)


def _card(state: State, seat: int, number: int, card: str) -> dict[str, Any]:
    kind = kind_of(card)
    aims = {aim: _where(state, aim) for aim in targets(state, seat, card)} if kind in AIMED else {}
    fields = {
        "card": card,
        "name": name_of(card),
        "key": str(number),
        "targets": aims,
        "passed": list(discarded_by(state, card)[:-1]),
        "passes": passing_over(discarded_by(state, card)[:-1]),
        "lies": {},
    }
    shapes = shapes_of(state.options)
    if is_piece(kind) and sheet_of(state.options).lies(kind):
        return fields | {"how": "piece", "lies": _lies(shapes[kind]), "tells": short_of(kind, shapes)}
    tells = "fits nowhere, so it brings nothing" if is_piece(kind) else words_of(kind, shapes)
    empty = any("#" in row for row in state.boards[seat])
    how = "space" if kind == "bite" and empty else "card" if aims else "plain"
    return fields | {"how": how, "tells": tells} | ({"lies": {"0": [[0, 0]]}} if how == "space" else {})


def _where(state: State, card: str) -> str:
    """Return a card's name and position, since there may be several of a kind."""
    if card in state.deck:
        return f"{the(card)}, number {state.deck.index(card) + 1} of the deck"
    return f"{the(card)}, number {state.discard[::-1].index(card) + 1} of the discard"


def _lies(shape: Offsets) -> dict[str, list[list[int]]]:
    """Return the piece's offsets by `rotation` or `rotation f`."""
    return {
        f"{rotation}{' f' if flip else ''}": [list(offset) for offset in turned(shape, rotation, flip)]
        for flip in (False, True)
        for rotation in ROTATIONS
    }


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    if event["type"] != "piece_placed":
        return ()
    return tuple(space_name(space["row"], space["col"]) for space in event["cells"])
