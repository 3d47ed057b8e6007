"""The shop: prices and purchases."""

from collections.abc import Iterator

from games.kernel import Event, Illegal
from games.peeling_the_banana.events import AvailabilityChanged, Bought
from games.peeling_the_banana.options import most_of
from games.peeling_the_banana.pieces import UPGRADES, kind_of
from games.peeling_the_banana.state import State


def price_for(state: State, seat: int, item: str) -> int:
    """Return the price for a seat: haggling makes it 1 less, but at least 1. R11"""
    price: int = state.options.shop[item]
    return max(1, price - state.upgrades[seat].haggle)


def sold_out(state: State, seat: int, item: str) -> bool:
    """True if the seat has an upgrade as often as allowed. R11"""
    return item in UPGRADES and getattr(state.upgrades[seat], item) >= most_of(state.options, item)


def affordable(state: State, seat: int) -> list[str]:
    """Return the items that a seat can buy now, in the shop's order."""
    coins = state.coins[seat]
    return [
        item for item in state.options.shop if price_for(state, seat, item) <= coins and not sold_out(state, seat, item)
    ]


def purchase(state: State, seat: int, item: str) -> Iterator[Event]:
    """Return the events of a purchase; raise Illegal with not_sold, sold_out or too_dear."""
    if item not in state.options.shop:
        raise Illegal("not_sold", f"The shop sells {', '.join(state.options.shop) or 'nothing'}.")
    if sold_out(state, seat, item):
        raise Illegal("sold_out", f"You can't have more of the upgrade {item}.")
    price, coins = price_for(state, seat, item), state.coins[seat]
    if price > coins:
        raise Illegal("too_dear", f"{item} costs you {price} and you have {coins}.")
    return _deliver(state, seat, item, price)


def _deliver(state: State, seat: int, item: str, price: int) -> Iterator[Event]:
    if item in UPGRADES:
        yield Bought(seat, item, price)
        return
    theirs = shared_by_buying(state, seat, item)
    if theirs is None:
        yield Bought(seat, item, price, f"{item}#{state.issued.get(item, 0) + 1}")
    else:
        yield Bought(seat, item, price, theirs)
        yield AvailabilityChanged(theirs, (0, 1))


def shared_by_buying(state: State, seat: int, kind: str) -> str | None:
    """Return the other seat's card that a purchase makes available to both; None if it makes a new card. R10"""
    alike = [card for card in (*reversed(state.discard), *reversed(state.deck)) if kind_of(card) == kind]
    if not alike or any(seat in state.available[card] for card in alike):
        return None
    return alike[0]
