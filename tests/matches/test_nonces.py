"""Nonces are promised before any is shown: whoever gives theirs last can't choose it to suit the others."""

import hmac
import secrets
import struct
from datetime import timedelta
from functools import reduce
from hashlib import sha256
from uuid import UUID

import pytest

from events import store
from games.kernel import Chance, Event
from matches import tasks
from matches.accounts import erasure
from matches.domain import lifecycle, nonces
from matches.domain.events import (
    BOT,
    MatchOpened,
    MatchStarted,
    MatchVoided,
    NonceAdded,
    NonceCommitted,
    NonceLeftOut,
    NonceRevealed,
    NoncesCalled,
    SeatSubstituted,
    SeatTaken,
)
from matches.domain.lifecycle import Lifecycle
from matches.models import Deadline
from matches.reads import selectors
from matches.services import hosting, opening, timing
from matches.services import nonces as nonce_services
from matches.storage import outages, repository, seeds
from matches.storage.outages import Silence
from tests.matches.hosted_match import types
from tests.table_setting import new_account, refusal_of, waiting_match
from tests.waiting import wait_until

ID = UUID(int=7)
OPENED = MatchOpened("pyramid_poker", {}, 3, 0, "host", "c0ffee", "croupier-chance-v1", nonces=seeds.NONCES)
SEATED = (SeatTaken(0, "mira"), SeatTaken(1, "tobias"), SeatTaken(2, BOT))
ONE, TWO = "01" * 32, "02" * 32
CALLED = NoncesCalled(until=15_000_100, reason="Go.")
SECOND = 1_000_000


def promise(seat: int, nonce: str) -> NonceCommitted:
    return NonceCommitted(seat, nonces.commitment_of(ID, seat, nonce))


def match_after(*events: Event) -> Lifecycle:
    return reduce(lifecycle.evolve, (*SEATED, *events), lifecycle.opening(OPENED))


BOTH = (promise(0, ONE), promise(1, TWO))


def first_card(seed: bytes, story: Lifecycle) -> int:
    """Return the first draw of the match."""
    return Chance(seeds.key_of(seed, story)).below(40, "brick")


def nonces_that_bring(card: int, seed: bytes, *before: Event) -> int:
    """Return how many of 400 nonces lead to a card, if the last giver knows all others and the seed."""
    tries = (match_after(*before, NonceAdded(1, f"{number}")) for number in range(400))
    return sum(first_card(seed, story) == card for story in tries)


# Who could choose, and who can't any more


def test_plain_nonces_let_the_last_giver_choose_the_draws() -> None:
    """Show why commitments are needed: the last giver can get any card if seed and other nonces are known to them."""
    seed = bytes(32)
    assert all(nonces_that_bring(card, seed, NonceAdded(0, "mira's dice")) for card in range(0, 40, 8))


def test_no_nonce_is_accepted_after_a_committed_one_is_revealed() -> None:
    revealed = match_after(*BOTH, NonceRevealed(0, ONE))
    called = match_after(promise(0, ONE), CALLED)
    for story, seat in ((revealed, 1), (revealed, 2), (called, 1)):
        expected = "nonce_given" if story.commitments[seat] else "nonces_closed"
        assert refusal_of(lambda at=story, by=seat: lifecycle.add_nonce(at, by, "ground")) == expected
        assert refusal_of(lambda at=story, by=seat: nonces.commit(at, by, "00" * 32)) == expected


def test_committed_nonce_is_unknown_until_it_is_revealed() -> None:
    """Two stories that tobias and the house can't tell apart; the nonce that suits the one doesn't suit the other."""
    seed, nonces_committed = bytes(32), [secrets.token_hex(32) for _ in range(2)]
    ends = [match_after(promise(0, it), NonceAdded(1, "suits"), NonceRevealed(0, it)) for it in nonces_committed]
    assert len({seeds.key_of(seed, story) for story in ends}) == 2
    assert refusal_of(lambda: nonces.reveal(match_after(promise(0, ONE)), ID, 0, ONE)) == "nonce_too_early"


def test_last_revealer_chooses_between_two_deals_and_is_named_for_omitting() -> None:
    seed, revealed = bytes(32), match_after(*BOTH, CALLED, NonceRevealed(0, ONE))
    possible_keys = {seeds.key_of(seed, reduce(lifecycle.evolve, end, revealed)) for end in
            (nonces.reveal(revealed, ID, 1, TWO), nonces.leave_out(revealed))}  # fmt: skip
    assert len(possible_keys) == 2
    assert nonces.leave_out(revealed) == (NonceLeftOut(1), MatchStarted("Go."))
    assert all(refusal_of(lambda nonce=it: nonces.reveal(revealed, ID, 1, nonce)) == "nonce_mismatch" for it in (
        ONE, TWO.replace("2", "3"), TWO.upper() + " ", TWO[:-1], "my dice"
    ))  # fmt: skip


