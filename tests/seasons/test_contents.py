"""The contests that an organiser can choose: the presets, and those of the library that the organiser may read."""

from typing import Any

import pytest

from games.contest.presets import PRESETS
from games.kernel import Illegal
from matches.contests.models import Version
from matches.contests.services import saving
from matches.models import Account
from matches.seasons import contents
from matches.seasons.domain.contests import PlayedContest
from tests.api.seasons import Cup
from tests.contests.contents import content, draft, new_contest, published
from tests.table_setting import new_account


def refused(reference: str, account: Account) -> str:
    with pytest.raises(Illegal) as refusal:
        contents.look_up(reference, account)
    assert refusal.value.code == "bad_options"
    return refusal.value.message


def offered(account: Account, text: str = "") -> list[str]:
    """Return the references of the contests on the first page, in their order."""
    return [card.name for group in contents.offered_contests(account, text) for card in group.cards]


@pytest.mark.parametrize("reference", ["loud_shore", "", "@", "00000000-0000-0000-0000-000000000000", "quiet_shore@1"])
def test_unknown_contest_is_refused_with_the_names_of_the_presets(reference: str) -> None:
    assert "quiet_shore" in refused(reference, new_account())


def test_offered_presets_tell_title_summary_seats_and_rounds() -> None:
    (presets,) = (it for it in contents.offered_contests(new_account()) if it.title == "Complete contests")
    offered = presets.cards
    assert [it.name for it in offered] == list(PRESETS)
    council = next(it for it in offered if it.name == "council_of_seals")
    assert (council.title, council.players, council.rounds) == ("The Council of Seals", {"min": 5, "max": 13}, 7)
    assert council.summary.startswith("The council has no chair")


def test_contest_of_the_library_is_looked_up_at_its_newest_or_a_named_version() -> None:
    author = new_account()
    contest = new_contest(author)
    saving.save(account=author, contest_id=contest.id, draft=draft(title="The Second Fork"), base=1)
    content, played = contents.look_up(str(contest.id), author)
    assert content.title == "The Second Fork"
    assert played == PlayedContest(title="The Second Fork", library=str(contest.id), version=2)
    assert contents.look_up(f"{contest.id}@1", author)[1].title == "The Fork"
    assert "may not read it" in refused(f"{contest.id}@3", author)


def test_private_contest_is_chosen_by_its_author_alone_and_a_published_one_by_all() -> None:
    author, other = new_account(), new_account()
    private, public = new_contest(author, title="Mine"), published(author, title="Everybody's")
    assert "may not read it" in refused(str(private.id), other)
    assert contents.look_up(str(public.id), other)[1].version == 1
    references = [set(offered(it)) for it in (author, other)]
    assert {f"{private.id}@1", f"{public.id}@1"} <= references[0]
    assert f"{public.id}@1" in references[1] and f"{private.id}@1" not in references[1]


def test_own_contests_come_before_presets_and_those_of_others() -> None:
    author, other = new_account(), new_account()
    public, own = published(other, title="Everybody's"), new_contest(author, title="Mine")
    listed = offered(author)
    assert listed[0] == f"{own.id}@1" and listed.index(f"{public.id}@1") > listed.index("quiet_shore") > 0


def test_contests_are_searched_by_title_and_author_and_listed_in_pages() -> None:
    author = new_account()
    contests = [new_contest(author, title=f"Fork {number:02}") for number in range(26)]
    (own,) = contents.offered_contests(author, author.username)
    assert (own.shelf, own.next, len(own.cards)) == ("own", 24, 24)
    following = contents.shelved(author, "own", author.username, 24)
    assert following.next is None
    assert [it.title for it in own.cards + following.cards] == [it.title for it in reversed(contests)]
    assert offered(author, "fork 07") == [f"{contests[7].id}@1"]
    assert offered(author, "quiet sho") == ["quiet_shore"]


def secret(**parts: Any) -> dict[str, Any]:
    return {"rounds": [content()["rounds"][0] | {"secret": True}], **parts}


def warned(cup: Cup, **table: Any) -> bool:
    """Return whether a dry run of a table with a contest has a warning about its secrets."""
    body = {"game": "contest", "players": [it.id for it in cup.players], **table}
    answer = cup.organiser.post(f"/seasons/{cup.id}/main-matches/tables?dry_run=1", body, Idempotency_Key="k")
    assert answer.status == 200, answer.body
    return any("Every account can read the secret rounds" in it for it in answer.json["text"])


def test_table_of_a_published_contest_with_secrets_has_a_warning_with_its_remedy() -> None:
    cup = Cup(4)
    cup.did("/episodes", {"title": "First"})
    author = Account.objects.get(id=cup.organiser.id)
    private, public = new_contest(author, **secret(title="Mine")), published(author, **secret())
    assert warned(cup, contest=str(public.id)) and warned(cup, options={"content": content(**secret())})
    assert not warned(cup, contest=str(private.id)) and not warned(cup, contest=str(published(author).id))
    saving.save(account=author, contest_id=public.id, draft=draft(**secret(rules="Other secrets.")), base=1)
    assert not warned(cup, contest=f"{public.id}@2") and warned(cup, contest=f"{public.id}@1")


def test_draft_with_faults_is_neither_offered_nor_played() -> None:
    author = new_account()
    contest = new_contest(author, least_seats=20, most_seats=3)
    assert "has faults" in refused(str(contest.id), author)
    assert f"{contest.id}@1" not in offered(author)


def test_content_that_this_release_refuses_is_not_offered() -> None:
    author = new_account()
    contest = new_contest(author)
    Version.objects.filter(contest=contest).update(content='{"title": "The Fork", "rounds": []}')
    assert f"{contest.id}@1" not in offered(author)


def test_table_of_a_library_contest_names_its_version_in_the_record() -> None:
    cup = Cup(4)
    cup.did("/episodes", {"title": "First"})
    contest = published(Account.objects.get(id=cup.organiser.id))
    body = {"game": "contest", "contest": str(contest.id), "players": [it.id for it in cup.players]}
    (event,) = cup.did("/main-matches/tables", body, by=cup.host)
    assert event["contest"] == {"title": "The Fork", "library": str(contest.id), "version": 1}
