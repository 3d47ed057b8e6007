"""The host's table of a contest: the current round, who has submitted, and what its host may do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from events import chain, store
from games import contest
from games.contest import forms as rules
from games.contest.content import AnyValue, Round, Values
from games.contest.fields import AnyField, Player, Split
from games.contest.placing import Place, place_of
from games.contest.state import State
from games.kernel import HOST, SPECTATOR
from matches.domain import clocks
from matches.domain.match_state import MatchState
from matches.html.seats import SeatStrip, strips
from matches.panel.entry import ControlRoom
from matches.services import hosting
from matches.storage import codec

OPENED, JUDGED = "opened", "judged"
_EVENTS = {OPENED: "round_opened", JUDGED: "resolved"}
"""The events before which a round can be played again, by what they do to it."""


@dataclass(frozen=True)
class PlayedRound:
    """A round that has been opened: its number from 1, of how many, its title, and whether a host has judged it."""

    number: int
    total: int
    title: str
    is_judged: bool


@dataclass(frozen=True)
class HostTable:
    """The round for its host; `commands` are those that they may give now, none for a host who plays."""

    number: int
    total: int
    title: str
    text: str
    stage: str
    commands: tuple[str, ...]
    submitted: tuple[SeatStrip, ...]
    missing: tuple[SeatStrip, ...]
    first_flag: datetime | None
    last_flag: datetime | None
    rounds: tuple[PlayedRound, ...]


def is_contest(match_state: MatchState) -> bool:
    """True if the match is a contest under way."""
    return match_state.game is contest.GAME and match_state.lifecycle.started and not match_state.lifecycle.over


def gives_commands(room: ControlRoom) -> bool:
    """True if the host may give commands: they hold no seat, and don't play."""
    return room.seat is None and room.may("command") and not room.lifecycle.over


def table_of(room: ControlRoom, match_state: MatchState) -> HostTable | None:
    """Return the host's table of a contest under way, as spectators know it in this state; None of any other match."""
    if not is_contest(match_state):
        return None
    state: State = match_state.state
    of_seat = strips(room.match, match_state, SPECTATOR)
    seats = rules.asked(state) if state.stage == "open" else ()
    flags = [chain.instant(it.falls_at) for it in clocks.deadlines(match_state.clocks)]
    place = place_of(state)
    return HostTable(
        number=place.number,
        total=place.total,
        title=place.title,
        text=state.rounds[place.index].text,
        stage=state.stage,
        commands=match_state.due.commands_of(HOST) if gives_commands(room) else (),
        submitted=tuple(of_seat[seat] for seat in seats if seat in state.submitted),
        missing=tuple(of_seat[seat] for seat in seats if seat not in state.submitted),
        first_flag=min(flags, default=None),
        last_flag=max(flags, default=None),
        rounds=tuple(_rounds(state)),
    )


def _rounds(state: State) -> Iterator[PlayedRound]:
    for it in state.played:
        is_judged = state.rounds[it.index].scheme.__struct_config__.tag == "host"
        is_over = it.number < len(state.played) or state.stage != "judging"
        yield _played(place_of(state, it.number), is_judged=is_judged and is_over)
    if state.stage == "open":
        yield _played(place_of(state), is_judged=False)


def _played(place: Place, *, is_judged: bool) -> PlayedRound:
    return PlayedRound(place.number, place.total, place.title, is_judged)


def version_before(room: ControlRoom, number: int, what: str) -> int | None:
    """Return the version before the act that opened a round, or in which it was judged: the one that counts, after
    rewinds. None if there is no such act."""
    acts: list[int] = []
    judged: dict[int, int] = {}
    for row in store.read(room.match.id):
        if (to := codec.rewinds_to(row)) is not None:
            acts = [it for it in acts if it <= to]
            judged = {it: version for it, version in judged.items() if version <= to}
        elif row.type == _EVENTS[OPENED]:
            acts.append(row.version)
        elif row.type == _EVENTS[JUDGED]:
            judged[len(acts)] = row.version
    versions = judged if what == JUDGED else dict(enumerate(acts, 1))
    if number not in versions:
        return None
    return max((it for it in hosting.rewindable(room.match.id) if it < versions[number]), default=None)


def balances_of(state: State, seat: int) -> list[tuple[str, int]]:
    """Return the title and amount of each balance that a seat is known to hold."""
    amounts = ((it.title or it.name, state.balances[it.name][seat]) for it in state.options.content.balances)
    return [(title, amount) for title, amount in amounts if amount is not None]


def described(of_round: Round, values: Values | None, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the title of each field of a submission, with its value in words."""
    fields = {it.name: it for it in of_round.fields}
    return [
        (fields[name].title or name, _described(fields[name], value, names))
        for name, value in (values or {}).items()
        if name in fields
    ]


def _described(field: AnyField, value: AnyValue, names: Sequence[str]) -> str:
    if isinstance(value, Mapping):
        is_of_players = isinstance(field, Split) and not field.options
        named = {names[int(key)] if is_of_players else key: amount for key, amount in value.items()}
        return ", ".join(f"{key}: {amount}" for key, amount in named.items())
    items = value if isinstance(value, tuple) else (value,)
    if isinstance(field, Player):
        return ", ".join(names[it] for it in items if isinstance(it, int)) or _("nobody")
    return ", ".join(map(str, items)) or _("nothing")
