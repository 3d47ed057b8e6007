"""The pulse asks as much for many matches as for one, and finds what hints would have said."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.utils import timezone

from events import pipeline
from events.records import NOWHERE, Point
from matches.http.authentication import Credential
from matches.models import AccessToken, Account, Match
from matches.publishing import presence
from matches.publishing.presence import Present
from matches.reads import permissions, selectors
from matches.realtime import access, talk_access, turn_alerts
from matches.realtime.pulse import OpenState, Share, Shared, load_changes, shares_of
from matches.storage import repository
from tests.api.guests import PASSWORD, Guest, guest, started
from tests.api.seasons import Cup
from tests.live.test_access import page_of
from tests.table_setting import new_account, new_token, play_on, running_match


@contextmanager
def questions(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The statements that are sent to the database meanwhile."""
    statements_sent: list[str] = []
    begin = pipeline.Exchange.__init__

    def noting(self: pipeline.Exchange, to: object, statements: list[pipeline.Statement], **more: bool) -> None:
        statements_sent.extend(str(sql) for sql, _ in statements)
        begin(self, to, statements, **more)  # type: ignore[arg-type]

    def note(execute: object, sql: str, *rest: object) -> object:
        statements_sent.append(sql)
        return execute(sql, *rest)  # type: ignore[operator]

    with monkeypatch.context() as patched, connection.execute_wrapper(note):
        patched.setattr(pipeline.Exchange, "__init__", noting)
        yield statements_sent


def asked_about(players: list[Guest], matches: list[UUID]) -> OpenState:
    """All that can be open at these matches for these players."""
    accounts = [UUID(player.id) for player in players]
    tokens = AccessToken.objects.filter(account__in=accounts)
    return OpenState(
        held={(token.account_id, Credential(token=token.id)) for token in tokens},
        watched={(account, match_id) for account in accounts for match_id in matches},
        points={match_id: repository.end_of(match_id) for match_id in matches},
        alerted=accounts,
        talks=matches,
    )


def test_pulse_takes_as_many_queries_for_many_matches_as_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    cups = [Cup(4, public=False) for _ in range(3)]
    matches = [UUID(cup.death_match()) for cup in cups]
    for _ in range(4):
        matches.append(UUID(started("pyramid_poker", guest(), guest())))
    counts = []
    for many in (1, 3):
        players = [player for cup in cups[:many] for player in cup.players]
        about = asked_about(players, matches[: 2 * many + 1])
        with questions(monkeypatch) as asked:
            found = load_changes(about)
        counts.append(len(asked))
        assert (found.refused, found.moved, found.lost) == (set(), [], set())
    assert counts[0] == counts[1]


def test_pulse_reports_only_changed_and_lost_matches() -> None:
    unchanged, moved, other = (running_match("pyramid_poker") for _ in range(3))
    points = {match.id: repository.end_of(match.id) for match in (unchanged, moved, other)}
    never = uuid4()
    play_on(moved, 1)
    points |= {other.id: Point(points[other.id].version, bytes(32)), never: NOWHERE}
    rows, lost = selectors.moved_from(points)
    assert {it.match_id: it.newest for it in rows} == {
        moved.id: repository.end_of(moved.id), other.id: repository.end_of(other.id),
    }  # fmt: skip
    assert not any(it.overdue for it in rows)
    assert lost == {never}


def test_batched_access_check_equals_the_single_one() -> None:
    cup, rival = Cup(4, public=False), Cup(4, public=False)
    organiser, stranger = new_account(is_organiser=True), new_account()
    matches = [UUID(cup.death_match()), UUID(rival.death_match()), running_match("pyramid_poker").id]
    accounts = [None, organiser.id, stranger.id, *(UUID(it.id) for it in (*cup.players, *rival.players))]
    watched = {(account, match_id) for account in accounts for match_id in matches}
    expected = {(account, id) for account, id in watched if not permissions.may_see(id, account)}
    assert access.unseen(watched) == expected
    assert 0 < len(expected) < len(watched)


