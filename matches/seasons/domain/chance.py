"""A season's chance: a chain of links, each the hash of the next, whose first stands in the season's opening. Pure.

The house keeps a root of 32 random bytes. Link n is the root hashed `LINKS - n` times with SHA-256; `season_opened`
tells link 0. Draw n (from 1) shows link n: whoever hashes it gets the one that was shown before, so the house could
choose none of them once the season was open. Which of the choices is drawn is `below(len(choices), "season draw")` at
version n of `croupier-chance-v1`, whose seed is the link.
"""

from collections.abc import Sequence
from hashlib import sha256

from games.kernel import Chance

LINKS = 1024
"""Most draws of a season."""
_PURPOSE = "season draw"


def commitment(root: bytes) -> str:
    """Return link 0, which the season's opening shows."""
    return link(root, 0)


def link(root: bytes, number: int) -> str:
    """Return the link that a draw shows, as hex digits."""
    value = root
    for _ in range(LINKS - number):
        value = sha256(value).digest()
    return value.hex()


def follows(shown: str, before: str) -> bool:
    """True if a link hashes to the one that was shown before."""
    return sha256(bytes.fromhex(shown)).hexdigest() == before


def drawn(shown: str, number: int, choices: Sequence[str]) -> str:
    """Return the choice of a draw, by its number and link."""
    return choices[Chance(bytes.fromhex(shown), number).below(len(choices), _PURPOSE)]
