"""Names of seats: people read their players' names, shortened so that they stay distinct."""

from django.test import Client

from matches.domain.names import MAX_LENGTH, name_key
from matches.models import Account, Match
from matches.reads.sentences import LONGEST_NAME, names_of, short_names_of
from matches.services import hosting, opening
from tests.table_setting import BOT, new_account, running_match, waiting_match


def called(name: str) -> Account:
    """An account of this name."""
    account = new_account()
    account.username, account.name_key = name, name_key(name)
    account.save()
    return account


def page_of(match: Match, account: Account) -> str:
    client = Client(headers={"host": "localhost"})
    client.force_login(account)
    return client.get(f"/m/{match.code}/").content.decode()


def test_seat_has_its_players_name_or_its_letter() -> None:
    one = new_account()
    assert names_of(waiting_match("pentagram", one, None, BOT)) == [one.username, "Seat B", "Bot"]
    assert names_of(waiting_match("pentagram", BOT, None, BOT)) == ["Bot A", "Seat B", "Bot C"]


def test_shortened_names_stay_distinct() -> None:
    tail = new_account().username[-8:]
    alike = [called(f"{'Wolf' * 6}{number}{tail}") for number in range(2)]
    short = called(f"Mo{tail}")
    names = short_names_of(running_match("pentagram", *alike, short))
    assert names == [f"{('Wolf' * 6)[: LONGEST_NAME - 1]}… A", f"{('Wolf' * 6)[: LONGEST_NAME - 1]}… B", short.username]


def test_seat_strip_has_the_full_name() -> None:
    long = called((("Ab" * MAX_LENGTH)[: MAX_LENGTH - 8]) + new_account().username[-8:])
    page = page_of(running_match("pyramid_poker", long, BOT), long)
    assert f">{long.username}</span>" in page


def test_log_names_the_players_in_lifecycle_events() -> None:
    one, two = new_account(), new_account()
    match = waiting_match("pyramid_poker", one, two, opener=one)
    opening.add_nonce(match_id=match.id, player=two.id, seat=1, nonce="mine")
    opening.start(match_id=match.id, by=one.id, reason="A test.")
    hosting.adjudicate(match_id=match.id, by=new_account().id, winners=[1], reason="It was late.")
    page = page_of(Match.objects.get(id=match.id), one)
    log = page[page.index('id="lines"') : page.index('id="fairness"')]
    for sentence in (
        "A player took seat B.",
        f"{two.username} added a nonce to the seed.",
        f"The match was decided for {two.username}: It was late.",
        f"The match is over: {two.username} won",
    ):
        assert sentence in log
    assert "seat 1" not in log.lower()
