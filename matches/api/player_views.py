"""Results of a player's matches and seasons, as far as the caller may know."""

from uuid import UUID

from django.http import Http404, HttpResponse
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.operations import operation
from matches.http.responses import answer
from matches.models import Account
from matches.reads.documents.match import PlayerDocument
from matches.reads.players import Career, Rival, Tally, career_of
from matches.seasons.reads.careers import Tenure, seasons_of
from matches.seasons.reads.documents import PlayerStatus

_MOST_RIVALS = 50


class RivalDocument(Struct, frozen=True):
    """Another player at the same tables: how many matches both sat at, how many of them this player won and not the
    other, and vice versa."""

    player: PlayerDocument
    met: int
    won: int
    lost: int


class PartDocument(Struct, frozen=True):
    """A season: `place` is 1 for its champion, and null for a player who still plays or was substituted."""

    season: UUID
    title: str
    status: PlayerStatus
    place: int | None
    garnets: int


class CareerDocument(Struct, frozen=True):
    """A player's matches that count and whose end the caller may know. `recent` are the newest results, newest first,
    true if won; `run` is the number of the latest wins in a row, `longest_run` the most. Runs and rivals are of the
    newest 1000 matches, rivals the fifty most frequent ones, seasons the newest six."""

    player: PlayerDocument
    played: int
    won: int
    games: list[Tally]
    recent: list[bool]
    run: int
    longest_run: int
    rivals: list[RivalDocument]
    seasons: list[PartDocument]


class PlayerView(APIView):
    scopes = {"GET": "match:read"}

    @operation("readCareer", tag="History", answers={200: CareerDocument})
    def get(self, request: Request, account_id: UUID) -> HttpResponse:
        """Return a player's results: by game, in runs, against others and in seasons. The matches themselves are listed
        at .../results."""
        account = Account.objects.filter(id=account_id, is_active=True).first()
        if account is None:
            raise Http404
        career = career_of(account_id, request.user)
        return answer(_document(account, career, seasons_of(account_id, request.user)))


def _document(account: Account, career: Career, parts: list[Tenure]) -> CareerDocument:
    return CareerDocument(
        player=_person(account),
        played=career.played,
        won=career.won,
        games=career.tallies,
        recent=career.recent,
        run=career.run,
        longest_run=career.longest.length,
        rivals=_rivals(career.rivals[:_MOST_RIVALS]),
        seasons=[
            PartDocument(it.season.id, it.season.title, it.standing.status, it.standing.place, it.standing.garnets)
            for it in parts
        ],
    )


def _rivals(rivals: list[Rival]) -> list[RivalDocument]:
    """Return the rivals whose accounts still exist."""
    accounts = Account.objects.filter(id__in=[it.account for it in rivals], is_active=True).in_bulk()
    return [
        RivalDocument(_person(accounts[it.account]), it.met, it.won, it.lost) for it in rivals if it.account in accounts
    ]


def _person(account: Account) -> PlayerDocument:
    return PlayerDocument(account.id, account.username, account.portrait)
