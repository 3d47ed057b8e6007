"""Addresses of portraits: an uploaded picture, or a face drawn for the account.

The faces depend only on the account's id and the face's number, so nobody can take another account's face, and nothing
is derived from a name.
"""

from functools import lru_cache
from typing import Final
from uuid import UUID

from games.drawing.portraits import NOBODY, seed_of

FACES: Final = 1000
"""Number of faces per account, numbered from 0."""


def face(account: UUID, number: int | None) -> str:
    """Return the seed of one of the account's faces; None gives the blank face that erased accounts have."""
    return NOBODY if number is None else seed_of("person", f"{account}/{number}")


@lru_cache(4096)
def address(account: UUID, number: int | None, picture: str = "") -> str:
    """Return the path of a portrait: the picture with this name, otherwise the face with this number."""
    return f"/portraits/{picture}.jpg" if picture else f"/portraits/{face(account, number)}.svg"


@lru_cache(4096)
def guest_address(account: UUID) -> str:
    """Return the path of a guest's portrait, a mask."""
    return f"/portraits/{seed_of('guest', str(account))}.svg"


def bot_address(match: UUID, seat: int) -> str:
    """Return the path of the portrait of the bot at a seat; it differs between matches."""
    return f"/portraits/{seed_of('bot', f'{match}/{seat}')}.svg"


def tutor_address() -> str:
    """Return the path of the tutor's portrait, the same in all lessons."""
    return f"/portraits/{seed_of('bot', 'tutor')}.svg"


def nobody_address() -> str:
    """Return the path of the blank portrait."""
    return f"/portraits/{NOBODY}.svg"
