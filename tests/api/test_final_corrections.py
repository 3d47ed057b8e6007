"""The final's end is undone over REST and in the panel, and what is taken away afterwards still holds."""

from matches.audit import croupier_verify
from matches.seasons import archive
from matches.seasons.models import Season
from tests.api.seasons import Cup
from tests.panel.seasons import Bureau, account_of
from tests.web.test_seasons import page


def test_corrected_final_gives_another_champion_and_a_verified_record() -> None:
    cup = Cup(3, best_of=1)
    cup.episode()
    cup.did("/final")
    first, second = [cup.player(it) for it in cup.read("/final")["players"]]
    match = cup.set("/final/matches", "pentagram")
    cup.loses(match, second)
    cup.did(f"/matches/{match}/approve")
    assert Season.objects.get(id=cup.id).status == "finished"

    body = {"winner": second.id, "reason": "A card was misread."}
    preview = cup.organiser.post(f"{cup.path}/matches/{match}/correct?dry_run=1", body)
    assert preview.status == 200 and "The season's end is undone" in preview.json["text"][0]
    bureau = Bureau(cup.id, account_of(cup.organiser))
    sentence = bureau.foresees("correct", result=f"{match} {second.id}", reason="A card was misread.")
    assert "is the champion." in sentence

    events = cup.did(f"/matches/{match}/correct", body)
    assert [it["type"] for it in events] == [
        "season_reopened", "player_reinstated", "result_corrected", "player_eliminated", "season_finished",
    ]  # fmt: skip
    assert cup.read()["champion"] == second.id and Season.objects.get(id=cup.id).status == "finished"
    record = [line.decode() for line in archive.export(Season.objects.get(id=cup.id).id)]
    assert croupier_verify.verify(record, None)["champion"] == second.id
    assert "The season&#x27;s end is undone" in page(f"/seasons/{cup.id}/events")[1]

    cup.did(f"/matches/{match}/annul", {"reason": "The deck was short."})
    assert (cup.read()["champion"], Season.objects.get(id=cup.id).status) == (None, "final")
    record = [line.decode() for line in archive.export(Season.objects.get(id=cup.id).id)]
    assert croupier_verify.verify(record, None)["champion"] is None
    again = cup.set("/final/matches", "pentagram")
    cup.loses(again, second)
    cup.did(f"/matches/{again}/approve")
    assert cup.read()["champion"] == first.id
