"""A match in the middle, moves from elsewhere, and a browser without scripts."""

from django.test import Client

from matches.models import Account, Match
from matches.services import playing
from matches.storage import repository
from tests.table_setting import new_account, running_match


def client_of(account: Account | None = None) -> Client:
    """A browser without scripts."""
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    if account:
        client.force_login(account)
    return client


def building() -> tuple[Match, Account, Account]:
    """Pyramid Poker under construction, the first account to move."""
    one, two = new_account(), new_account()
    match = running_match("pyramid_poker", one, two)
    send(match, 0, one, "first me")
    return match, one, two


def send(match: Match, seat: int, account: Account, text: str) -> None:
    """A move from elsewhere."""
    key = f"elsewhere {repository.version_of(match.id)}"
    command = playing.Typed(text)
    playing.submit(match_id=match.id, seat=seat, player=str(account.id), command=command, key=key, fingerprint=b"")
