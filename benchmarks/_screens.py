"""Time of a move from one browser to the screen of the other: from the key that sends it to the frame that is drawn."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any
from uuid import UUID

from benchmarks.report import Row

_SENT = """
document.addEventListener('keydown', event => {
  if (event.key === 'Enter') window.sent = performance.timeOrigin + performance.now()
}, true)
"""
_SHOWN = """
() => {
  window.shown = {}
  new MutationObserver(() => {
    const version = document.querySelector('#live').dataset.version
    // After the next frame is drawn.
    requestAnimationFrame(() => setTimeout(() => {
      window.shown[version] ??= performance.timeOrigin + performance.now()
    }))
  }).observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-version']})
}
"""

_FIRST = """
before => Object.entries(window.shown).filter(([version]) => +version > before).map(([, at]) => at).sort()[0] ?? null
"""


def to_the_other_screen(folder: Path, games: Sequence[str], moves: int) -> list[Row]:
    """For each game, measure two seats at their pages in one Chromium; moves are typed."""
    from tests.web.chromium import browsing
    from tests.web.site import Visitors, served

    with served(folder) as site, browsing() as browser:
        visitors = Visitors(browser, site)
        rows = [_row(game, _play(visitors, game, moves)) for game in games]
        visitors.leave()
    return rows


def _row(game: str, seconds: list[float]) -> Row:
    worst = quantiles(seconds, n=100, method="inclusive")[98]
    return Row(f"{game}: key to the other screen (p99 {1000 * worst:.0f})", "ms", tuple(1000 * it for it in seconds))


def _play(visitors: Any, game: str, moves: int) -> list[float]:
    from matches.services import playing
    from matches.storage import repository
    from tests.table_setting import new_account, running_match
    from tests.waiting import wait_until
    from tests.web.hands import caught_up, opened

    accounts, rng = (new_account(), new_account()), Random(game)
    seconds: list[float] = []
    match = running_match(game, *accounts)
    pages = [opened(visitors.page(account), match) for account in accounts]
    for page in pages:
        page.evaluate(_SENT)
        page.evaluate(_SHOWN)
    while len(seconds) < moves:
        playing.attend(match_id=match.id)
        match_state = repository.load(match.id)
        if match_state.outcome:
            break
        seat = match_state.due.seats[0]
        own, other = pages[seat], pages[1 - seat]
        for page in pages:
            caught_up(page, match_state.version)
        command = match_state.game.sample(repository.load(match.id, seat).state, seat, rng)
        own.locator("#command-box").fill(match_state.game.notation.form(command))
        own.locator("#command-box").press("Enter")
        wait_until(partial(_has_moved, match.id, match_state.version), 10)
        caught_up(other, repository.version_of(match.id))
        wait_until(partial(_has_shown, other, match_state.version), 10)
        shown, sent = other.evaluate(_FIRST, match_state.version), own.evaluate("window.sent")
        seconds.append((shown - sent) / 1000)
        for page in pages:
            page.evaluate("window.shown = {}")
    return seconds


def _has_moved(match_id: UUID, before: int) -> bool:
    from matches.storage import repository

    return repository.version_of(match_id) > before


def _has_shown(page: Any, before: int) -> bool:
    return page.evaluate(_FIRST, before) is not None