def test_invalid_credentials_are_found_in_one_query() -> None:
    good, revoked, expired, deactivated = (new_account() for _ in range(4))
    tokens = {
        account: AccessToken.objects.get(id=_token_of(account)) for account in (good, revoked, expired, deactivated)
    }
    AccessToken.objects.filter(id=tokens[revoked].id).update(revoked_at=timezone.now())
    AccessToken.objects.filter(id=tokens[expired].id).update(expires_at=timezone.now() - timedelta(seconds=1))
    Account.objects.filter(id=deactivated.id).update(is_active=False)
    held = {(account.id, Credential(token=token.id)) for account, token in tokens.items()}
    borrowed = (deactivated.id, Credential(token=tokens[good].id))

    reader, changed, left = (new_account(PASSWORD) for _ in range(3))
    for account in (reader, changed, left):
        session = page_of(account).cookies["sessionid"].value
        held.add((account.id, Credential(session=session, proof=account.get_session_auth_hash())))
    Account.objects.filter(id=changed.id).update(password="another")
    session_of_left = next(it.session for account, it in held if account == left.id)
    connection.cursor().execute("DELETE FROM django_session WHERE session_key = %s", [session_of_left])

    refused = access.refused(held | {borrowed})
    assert {account for account, _ in refused} == {revoked.id, expired.id, deactivated.id, changed.id, left.id}
    assert borrowed in refused


def _token_of(account: Account) -> UUID:
    new_token(account)
    return account.tokens.get().id


def test_matches_that_need_an_account_change_with_each_move() -> None:
    players = [new_account(), new_account()]
    match = running_match("pyramid_poker", *players)
    ids = [player.id for player in players]
    before = turn_alerts.needed_by(ids)
    assert sum(map(len, before.values())) == 1
    play_on(match, 1)
    assert turn_alerts.needed_by(ids) != before


def test_signature_of_a_talk_changes_with_its_readers() -> None:
    opener, heir, players = guest(), guest(), [guest(), guest()]
    match = UUID(started("pyramid_poker", *players, opener=opener))
    signs = [talk_access.signs([match])]
    assert opener.post(f"/matches/{match}/remarks", {"thread": "spectators", "text": "Good luck."}).status == 201
    signs.append(talk_access.signs([match]))
    body = {"seat": 1, "player": heir.id, "reason": "The train is late."}
    assert opener.post(f"/matches/{match}/substitute", body).status == 200
    signs.append(talk_access.signs([match]))
    Match.objects.filter(id=match).update(status=Match.Status.FINISHED)
    signs.append(talk_access.signs([match]))
    assert len({sign[match] for sign in signs}) == 4
    assert talk_access.signs([match]) == signs[-1]


@pytest.mark.parametrize("many", [1, 199, 201, 5000])
def test_everything_is_of_one_share(many: int) -> None:
    things: Shared[int] = Shared()
    for number in range(many):
        things[uuid4()] = number
    assert len(things) == many
    shares = shares_of(many)
    shared = [thing for number in range(shares) for _, thing in things.of(Share(number, shares))]
    assert sorted(shared) == list(range(many))
    assert shares < 2 + many / 200


def test_beat_reports_presence_here_and_reads_that_of_all_processes() -> None:
    crowded, empty, elsewhere = uuid4(), uuid4(), uuid4()
    presence.note({elsewhere: [presence.seat(1)]})
    crowd = [presence.watcher(str(number)) for number in range(2500)]
    found = presence.beat({crowded: [presence.seat(0), *crowd], empty: [], elsewhere: [presence.watcher("a")]})
    assert found == {crowded: Present((0,), 2500), empty: Present(), elsewhere: Present((1,), 1)}
    assert presence.present_at(crowded) == Present((0,), 2500)
    presence.change({empty: [presence.seat(3)]}, {crowded: crowd})
    assert presence.among([crowded, empty]) == {crowded: Present((0,), 0), empty: Present((3,), 0)}
