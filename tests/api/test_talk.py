"""Talk over REST: who reads and says what, what hosts do about it, and whom nobody reads any more."""

from datetime import timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from matches.accounts import erasure
from matches.domain.talk import cleaned
from matches.domain.texts import BadText
from matches.models import Account
from matches.models.talk import Remark
from tests.api.guests import Answer, Guest, guest, started
from tests.table_setting import new_token

TABLE, SPECTATORS = {"thread": "table"}, {"thread": "spectators"}


class Room:
    """A match of two players that somebody else hosts, and two who watch it."""

    def __init__(self, **more: object) -> None:
        self.host, self.watcher, self.other = guest(), guest(), guest()
        self.players = guest(), guest()
        self.match = started("pyramid_poker", *self.players, opener=self.host, **more)
        self.path = f"/matches/{self.match}/remarks"

    def say(self, who: Guest, text: str, thread: str = "spectators", **headers: str) -> Answer:
        """Say something."""
        return who.post(self.path, {"text": text, "thread": thread}, **headers)

    def read(self, who: Guest, thread: str = "spectators") -> Answer:
        """Read a thread."""
        return who.get(self.path, {"thread": thread})

    def texts(self, who: Guest, thread: str = "spectators") -> list[str]:
        """Return the texts that somebody reads in a thread."""
        return [it["text"] for it in self.read(who, thread).json["results"]]

    def end(self) -> None:
        """One gives up."""
        assert self.players[0].send(self.match, {"type": "resign"}).status == 201


def test_players_read_the_spectators_talk_after_the_end() -> None:
    room = Room()
    response = room.say(room.watcher, "  What a\n move. ")
    assert response.status == 201 and response.json["text"] == "What a move."
    assert response.json["account"]["id"] == room.watcher.id and response.json["number"] == 1
    assert room.read(room.watcher).json == {"results": [response.json], "next": None}
    for player in room.players:
        assert room.read(player).refusal == room.say(player, "Hm.").refusal == (403, "forbidden")
    assert room.say(room.watcher, " \u202e\u200b \n ").refusal == (400, "malformed")
    assert Guest().get(room.path).refusal == (401, "not_authenticated")
    room.end()
    assert room.read(room.players[1]).json["results"] == [response.json]
    assert room.say(room.players[1], "We won.").refusal == (403, "forbidden")


def test_at_the_table_players_and_hosts_speak_and_all_read() -> None:
    room = Room()
    assert [room.say(it, "Well.", "table").status for it in (*room.players, room.host)] == [201, 201, 201]
    assert room.say(room.watcher, "Me too.", "table").refusal == (403, "forbidden")
    for reader in (*room.players, room.host, room.watcher):
        assert [it["number"] for it in room.read(reader, "table").json["results"]] == [1, 2, 3]


def test_former_and_new_seat_holders_read_no_spectators_talk_before_the_end() -> None:
    room = Room()
    leaver, substitute = room.players[1], guest()
    body = {"seat": 1, "player": substitute.id, "reason": "The train is late."}
    assert room.host.post(f"/matches/{room.match}/substitute", body).status == 200
    room.say(room.watcher, "Hearts!")
    assert room.read(leaver).refusal == room.read(substitute).refusal == (403, "forbidden")
    assert room.say(leaver, "I held the nine.").refusal == (403, "forbidden")
    assert room.say(leaver, "Bye.", "table").refusal == (403, "forbidden")
    room.end()
    assert room.texts(leaver) == ["Hearts!"]


def test_numbers_of_table_talk_reveal_nothing_of_the_spectators_talk() -> None:
    room = Room()
    first = room.say(room.players[0], "One.", "table").json
    for text in "abcdef":
        room.say(room.watcher, text)
    second = room.say(room.players[0], "Two.", "table").json
    assert (first["number"], second["number"]) == (1, 2) and first.keys() == second.keys()
    assert "id" not in first
    assert room.players[1].get(f"/matches/{room.match}/talk").json["reads"] == ["table"]


@pytest.mark.parametrize(
    ("open_to", "reads"),
    [
        ("off", [[], [], []]),
        ("members", [["table"], [], []]),
        ("all", [["table"], *[BOTH := ["table", "spectators"]] * 2]),
    ],
)
def test_host_chooses_who_may_talk(open_to: str, reads: list[list[str]]) -> None:
    room = Room()
    path = f"/matches/{room.match}/talk"
    assert room.watcher.ask("PUT", path, b'{"open_to": "off"}').refusal == (403, "forbidden")
    assert room.players[0].ask("PUT", path, b'{"open_to": "off"}').refusal == (403, "forbidden")
    response = room.host.ask("PUT", path, b'{"open_to": "%s"}' % open_to.encode())
    assert response.status == 200 and response.json["reads"] == BOTH
    assert [it.get(path).json["reads"] for it in (room.players[0], room.watcher, room.other)] == reads
    may_say = {"off": 403, "members": 403, "all": 201}[open_to]
    assert room.say(room.watcher, "Hm.").status == may_say


