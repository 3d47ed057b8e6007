"""A season over REST, from its first player to its champion."""

from pathlib import Path
from uuid import UUID, uuid4

import pytest

from events import store
from events.checkpoints import signing
from matches.audit import croupier_verify
from matches.models import Account
from matches.seasons import repository
from matches.seasons.models import Member, Season
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup


def test_season_is_played_over_rest_from_enrolment_to_its_champion() -> None:
    cup = Cup(4, best_of=3)
    assert cup.read()["status"] == "enrolling"
    first = cup.episode()
    cup.episode()
    assert cup.read()["status"] == "running"
    cup.did("/final")
    finalists = [cup.player(it) for it in cup.read("/final")["players"]]
    for game in ("pentagram", "reality_benders"):
        match = cup.set("/final/matches", game)
        cup.loses(match, finalists[1])
        cup.did(f"/matches/{match}/approve")
    whole = cup.read()
    assert (whole["status"], whole["champion"]) == ("finished", finalists[0].id)
    assert [it["place"] for it in whole["standings"]] == [1, 2, 3, 4]
    assert first in {it["id"] for it in cup.read("/schedule")["results"]}
    ledger = cup.read("/ledger")
    # Four garnets of the start and two rewards, less what the three who lost a duel had.
    lost = sum(it["amount"] for it in ledger["results"] if it["cause"] == "confiscation")
    assert sum(ledger["balances"].values()) == ledger["issued"] == 4 + 2 * 2 - lost
    assert cup.read("/events", limit=500)["results"][-1]["type"] == "season_finished"


def test_season_is_readable_at_every_past_version() -> None:
    cup = Cup(3)
    cup.episode()
    newest = cup.read()["version"]
    at_their_time = [repository.load(UUID(cup.id), upto=version) for version in range(1, newest + 1)]
    for version, season in enumerate(at_their_time, start=1):
        document = cup.read(at=version)
        assert (document["version"], document["status"], document["garnets"]) == (version, season.status, season.issued)
        ledger = cup.read("/ledger", at=version)
        assert sum(ledger["balances"].values()) == ledger["issued"] == season.issued
        assert len(cup.read("/standings", at=version)["results"]) == len(season.players)
    assert cup.read("/episodes", at=newest)["results"][0]["closed"]


def test_a_retry_under_its_key_gets_the_first_answer_and_does_nothing_more() -> None:
    cup, key, newcomer = Cup(3), str(uuid4()), guest()
    first = cup.ask("/players", {"player": newcomer.id}, Idempotency_Key=key)
    again = cup.ask("/players", {"player": newcomer.id}, Idempotency_Key=key)
    assert (first.status, again.status, again.headers["Idempotent-Replayed"]) == (201, 201, "true")
    assert first.body == again.body
    assert cup.ask("/players", {"player": guest().id}, Idempotency_Key=key).refusal == (422, "idempotency_key_reused")
    assert cup.ask("/final", Idempotency_Key=key).refusal == (422, "idempotency_key_reused")


def test_retry_gets_the_first_response_although_its_account_is_inactive_now() -> None:
    cup = Cup(3)
    for path, name, more in (
        ("/players", "player", {}),
        ("/staff", "account", {"role": "auditor"}),
        (f"/players/{cup.players[0].id}/substitute", "newcomer", {"reason": "Ill."}),
    ):
        named, key = guest(), str(uuid4())
        body = {name: named.id, **more}
        first = cup.ask(path, body, Idempotency_Key=key)
        Account.objects.filter(id=named.id).update(is_active=False)
        again = cup.ask(path, body, Idempotency_Key=key)
        assert (first.status, again.status, again.headers.get("Idempotent-Replayed")) == (201, 201, "true"), path
        assert first.body == again.body
        fresh, elsewhere = body | {name: str(uuid4())}, path.replace(cup.players[0].id, cup.players[1].id)
        for query in ("", "?dry_run=1"):
            refused = cup.ask(f"{elsewhere}{query}", fresh)
            assert refused.refusal == (422, "no_such_player"), "A fresh act names who is there."


@pytest.mark.parametrize("query", ["", "?dry_run=1"])
def test_refused_caller_does_not_learn_whether_an_account_exists(query: str) -> None:
    cup, player = Cup(3), guest()
    for path, name, more in (
        ("/players", "player", {}),
        ("/staff", "account", {"role": "auditor"}),
        (f"/players/{cup.players[0].id}/substitute", "newcomer", {"reason": "Ill."}),
    ):
        answers = [
            cup.ask(f"{path}{query}", {name: named, **more}, by=cup.players[1]) for named in (player.id, str(uuid4()))
        ]
        assert [it.refusal for it in answers] == [(403, "forbidden")] * 2, path


