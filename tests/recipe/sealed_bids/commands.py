"""What a seat may ask for."""

from games.kernel import Command


class Bid(Command, frozen=True):
    """Offer so many coins for the lot, in secret; a later bid replaces it."""

    coins: int
