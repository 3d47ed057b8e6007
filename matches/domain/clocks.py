"""Compute time left and deadlines from prompts and instants. Pure: instants are given in microseconds since 1970 UTC.

A run is one seat's time on one turn. It begins when the seat is first prompted for the turn and ends when it no longer
is. It stands still while the dealer is due and while the match is paused. When it ends, the time beyond `base` is taken
off the seat's reserve on that clock, in whole increments. The flag falls when base and the whole increments left are
used up and `grace`, which is never charged, has passed too.

In a scheduled match the set-up closes some time before the match opens, usually an hour; a step that begins after that
closes when the match opens. No other clock runs before the match opens. A step with a share of the set-up ends when its
share is used.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import HOST, Due, Prompt, SetupShare, Witness

SECOND = 1_000_000
SETUP_CLOSES_BEFORE = 3600
"""Default of seconds between the end of the set-up and the opening of a scheduled match."""
HOST_NUMBER = -1
"""The number, in place of a seat's, of runs and deadlines of the host."""


def number_of(mover: Witness) -> int:
    """Return the number of a seat's runs, or of the host's."""
    return mover if isinstance(mover, int) else HOST_NUMBER


def mover_of(number: int) -> Witness:
    """Return the seat, or HOST, whose runs have this number."""
    return HOST if number == HOST_NUMBER else number


def instant(at: datetime) -> str:
    """Return an instant as in records and documents: RFC 3339 in UTC, to the microsecond."""
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def in_utc(at: int) -> str:
    """Return an instant in microseconds since 1970 as in sentences: to the second, in UTC."""
    return f"{datetime.fromtimestamp(at // SECOND, UTC):%Y-%m-%d %H:%M:%S} UTC"


