"""The contests that an organiser can choose: the presets, and those of the library that the organiser may read."""

import pytest

from games.contest.presets import PRESETS
from games.kernel import Illegal
from matches.contests.models import Version
from matches.contests.services import saving
from matches.models import Account
from matches.seasons import contents
from matches.seasons.domain.contests import PlayedContest
from tests.api.seasons import Cup
from tests.contests.contents import draft, new_contest, published
from tests.table_setting import new_account


def refused(reference: str, account: Account) -> str:
    with pytest.raises(Illegal) as refusal:
        contents.look_up(reference, account)
    assert refusal.value.code == "bad_options"
    return refusal.value.message


@pytest.mark.parametrize("reference", ["loud_shore", "", "@", "00000000-0000-0000-0000-000000000000", "quiet_shore@1"])
def test_unknown_contest_is_refused_with_the_names_of_the_presets(reference: str) -> None:
    assert "quiet_shore" in refused(reference, new_account())


def test_offered_presets_tell_title_summary_seats_and_rounds() -> None:
    offered = contents.offered_contests(new_account())[: len(PRESETS)]
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
    references = [{it.name for it in contents.offered_contests(it)} for it in (author, other)]
    assert {f"{private.id}@1", f"{public.id}@1"} <= references[0]
    assert f"{public.id}@1" in references[1] and f"{private.id}@1" not in references[1]


def test_draft_with_faults_is_neither_offered_nor_played() -> None:
    author = new_account()
    contest = new_contest(author, least_seats=20, most_seats=3)
    assert "has faults" in refused(str(contest.id), author)
    assert f"{contest.id}@1" not in {it.name for it in contents.offered_contests(author)}


def test_content_that_this_release_refuses_is_not_offered() -> None:
    author = new_account()
    contest = new_contest(author)
    Version.objects.filter(contest=contest).update(content='{"title": "The Fork", "rounds": []}')
    assert f"{contest.id}@1" not in {it.name for it in contents.offered_contests(author)}


def test_table_of_a_library_contest_names_its_version_in_the_record() -> None:
    cup = Cup(4)
    cup.did("/episodes", {"title": "First"})
    contest = published(Account.objects.get(id=cup.organiser.id))
    body = {"game": "contest", "contest": str(contest.id), "players": [it.id for it in cup.players]}
    (event,) = cup.did("/main-matches/tables", body, by=cup.host)
    assert event["contest"] == {"title": "The Fork", "library": str(contest.id), "version": 1}