def test_a_season_opened_twice_under_one_key_is_one_season() -> None:
    organiser, key = guest(is_organiser=True), str(uuid4())
    responses = [organiser.post("/seasons", {"title": "A cup"}, Idempotency_Key=key) for _ in range(2)]
    assert responses[0].headers["Location"] == responses[1].headers["Location"]
    assert organiser.post("/seasons", {"title": "Another"}, Idempotency_Key=key).refusal[0] == 422
    assert organiser.post("/seasons", {"title": "A cup"}).refusal == (428, "idempotency_key_missing")


def test_outdated_expected_version_is_refused() -> None:
    cup = Cup(3)
    version = cup.read()["version"]
    body = {"title": "First"}
    assert cup.ask("/episodes", body, If_Match=f'"v{version - 1}"').refusal == (412, "version_behind")
    assert cup.ask("/episodes", body, If_Match=f'"v{version}"').status == 201


def test_dry_run_names_the_effects_and_changes_nothing() -> None:
    cup = Cup(3)
    version = cup.read()["version"]
    tried = cup.ask("/episodes?dry_run=1", {"title": "First"})
    assert (tried.status, tried.json) == (200, {"version": version, "text": ["Episode 1 began: First"]})
    assert cup.ask("/opponents?dry_run=1", {"player": cup.players[0].id}).refusal == (409, "no_episode")
    assert cup.read()["version"] == version


def test_a_template_copies_the_configuration_and_not_the_people() -> None:
    cup = Cup(3, reward=7, public=False)
    body = {"title": "The next one", "template": cup.id, "options": {"best_of": 1}}
    response = cup.organiser.post("/seasons", body, Idempotency_Key=str(uuid4()))
    copy = cup.organiser.get(response.headers["Location"].removeprefix("/api/v1")).json
    assert (copy["options"]["reward"], copy["options"]["public"], copy["options"]["best_of"]) == (7, False, 1)
    assert (copy["standings"], len(copy["staff"]), copy["template"]) == ([], 1, cup.id)
    stranger = guest(is_organiser=True)
    unknown = stranger.post("/seasons", {**body, "template": str(uuid4())}, Idempotency_Key=str(uuid4()))
    assert unknown.refusal == (422, "no_such_season")


def test_retried_opening_of_a_season_is_answered_to_a_former_organiser() -> None:
    former, cup = guest(is_organiser=True), Cup(3, public=False)
    body, key = {"title": "The next one", "template": cup.id}, str(uuid4())
    response = former.post("/seasons", body, Idempotency_Key=key)
    Account.objects.filter(id=former.id).update(is_organiser=False)
    assert former.post("/seasons", body, Idempotency_Key=str(uuid4())).refusal == (422, "no_such_season")
    again = former.post("/seasons", body, Idempotency_Key=key)
    assert (again.status, again.json, again.headers["Idempotent-Replayed"]) == (201, response.json, "true")
    other = former.post("/seasons", {"title": "The next one"}, Idempotency_Key=key)
    assert other.refusal == (422, "idempotency_key_reused")


def test_bans_leave_a_smaller_pool() -> None:
    cup = Cup(4, bans_each=1)
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    cup.did("/bans", {"game": "pentagram"}, by=candidate)
    assert "pentagram" not in cup.read("/episodes")["results"][0]["games"]
    refused = cup.ask("/death-matches", {"game": "pentagram", "clocks": None}, by=cup.host)
    assert refused.refusal == (409, "game_banned")


def test_a_private_season_and_its_matches_are_there_for_its_members_alone() -> None:
    cup = Cup(4, public=False)
    match, outsider = cup.death_match(), guest()
    for member in (cup.organiser, cup.host, cup.auditor, cup.players[0], guest(is_organiser=True)):
        assert member.get(cup.path).status == 200
        assert member.get(f"/matches/{match}").status == 200
    for path in ("", "/standings", "/ledger", "/events", "/schedule", "/final", "/rulings", "/staff", "/episodes"):
        assert outsider.get(cup.path + path).refusal == (404, "not_found")
    for path in ("", "/view", "/events", "/audit", "/export", "/appeals", "/legal"):
        assert outsider.get(f"/matches/{match}{path}").refusal == (404, "not_found")
    for path in ("", "/view", "/events", "/audit", "/appeals"):
        assert Guest().get(f"/matches/{match}{path}").refusal == (404, "not_found")
    assert Guest().get(cup.path).refusal == (404, "not_found")
    for path in ("join", "pause", "start", "void"):
        assert outsider.post(f"/matches/{match}/{path}", {"reason": "Let me."}).status in (400, 404)
    assert outsider.post(f"/matches/{match}/pause", {"reason": "Let me."}).refusal == (404, "not_found")
    code = cup.host.get(f"/matches/{match}").json["code"]
    assert outsider.get(f"/matches/{code}").refusal == (404, "not_found")
    for reader in (outsider, Guest()):
        assert reader.get("/matches", {"season": cup.id}).json["results"] == []
    assert cup.id not in {it["id"] for it in outsider.get("/seasons").json["results"]}
    assert cup.ask("/garnets", {"to": outsider.id, "amount": 1, "reason": "Hm."}, by=outsider).refusal[0] == 404


