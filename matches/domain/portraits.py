"""Where an account's portrait is found: a picture it has uploaded, else one of the faces drawn for it.

Which faces these are hangs on the account's id and the number of the face alone, so nobody can take another's, and
nothing is read out of a name.
"""

from functools import lru_cache
from typing import Final
from uuid import UUID

from games.drawing.portraits import NOBODY, seed_of

FACES: Final = 1000
"""How many faces are drawn for an account, numbered from 0."""


def face(account: UUID, number: int | None) -> str:
    """The seed of one of the account's faces; without a number that of nobody, as erased accounts have it."""
    return NOBODY if number is None else seed_of("person", f"{account}/{number}")


@lru_cache(4096)
def address(account: UUID, number: int | None, picture: str = "") -> str:
    """Where the portrait is, from the root of the house: the picture of this name, else the face of this number."""
    return f"/portraits/{picture}.jpg" if picture else f"/portraits/{face(account, number)}.svg"


@lru_cache(4096)
def guest_address(account: UUID) -> str:
    """Where the portrait of an account is with which nobody has signed up: a mask."""
    return f"/portraits/{seed_of('guest', str(account))}.svg"


def bot_address(match: UUID, seat: int) -> str:
    """Where the portrait of the bot at a seat is: another one at each match, the same from its start to its end."""
    return f"/portraits/{seed_of('bot', f'{match}/{seat}')}.svg"


def tutor_address() -> str:
    """Where the portrait is of the bot that teaches: one face in all lessons."""
    return f"/portraits/{seed_of('bot', 'tutor')}.svg"


def nobody_address() -> str:
    """Where the portrait is of who is no more, or isn't there."""
    return f"/portraits/{NOBODY}.svg"
