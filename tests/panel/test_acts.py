"""The control room's dialogs: each asks its service for what was filled in, and a refusal comes back as its sentence.

What the acts do stands in tests/matches.
"""

import html
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from events import store
from games.kernel import SPECTATOR
from matches.domain.clocks import ClockTimes
from matches.domain.host_acts import seats_and_status
from matches.models import Account, Deadline, Heartbeat, Match
from matches.panel.control.acts import ACTS
from matches.services import appealing, hosting, opening
from matches.services.hosting import SeatsMoved
from matches.storage import repository
from tests.host_acts import ASKED, heard_by
from tests.pages import as_read
from tests.panel.office import Desk, hosted_match, room, types_of, version_of
from tests.table_setting import new_account, play_on, play_to_the_end, running_match, waiting_match

REASON = "The players asked for it."


def story(match):
    return repository.load(match.id, SPECTATOR).lifecycle


@pytest.fixture(scope="module")
def asked_about() -> tuple[Match, Account]:
    """A match with an appeal, to which nothing happens, for services only hear what they are asked; and one of its
    hosts, who hasn't opened it."""
    match, _ = hosted_match()
    player = match.seats.get(number=0).account_id
    appealing.appeal(match_id=match.id, player=player, kind="clock", text="It ran.")
    return match, new_account(is_organiser=True)


def filled(name: str, match: Match) -> dict[str, Any]:
    """The act's form, filled in."""
    values = ASKED[name]
    fields = {"reason": values["text"]} if name == "rule" else values
    return fields | ({"code": match.code.lower()} if name == "void" else {})


DIALOGS = {it.act.name: it for it in ACTS.values()}


