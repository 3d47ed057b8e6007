"""The state of a match for one witness, and the reducer."""

from collections.abc import Sequence
from typing import Literal, TypeVar

from msgspec.structs import replace

from games.kernel import Event, FlagFallen, evolve_kernel
from games.kernel import State as KernelState
from games.reality_benders.commands import Bend, Cast, Offer
from games.reality_benders.events import (
    AbilityResolved,
    BendingSubmitted,
    BoutFinished,
    BoutStarted,
    DuelResolved,
    OffersRevealed,
    RulesBent,
    SpellPicked,
    SpellsOffered,
    SpellsRevealed,
    SpellSubmitted,
)
from games.reality_benders.options import Options
from games.reality_benders.pieces import Casting

Stage = Literal["bend", "cast", "offer", "pick", "closing", "over"]
Submission = Bend | Cast | Offer | Literal["hidden"] | None
Spells = tuple[str, ...]
T = TypeVar("T")

NOTHING: tuple[None, None] = (None, None)


class State(KernelState, frozen=True, kw_only=True):
    """The state of a match; pairs are by seat.

    `stage` names the awaited command. At "closing" none is awaited and the bout must be scored; at "over" it has been
    scored. `phase` is the number of the phase in the bout; bending and a duel are a phase each. `submitted` is a seat's
    submission, "hidden" if it is the other seat's secret. `casts` are the spells that were last revealed in this bout:
    the no-repeat rule and a pending Combo depend on them. An offer is kept in `offers` until its seat has picked.
    `fresh` and `gone` are the rules made and destroyed since the rules were last bent, this bending included. `points`
    are those of this bout, `total` those of finished bouts, and `won` are the bouts won. `duel` is the last duel, None
    again once the rules are bent. `flagged` is the seat whose flag has fallen.
    """

    options: Options
    bout: int = 1
    phase: int = 1
    stage: Stage = "bend"
    rules: tuple[str, ...]
    fresh: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    hands: tuple[Spells, ...]
    items: tuple[tuple[str, ...], ...]
    points: tuple[int, ...] = (0, 0)
    total: tuple[int, ...] = (0, 0)
    won: tuple[int, ...] = (0, 0)
    submitted: tuple[Submission, ...] = NOTHING
    casts: tuple[Casting, ...] = ()
    offers: tuple[Spells | None, ...] = NOTHING
    duel: DuelResolved | None = None
    flagged: int | None = None


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state before the first choices of the first bout."""
    return State(
        seats=seats,
        priority=priority,
        options=options,
        rules=tuple(sorted(options.rules)),
        hands=_starting_hands(options),
        items=tuple(tuple(sorted(options.items_of(seat))) for seat in (0, 1)),
    )


def _starting_hands(options: Options) -> tuple[Spells, ...]:
    return tuple(options.hand_of(seat) for seat in (0, 1))


def castable(state: State, seat: int) -> list[str]:
    """Return the spells that a seat may cast: those in its hand, except the one that it cast last in this bout. R9"""
    last = state.casts[seat].spell if state.casts else None
    return [spell for spell in sorted(set(state.hands[seat])) if spell != last]


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, as redacted for the witness."""
    match event:
        case BendingSubmitted():
            return _submit(state, event.seat, _bend_of(event))
        case SpellSubmitted():
            return _submit(state, event.seat, cast_of(event))
        case SpellsOffered():
            return _submit(state, event.seat, None if event.spells is None else Offer(event.spells))
        case RulesBent():
            return replace(
                state,
                stage="cast",
                phase=state.phase + 1,
                submitted=NOTHING,
                rules=_changed(state.rules, event.added, event.removed),
                fresh=event.added,
                gone=event.removed,
                duel=None,
                items=_spend(state.items, [(use.seat, use.item) for use in event.items]),
            )
        case SpellsRevealed():
            spent = [(cast.seat, "bonus") for cast in event.casts if cast.bonus]
            return replace(state, submitted=NOTHING, casts=event.casts, items=_spend(state.items, spent))
        case AbilityResolved():
            return _resolve_ability(state, event)
        case DuelResolved():
            return _resolve_duel(state, event)
        case OffersRevealed():
            return replace(state, stage="pick", submitted=NOTHING, offers=event.offers)
        case SpellPicked():
            return _pick(state, event)
        case BoutFinished():
            won = (event.winner == 0, event.winner == 1)
            return replace(
                state, stage="over", won=_add_by_seat(state.won, won), total=_add_by_seat(state.total, event.points)
            )
        case BoutStarted():
            return _start_bout(state, event.bout)
        case FlagFallen():
            return replace(state, flagged=event.seat)
        case _:
            return evolve_kernel(state, event)


def cast_of(event: SpellSubmitted) -> Cast | None:
    """Return the submitted cast, None if it is secret."""
    if event.spell is None:
        return None
    return Cast(event.spell, event.targets or (), event.bonus is True)


def _bend_of(event: BendingSubmitted) -> Bend | None:
    return None if event.rules is None else Bend(event.rules, event.bridge, event.break_)


def _submit(state: State, seat: int, submission: Bend | Cast | Offer | None) -> State:
    return replace(state, submitted=_replace_at_seat(state.submitted, seat, submission or "hidden"))


def _resolve_ability(state: State, event: AbilityResolved) -> State:
    if not event.added and not event.removed:
        return state
    return replace(
        state,
        rules=_changed(state.rules, event.added, event.removed),
        fresh=_changed(state.fresh, _without(event.added, state.gone), event.removed),
        gone=_changed(state.gone, event.removed, event.added),
    )


def _resolve_duel(state: State, event: DuelResolved) -> State:
    hands = tuple(_without(hand, trashed) for hand, trashed in zip(state.hands, event.trashed, strict=True))
    after = replace(state, hands=hands, points=_add_by_seat(state.points, event.points), duel=event)
    if any(cast.spell == "I" for cast in event.casts):
        return replace(after, stage="offer")
    return _end_round(after)


def _pick(state: State, event: SpellPicked) -> State:
    hand = tuple(sorted((*state.hands[event.seat], event.spell)))
    after = replace(
        state,
        hands=_replace_at_seat(state.hands, event.seat, hand),
        offers=_replace_at_seat(state.offers, event.seat, None),
    )
    return after if any(after.offers) else _end_round(after)


def _end_round(state: State) -> State:
    if not castable(state, 0) or not castable(state, 1):  # R18
        return replace(state, stage="closing")
    return replace(state, stage="bend", phase=state.phase + 1)


def _start_bout(state: State, bout: int) -> State:
    hands = _starting_hands(state.options)
    return replace(state, bout=bout, phase=1, stage="bend", hands=hands, points=(0, 0), casts=())


def _spend(items: tuple[tuple[str, ...], ...], used: list[tuple[int, str]]) -> tuple[tuple[str, ...], ...]:
    for seat, item in used:
        items = _replace_at_seat(items, seat, _without(items[seat], (item,)))
    return items


def _changed(rules: tuple[str, ...], added: tuple[str, ...], removed: tuple[str, ...]) -> tuple[str, ...]:
    kept = tuple([rule for rule in rules if rule not in removed]) if removed else rules
    return tuple(sorted(kept + added)) if added else kept


def _without(held: tuple[str, ...], taken: Sequence[str]) -> tuple[str, ...]:
    """Return the held items without one copy of each taken one. A taken item that isn't held is ignored."""
    if not taken:
        return held
    rest = list(held)
    for item in taken:
        if item in rest:
            rest.remove(item)
    return tuple(rest)


def _replace_at_seat(pair: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _add_by_seat(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return (left[0] + right[0], left[1] + right[1])
