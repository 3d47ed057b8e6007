"""Frames of the match page: whole matches of every game, for all eyes, never too large for a socket."""

import json
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.kernel import HOST, SPECTATOR
from matches.domain.names import MAX_LENGTH, name_key
from matches.http import renderers
from matches.models import Account, Match
from matches.storage import repository
from tests.cases import some_slow
from tests.pages import as_read
from tests.table_setting import new_account, play_on, play_to_the_end, running_match
from tests.web.site import Visitors

LOOKED_AT = 8
LARGE = {"board": ["#" * 20] * 20, "turns": 1}
"""A sheet as large as the rules allow."""


def long_named(letter: str) -> Account:
    """Somebody whose name is as long as can be."""
    account = new_account()
    account.username = (letter * MAX_LENGTH)[: MAX_LENGTH - 8] + account.username[-8:]
    account.name_key = name_key(account.username)
    account.save()
    return account


def table_of(slug: str, letter: str, options: object = None) -> Match:
    """Open a match with as many players as the game takes, all with long names of this letter."""
    players = [long_named(letter) for _ in range(catalogue[slug].seats.max)]
    return running_match(slug, *players, options=options)


def frames_of(match: Match) -> list[str]:
    """Frames for all eyes along the way and at the end."""
    newest = repository.version_of(match.id)
    seats = range(len(repository.load(match.id).lifecycle.players))
    versions = {*range(2, newest, max(1, newest // LOOKED_AT)), newest}
    return [
        renderers.frame("page", match.id, witness, version)
        for version in sorted(versions) for witness in (*seats, SPECTATOR, HOST)
    ]  # fmt: skip


@pytest.mark.parametrize("slug", some_slow(sorted(catalogue), always=("pyramid_poker",)))
def test_every_frame_of_a_whole_match_shows_the_match_and_is_under_64_kilobytes(slug: str) -> None:
    match = table_of(slug, "W")
    play_to_the_end(match, Random(1))
    frames = frames_of(match)
    assert max(len(frame.encode()) for frame in frames) < 64 * 1024
    assert all('<section id="live"' in as_read(json.loads(frame)["content"]) for frame in frames)


@pytest.mark.slow
def test_board_too_large_for_a_frame_is_fetched(visitors: Visitors) -> None:
    match = table_of("peeling_the_banana", "漢", LARGE)
    play_on(match, 1)
    seat = next(prompt.seat for prompt in repository.load(match.id).due.prompts)
    frames: list[dict[str, Any]] = [json.loads(frame) for frame in frames_of(match)]
    assert max(len(json.dumps(frame)) for frame in frames) < 64 * 1024
    assert None in [frame["content"] for frame in frames]
    watching = visitors.page(Account.objects.get(id=repository.load(match.id).lifecycle.players[1 - seat]))
    watching.goto(f"/m/{match.code}/")
    watching.locator("#connection[data-state=live]").wait_for()
    play_on(match, 1)
    version = repository.version_of(match.id)
    watching.locator(f'#live[data-version="{version}"]').wait_for()
    assert watching.locator("#board .cell").count() == 400


def test_open_text_board_follows_the_match(visitors: Visitors) -> None:
    one = new_account()
    match = running_match("pyramid_poker", one, new_account())
    page = visitors.page(one)
    page.goto(f"/m/{match.code}/")
    page.locator("#connection[data-state=live]").wait_for()
    page.locator("#spoken summary").click()
    page.locator("#words table").first.wait_for()
    before = page.locator("#words").inner_text()
    play_on(match, 3)
    page.locator(f'#live[data-version="{repository.version_of(match.id)}"]').wait_for()
    page.wait_for_function("before => document.getElementById('words').innerText !== before", arg=before)
    page.locator("#spoken summary").click()
    play_on(match, 1)
    page.locator(f'#live[data-version="{repository.version_of(match.id)}"]').wait_for()
    assert page.locator("#words table").count() > 0
