"""The rules: prompts, placements, payouts and the outcome."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from math import prod
from typing import Any

from games.kernel import Chance, Due, Event, Illegal, Outcome, Prompt
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
from games.pentagram.options import Options, towards_target
from games.pentagram.pieces import COLOURS, DECK, FACES, ROW, SPACES, Card, Colour
from games.pentagram.state import State, empty_spaces, evolve, next_seat

_COUNTS: dict[str, Callable[[Iterable[Any]], Any]] = {
    "total": sum,
    "weakest": min,
    "product": prod,
    "strongest": max,
}


def due(state: State) -> Due:
    """Return the prompt of the seat on turn, or the dealer's duty for the shuffle or a resigned seat's turn."""
    if over(state):
        return Due()
    if state.turn is None or state.card is None or state.turn in state.resigned:  # R3, R11
        return Due(dealer=True)
    prompt = Prompt(seat=state.turn, commands=("place",), turn=f"turn {state.turns}", clock="turn")
    return Due(prompts=(prompt,))


def decide(state: State, seat: int, command: Place, chance: Chance) -> Iterable[Event]:
    """Return the events of a placement; raise Illegal."""
    refuse_unplayable(state, seat, command)
    return play(state, seat, command)


def refuse_unplayable(state: State, seat: int, place: Place) -> None:
    """Raise Illegal if the space or the worker isn't available."""
    colour, space = place.colour, place.space
    if space not in SPACES:  # R4
        raise Illegal("no_such_space", f"The spaces of the {colour} row are 4 to 0; there is no {space}.")
    if state.cards[ROW[colour]][space] is not None:  # R4
        raise Illegal("not_empty", f"There is a card on {colour} {space} already; choose an empty space.")
    if place.worker:
        _refuse_worker(state, seat, colour, space)


def _refuse_worker(state: State, seat: int, colour: Colour, space: int) -> None:
    if not state.hands[seat]:  # R5
        raise Illegal("no_worker", "You have no worker in hand; place the card without one.")
    coins = state.coins[seat][ROW[colour]]
    if coins - space < 1:  # R5
        raise Illegal(
            "cannot_pay",
            f"A worker on {colour} {space} costs {space} {colour} and one must stay; you have {coins}.",
        )


def play(state: State, seat: int, place: Place) -> tuple[Event, ...]:
    """Return the events of a turn, from the placed card to the next seat's card."""
    colour, space = place.colour, place.space
    placing: list[Event] = [CardPlaced(seat=seat, colour=colour, space=space)]
    if place.worker:
        placing.append(WorkerPlaced(seat=seat, colour=colour, space=space, price=space))  # R5
    state = reduce(evolve, placing, state)
    paying = tuple(pay_out(state, colour))
    state = reduce(evolve, paying, state)
    return (*placing, *paying, *draw(state))


def pay_out(state: State, colour: Colour) -> Iterator[Event]:
    """Yield the payouts of the row's spaces, from left to right, and the return of the workers."""
    if not state.paying:
        return
    row = ROW[colour]
    coins = list(state.coins)
    walking: list[int] = []
    for space, card in reversed(list(enumerate(run(state, row)))):  # R6
        walking += state.workers[row][space]
        face = FACES[card]
        paid = {}
        for seat in sorted(set(walking)):  # R7
            purse = coins[seat]
            after = face.pay(purse)
            paid[seat] = (purse[face.target], after)
            coins[seat] = (*purse[: face.target], after, *purse[face.target + 1 :])
        yield SpacePaid(colour=colour, space=space, card=card, coins=paid)
    if walking:
        yield WorkersReturned(colour=colour, seats=tuple(sorted(walking)))  # R8


def run(state: State, row: int) -> list[Card]:
    """Return the cards that pay: those from space 0 up to the first gap."""  # R6
    cards = state.cards[row]
    gap = cards.index(None) if None in cards else len(cards)
    return [card for card in cards[:gap] if card]


def draw(state: State) -> tuple[Event, ...]:
    """Return the event of the next turn's card, none if the match is over."""
    if over(state):
        return ()
    top = (state.deck or ())[0]
    return (CardDrawn(seat=next_seat(state), card=top),)  # R3


def deal(state: State, chance: Chance) -> Iterable[Event]:
    """Return the events of the shuffle and the first card, or of a resigned seat's turn."""
    if state.turn is None:
        return _deal_opening(state, chance)
    return _play_at_random(state, state.turn, chance)  # R11


def _deal_opening(state: State, chance: Chance) -> tuple[Event, ...]:
    order = chance.shuffled(DECK, "deck")
    opening: list[Event] = [DeckShuffled(order=order)]
    if state.options.zero_column == "dealt":  # R2
        opening.append(ZeroDealt(cards=dict(zip(COLOURS, order[: len(COLOURS)], strict=True))))
    return (*opening, *draw(reduce(evolve, opening, state)))


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Return the events of the turn that the dealer plays for the seat."""  # R10
    return _play_at_random(state, seat, chance)


def _play_at_random(state: State, seat: int, chance: Chance) -> tuple[Event, ...]:
    colour, space = chance.choice(empty_spaces(state), "placement")
    return play(state, seat, Place(colour=colour, space=space))


def over(state: State) -> bool:
    """True once one seat is left, the deck is used up, or the end set by the options is reached."""  # R9
    if len(state.resigned) >= state.seats - 1:  # R11
        return True
    if state.placed is None or state.card is not None or state.paying:
        return False
    return state.left == 0 or (next_seat(state) == state.priority and _ends_with_round(state))


def _ends_with_round(state: State) -> bool:
    options = state.options
    match options.end:
        case "rounds":
            return state.turns >= options.rounds * state.seats
        case "target" | "colour":
            return any(towards_target(options, purse) >= options.target for purse in state.coins)
        case _:
            return False


def worth(options: Options, purse: Sequence[Any]) -> Any:
    """Return the score of a seat with these coins."""
    return towards_target(options, purse) if options.score == "first" else _COUNTS[options.score](purse)


def score(state: State) -> dict[int, int]:
    """Return the current scores by seat, of the kind set by the options."""
    return {seat: int(worth(state.options, purse)) for seat, purse in enumerate(state.coins)}


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None. The tie-breakers leave no equal seats."""
    if not over(state):
        return None
    scores = score(state)
    staying = [seat for seat in range(state.seats) if seat not in state.resigned]
    staying.sort(key=lambda seat: (_earliness(state, seat), scores[seat], *_tie_breakers(state, seat)), reverse=True)
    return Outcome(
        winners=(staying[0],),
        ranking=tuple((seat,) for seat in (*staying, *reversed(state.resigned))),  # R11
        reason="resigned" if len(staying) == 1 else "played",
        score=scores,
    )


def _earliness(state: State, seat: int) -> int:
    """Return a sort key, higher for a seat that had the target earlier with `score: first`, else equal for all. R9"""
    met = state.met[seat]
    return 0 if state.options.score != "first" or met is None else len(DECK) + 1 - met


def _tie_breakers(state: State, seat: int) -> tuple[int, int, int]:
    """Return the weakest colour, the number of colours at 2 or more, and the place in the order of turns."""  # R9
    purse = state.coins[seat]
    return min(purse), sum(coins >= 2 for coins in purse), (seat - state.priority) % state.seats
