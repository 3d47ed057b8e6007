"""The rules: prompts, decisions, the dealer's duties and the outcome."""

from collections.abc import Iterable, Iterator

from games.kernel import Chance, Command, Due, Event, Illegal, Outcome, Prompt, two_seat_outcome
from games.peeling_the_banana.banana import EMPTY, FILLED
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn, PlayCard
from games.peeling_the_banana.effects import played
from games.peeling_the_banana.events import (
    DeckReshuffled,
    DeckShuffled,
    FirstChosen,
    TurnFinished,
    TurnStarted,
)
from games.peeling_the_banana.options import Options, issued_of, most_of
from games.peeling_the_banana.pieces import coins_of
from games.peeling_the_banana.shop import purchase
from games.peeling_the_banana.state import State, evolve, reach


def due(state: State) -> Due:
    """Return the dealer's shuffle, or the prompt of the seat that must choose."""
    if outcome(state) is not None:
        return Due()
    if state.stage in ("shuffle", "reshuffle", "tumble"):
        return Due(dealer=True)
    if state.seat is None:
        return Due(prompts=(Prompt(state.priority, ("choose_first",), "choice", "choice"),))
    commands = ("play_card",) if state.stage == "play" else ("buy", "end_turn")
    turn = f"turn:{state.seat}:{state.turns[state.seat]}"
    return Due(prompts=(Prompt(state.seat, commands, turn, "turn"),))


def decide(state: State, seat: int, command: Command, chance: Chance) -> Iterable[Event]:
    """Return the events of a seat's command; raise Illegal."""
    match command:
        case PlayCard():
            return _play(state, seat, command)
        case ChooseFirst():
            return _begin(state, command.seat)
        case Buy() | EndTurn() if state.stage != "shop":
            raise Illegal("not_in_shop", "The shop opens once you have played a card.")
        case Buy():
            return purchase(state, seat, command.item)
        case _:
            return _finish(state, seat)


def deal(state: State, chance: Chance) -> Iterator[Event]:
    """Yield the event of the due shuffle."""
    if state.stage == "shuffle":
        cards = [f"{kind}#{n}" for kind, count in sorted(state.issued.items()) for n in range(1, count + 1)]
        yield DeckShuffled(chance.shuffled(cards, "deck"))
    elif state.stage == "reshuffle" and state.options.reshuffle == "short":
        yield DeckReshuffled(state.deck + chance.shuffled(state.discard, "reshuffle"))  # R12
    else:
        yield DeckReshuffled(chance.shuffled(state.deck + state.discard, "reshuffle"))  # R9


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Return the events after `flag_fallen`: a random starter during that choice, none during a turn, which is lost."""
    return _begin(state, chance.choice((0, 1), "first")) if state.seat is None else ()


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None while the match runs."""
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", score(state))
    if state.flagged is not None:
        return two_seat_outcome(1 - state.flagged, "flag", score(state))
    return two_seat_outcome(_winner(state), "played", score(state)) if state.stage == "over" else None


def score(state: State) -> dict[int, int]:
    """Return the points at present: filled spaces minus empty ones. R14"""
    sheets = ["".join(board) for board in state.boards]
    return {seat: sheet.count(FILLED) - sheet.count(EMPTY) for seat, sheet in enumerate(sheets)}


def bound(options: Options, seats: int) -> int:
    """Return the greatest number of commands in a match.

    A turn has one play that isn't `seconds`, so a match's coins are limited, and with them the purchases.
    Each `seconds` is played at most twice in a turn, since the deck is reshuffled at most once.
    """
    turns = seats * options.turns
    kinds = (*issued_of(options), *options.shop)
    each = options.income + most_of(options, "income") + max(map(coins_of, kinds))
    coins = sum(options.starting_coins) + turns * each
    cheaper = most_of(options, "haggle")
    most = {item: coins // max(1, price - cheaper) for item, price in options.shop.items()}
    seconds: int = issued_of(options).get("seconds", 0) + most.get("seconds", 0)
    purchases: int = max(most.values(), default=0)
    return 1 + turns * (2 * seconds + 2) + purchases


def _begin(state: State, starter: int) -> Iterator[Event]:
    chosen = FirstChosen(starter)
    yield chosen
    yield _turn(evolve(state, chosen), starter)


def _turn(state: State, seat: int) -> Event:
    income = state.options.income + state.upgrades[seat].income
    return TurnStarted(seat, state.turns[seat] + 1, state.coins[seat] + income)  # R4


def _play(state: State, seat: int, command: PlayCard) -> Iterator[Event]:
    cards = reach(state, seat)
    if command.card not in cards:
        raise Illegal("not_in_reach", f"You may play {', '.join(cards)}.")
    return played(state, seat, command)


def _finish(state: State, seat: int) -> Iterator[Event]:
    yield TurnFinished(seat)
    if min(state.turns) < state.options.turns:  # R13
        yield _turn(state, 1 - seat)


def _winner(state: State) -> int:
    points = score(state)
    starter = state.starter or 0
    return starter if points[starter] > points[1 - starter] else 1 - starter  # R14
