"""The open offers between the seats of a match, as documents."""

from uuid import UUID

from events import store
from matches.domain import offers
from matches.domain.match_state import MatchState
from matches.domain.open_offers import Offer
from matches.reads.documents.match import OfferDocument
from matches.storage import codec


def offers_documents(match_state: MatchState, match_id: UUID) -> list[OfferDocument]:
    """Return the offers that are open at a version, oldest first."""
    return [_document(match_state, match_id, offer) for offer in match_state.lifecycle.offers.waiting]


def learnt_since(match_id: UUID, after: int, upto: int) -> list[int]:
    """Return the seats that have seen a secret after a version and up to another."""
    rows = store.read(match_id, after=after, upto=upto)
    return sorted({seat for it in rows for seat in codec.seats_of(it.audience)})


def _document(match_state: MatchState, match_id: UUID, offer: Offer) -> OfferDocument:
    to_version = offer.to_version
    return OfferDocument(
        number=offer.number,
        seat=offer.seat,
        kind=offer.kind,
        accepted=list(offer.accepted),
        awaited=list(offers.awaited(match_state.lifecycle, offer)),
        to_version=to_version,
        learnt=[] if to_version is None else learnt_since(match_id, to_version, match_state.version),
        minutes=offer.minutes,
    )
