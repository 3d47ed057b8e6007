"""The schedule on a season's pages: its matches, with names in place of ids."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from games import catalogue
from matches.reads import selectors
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument
from matches.web.seasons.deeds import acting
from matches.web.seasons.ledger import Names
from matches.web.seasons.reading import Reading

_KINDS = {"main": "Main match", "death": "Death match", "final": "Final"}
_OVER = "Over; the season hears of it when spectators do."
_STANDING = {"running": "Under way.", "paused": "Paused.", "finished": _OVER, "void": _OVER}


class Fixture(Struct, frozen=True):
    """A match of the season in the schedule; `result` is empty before its end, `standing` is for until then."""

    what: str
    title: str
    players: str
    opens_at: datetime | None
    setup_closes_at: datetime | None
    status: str
    result: str
    standing: str
    address: str


def matches_in(document: SeasonDocument) -> list[SeasonMatchDocument]:
    """All matches of the season, the final's last."""
    return [match for it in document.episodes for match in it.matches] + document.final.matches


def fixtures(reading: Reading, matches: Iterable[SeasonMatchDocument]) -> list[Fixture]:
    """Matches as the schedule tells them to this reader."""
    listed = list(matches)
    begun = _begun(reading, [it.id for it in listed if it.status == "scheduled"])
    return [_fixture(match, reading.call, begun.get(match.id)) for match in listed]


def _begun(reading: Reading, match_ids: list[UUID]) -> dict[UUID, str]:
    """The status of each of these that is under way, or whose end is told late, as the reader may know it.

    A past version tells of none.
    """
    if reading.is_past:
        return {}
    me = reading.reader.id if reading.reader else None
    found = selectors.visible_to(selectors.with_seats(match_ids), me, *_STANDING)
    return {match.id: match.status for match in found}


def _fixture(match: SeasonMatchDocument, call: Names, begun: str | None) -> Fixture:
    what = _KINDS[match.kind] if match.kind == "final" else f"{_KINDS[match.kind]}, episode {match.episode}"
    return Fixture(
        what=what,
        title=catalogue[match.game].title,
        players=(" against " if match.kind != "main" else ", ").join(
            acting(match.who_played(it), it, call) for it in match.players
        ),
        opens_at=datetime.fromisoformat(match.opens_at) if match.opens_at else None,
        setup_closes_at=match.setup_closes_at if match.status == "scheduled" and not begun else None,
        status=match.status,
        result=_result(match, call),
        standing=_STANDING[begun] if begun else _start(match),
        address=f"/m/{match.id}/",
    )


def _result(match: SeasonMatchDocument, call: Names) -> str:
    winners = [match.winner] if match.winner else match.ranking[0] if match.ranking else []
    if match.status == "annulled":
        return "Doesn't count"
    if not winners:
        return ""
    told = f"{' and '.join(call(match.who_played(it)) for it in winners)} won"
    if match.status != "finished":
        return told
    return f"{told}, awaits {'the main match' if match.kind == 'main' else 'approval'}"


def _start(match: SeasonMatchDocument) -> str:
    return "It opens by itself." if match.opens_at else "Its host starts it."
