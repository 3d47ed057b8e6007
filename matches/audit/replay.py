"""Judging a record by the rules: every act of a match with open secrets is decided again, and every draw repeated.

Events don't contain the command, so it is searched: an act is what one actor caused at one instant. Candidates are the
commands with the fields of its first events, and the legal commands of the seat's witness. A candidate for which the
game's own `decide` gives exactly the recorded events, with the draws of the revealed seed, proves that the rules allow
them. So a wrong guess can't make a bad record pass. Dealer's duties, fallen flags and lifecycle events need no search:
they name the act.

A move of the house's own program follows from the seed, so only that command is tried, from what its seat knew.
Programs of another release choose differently; their moves are checked like a person's, and counted.

Texts, which the log names by commitments (`games.kernel.texts`), are compared as texts: the salts don't follow from the
rules. A text that was withdrawn equals only itself. An act whose decision needs it can't be decided again; it is
accepted as recorded, and counted.

Not judged, since a record can't show it: whether a host was an organiser, how long a command waited for its request,
and how long an outage was for which time is credited.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, takewhile
from types import MappingProxyType
from typing import Any
from uuid import UUID

import msgspec

from games import catalogue
from games.kernel import (
    HOST,
    SPECTATOR,
    Chance,
    Command,
    Event,
    FlagFallen,
    Game,
    HostFlagFallen,
    Illegal,
    Parts,
    Witness,
    from_json,
    judge,
    redact,
    to_json,
    with_texts,
)
from matches.audit import croupier_verify
from matches.audit.croupier_verify import Bad
from matches.audit.replay_chance import RecordedParts, RecordingChance, Undecidable
from matches.audit.replay_lifecycle import CLOCK, Circumstances, Impossible, decided
from matches.domain import clocks, impartiality, lifecycle, match_state, programs
from matches.domain import events as match_events
from matches.domain.events import MatchOpened, MatchRewound, TimeCredited
from matches.domain.match_state import MatchState
from matches.storage import codec, seeds

DEALER = "dealer"
"""The actor of duties."""

_MOST_LISTED = 20_000
_RETRY_MICROSECONDS = 10_000_000
"""A command that arrived while another flag was due is retried after that flag, a moment after it arrived."""


@dataclass(frozen=True)
class ExportedEvent:
    """An event as the export contains it, including its secret."""

    version: int
    event: Event
    actor: str
    at: int
    hash: bytes


@dataclass
class ReplayResult:
    """The result: the number of acts, and the draws of each (as the export's `draw` lines).

    `programmed` counts the acts of the house's programs that were computed again, `unprogrammed` those that couldn't
    be. `undecided` are the versions of acts whose decision needs a text that was withdrawn.
    """

    acts: int = 0
    programmed: int = 0
    unprogrammed: int = 0
    undecided: list[int] = field(default_factory=list)
    draws: list[dict[str, Any]] = field(default_factory=list)


def rules_of(header: dict[str, Any]) -> Game:
    """Return the game of an export; raise Bad if it is unknown."""
    try:
        return catalogue[header["game"]]
    except KeyError:
        raise Bad(0, f"the rules of {header['game']} aren't known here") from None


def exported_event(game: Game, row: dict[str, Any]) -> Event:
    """Return the event in a line of an export, in its newest schema; raise Bad."""
    try:
        fields = {**row["public"], **(row["secret"] or {})}
        upcast = codec.upcasters.upcast(row["type"], row["schema"], fields)
        return from_json(upcast, codec.kind_of(game, row["type"]))
    except (Illegal, msgspec.ValidationError, KeyError) as error:
        raise Bad(row["version"], f"the rules can't read it: {error}") from None


def is_judgeable(lines: Sequence[str | bytes]) -> bool:
    """True if an export has open secrets, so that its acts can be decided again."""
    header, *events = map(msgspec.json.decode, lines)
    return bool(header["finished"]) and not croupier_verify.sealed_until(events[: header["version"]])


def judged(lines: Sequence[str | bytes], *, programs_too: bool = True) -> ReplayResult:
    """Decide every act of an export with open secrets again; raise Bad for the first that the rules don't give, or for
    other draws.

    Without `programs_too` the moves of the house's programs are checked like a person's.
    """
    header, *events = map(msgspec.json.decode, lines)
    rows = events[: header["version"]]
    if not header["finished"] or croupier_verify.sealed_until(rows):
        raise Bad(0, "the match isn't over, or not its season: its secrets are sealed, so the rules can't be asked")
    game = rules_of(header)
    parts = RecordedParts(header.get("parts", {}), header.get("texts", {}))
    result = _Replay(game, UUID(header["match"]), _seeds(rows), parts, programs_too).over(rows)
    exported_draws = events[header["version"] :][: header["draws"]]
    if exported_draws and exported_draws != result.draws:
        place = next(
            (n for n, (one, other) in enumerate(zip(exported_draws, result.draws, strict=False)) if one != other), -1
        )
        at = place if place >= 0 else min(len(exported_draws), len(result.draws))
        raise Bad(header["version"] + 1 + at, "the rules draw something else here")
    return result


def _seeds(rows: Sequence[dict[str, Any]]) -> list[bytes]:
    """Return the seeds revealed by the ends of a match, each promised by the one before; raise Bad."""
    revealed: list[bytes] = []
    for row in rows:
        if row["type"] == "seed_revealed":
            revealed.append(bytes.fromhex(row["public"]["seed"]))
            if revealed[1:] and seeds.commitment(revealed[-1]) != revealed[-2].hex():
                raise Bad(row["version"], "the seed before it doesn't promise this one")
    return revealed


class _Replay:
    """A match that is played again, act by act; `revealed` are its seeds in order, `parts` those beside them."""

    def __init__(
        self, game: Game, match_id: UUID, revealed: list[bytes], parts: RecordedParts, programs_too: bool
    ) -> None:
        self._game = game
        self._match_id = match_id
        self._revealed = revealed
        self._parts = parts
        self._programs_too = programs_too
        self._log: list[ExportedEvent] = []
        self._states_of_witnesses: dict[Witness, list[MatchState]] = {}
        self._at: dict[int, MatchState] = {}
        self._now: MatchState | None = None
        self._flag_at = 0
        self._result = ReplayResult()

    def over(self, rows: Sequence[dict[str, Any]]) -> ReplayResult:
        """Judge all acts."""
        exported = [self._read_exported(row) for row in rows]
        for _, batch in groupby(exported, key=lambda it: (it.actor, it.at)):
            act = list(batch)
            # A time credit after an outage is stored in one batch with the next act, before it.
            if isinstance(act[0].event, TimeCredited):
                self._judge([act.pop(0)])
            if act:
                self._judge(act)
                self._result.acts += 1
        return self._result

    def _read_exported(self, row: dict[str, Any]) -> ExportedEvent:
        at = croupier_verify.microseconds(row["at"])
        event = exported_event(self._game, row)
        if row["audience"] != codec.audience_name(event):
            raise Bad(row["version"], "its secret was told to another seat than the rules say")
        return ExportedEvent(row["version"], event, row["actor"], at, bytes.fromhex(row["hash"]))

    def _judge(self, act: list[ExportedEvent]) -> None:
        try:
            given = list(self._given(act))
        except Undecidable:
            given = [exported.event for exported in act]
            self._result.undecided.append(act[0].version)
        except Illegal as illegal:
            raise Bad(act[0].version, f"the rules refuse it: {illegal.message}") from None
        for place, exported in enumerate(act):
            if place >= len(given) or given[place] != exported.event:
                raise Bad(exported.version, "the rules don't give this event here")
            self._fold(exported)
        if len(given) > len(act):
            missing = given[len(act)]
            raise Bad(act[-1].version + 1, f"the rules give another event here: {_name(missing)}")

    def _given(self, act: list[ExportedEvent]) -> Iterator[Event]:
        """Yield the events that the rules give for an act, including the end of the match."""
        events = [exported.event for exported in act]
        if self._now is None or isinstance(events[0], match_events.EVENTS):
            by = Circumstances(self._match_id, self._seed(), act[0].at, self._at)
            yield from decided(self._now, act[0].actor, events, by)
            return
        batch = self._played(act[0], tuple(takewhile(_is_the_games, events)))
        yield from batch
        state = self._now.state
        for event in batch:
            state = self._game.evolve(state, event)
        outcome = self._game.outcome(state)
        if outcome is not None:
            yield from lifecycle.finish(self._now.lifecycle, outcome, self._seed())

    def _played(self, first: ExportedEvent, events: Sequence[Event]) -> Sequence[Event]:
        now = self._now
        assert now is not None  # noqa: S101  a match begins with its opening
        late = clocks.overdue(now.clocks, first.at)
        if first.actor == CLOCK:
            self._flag_at = first.at
            if late is None or _flagged(first.event) != late.seat:
                raise Impossible("no flag of that seat had fallen.")
            with self._chance(first.version) as chance:
                given = judge.flag(self._game, now.state, clocks.mover_of(late.seat), chance)
                return events if self._are_equal(given, events, chance) else given
        lifecycle.refuse_unless_running(now.lifecycle)
        if first.actor == DEALER:
            with self._chance(first.version) as chance:
                given = judge.deal(self._game, now.state, chance)
                return events if self._are_equal(given, events, chance) else given
        if late is not None and first.at - self._flag_at > _RETRY_MICROSECONDS:
            whose = "the host" if late.seat == clocks.HOST_NUMBER else f"seat {late.seat}"
            raise Illegal("flag_fallen", f"the flag of {whose} had fallen before.")
        return self._commanded(now, first, events)

    def _commanded(self, now: MatchState, first: ExportedEvent, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events of the command that gives the recorded ones; raise Illegal if there is none."""
        if programs.is_program(first.actor):
            if self._programs_too and now.lifecycle.opened.bots == programs.scheme(self._game):
                return self._programmed(now, first, events)
            self._result.unprogrammed += 1
        for seat in _movers(now, first.actor):
            view = self._as_known(SPECTATOR) if seat is HOST else now
            for command in _candidates(view, seat, self._readable(events)):
                chance = self._recording_chance(now)
                try:
                    given = judge.act(self._game, now.state, seat, command, chance)
                except Illegal:
                    continue
                if self._are_equal(given, events, chance):
                    self._note(first.version, chance)
                    return events
        raise Impossible("no command of this actor gives these events.")

    def _programmed(self, now: MatchState, first: ExportedEvent, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events of the command that the seed gives to the house's program."""
        seat = programs.to_move(now)
        if seat is None or now.lifecycle.movers[seat] != first.actor:
            raise Impossible("no program of this name was to move.")
        drawn, chance = Chance(self._key(), now.game_version), self._recording_chance(now)
        given = judge.act(self._game, now.state, seat, programs.choice(self._as_known(seat), seat, drawn), chance)
        if not self._are_equal(given, events, chance):
            raise Impossible(f"the seed gives the program in seat {seat} another move.")
        self._note(first.version, chance)
        self._result.programmed += 1
        return events

    def _are_equal(self, given: Sequence[Event], events: Sequence[Event], chance: Chance) -> bool:
        """True if the rules, with this chance, give the recorded events; texts have other salts."""
        return tuple(given) == events or self._readable(given, chance.kept) == self._readable(events)

    def _readable(self, events: Sequence[Event], kept: Parts = MappingProxyType({})) -> Sequence[Event]:
        """Return events with the texts of the record, and those that were kept when they were decided."""
        if not self._game.keeps_texts:
            return events
        new = {name: msgspec.json.decode(part)["value"] for name, part in kept.items()}
        return with_texts(tuple(events), self._parts.texts | new)

    def _as_known(self, witness: Witness) -> MatchState:
        """Return the match as a witness knows it: the fold of the log redacted for that witness."""
        states = self._states_of_witnesses.setdefault(witness, [])
        for exported in self._log[len(states) :]:
            event, how = (
                redact(exported.event, witness),
                {"version": exported.version, "hash": exported.hash, "at": exported.at},
            )
            if isinstance(event, MatchOpened):
                states.append(match_state.opened(event, **how))
                continue
            back = states[event.to_version - 1] if isinstance(event, MatchRewound) else None
            states.append(match_state.evolve(states[-1], event, **how, actor=exported.actor, earlier=back))
        return states[-1]

    def _chance(self, version: int) -> "_Recording":
        now = self._now
        assert now is not None  # noqa: S101  a match begins with its opening
        return _Recording(self, version, self._recording_chance(now))

    def _recording_chance(self, now: MatchState) -> "RecordingChance":
        return RecordingChance(self._key(), now.game_version, self._parts)

    def _key(self) -> bytes:
        before = self._now.lifecycle if self._now else None
        assert before is not None  # noqa: S101  a match begins with its opening
        return seeds.of_line(seeds.key_of(self._seed(), before), before.rewinds)

    def _seed(self) -> bytes:
        """Return the seed that the match draws from now; raise Bad if the record reveals none for it."""
        number = self._now.lifecycle.seed_number if self._now else 0
        if number >= len(self._revealed):
            raise Bad(self._now.version if self._now else 0, "the seed that it goes on with is never revealed")
        return self._revealed[number]

    def _note(self, version: int, chance: "RecordingChance") -> None:
        """Add the draws of an act to the result."""
        line = self._now.lifecycle.rewinds if self._now else 0
        self._result.draws += [
            {"draw": version, "line": line, "at": chance.version, "purpose": purpose, "steps": steps}
            for purpose, steps in chance.notes
            # Empty draws are left out: groups that are already complete are filled with no card.
            if any(items for _, items, _ in steps)
        ]

    def _fold(self, exported: ExportedEvent) -> None:
        how = {"version": exported.version, "hash": exported.hash, "at": exported.at}
        if self._now is None:
            assert isinstance(exported.event, MatchOpened)  # noqa: S101  `decided` has seen to it
            self._now = match_state.opened(exported.event, **how)
        else:
            back = self._at.get(exported.event.to_version) if isinstance(exported.event, MatchRewound) else None
            self._now = match_state.evolve(self._now, exported.event, **how, actor=exported.actor, earlier=back)
        self._at[exported.version] = self._now
        self._log.append(exported)


class _Recording:
    """A context with a chance; on success it adds the draws to the result."""

    def __init__(self, judging: _Replay, version: int, chance: RecordingChance) -> None:
        self._judging, self._version, self._chance = judging, version, chance

    def __enter__(self) -> RecordingChance:
        return self._chance

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._judging._note(self._version, self._chance)


def _flagged(event: Event) -> int | None:
    """Return whose flag an event lets fall, as a run's number; None for another event."""
    if isinstance(event, HostFlagFallen):
        return clocks.HOST_NUMBER
    return event.seat if isinstance(event, FlagFallen) else None


def _movers(now: MatchState, actor: str) -> Sequence[Witness]:
    """Return the seats for which an actor moves, else HOST if the game has commands for its host; raise plays_here."""
    seats = [seat for seat, player in enumerate(now.lifecycle.movers) if player == actor]
    if seats or now.lifecycle.seat_of(actor) is not None or not now.game.host_commands:
        return seats
    impartiality.refuse_player(now.lifecycle, actor, "command")
    return [HOST]


def _candidates(now: MatchState, seat: Witness, events: Sequence[Event]) -> Iterator[Command]:
    """Yield the commands that may have caused these events, the likeliest first."""
    yield from now.game.causes(now.state, seat, events)
    yield from _named(now, seat, events)
    if now.due.commands_of(seat):
        yield from islice(now.game.legal(now.state, seat), _MOST_LISTED)


def _named(now: MatchState, seat: Witness, events: Sequence[Event]) -> Iterator[Command]:
    """Yield the commands whose fields are those of the first event that has them."""
    values: dict[str, Any] = {}
    for event in reversed(events):
        values |= to_json(event)
    types = now.game.host_command_types if seat is HOST else now.game.command_types
    for name in (*now.due.commands_of(seat), *(() if seat is HOST else ("resign",))):
        kind = types[name]
        fields = [one.encode_name for one in msgspec.structs.fields(kind)]
        fields_given = {one: values[one] for one in fields if values.get(one) is not None}
        try:
            yield now.game.read_command({**fields_given, "type": name}, seat)
        except Illegal:
            continue


def _is_the_games(event: Event) -> bool:
    return not isinstance(event, match_events.EVENTS)


def _name(event: Event) -> str:
    return str(redact(event, 0).__struct_config__.tag).replace("_", " ")
