"""An invited player accepts or declines on the pages; everybody reads there who has yet to."""

import html

from matches.models import Match
from matches.services import accepting
from matches.storage import repository
from tests.pages import as_read
from tests.table_setting import BOT, new_account, running_match, waiting_match
from tests.web.match_setting import client_of, send


def text_of(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return html.unescape(as_read(answer))


def test_the_lobby_calls_and_the_table_asks() -> None:
    ann, ben = new_account(), new_account()
    match = waiting_match("pyramid_poker", ann, ben, opener=ann)
    lobby = text_of(client_of(ben), "/")
    assert "Needs you" in lobby and "Do you play?" in lobby
    seats = f"/m/{match.code}/seats"
    lobby_of_invited, lobby_of_opener = text_of(client_of(ben), seats), text_of(client_of(ann), seats)
    assert "Accept the match" in lobby_of_invited and "hasn't accepted yet" in lobby_of_invited
    assert (
        "Accept the match" not in lobby_of_opener
        and f"Waits for <bdi>{ben.username}</bdi> to accept" in lobby_of_opener
    )
    answer = client_of(ben).post(f"/m/{match.code}/accept")
    assert (answer.status_code, answer.headers["Location"]) == (302, seats)
    assert "accepted yet" not in text_of(client_of(ann), seats)
    assert "Do you play?" not in text_of(client_of(ben), "/")


def test_declined_seat_is_free_and_the_host_reads_what_to_do() -> None:
    ann, ben = new_account(), new_account()
    match = waiting_match("pyramid_poker", ann, ben, opener=ann)
    refused = client_of(ben).post(f"/m/{match.code}/decline", {"reason": "No\0 time."})
    assert refused.status_code == 400 and "U+0000" in refused.content.decode()
    answer = client_of(ben).post(f"/m/{match.code}/decline", {"reason": "No time."}, follow=True)
    assert f"You have declined match {match.code}." in html.unescape(answer.content.decode())
    assert repository.load(match.id).lifecycle.players == (str(ann.id), None)
    assert "Seat B was declined." in text_of(client_of(ann), f"/m/{match.code}/seats")
    again = client_of(ben).post(f"/m/{match.code}/decline", follow=True)
    assert "You hold no seat at this match." in again.content.decode()


def test_match_page_names_the_player_who_has_yet_to_accept() -> None:
    ann, ben = new_account(), new_account()
    match = running_match("pyramid_poker", ben, ann, opener=ann)
    page, waits = f"/m/{match.code}/", f"Waits for {ben.username} to accept"
    assert waits in text_of(client_of(ann), page) and 'id="invited"' not in text_of(client_of(ann), page)
    page_of_invited = text_of(client_of(ben), page)
    assert 'id="invited"' in page_of_invited and 'data-invited="yes"' in page_of_invited
    send(match, 0, ben, "first me")
    for reader in (ann, ben):
        text = text_of(client_of(reader), page)
        assert waits not in text and 'id="invited"' not in text


def test_result_without_acceptance_is_labelled_as_uncounted() -> None:
    ann, ben = new_account(), new_account()
    match = running_match("pyramid_poker", ann, ben, opener=ann)
    send(match, 0, ann, "resign")
    page = text_of(client_of(ben), f"/m/{match.code}/")
    assert "This result counts for nobody" in page and 'id="invited"' not in page
    alone = running_match("pyramid_poker", ann, BOT, opener=ann)
    send(alone, 0, ann, "resign")
    assert "counts for nobody" not in text_of(client_of(ann), f"/m/{alone.code}/")


def test_stranger_cannot_accept_or_decline() -> None:
    ann, ben = new_account(), new_account()
    match = waiting_match("pyramid_poker", ann, ben, opener=ann)
    for word in ("accept", "decline"):
        client_of(new_account()).post(f"/m/{match.code}/{word}")
        client_of().post(f"/m/{match.code}/{word}")
        assert client_of(ben).get(f"/m/{match.code}/{word}").status_code == 302
    assert repository.load(match.id).lifecycle.awaited == (1,)
    assert Match.objects.get(id=match.id).status == "waiting"
    accepting.accept(match_id=match.id, player=ben.id)
    assert repository.load(match.id).lifecycle.awaited == ()