def test_former_player_still_reads_a_private_season() -> None:
    cup = Cup(4, public=False)
    leaver = cup.players[0]
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "A long journey."}, by=leaver)
    assert cup.read(by=leaver)["role"] == "player"


def test_rulings_and_gifts_are_listed_with_author_and_reason() -> None:
    cup = Cup(3)
    one, two = cup.players[:2]
    cup.did("/rulings", {"text": "A pass is a move."}, by=cup.host)
    cup.did("/garnets", {"from": one.id, "to": two.id, "amount": 1, "reason": "A debt."}, by=one)
    ruling = cup.read("/rulings")["results"][0]
    assert (ruling["text"], ruling["by"]) == ("A pass is a move.", cup.host.id)
    entry = cup.read("/ledger")["results"][-1]
    assert (entry["from"], entry["to"], entry["from_balance"], entry["to_balance"]) == (one.id, two.id, 0, 2)
    assert cup.ask("/garnets", {"from": one.id, "to": two.id, "amount": 1, "reason": "More."}, by=one).refusal == (
        409,
        "too_few_garnets",
    )


def test_request_with_the_current_etag_gets_304() -> None:
    cup = Cup(3)
    response = cup.organiser.get(cup.path)
    for path in ("", "/standings", "/ledger", "/episodes", "/final", "/schedule", "/rulings", "/staff"):
        assert cup.organiser.get(cup.path + path, If_None_Match=response.headers["ETag"]).status == 304


def test_events_are_paged_with_an_unbroken_chain() -> None:
    cup, events, after = Cup(3), [], 0
    while after is not None:
        page = cup.read("/events", after=after, limit=3)
        events += page["results"]
        after = page["next"]
    rows = store.read(UUID(cup.id))
    assert [it["hash"] for it in events] == [row.hash.hex() for row in rows]
    assert events[0]["text"] == "The season A cup was opened."


@pytest.mark.parametrize("path", ["/seasons/nonsense", f"/seasons/{UUID(int=1)}", f"/seasons/{UUID(int=1)}/standings"])
def test_unknown_season_gets_404(path: str) -> None:
    assert guest().get(path).status == 404


def test_id_of_a_match_is_no_season_and_the_reverse() -> None:
    cup = Cup(4)
    match = cup.death_match()
    assert cup.organiser.get(f"/seasons/{match}").refusal == (404, "not_found")
    assert cup.organiser.get(f"/matches/{cup.id}").refusal == (404, "not_found")


def test_an_organiser_sets_tries_and_removes_the_seasons_webhook() -> None:
    cup = Cup(3)
    path = f"{cup.path}/webhook"
    assert cup.organiser.ask("PUT", path, b'{"url": "http://127.0.0.1/x"}').refusal == (422, "bad_webhook")
    created = cup.organiser.ask("PUT", path, b'{"url": "https://chat.example.org/hook?token=hush"}')
    assert (created.status, created.json["url"]) == (200, "https://chat.example.org/hook?token=hush")
    response = cup.organiser.get(path)
    assert set(response.json) == {"url", "form", "made_at", "off_at", "off_reason", "failures", "next_try_at"}
    assert cup.organiser.post(f"{path}/test").status == 204
    (notice,) = cup.organiser.get(f"{path}/notices").json["results"]
    assert (notice["kind"], notice["text"]) == ("test", "Croupier can reach you here.")
    again = cup.organiser.ask("PUT", path, b'{"url": "https://chat.example.org/other"}')
    assert again.json["secret"] != created.json["secret"]
    assert cup.organiser.ask("DELETE", path).status == 204
    assert cup.organiser.get(path).refusal == (404, "no_webhook")
    # The same again within a minute is told once.
    taken = [(it["by"], it["kind"]) for it in cup.read("/audit")["access"]]
    assert taken == [(cup.organiser.id, "webhook_removed"), (cup.organiser.id, "webhook_set")]


