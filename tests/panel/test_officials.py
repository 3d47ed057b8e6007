"""Officials who play: none of them gets into, or switches off, the account of somebody at their own match."""

import re
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command

from matches.accounts import access_log
from matches.models import AccessEntry, Account, Match
from matches.seasons.models import Member, Season
from matches.services import accepting, hosting, opening
from tests.api.seasons import Cup
from tests.panel.office import Desk
from tests.table_setting import new_account, new_token, play_to_the_end, running_match, waiting_match

CHOSEN = "another long walk home"


def reset(account: Account) -> str:
    return f"/admin/matches/account/{account.id}/reset/"


def change(account: Account) -> str:
    return f"/admin/matches/account/{account.id}/change/"


def link_of(answer: object) -> str:
    link = re.search(r"http://localhost(/admin/password/[^<\s]+)", answer.content.decode())
    assert link
    return link[1]


def choose(link: str, browser: Desk | None = None) -> int:
    """Follow the link and choose a password; the status of the answer."""
    browser = browser or Desk()
    form = browser.get(link)
    if form.status_code != 302:
        return 410
    return browser.post(form.headers["Location"], new_password1=CHOSEN, new_password2=CHOSEN).status_code


def kinds(account: Account) -> list[str]:
    return [it.kind for it in access_log.about(account.id)]


def opponents(**rights: bool) -> tuple[Account, Account, Match]:
    """An official and somebody at the same match."""
    official, ada = new_account(**({"is_organiser": True} | rights)), new_account("a long walk home")
    return official, ada, running_match("pentagram", official, ada)


def seated(**rights: bool) -> tuple[Account, Account]:
    return opponents(**rights)[:2]


def superuser() -> tuple[Account, Account]:
    return seated(is_superuser=True, is_staff=True)


def paused() -> tuple[Account, Account]:
    official, ada, match = opponents()
    hosting.pause(match_id=match.id, by=match.opened_by_id, reason="A test.")
    return official, ada


def substituted() -> tuple[Account, Account]:
    """The official has left, and knows what the seat saw."""
    official, ada, match = opponents()
    hosting.substitute(match_id=match.id, by=match.opened_by_id, seat=0, player=new_account().id, reason="Gone.")
    return official, ada


def in_the_season() -> tuple[Account, Account]:
    """The official plays in the season, at another match or none."""
    cup = Cup(4)
    match = Match.objects.get(id=cup.death_match())
    sitting = {str(it) for it in match.seats.values_list("account_id", flat=True)}
    official = next(it.id for it in cup.players if it.id not in sitting)
    Account.objects.filter(id=official).update(is_organiser=True)
    return Account.objects.get(id=official), Account.objects.get(id=next(iter(sitting)))


def hosted_by_the_account() -> tuple[Account, Account]:
    """The official plays; with the host's login they could see the truth, rewind and decide."""
    official, host = new_account(is_organiser=True), new_account()
    running_match("pentagram", official, new_account(), opener=host)
    return official, host


def an_organisers() -> tuple[Account, Account]:
    """An organiser of the house hosts every friendly."""
    official, organiser = new_account(is_organiser=True, is_superuser=True), new_account()
    running_match("pentagram", official, new_account())
    Account.objects.filter(id=organiser.id).update(is_organiser=True)
    return official, organiser


def declined_and_put_down_again() -> tuple[Account, Account]:
    official, ada = new_account(is_organiser=True), new_account()
    match = waiting_match("pentagram", official, ada)
    accepting.decline(match_id=match.id, player=official.id, reason="")
    hosting.substitute(match_id=match.id, by=match.opened_by_id, seat=0, player=official.id, reason="Come on.")
    opening.start(match_id=match.id, by=match.opened_by_id, reason="Go.")
    return official, ada


def not_yet_started() -> tuple[Account, Account]:
    official, ada = new_account(is_organiser=True), new_account()
    match = waiting_match("pentagram", official, ada)
    accepting.accept(match_id=match.id, player=official.id)
    return official, ada


@pytest.mark.parametrize(
    "meeting",
    [
        seated, superuser, not_yet_started, paused, substituted, in_the_season, hosted_by_the_account, an_organisers,
        declined_and_put_down_again,
    ],
)  # fmt: skip
def test_an_official_at_the_match_neither_resets_a_password_nor_changes_rights(
    meeting: Callable[[], tuple[Account, Account]],
) -> None:
    official, ada = meeting()
    desk, log = Desk(official), kinds(ada)
    had_rights = Account.objects.get(id=ada.id).is_organiser
    other_rights = {} if had_rights else {"is_organiser": "on"}
    answers = [desk.post(reset(ada)), desk.post(change(ada)), desk.post(change(ada), is_active="on", **other_rights)]
    assert [it.status_code for it in answers] == [403] * 3
    # Who competes with them in a season is told of that first.
    assert re.search("at_their_match|plays_here", answers[0].content.decode())
    assert "/admin/password/" not in answers[0].content.decode()
    ada.refresh_from_db()
    assert (ada.is_active, ada.is_organiser) == (True, had_rights)
    assert kinds(ada) == log


def test_seating_all_officials_does_not_block_them() -> None:
    official, ada = new_account(is_organiser=True), new_account("a long walk home")
    waiting_match("pentagram", ada, official, opener=ada)
    declined = waiting_match("pentagram", ada, official, None, opener=ada)
    accepting.decline(match_id=declined.id, player=official.id, reason="")
    hosting.substitute(match_id=declined.id, by=ada.id, seat=1, player="bot", reason="Then a bot.")
    hosting.substitute(match_id=declined.id, by=ada.id, seat=2, player="bot", reason="And a bot.")
    opening.start(match_id=declined.id, by=ada.id, reason="Go.")
    desk = Desk(official)
    assert link_of(desk.post(reset(ada)))
    assert desk.post(change(ada)).status_code == 302
    ada.refresh_from_db()
    assert not ada.is_active


