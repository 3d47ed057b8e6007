"""What a reader looks at stays where it is while others move."""

from matches import services
from matches.storage import repository
from tests.table_setting import new_account, running_match
from tests.web.hands import caught_up, opened
from tests.web.match_setting import send
from tests.web.site import Visitors


def test_the_board_stays_in_its_place_when_a_first_move_accepts_the_match(visitors: Visitors) -> None:
    ann, ben = new_account(), new_account()
    match = running_match("pyramid_poker", ben, ann, opener=ann)
    page = opened(visitors.page(ann), match)
    before = page.locator("#stage").bounding_box()
    assert page.locator("#counting").is_visible()
    send(match, 0, ben, "first me")
    services.attend(match_id=match.id)
    caught_up(page, repository.version_of(match.id))
    assert not page.locator("#counting").count()
    assert page.locator("#stage").bounding_box() == before
    assert visitors.faults == []
