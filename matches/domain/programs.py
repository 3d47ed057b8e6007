"""What the house plays itself: bots, and who stands in for an absent player. Pure.

A program's choice is what the rules of its game make of its seat's witness and of one draw, whose purpose is its seat:
`bot 0`, `bot 1`, .... So whoever knows the seed can compute it again.
"""

from games.kernel import Chance, Command, Game
from matches.domain.events import BOT, STAND_IN
from matches.domain.match_state import MatchState

_SCHEME = "croupier-bots-v1"


def scheme(game: Game) -> str:
    """How the programs of this release choose in a game: what `match_opened` names."""
    return f"{_SCHEME}/{game.bot_version}"


def is_program(mover: str | None) -> bool:
    """Whether the house itself plays this one's moves."""
    return mover is not None and (mover == BOT or mover.startswith(STAND_IN))


def to_move(match_state: MatchState) -> int | None:
    """The first seat whose prompt a program answers: a bot's, or one for whose player somebody stands in."""
    movers = match_state.lifecycle.movers
    return next((p.seat for p in match_state.due.prompts if is_program(movers[p.seat])), None)


def choice(known: MatchState, seat: int, chance: Chance) -> Command:
    """What the program of a seat plays, on the match as that seat knows it and the match's chance at that version."""
    by_the_dealer = known.lifecycle.movers[seat] == f"{STAND_IN}dealer"
    return known.game.choose(known.state, seat, chance.draws(f"bot {seat}"), dealer=by_the_dealer)
