"""Trials of a content by bots: one contest with its course at once, or many in slices that workers play.

A slice is stored when it is over. If its worker was killed, the hold on the trial ends by itself and the slice is
played again; a trial of which no slice ends several times in a row has failed.
"""

import secrets
import time
from collections.abc import Callable
from datetime import timedelta
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.contest.content import Content
from games.contest.reading import read_content
from games.contest.trial import Sums, add_contest, course, result_of
from games.kernel import Illegal
from matches.contests.domain.drafts import Draft
from matches.contests.models import DATABASE_CLOCK, ContestTrial
from matches.contests.reads.visible import NoSuchContest
from matches.models import Account
from matches.reads import permissions

MOST_RUNS: Final = 1_000
"""Contests of a trial."""
MOST_SECONDS: Final = 120.0
"""Time that workers spend on a trial; then it ends with the contests that were played."""
MOST_TRIALS: Final = 50
"""Trials that are kept of an account."""
MOST_SENTENCES: Final = 5_000
"""Sentences of the course of one contest."""
MOST_CHARACTERS: Final = 400_000
"""Characters of these sentences."""

_HOLD: Final = timedelta(seconds=60)
_RENEWED_AFTER: Final = 15.0
"""Seconds after which a worker that is still playing holds its trial anew."""
_MOST_TRIES: Final = 3
_COURSE_SECONDS: Final = 3.0
_SEED: Final = 0
"""The bots' seed, so that trials of one content are equal."""

log = structlog.get_logger(__name__)


class Course(NamedTuple):
    """The sentences of one contest; `is_whole` is False if it was too long to be played to its end at once."""

    sentences: list[str]
    is_whole: bool


def play_one(*, account: Account, draft: Draft, seats: int) -> Course:
    """Play one contest of bots at once. Raise Faulty, Illegal (not_for_guests, bad_seats)."""
    content = _refuse_unplayable(account, draft, seats)
    ends = time.monotonic() + _COURSE_SECONDS
    sentences: list[str] = []
    characters = 0
    whole = course(content, seats, secrets.randbelow(2**32))
    for sentence in islice(whole, MOST_SENTENCES):
        sentences.append(sentence)
        characters += len(sentence)
        if characters > MOST_CHARACTERS or time.monotonic() > ends:
            break
    return Course(sentences, next(whole, None) is None)


@transaction.atomic
def start(*, account: Account, draft: Draft, seats: int, runs: int) -> ContestTrial:
    """Return the account's trial of this content with so many seats and contests, begun now if there is none.

    The result of somebody else's trial of the same content is taken over. Raise Faulty, and Illegal (not_for_guests,
    bad_seats, trial_running).
    """
    _refuse_unplayable(account, draft, seats)
    # Locked, so that of two requests only one begins a trial.
    Account.objects.select_for_update(no_key=True).get(id=account.id)
    same = ContestTrial.objects.filter(digest=draft.digest, seats=seats, runs=runs)
    own = same.filter(account=account).exclude(status=ContestTrial.Status.FAILED).first()
    if own is not None:
        return own
    same.filter(account=account).delete()
    trial = ContestTrial(account=account, digest=draft.digest, seats=seats, runs=runs)
    before = same.filter(status=ContestTrial.Status.FINISHED).first()
    if before is not None:
        trial.status, trial.done, trial.result = before.status, before.done, before.result
    elif ContestTrial.objects.filter(account=account, status=ContestTrial.Status.RUNNING).exists():
        raise Illegal("trial_running", _("Another trial of yours is running. Wait for its end, or cancel it."))
    else:
        trial.content = draft.json.decode()
    trial.save(force_insert=True)
    kept = ContestTrial.objects.filter(account=account).order_by("-begun_at").values("id")[:MOST_TRIALS]
    ContestTrial.objects.filter(account=account).exclude(id__in=kept).delete()
    return trial_of(account, trial.id)


def trial_of(account: Account, trial_id: UUID) -> ContestTrial:
    """Return a trial of the account; raise NoSuchContest."""
    trial = ContestTrial.objects.filter(account=account, id=trial_id).first()
    if trial is None:
        raise NoSuchContest
    return trial


