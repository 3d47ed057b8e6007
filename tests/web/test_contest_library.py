"""The library of contests, and the page of one."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.contest.presets import PRESETS
from matches.contests.domain.toml_files import write_toml
from matches.contests.models import Contest
from matches.contests.services import saving
from matches.contests.services.presets import preset_id
from matches.models import Account, Match
from matches.seasons.models import Member, Season
from matches.web.contests import library_views
from tests.api.seasons import Cup
from tests.contests.contents import content, draft, new_contest, published
from tests.pages import as_read
from tests.panel.seasons import opened
from tests.table_setting import at_once, new_account
from tests.web.test_opening import at_home


@pytest.fixture
def me() -> Account:
    return new_account()


@pytest.fixture
def client(me: Account) -> Client:
    return at_home(me)


def of(account: Account) -> list[Contest]:
    return list(Contest.objects.filter(author=account).order_by("made_at"))


def page_of(client: Client, address: str = "/contests") -> str:
    return as_read(client.get(address).content.decode())


def test_library_lists_presets_own_and_published_contests(client: Client, me: Account) -> None:
    other = new_account()
    new_contest(me, title="My Fork", least_seats=31)
    published(other, title="Their Fork")
    new_contest(other, title="Hidden Fork")
    page = page_of(client)
    assert "My Fork" in page and "1 fault" in page and "Draft" in page
    assert "Their Fork" in page and other.username in page and "Hidden Fork" not in page
    assert page.count("<bdi>Croupier</bdi>") == len(PRESETS)


def test_library_without_own_contests_says_how_to_begin(client: Client) -> None:
    assert "You have no contest yet." in page_of(client)


@pytest.mark.parametrize("text", ["Emptied House", "EMPTIED", "%", "\0", "x" * 500])
def test_library_is_searched_by_title_and_author(client: Client, me: Account, text: str) -> None:
    new_contest(me, title="Something else")
    page = page_of(client, f"/contests?text={text.replace('%', '%25')}")
    assert ("The Emptied House" in page) == ("mptied" in text.lower() or text == "\0")
    assert ("Something else" in page) == (text == "\0")


def test_library_is_read_in_pages(client: Client, me: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_views, "_PAGE", 2)
    other = new_account()
    for number in range(3):
        new_contest(me, title=f"Mine {number}")
        published(other, title=f"Theirs {number}")
    page = client.get(f"/contests?text={other.username}").content.decode()
    assert "Theirs 2" in page and "Theirs 0" not in page
    following = re.search(r'href="(\?text=[^"]*cursor=[^"]*)#published"', page)
    assert following and "Theirs 0" in page_of(client, f"/contests{following[1].replace('&amp;', '&')}")
    own = re.search(r'href="(\?own=[^"]*)#own"', client.get("/contests").content.decode())
    assert own and "Mine 0" in page_of(client, f"/contests{own[1]}")


def test_guest_and_anonymous_reader_are_refused() -> None:
    guest = new_account()
    Account.objects.filter(id=guest.id).update(guest_until=timezone.now() + timedelta(days=1))
    for address in ("/contests", f"/contests/{preset_id(PRESETS[0])}", f"/contests/{preset_id(PRESETS[0])}/edit"):
        assert at_home(guest).get(address).status_code == 403
        assert at_home().get(address).headers["Location"].startswith("/sign-in?")
    assert 'href="/contests"' not in at_home(guest).get("/games").content.decode()
    assert at_home(guest).post("/contests/new", {"title": "x", "key": "k"}).status_code == 403


def test_new_contest_sent_three_times_at_once_is_one(me: Account) -> None:
    form = {"title": "First try", "key": "a-key"}
    answers = at_once([lambda: at_home(me).post("/contests/new", form) for _ in range(3)])
    (contest,) = of(me)
    assert {it.headers["Location"] for it in answers} == {f"/contests/{contest.id}/edit"}
    assert contest.title == "First try"
    at_home(me).post("/contests/new", form | {"key": uuid4().hex})
    assert len(of(me)) == 2


def test_copy_of_a_preset_names_its_author(client: Client, me: Account) -> None:
    form = {"key": "a-key"}
    for _ in range(2):
        answer = client.post(f"/contests/{preset_id('salt_road')}/copy", form)
    (contest,) = of(me)
    assert answer.headers["Location"] == f"/contests/{contest.id}/edit"
    assert (contest.title, contest.after_name) == ("The Salt Road", "Croupier")
    data = contest.versions.get().data
    assert (data["author"], data["after"]) == (me.username, "The Salt Road by Croupier")
    assert "After The Salt Road by Croupier" in page_of(client)
    assert "after The Salt Road by Croupier" in page_of(client, f"/contests/{contest.id}")
    page = page_of(client, f"/contests/{contest.id}/edit")
    assert re.search(r'type="hidden" name="content.after" value="&quot;The Salt Road by Croupier&quot;"', page)


@pytest.mark.parametrize("form", ["toml", "json"])
def test_exported_file_is_imported_with_the_same_content(client: Client, me: Account, form: str) -> None:
    contest = new_contest(me, title="Out and in")
    file = client.get(f"/contests/{contest.id}/contest.{form}")
    assert file.headers["Content-Disposition"] == f'attachment; filename="contest.{form}"'
    client.post("/contests/import", {"key": "1", "file": SimpleUploadedFile(f"contest.{form}", file.content)})
    client.post("/contests/import", {"key": "2", "pasted": file.content.decode()})
    contents = [it.versions.get().data for it in of(me)]
    assert contents == [content(title="Out and in")] * 3


def test_file_with_faults_is_imported_as_a_draft(client: Client, me: Account) -> None:
    text = write_toml(content(title="", colour="red", rounds=[{"name": "one", "fields": [{"kind": "dance"}]}]))
    answer = client.post("/contests/import", {"key": "1", "pasted": text}, follow=True)
    page = as_read(answer.content.decode())
    assert answer.status_code == 200 and "3 faults are to be mended" in page


@pytest.mark.parametrize(
    "pasted", ["", " \n", "{", "= 5", "at = 2020-01-01", '{"a": 1.5}', "5", "x" * 300_000, "\0", '"' * 50, "[[" * 900]
)
def test_broken_file_is_refused_with_a_sentence_and_kept(client: Client, me: Account, pasted: str) -> None:
    file = SimpleUploadedFile("contest.toml", pasted.encode())
    for form in ({"pasted": pasted[:60_000]}, {"file": file} if pasted else {}):
        answer = client.post("/contests/import", {"key": "1"} | form)
        assert answer.status_code == 422
        assert re.search(r'id="fault-import" role="alert">[^<]', answer.content.decode())
    assert of(me) == []


def test_contest_is_published_retired_and_stays_readable(client: Client, me: Account) -> None:
    title = uuid4().hex
    contest, other = new_contest(me, title=title), at_home(new_account())
    assert other.get(f"/contests/{contest.id}").status_code == 404
    client.post(f"/contests/{contest.id}/publish", {"base": "1"})
    assert title in page_of(other) and "Choose a side." in page_of(other, f"/contests/{contest.id}")
    client.post(f"/contests/{contest.id}/retire")
    assert title not in page_of(other) and other.get(f"/contests/{contest.id}").status_code == 200
    contest.refresh_from_db()
    assert contest.status == "retired"
    assert "Retire it instead" in as_read(client.post(f"/contests/{contest.id}/delete", follow=True).content.decode())


def test_contest_with_faults_is_not_published_and_the_editor_shows_them(client: Client, me: Account) -> None:
    contest = new_contest(me, title="")
    answer = client.post(f"/contests/{contest.id}/publish", {"base": "1"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/contests/{contest.id}/edit"
    page = as_read(answer.content.decode())
    assert "can&#x27;t be published" in page and "1 fault is to be mended" in page


def test_publishing_an_older_version_is_refused(client: Client, me: Account) -> None:
    contest = new_contest(me)
    saving.save(account=me, contest_id=contest.id, draft=draft(title="Second"), base=1)
    answer = client.post(f"/contests/{contest.id}/publish", {"base": "1"}, follow=True)
    assert "Version 2 was saved meanwhile" in answer.content.decode()
    contest.refresh_from_db()
    assert contest.status == "private"


def test_contest_is_deleted_after_a_question(client: Client, me: Account) -> None:
    contest = new_contest(me, title="Gone")
    assert "Delete for good" in page_of(client, f"/contests/{contest.id}")
    page = as_read(client.post(f"/contests/{contest.id}/delete", follow=True).content.decode())
    assert "“Gone” is deleted." in page and of(me) == []


def test_acts_of_other_accounts_are_refused(me: Account) -> None:
    private, public = new_contest(me), published(me)
    stranger = at_home(new_account())
    for act in ("publish", "retire", "delete", "restore"):
        form = {"base": "1", "version": "1"}
        assert stranger.post(f"/contests/{private.id}/{act}", form).status_code == 404
        assert stranger.post(f"/contests/{public.id}/{act}", form).status_code == 403
    assert [it.status for it in of(me)] == ["private", "published"]


def test_earlier_version_is_restored_as_a_new_one(client: Client, me: Account) -> None:
    contest = new_contest(me, title="First")
    saving.save(account=me, contest_id=contest.id, draft=draft(title="Second"), base=1)
    page = page_of(client, f"/contests/{contest.id}?version=1")
    assert "This is version 1" in page and "Restore version 1" in page
    for _ in range(2):
        client.post(f"/contests/{contest.id}/restore", {"base": "2", "version": "1"})
    contest.refresh_from_db()
    assert (contest.version, contest.title) == (3, "First")


@pytest.mark.parametrize("version", ["0", "7", "x", "-1", "9" * 30, "\0"])
def test_version_that_does_not_exist_is_no_fault_of_the_server(client: Client, me: Account, version: str) -> None:
    contest = new_contest(me)
    for address in (f"/contests/{contest.id}", f"/contests/{contest.id}/contest.toml"):
        assert client.get(address, {"version": version}).status_code in (200, 404)
    assert client.post(f"/contests/{contest.id}/restore", {"base": version, "version": version}).status_code < 500


def test_every_preset_has_a_page(client: Client) -> None:
    for name in PRESETS:
        assert "As a player sees it" in page_of(client, f"/contests/{preset_id(name)}")


def test_contest_with_any_kind_of_fault_is_shown(client: Client, me: Account) -> None:
    rounds = [7, {"fields": [4, {"kind": 3}], "seconds": "x"}]
    for parts in ({"rounds": 5}, {"rounds": rounds}, {"rules": 3, "title": 4}):
        contest = new_contest(me, **parts)
        assert client.get(f"/contests/{contest.id}").status_code == 200
        assert client.get(f"/contests/{contest.id}/edit").status_code == 200
    assert client.get("/contests").status_code == 200


def test_opening_form_warns_of_a_published_contest_with_secrets(client: Client, me: Account) -> None:
    secret = {"rounds": [content()["rounds"][0] | {"secret": True}]}
    private, public, plain = new_contest(me, title="Mine", **secret), published(me, **secret), published(me)
    warning = "Every account can read the secret rounds"
    assert warning in client.get(f"/open/contest?contest={public.id}").content.decode()
    for contest in (private, plain):
        assert warning not in client.get(f"/open/contest?contest={contest.id}").content.decode()
    checked = client.post("/open/contest/check", {"option-content-choice": "sealed_almanac"})
    assert warning in checked.content.decode()
    checked = client.post("/open/contest/check", {"option-content-choice": "example"})
    assert warning not in checked.content.decode()


def test_page_of_a_contest_leads_to_the_seasons_of_its_reader() -> None:
    contest, cup = published(new_account()), Cup(3)
    client = at_home(Account.objects.get(id=cup.organiser.id))
    address = f"/admin/seasons/{cup.id}/?contest={contest.id}@1"
    assert address not in page_of(client, f"/contests/{contest.id}")
    cup.did("/episodes", {"title": "First"})
    assert address in page_of(client, f"/contests/{contest.id}")


def test_match_is_opened_with_a_contest_of_the_library(client: Client, me: Account) -> None:
    contest, hidden = new_contest(me, title="Mine to play"), new_contest(new_account())
    assert f'href="/open/contest?contest={contest.id}@1"' in page_of(client, f"/contests/{contest.id}")
    for reference in (f"{contest.id}", f"{contest.id}@1"):
        page = page_of(client, f"/open/contest?contest={reference}")
        assert f'value="{contest.id}@1" checked' in page and "Mine to play" in page
    faulty = new_contest(me, title="")
    page = page_of(client, f"/open/contest?contest={faulty.id}")
    assert 'value="own" checked' in page and "title = &quot;&quot;" in page
    assert client.get(f"/open/contest?contest={hidden.id}").status_code == 404
    assert client.get("/open/contest?contest=x").status_code == 200


def test_bots_play_a_contest_of_somebody_else_that_is_published(client: Client) -> None:
    contest, hidden = published(new_account()), new_contest(new_account())
    address = f"/contests/{contest.id}"
    assert 'value="13"' in page_of(client, address).partition('name="seats"')[2][:60]
    played = as_read(client.post(address, {"do": "play", "seats": "4"}).content.decode())
    assert "The course of one contest" in played and "Player 4" in played
    assert "This contest is for 2 to 30 players." in as_read(client.post(address, {"do": "try"}).content.decode())
    running = as_read(client.post(address, {"do": "try", "seats": "4"}).content.decode())
    assert "Contests with 4 bots: 0 of 1000 are played." in running
    cancel = re.search(r'value="(cancel [^"]+)"', page_of(client, address))
    assert cancel and 'id="trial"' not in client.post(address, {"do": cancel[1]}).content.decode()
    assert client.post(f"/contests/{hidden.id}", {"do": "play", "seats": "4"}).status_code == 404


def test_bots_play_no_version_with_faults(client: Client, me: Account) -> None:
    contest = new_contest(me, title="")
    answer = client.post(f"/contests/{contest.id}", {"do": "play", "seats": "4"})
    assert "Mend them first." in as_read(answer.content.decode())


def test_contest_is_set_in_seasons_that_the_reader_runs(client: Client, me: Account) -> None:
    contest = new_contest(me)
    assert "You organise no season that is running." in page_of(client, f"/contests/{contest.id}")
    official, title = new_account(is_organiser=True, is_staff=True), uuid4().hex
    season = opened(official, title)
    link = f'{reverse("admin:season", args=[season.id])}?contest={contest.id}@1">Set it in {title}<'
    saving.publish(account=me, contest_id=contest.id)
    assert title not in page_of(at_home(official), f"/contests/{contest.id}"), "it doesn't run yet"
    Season.objects.filter(id=season.id).update(status=Season.Status.RUNNING)
    assert link in page_of(at_home(official), f"/contests/{contest.id}")
    assert title not in page_of(client, f"/contests/{contest.id}")
    Member.objects.create(season_id=season.id, account=me, role=Member.Role.HOST)
    assert link in page_of(client, f"/contests/{contest.id}")
    faulty = new_contest(me, title="")
    assert 'id="play"' not in page_of(client, f"/contests/{faulty.id}")


@pytest.mark.parametrize(("part", "seated"), [("host", 0), ("seat", 1)])
def test_rehearsal_is_a_match_with_bots_in_all_other_seats(client: Client, me: Account, part: str, seated: int) -> None:
    contest = new_contest(me, title="On trial")
    form = {"key": "once", "version": "1", "seats": "4", "part": part}
    addresses = {client.post(f"/contests/{contest.id}/rehearse", form).headers["Location"] for _ in range(2)}
    (match,) = Match.objects.filter(opened_by=me)
    assert addresses == {f"/m/{match.code}/"}
    assert (match.status, match.seats.filter(is_bot=True).count()) == ("running", 4 - seated)
    assert match.seats.filter(account=me).count() == seated
    assert "On trial" in page_of(client, f"/m/{match.code}/rules")


@pytest.mark.parametrize("seats", ["", "1", "31", "x", "9" * 40])
def test_rehearsal_with_a_wrong_number_of_players_is_refused(client: Client, me: Account, seats: str) -> None:
    contest = new_contest(me)
    answer = client.post(f"/contests/{contest.id}/rehearse", {"seats": seats, "part": "host"}, follow=True)
    assert "This contest is for 2 to 30 players." in as_read(answer.content.decode())
    assert not Match.objects.filter(opened_by=me).exists()


def test_rehearsal_of_what_the_reader_may_not_read_is_refused(client: Client) -> None:
    hidden = new_contest(new_account())
    assert client.post(f"/contests/{hidden.id}/rehearse", {"seats": "3"}).status_code == 404
