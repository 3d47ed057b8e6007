"""bench peers: Croupier compared with boardgame.io, in its own memory and on the same Postgres, in turn in one run.

python -m benchmarks peers [--rounds 5] [--quick]

boardgame.io (npm) is the likely alternative for a team: rules in JavaScript, moves over sockets. It has no record, no
clocks and no promised chance. Its versions are pinned in benchmarks/peers/ and installed into var/peers; without
node, the benchmark is skipped. bgio-postgres stores its matches. Its game is in benchmarks/peers/server.js: as many
moves as Pyramid Poker has, hidden hands, simple rules. Clients are the same for all: premade moves, one socket a seat.

  flat out      50 matches, a match's next move once both seats have the last
  paced         50 matches at 48 moves a second together
  spectators    200 on one match
  kill -9       the server killed during 50 matches: how many moves that players had received are lost
"""

import argparse
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from benchmarks import _boardgame, _loads, _restart
from benchmarks._lines import allow_many_files
from benchmarks._loads import percentile
from benchmarks._players import Ear, OnVersion, Play
from benchmarks._scenarios import Scale, note_cpu
from benchmarks._sides import Served, sides
from benchmarks.report import print_results


@dataclass
class Contender:
    """A measured server, with functions that return its matches and spectators."""

    served: Served
    plays: Callable[[int], list[Play]]
    spectator: Callable[[Play, OnVersion], Ear]


def main(argv: list[str]) -> int:
    """Measure all contenders and print the results."""
    parser = argparse.ArgumentParser(
        prog="bench peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, help="5, or 1 with --quick")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    arguments = parser.parse_args(argv)
    if reason := _boardgame.missing():
        print(f"bench peers: skipped, as {reason}.")
        return 0
    allow_many_files()
    scale = Scale(arguments.rounds or (1 if arguments.quick else 5), arguments.quick)
    with ExitStack() as after:
        (side,) = after.enter_context(sides(None))
        side.name = "Croupier"
        scale.serve(side)
        token = side.ask("spectator")
        database = side.ask("database", name="boardgame")
        memory = after.enter_context(_boardgame.served("boardgame.io, in memory"))
        stored = after.enter_context(
            _boardgame.served("boardgame.io on Postgres", database, postmaster=side.pids["postgres"])
        )
        contenders = [
            Contender(
                side,
                lambda many: [Play(it) for it in side.matches(many)],
                lambda p, on_version: Ear(p.id, token, on_version),
            ),
            *(
                Contender(peer, peer.plays, lambda p, then: _boardgame.PeerEar(p.id, None, then))
                for peer in (memory, stored)
            ),
        ]
        for _ in range(scale.rounds):
            for measure in (_flat, _paced, _watched, _killed):
                for contender in contenders:
                    measure(contender, scale)
        rows = scale.rows([contender.served for contender in contenders])
    print_results(
        "peers",
        rows,
        [f"load average {os.getloadavg()[0]:.1f} at the end; clients and servers share {os.cpu_count()} cores"],
    )
    return 0


def _flat(it: Contender, scale: Scale) -> None:
    plays = it.plays(scale.of(50, 5))
    measured = _loads.flat_out(it.served, plays)
    scale.note(f"flat out, {len(plays)} matches", "moves/s", it.served, measured.rate)
    note_cpu(scale, "flat out", it.served, measured)


def _paced(it: Contender, scale: Scale) -> None:
    measured, _ = _loads.paced(it.served, it.plays(scale.of(50, 5)), rate=48, seconds=scale.of(8, 2))
    for percent in (50, 99):
        scale.note(f"48 moves/s, p{percent}", "ms", it.served, percentile(measured.took, percent))
    note_cpu(scale, "48 moves/s", it.served, measured)


def _watched(it: Contender, scale: Scale) -> None:
    (play,), many, moves = it.plays(1), scale.of(200, 20), scale.of(20, 3)
    measured = _loads.spectators(it.served, play, partial(it.spectator, play), many, moves)
    scale.note(f"{many} spectators, a move to the last", "ms", it.served, percentile(measured.lasts, 50))
    scale.note(f"{many} spectators, web CPU a move", "ms", it.served, 1000 * measured.cpu["web"] / moves)


def _killed(it: Contender, scale: Scale) -> None:
    lost = _restart.lost_by_a_kill(it.served, it.plays(scale.of(50, 5)), seconds=0.6)
    scale.note("kill -9: moves that players had been told", "", it.served, lost.received)
    scale.note("kill -9: of these gone afterwards", "", it.served, lost.moves)