class ClockTimes(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock's times in seconds: `base` a turn, `reserve` a match, taken in steps of `increment`."""

    base: int
    reserve: int = 0
    increment: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.base <= 366 * 86400 or not 0 <= self.reserve <= 366 * 86400:
            raise ValueError("a clock's base is 1 second to 366 days, its reserve 0 seconds to 366 days")
        if not 1 <= self.increment <= 86400:
            raise ValueError("a clock's increment is 1 second to a day")


class Run(Struct, frozen=True):
    """The time of one seat, or of the host (HOST_NUMBER), on one turn.

    `stood` is how long it has stood still, `standing_since` an instant or None. A run with `until` ends at that instant
    plus `stood`, whatever its clock's times are.
    """

    seat: int
    turn: str
    clock: str
    began: int
    stood: int = 0
    standing_since: int | None = None
    until: int | None = None

    def spent(self, at: int) -> int:
        """Return the microseconds used at an instant; 0 before the run begins, which may be later than now."""
        return max(0, (at if self.standing_since is None else self.standing_since) - self.began) - self.stood


class Reserve(Struct, frozen=True):
    """The reserve of a seat on a clock, in seconds."""

    seat: int
    clock: str
    left: int


class Deadline(Struct, frozen=True, order=True):
    """The instant at which a seat's flag falls."""

    falls_at: int
    later_of_two: bool
    seat: int
    turn: str
    clock: str


class Clocks(Struct, frozen=True, kw_only=True):
    """All clocks of a match at the instant of its last event. Without `times` no clock runs.

    opens_at: the opening of a scheduled match.
    setup: names of the clocks that run before it; they close `setup_closes` seconds earlier.
    shares: by name, the shares of steps that end earlier.
    """

    times: dict[str, ClockTimes]
    priority: int
    grace: int
    runs: tuple[Run, ...] = ()
    reserves: tuple[Reserve, ...] = ()
    opens_at: int | None = None
    setup: tuple[str, ...] = ()
    setup_closes: int = SETUP_CLOSES_BEFORE
    shares: dict[str, SetupShare] = {}

    def __hash__(self) -> int:
        # Without the dicts, which have no hash and don't change during a match.
        return hash((self.runs, self.reserves, self.opens_at))


def opening(
    times: dict[str, ClockTimes],
    seats: int,
    priority: int,
    grace: int,
    *,
    opens_at: int | None = None,
    setup: tuple[str, ...] = (),
    setup_closes: int = SETUP_CLOSES_BEFORE,
    shares: Mapping[str, SetupShare] = MappingProxyType({}),
) -> Clocks:
    """Return the clocks of a new match: full reserves, no runs. `grace` and `opens_at` are in microseconds."""
    reserves = tuple(
        Reserve(seat, name, clock.reserve) for name, clock in sorted(times.items()) for seat in range(seats)
    )
    return Clocks(
        times=times,
        priority=priority,
        grace=grace,
        reserves=reserves,
        opens_at=opens_at,
        setup=setup,
        setup_closes=setup_closes,
        shares=dict(shares),
    )


@lru_cache(maxsize=1024)
def settle(clocks: Clocks, due: Due, at: int, *, paused: bool = False) -> Clocks:
    """Return the clocks after the events at `at`, if the match then waits for `due`."""
    if not clocks.times:
        return clocks
    if due.dealer:
        return replace(clocks, runs=tuple(_stand(run, at) for run in clocks.runs))
    prompted = {(number_of(prompt.seat), prompt.turn): prompt for prompt in due.prompts if prompt.clock in clocks.times}
    continuing = {(run.seat, run.turn): run for run in clocks.runs if (run.seat, run.turn) in prompted}
    for run in clocks.runs:
        if (run.seat, run.turn) not in prompted:
            clocks = _charge(clocks, run, at)
    runs = (continuing.get(key) or _begin(clocks, prompt, at) for key, prompt in prompted.items())
    return replace(clocks, runs=tuple(_stand(run, at) if paused else _resume(run, at) for run in runs))


def give(clocks: Clocks, seconds: int, seat: int) -> Clocks:
    """Give a seat's turns more time, including those that begin only when the match opens."""
    return replace(
        clocks,
        runs=tuple(
            replace(run, stood=run.stood + seconds * SECOND) if run.seat == seat else run for run in clocks.runs
        ),
    )


def credit(clocks: Clocks, seconds: int, at: int) -> Clocks:
    """Give time back, after an outage, to the turns that had begun at an instant."""
    return replace(
        clocks,
        runs=tuple(replace(run, stood=run.stood + seconds * SECOND) if run.began < at else run for run in clocks.runs),
    )


def began(clocks: Clocks) -> int | None:
    """Return when the first running turn began or will begin; None if none runs."""
    return min((run.began for run in clocks.runs if run.standing_since is None), default=None)


def moved(clocks: Clocks, since: int, at: int) -> Clocks:
    """Return the clocks of the instant `since` as of another instant: each run has spent the same time.

    A run that hadn't begun begins when the match opens, or now. Before the match opens, its set-up closes when it would
    have closed.
    """
    return replace(clocks, runs=tuple(_moved(clocks, run, since, at) for run in clocks.runs))


def _moved(clocks: Clocks, run: Run, since: int, at: int) -> Run:
    shift = at - since
    standing_since = None if run.standing_since is None else run.standing_since + shift
    if run.began > since:
        return replace(run, began=max(run.began, at), standing_since=standing_since)
    until = run.until
    if until is not None and clocks.opens_at is not None:
        until = _setup_ends(clocks, run.clock, at) if at < clocks.opens_at else until + shift
    return replace(run, began=run.began + shift, until=until, standing_since=standing_since)


def add_reserve(clocks: Clocks, clock: str, seconds: int) -> Clocks:
    """Increase every seat's reserve on a clock."""
    return replace(
        clocks,
        reserves=tuple(
            replace(reserve, left=reserve.left + seconds) if reserve.clock == clock else reserve
            for reserve in clocks.reserves
        ),
    )


@lru_cache(maxsize=1024)
def deadlines(clocks: Clocks) -> tuple[Deadline, ...]:
    """Return the deadline of each running turn, in order; turns that stand still have none."""
    return tuple(sorted(_deadline(clocks, run) for run in clocks.runs if run.standing_since is None))


def overdue(clocks: Clocks, at: int) -> Deadline | None:
    """Return the first flag that has fallen before `at`; a command that arrives exactly at its deadline is in time."""
    first = next(iter(deadlines(clocks)), None)
    return first if first is not None and first.falls_at < at else None


def latest_at(clocks: Clocks, seat: int, arrived_at: int, now: int) -> int:
    """Return the latest instant up to `now` at which a seat's command costs its player no more than at its arrival, and
    no other flag falls. The next player's turn begins then, so a delay of the command isn't charged to them."""
    if now <= arrived_at:
        return arrived_at
    turns = (run for run in clocks.runs if run.seat == seat and run.standing_since is None and run.until is None)
    free = (_free_until(clocks, run, arrived_at) for run in turns)
    flags = (deadline.falls_at for deadline in deadlines(clocks)[:1])
    return max(arrived_at, min([now, *free, *flags]))


def _free_until(clocks: Clocks, run: Run, at: int) -> int:
    """Return until when a turn takes the same off its seat's reserve as if it ended at this instant."""
    times = clocks.times[run.clock]
    over = max(0, run.spent(at) - times.base * SECOND)
    used = -(-over // (times.increment * SECOND)) * times.increment
    return run.began + run.stood + (times.base + used) * SECOND


def reserve_left(clocks: Clocks, seat: int, clock: str) -> int:
    """Return the seconds of reserve that a seat has on a clock, without the current turn's use."""
    return next((r.left for r in clocks.reserves if (r.seat, r.clock) == (seat, clock)), 0)


def _deadline(clocks: Clocks, run: Run) -> Deadline:
    falls_at = (_used_up_at(clocks, run) if run.until is None else run.until) + run.stood + clocks.grace
    return Deadline(falls_at, run.seat == clocks.priority, run.seat, run.turn, run.clock)


def _used_up_at(clocks: Clocks, run: Run) -> int:
    times = clocks.times[run.clock]
    left = reserve_left(clocks, run.seat, run.clock)
    return run.began + (times.base + left // times.increment * times.increment) * SECOND


def _charge(clocks: Clocks, run: Run, at: int) -> Clocks:
    """Take what a finished turn used beyond its base off the reserve, in whole increments."""
    times = clocks.times[run.clock]
    over = run.spent(at) - times.base * SECOND
    if over <= 0 or run.until is not None:
        return clocks
    used = -(-over // (times.increment * SECOND)) * times.increment
    return replace(
        clocks,
        reserves=tuple(
            replace(reserve, left=max(0, reserve.left - used))
            if (reserve.seat, reserve.clock) == (run.seat, run.clock)
            else reserve
            for reserve in clocks.reserves
        ),
    )


def _begin(clocks: Clocks, prompt: Prompt, at: int) -> Run:
    run = Run(number_of(prompt.seat), prompt.turn, prompt.clock, began=at)
    opens_at = clocks.opens_at
    if opens_at is None or at >= opens_at:
        return run
    if prompt.clock not in clocks.setup:
        return replace(run, began=opens_at)
    return replace(run, until=_setup_ends(clocks, prompt.clock, at))


def _setup_ends(clocks: Clocks, clock: str, at: int) -> int:
    """Return the end of a set-up step that begins at this instant, before the match opens."""
    assert clocks.opens_at is not None  # noqa: S101  called only for scheduled matches
    closes_at = clocks.opens_at - clocks.setup_closes * SECOND
    closes_at = closes_at if at < closes_at else clocks.opens_at
    share = clocks.shares.get(clock)
    return closes_at if share is None else share_ends(share, clocks.opens_at, closes_at, at)


def share_ends(share: SetupShare, opens_at: int, closes_at: int, at: int) -> int:
    """Return the end of a set-up step with a share that begins at this instant."""
    regular, first_part = opens_at - share.ends_before * SECOND, at + (closes_at - at) // share.parts
    return regular if first_part <= regular < closes_at else first_part


def _stand(run: Run, at: int) -> Run:
    return run if run.standing_since is not None else replace(run, standing_since=at)


def _resume(run: Run, at: int) -> Run:
    if run.standing_since is None:
        return run
    # A turn that begins only when the match opens loses no time by standing still before.
    stood = max(0, at - max(run.standing_since, run.began))
    return replace(run, stood=run.stood + stood, standing_since=None)
