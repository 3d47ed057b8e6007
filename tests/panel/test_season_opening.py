"""Opening a season in the panel: options explained, judged while they are typed, or copied from another season."""

from html import unescape
from uuid import UUID, uuid4

import pytest

from matches.panel.seasons.opening import GROUPS, MEANINGS
from matches.seasons import repository
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.models import Season
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.panel.office import Desk
from tests.panel.seasons import account_of, faults_in, opened, usual_options
from tests.table_setting import new_account, new_token

ADDRESS = "/admin/seasons/open/"


def test_every_option_is_explained_with_its_usual_value() -> None:
    page = unescape(Desk(new_account(is_organiser=True)).read(ADDRESS))
    assert set(MEANINGS) == set(SeasonOptions.__struct_fields__)
    for meaning in MEANINGS.values():
        assert f"{meaning} Usually " in page


def test_form_asks_a_newcomer_for_few_options_and_folds_the_groups_of_the_rest() -> None:
    options = [name for group in GROUPS for name in group.options]
    assert sorted(options) == sorted(SeasonOptions.__struct_fields__) and len(GROUPS[0].options) < 6
    desk = Desk(new_account(is_organiser=True))
    page = unescape(desk.read(ADDRESS))
    assert page.count('<details class="group"') == len(GROUPS) - 1 and 'class="group" open' not in page
    assert all(f"<summary>{group.title}</summary>" in page and group.about in page for group in GROUPS[1:])
    assert page.index('name="most_players"') < page.index("<details") < page.index('name="reward"')
    verdict = unescape(as_read(desk.post(f"{ADDRESS}check/", title="", reward="-")))
    assert "Correct these fields first: Title" in verdict


def test_group_of_options_is_open_if_it_has_a_copied_value_or_an_error() -> None:
    cup = Cup(0, reward=9)
    desk = Desk(account_of(cup.organiser))
    assert unescape(desk.read(ADDRESS, template=cup.id)).count('<details class="group" open>') == 1
    sent = usual_options(desk.read(ADDRESS)) | {"title": "Bad", "key": "k", "template": "", "remind_percent": "x"}
    page = desk.post(ADDRESS, **sent).content.decode()
    assert page.count('<details class="group" open>') == 1 and page.index("open>") > page.index(
        "Notice, check-in and quiet hours"
    )


def test_a_form_sent_untouched_opens_a_season_with_the_usual_options() -> None:
    office = opened(new_account(is_organiser=True), title="As usual")
    assert office.season.title == "As usual"
    assert office.season.options == SeasonOptions()


def test_season_has_the_typed_options() -> None:
    office = opened(
        new_account(is_organiser=True), public=None, approval=None, transfers=None, most_players="7", reward="0",
        loser_garnets="winner", priority="garnets", pool=["pentagram", "pyramid_poker"], best_of="1",
    )  # fmt: skip
    assert office.season.options == SeasonOptions(
        public=False, approval=False, transfers=False, most_players=7, reward=0, loser_garnets="winner",
        priority="garnets", pool=("pentagram", "pyramid_poker"), best_of=1,
    )  # fmt: skip


def test_options_are_copied_from_a_template_which_is_recorded() -> None:
    organiser = new_account(is_organiser=True)
    cup = Cup(0, organiser=Guest(new_token(organiser), organiser), best_of=1, bans_each=2, reward=9)
    desk = Desk(organiser)
    form = desk.read(ADDRESS, template=cup.id)
    sent = usual_options(form) | {"title": "Again", "key": "again", "template": cup.id}
    answer = desk.post(ADDRESS, **sent)
    season = repository.load(UUID(answer.headers["Location"].split("/")[-2]))
    assert season.options == repository.load(UUID(cup.id)).options
    assert (
        Guest(new_token(organiser)).get(f"/seasons/{answer.headers['Location'].split('/')[-2]}").json["template"]
        == cup.id
    )
    assert desk.get(ADDRESS, template=str(uuid4())).status_code == 404
    assert desk.get(ADDRESS, template="x").status_code == 404


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("most_players", "1", "most_players is 3 to 100, not 1."),
        ("best_of", "2", "best_of is an odd number, not 2."),
        ("best_of", "9", "best_of is at most the number of games in pool"),
        ("bans_each", "3", "bans_each leaves no game of the pool to play."),
        ("reward", "-1", "reward is 0 to"),
        ("reward", "9" * 30, "reward"),
        ("pool", [], "pool names"),
        ("priority", "nobody", "Select a valid choice."),
        ("title", "", "This field is required."),
        ("title", "x" * 121, "at most 120 characters"),
    ],
)
def test_fault_is_shown_beside_its_option_while_typing_and_after_sending(name: str, value: str, sentence: str) -> None:
    organiser = new_account(is_organiser=True)
    desk = Desk(organiser)
    sent = usual_options(desk.read(ADDRESS)) | {"title": "Bad", "key": f"k-{uuid4()}", "template": "", name: value}
    verdict = unescape(as_read(desk.post(f"{ADDRESS}check/", **sent)))
    beside = verdict.partition(f'id="fault-{name}"')[2].partition("</p>")[0]
    assert sentence in beside and "season_opened" not in verdict
    answer = desk.post(ADDRESS, **sent)
    assert answer.status_code == 422 and sentence in faults_in(answer)
    assert not Season.objects.filter(opened_by=organiser).exists()


def test_check_shows_what_will_be_appended_and_appends_nothing() -> None:
    organiser = new_account(is_organiser=True)
    desk = Desk(organiser)
    sent = usual_options(desk.read(ADDRESS)) | {"title": "Good", "key": "k", "template": "", "reward": "5"}
    verdict = as_read(desk.post(f"{ADDRESS}check/", **sent))
    assert "season_opened" in verdict and "with these options changed: Reward" in verdict
    assert not Season.objects.filter(opened_by=organiser).exists()


def test_a_form_sent_twice_opens_one_season() -> None:
    organiser = new_account(is_organiser=True)
    desk = Desk(organiser)
    sent = usual_options(desk.read(ADDRESS)) | {"title": "Once", "key": "one key", "template": ""}
    first, second = (desk.post(ADDRESS, **sent) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert Season.objects.filter(opened_by=organiser).count() == 1


def test_only_global_organisers_open_seasons() -> None:
    for account in (new_account(), new_account(is_staff=True)):
        for address in (ADDRESS, f"{ADDRESS}check/"):
            assert Desk(account).post(address, title="Mine").status_code == 404
        assert Desk(account).get(ADDRESS).status_code == 404
