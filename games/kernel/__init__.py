"""The common parts of all games, and a table to play one. Pure: no clock, no I/O, no randomness of its own."""

from games.kernel.aids import Aid, Aids
from games.kernel.board import Board, BoardOf, Part
from games.kernel.chance import ALGORITHM, Chance, Draws
from games.kernel.drawn import Change, Drawn
from games.kernel.due import ClockSpec, Due, Grant, Outcome, Progress, Prompt, SetupShare, two_seat_outcome
from games.kernel.folding import fold
from games.kernel.game import MOST_SEATS, Game, Notation, NotationWithNames, Seats
from games.kernel.generator import Generator
from games.kernel.guide import GUIDE_NAMES, Figure, Guide, GuideOf, Script, Shelf, Thing
from games.kernel.illegal import Fault, Illegal
from games.kernel.lesson import LEARNER, Lesson, LessonStep
from games.kernel.messages import (
    Command,
    DefaultedEvent,
    Event,
    FlagFallen,
    HostFlagFallen,
    Options,
    Resign,
    Resigned,
    State,
    Template,
    evolve_kernel,
    type_name,
)
from games.kernel.motion import Motion, Step, count, grow, reveal, still, together, travel
from games.kernel.origin import Origin
from games.kernel.quantity import quantity
from games.kernel.sealing import Parts, SealedPart, commitments, is_committed, read_part, seal
from games.kernel.secrecy import audience_of, redact, secrecy_of
from games.kernel.table import Table
from games.kernel.texts import WITHDRAWN, KeptText, keep_text, read_text, texts_in, with_texts
from games.kernel.wire import Large, canonical, from_json, json_text, to_json
from games.kernel.witnesses import HOST, SPECTATOR, Public, Watcher, Witness, known_to

__all__ = [
    "ALGORITHM", "GUIDE_NAMES", "HOST", "LEARNER", "MOST_SEATS", "SPECTATOR", "WITHDRAWN", "Aid", "Aids", "Board",
    "BoardOf", "Chance", "Change", "ClockSpec", "Command", "DefaultedEvent", "Drawn", "Draws", "Due", "Event", "Fault",
    "Figure", "FlagFallen", "Game", "Generator", "Grant", "Guide", "GuideOf", "HostFlagFallen", "Illegal", "KeptText",
    "Large", "Lesson", "LessonStep", "Motion", "Notation", "NotationWithNames", "Options", "Origin", "Outcome", "Part",
    "Parts", "Progress", "Prompt", "Public", "Resign", "Resigned", "Script", "SealedPart", "Seats", "SetupShare",
    "Shelf", "State", "Step", "Table", "Template", "Thing", "Watcher", "Witness", "audience_of", "canonical",
    "commitments", "count", "evolve_kernel", "fold", "from_json", "grow", "is_committed", "json_text", "keep_text",
    "known_to", "quantity", "read_part", "read_text", "redact", "reveal", "seal", "secrecy_of", "still", "texts_in",
    "to_json", "together", "travel", "two_seat_outcome", "type_name", "with_texts",
]  # fmt: skip
