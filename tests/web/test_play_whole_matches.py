"""Two seats finish each game at their browsers, one by mouse and one by keys, and a spectator watches."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from games.higher_or_lower.playing import greys_left
from games.reality_benders.state import castable
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.storage import repository
from tests.table_setting import new_account, running_match
from tests.web.hands import by_keys, by_mouse, caught_up, opened, play, skip
from tests.web.site import Visitors

HANDS = {0: by_mouse, 1: by_keys}


class Seats:
    """A match with a page for each seat and one for a spectator."""

    def __init__(self, visitors: Visitors, game: str, options: dict[str, Any] | None = None) -> None:
        one, two = new_account(), new_account()
        self.match: Match = running_match(game, one, two, options=options)
        self.pages: dict[int, Page] = {seat: visitors.page(player) for seat, player in enumerate((one, two))}
        self.watching = visitors.page(new_account())
        self._open()

    def play(
        self,
        most: int,
        until: Callable[[MatchState], bool] = lambda match_state: False,
        hands: dict[int, Any] = HANDS,
    ) -> int:
        """Play up to a number of moves on the pages."""
        return play(self.match, self.pages, hands, most, until)

    def skip(self, until: Callable[[MatchState], bool]) -> None:
        """The bots play on while everybody looks elsewhere."""
        for page in self._all:
            page.goto("about:blank")
        skip(self.match, until)
        self._open()

    def ended(self) -> None:
        """Everybody sees the end, and who has won."""
        match_state = repository.load(self.match.id)
        assert match_state.outcome is not None
        for page in self._all:
            caught_up(page, match_state.version)
            assert page.locator("#live").get_attribute("data-status") == "finished"
            assert "win" in page.locator("#result").inner_text()
            assert page.locator("#tray .choice").count() == 0

    @property
    def _all(self) -> tuple[Page, ...]:
        return (*self.pages.values(), self.watching)

    def _open(self) -> None:
        for page in self._all:
            opened(page, self.match)


@pytest.fixture
def seats(visitors: Visitors) -> Callable[..., Seats]:
    """Sets a table of a game."""
    return lambda game, options=None: Seats(visitors, game, options)


@pytest.mark.slow
def test_pyramid_poker_is_built_and_taken_down(seats: Callable[..., Seats]) -> None:
    table_ = seats("pyramid_poker")
    assert table_.play(3) == 3
    table_.skip(lambda match_state: len(match_state.state.spaces) == 2 and match_state.state.phase == "deconstruction")
    table_.play(10)
    table_.ended()


@pytest.mark.slow
def test_pentagram_ends_with_the_deck(seats: Callable[..., Seats]) -> None:
    table_ = seats("pentagram")
    assert table_.play(4) == 4
    table_.skip(lambda match_state: match_state.state.left <= 1)
    table_.play(8)
    table_.ended()


@pytest.mark.slow
def test_higher_or_lower_from_the_groups_to_the_last_board(seats: Callable[..., Seats]) -> None:
    table_ = seats("higher_or_lower")
    assert table_.play(2) == 2
    table_.skip(lambda match_state: 0 in match_state.state.locked and match_state.due.prompts[0].seat == 1)
    assert table_.play(1) == 1
    table_.skip(lambda match_state: len(match_state.state.dealt) == 5 and match_state.state.mover is None)
    assert table_.play(3) == 3
    table_.skip(_nearly_decided)
    table_.play(40)
    table_.ended()


def _nearly_decided(match_state: MatchState) -> bool:
    """The last turn of the last board is under way: whoever lacks one board has it, and leads."""
    state = match_state.state
    won = [played.winner for played in state.rounds]
    leaders = [seat for seat in (0, 1) if won.count(seat) == 2 and state.points[seat] > state.points[1 - seat]]
    return state.mover in leaders and state.at is not None and not greys_left(state)


@pytest.mark.slow
def test_peeling_the_banana_card_by_card(seats: Callable[..., Seats]) -> None:
    table_ = seats("peeling_the_banana", {"turns": 1})
    table_.play(20)
    table_.ended()


@pytest.mark.slow
def test_reality_benders_bends_casts_and_ends(seats: Callable[..., Seats]) -> None:
    table_ = seats("reality_benders", {"max_bouts": 1, "tie_trash_phase_first": 1})
    assert table_.play(4) == 4
    table_.skip(lambda match_state: min(len(castable(match_state.state, seat)) for seat in (0, 1)) <= 1)
    table_.play(40)
    table_.ended()
