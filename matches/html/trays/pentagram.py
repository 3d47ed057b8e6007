"""Pentagram: a space for the drawn card, with or without a worker, and what the row would pay."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from games.kernel import Event, Illegal
from games.pentagram.commands import Place
from games.pentagram.events import CardPlaced, SpacePaid, WorkerPlaced, WorkersReturned
from games.pentagram.notation import sentence
from games.pentagram.pieces import COLOURS, FACES, LETTERS, ROW, SPACES, spoken
from games.pentagram.rules import pay_out, refuse_unplayable
from games.pentagram.state import State, evolve
from games.pentagram.tableau import walk_of
from matches.html.trays.tray import Choice, Tray, TrayContext


def tray(context: TrayContext) -> Tray:
    """Return the empty spaces. With the `payouts` aid, the script `pentagram` shows step by step what each placement
    pays."""
    card = context.state.card
    places = [place for place in context.commands if isinstance(place, Place)]
    spaces = Tray(
        task=f"place ‘{spoken(card)}’" if card else "place the card",
        choices=tuple(_choice(context, place) for place in places),
        reasons=dict(_reasons(context.state)),
    )
    if "payouts" not in context.aided:
        return spaces
    data = {
        "seat": context.seat,
        "names": list(context.names),
        "rows": {LETTERS[colour]: colour for colour in COLOURS},
        "card": spoken(card) if card else "",
        "placements": {context.form(place): _consequences(context, place) for place in places},
    }
    return replace(spaces, module="pentagram", data=data)


def _reasons(state: State) -> Iterator[tuple[str, str]]:
    """Yield why no card can be put on a space."""
    for row, colour in enumerate(COLOURS):
        for space in SPACES:
            card = state.cards[row][space]
            if card is not None:
                yield f"{LETTERS[colour]}{space}", f"{colour.capitalize()} {space} is taken: {spoken(card)}."


def _choice(context: TrayContext, place: Place) -> Choice:
    return Choice(
        context.form(place),
        "With a worker" if place.worker else "Place it alone",
        cell=f"{LETTERS[place.colour]}{place.space}",
        key="w" if place.worker else "p",
        hint=" ".join(_hints(context, place)),
        confirm=True,
        source="card",
    )


def _hints(context: TrayContext, place: Place) -> Iterator[str]:
    """Yield what a placement costs, or why it can't have a worker; and what it pays."""
    state, seat = context.state, context.seat
    if "payouts" not in context.aided:
        yield _cost(state, seat, place) if place.worker else _without_worker(state, seat, place)
        return
    if place.worker:
        yield _price(state, seat, place)
    yield from (sentence(event, context.names) for event in payout(state, seat, place))


def _cost(state: State, seat: int, place: Place) -> str:
    have = state.coins[seat][ROW[place.colour]]
    return f"The worker costs {place.space} {place.colour}; you have {have}." if place.space else "The worker is free."


def _price(state: State, seat: int, place: Place) -> str:
    if not place.space:
        return _cost(state, seat, place)
    left = state.coins[seat][ROW[place.colour]] - place.space
    return f"{_cost(state, seat, place).rstrip('.')} and keep {left}."


def _placed(state: State, seat: int, place: Place) -> State:
    events: list[Event] = [CardPlaced(seat=seat, colour=place.colour, space=place.space)]
    if place.worker:
        events.append(WorkerPlaced(seat=seat, colour=place.colour, space=place.space, price=place.space))
    return reduce(evolve, events, state)


def payout(state: State, seat: int, place: Place) -> list[Event]:
    """Return what the row pays once the card lies there; all of it is public."""
    return list(pay_out(_placed(state, seat, place), place.colour))


def _consequences(context: TrayContext, place: Place) -> dict[str, Any]:
    """Return what a placement pays, for the page's script. Numbers are text, since they have no bound."""
    state, seat = context.state, context.seat
    events = payout(state, seat, place)
    after = reduce(evolve, events, _placed(state, seat, place))
    gains = {at: sum(after.coins[at]) - sum(state.coins[at]) for at in range(state.seats)}
    result: dict[str, Any] = {"steps": [_step(event) for event in events if isinstance(event, SpacePaid)]}
    if any(isinstance(event, WorkersReturned) for event in events):
        result["home"] = sentence(events[-1], context.names)
    if result["steps"] or place.worker:
        result["gains"] = {at: f"{gain:+d}".replace("-", "−") if gain else "0" for at, gain in gains.items()}
    if place.worker:
        result["note"] = _price(state, seat, place)
    elif reason := _without_worker(state, seat, place):
        result["note"] = reason
    return result


def _without_worker(state: State, seat: int, place: Place) -> str:
    """Return why there can't be a worker on the card, or ""."""
    try:
        refuse_unplayable(state, seat, Place(colour=place.colour, space=place.space, worker=True))
    except Illegal as refused:
        return refused.message
    return ""


def _step(paid: SpacePaid) -> dict[str, Any]:
    return {
        "cell": f"{LETTERS[paid.colour]}{paid.space}",
        "space": f"{paid.colour} {paid.space}",
        "does": spoken(paid.card),
        "colour": COLOURS[FACES[paid.card].target],
        "coins": {seat: [str(before), str(after)] for seat, (before, after) in paid.coins.items()},
    }


FOLLOWS = ("space_paid",)


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """Return the space of a placed card; the workers' path from a space that has paid."""
    space = f"{LETTERS[event['colour']]}{event['space']}" if "space" in event else ""
    if event["type"] == "space_paid":
        return (walk_of(space),) if event["coins"] else ()
    return (space,) if event["type"] == "card_placed" else ()
