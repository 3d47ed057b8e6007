"""The rules: prompts, decisions, the dealer's duties and the outcome."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from games.contest import forms
from games.contest.amending import faults_of_amendment
from games.contest.commands import Amend, Close, Resolve, Submit, Transfer, Withdraw
from games.contest.content import Content, Round
from games.contest.evaluations import Answers, Host
from games.contest.events import (
    Amended,
    ClosedByHost,
    Defaulted,
    Resolved,
    SecretlyTransferred,
    Submitted,
    SubmittedInTurn,
    Transferred,
    Withdrawn,
)
from games.contest.finishing import finished, is_finished
from games.contest.options import Options
from games.contest.parts import Sealed
from games.contest.places import place_in_words
from games.contest.placing import place_of
from games.contest.rounds import closed, next_place, opened, points_changed
from games.contest.setting import set_up
from games.contest.state import State, amounts_held, next_index
from games.kernel import (
    HOST,
    Chance,
    ClockSpec,
    Due,
    Event,
    Generator,
    Illegal,
    KeptText,
    Outcome,
    Progress,
    Prompt,
    Witness,
    keep_text,
    quantity,
    seal,
)
from games.kernel.sealing import Parts

_IN_TURN = "in_turn"


def due(state: State) -> Due:
    """Return who must submit, that the host must judge, or that the dealer must open or close a round. R3, R29"""
    if outcome(state) is not None:
        return Due()
    turn = f"round {state.number}"
    if state.stage == "judging":
        return Due(prompts=(Prompt(HOST, ("resolve", *_amends(state)), f"round {len(state.played)}", "host"),))
    missing = _missing(state) if state.stage == "open" else ()
    if not missing:
        return Due(dealer=True)
    clock = f"round {state.round.name}"
    gives = ("transfer",) if _gives(state) else ()
    host = ("close", *_amends(state))
    if state.round.who == _IN_TURN:
        prompts = (Prompt(missing[0], ("submit", *gives), f"{turn}, seat {missing[0]}", clock),)
        return Due(prompts=prompts, amendable=(Prompt(HOST, host, turn, "host"),))
    submitted = state.submitted - set(state.defaulted)
    return Due(
        prompts=tuple(Prompt(seat, ("submit", *gives), turn, clock) for seat in missing),
        amendable=(
            *(
                Prompt(seat, ("submit", "withdraw", *gives), turn, clock)
                for seat in forms.asked(state)
                if seat in submitted
            ),
            Prompt(HOST, host, turn, "host"),
        ),
    )


def _missing(state: State) -> tuple[int, ...]:
    submitted = state.submitted
    return tuple(seat for seat in forms.asked(state) if seat not in submitted)


def _amends(state: State) -> tuple[str, ...]:
    return ("amend",) if next_index(state) < len(state.rounds) else ()


def _gives(state: State) -> bool:
    return state.round.gifts > 0 and any(it.gives != "never" for it in state.options.content.balances)


def progress(state: State) -> Progress:
    """Return the number of the current round, who has left, and by seat the teams and the gains of garnets."""
    place = place_of(state)
    return Progress(
        round=place.number,
        rounds=place.total,
        is_judged=state.stage == "judging",
        teams=state.teams,
        left=state.left,
        stakes=_gains_of_stakes(state),
    )


def _gains_of_stakes(state: State) -> tuple[int, ...]:
    """Return what each seat has gained or lost of the season's garnets; nothing if none are at stake."""
    balance = next((it for it in state.options.content.balances if it.starts), None)
    if balance is None:
        return ()
    amounts = state.balances[balance.name]
    return tuple((amount or 0) - start for amount, start in zip(amounts, balance.starts, strict=True))


def is_sealed(state: State) -> bool:
    """True while choices are open that hosts don't see. R30"""
    return state.stage == "open" and state.round.sealed and state.round.who != _IN_TURN


def decide(state: State, seat: Witness, command: Any, chance: Chance) -> Iterable[Event]:
    """Return the events of a command of a seat, or of HOST; raise Illegal."""
    match command:
        case Submit(round=number, values=values) if isinstance(seat, int):
            _refuse_other_round(state.number, number)
            recorded = forms.keep(state.round, forms.read(state, seat, values), chance)
            return (SubmittedInTurn(seat, recorded) if state.round.who == _IN_TURN else Submitted(seat, recorded),)
        case Withdraw(round=number) if isinstance(seat, int):
            _refuse_other_round(state.number, number)
            return (Withdrawn(seat),)
        case Transfer(to=to, balance=balance, amount=amount) if isinstance(seat, int):
            return _transfer(state, seat, to, balance, amount)
        case Resolve(round=number, points=points, text=text):
            _refuse_other_round(len(state.played), number)
            return _resolve(state, points, keep_text(text, chance) if text else "")
        case Close(round=number):
            _refuse_other_round(state.number, number)
            return (ClosedByHost(), *(_defaulted(state, missing, chance) for missing in _missing(state)))
        case Amend(content=content, reason=reason):
            return _amend(state, content, keep_text(reason, chance))
    raise TypeError(f"{command!r} is not a command of this game.")


def _refuse_other_round(current: int, number: int) -> None:
    if number != current:
        raise Illegal("other_round", f"Round {current} is open, not round {number}.")


