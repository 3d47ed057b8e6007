"""Claims as pages show them, and the acts of the desk's forms for claims."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from events import store
from matches.html.text_fields import text_of
from matches.http.problems import Problem
from matches.seasons import repository
from matches.seasons.domain.claim_acts import MakeClaim, WithdrawClaim
from matches.seasons.domain.claim_events import ClaimKind
from matches.seasons.domain.claims import CLAIMS
from matches.seasons.reads import disputes
from matches.seasons.reads.event_documents import display_names
from matches.web.seasons.foreseeing import Foresee

CLAIMING = ("claim", "withdraw-claim")
KINDS = list(CLAIMS.items())
_LONGEST = 2000


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


def withdrawable(claims: Sequence[ShownClaim], account: UUID, foresee: Foresee) -> list[ShownClaim]:
    """Return the claims; the account's own open ones with a preview of their withdrawal."""
    return [
        replace(it, foreseen=foresee(WithdrawClaim(it.claim.number)))
        if it.claim.status == "open" and it.claim.player.id == account
        else it
        for it in claims
    ]


def claimed(request: HttpRequest, name: str) -> MakeClaim | WithdrawClaim:
    """Return the act of the form: a claim, or the withdrawal of one; raise Problem."""
    if name == "withdraw-claim":
        number = request.POST.get("number", "")
        if not (number.isascii() and number.isdigit() and len(number) <= 9):
            raise Problem("malformed", _("The form is out of date; load the page again."))
        return WithdrawClaim(int(number))
    text = text_of(request, _LONGEST).strip()
    kind = next((it for it in get_args(ClaimKind) if it == request.POST.get("kind")), None)
    if kind is None:
        raise Problem("malformed", _("Choose what has happened."))
    if not text:
        raise Problem(
            "malformed",
            _("Say what has happened, in at most %(most)s characters. It becomes part of the season's record.")
            % {"most": _LONGEST},
        )
    return MakeClaim(kind, text, request.POST.get("match") or None)