@pytest.mark.parametrize("delay", [-1, 3601, "60", None])
def test_invalid_spectator_delay_is_refused(delay: object) -> None:
    body = {"title": "A cup", "options": {"spectator_delay": delay}}
    response = guest(is_organiser=True).post("/seasons", body, Idempotency_Key=str(uuid4()))
    assert response.refusal == (422, "bad_options")


def test_archive_of_a_season_is_downloaded_verified_and_logged(tmp_path: Path) -> None:
    cup = Cup(4)
    match = cup.episode()
    answer = cup.auditor.get(f"{cup.path}/archive")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/zip")
    file = tmp_path / "season.zip"
    file.write_bytes(answer.body)
    season, match_result = sorted(croupier_verify.verify_archive(file), key=lambda it: "match" in it)
    assert (season["season"], match_result["match"]) == (cup.id, match)
    access = cup.read("/audit")["access"]
    assert [(it["by"], it["kind"]) for it in access] == [(cup.auditor.id, "archived")]
    audit = cup.host.get(f"/matches/{match}/audit").json["access"]
    assert (cup.auditor.id, "archived") in {(it["by"], it["kind"]) for it in audit}


def test_record_of_a_season_is_downloaded_and_covered_by_its_checkpoint() -> None:
    cup = Cup(3)
    signing.sign_if_due(after_seconds=0)
    answer = cup.players[0].get(f"{cup.path}/export")
    summary = croupier_verify.verify(answer.body.decode().splitlines(), signing.signer().verifier_key)
    audit, proof = cup.read("/audit"), cup.read("/audit/proof")
    assert cup.organiser.get(f"{cup.path}/audit/proof", {"size": 10**12}).refusal == (404, "no_checkpoint")
    assert (summary["events"], summary["signed"]) == (audit["version"], True)
    assert (proof["version"], proof["hash"]) == (audit["version"], audit["hash"])
    assert audit["checkpoints"][0]["hash"] == audit["hash"]
    assert audit["access"][0]["kind"] == "exported"


DOCUMENTS = ("", "/standings", "/ledger", "/episodes", "/final", "/schedule", "/rulings", "/staff")


class Watched(Cup):
    """A season of which every document is kept as it was told at each version, when it was the newest."""

    def __init__(self, *args: object, **options: object) -> None:
        self.seen: dict[int, list[object]] = {}
        super().__init__(*args, **options)

    def ask(self, *args: object, **headers: object) -> Answer:
        answer = super().ask(*args, **headers)
        self.look()
        return answer

    def loses(self, match: str, player: Guest) -> None:
        super().loses(match, player)
        self.look()

    def look(self) -> None:
        self.seen[self.read()["version"]] = [self.read(path) for path in DOCUMENTS]


def test_season_rebuilt_from_events_equals_every_served_version() -> None:
    cup, newcomer = Watched(6, bans_each=1), guest()
    cup.episode()
    cup.did(f"/players/{cup.living()[0].id}/substitute", {"newcomer": newcomer.id, "reason": "A long journey."})
    cup.players.append(newcomer)
    cup.did("/garnets", {"to": newcomer.id, "amount": 3, "reason": "For the stand-in."})
    match = cup.death_match()
    cup.loses(match, cup.player(cup.read("/episodes")["results"][1]["opponent"]))
    loser = cup.read("/death-matches")["results"][1]["loser"]
    cup.did(f"/matches/{match}/correct", {"winner": loser, "reason": "A slip."})
    cup.did(f"/matches/{match}/approve")
    cup.did(f"/players/{cup.living()[1].id}/withdraw", {"reason": "Work calls."})
    cup.did("/rulings", {"text": "A pass is a move."}, by=cup.host)
    cup.did(f"/staff/{cup.host.id}/dismiss", {"reason": "The job is done."})
    assert len(cup.seen) >= 20
    for version, documents in [*cup.seen.items()][::3]:
        assert [cup.read(path, at=version) for path in DOCUMENTS] == documents, version
    match_state, row = repository.load(UUID(cup.id)), Season.objects.get(id=cup.id)
    assert (row.version, row.status, row.title) == (match_state.version, match_state.status, match_state.title)
    members = {(str(it.account_id), it.role) for it in Member.objects.filter(season_id=cup.id)}
    assert members == {*match_state.staff.items(), *((player, "player") for player in match_state.players)}
