"""What spectators say at a match; its players read it once the match is over."""

from uuid import UUID

from games.kernel import SPECTATOR
from matches.domain.guests import not_for_guests
from matches.http.problems import Problem
from matches.models import Account
from matches.models.writing import Remark
from matches.reads import feed

LONGEST_REMARK = 500
MOST_REMARKS = 200


def refuse_listening(seat: int | None, over: bool) -> None:
    """Raise Problem `forbidden` for a seat before the end: to it the room is closed."""
    if seat is not None and not over:
        raise Problem("forbidden", "You read what spectators said once the match is over.")


def say(match_id: UUID, account: Account, seat: int | None, text: str) -> Remark:
    """A spectator's remark, in one line; raises Problem, and `not_for_guests`."""
    if account.is_guest:
        raise not_for_guests("Talk is for accounts alone.")
    if seat is not None:
        raise Problem("forbidden", "The talk is the spectators'; you hold a seat.")
    if not (said := " ".join(text.split())):
        raise Problem("malformed", "Write something first.")
    # As far as the speaker has been told the match: a late spectator's talk would else say how far it really is.
    version = feed.visible_state(match_id, SPECTATOR).version
    return Remark.objects.create(match_id=match_id, account=account, at_version=version, text=said)


def number_of(remark: Remark) -> int:
    """Which remark of its match it is, from 1."""
    return Remark.objects.filter(match_id=remark.match_id, id__lte=remark.id).count()


def latest(match_id: UUID, upto: int | None = None) -> list[Remark]:
    """The latest remarks, oldest first, up to a version."""
    said = Remark.objects.filter(match_id=match_id).select_related("account")
    if upto is not None:
        said = said.filter(at_version__lte=upto)
    return list(reversed(said.order_by("-id")[:MOST_REMARKS]))