def test_commitment_copied_from_another_seat_or_match_cannot_be_revealed() -> None:
    copied = match_after(promise(0, ONE), NonceCommitted(1, nonces.commitment_of(ID, 0, ONE)))
    assert refusal_of(lambda: nonces.reveal(copied, ID, 1, ONE)) == "nonce_mismatch"
    assert refusal_of(lambda: nonces.reveal(match_after(*BOTH), UUID(int=8), 0, ONE)) == "nonce_mismatch"


def test_seat_commits_once_and_reveals_once() -> None:
    story = match_after(*BOTH, NonceRevealed(0, ONE))
    for act in (
        lambda: nonces.commit(match_after(BOTH[0]), 0, "00" * 32),
        lambda: lifecycle.add_nonce(match_after(BOTH[0]), 0, "plain"),
        lambda: nonces.commit(match_after(NonceAdded(0, "plain")), 0, "00" * 32),
        lambda: nonces.reveal(story, ID, 0, ONE),
    ):
        assert refusal_of(act) == "nonce_given"


def test_substitute_commits_anew_only_before_the_first_reveal() -> None:
    newcomer = SeatSubstituted(1, "zoe", "Away.")
    assert nonces.page_action(match_after(*BOTH, newcomer), 1) == "promise"
    assert nonces.unrevealed(match_after(*BOTH, CALLED, newcomer)) == (0, 1)
    late = match_after(*BOTH, NonceRevealed(0, ONE), newcomer)
    assert refusal_of(lambda: nonces.commit(late, 1, "00" * 32)) == "nonce_given"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param((), ("promise", "promise"), id="both are asked"),
        pytest.param((BOTH[0],), ("", "promise"), id="the first keeps theirs"),
        pytest.param(BOTH, ("show", "show"), id="nobody is missing"),
        pytest.param((BOTH[0], NonceAdded(1, "plain")), ("show", ""), id="a plain one is there too"),
        pytest.param((BOTH[0], CALLED), ("show", ""), id="the start is called without the other"),
        pytest.param((*BOTH, CALLED, MatchVoided("Off.")), ("", ""), id="it is void"),
        pytest.param((*BOTH, CALLED, NonceLeftOut(0), NonceLeftOut(1), MatchStarted("Go.")), ("", ""), id="it began"),
    ],
)
def test_page_action_follows_the_nonces_of_the_seat(events: tuple[Event, ...], expected: tuple[str, str]) -> None:
    story = match_after(*events)
    assert (nonces.page_action(story, 0), nonces.page_action(story, 1)) == expected
    assert nonces.page_action(story, 2) == (
        "promise" if expected == ("promise", "promise") else nonces.page_action(story, 2)
    )


def test_key_of_the_draws_is_the_published_formula() -> None:
    seed = bytes(range(32))
    story = match_after(promise(0, ONE), NonceAdded(1, "Zoë"), CALLED, NonceLeftOut(0), MatchStarted("Go."))
    left_out = sha256(b"croupier-nonce-commitment-v1\n" + ID.bytes + struct.pack(">I", 0) + b"\1" * 32).digest()
    nonces_encoded = (
        struct.pack(">BI", 3, 32) + left_out + struct.pack(">BI", 1, 4) + "Zoë".encode() + struct.pack(">BI", 0, 0)
    )
    assert seeds.key_of(seed, story) == hmac.new(seed, b"croupier-nonces-v2\n" + nonces_encoded, sha256).digest()
    revealed = match_after(*BOTH, NonceRevealed(0, ONE), NonceRevealed(1, TWO), MatchStarted("Go."))
    nonces_encoded = b"".join(struct.pack(">BI", 2, 32) + bytes.fromhex(it) for it in (ONE, TWO)) + struct.pack(
        ">BI", 0, 0
    )
    assert seeds.key_of(seed, revealed) == hmac.new(seed, b"croupier-nonces-v2\n" + nonces_encoded, sha256).digest()


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ((), "the house alone"),
        ((NonceAdded(0, "dice"), NonceAdded(1, "coin")), "in plain: Mira, Tobias. The house with the last"),
        ((*BOTH, NonceRevealed(0, ONE), NonceRevealed(1, TWO)), "shown: Mira, Tobias. Whoever trusts one"),
        ((*BOTH, NonceRevealed(0, ONE), CALLED, NonceLeftOut(1)), "Left out, as not shown in time: Tobias."),
    ],
)
def test_match_says_who_could_have_chosen_its_draws(events: tuple[Event, ...], sentence: str) -> None:
    assert sentence in nonces.fairness_sentence(match_after(*events, MatchStarted("Go.")), ("Mira", "Tobias", "Bot"))


# The host


class Party:
    """A match of two that has promised nonces."""

    def __init__(self, *promised: int) -> None:
        self.players = [new_account(), new_account()]
        self.match = waiting_match("pyramid_poker", *self.players, opener=self.players[0])
        self.kept = [secrets.token_hex(32) for _ in self.players]
        for seat in promised:
            commitment = nonces.commitment_of(self.match.id, seat, self.kept[seat])
            nonce_services.commit_nonce(
                match_id=self.match.id, player=self.player(seat), seat=seat, commitment=commitment
            )

    def player(self, seat: int) -> UUID:
        return self.players[seat].id

    def show(self, seat: int) -> None:
        opening.add_nonce(match_id=self.match.id, player=self.player(seat), seat=seat, nonce=self.kept[seat])

    def start(self) -> str:
        opening.start(match_id=self.match.id, by=self.player(0), reason="Go.")
        return self.status

    @property
    def story(self) -> Lifecycle:
        return repository.load(self.match.id).lifecycle

    @property
    def status(self) -> str:
        return self.story.status