def test_an_official_alone_against_bots_may_reset_a_colleague() -> None:
    official, organiser = new_account(is_organiser=True, is_superuser=True), new_account(is_organiser=True)
    running_match("pentagram", official, "bot", "bot")
    assert link_of(Desk(official).post(reset(organiser)))


def test_another_official_may_reset_a_players_password_and_the_player_later() -> None:
    official, ada, match = opponents()
    assert link_of(Desk(new_account(is_organiser=True)).post(reset(ada)))
    play_to_the_end(match)
    assert link_of(Desk(official).post(reset(ada)))


def test_earlier_reset_link_is_refused_while_its_maker_plays_that_match() -> None:
    official, ada = new_account(is_organiser=True), new_account("a long walk home")
    reset_link = link_of(Desk(official).post(reset(ada)))
    match = running_match("pentagram", official, ada)
    assert choose(reset_link) == 403
    ada.refresh_from_db()
    assert ada.check_password("a long walk home") and "password_reset" not in kinds(ada)
    play_to_the_end(match)
    assert choose(reset_link) == 302


def test_a_link_ends_with_its_makers_office() -> None:
    ada, official = new_account("a long walk home"), new_account(is_organiser=True)
    reset_link = link_of(Desk(official).post(reset(ada)))
    Account.objects.filter(id=official.id).update(is_organiser=False)
    assert choose(reset_link) == 410
    ada.refresh_from_db()
    assert ada.check_password("a long walk home")


def test_earlier_reset_link_is_refused_while_its_maker_plays_in_that_season() -> None:
    official, ada = new_account(is_organiser=True), new_account("a long walk home")
    reset_link = link_of(Desk(official).post(reset(ada)))
    season = Season.objects.get(id=Cup(4).id)
    for account, role in ((official, "player"), (ada, "host")):
        Member.objects.create(season=season, account=account, role=role)
    assert choose(reset_link) == 403
    ada.refresh_from_db()
    assert ada.check_password("a long walk home")


def test_an_older_link_ends_with_a_newer_one() -> None:
    """Else the log would name the wrong official."""
    ada, first, second = new_account(), new_account(is_organiser=True), new_account(is_organiser=True)
    older = link_of(Desk(first).post(reset(ada)))
    newer = link_of(Desk(second).post(reset(ada)))
    assert choose(older) == 410
    assert choose(newer) == 302
    assert access_log.about(ada.id)[0].by == second.id


def test_a_reset_ends_every_session_and_every_token() -> None:
    ada, browser = new_account("a long walk home"), Desk()
    browser.browser.force_login(ada)
    new_token(ada)
    assert choose(link_of(Desk(new_account(is_organiser=True)).post(reset(ada)))) == 302
    assert browser.get("/account").status_code == 302
    assert not ada.tokens.filter(revoked_at=None).exists()
    entry = access_log.about(ada.id)[0]
    assert (entry.kind, entry.door) == ("password_reset", "link") and "1 token revoked" in entry.what


def test_acts_of_officials_are_in_the_access_log_with_their_request() -> None:
    official, ada = new_account(is_organiser=True), new_account()
    desk, before = Desk(official), LogEntry.objects.count()
    answer = desk.post(change(ada), is_organiser="on")
    entry = AccessEntry.objects.get(account=ada.id)
    assert (entry.kind, entry.by, entry.door) == ("rights_changed", official.id, "panel")
    assert entry.changes == {"is_active": False, "is_organiser": True}
    assert entry.request_id == answer.headers["X-Request-ID"]
    desk.post(reset(ada))
    assert kinds(ada) == ["reset_link_made", "rights_changed"]
    assert LogEntry.objects.count() == before
    history = desk.get(f"/admin/matches/account/{ada.id}/history/").headers["Location"]
    for page in (desk.read(history), desk.read("/admin/access-log/")):
        assert entry.request_id in page and official.username in page
        assert "changed this account&#x27;s rights: the account may not sign in, an organiser of the house" in page
    staff = Desk(new_account(is_staff=True))
    assert staff.get(history).status_code == 403


def test_change_of_rights_keeps_a_password_changed_meanwhile() -> None:
    ada = new_account("a long walk home")
    form_was_loaded_with = ada.password
    Account.objects.filter(id=ada.id).update(password="!later")
    Desk(new_account(is_organiser=True)).post(change(ada), is_active="on", is_organiser="on")
    ada.refresh_from_db()
    assert ada.is_organiser and ada.password == "!later" != form_was_loaded_with


def test_operator_may_change_an_account_and_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = seated()[1]
    new_token(ada)
    monkeypatch.setattr("getpass.getpass", lambda _: CHOSEN)
    call_command("changepassword", ada.username.upper())
    call_command("set_rights", ada.username, organiser=True)
    ada.refresh_from_db()
    assert ada.check_password(CHOSEN) and ada.is_organiser
    assert not ada.tokens.filter(revoked_at=None).exists()
    entries = access_log.unseen(ada.id)
    assert [(it.kind, it.by, it.door) for it in entries] == [
        ("rights_changed", None, "command"), ("password_changed", None, "command"),
    ]  # fmt: skip
    assert {it.who for it in entries} == {access_log.OPERATOR}


def test_command_without_a_change_is_refused_in_a_sentence() -> None:
    for words in (("set_rights", "nobody by this name"), ("set_rights", new_account().username)):
        with pytest.raises(CommandError):
            call_command(*words)
    with pytest.raises(CommandError, match="no account"):
        call_command("changepassword", "nobody by this name")
    with pytest.raises(CommandError, match="too common"):
        call_command("changepassword", new_account().username, password="12345678")
