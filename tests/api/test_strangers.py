"""Anonymous access: finished public matches and seasons can be read and exported, and nothing that is running."""

from pathlib import Path
from uuid import UUID

import pytest

from events import access, store
from matches.audit.croupier_verify import verify, verify_archive
from matches.storage import repository
from tests.api.guests import Guest, guest, started
from tests.api.seasons import Cup
from tests.table_setting import new_account, new_token, running_match

NOBODY = Guest()
DOORS = ("", "/view", "/events", "/history", "/moment", "/audit", "/appeals", "/board.svg", "/diff?from=1")


def test_a_finished_match_is_read_and_its_seats_truths_with_it() -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    assert {NOBODY.get(f"/matches/{match}{door}").status for door in DOORS} == {401}
    assert players[0].send(match, {"type": "resign"}).status == 201
    assert {NOBODY.get(f"/matches/{match}{door}").status for door in DOORS} == {200}
    document = NOBODY.get(f"/matches/{match}").json
    assert document["witness"] == "spectator" and document["seed"]
    assert NOBODY.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert match in {it["id"] for it in NOBODY.get("/matches", {"limit": 200}).json["results"]}


def test_only_finished_matches_are_listed_to_anonymous_readers() -> None:
    started("pyramid_poker", guest(), guest())
    assert {it["status"] for it in NOBODY.get("/matches", {"limit": 200}).json["results"]} <= {"finished"}
    for query in ({"status": "running"}, {"needs_me": 1}):
        assert NOBODY.get("/matches", query).refusal == (401, "not_authenticated")


def test_public_seasons_are_listed_anonymously_and_readable_once_over() -> None:
    public, private = Cup(3), Cup(3, public=False)
    for query in ({}, {"status": "enrolling"}):
        seasons = {it["id"]: it for it in NOBODY.get("/seasons", {"limit": 200, **query}).json["results"]}
        assert public.id in seasons and private.id not in seasons
        assert seasons[public.id]["role"] is None
    assert NOBODY.get(public.path).refusal == (401, "not_authenticated")


@pytest.mark.parametrize("path", ["/legal", "/commands/key", "/rematch", "/history/export"])
def test_paths_for_accounts_get_401_anonymously(path: str) -> None:
    player = guest()
    match = started("pyramid_poker", player, guest())
    player.send(match, {"type": "resign"})
    assert NOBODY.get(f"/matches/{match}{path}").refusal == (401, "not_authenticated")
    assert NOBODY.get(f"/matches/{match}/events", Accept="application/x-ndjson").refusal == (401, "not_authenticated")


def test_delayed_end_is_hidden_from_anonymous_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    players = [new_account(), new_account()]
    match = running_match("pyramid_poker", *players, spectator_delay=600)
    ripe = repository.version_of(match.id)
    monkeypatch.setattr(store, "aged", lambda stream, delay: ripe)
    assert Guest(new_token(players[0]), players[0]).send(str(match.id), {"type": "resign"}).status == 201
    assert NOBODY.get(f"/matches/{match.id}").refusal == (401, "not_authenticated")
    assert NOBODY.get(f"/matches/{match.id}/export").refusal == (401, "not_authenticated")


def test_unknown_and_private_matches_get_the_same_404() -> None:
    assert NOBODY.get("/matches/NOWHERE").refusal == (404, "not_found")
    assert NOBODY.get("/matches/00000000-0000-4000-8000-000000000000").refusal == (404, "not_found")


def test_anonymous_export_equals_that_of_an_account_and_is_not_logged() -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    assert NOBODY.get(f"/matches/{match}/export").refusal == (401, "not_authenticated")
    players[0].send(match, {"type": "resign"})
    strangers = NOBODY.get(f"/matches/{match}/export")
    verify(strangers.body.decode().splitlines())
    assert strangers.body == players[1].get(f"/matches/{match}/export").body
    assert [(it.actor, it.kind) for it in access.of(UUID(match))] == [(players[1].id, "exported")]


def test_finished_public_season_is_exported_anonymously_and_no_other(tmp_path: Path) -> None:
    public, private = Cup(3), Cup(3, public=False)
    for cup in (public, private):
        cup.episode()
        for path in ("/export", "/archive"):
            assert NOBODY.get(f"{cup.path}{path}").refusal[0] == (401 if cup is public else 404)
        leaver = cup.living()[-1]
        cup.did(f"/players/{leaver.id}/withdraw", {"reason": "Work calls."}, by=leaver)
    record, archive = NOBODY.get(f"{public.path}/export"), NOBODY.get(f"{public.path}/archive")
    assert record.body.startswith(b'{"') and b'"finished":true' in record.body.replace(b" ", b"")
    (tmp_path / "season.zip").write_bytes(archive.body)
    verify_archive(str(tmp_path / "season.zip"))
    assert access.of(UUID(public.id)) == []
    for path in ("/export", "/archive"):
        assert NOBODY.get(f"{private.path}{path}").refusal == (404, "not_found")
