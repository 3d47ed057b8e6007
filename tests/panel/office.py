"""People before the panel: browsers of accounts, and a match with a host of its own."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.test import Client

from events import store
from matches.domain import host_acts
from matches.models import Account, Match
from matches.storage import repository
from tests.pages import as_read
from tests.table_setting import BOT, new_account, play_on, running_match


class Desk:
    """A browser of one account, or of nobody."""

    def __init__(self, account: Account | None = None) -> None:
        self.browser = Client(SERVER_NAME="localhost")
        if account:
            self.browser.force_login(account)

    def get(self, address: str, **query: Any) -> HttpResponse:
        """GET."""
        return self.browser.get(address, query)

    def post(self, address: str, **fields: Any) -> HttpResponse:
        """POST of a form."""
        return self.browser.post(address, fields)

    def act(self, match: Match, name: str, **fields: Any) -> HttpResponse:
        """POST of an act's form that was made for the match as it is now."""
        fields.setdefault("expected", host_acts.seats_and_status(repository.load(match.id).lifecycle))
        return self.post(room(match, f"{name}/"), **fields)

    def read(self, address: str, **query: Any) -> str:
        """The page's text; it must be there."""
        answer = self.get(address, **query)
        assert answer.status_code == 200, answer.status_code
        return as_read(answer)


def room(match: Match, part: str = "") -> str:
    """The address of a match's control room, or of a part of it."""
    return f"/admin/matches/{match.code}/control/{part}"


def hosted_match(game: str = "pyramid_poker", moves: int = 4, **setting: Any) -> tuple[Match, Account]:
    """A match under way between two people, and its host, who holds no seat."""
    host, (ada, bela) = new_account(), (new_account(), new_account())
    match = running_match(game, ada, bela, opener=host, **setting)
    play_on(match, moves)
    return match, host


def bots_match(host: Account, game: str = "pyramid_poker") -> Match:
    """A match of two bots."""
    return running_match(game, BOT, BOT, opener=host)


def types_of(match_id: UUID, after: int = 0) -> list[str]:
    """The types of the events after a version."""
    return [row.type for row in store.read(match_id, after=after)]


def version_of(match: Match) -> int:
    """The newest version in the log."""
    head = store.head(match.id)
    assert head
    return head.version
