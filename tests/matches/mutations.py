"""Records that were tampered with: every kind of change, of loss and of another spelling, by who knows everything.

Whoever tampers knows the revealed seed, works hashes, digests and draws out again and makes the header fit. What they
lack is the house's signature.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

from events.checkpoints import signing
from games import catalogue
from games.kernel import Illegal
from matches.audit import croupier_verify, export
from matches.audit.croupier_verify import Bad
from matches.domain import nonces
from matches.models import Account, Match
from matches.services import accepting, hosting, opening, playing, timing
from matches.services import nonces as nonce_services
from matches.storage import repository
from tests.matches import respelling, retelling, tampering
from tests.matches.tampering import Kind, Record, chained_anew, draw_changed, field_changed, header_changed
from tests.table_setting import new_account, play_on, play_to_the_end, waiting_match

BEFORE_THE_START = (
    "nonce_committed", "nonce_revealed", "nonces_called", "nonce_left_out", "seat_accepted", "seat_declined",
)  # fmt: skip
"""The events that tell who plays and who could have chosen the draws: each is tampered with for itself."""
ENDINGS = ("played", "resigned", "adjudicated", "void")


def status(text: str, key: str) -> int:
    """The exit status of the verifier: 0 holds and is covered, 1 broken, 3 not covered."""
    try:
        summary = croupier_verify.verify(croupier_verify.split(text), key)
    except Bad:
        return 1
    return 3 if croupier_verify.uncovered([summary]) else 0


def records(ending: str, rng: Random, games: Iterable[str] = tuple(catalogue)) -> Iterator[tuple[str, Record]]:
    """A record of each game that ended so, with promised nonces, seats that were declined and accepted, a pause, a
    rewind and a substitution in it; in every second one a nonce isn't shown in time."""
    matches = {}
    for place, slug in enumerate(games):
        with _time_to_show(in_time := place % 2 == 0):
            matches[slug] = _played(slug, ending, rng, in_time=in_time), in_time
    signing.sign_if_due(after_seconds=0)
    key = signing.signer().verifier_key
    for slug, (match, in_time) in matches.items():
        with _time_to_show(in_time):
            text = b"".join(export.export(match.id)).decode()
        yield slug, Record(text, key)


@contextmanager
def _time_to_show(in_time: bool) -> Iterator[None]:
    """A start that is called waits for nonces as ever, or not at all: for its act and for who judges it."""
    with patch.object(nonces, "REVEAL_SECONDS", nonces.REVEAL_SECONDS if in_time else 0):
        yield


def _played(slug: str, ending: str, rng: Random, *, in_time: bool) -> Match:
    host, *people = (new_account() for _ in range(1 + catalogue[slug].seats.min))
    match = waiting_match(slug, *people, opener=host)
    act = {"match_id": match.id, "by": host.id, "reason": "A test."}
    _begin(match, act, people, rng, in_time=in_time)
    play_on(match, 6, rng)
    hosting.pause(**act)
    hosting.resume(**act)
    _rewind(match.id, act, rng)
    play_on(match, 5, rng)
    hosting.substitute(**act, seat=1, player=new_account().id)
    play_on(match, 4, rng)
    if ending == "adjudicated":
        hosting.adjudicate(**act, winners=[1])
    elif ending == "void":
        hosting.void(**act)
    elif ending == "resigned":
        playing.submit(match_id=match.id, seat=0, player=str(people[0].id), command={"type": "resign"}, key="r",
                        fingerprint=b"")  # fmt: skip
    elif ending == "played":
        play_to_the_end(match, rng)
    return match


