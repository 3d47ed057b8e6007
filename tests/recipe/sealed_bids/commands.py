"""The commands of a seat."""

from games.kernel import Command


class Bid(Command, frozen=True):
    """Offer `coins` for the lot, in secret. A later bid replaces it."""

    coins: int
