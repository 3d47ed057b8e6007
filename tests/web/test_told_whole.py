"""Screen readers are told a match from its first move to its end: each event once, in order, in people's words."""

import re
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from games import catalogue
from games.kernel import SPECTATOR, Witness, to_json
from matches.html import ending, record
from matches.models import Match
from matches.reads.sentences import short_names_of
from matches.services import playing
from matches.storage import repository
from tests.table_setting import Api, api, new_account, running_match
from tests.web.hands import caught_up, opened
from tests.web.site import Visitors

SHORT: dict[str, dict[str, Any]] = {
    "peeling_the_banana": {"turns": 2},
    "reality_benders": {"max_bouts": 1},
}
"""Options under which a match shows all that it has, and ends sooner."""
LISTENS = """() => {
  const live = "[aria-live], [role=status], [role=alert], [role=log]";
  window.told = [];
  new MutationObserver((seen) => {
    for (const { target, addedNodes } of seen) {
      const place = (target instanceof Element ? target : target.parentElement).closest(live);
      if (place && addedNodes.length) window.told.push([...addedNodes].map((it) => it.textContent).join(" "));
    }
  }).observe(document, { subtree: true, childList: true });
}"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
BETWEEN = re.compile(r"(Your turn: [^.]+|(You have locked in; w|W)aiting for [\w ]+|The dealer is at work)?")
"""What may be told beside the events: what the match waits for."""
NO_WORDS = re.compile(r"\w_\w|#|[{}\[\]]|\bNone\b|null|undefined|NaN")
"""What programs say, and nobody else."""


def play_whole(match: Match, pages: Iterable[Page]) -> None:
    """To the end, over REST, each page shown what has happened before anything else does."""
    clients = [api(seat.account) for seat in match.seats.order_by("number")]
    rng = Random(7)
    while True:
        playing.attend(match_id=match.id)
        known = repository.load(match.id)
        for page in pages:
            caught_up(page, known.version)
            page.evaluate(DRAWN)
        if known.outcome:
            return
        seat = rng.choice(known.due.prompts).seat
        _move(clients[seat], match, seat, rng)


def _move(client: Api, match: Match, seat: int, rng: Random) -> None:
    known = repository.load(match.id, seat)
    command = to_json(known.game.bot(known.state, seat, rng))
    answer = client.post(f"/matches/{match.id}/commands", command, idempotency_key=f"move-{known.version}")
    assert answer.status_code == 201, answer.content


def lines(match: Match, witness: Witness, after: int) -> list[str]:
    """What the witness reads of the match since a version, but for the house's own lines of its end."""
    events = record.witnessed_events(match.id, witness, after, repository.version_of(match.id))
    told = record.lines(repository.load(match.id, witness), match.id, events, short_names_of(match))
    return [line.text for line in told if line.kind != "house"]


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("slug", catalogue)
def test_screen_reader_hears_a_whole_match_once_and_in_order(visitors: Visitors, slug: str) -> None:
    one, two = new_account(), new_account()
    match = running_match(slug, one, two, options=SHORT.get(slug))
    playing.attend(match_id=match.id)
    pages: dict[Page, Witness] = {visitors.page(one): 0, visitors.page(None): SPECTATOR}
    for page in pages:
        opened(page, match).evaluate(LISTENS)
    began = repository.version_of(match.id)
    play_whole(match, pages)
    end = ending.sentence(repository.load(match.id), short_names_of(match))
    for page, witness in pages.items():
        told = page.evaluate("window.told")
        heard = " ".join(" ".join(told).split())
        assert NO_WORDS.findall(heard) == []
        for line in lines(match, witness, began):
            between, found, heard = heard.partition(line)
            assert found, f"{line} isn't told where it belongs; {between[:300]}"
            assert BETWEEN.fullmatch(between.strip()), (between, line)
        assert heard.strip() == end