def _begin(match: Match, act: dict[str, Any], people: list[Account], rng: Random, *, in_time: bool) -> None:
    """The start, with all that comes before one: the last seat is declined and another's, the first two promise nonces,
    and the second of them shows its own `in_time` or not at all."""
    accepting.decline(match_id=match.id, player=people[-1].id, reason="A test.")
    people[-1] = new_account()
    hosting.substitute(**act, seat=len(people) - 1, player=people[-1].id)
    promised = {seat: rng.randbytes(32).hex() for seat in range(2)}
    for seat, nonce in promised.items():
        nonce_services.commit_nonce(match_id=match.id, player=people[seat].id, seat=seat,
                              commitment=nonces.commitment_of(match.id, seat, nonce))  # fmt: skip
    for account in people:
        accepting.accept(match_id=match.id, player=account.id)
    if not in_time and len(people) == 2:
        nonce_services.reveal_nonce(match_id=match.id, player=people[0].id, seat=0, nonce=promised.pop(0))
    opening.start(**act)
    for seat, nonce in promised.items() if in_time else ():
        nonce_services.reveal_nonce(match_id=match.id, player=people[seat].id, seat=seat, nonce=nonce)
    timing.let_flag_fall(match_id=match.id)


def _rewind(match_id: UUID, act: dict[str, Any], rng: Random) -> None:
    """Back to some version after the start at which an act ended."""
    newest = repository.version_of(match_id)
    for to_version in rng.sample(range(4, newest), newest - 4):
        try:
            hosting.rewind(**act, to_version=to_version)
        except Illegal:
            continue
        return
    raise AssertionError("there is no version to go back to")


KINDS: dict[str, Kind] = {
    **{f"changed: an event's {name}": field_changed(name) for name in croupier_verify._EVENT},
    **{f"changed: the header's {name}": header_changed(name) for name in croupier_verify._HEADER},
    **{f"changed and chained anew: {name}": chained_anew(name) for name in ("public", "secret", "salt", "actor", "at")},
    **{
        f"changed, chained anew and no checkpoint: {name}": chained_anew(name, uncovered=True)
        for name in ("secret", "actor", "at")
    },
    "changed: events swapped": tampering.swapped(tampering.events),
    "changed: an event told twice": tampering.told_twice(tampering.events, "version"),
    "changed: draws swapped": tampering.swapped(tampering.draws),
    "changed: a draw told twice": tampering.told_twice(tampering.draws, "draws"),
    "changed: a draw's result": draw_changed(tampering.other_result),
    "changed: a draw's items, drawn again": draw_changed(tampering.other_items),
    "changed: a draw's items in another order, drawn again": draw_changed(tampering.items_moved),
    "changed: an item more or less, drawn again": draw_changed(tampering.item_added),
    "changed: a step more, drawn again": draw_changed(tampering.steps_added),
    **{
        f"changed: a draw's {name}, drawn again": draw_changed(tampering.elsewhere(name))
        for name in ("draw", "line", "at", "purpose")
    },
    "changed: a draw that no event tells": tampering.draw_invented,
    **{f"changed: the checkpoint's {name}": tampering.checkpoint_changed(name) for name in croupier_verify._CHECKPOINT},
    **{
        f"{way}, chained anew{suffix}: {name}": retelling.of_type(name, act, uncovered=uncovered)
        for way, act in retelling.WAYS.items()
        for suffix, uncovered in (("", False), (" and no checkpoint", True))
        for name in BEFORE_THE_START
    },
    "dropped: an event, chained anew": tampering.dropped,
    "dropped: the last events": tampering.cut_off,
    "dropped: a secret": tampering.kept_back,
    "dropped: a draw": tampering.draw_dropped,
    "dropped: all draws": tampering.all_draws_dropped,
    "dropped: steps of a draw": draw_changed(tampering.steps_cut),
    "dropped: the checkpoint": tampering.checkpoint_dropped,
    "respelled: hex in capitals": respelling.in_capitals,
    "respelled: an id": respelling.other_id,
    "respelled: a number": respelling.other_number,
    "respelled: a letter by its number": respelling.escaped,
    "respelled: a space": respelling.spaced,
    "respelled: fields in another order": respelling.reordered,
    "respelled: a name twice": respelling.named_twice,
    "respelled: a field added": respelling.field_added,
    "respelled: something beside the lines": respelling.beside,
    "respelled: the signed checkpoint": respelling.note_respelled,
}


def tampered(kind: str, record: Record, rng: Random) -> str | None:
    """The record tampered with; None where it has no place for that."""
    for _ in range(20):
        text = KINDS[kind](record, rng)
        if text is not None and text != record.text:
            return text
    return None
