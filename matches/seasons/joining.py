"""Addresses of a season's joining links. Each holds the season, the link's number and a signature of this server, so
that no address is stored and the organisers can read theirs at any time."""

import base64
import hmac
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

from events.pipeline import Statement
from games.kernel import Event
from matches.seasons import repository
from matches.seasons.domain.events import JoiningOpened
from matches.seasons.domain.intake import link_of
from matches.seasons.domain.intake_state import JoiningLink
from matches.seasons.domain.state import Season
from matches.seasons.models import Invitation
from matches.seasons.models import Season as SeasonRow

_SALT = "matches.seasons.joining"
_NUMBER = 2
_MARK = 14
_WHOLE = 16 + _NUMBER + _MARK
_KEEP = "INSERT INTO seasons_invitation (season_id, number, label) VALUES ($1, $2, $3)"


class Joining(NamedTuple):
    """A season and its joining link, as an address names them."""

    row: SeasonRow
    season: Season
    link: JoiningLink


def secret_of(season_id: UUID, number: int) -> str:
    """Return the secret in the address of a season's link with this number."""
    named = season_id.bytes + number.to_bytes(_NUMBER, "big")
    return base64.urlsafe_b64encode(named + _mark(named, settings.SECRET_KEY)).rstrip(b"=").decode()


def address_of(season_id: UUID, number: int, root: str) -> str:
    """Return the address of a joining link, below the public URL or else `root`."""
    return f"{settings.PUBLIC_URL or root}/join/{secret_of(season_id, number)}"


def load_joining(secret: str) -> Joining | None:
    """Return the link of a secret, with its season; None if the secret is invalid. Raise BrokenRecord."""
    named = _named(secret)
    if named is None:
        return None
    season_id, number = UUID(bytes=named[:16]), int.from_bytes(named[16:], "big")
    row = SeasonRow.objects.filter(id=season_id).first()
    if row is None:
        return None
    season = repository.load(season_id)
    return Joining(row, season, link_of(season, number))


def labels_of(season_id: UUID) -> dict[int, str]:
    """Return the labels of the invitations that nobody has followed, by the numbers of their links."""
    return dict(Invitation.objects.filter(season_id=season_id).values_list("number", "label"))


def keeping(season_id: UUID, events: list[Event], labels: list[str]) -> list[Statement]:
    """Return the statements that store one label for each link that these events open."""
    numbers = [event.link for event in events if isinstance(event, JoiningOpened)]
    return [(_KEEP, (season_id, number, label)) for number, label in zip(numbers, labels, strict=True)]


def _named(secret: str) -> bytes | None:
    """Return the season and number in a secret, or None if it isn't signed by this server."""
    try:
        whole = base64.b64decode(secret.encode("ascii") + b"=" * (-len(secret) % 4), b"-_", validate=True)
    except ValueError:
        return None
    named, mark = whole[:-_MARK], whole[-_MARK:]
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    good = len(whole) == _WHOLE and any(hmac.compare_digest(mark, _mark(named, key)) for key in keys)
    return named if good else None


def _mark(named: bytes, key: str) -> bytes:
    return salted_hmac(_SALT, named, secret=key, algorithm="sha256").digest()[:_MARK]
