"""The schedule on a season's pages: its matches, with names in place of ids."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Struct

from matches.html.name_lists import joined_by_and, opposed
from matches.reads import selectors
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument
from matches.seasons.reads.open_rounds import OpenRound, open_rounds
from matches.web.seasons.deeds import acting
from matches.web.seasons.ledger import Names
from matches.web.seasons.reading import Reading

_KINDS = {
    "main": gettext_lazy("Main match, episode %(number)s"),
    "death": gettext_lazy("Death match, episode %(number)s"),
    "final": gettext_lazy("Final"),
}
_OVER = gettext_lazy("Over; the season gets the result when spectators do.")
_STANDING = {"running": gettext_lazy("Under way."), "paused": gettext_lazy("Paused."), "finished": _OVER, "void": _OVER}


class Fixture(Struct, frozen=True):
    """A match in the schedule; `result` is empty before its end, `standing` describes its state before its end.
    `open_round` is that of a contest, None if it has no deadline."""

    what: str
    title: str
    players: str
    opens_at: datetime | None
    setup_closes_at: datetime | None
    status: str
    result: str
    standing: str
    address: str
    open_round: OpenRound | None = None


def matches_in(document: SeasonDocument) -> list[SeasonMatchDocument]:
    """Return all matches of the season, the final's last."""
    return [match for it in document.episodes for match in it.matches] + document.final.matches


def fixtures(reading: Reading, matches: Iterable[SeasonMatchDocument]) -> list[Fixture]:
    listed = list(matches)
    begun = _begun(reading, [it.id for it in listed if it.status == "scheduled"])
    me = reading.reader.id if reading.reader else None
    rounds = open_rounds([it.id for it in listed if it.contest and it.id in begun], me)
    return [_fixture(match, reading.call, begun.get(match.id), rounds.get(match.id)) for match in listed]


def _begun(reading: Reading, match_ids: list[UUID]) -> dict[UUID, str]:
    """Return the status, as the reader may see it, of those of these matches that have begun; their results may still
    be held back by the spectator delay.

    It is empty for a past version.
    """
    if reading.is_past:
        return {}
    me = reading.reader.id if reading.reader else None
    matches = selectors.visible_to(selectors.with_seats(match_ids), me, *_STANDING)
    return {match.id: match.status for match in matches}


def _fixture(match: SeasonMatchDocument, call: Names, begun: str | None, open_round: OpenRound | None) -> Fixture:
    return Fixture(
        what=str(_KINDS[match.kind]) % {"number": match.episode},
        title=match.title,
        players=opposed([acting(match.who_played(it), it, call) for it in match.players], match.kind),
        opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at else None,
        setup_closes_at=match.setup_closes_at if match.status == "scheduled" and not begun else None,
        status=match.status,
        result=_result(match, call),
        standing=_STANDING[begun] if begun else _start(match),
        address=f"/m/{match.id}/",
        open_round=open_round,
    )


def _result(match: SeasonMatchDocument, call: Names) -> str:
    winners = [match.winner] if match.winner else match.ranking[0] if match.ranking else []
    if match.status == "annulled":
        return _("Doesn't count")
    if not winners:
        return ""
    who = {"names": joined_by_and([call(match.who_played(it)) for it in winners])}
    if match.status != "finished":
        return _("%(names)s won") % who
    return (
        _("%(names)s won, awaits the main match") if match.kind == "main" else _("%(names)s won, awaits approval")
    ) % who


def _start(match: SeasonMatchDocument) -> str:
    return _("It opens by itself.") if match.opens_at else _("Its host starts it.")
