"""Random contents of contests, all of which are accepted."""

from random import Random
from typing import Any

WORDS = ("left", "right", "up", "down", "north of here", 'the "other" side', "red, or blue", "8 crowns")
CARDS = ("2 of cups", "5 of cups", "9 of swords", "King", "7")
AUCTIONS = ("first_price", "second_price", "all_pay")
OUT = ("nobody", "winners", "others")
SHOWN = ("nothing", "totals", "choices", "everything")


def content_of(rng: Random) -> dict[str, Any]:
    """Return a random content for 2 to 30 seats."""
    content: dict[str, Any] = {"title": "Random"}
    content["balances"] = [
        {
            "name": "coins", "start": rng.randint(0, 30), "secret": True, "pays": True,
            "gives": rng.choice(("never", "publicly", "secretly")), "weight": rng.choice((0, 1, -1)),
        },
        {"name": "chips", "start": rng.randint(0, 9), "pays": rng.random() < 0.7,
         "gives": rng.choice(("never", "publicly"))},
    ]  # fmt: skip
    if rng.random() < 0.5:
        count = rng.randint(1, 2)
        content["roles"] = [
            {"name": "traitor", "count": count, "acquainted": rng.random() < 0.5, "gains": {"coins": 3}},
            *([{"name": "citizen", "count": 0}] if rng.random() < 0.5 else []),
        ]
    if rng.random() < 0.5:
        content["teams"] = ["red", "blue"]
    if rng.random() < 0.5:
        content["decks"] = [{"name": "cards", "cards": list(CARDS * 30), "hand": rng.randint(1, 5)}]
    content["rounds"] = [_round(rng, content, f"round_{number}") for number in range(rng.randint(1, 4))]
    ties = [name for name in ("coins", "survival", "chance") if rng.random() < 0.4]
    content["score"] = {"show": rng.choice(("live", "own", "end")), "ties": ties}
    if rng.random() < 0.3:
        content["end"] = {"points": rng.randint(1, 6)}
        if "roles" in content and rng.random() < 0.5:
            content["end"]["without"] = "traitor"
    return content


def _round(rng: Random, content: dict[str, Any], name: str) -> dict[str, Any]:
    who = ["all", "all", "all", "in_turn"]
    who += ["role:traitor"] * ("roles" in content) + ["team:red"] * ("teams" in content)
    fields = [field for field in _fields(rng, content) if rng.random() < 0.4][:8]
    of_round = {
        "name": name, "repeat": rng.randint(1, 3), "who": rng.choice(who), "fields": fields,
        "order": rng.choice(("seats", "random", "points")), "gifts": rng.randint(0, 2),
        "default": _default(rng, fields), "reveal": rng.choice(SHOWN), "later": rng.random() < 0.3,
        "sealed": rng.random() < 0.7, "secret": rng.random() < 0.3,
        "needs": {"least": rng.choice((0, 0, 0, 2)), "most": rng.choice((30, 30, 30, 2))},
    }  # fmt: skip
    of_round["scheme"] = _scheme(rng, content, fields)
    return of_round


def _fields(rng: Random, content: dict[str, Any]) -> list[dict[str, Any]]:
    pays = [it["name"] for it in content["balances"] if it["pays"]]
    fields: list[dict[str, Any]] = [
        {"name": "side", "kind": "choice", "options": list(rng.sample(WORDS, rng.randint(2, 5)))},
        {"name": "sides", "kind": "choice", "options": list(WORDS[:4]), "least": rng.randint(0, 2), "most": 3},
        {"name": "number", "kind": "number", "least": rng.randint(-2, 3), "most": rng.randint(3, 12)},
        {"name": "bid", "kind": "number", "most": 20, "balance": rng.choice(pays)},
        {"name": "target", "kind": "player", "other_team": "teams" in content and rng.random() < 0.3},
        {"name": "friends", "kind": "player", "least": rng.randint(0, 2), "most": 3},
        {"name": "shares", "kind": "split", "budget": rng.randint(1, 10), "options": rng.choice(([], list(WORDS[:3])))},
        {"name": "support", "kind": "split", "budget": rng.randint(1, 10)},
        {"name": "order", "kind": "ranking", "options": list(WORDS[:3])},
        {"name": "word", "kind": "text", "most": 20},
    ]
    if "decks" in content:
        fields.append({"name": "played", "kind": "cards", "deck": "cards", "least": rng.randint(0, 1), "most": 2})
    return fields


def _default(rng: Random, fields: list[dict[str, Any]]) -> dict[str, Any]:
    kind = rng.choice(("nothing", "fixed", "previous", "random"))
    default: dict[str, Any] = {"kind": kind, "penalty": rng.choice((0, 0, 2))}
    if kind == "fixed":
        default["values"] = {it["name"]: it["options"][0] for it in fields if it["name"] == "side"}
    return default


def _scheme(rng: Random, content: dict[str, Any], fields: list[dict[str, Any]]) -> dict[str, Any]:
    by_name = {field["name"]: field for field in fields}
    schemes: list[dict[str, Any]] = [{"kind": "none"}, {"kind": "host", "others": 1}]
    tie = rng.choice(("all", "none"))
    if "side" in by_name:
        options = by_name["side"]["options"]
        payoffs = [{"own": own, "other": other, "points": rng.randint(-3, 3)} for own in options for other in options]
        pairings = ["all", "drawn", "round_robin"] + ["mutual"] * ("target" in by_name)
        schemes += [{"kind": kind, "field": "side", "tie": tie} for kind in ("majority", "plurality", "minority")]
        schemes += [
            {"kind": "matrix", "field": "side", "payoffs": payoffs, "pairing": rng.choice(pairings)}
            | {"partner": "target"},
            {"kind": "answer", "field": "side", "answers": [options[0]]},
            {"kind": "race", "field": "side", "answers": [options[0]], "prizes": [3, 1]},
        ]
    if "number" in by_name:
        schemes += [{"kind": kind, "field": "number"} for kind in ("unique_highest", "unique_lowest", "sum")]
        schemes += [
            {"kind": "closest", "field": "number", "percent": 67}, {"kind": "closest", "field": "number", "target": 4},
        ]  # fmt: skip
    if "bid" in by_name:
        schemes += [{"kind": kind, "field": "bid", "prizes": [5, 2]} for kind in AUCTIONS]
        schemes += [{"kind": "public_good", "field": "bid", "percent": rng.choice((0, 150, 200))}]
    role = {"role": "traitor", "hits": 2} if "roles" in content else {}
    for name in ("target", "support"):
        if name in by_name:
            schemes += [{"kind": kind, "field": name, "tie": tie} | role for kind in ("named_most", "named_least")]
    if "played" in by_name:
        schemes += [{"kind": kind, "field": "played"} for kind in ("sum", "unique_highest", "unique_lowest", "closest")]
    scheme = rng.choice(schemes)
    if scheme["kind"] in ("majority", "plurality", "minority", "named_most", "named_least", "unique_lowest", "answer"):
        scheme |= {
            "points": rng.randint(-2, 4),
            "others": rng.randint(-2, 1),
            "out": rng.choice(OUT),
        }
        scheme |= {"balance": rng.choice(("", "", "coins", "chips"))}
    return scheme
