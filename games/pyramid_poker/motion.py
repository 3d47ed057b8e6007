"""The animations: bricks move from the hand to the pyramid, off it, and into the poker hands."""

from collections.abc import Mapping
from typing import Final

from games.kernel import Event, Motion, reveal, still, travel
from games.pyramid_poker.events import (
    BrickAssigned,
    BrickDealt,
    BrickDrawn,
    BrickPlaced,
    ConstructionFinished,
    FirstChosen,
    HandsCompared,
)

MOTION: Final[Mapping[type[Event], Motion]] = {
    FirstChosen: still,
    BrickDealt: lambda dealt: (reveal("held"),),
    BrickPlaced: lambda placed: (travel("held", placed.cell),),
    ConstructionFinished: still,
    BrickDrawn: lambda drawn: (travel(drawn.cell, "held"), reveal("held")),
    BrickAssigned: lambda assigned: (travel("held", f"{assigned.seat} hand {assigned.hand} last"),),
    HandsCompared: still,
}