@pytest.mark.parametrize("name", DIALOGS)
def test_dialog_calls_its_service_with_the_submitted_values(
    name: str, asked_about: tuple[Match, Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    (match, host), calls = asked_about, heard_by(name, monkeypatch)
    answer = Desk(host).act(match, DIALOGS[name].name, **filled(name, match))
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    expected = {"expected": seats_and_status(story(match))} if name in DECISIONS else {}
    key = {"key": calls[0].get("key")} if name in ("extend", "rule") else {}
    assert (
        calls == [{"match_id": match.id, "by": host.id, **ASKED[name], **expected, **key}] and None not in key.values()
    )


@pytest.mark.parametrize("name", DIALOGS)
def test_dialog_requires_a_reason(
    name: str, asked_about: tuple[Match, Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    (match, host), calls = asked_about, heard_by(name, monkeypatch)
    answer = Desk(host).act(match, DIALOGS[name].name, **filled(name, match) | {"reason": " "})
    assert answer.status_code == 422 and "This field is required." in answer.content.decode()
    assert calls == []


DECISIONS = ("adjudicate", "substitute", "void")
"""Acts that depend on the seats that the host saw."""


@pytest.mark.parametrize("name", DECISIONS)
def test_decision_without_the_seen_state_is_refused(
    name: str, asked_about: tuple[Match, Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    (match, host), calls = asked_about, heard_by(name, monkeypatch)
    answer = Desk(host).post(room(match, f"{name}/"), **filled(name, match))
    assert answer.status_code == 422 and "The form is out of date" in answer.content.decode()
    assert calls == []


@pytest.mark.parametrize("name", DECISIONS)
def test_decision_on_a_changed_match_is_refused_and_shown_again(
    name: str, asked_about: tuple[Match, Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    (match, host), calls = asked_about, heard_by(name, monkeypatch, SeatsMoved(7))
    refused = Desk(host).act(match, name, **filled(name, match), expected="what was")
    page = as_read(refused)
    assert (refused.status_code, calls[0]["expected"]) == (412, "what was")
    assert f'id="act-{name}" class="act" aria-labelledby="act-{name}-title" data-open' in page
    assert "Somebody acted meanwhile; look again." in page
    assert ASKED[name]["reason"] in page and seen_in(page, name) == seats_and_status(story(match))


def seen_in(page: str, name: str) -> str:
    """Return the version or state that the act's dialog expects."""
    dialog = page.split(f'<dialog id="act-{name}"')[1].split("</dialog>")[0]
    return re.search(r'name="expected" value="(\w+)"', dialog)[1]


def test_substitute_is_named_by_username(asked_about: tuple[Match, Account], monkeypatch: pytest.MonkeyPatch) -> None:
    (match, host), calls, late = asked_about, heard_by("substitute", monkeypatch), new_account()
    Desk(host).act(match, "substitute", seat="0", player=late.username, reason=REASON)
    assert calls[0]["player"] == late.id


def test_completed_act_is_confirmed() -> None:
    match, host = hosted_match()
    desk = Desk(host)
    assert desk.act(match, "pause", reason=REASON).headers["Location"] == room(match)
    assert "Pause: done, and in the record." in desk.read(room(match))
    assert story(match).status == "paused"


def test_end_stand_in_dialog_lists_only_seats_with_a_stand_in() -> None:
    match, host = hosted_match()
    hosting.seat_stand_in(match_id=match.id, by=host.id, seat=1, player="bot", reason=REASON)
    page = Desk(host).read(room(match))
    dialog = page.split('<dialog id="act-end-stand-in"')[1].split("</dialog>")[0]
    assert re.findall(r'<option value="(\d+)"', dialog) == ["1"]


def test_open_appeal_and_approval_are_on_the_dashboard_until_done() -> None:
    host, ada, bela = new_account(), new_account(), new_account()
    opened = opening.open_match(
        opener=host.id, game="pyramid_poker", options={},
        seats=[opening.SeatRequest(ada.id), opening.SeatRequest(bela.id)], priority=0, clocks=None, approval=True,
    )  # fmt: skip
    opening.start(match_id=opened.match_id, by=host.id, reason="")
    appealing.appeal(match_id=opened.match_id, player=ada.id, kind="clock", text="My clock ran while I was away.")
    hosting.adjudicate(match_id=opened.match_id, by=host.id, winners=[0], reason="They left.")
    match = host.opened.get()
    desk = Desk(host)

    board = Desk(new_account(is_organiser=True)).read("/admin/")
    assert "My clock ran while I was away." in board
    assert board.count(match.code) >= 2, "Among the open appeals, and among the results to approve."
    assert desk.post(room(match, "answer/"), number="1", decision="rejected", reason=REASON).status_code == 302
    assert desk.post(room(match, "approve/"), reason=REASON).status_code == 302

    after = Desk(new_account(is_organiser=True)).read("/admin/")
    assert "My clock ran while I was away." not in after


def test_refused_dialog_shows_the_reason_and_what_was_typed() -> None:
    match, host = hosted_match()
    desk = Desk(host)
    desk.post(room(match, "pause/"), reason=REASON)
    before = version_of(match)

    answer = desk.post(room(match, "pause/"), reason="Once more, with feeling.")

    page = as_read(answer)
    assert answer.status_code == 409 and version_of(match) == before
    assert 'id="act-pause" class="act" aria-labelledby="act-pause-title" data-open' in page
    assert "paused" in page and "Once more, with feeling." in page


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("pause", {"reason": "x" * 501}, "at most 500 characters"),
        ("pause", {"reason": "a\0b"}, "U+0000"),
        ("time", {"reason": REASON, "seat": "0", "seconds": "0"}, "greater than or equal to 1"),
        ("time", {"reason": REASON, "seat": "9", "seconds": "5"}, "Select a valid choice."),
        ("void", {"reason": REASON, "code": "NO"}, "this match&#x27;s code"),
        ("substitute", {"reason": REASON, "seat": "0", "player": "nobody at all"}, "There is no active account"),
        ("adjudicate", {"reason": REASON}, "This field is required."),
        ("answer", {"reason": REASON, "number": "2", "decision": "approved"}, "Select a valid choice."),
        ("end-stand-in", {"reason": REASON, "seat": "0"}, "Nobody stands in for seat 0."),
    ],
)
def test_invalid_act_is_refused_in_a_sentence(
    name: str, fields: dict[str, Any], sentence: str, asked_about: tuple[Match, Account]
) -> None:
    match, host = asked_about
    before = version_of(match)
    answer = Desk(host).act(match, name, **fields)
    assert answer.status_code in (409, 422)
    assert sentence in answer.content.decode()
    assert version_of(match) == before


def test_rewind_is_previewed_before_it_is_done() -> None:
    match, host = hosted_match(moves=6)
    desk, before = Desk(host), version_of(match)
    back_to = before_the_last_act(match)

    preview = desk.read(room(match, "rewind/"), to=str(back_to))
    assert version_of(match) == before, "A preview changes nothing."
    assert (
        f"at version {back_to}" in preview
        and f"#{back_to}<" not in preview
        and preview.count('class="line move') == version_of(match) - back_to
    )

    answer = desk.post(room(match, "rewind/"), to_version=str(back_to), expected=str(before), reason=REASON)
    assert answer.status_code == 302, answer.content.decode()[-2000:]
    assert "match_rewound" in types_of(match.id, before)


def test_rewind_on_a_changed_match_is_refused() -> None:
    match, host = hosted_match(moves=3)
    desk = Desk(host)
    stale = form_values(desk.read(room(match, "rewind/"), to=str(before_the_last_act(match))))
    play_on(match, 2)
    before = version_of(match)

    refused = desk.post(room(match, "rewind/"), **stale, reason="They agreed.")

    page = html.unescape(as_read(refused))
    assert refused.status_code == 412 and version_of(match) == before
    assert "Somebody acted meanwhile." in page and "They agreed." in page and f"#{before}<" in page
    assert form_values(page) == {**stale, "expected": str(before)}, "What was asked for, on what there is now."
    assert desk.post(room(match, "rewind/"), **form_values(page), reason=REASON).status_code == 302
    assert types_of(match.id, before)[0] == "match_rewound"


def test_rewind_without_a_preview_is_refused() -> None:
    match, host = hosted_match()
    before = version_of(match)
    answer = Desk(host).post(room(match, "rewind/"), to_version=str(before - 1), reason=REASON)
    assert answer.status_code == 422 and "its preview hadn" in answer.content.decode()
    assert version_of(match) == before


@pytest.mark.parametrize("moves", [1, 40])
def test_timeline_offers_only_rewindable_versions(moves: int) -> None:
    match, host = hosted_match(moves=moves)
    offered = rewinds_in(Desk(host).read(room(match)))
    rows = store.read(match.id)
    start = next(it.version for it in rows if it.type == "match_started")
    ends = {one.version for one, other in pairwise(rows) if (one.actor, one.at) != (other.actor, other.at)}
    assert offered and all(it >= start and it in ends for it in offered)
    assert len(offered) < len(ends)
    hosting.rewind(match_id=match.id, by=host.id, to_version=min(offered), reason=REASON)
    assert before_the_last_act(match) in rewinds_in(Desk(host).read(room(match, "live/")))


def test_rewind_before_the_start_or_after_the_end_is_refused() -> None:
    match, host = hosted_match()
    hosting.void(match_id=match.id, by=host.id, reason=REASON)
    waiting = waiting_match("pyramid_poker", new_account(), new_account(), opener=host)
    assert [rewinds_in(Desk(host).read(room(it))) for it in (match, waiting)] == [[], []]


def rewinds_in(page: str) -> list[int]:
    """The versions to which the timeline links."""
    return [int(it) for it in re.findall(r"\?to=(\d+)\">rewind to here", page)]


def test_offered_version_is_the_last_rewindable_one() -> None:
    match, host = hosted_match(moves=3)
    desk, rows = Desk(host), store.read(match.id)
    assert (rows[-2].actor, rows[-2].at) == (rows[-1].actor, rows[-1].at), "One act brought the last two events."
    fields = form_values(desk.read(room(match, "rewind/")))
    assert fields["to_version"] == str(before_the_last_act(match))
    assert desk.post(room(match, "rewind/"), **fields, reason=REASON).status_code == 302


def test_rewind_preview_counts_hidden_events_of_delayed_spectators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, host = hosted_match(moves=5, spectator_delay=600)
    desk, newest, back_to = Desk(host), version_of(match), before_the_last_act(match)
    monkeypatch.setattr(store, "aged", lambda stream, seconds: back_to - 1)

    page = html.unescape(desk.read(room(match, "rewind/")))
    earlier = html.unescape(desk.read(room(match, "rewind/"), to=str(back_to - 3)))

    assert form_values(page) == {"expected": str(newest), "to_version": str(back_to)}
    assert f"at version {back_to - 1}<" in page and f"haven't been told of version {back_to} yet" in page
    assert f"{newest - back_to} later event" in page and "And " not in dropped(page) and "#" not in dropped(page)
    assert f"at version {back_to - 3}<" in earlier and f"And {newest - back_to + 1} later event" in earlier
    assert f"#{back_to - 1}<" in earlier and f"#{back_to}<" not in earlier
    assert desk.post(room(match, "rewind/"), **form_values(page), reason=REASON).status_code == 302
    assert types_of(match.id, newest)[0] == "match_rewound"


def dropped(page: str) -> str:
    """Return the section of events that would no longer count."""
    return page.split("<h2>Events that would no longer count</h2>")[1].split("</section>")[0]


def before_the_last_act(match) -> int:
    """The version that the newest event's actor found."""
    rows = store.read(match.id)
    return next(it.version for it in reversed(rows) if it.actor != rows[-1].actor)


def form_values(page: str) -> dict[str, str]:
    """Return the values of a rewind's form before a reason is typed."""
    tags = re.findall(r"<input [^>]*>", page)
    names = ("expected", "to_version")
    return {name: re.search(r'value="(\d+)"', tag)[1] for name in names for tag in tags if f'name="{name}"' in tag}


def test_rewind_to_an_invalid_version_is_refused_in_a_sentence() -> None:
    match, host = hosted_match()
    before = version_of(match)
    for to in (str(before + 7), "1"):
        answer = Desk(host).post(room(match, "rewind/"), to_version=to, expected=str(before), reason=REASON)
        assert answer.status_code in (409, 422) and 'class="fault"' in answer.content.decode()
    for to in ("0", "x", "", "9" * 40):
        assert Desk(host).get(room(match, "rewind/"), to=to).status_code == 200
    assert version_of(match) == before


def test_finished_match_offers_a_ruling_only() -> None:
    match, host = hosted_match()
    play_to_the_end(match)
    page = Desk(host).read(room(match))
    assert 'id="act-rule"' in page
    assert not any(f'id="act-{name}"' in page for name in ("pause", "void", "adjudicate", "substitute", "time"))


def test_dashboard_shows_low_clocks_and_the_state_of_processes() -> None:
    host = new_account(is_organiser=True)
    short = ClockTimes(base=20, reserve=0, increment=1)
    match = running_match("pentagram", new_account(), new_account(), opener=host, clocks={"turn": short})
    play_on(match, 0)
    # Before all that other tests have left behind.
    Deadline.objects.filter(match=match).update(falls_at=datetime(2000, 1, 1, tzinfo=UTC))
    # A worker of another test may have been alive a moment ago.
    Heartbeat.objects.all().delete()
    page = Desk(host).read("/admin/")
    low = page.split("<h2>Low clocks</h2>")[1].split("</section>")[0]
    assert match.code in low
    assert "Database: answers" in page and "Broker: answers" in page and "Workers: no sign of life" in page


def test_a_form_from_another_site_does_nothing() -> None:
    match, host = hosted_match(moves=0)
    browser, before = Client(enforce_csrf_checks=True, headers={"host": "localhost"}), version_of(match)
    browser.force_login(host)
    for part in ("pause/", "look/", "rewind/"):
        assert browser.post(room(match, part), {"reason": REASON, "to_version": "1"}).status_code == 403
    assert version_of(match) == before
