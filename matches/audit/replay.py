"""Whether the rules could have given a record: every act of a finished match decided again, and every draw drawn again.

What was asked stands in no event, and needn't: an act is what one actor brought at one instant, and its command is
sought. Candidates are the commands whose fields its first events name, and the legal ones as its seat's witness lists
them; one that makes the game's own `decide` give exactly the recorded events, with the draws that the revealed seed
gives, proves that the rules could have given them. So a bad guess can't make a bad record pass. Dealer's duties,
fallen flags and the lifecycle's events need no guess: each says what was done.

A program of the house is another matter: its command follows from the seed, so that one alone is tried, on what its
seat knew. Programs of another release choose otherwise; their moves are held against the rules as a person's are, and
counted.

What a record can't show is not judged: whether a host was an organiser, how long a command waited at the door, and how
long an outage was that time is given back for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, takewhile
from typing import Any
from uuid import UUID

import msgspec

from games import catalogue
from games.kernel import (
    Chance,
    Command,
    Draws,
    Event,
    FlagFallen,
    Game,
    Illegal,
    canonical,
    from_json,
    judge,
    redact,
    to_json,
)
from matches.audit import croupier_verify
from matches.audit.croupier_verify import Bad
from matches.audit.replay_lifecycle import CLOCK, Circumstances, Impossible, decided
from matches.domain import clocks, lifecycle, match_state, programs
from matches.domain import events as match_events
from matches.domain.events import MatchOpened, MatchRewound, TimeCredited
from matches.domain.match_state import MatchState
from matches.storage import codec, seeds

DEALER = "dealer"
"""The actor of duties."""

_MOST_LISTED = 20_000
_RETRY_MICROSECONDS = 10_000_000
"""A command that came while another flag was due is taken up again behind that flag, a moment after it arrived."""


@dataclass(frozen=True)
class ExportedEvent:
    """An event as the export tells it, its secret with it."""

    version: int
    event: Event
    actor: str
    at: int
    hash: bytes


@dataclass
class ReplayResult:
    """What judging found: how many acts there were, and what each drew (as the export's `draw` lines tell it).

    `programmed` are the acts of the house's programs that were computed again, `unprogrammed` those that couldn't be.
    """

    acts: int = 0
    programmed: int = 0
    unprogrammed: int = 0
    draws: list[dict[str, Any]] = field(default_factory=list)


def rules_of(header: dict[str, Any]) -> Game:
    """The game of an export; raises Bad."""
    try:
        return catalogue[header["game"]]
    except KeyError:
        raise Bad(0, f"the rules of {header['game']} aren't known here") from None


def exported_event(game: Game, row: dict[str, Any]) -> Event:
    """The event that a line of an export tells, in today's shape; raises Bad."""
    try:
        fields = {**row["public"], **(row["secret"] or {})}
        upcast = codec.upcasters.upcast(row["type"], row["schema"], fields)
        return from_json(upcast, codec.kind_of(game, row["type"]))
    except (Illegal, msgspec.ValidationError, KeyError) as error:
        raise Bad(row["version"], f"the rules can't read it: {error}") from None


def judged(lines: Sequence[str | bytes], *, programs_too: bool = True) -> ReplayResult:
    """Decide every act of a finished match's export again; raises Bad at the first that the rules don't give, and where
    it tells other draws than they make.

    Without `programs_too` the moves of the house's programs are held against the rules as a person's are.
    """
    header, *events = (msgspec.json.decode(line) for line in lines)
    if not header["finished"]:
        raise Bad(0, "the match isn't over: its secrets and its seed are sealed, so the rules can't be asked")
    rows = events[: header["version"]]
    found = _Replay(rules_of(header), UUID(header["match"]), _seeds(rows), programs_too).over(rows)
    told = events[header["version"] :][: header["draws"]]
    if told and told != found.draws:
        place = next((n for n, (one, other) in enumerate(zip(told, found.draws, strict=False)) if one != other), -1)
        at = place if place >= 0 else min(len(told), len(found.draws))
        raise Bad(header["version"] + 1 + at, "the rules draw something else here")
    return found


def _seeds(rows: Sequence[dict[str, Any]]) -> list[bytes]:
    """The seeds that the ends of a match have revealed, each promised by the one before; raises Bad."""
    found: list[bytes] = []
    for row in rows:
        if row["type"] == "seed_revealed":
            found.append(bytes.fromhex(row["public"]["seed"]))
            if found[1:] and seeds.commitment(found[-1]) != found[-2].hex():
                raise Bad(row["version"], "the seed before it doesn't promise this one")
    return found


class _Replay:
    """A match played again, act by act; `revealed` are its seeds in their order."""

    def __init__(self, game: Game, match_id: UUID, revealed: list[bytes], programs_too: bool) -> None:
        self._game = game
        self._match_id = match_id
        self._revealed = revealed
        self._programs_too = programs_too
        self._log: list[ExportedEvent] = []
        self._known: dict[int, list[MatchState]] = {}
        self._at: dict[int, MatchState] = {}
        self._now: MatchState | None = None
        self._flag_at = 0
        self._found = ReplayResult()

    def over(self, rows: Sequence[dict[str, Any]]) -> ReplayResult:
        """Judge all acts."""
        told = [self._told(row) for row in rows]
        for _, batch in groupby(told, key=lambda it: (it.actor, it.at)):
            act = list(batch)
            # What an outage took is given back before the next act, whatever it is, in one batch with it.
            if isinstance(act[0].event, TimeCredited):
                self._judge([act.pop(0)])
            if act:
                self._judge(act)
                self._found.acts += 1
        return self._found

    def _told(self, row: dict[str, Any]) -> ExportedEvent:
        at = croupier_verify.microseconds(row["at"])
        event = exported_event(self._game, row)
        if row["audience"] != codec.audience_name(event):
            raise Bad(row["version"], "its secret was told to another seat than the rules say")
        return ExportedEvent(row["version"], event, row["actor"], at, bytes.fromhex(row["hash"]))

    def _judge(self, act: list[ExportedEvent]) -> None:
        try:
            given = list(self._given(act))
        except Illegal as illegal:
            raise Bad(act[0].version, f"the rules refuse it: {illegal.message}") from None
        for place, told in enumerate(act):
            if place >= len(given) or given[place] != told.event:
                raise Bad(told.version, "the rules don't give this event here")
            self._fold(told)
        if len(given) > len(act):
            missing = given[len(act)]
            raise Bad(act[-1].version + 1, f"the rules give another event here: {_name(missing)}")

    def _given(self, act: list[ExportedEvent]) -> Iterator[Event]:
        """The events that the rules give for an act, its ending with them."""
        events = [told.event for told in act]
        if self._now is None or isinstance(events[0], match_events.EVENTS):
            by = Circumstances(self._match_id, self._seed(), act[0].at, self._at)
            yield from decided(self._now, act[0].actor, events, by)
            return
        batch = self._played(act[0], list(takewhile(_is_the_games, events)))
        yield from batch
        state = self._now.state
        for event in batch:
            state = self._game.evolve(state, event)
        outcome = self._game.outcome(state)
        if outcome is not None:
            yield from lifecycle.finish(outcome, self._seed())

    def _played(self, first: ExportedEvent, events: list[Event]) -> Sequence[Event]:
        now = self._now
        assert now is not None  # noqa: S101  a match begins with its opening
        late = clocks.overdue(now.clocks, first.at)
        if first.actor == CLOCK:
            self._flag_at = first.at
            if late is None or not isinstance(first.event, FlagFallen) or first.event.seat != late.seat:
                raise Impossible("no flag of that seat had fallen.")
            with self._chance(first.version) as chance:
                return judge.flag(self._game, now.state, late.seat, chance)
        lifecycle.refuse_unless_running(now.lifecycle)
        if first.actor == DEALER:
            with self._chance(first.version) as chance:
                return judge.deal(self._game, now.state, chance)
        if late is not None and first.at - self._flag_at > _RETRY_MICROSECONDS:
            raise Illegal("flag_fallen", f"the flag of seat {late.seat} had fallen before.")
        return self._commanded(now, first, events)

    def _commanded(self, now: MatchState, first: ExportedEvent, events: list[Event]) -> Sequence[Event]:
        """The events of the command that gives the recorded ones; raises Illegal where there is none."""
        if programs.is_program(first.actor):
            if self._programs_too and now.lifecycle.opened.bots == programs.scheme(self._game):
                return self._programmed(now, first, events)
            self._found.unprogrammed += 1
        seats = [seat for seat, player in enumerate(now.lifecycle.movers) if player == first.actor]
        for seat in seats:
            for command in _candidates(now, seat, events):
                chance = _RecordingChance(self._key(), now.game_version)
                try:
                    given = judge.act(self._game, now.state, seat, command, chance)
                except Illegal:
                    continue
                if list(given) == events:
                    self._note(first.version, chance)
                    return given
        raise Impossible("no command of this actor gives these events.")

    def _programmed(self, now: MatchState, first: ExportedEvent, events: list[Event]) -> Sequence[Event]:
        """The events of the one command that the seed gives to the house's program."""
        seat = programs.to_move(now)
        if seat is None or now.lifecycle.movers[seat] != first.actor:
            raise Impossible("no program of this name was to move.")
        drawn, chance = Chance(self._key(), now.game_version), _RecordingChance(self._key(), now.game_version)
        given = judge.act(self._game, now.state, seat, programs.choice(self._as_known(seat), seat, drawn), chance)
        if list(given) != events:
            raise Impossible(f"the seed gives the program in seat {seat} another move.")
        self._note(first.version, chance)
        self._found.programmed += 1
        return given

    def _as_known(self, seat: int) -> MatchState:
        """The match as a seat knows it: the reducer over the log as that seat was told it."""
        known = self._known.setdefault(seat, [])
        for told in self._log[len(known) :]:
            event, how = redact(told.event, seat), {"version": told.version, "hash": told.hash, "at": told.at}
            if isinstance(event, MatchOpened):
                known.append(match_state.opened(event, **how))
                continue
            back = known[event.to_version - 1] if isinstance(event, MatchRewound) else None
            known.append(match_state.evolve(known[-1], event, **how, actor=told.actor, earlier=back))
        return known[-1]

    def _chance(self, version: int) -> "_Recording":
        now = self._now
        assert now is not None  # noqa: S101  a match begins with its opening
        return _Recording(self, version, _RecordingChance(self._key(), now.game_version))

    def _key(self) -> bytes:
        story = self._now.lifecycle if self._now else None
        assert story is not None  # noqa: S101  a match begins with its opening
        return seeds.of_line(seeds.key_of(self._seed(), story), story.rewinds)

    def _seed(self) -> bytes:
        """The seed that the match draws from now; raises Bad where the record reveals none for it."""
        number = self._now.lifecycle.reopened if self._now else 0
        if number >= len(self._revealed):
            raise Bad(self._now.version if self._now else 0, "the seed that it goes on with is never revealed")
        return self._revealed[number]

    def _note(self, version: int, chance: "_RecordingChance") -> None:
        """Keep what an act drew."""
        line = self._now.lifecycle.rewinds if self._now else 0
        self._found.draws += [
            {"draw": version, "line": line, "at": chance.version, "purpose": purpose, "steps": steps}
            for purpose, steps in chance.notes
            # Nothing is drawn from nothing: groups that are all there already are filled with no card.
            if any(items for _, items, _ in steps)
        ]

    def _fold(self, told: ExportedEvent) -> None:
        how = {"version": told.version, "hash": told.hash, "at": told.at}
        if self._now is None:
            assert isinstance(told.event, MatchOpened)  # noqa: S101  `decided` has seen to it
            self._now = match_state.opened(told.event, **how)
        else:
            back = self._at.get(told.event.to_version) if isinstance(told.event, MatchRewound) else None
            self._now = match_state.evolve(self._now, told.event, **how, actor=told.actor, earlier=back)
        self._at[told.version] = self._now
        self._log.append(told)


class _RecordingChance(Chance):
    """The match's chance, noting what is drawn of it: by purpose the steps `[kind, items or n, result]`."""

    def __init__(self, key: bytes, version: int) -> None:
        super().__init__(key, version)
        self.notes: list[tuple[str, list[list[Any]]]] = []

    def draws(self, purpose: str) -> Draws:
        """The stream of words for one purpose."""
        steps: list[list[Any]] = []
        self.notes.append((purpose, steps))
        return _RecordingDraws(self._words(purpose), steps)


class _RecordingDraws(Draws):
    def __init__(self, words: Iterator[int], steps: list[list[Any]]) -> None:
        super().__init__(words)
        self._steps = steps

    def below(self, n: int) -> int:
        """A uniform integer."""
        drawn = super().below(n)
        self._steps.append(["below", n, drawn])
        return drawn

    def choice(self, items: Sequence[Any]) -> Any:
        """One of the items."""
        chosen = Draws(self._words).choice(items)
        self._steps.append(["choice", _plain(list(items)), _plain(chosen)])
        return chosen

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """The items in another order."""
        order = Draws(self._words).shuffled(items)
        self._steps.append(["shuffled", _plain(list(items)), _plain(list(order))])
        return order


def _plain(value: Any) -> Any:
    """A value as a record tells it, its names in the order of canonical bytes."""
    return msgspec.json.decode(canonical(value))


class _Recording:
    """Hands a chance out and notes what was drawn of it."""

    def __init__(self, judging: _Replay, version: int, chance: _RecordingChance) -> None:
        self._judging, self._version, self._chance = judging, version, chance

    def __enter__(self) -> _RecordingChance:
        return self._chance

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._judging._note(self._version, self._chance)


def _candidates(now: MatchState, seat: int, events: Sequence[Event]) -> Iterator[Command]:
    """The commands that may have brought these events, the likeliest first."""
    yield from _named(now, seat, events)
    if now.due.commands_of(seat):
        yield from islice(now.game.legal(now.state, seat), _MOST_LISTED)


def _named(now: MatchState, seat: int, events: Sequence[Event]) -> Iterator[Command]:
    """The commands whose fields are those of the first event that has them."""
    told: dict[str, Any] = {}
    for event in reversed(events):
        told |= to_json(event)
    for name in (*now.due.commands_of(seat), "resign"):
        kind = now.game.command_types[name]
        fields = [one.encode_name for one in msgspec.structs.fields(kind)]
        asked = {one: told[one] for one in fields if told.get(one) is not None}
        try:
            yield now.game.read_command({**asked, "type": name})
        except Illegal:
            continue


def _is_the_games(event: Event) -> bool:
    return not isinstance(event, match_events.EVENTS)


def _name(event: Event) -> str:
    return str(redact(event, 0).__struct_config__.tag).replace("_", " ")
