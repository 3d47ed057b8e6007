"""Claims as pages show them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from events import store
from matches.seasons import repository
from matches.seasons.domain.acts import Offer
from matches.seasons.domain.claim_acts import WithdrawClaim
from matches.seasons.domain.claims import CLAIMS
from matches.seasons.reads import disputes
from matches.seasons.reads.event_documents import display_names
from matches.web.seasons.foreseeing import Foresee


class ShownClaim(Struct, frozen=True):
    """A claim, its kind in words, and its author's name; `foreseen` is a preview of its withdrawal, for its author
    only."""

    claim: disputes.ClaimDocument
    what: str
    by: str
    foreseen: dict[str, Any] | None = None


def shown_claims(season_id: UUID, upto: int | None = None, episode: int | None = None) -> list[ShownClaim]:
    """Return the season's claims, or those of an episode, the newest first."""
    claims = disputes.claims(season_id, store.clock(), upto, episode=episode).results
    return in_words(claims, display_names(repository.load(season_id, upto=upto)) if claims else {})


def in_words(claims: Sequence[disputes.ClaimDocument], called: Mapping[str, str]) -> list[ShownClaim]:
    """Return the claims in words, the newest first; `called` are display names by account."""
    return [
        ShownClaim(it, CLAIMS[it.kind], called.get(str(it.player.id)) or it.player.username) for it in reversed(claims)
    ]


def withdrawable(claims: Sequence[ShownClaim], offered: Offer, foresee: Foresee) -> list[ShownClaim]:
    """Return the claims; those whose withdrawal is offered with a preview of it."""
    previews = {it: foresee(WithdrawClaim(it)) for it in offered.values("number")}
    return [replace(it, foreseen=previews.get(it.claim.number)) for it in claims]
