"""Notes over REST: the same that the pages keep, for the same eyes."""

from matches.models import Account
from tests.api.guests import guest, started
from tests.web.match_setting import client_of


def test_notes_are_the_pages_own_and_lose_nothing() -> None:
    player, other = guest(), guest()
    match = started("pyramid_poker", player, other)
    path = f"/matches/{match}/note"
    saved = player.ask("PUT", path, b'{"text": "North row.", "known": []}')
    assert saved.status == 200 and player.get(path).json == saved.json
    code = player.get(f"/matches/{match}").json["code"]
    page = client_of(Account.objects.get(id=player.id))
    assert page.get(f"/m/{code}/note", headers={"Accept": "application/json"}).json() == saved.json
    unaware = player.ask("PUT", path, b'{"text": "South row."}').json
    assert unaware["text"] == "South row.\nNorth row."
    body = b'{"text": "Neither.", "known": ["%s"]}' % unaware["mark"].encode()
    assert player.ask("PUT", path, body).json["text"] == "Neither."
    assert other.get(path).json["text"] == ""


def test_a_seat_without_aids_has_no_notes_until_the_end() -> None:
    player = guest()
    match = started("pyramid_poker", player, guest(), aids="none")
    path = f"/matches/{match}/note"
    for answer in (player.get(path), player.ask("PUT", path, b'{"text": "x"}')):
        assert answer.refusal == (409, "aids_off")
    player.send(match, {"type": "resign"})
    assert player.get(path).status == 200
