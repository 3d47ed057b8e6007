"""The rules: who must act, which events a bid causes, and who wins."""

from collections.abc import Iterable

from games.kernel import Chance, Command, Due, Event, Illegal, Outcome, Prompt, two_seat_outcome
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold, TieBroken
from tests.recipe.sealed_bids.pieces import LOTS, SEATS
from tests.recipe.sealed_bids.state import State, coins_of, points_of


def due(state: State) -> Due:
    """Return who must act: the dealer draws a lot, then both seats bid at the same time. R2 and R3"""
    if outcome(state) is not None:
        return Due()
    if state.lot is None:
        return Due(dealer=True)
    prompts = [Prompt(seat, ("bid",), f"lot {len(state.sales) + 1}", "bid") for seat in SEATS]
    return Due(
        prompts=tuple(prompt for prompt in prompts if state.bids[prompt.seat] is None),
        amendable=tuple(prompt for prompt in prompts if state.bids[prompt.seat] is not None),
    )


def decide(state: State, seat: int, command: Command, chance: Chance) -> Iterable[Event]:
    """Return the events of a seat's command; raise Illegal."""
    match command:
        case Bid(coins=coins):
            held = coins_of(state, seat)
            if not 0 <= coins <= held:  # R3
                raise Illegal("no_such_bid", f"Your purse holds {held} coins; bid 0 to {held}.")
            return _sealed(state, seat, coins, chance)
    raise TypeError(f"{command!r} is not a command of this game.")


def deal(state: State, chance: Chance) -> Iterable[Event]:
    """Return the draw of the next lot. R2"""
    sold = {sale.lot for sale in state.sales}
    return (LotDrawn(chance.choice([lot for lot in LOTS if lot not in sold], "lot")),)


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Return the events of a fallen flag: a bid of 0 coins. R7"""
    return _sealed(state, seat, 0, chance)


def outcome(state: State) -> Outcome | None:
    """Return the result of the match, None while it goes on. R6 and R8"""
    score = {seat: points_of(state, seat) for seat in SEATS}
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", score)
    if len(state.sales) < len(LOTS):
        return None
    winner = max(SEATS, key=lambda seat: (score[seat], coins_of(state, seat), seat == state.priority))
    return two_seat_outcome(winner, "played", score)


def _sealed(state: State, seat: int, coins: int, chance: Chance) -> Iterable[Event]:
    """Yield the bid; if it is the second one, also the sale."""
    yield BidSubmitted(seat, coins)
    other = state.bids[1 - seat]
    if state.lot is not None and isinstance(other, int):
        yield from _sold(state.lot, (coins, other) if seat == 0 else (other, coins), chance)


def _sold(lot: int, bids: tuple[int, int], chance: Chance) -> Iterable[Event]:
    yield BidsOpened(bids)
    winner = int(bids[1] > bids[0])  # R4
    if bids[0] == bids[1]:  # R5
        winner = chance.choice(SEATS, "tie")
        yield TieBroken(winner)
    yield LotSold(winner, lot, bids[winner])
