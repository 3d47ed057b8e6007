"""The spread of options that the laws are run over: a strategy of options dicts for every game."""

from typing import Any

from hypothesis import strategies as st

from games.peeling_the_banana.pieces import ITEMS as BANANA_ITEMS
from games.peeling_the_banana.pieces import KINDS as BANANA_KINDS
from games.reality_benders.pieces import RULES as BENDERS_RULES
from tests.games.higher_or_lower.staged import UNEVEN_BOARDS

DEFAULTS = st.just({})

OPTIONS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "higher_or_lower": st.sampled_from([{}, {"boards": UNEVEN_BOARDS}]),
    "peeling_the_banana": st.fixed_dictionaries(
        {},
        optional={
            "board": st.sampled_from([["#"], ["##.", ".##"], ["####"] * 3, [".".join("#" * 10)] * 20]),
            "deck": st.dictionaries(st.sampled_from(BANANA_KINDS), st.integers(1, 3), min_size=1),
            "shop": st.dictionaries(st.sampled_from(BANANA_ITEMS), st.integers(1, 6)),
            "turns": st.integers(1, 25),
        },
    ),
    "pentagram": st.fixed_dictionaries(
        {},
        optional={
            "zero_column": st.sampled_from(["empty", "dealt"]),
            "end": st.sampled_from(["deck", "target"]),
            "score": st.sampled_from(["total", "weakest", "product"]),
            "start_coins": st.sampled_from([1, 2, 5, 2**53]),
            "target": st.integers(10, 120),
            "workers": st.integers(0, 4),
        },
    ),
    "pyramid_poker": st.fixed_dictionaries({}, optional={"base": st.integers(8, 12)}),
    "reality_benders": st.fixed_dictionaries(
        {},
        optional={
            "rules": st.lists(st.sampled_from(BENDERS_RULES), unique=True),
            "items": st.lists(st.sampled_from(["bonus", "break", "bridge"]), unique=True),
            "tie_trash_phase": st.integers(1, 20),
            "tie_trash_phase_first": st.integers(1, 34),
            "max_bouts": st.integers(1, 6),
        },
    ),
}