def at_once_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start that is called waits for nobody."""
    monkeypatch.setattr(nonces, "REVEAL_SECONDS", 0)


def test_start_with_every_nonce_revealed_begins_at_once() -> None:
    party = Party(0, 1)
    party.show(0)
    party.show(1)
    assert party.start() == "running"
    assert types(party.match)[-3:] == ["nonce_revealed", "nonce_revealed", "match_started"]


def test_start_waits_for_committed_nonces_and_begins_with_the_last() -> None:
    party = Party(0, 1)
    assert party.start() == "waiting"
    deadline = Deadline.objects.get(match_id=party.match.id).falls_at
    assert deadline is not None and party.match.id not in dict(selectors.flags_to_fall(within_seconds=10))
    assert party.match.id in dict(selectors.flags_to_fall(within_seconds=nonces.REVEAL_SECONDS + 1))
    assert refusal_of(party.start) == "nonces_called"
    party.show(1)
    assert party.status == "waiting"
    party.show(0)
    assert party.status == "running"
    assert types(party.match)[-4:] == ["nonces_called", "nonce_revealed", "nonce_revealed", "match_started"]
    assert party.story.left_out == ()


def test_match_begins_without_nonces_not_revealed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once_over(monkeypatch)
    party = Party(0, 1)
    assert party.start() == "waiting"
    tasks.keep_time()
    assert (party.status, party.story.left_out) == ("running", (0, 1))
    assert types(party.match)[-3:] == ["nonce_left_out", "nonce_left_out", "match_started"]
    assert refusal_of(lambda: party.show(0)) == "already_started"


def test_late_nonce_is_refused_and_the_match_begins_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker has come by yet, so the one who is late lets it begin."""
    at_once_over(monkeypatch)
    party = Party(0, 1)
    party.start()
    assert refusal_of(lambda: party.show(0)) == "already_started"
    assert (party.status, party.story.left_out) == ("running", (0, 1))


def test_second_start_after_the_reveal_time_begins_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once_over(monkeypatch)
    party = Party(1)
    assert (party.start(), party.start()) == ("waiting", "running")


def test_plain_nonce_is_accepted_and_shown() -> None:
    party = Party()
    opening.add_nonce(match_id=party.match.id, player=party.player(1), seat=1, nonce="my dice")
    assert party.start() == "running"
    assert party.story.nonces == (None, "my dice")


def test_outage_extends_the_time_to_reveal(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once_over(monkeypatch)
    party = Party(0, 1)
    party.start()
    with monkeypatch.context() as away:
        away.setattr(outages, "refresh", lambda: Silence(1e9, None, None))
        timing.let_flag_fall(match_id=party.match.id)
    assert party.status == "waiting"
    with monkeypatch.context() as back:
        back.setattr(outages, "taken_since", lambda match_id, since, until: 60 * SECOND)
        timing.let_flag_fall(match_id=party.match.id)
    assert party.status == "waiting"
    timing.let_flag_fall(match_id=party.match.id)
    assert party.status == "running"


def test_account_is_not_erased_between_the_call_and_the_start() -> None:
    """Nothing looks at the seats a second time."""
    party = Party(0, 1)
    party.start()
    with pytest.raises(erasure.StillSeated):
        erasure.erase(party.player(1))
    hosting.void(match_id=party.match.id, by=party.player(0), reason="Off.")
    assert Deadline.objects.get(match_id=party.match.id).falls_at is None
    erasure.erase(party.player(1))


def test_match_opened_by_an_older_release_accepts_plain_nonces_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "NONCES", None)
    party = Party()
    monkeypatch.undo()
    assert refusal_of(lambda: nonce_services.commit_nonce(
        match_id=party.match.id, player=party.player(0), seat=0, commitment="00" * 32
    )) == "nonces_closed"  # fmt: skip
    opening.add_nonce(match_id=party.match.id, player=party.player(0), seat=0, nonce="my dice")
    assert party.start() == "running"
    seed = seeds.seed_of(party.match.id)
    assert seeds.key_of(seed, party.story) == seeds.mixed(seed, ("my dice", None))


def test_scheduled_match_starts_without_an_unrevealed_nonce(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once_over(monkeypatch)
    party = Party(1)
    opens_at = store.clock() + timedelta(seconds=1)
    opening.reschedule(match_id=party.match.id, by=str(party.player(0)), opens_at=opens_at, reason="Soon.")
    wait_until(lambda: store.clock() > opens_at)
    tasks.catch_up()
    assert party.status == "waiting"
    tasks.keep_time()
    assert party.status == "running"
