"""Whatever a player asks of a season on a page, its consequences are shown before it is sent, and by REST."""

import re
from datetime import timedelta
from html import unescape

from django.utils import timezone

from tests.api.document import DOCUMENT
from tests.api.seasons import Cup
from tests.api.test_season_intake import linked
from tests.api.test_season_times import Dated, at
from tests.pages import as_read
from tests.panel.seasons import account_of
from tests.table_setting import new_account
from tests.web.test_joining import at_home, page_of
from tests.web.test_season_desk import browser, read, types, version


def forms_on(page: str) -> dict[str, str]:
    """Return the markup of a page's forms by their actions."""
    actions = (re.search(r'action="([^"]*)"', form) for form in re.findall(r"<form\b.*?</form>", page, re.DOTALL))
    return {it[1].rpartition("/")[2]: it.string for it in actions if it}


def foresees(form: str, act: str) -> bool:
    """True if the form requests its preview, or already contains it."""
    asks = re.search(rf'hx-post="[^"]*/desk/{act}/foresee"', form) and 'id="foretold-' in form
    return bool(asks) or "What will happen" in form


def test_each_form_of_a_desk_previews_its_effects() -> None:
    cup = Dated(at(minutes=20), check_in_minutes=30, bans_each=1)
    cup.did(f"/matches/{cup.match}/times", {"times": [at(days=2)]}, by=cup.dmo)
    cup.did("/claims", {"kind": "conduct", "text": "He shouted."}, by=cup.ec)
    page = read(cup.ec, cup)
    forms = {act: form for act, form in forms_on(page).items() if f"/desk/{act}" in form}
    assert set(forms) >= {"claim", "withdraw-claim", "propose-times", "accept-time", "check-in", "withdraw"}
    assert [act for act, form in forms.items() if not foresees(form, act)] == []
    assert "Claim 1 was withdrawn." in forms["withdraw-claim"]
    assert "has checked in for the match" in forms["check-in"]
    assert "can play the match on" in forms["accept-time"] and "its players agreed on it" in forms["accept-time"]


def test_claim_and_new_times_are_previewed_without_effect() -> None:
    cup = Dated(at(days=1))
    before, desk = version(cup), f"/seasons/{cup.id}/desk"
    client = browser(account_of(cup.ec))
    claim = {"kind": "wrong_result", "match": cup.match, "text": "Look <b>again</b>."}
    preview = as_read(client.post(f"{desk}/claim/foresee", claim))
    assert "a result is wrong: Look &lt;b&gt;again" in preview and 'name="expected"' in preview
    assert "Say which match" in as_read(client.post(f"{desk}/claim/foresee", {**claim, "match": ""}))
    times = {"match": cup.match, "first": f"{(timezone.now() + timedelta(days=9)).date()}T18:00"}
    assert "proposes to play" in as_read(client.post(f"{desk}/propose-times/foresee", times))
    assert types(cup, before) == []


def test_joining_link_previews_its_effect() -> None:
    at_once, with_approval, me = Cup(1), Cup(1), new_account()
    client = at_home(me)
    ways = page_of(at_once, approval=False), page_of(with_approval)
    pages = [unescape(as_read(client.get(way))) for way in ways]
    assert f"{me.username} joined the season." in pages[0] and f"{me.username} asks to play." in pages[1]
    client.post(ways[1], {"key": "one"})
    assert f"{me.username} doesn't ask to play any more." in unescape(as_read(client.get(ways[1])))
    assert "What will happen" not in as_read(at_home().get(ways[1]))


def test_joining_by_rest_is_tried_before_it_is_done() -> None:
    cup, me = Cup(1), Cup(1).players[0]
    way, before = linked(cup), version(cup)
    assert "asks to play" in me.post(f"{way}?dry_run=1").json["text"][0]
    assert version(cup) == before
    assert me.post(way, Idempotency_Key="one").status == 201
    assert "doesn't ask" in me.post(f"{way}/withdraw?dry_run=1").json["text"][0]


def test_each_season_act_has_a_dry_run_over_rest() -> None:
    untried = {
        operation["operationId"]
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        if path.startswith("/api/v1/seasons/") and method == "post"
        if not any(it.get("name") == "dry_run" for it in operation.get("parameters", ()))
    }
    talk = {"sayOnBoard", "hideOnBoard", "restoreOnBoard", "muteInSeason", "liftSeasonMute"}
    rooms = {
        "openRoom", "sayInRoom", "hideInRoom", "restoreInRoom", "closeRoom", "leaveRoom", "lookIntoRoom",
        "reportInRoom", "reportOnBoard", "answerReport",
    }  # fmt: skip
    assert untried == {"testSeasonWebhook", *talk, *rooms}