def _transfer(state: State, seat: int, to: int, name: str, amount: int) -> Iterable[Event]:
    balance = next((it for it in state.options.content.balances if it.name == name), None)
    if balance is None or balance.gives == "never":
        given = ", ".join(it.name for it in state.options.content.balances if it.gives != "never")
        raise Illegal("not_given", f"Players may give away: {given}.")
    if to == seat or to not in state.playing:
        raise Illegal("no_such_player", "Give it to another player who is in the contest.")
    if state.gifts[seat] >= state.round.gifts:
        raise Illegal("too_many_gifts", f"In this round, you may give something away {_times(state.round.gifts)}.")
    free = (state.balances[name][seat] or 0) - amounts_held(state, seat, name)
    if amount > free:
        raise Illegal("not_enough", f"You have {free} of {balance.title or name} to give away.")
    if balance.gives == "secretly":
        return (SecretlyTransferred(seat, to, (seat, to), name, amount),)
    return (Transferred(seat, to, name, amount),)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _resolve(state: State, points: Mapping[str | int, int], text: str | KeptText) -> Iterable[Event]:
    scheme = state.round.scheme
    judged = {str(entry.seat): entry.seat for entry in state.played[-1].entries}
    for seat, gain in points.items():
        if str(seat) not in judged:
            raise Illegal("bad_points", f"{str(seat)[:10]!r} is no seat that was asked in this round.")
        if not isinstance(scheme, Host) or not scheme.least <= gain <= scheme.most:
            raise Illegal("bad_points", f"Give {scheme.least} to {quantity(scheme.most, 'point')} to a seat.")  # type: ignore[union-attr]
    return (
        Resolved(text),
        *points_changed(state, {judged[str(seat)]: gain for seat, gain in points.items()}, is_due=True),
    )


def _amend(state: State, content: Content, reason: KeptText) -> Iterable[Event]:
    if faults := faults_of_amendment(state, content):
        sentence = f"{place_in_words(faults[0].place, content)}: {faults[0].sentence}"
        raise Illegal("not_amendable", sentence, faults)
    return (Amended(content.rounds, reason),)


def deal(state: State, chance: Chance) -> Iterable[Event]:
    """Return the events of the dealer's duty: the set-up, the end of a round, the next one, or the end."""
    if state.stage == "open":
        return closed(state, chance)
    if events := tuple(set_up(state, chance)):
        return events
    place = next_place(state)
    if place is None or is_finished(state):
        return finished(state, chance)
    return opened(state, place, chance)


def expire(state: State, seat: Witness, chance: Chance) -> Iterable[Event]:
    """Return what counts when the time of a seat, or of HOST, is over. R31, R32"""
    if isinstance(seat, int):
        return (_defaulted(state, seat, chance),)
    scheme = state.round.scheme
    gains = {entry.seat: scheme.others for entry in state.played[-1].entries}
    return (Resolved(), *points_changed(state, gains, is_due=True))


def _defaulted(state: State, seat: int, chance: Chance) -> Event:
    values = forms.default_of(state, seat, Generator(chance.draws(f"default of seat {seat}")))
    values = forms.keep(state.round, values, chance)
    if state.round.who == _IN_TURN:
        return SubmittedInTurn(seat, values, by_default=True)
    return Defaulted(seat, values)


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None. R33, R34"""
    if state.stage == "over":
        score = {seat: points or 0 for seat, points in enumerate(state.points)}
        return Outcome(state.ranking[0], state.ranking, "played", score)
    left = tuple(seat for seat in range(state.seats) if seat not in state.resigned)
    if len(left) > 1:
        return None
    is_live = state.options.content.score.show == "live"
    score = {seat: (points or 0) * is_live for seat, points in enumerate(state.points)}
    return Outcome(left, (left, *((seat,) for seat in reversed(state.resigned))), "resigned", score)


def seal_options(options: Options, chance: Chance) -> tuple[Options, Parts]:
    """Return the options with commitments in place of answers and of secret rounds. R35"""
    parts: dict[str, bytes] = {}
    rounds = tuple(_sealed(of_round, index, chance, parts) for index, of_round in enumerate(options.content.rounds))
    return replace(options, content=replace(options.content, rounds=rounds)) if parts else options, parts


def _sealed(of_round: Round, index: int, chance: Chance, parts: dict[str, bytes]) -> Round:
    scheme, answers = of_round.scheme, None
    if isinstance(scheme, Answers) and scheme.answers:
        answers = _kept(list(scheme.answers), f"answers {index}", chance, parts)
        of_round = replace(of_round, scheme=replace(scheme, answers=(), part=answers))
    if not of_round.secret or of_round.part is not None:
        return of_round
    part = _kept(of_round, f"round {index}", chance, parts)
    # The record's verifier looks for every commitment in the options, so that to the answers stays outside the part.
    return Round(
        name=of_round.name, repeat=of_round.repeat, seconds=of_round.seconds, secret=True, part=part, answers=answers
    )


def _kept(value: object, purpose: str, chance: Chance, parts: dict[str, bytes]) -> Sealed:
    commitment, part = seal(value, purpose, chance)
    parts[commitment] = part
    return Sealed(sealed=commitment)


def clocks_of(options: Options) -> dict[str, ClockSpec]:
    """Return the clocks of the rounds and of the host."""
    clocks = {
        f"round {it.name}": ClockSpec(it.seconds, 0, 1, "The round's default counts for whoever is missing.")
        for it in options.content.rounds
    }
    return clocks | {"host": ClockSpec(options.content.host_seconds, 0, 1, "The round's default result counts.")}


def bound(options: Options, seats: int) -> int:
    """Return the greatest number of commands in a contest: of seats, and judgements of the host."""
    return sum(it.repeat * (seats * (1 + it.gifts) + 2) for it in options.content.rounds)