def test_a_match_is_opened_with_its_talk() -> None:
    room = Room(talk="off")
    assert room.watcher.get(f"/matches/{room.match}/talk").json["open_to"] == "off"
    assert room.say(room.players[0], "Hello?", "table").refusal == (403, "forbidden")


def test_remark_retried_under_its_key_is_stored_once() -> None:
    room = Room()
    first = room.say(room.watcher, "Once.", Idempotency_Key="k1")
    again = room.say(room.watcher, " Once.", Idempotency_Key="k1")
    assert (again.status, again.body) == (201, first.body) and again.headers["Idempotent-Replayed"] == "true"
    assert room.say(room.watcher, "Twice.", Idempotency_Key="k1").refusal == (422, "idempotency_key_reused")
    assert room.say(room.other, "Twice.", Idempotency_Key="k1").status == 201
    assert room.texts(room.other) == ["Once.", "Twice."]


def test_a_thread_is_read_in_pages_both_ways() -> None:
    room = Room()
    for number in range(1, 8):
        Remark.objects.create(
            thread=None, match_id=UUID(room.match), account_id=room.watcher.id, at_version=1, text=str(number)
        )
    latest = room.watcher.get(room.path, {"limit": 3}).json
    assert [it["text"] for it in latest["results"]] == ["5", "6", "7"] and latest["next"] == 5
    before = room.watcher.get(room.path, {"limit": 4, "before": latest["next"]}).json
    assert [it["text"] for it in before["results"]] == ["1", "2", "3", "4"] and before["next"] is None
    after = room.watcher.get(room.path, {"limit": 2, "after": 3}).json
    assert [it["text"] for it in after["results"]] == ["4", "5"] and after["next"] == 5
    assert room.watcher.get(room.path, {"after": 3, "before": 5}).refusal == (400, "malformed")


def test_hidden_remark_leaves_a_trace_and_its_text_for_hosts() -> None:
    room = Room()
    room.say(room.watcher, "He holds the nine.")
    path = f"{room.path}/spectators/1"
    assert room.other.post(f"{path}/hide", {"reason": "No."}).refusal == (403, "forbidden")
    hidden = room.host.post(f"{path}/hide", {"reason": "It named a brick."}).json
    assert hidden["text"] == "" and hidden["hidden"]["reason"] == "It named a brick."
    assert hidden["hidden"]["by"]["id"] == room.host.id
    assert (
        room.host.post(f"{path}/hide", {"reason": "Again."}).json == hidden == room.read(room.other).json["results"][0]
    )
    assert room.host.get(path).json["text"] == "He holds the nine."
    assert room.watcher.get(path).refusal == (403, "forbidden")
    assert room.players[0].get(path).refusal == (404, "no_such_remark")
    assert room.players[0].post(f"{path}/hide", {"reason": "x"}).refusal == (404, "no_such_remark")
    assert room.host.get(f"{room.path}/spectators/2").refusal == (404, "no_such_remark")
    restored = room.host.post(f"{path}/restore", {"reason": "It lies open."}).json
    assert restored["text"] == "He holds the nine." and "hidden" not in restored
    [record] = Remark.objects.get(number=1, thread__about=room.match).hidings.all()
    assert (record.reason, record.ended_reason) == ("It named a brick.", "It lies open.")


def test_player_may_not_moderate() -> None:
    first, second = guest(), guest()
    match = started("pyramid_poker", first, second)
    path = f"/matches/{match}"
    second.post(f"{path}/remarks", {"text": "Too slow.", "thread": "table"})
    assert first.post(f"{path}/remarks/table/1/hide", {"reason": "Rude."}).refusal == (403, "forbidden")
    body = {"account": second.id, "span": "match", "reason": "Rude."}
    assert first.post(f"{path}/mutes", body).refusal == (403, "forbidden")


def test_muted_account_sees_by_whom_why_and_until_when() -> None:
    room = Room()
    path = f"/matches/{room.match}/mutes"
    body = {"account": room.watcher.id, "span": "ten_minutes", "reason": "Again."}
    assert room.other.post(path, body).refusal == (403, "forbidden")
    assert room.host.post(path, {**body, "span": "season"}).refusal == (400, "malformed")
    assert room.host.post(path, {**body, "account": room.host.id}).refusal == (403, "forbidden")
    mute = room.host.post(path, body).json
    refused = room.say(room.watcher, "But.")
    assert refused.refusal == (403, "muted")
    assert all(part in refused.json["detail"] for part in ("Again.", room.host.name, mute["until"][11:19]))
    assert room.watcher.get(f"/matches/{room.match}/talk").json["muted"] == mute
    assert room.say(room.other, "Not me.").status == 201
    lifted = room.host.post(f"{path}/{mute['number']}/lift", {"reason": "All is well."}).json
    assert lifted["lifted_reason"] == "All is well." and room.host.get(path).json["results"] == [lifted]
    assert room.say(room.watcher, "Thanks.").status == 201
    assert room.host.post(f"{path}/9999999/lift", {"reason": "x"}).refusal == (404, "no_such_mute")


