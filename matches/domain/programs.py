"""Programs that play for the service: bots, and stand-ins for absent players. Pure.

A program's choice depends only on the rules, its seat's witness and one draw, whose purpose is its seat: `bot 0`, `bot
1`, .... So anyone who knows the seed can compute it again.
"""

from games.kernel import Chance, Command, Game
from matches.domain.events import BOT, STAND_IN
from matches.domain.match_state import MatchState

_SCHEME = "croupier-bots-v1"


def scheme(game: Game) -> str:
    """Return the scheme by which this release's programs choose in a game, as named in `match_opened`."""
    return f"{_SCHEME}/{game.bot_version}"


def is_program(mover: str | None) -> bool:
    """True if a program plays this mover's moves."""
    return mover is not None and (mover == BOT or mover.startswith(STAND_IN))


def to_move(match_state: MatchState) -> int | None:
    """Return the first prompted seat that a program plays: a bot's seat, or one with a stand-in."""
    movers = match_state.lifecycle.movers
    return next((seat for seat in match_state.due.seats if is_program(movers[seat])), None)


def choice(match_state: MatchState, seat: int, chance: Chance) -> Command:
    """Return the command that a seat's program plays, given the match for that seat's witness and the match's chance at
    that version."""
    is_dealer = match_state.lifecycle.movers[seat] == f"{STAND_IN}dealer"
    return match_state.game.choose(match_state.state, seat, chance.draws(f"bot {seat}"), dealer=is_dealer)
