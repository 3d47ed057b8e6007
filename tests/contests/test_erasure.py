"""Tests of the erasure of an account with contests."""

from matches.accounts import erasure
from matches.contests.models import Contest, ContestTrial
from matches.contests.reads.documents import card, document
from matches.contests.services import saving, trials
from tests.contests.contents import draft, new_contest, published
from tests.table_setting import new_account


def test_erasure_deletes_private_contests_and_drafts_and_keeps_published_ones() -> None:
    author, reader = new_account(), new_account()
    private = new_contest(author)
    public = published(author, author=author.username)
    saving.save(account=author, contest_id=public.id, draft=draft(title="Secret plan"), base=1)
    copied = saving.copy(account=reader, contest_id=public.id, key="copy").contest
    trials.start(account=author, draft=draft(), seats=3, runs=2)
    name = erasure.erase(author.id)
    assert not Contest.objects.filter(id=private.id).exists()
    assert not ContestTrial.objects.filter(account=author.id).exists()
    public.refresh_from_db()
    assert (public.version, public.title, public.versions.count()) == (1, "The Fork", 1)
    shown = document(Contest.objects.get(id=public.id), reader)
    assert shown.contest.author is not None
    assert (shown.contest.author.username, shown.content["author"]) == (name, name)
    copied = Contest.objects.get(id=copied.id)
    content = document(copied, reader).content
    assert (card(copied, reader).after, content["author"]) == (name, reader.username)
    assert content["after"] == f"The Fork by {name}"
    assert not document(copied, reader).faults


def test_erasure_keeps_a_text_that_is_not_the_name() -> None:
    author, reader = new_account(), new_account()
    public = published(author, author="Ada", rules=f"By {author.username}, for all.")
    erasure.erase(author.id)
    shown = document(Contest.objects.get(id=public.id), reader)
    assert shown.content["author"] == "Ada"