def test_a_mute_ends_by_itself() -> None:
    room = Room()
    body = {"account": room.watcher.id, "span": "ten_minutes", "reason": "Again."}
    room.host.post(f"/matches/{room.match}/mutes", body)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE web_mute SET until = clock_timestamp() WHERE about = %s", [room.match])
    assert room.say(room.watcher, "Here I am.").status == 201


def test_a_block_is_ones_own_business() -> None:
    one, other = guest(), guest()
    assert one.ask("PUT", f"/me/blocks/{other.id}").status == 204
    assert one.ask("PUT", f"/me/blocks/{other.id}").status == 204
    assert [it["id"] for it in one.get("/me/blocks").json["results"]] == [other.id]
    assert other.get("/me/blocks").json["results"] == []
    assert one.ask("PUT", f"/me/blocks/{one.id}").refusal == (422, "bad_block")
    assert one.ask("DELETE", f"/me/blocks/{other.id}").status == 204
    assert one.get("/me/blocks").json["results"] == []


def test_remarks_are_deleted_with_their_account_and_numbers_are_not_reused() -> None:
    room = Room()
    room.say(room.watcher, "Mine.")
    room.say(room.other, "Yours.")
    room.say(room.watcher, "Mine again.")
    room.host.post(f"{room.path}/spectators/3/hide", {"reason": "No."})
    room.host.post(f"/matches/{room.match}/mutes", {"account": room.watcher.id, "span": "match", "reason": "No."})
    room.other.ask("PUT", f"/me/blocks/{room.watcher.id}")
    erasure.erase(UUID(room.watcher.id))
    assert room.texts(room.other) == ["Yours."]
    assert room.say(room.other, "Next.").json["number"] == 4
    assert (
        room.other.get("/me/blocks").json["results"]
        == room.host.get(f"/matches/{room.match}/mutes").json["results"]
        == []
    )


def test_delayed_spectators_see_table_talk_with_the_delay() -> None:
    room = Room(spectator_delay=300)
    room.say(room.players[0], "I place the nine next.", "table")
    assert room.texts(room.players[1], "table") == ["I place the nine next."]
    assert room.texts(room.watcher, "table") == room.texts(room.host, "table") == []
    assert room.watcher.get(room.path, {"thread": "table", "after": 0}).json == {"results": [], "next": None}
    assert room.say(room.watcher, "Who begins?").json["at_version"] == 1
    assert room.texts(room.other) == ["Who begins?"]
    with connection.cursor() as cursor:
        age = "UPDATE web_remark SET said_at = said_at - interval '301 s' FROM web_thread t"
        cursor.execute(f"{age} WHERE t.id = thread_id AND t.about = %s", [room.match])
    assert room.texts(room.watcher, "table") == ["I place the nine next."]


def test_host_who_looked_may_not_talk_to_delayed_spectators() -> None:
    room = Room(spectator_delay=300)
    assert room.say(room.host, "Welcome.").status == 201
    assert room.host.get(f"/matches/{room.match}/view", {"as": "host"}).status == 200
    assert room.say(room.host, "He holds the nine.").refusal == (403, "forbidden")
    assert room.say(room.host, "Quiet, please.", "table").status == 201
    assert room.texts(room.watcher, "table") == []


def test_guest_may_read_talk_but_not_write() -> None:
    room = Room()
    Account.objects.filter(id=room.watcher.id).update(guest_until=timezone.now() + timedelta(days=1))
    assert room.read(room.watcher).status == 200
    assert room.say(room.watcher, "Hm.").refusal == (403, "not_for_guests")


def test_talk_has_its_own_scopes() -> None:
    room = Room()
    account = Account.objects.get(id=room.watcher.id)
    read, hear, write = (
        Guest(new_token(account, scopes=[it]), account) for it in ("match:read", "chat:read", "chat:write")
    )
    assert room.read(read).refusal == (403, "missing_scope")
    assert [room.read(it).status for it in (hear, write)] == [200, 200]
    assert room.say(hear, "Hm.").refusal == (403, "missing_scope") and room.say(write, "Hm.").status == 201


def test_remarks_have_unique_numbers_in_order() -> None:
    room = Room()
    remarks = [room.say(room.watcher, text).json for text in "abc"]
    assert all(one["said_at"] < two["said_at"] for one, two in pairwise(remarks))
    row = Remark.objects.get(thread__about=room.match, number=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Remark.objects.filter(id=row.id).update(number=1)


@pytest.mark.parametrize(
    ("text", "expected"), [(" two \n\t words ", "two words"), ("👩\u200d🚀", "👩\u200d🚀"), ("e\u0301\ufeff", "é")]
)
def test_remark_is_stored_in_one_line_and_in_normal_form(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize("text", ["a\u202eb", "c\x07d", "\u200d\u3164", "e" + "\u0301" * 50])
def test_remark_with_a_refused_character_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        cleaned(text)