def cancel(*, account: Account, trial_id: UUID) -> None:
    """Delete a trial of the account; a slice of it that is being played isn't stored. Raise NoSuchContest."""
    trial_of(account, trial_id).delete()


def play_slice(seconds: float) -> bool:
    """Play the trial that has waited longest for so many seconds, at least one contest; False if none waits.

    The hold is renewed while a contest is played. One that is still played after MOST_SECONDS isn't part of the result;
    if no other was played, the trial has failed.
    """
    trial = _hold_next()
    if trial is None:
        return False
    began = time.monotonic()
    content = read_content(msgspec.json.decode(trial.content))
    sums = msgspec.msgpack.decode(trial.sums, type=Sums) if trial.sums else Sums()
    goes_on = _renewing(trial, began + MOST_SECONDS - trial.seconds)
    try:
        while sums.contests < trial.runs:
            if not add_contest(sums, content, trial.seats, sums.contests, _SEED, goes_on):
                break
            if time.monotonic() - began >= seconds:
                break
    except Exception:  # the content of one account must not stop the trials of others
        log.exception("trial_failed", trial=str(trial.id))
        _store(trial, status=ContestTrial.Status.FAILED, content="", sums=None)
        return True
    spent = trial.seconds + time.monotonic() - began
    if spent >= MOST_SECONDS and not sums.contests:
        log.warning("trial_too_long", trial=str(trial.id))
        _store(trial, status=ContestTrial.Status.FAILED, content="", sums=None)
    elif sums.contests == trial.runs or spent >= MOST_SECONDS:
        result = msgspec.json.encode(result_of(content, trial.seats, sums)).decode()
        _store(trial, status=ContestTrial.Status.FINISHED, content="", sums=None, result=result, done=sums.contests)
    else:
        _store(trial, sums=msgspec.msgpack.encode(sums), done=sums.contests, seconds=spent, tries=0)
    return True


def _renewing(trial: ContestTrial, ends: float) -> Callable[[], bool]:
    """Return a function that renews the hold when it is due, and is True until the time ends or the hold is lost."""
    due = time.monotonic() + _RENEWED_AFTER

    def goes_on() -> bool:
        nonlocal due
        now = time.monotonic()
        if now < due:
            return now < ends
        due = now + _RENEWED_AFTER
        held = ContestTrial.objects.filter(id=trial.id, held_until=trial.held_until)
        is_held = held.update(held_until=DATABASE_CLOCK + _HOLD) == 1
        if is_held:
            trial.refresh_from_db(fields=("held_until",))
        return is_held and now < ends

    return goes_on


@transaction.atomic
def _hold_next() -> ContestTrial | None:
    """Return the trial that has waited longest, held for this worker; None if none waits."""
    is_free = Q(held_until=None) | Q(held_until__lt=DATABASE_CLOCK)
    waiting = ContestTrial.objects.filter(is_free, status=ContestTrial.Status.RUNNING).order_by("changed_at", "id")
    trial = waiting.select_for_update(skip_locked=True).first()
    if trial is None:
        return None
    if trial.tries >= _MOST_TRIES:
        log.error("trial_failed", trial=str(trial.id), tries=trial.tries)
        _store(trial, status=ContestTrial.Status.FAILED, content="", sums=None)
        return None
    ContestTrial.objects.filter(id=trial.id).update(held_until=DATABASE_CLOCK + _HOLD, tries=trial.tries + 1)
    trial.refresh_from_db()
    return trial


def _store(trial: ContestTrial, **changes: object) -> None:
    """Store a slice, and end the hold; nothing if the trial was cancelled, or is held by another worker since."""
    held = ContestTrial.objects.filter(id=trial.id, held_until=trial.held_until, status=ContestTrial.Status.RUNNING)
    held.update(**{"held_until": None, "changed_at": DATABASE_CLOCK, **changes})


def _refuse_unplayable(account: Account, draft: Draft, seats: int) -> Content:
    """Return the content; raise Faulty, Illegal."""
    permissions.refuse_guests([account.id], _("A guest has no trials of contests."))
    content = draft.required()
    if not content.least_seats <= seats <= content.most_seats:
        sentence = _("This contest is for %(least)s to %(most)s players.")
        raise Illegal("bad_seats", sentence % {"least": content.least_seats, "most": content.most_seats})
    return content
