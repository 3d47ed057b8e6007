"""Tests of making, saving, publishing, copying and deleting contests."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.contest.presets import PRESETS, load
from games.contest.reading import Faulty
from games.kernel import Illegal, to_json
from matches.contests.models import Contest, Version
from matches.contests.reads import visible
from matches.contests.reads.documents import card, document
from matches.contests.reads.visible import NoSuchContest
from matches.contests.services import presets, saving
from matches.contests.services.saving import ContestMoved
from matches.models import Account
from matches.services.playing import KeyReused, NotAllowed
from tests.contests.contents import draft, new_contest, published
from tests.table_setting import at_once, new_account


def saved(contest: Contest, base: int, **parts: object) -> Contest:
    assert contest.author
    return saving.save(account=contest.author, contest_id=contest.id, draft=draft(**parts), base=base)


def test_contest_is_made_once_for_each_key() -> None:
    author, key = new_account(), str(uuid4())
    first, again = (saving.create(author=author, draft=draft(title=""), key=key) for _ in range(2))
    assert (first.replayed, again.replayed, again.contest.id) == (False, True, first.contest.id)
    assert again.faults == first.faults != ()
    with pytest.raises(KeyReused):
        saving.create(author=author, draft=draft(title="Another"), key=key)
    assert saving.create(author=new_account(), draft=draft(), key=key).contest.id != first.contest.id


def test_each_save_of_a_changed_content_makes_a_version() -> None:
    contest = new_contest(new_account())
    assert saved(contest, 1, title="Second").version == 2
    assert saved(contest, 2, title="Second").version == 2
    assert [it.number for it in contest.versions.order_by("number")] == [1, 2]
    contest.refresh_from_db()
    assert contest.title == "Second"


def test_save_sent_again_changes_nothing() -> None:
    contest = new_contest(new_account())
    assert [saved(contest, 1, title="Second").version for _ in range(2)] == [2, 2]


def test_save_of_an_earlier_version_is_refused() -> None:
    contest = new_contest(new_account())
    saved(contest, 1, title="Second")
    with pytest.raises(ContestMoved, match="Version 2 was saved meanwhile") as refused:
        saved(contest, 1, title="Third")
    assert refused.value.current == 2


def test_one_of_two_saves_of_a_version_is_refused() -> None:
    contest = new_contest(new_account())
    titles = [f"Number {number}" for number in range(4)]
    results = at_once([lambda title=title: saved(contest, 1, title=title) for title in titles])
    (winner,) = [it for it in results if isinstance(it, Contest)]
    assert all(isinstance(it, ContestMoved) for it in results if it is not winner)
    contest.refresh_from_db()
    assert (contest.version, contest.title, contest.versions.count()) == (2, winner.title, 2)


def test_database_takes_no_second_version_of_a_number() -> None:
    contest = new_contest(new_account())
    with pytest.raises(IntegrityError), transaction.atomic():
        Version.objects.create(contest=contest, number=1, content="{}", digest=b"", faults=0)


def test_old_versions_go_but_not_those_that_were_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MOST_VERSIONS", 2)
    contest = published(new_account())
    for base in range(1, 5):
        saved(contest, base, title=f"Number {base}")
    assert [it.number for it in contest.versions.order_by("number")] == [1, 4, 5]


def test_number_of_contests_is_limited_for_an_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MOST_CONTESTS", 2)
    author = new_account()
    results = at_once([lambda: new_contest(author) for _ in range(4)])
    refused = [it for it in results if isinstance(it, Illegal)]
    assert [it.code for it in refused] == ["too_many_contests"] * 2


def test_contest_with_faults_is_not_published() -> None:
    author = new_account()
    contest = new_contest(author, title="", least_seats=40)
    with pytest.raises(Faulty) as refused:
        saving.publish(account=author, contest_id=contest.id)
    assert {it.place for it in refused.value.faults} == {"title", "least_seats"}
    contest.refresh_from_db()
    assert contest.status == "private"


def test_publishing_names_the_version_that_its_author_has_read() -> None:
    author = new_account()
    contest = new_contest(author)
    saved(contest, 1, title="Second")
    with pytest.raises(ContestMoved):
        saving.publish(account=author, contest_id=contest.id, base=1)
    assert saving.publish(account=author, contest_id=contest.id, base=2).published == 2


def test_published_version_stays_while_its_author_goes_on() -> None:
    author, reader = new_account(), new_account()
    contest = published(author)
    at = contest.versions.get(number=1).published_at
    saved(contest, 1, title="")
    shown = document(visible.contest_for(reader, contest.id), reader)
    assert (shown.number, shown.content["title"], shown.contest.version) == (1, "The Fork", 1)
    with pytest.raises(NoSuchContest):
        document(visible.contest_for(reader, contest.id), reader, 2)
    assert document(visible.contest_for(author, contest.id), author).number == 2
    saved(contest, 2)
    saving.publish(account=author, contest_id=contest.id)
    assert [it.number for it in visible.versions_for(reader, contest)] == [3, 1]
    assert contest.versions.get(number=1).published_at == at


def test_private_contest_is_seen_by_its_author_alone() -> None:
    author, other, official = new_account(), new_account(), new_account(is_organiser=True, is_staff=True)
    contest = new_contest(author)
    assert contest in visible.contests_for(author)
    for reader in (other, official):
        assert contest not in visible.contests_for(reader)
        with pytest.raises(NoSuchContest):
            visible.contest_for(reader, contest.id)
        with pytest.raises(NoSuchContest):
            saving.copy(account=reader, contest_id=contest.id, key="copy")


def test_guest_neither_reads_nor_makes_contests() -> None:
    guest = new_account()
    Account.objects.filter(id=guest.id).update(guest_until=timezone.now())
    guest.refresh_from_db()
    contest = published(new_account())
    for act in (
        lambda: visible.contests_for(guest),
        lambda: visible.contest_for(guest, contest.id),
        lambda: new_contest(guest),
    ):
        with pytest.raises(Illegal) as refused:
            act()
        assert refused.value.code == "not_for_guests"


def test_retired_contest_is_readable_but_no_longer_listed() -> None:
    author, reader, official = new_account(), new_account(), new_account(is_organiser=True)
    contest = published(author)
    with pytest.raises(NotAllowed):
        saving.retire(account=reader, contest_id=contest.id)
    assert saving.retire(account=official, contest_id=contest.id).status == "retired"
    assert contest not in visible.contests_for(reader)
    assert contest in visible.contests_for(author)
    assert visible.contest_for(reader, contest.id) == contest
    assert saving.publish(account=author, contest_id=contest.id).status == "published"


def test_private_contest_is_deleted_and_a_published_one_is_not() -> None:
    author = new_account()
    private, public = new_contest(author), published(author)
    with pytest.raises(Illegal) as refused:
        saving.retire(account=author, contest_id=private.id)
    assert refused.value.code == "not_published"
    saving.delete(account=author, contest_id=private.id)
    assert not Contest.objects.filter(id=private.id).exists()
    with pytest.raises(Illegal) as refused:
        saving.delete(account=author, contest_id=public.id)
    assert refused.value.code == "is_published"


def test_contest_of_somebody_else_is_not_changed() -> None:
    other = new_account()
    contest = published(new_account())
    for act in (
        lambda: saving.save(account=other, contest_id=contest.id, draft=draft(title="Mine"), base=1),
        lambda: saving.publish(account=other, contest_id=contest.id),
        lambda: saving.delete(account=other, contest_id=contest.id),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_copy_is_private_and_names_the_original_author() -> None:
    author, second, third = new_account(), new_account(), new_account()
    contest = published(author, author="Ada")
    copied = saving.copy(account=second, contest_id=contest.id, key="copy").contest
    assert (copied.status, copied.title, copied.version) == ("private", "The Fork", 1)
    assert card(copied, second).after == author.username
    credit = f"The Fork by {author.username}"
    content = document(copied, second).content
    assert (content["author"], content["after"]) == (second.username, credit)
    saving.publish(account=second, contest_id=copied.id)
    again = saving.copy(account=third, contest_id=copied.id, key="copy")
    assert card(again.contest, third).after == author.username
    content = document(again.contest, third).content
    assert (content["author"], content["after"]) == (third.username, credit)
    assert saving.copy(account=third, contest_id=copied.id, key="copy").replayed
    own = saving.copy(account=author, contest_id=contest.id, key="own").contest
    assert card(own, author).after is None
    assert (document(own, author).content["author"], document(own, author).content.get("after")) == ("Ada", None)


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_in_the_library_and_can_be_copied(name: str) -> None:
    reader = new_account()
    contest = visible.contest_for(reader, presets.preset_id(name))
    shown = document(contest, reader)
    assert (shown.content, shown.faults, shown.contest.author) == (to_json(load(name)), [], None)
    assert contest in visible.contests_for(reader, load(name).title)
    copied = saving.copy(account=reader, contest_id=contest.id, key="copy").contest
    assert card(copied, reader).after == "Croupier"


def test_preset_is_not_changed_or_retired() -> None:
    official = new_account(is_organiser=True)
    contest_id = presets.preset_id("salt_road")
    for act in (
        lambda: saving.publish(account=official, contest_id=contest_id),
        lambda: saving.retire(account=official, contest_id=contest_id),
        lambda: saving.delete(account=official, contest_id=contest_id),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_preset_that_a_release_has_changed_gets_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    contest = Contest.objects.get(preset="salt_road")
    with transaction.atomic():
        presets._store("salt_road", "default")
        assert contest.versions.count() == 1
        monkeypatch.setattr(presets, "load", lambda _name: load("quiet_shore"))
        presets._store("salt_road", "default")
        contest.refresh_from_db()
        assert (contest.version, contest.published, contest.title) == (2, 2, load("quiet_shore").title)
        transaction.set_rollback(True)


def test_search_finds_titles_and_authors() -> None:
    author, reader = new_account(), new_account()
    word = uuid4().hex[:12]
    contest = published(author, title=f"The {word} game")
    assert list(visible.contests_for(reader, word.upper())) == [contest]
    assert list(visible.contests_for(reader, author.username)) == [contest]
    assert list(visible.contests_for(reader, "100%")) == []
    assert list(visible.contests_for(reader, word, only_own=True)) == []
