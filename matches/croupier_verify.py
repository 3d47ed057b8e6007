#!/usr/bin/env python3
"""Check the export of a Croupier match without trusting the house: one file, Python's standard library alone.

    python3 croupier_verify.py FILE [KEY]  exit status 0: it holds; 1: it doesn't; 2: the file can't be read
    python3 croupier_verify.py --continues NOTE PROOF [KEY]  the log of a checkpoint that you have kept goes on

FILE is the export of a match or a season, or an archive of many (a zip). NOTE is a signed checkpoint, PROOF the answer
of GET /api/v1/checkpoints/consistency?from=SIZE for its size. KEY is the house's verifier key, `name+number+key`, or a
file that holds it (GET /.well-known/croupier-key); with it the signature of the checkpoint is checked too.

What is checked: versions run from 1 without a gap; each event's hash covers its facts and the hash before it; each
opened secret is the one its digest promised; the seed that was revealed is the one promised at the opening; what the
header says is what the events say; nonces that were promised before they were shown are the promised ones, shown when
none could be given any more, and those left out are named; every draw is what the revealed seed gives, and the dealt
cards are what was drawn; the checkpoint's tree holds the hash that the chain has at its version. Of a season: no
garnets are paid that aren't there; in its archive, each result that it counts is the one in that match's own record.

What only the rules can tell is left to `manage.py verify --rules`: that the moves were legal, that those of the house's
bots are the ones that the seed gives, and that what was
shuffled was the right set in the right order (here it is checked for the decks of Pentagram, Peeling the Banana's
first one, Pyramid Poker's bag, and for what is drawn in a seat's place in all but Pentagram).

The formats, for a reader who writes their own check. Canonical bytes: UTF-8 JSON, keys sorted, no spaces.
    digest = SHA-256("croupier-secret-v1\\n" || salt || canonical secret)
    hash   = SHA-256("croupier-event-v1\\n" || field || field ...), each field after its length in 4 bytes, big-endian:
             previous hash (empty for version 1), match id (16 bytes), version (8 bytes big-endian), type,
             schema (2 bytes big-endian), actor, microseconds since 1970-01-01 UTC (8 bytes big-endian),
             canonical public part (which names the type again), audience and digest (both empty without a secret)
    commitment = SHA-256(seed)
Lines: the header; the events, whose salt, digest and hash are in hex (`secret` and `salt` are null until the match is
over, and a secret's fields are null in `public`); as many draws as the header's `draws` says; the checkpoint, if the
header says so. A draw: `draw` is the version of the first event of its act, `line` and `at` are the line and the
version that it was drawn for, `steps` lists, from one stream, `choice` or `shuffled`, what from, and the result. The
checkpoint: the signed note, the leaf's version, hash and position, and the hashes on the path to the root, in hex.
Draws: see docs/chance.md. Checkpoints: C2SP's tlog-checkpoint in a signed note; the tree is RFC 6962's, its leaf
    "croupier-head-v1\\n" || match id (16 bytes) || version (8 bytes big-endian) || hash.
"""

import base64
import hmac
import json
import os
import re
import sys
import zipfile
import zlib
from datetime import datetime, timedelta, timezone
from hashlib import sha256, sha512
from uuid import UUID

FORMAT = "croupier-export-v1"
SEASON_FORMAT = "croupier-season-v1"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_KEY = re.compile(r"[^+]+[+][0-9a-f]{8}[+]")
_NONE = type(None)
_HEADER = {
    "format": [str], "match": [str], "game": [str], "version": [int], "hash": [str], "finished": [bool],
    "seed_commitment": [str], "chance": [str], "draws": [int], "checkpoint": [bool],
}  # fmt: skip
_SEASON = {
    "format": [str], "season": [str], "title": [str], "version": [int], "hash": [str], "finished": [bool],
    "champion": [str, _NONE], "checkpoint": [bool],
}  # fmt: skip
_EVENT = {
    "version": [int], "type": [str], "schema": [int], "actor": [str], "at": [str], "public": [dict], "hash": [str],
    "digest": [str, _NONE], "secret": [dict, _NONE], "salt": [str, _NONE], "audience": [str, _NONE],
}  # fmt: skip
_DRAW = {"draw": [int], "line": [int], "at": [int], "purpose": [str], "steps": [list]}
_CHECKPOINT = {"checkpoint": [str], "version": [int], "hash": [str], "position": [int], "path": [list]}

# The events that are the host's own, not the game's; the others count as versions of a draw.
_LIFECYCLE = frozenset((
    "match_opened", "seat_taken", "nonce_added", "match_started", "match_paused", "match_resumed", "time_given",
    "time_credited", "match_voided", "match_adjudicated", "seat_substituted", "match_rewound", "ruling_posted",
    "appeal_opened", "appeal_answered", "result_approved", "truth_viewed", "match_finished", "seed_revealed",
    "stand_in_seated", "stand_in_left", "nonce_committed", "nonce_revealed", "nonces_called", "nonce_left_out",
))  # fmt: skip
_NONCES = ("nonce_added", "nonce_committed", "nonce_revealed", "nonce_left_out")
# From these on none is given any more.
_CLOSING = ("nonce_revealed", "nonces_called", "match_started")
# What each game draws, and how: one choice, one shuffle, or as many shuffles as it takes. A purpose is part of what a
# draw is computed from, so it isn't the house's to choose.
_PURPOSES = {
    "higher_or_lower": dict(
        {"board " + board: "shuffles" for board in "ABCDE"},
        colour="choice", board="choice", order="choice", fill="shuffles",
    ),
    "peeling_the_banana": {"first": "choice", "deck": "shuffle", "reshuffle": "shuffle"},
    "pentagram": {"deck": "shuffle", "placement": "choice"},
    "pyramid_poker": {"first": "choice", "brick": "choice"},
    "reality_benders": {},
}  # fmt: skip
# The events that tell what was drawn: for which purpose, and the fields that hold it; none where it is laid out anew.
_DRAWN = {
    "deck_shuffled": {"deck": ("order",)},
    "deck_reshuffled": {"reshuffle": ("order",)},
    "brick_dealt": {"brick": ("brick",)},
    "board_dealt": {"board %(board)s": ()},
    "groups_filled": {"fill": ()},
}
# These tell a draw where the house acted in a seat's place.
_DRAWN_FOR_A_SEAT = {
    "first_chosen": {"first": ("seat",)},
    "colour_chosen": {"colour": ("colour",)},
    "board_chosen": {"board": ("board",), "order": ("order",)},
    "card_placed": {"placement": ("colour", "space")},
}
_HOUSE = ("clock", "dealer")
_PENTAGRAM_DECK = "5c1f45f0dd05b2ddea10bc3d9172596f37c2a491595d075783f6e9b161457ed7"
_BRICKS = [face + suit for suit in "SHDC" for face in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")]


# What reading a file of a damaged, encrypted or oddly packed zip raises, and parsing what it holds.
_UNREADABLE = (EOFError, KeyError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)


class Bad(Exception):
    """The export does not hold; `version` is the first bad one, 0 for the header."""

    def __init__(self, version, reason):
        super().__init__("version %s: %s" % (version, reason))
        self.version = version
        self.reason = reason


def canonical(value):
    """The bytes that were hashed for a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def digest(salt, secret):
    """The promise of a secret."""
    return sha256(b"croupier-secret-v1\n" + salt + canonical(secret)).digest()


def event_hash(previous, match, event):
    """The hash that an event must have after the hash before it."""
    fields = (
        previous,
        match.bytes,
        event["version"].to_bytes(8, "big"),
        event["type"].encode(),
        event["schema"].to_bytes(2, "big"),
        event["actor"].encode(),
        microseconds(event["at"]).to_bytes(8, "big"),
        canonical(event["public"]),
        (event["audience"] or "").encode(),
        bytes.fromhex(event["digest"] or ""),
    )
    return sha256(b"croupier-event-v1\n" + b"".join(len(f).to_bytes(4, "big") + f for f in fields)).digest()


def microseconds(at):
    """An instant such as 2026-11-21T12:00:00.000000Z as microseconds since 1970."""
    if not _INSTANT.fullmatch(at):
        raise ValueError(f"{at} is no instant")
    return (datetime.fromisoformat(at[:-1] + "+00:00") - _EPOCH) // timedelta(microseconds=1)


def verify(lines, key=None):
    """Check an export, given as lines; gives a summary, raises Bad at the first thing that doesn't hold.

    With `key`, the house's verifier key, the checkpoint's signature is checked as well.
    """
    lines = iter(lines)
    first = next(lines, "")
    if is_season(first):
        return _verify_season(first, lines, key)
    header, match = _header(first)
    log, opened = [], 0
    for line in lines:
        version = len(log) + 1
        event = _read(version, line, _EVENT)
        try:
            opened += _check_event(event, version, log[-1]["hash"] if log else "", match, header["finished"])
            _check_promises(event, version, header)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise Bad(version, "the line is not an event: %r" % error) from None
        log.append(event)
        if version == header["version"]:
            break
    _check_end(header, log)
    given = _check_nonces(match, log)
    draws = _check_draws(header, log, lines)
    checkpoint = _check_checkpoint(header, match, log, lines, key)
    told = {
        "match": str(match), "game": header["game"], "events": len(log), "opened": opened,
        "seed": log[-1]["type"] == "seed_revealed" or any(e["type"] == "seed_revealed" for e in log),
        "draws": draws, "season": log[0]["public"].get("season"),
        "nonces": given if any(event["type"] == "match_started" for event in log) else None,
        "outcome": next((event["public"] for event in log if event["type"] == "match_finished"), None),
    }  # fmt: skip
    return dict(checkpoint, **told)


def is_season(line):
    """Whether this first line is that of a season's record."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("format") == SEASON_FORMAT


def _verify_season(first, lines, key):
    """Check a season's record, which has the same chain and no secrets."""
    header = _read(0, first, _SEASON)
    try:
        season = UUID(header["season"])
    except ValueError:
        raise Bad(0, "the season has no id") from None
    log = []
    for line in lines:
        version = len(log) + 1
        event = _read(version, line, _EVENT)
        try:
            _check_event(event, version, log[-1]["hash"] if log else "", season, False)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise Bad(version, "the line is not an event: %r" % error) from None
        if event["digest"] is not None or (event["type"] == "season_opened") != (version == 1):
            raise Bad(version, "a season keeps no secrets, and is opened by its first event")
        log.append(event)
        if version == header["version"]:
            break
    champions = [event["public"].get("champion") for event in log if event["type"] == "season_finished"]
    told = (len(log), log[-1]["hash"] if log else None, log[0]["public"].get("title") if log else None, champions[:1])
    if told != (header["version"], header["hash"], header["title"], [header["champion"]] if header["finished"] else []):
        raise Bad(0, "the header and the events disagree on version, hash, title or champion")
    _check_ledger(log)
    checkpoint = _check_checkpoint(dict(header, draws=0), season, log, lines, key)
    told = {"season": str(season), "title": header["title"], "champion": header["champion"]}
    return dict(checkpoint, events=len(log), log=log, **told)


def _check_ledger(log):
    """No garnets are paid that aren't there."""
    held = {}
    for event in log:
        if event["type"] != "garnets_moved":
            continue
        told, version = event["public"], event["version"]
        try:
            amount = told["amount"]
            for account, change in ((told["from"], -amount), (told["to"], amount)):
                if account is not None:
                    held[account] = held.get(account, 0) + change
        except (KeyError, TypeError) as error:
            raise Bad(version, "the line is no movement of garnets: %r" % error) from None
        if type(amount) is not int or amount < 0 or min(held.values()) < 0:
            raise Bad(version, "garnets are paid that aren't there")


def _check_end(header, log):
    """What the header says of the whole is what the events say."""
    version, types = len(log), set(event["type"] for event in log)
    if version != header["version"]:
        raise Bad(version + 1, "missing; the header names version %s" % header["version"])
    if log[-1]["hash"] != header["hash"]:
        raise Bad(version, "the header names another hash")
    finished = bool(types & {"match_finished", "match_voided"})
    if finished != header["finished"]:
        raise Bad(0, "the header and the events disagree on whether the match is over")
    if finished and "seed_revealed" not in types:
        raise Bad(version, "the match is over but its seed is not revealed")


def _header(line):
    header = _read(0, line, _HEADER)
    if header["format"] != FORMAT:
        raise Bad(0, "this is no %s file" % FORMAT)
    if header["version"] < 1:
        raise Bad(0, "it holds no events")
    try:
        return header, UUID(header["match"])
    except ValueError:
        raise Bad(0, "the match has no id") from None


def _read(version, line, shape):
    """The object on a line, which has these fields and no others."""
    if not line:
        raise Bad(version, "missing: the file ends before it")
    try:
        value = json.loads(line, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise Bad(version, "the line is not JSON") from None
    if not isinstance(value, dict) or value.keys() != shape.keys():
        raise Bad(version, "its fields are not %s" % ", ".join(shape))
    for name, kinds in shape.items():
        if type(value[name]) not in kinds:
            raise Bad(version, "%s can't be %r" % (name, value[name]))
    return value


def _object(pairs):
    """One name, one value: another reader could choose the other."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name stands twice")
    return value


def _check_event(event, version, previous, match, finished):
    """Check one event; gives 1 where its secret is open, else 0."""
    if event["version"] != version:
        raise Bad(version, "missing; version %s follows" % event["version"])
    if event_hash(bytes.fromhex(previous), match, event).hex() != event["hash"]:
        raise Bad(version, "the hash does not match the event's facts")
    secret, salt = event["secret"], event["salt"]
    if (event["digest"] is None) != (event["audience"] is None):
        raise Bad(version, "a secret has a digest and an audience")
    if (secret is None) != (salt is None) or (secret is not None) != (finished and event["digest"] is not None):
        raise Bad(version, "secrets are open once the match is over, and only then")
    if secret is not None and digest(bytes.fromhex(salt), secret).hex() != event["digest"]:
        raise Bad(version, "the secret is not the one that was promised")
    return int(secret is not None)


def _check_promises(event, version, header):
    """The opening says what the header says, and the seed is the promised one."""
    if (event["type"] == "match_opened") != (version == 1):
        raise Bad(version, "a match is opened by its first event")
    for name in ("game", "seed_commitment", "chance") if version == 1 else ():
        if event["public"][name] != header[name]:
            raise Bad(version, "the header names another %s" % name)
    revealed = bytes.fromhex(event["public"]["seed"]) if event["type"] == "seed_revealed" else None
    if revealed is not None and sha256(revealed).hexdigest() != header["seed_commitment"]:
        raise Bad(version, "the revealed seed is not the one that was promised")


def _opened(path):
    try:
        return zipfile.ZipFile(path)
    except _UNREADABLE as error:
        raise Bad(0, "the archive can't be read: %r" % error) from None


def verify_archive(path, key=None):
    """Check every record of an archive; gives their summaries, raises Bad with the record's name in its reason."""
    summaries = []
    with _opened(path) as archive:
        try:
            manifest = json.loads(archive.read("manifest.json").decode())
            files = {told["file"]: told for told in manifest.get("seasons", []) + manifest["matches"]}
            if not all(isinstance(name, str) for name in files):
                raise ValueError("a file's name is text")
        except (AttributeError, TypeError) + _UNREADABLE as error:
            raise Bad(0, "the archive has no manifest: %r" % error) from None
        names = archive.namelist()
        if len(set(names)) < len(names):
            raise Bad(0, "the archive has several files of one name, and each reader takes another one")
        records = {name for name in names if name.startswith(("records/", "seasons/"))}
        if records != set(files):
            raise Bad(0, "the manifest lists other records than there are: %s" % sorted(records ^ set(files)))
        for name in sorted(files):
            summaries.append(_check_record(archive, name, files[name], key))
    matches = {summary["match"]: summary for summary in summaries if "match" in summary}
    for summary in summaries:
        if "log" in summary:
            _check_results(summary.pop("log"), summary["season"], matches)
    return summaries


def _check_results(log, season, matches):
    """Each result that the season counts is the one in its match's own record; seats are the season's players."""
    seated, successors = {}, {}
    for event in log:
        told, version = event["public"], event["version"]
        try:
            if event["type"] == "player_substituted":
                successors[told["leaver"]] = told["newcomer"]
            elif event["type"].endswith("_match_scheduled"):
                seated[told["match"]] = told["players"]
            elif event["type"].endswith("_match_finished"):
                groups = told["ranking"] if "ranking" in told else [[told["winner"]], [told["loser"]]]
                places = _places(matches.get(told["match"]), season, duel="ranking" not in told)
                _check_result(groups, places, seated[told["match"]], successors)
        except (KeyError, IndexError, TypeError) as error:
            raise Bad(version, "the season's record can't be followed: %r" % error) from None
        except Wrong as wrong:
            raise Bad(version, "season %s: %s" % (season, wrong)) from None


def _places(match, season, duel):
    """The seats as the match's own record ranks them."""
    if match is None:
        raise Wrong("it counts a match whose record is not here")
    if match["season"] != season or match["outcome"] is None:
        raise Wrong("the record of match %s is of another season, or not over" % match["match"])
    if not duel:
        return match["outcome"]["ranking"]
    winners = match["outcome"]["winners"]
    return [[winners[0]], [1 - winners[0]]] if len(winners) == 1 else []


def _check_result(groups, places, players, successors):
    """The season's groups of equal players are those of the match, best first."""
    if [len(group) for group in groups] != [len(group) for group in places]:
        raise Wrong("it counts another result than the match's record")
    counted = [player for group in groups for player in group]
    for place, seat in enumerate(seat for group in places for seat in group):
        if not _is_or_became(players[seat], counted[place], successors):
            raise Wrong("it counts another result than the match's record")


def _is_or_became(player, other, successors):
    """Whether one is the other, or handed over to them."""
    for _ in range(len(successors) + 1):
        if player == other:
            return True
        player = successors.get(player)
    return False


def _check_record(archive, name, told, key):
    try:
        data = archive.read(name)
        if sha256(data).hexdigest() != told["sha256"]:
            raise Bad(0, "it is not the record that the manifest lists")
        lines = data.decode().rstrip("\n").split("\n")
        summary = verify(lines, key)
        whose = "season" if name.startswith("seasons/") else "match"
        if (summary[whose], summary["events"]) != (told[whose], told["version"]) or ("log" in summary) != (
            whose == "season"
        ):
            raise Bad(0, "the manifest tells another %s or version" % whose)
        header = json.loads(lines[0])
        for field in sorted(header.keys() & told.keys()):
            if header[field] != told[field]:
                raise Bad(0, "the manifest tells another `%s` than the record" % field)
    except (TypeError,) + _UNREADABLE as error:
        raise Bad(0, "%s: it can't be read: %r" % (name, error)) from None
    except Bad as bad:
        raise Bad(bad.version, "%s: %s" % (name, bad.reason)) from None
    return summary


def words(key, version, purpose):
    """The stream of 64-bit words of one draw."""
    label = b"croupier-chance-v1\0" + purpose.encode() + b"\0" + version.to_bytes(8, "big")
    keyed, k = hmac.new(key, digestmod="sha256"), 0
    while True:
        block = keyed.copy()
        block.update(label + k.to_bytes(8, "big"))
        drawn = block.digest()
        for at in (0, 8, 16, 24):
            yield int.from_bytes(drawn[at : at + 8], "big")
        k += 1


def below(stream, n):
    """A uniform integer from 0 to n - 1."""
    limit = 2**64 - 2**64 % n
    return next(word for word in stream if word < limit) % n


def shuffled(stream, items):
    """The items in a random order."""
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = below(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def mixed(seed, nonces):
    """The key that an older match's draws derive from before any rewind."""
    given = [(nonce or "").encode() for nonce in nonces]
    return _hmac(seed, b"croupier-nonces-v1\n" + b"".join(len(n).to_bytes(4, "big") + n for n in given))


def mixed_by_kind(seed, given):
    """The same for a match that names croupier-nonces-v2: by seat 0 for no nonce, 1 for a plain one, 2 for one that was
    promised, 3 for the promise alone; and its bytes."""
    said = b"".join(bytes([kind]) + len(value).to_bytes(4, "big") + value for kind, value in given)
    return _hmac(seed, b"croupier-nonces-v2\n" + said)


def nonce_commitment(match, seat, nonce):
    """What a seat promises the 32 bytes of its nonce by."""
    return sha256(b"croupier-nonce-commitment-v1\n" + match.bytes + seat.to_bytes(4, "big") + nonce).digest()


def _hmac(key, message):
    return hmac.new(key, message, "sha256").digest()


def _check_draws(header, log, lines):
    """Draw everything again; gives how many draws there were."""
    if not header["draws"]:
        return 0
    if not header["finished"]:
        raise Bad(0, "draws can't be told before the seed is revealed")
    try:
        key, befores, found = _key(log), _befores(log), {}
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise Bad(0, "an event lacks what its type has: %r" % error) from None
    for place in range(len(log) + 1, len(log) + 1 + header["draws"]):
        draw = _read(place, next(lines, ""), _DRAW)
        try:
            _check_draw(header["game"], draw, key, befores)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError) as error:
            raise Bad(place, "the line is not a draw: %r" % error) from None
        except Wrong as wrong:
            raise Bad(place, str(wrong)) from None
        if found.setdefault((draw["draw"], draw["purpose"]), draw) is not draw:
            raise Bad(place, "no act draws twice for one purpose")
    _check_drawn(header["game"], log, befores, found)
    return header["draws"]


class Wrong(Exception):
    """A draw that the seed doesn't give."""


def _key(log):
    """The key of the match's line of play before any rewind."""
    seed, given = next(event["public"]["seed"] for event in log if event["type"] == "seed_revealed"), _given(log)
    if log[0]["public"].get("nonces") is None:
        return mixed(bytes.fromhex(seed), [value.decode() for _, value in given])
    return mixed_by_kind(bytes.fromhex(seed), given)


def _given(log):
    """What each seat gave to the key, as `mixed_by_kind` takes it."""
    given, closed = [(0, b"")] * log[0]["public"]["seats"], False
    for event in log:
        kind, told = event["type"], event["public"]
        if kind == "nonce_added":
            given[told["seat"]] = (1, told["nonce"].encode())
        elif kind == "nonce_revealed":
            given[told["seat"]] = (2, _of_32_bytes(told["nonce"]))
        elif kind == "nonce_committed":
            given[told["seat"]] = (3, _of_32_bytes(told["commitment"]))
        elif kind == "seat_substituted" and not closed and given[told["seat"]][0] == 3:
            given[told["seat"]] = (0, b"")
        closed = closed or kind in _CLOSING
    return given


def _check_nonces(match, log):
    """Promises were made before any was shown, and each is kept or named as left out; gives who gave what."""
    way = log[0]["public"].get("nonces")
    if way not in (None, "croupier-nonces-v2"):
        raise Bad(1, "it mixes nonces in a way that isn't known here: %r" % way)
    closed = set()
    for version, event in enumerate(log, start=1):
        try:
            if event["type"] == "nonce_committed" and way is None:
                raise Wrong("in this match nonces are given in plain")
            if event["type"] in _NONCES:
                _check_nonce(match, _given(log[: version - 1]), closed, event["type"], event["public"])
            elif event["type"] == "match_started":
                unkept = [seat for seat, (kind, _) in enumerate(_given(log[:version])) if kind == 3]
                if unkept != [it["public"]["seat"] for it in log[:version] if it["type"] == "nonce_left_out"]:
                    raise Wrong("who has promised a nonce shows it before the start, or is left out by name")
        except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise Bad(version, "it lacks what its type has: %r" % error) from None
        except Wrong as wrong:
            raise Bad(version, str(wrong)) from None
        closed |= {event["type"]}.intersection(_CLOSING)
    return [kind for kind, _ in _given(log)]


def _check_nonce(match, given, closed, kind, told):
    seat = told["seat"]
    if type(seat) is not int or not 0 <= seat < len(given) or "match_started" in closed:
        raise Wrong("nonces are given by seats before the start")
    if kind in ("nonce_added", "nonce_committed"):
        if given[seat][0] or closed:
            raise Wrong("a seat gives one nonce, and none once a promised one is shown")
    elif given[seat][0] != 3:
        raise Wrong("there is no promised nonce to be shown or left out")
    elif kind == "nonce_left_out" and "nonces_called" not in closed:
        raise Wrong("a nonce is left out once the start was called")
    elif kind == "nonce_revealed" and nonce_commitment(match, seat, _of_32_bytes(told["nonce"])) != given[seat][1]:
        raise Wrong("the nonce is not the one that was promised")


def _of_32_bytes(told):
    """The bytes of 64 hex digits, in the one way of writing them."""
    value = bytes.fromhex(told)
    if len(value) != 32 or value.hex() != told:
        raise Wrong("a nonce that is promised, and its promise, are 64 hex digits")
    return value


def _befores(log):
    """For each version what stood before it: line of play, version of a draw, what is gone, the act's first version.

    Gone are the bricks dealt and the boards chosen: they can't be drawn again.
    """
    now, befores, act = (0, 0, ()), [None], 1
    for version, event in enumerate(log, start=1):
        last = log[version - 2] if version > 1 else None
        # What an outage took is given back in one batch with the next act, before it.
        credited = last is not None and last["type"] == "time_credited"
        if last is None or credited or (last["actor"], last["at"]) != (event["actor"], event["at"]):
            act = version
        befores.append(now + (act,))
        line, at, gone, kind = now + (event["type"],)
        if kind == "match_rewound":
            _, at, gone, _ = befores[event["public"]["to_version"] + 1]
            line += 1
        elif kind not in _LIFECYCLE:
            at += 1
            gone += (event["secret"]["brick"],) if kind == "brick_dealt" else ()
            gone += (event["public"]["board"],) if kind == "board_chosen" else ()
        now = (line, at, gone)
    return befores


def _check_draw(game, draw, key, befores):
    line, at, _, act = befores[draw["draw"]]
    if draw["draw"] < 1 or act != draw["draw"] or (line, at) != (draw["line"], draw["at"]):
        raise Wrong("no act of the match drew here")
    if game not in _PURPOSES:
        raise Wrong("what %r draws isn't known here" % game)
    way = _PURPOSES[game].get(draw["purpose"])
    kinds = [kind for kind, _, _ in draw["steps"]]
    if kinds != {"choice": ["choice"], "shuffle": ["shuffled"], "shuffles": ["shuffled"] * len(kinds)}.get(way):
        raise Wrong("%s draws nothing for %r in this way" % (game, draw["purpose"]))
    if line:
        key = _hmac(key, b"croupier-line-v1\n" + line.to_bytes(8, "big"))
    stream = words(key, at, draw["purpose"])
    for kind, items, result in draw["steps"]:
        drawn = items[below(stream, len(items))] if kind == "choice" else shuffled(stream, items)
        if drawn != result or type(drawn) is not type(result):
            raise Wrong("the seed gives another result for %r" % draw["purpose"])


def _check_drawn(game, log, befores, found):
    """Every event that tells a draw is what was drawn in its act."""
    for version, event in enumerate(log, start=1):
        told = dict(event["public"], **(event["secret"] or {}))
        drawn = _DRAWN.get(event["type"], {})
        if event["actor"] in _HOUSE:
            drawn = drawn or _DRAWN_FOR_A_SEAT.get(event["type"], {})
        try:
            for purpose, fields in drawn.items():
                _check_told(game, purpose, fields, told, befores[version], found)
        except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
            raise Bad(version, "it lacks what its type has: %r" % error) from None
        except Wrong as wrong:
            raise Bad(version, str(wrong)) from None


def _check_told(game, purpose, fields, told, before, found):
    draw = found.get((before[3], purpose % told))
    if draw is None or (fields and draw["steps"][0][2] != _fields_of(told, fields)):
        raise Wrong("what it tells was not drawn")
    expected = _items(game, purpose, before)
    if expected and not expected(draw["steps"][0][1]):
        raise Wrong("it was drawn from other things than the rules say")


def _fields_of(told, fields):
    """One field, or a list of several."""
    return told[fields[0]] if len(fields) == 1 else [told[field] for field in fields]


def _items(game, purpose, before):
    """Whether these are what a draw is made from, where that is known without the rules."""
    if (game, purpose) == ("pentagram", "deck"):
        return lambda items: sha256(canonical(items)).hexdigest() == _PENTAGRAM_DECK
    if (game, purpose) == ("peeling_the_banana", "deck"):
        return lambda items: items == sorted(items, key=lambda card: (card.split("#")[0], int(card.split("#")[1])))
    known = {
        ("higher_or_lower", "board"): list("ABCDE"), ("higher_or_lower", "colour"): ["cyan", "pink"],
        ("higher_or_lower", "order"): ["first", "second"], ("peeling_the_banana", "first"): [0, 1],
        ("pyramid_poker", "brick"): _BRICKS, ("pyramid_poker", "first"): [0, 1],
    }.get((game, purpose))  # fmt: skip
    return known and (lambda items: items == [item for item in known if item not in before[2]])


def _check_checkpoint(header, match, log, lines, key):
    """The checkpoint's tree holds the chain's hash; gives what a summary says of it.

    `checkpoint` is how many leaves its tree has, `covered` how many of the events it holds: the first ones. Both are 0
    without a checkpoint. `signed` says whether a key was given that has signed it.
    """
    size = covered = 0
    place = len(log) + 1 + header["draws"]
    if header["checkpoint"]:
        told = _read(place, next(lines, ""), _CHECKPOINT)
        try:
            size, covered = _check_proof(told, match, log, key), told["version"]
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise Bad(place, "the line is no checkpoint: %r" % error) from None
        except Wrong as wrong:
            raise Bad(place, str(wrong)) from None
    for line in lines:
        raise Bad(place + header["checkpoint"], "nothing belongs here: %r" % line[:40])
    return {"checkpoint": size, "covered": covered, "signed": bool(key and size)}


def _check_proof(told, match, log, key):
    note, version, position = told["checkpoint"], told["version"], told["position"]
    if not 1 <= version <= len(log) or log[version - 1]["hash"] != told["hash"]:
        raise Wrong("the checkpoint holds another hash than the chain at version %s" % version)
    size, root = _size_and_root(note)
    leaf = b"croupier-head-v1\n" + match.bytes + version.to_bytes(8, "big") + bytes.fromhex(told["hash"])
    if not _includes(sha256(b"\0" + leaf).digest(), position, size, [bytes.fromhex(h) for h in told["path"]], root):
        raise Wrong("the proof doesn't lead to the checkpoint's root")
    if key is not None and not signed(note, key):
        raise Wrong("the checkpoint isn't signed with this key")
    return size


def _includes(leaf, index, size, path, root):
    """Whether the path leads from a leaf's hash to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    found, last = leaf, size - 1
    for sibling in path:
        if last == 0:
            return False
        if index & 1 or index == last:
            found = sha256(b"\1" + sibling + found).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            found = sha256(b"\1" + found + sibling).digest()
        index, last = index >> 1, last >> 1
    return last == 0 and found == root


def check_continues(note, proof, key=None):
    """Check that the log of one checkpoint goes on in another; gives both sizes, raises Bad.

    `note` is the earlier checkpoint as it was kept, `proof` the house's answer in JSON, with the later one in it.
    """
    try:
        told = json.loads(proof)
        path = [bytes.fromhex(hash) for hash in told["path"]]
        earlier, later = _size_and_root(note), _size_and_root(told["to_note"])
        continued = continues(earlier, later, path)
        good = key is None or (signed(note, key) and signed(told["to_note"], key))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise Bad(0, "it is no checkpoint, or no proof: %r" % error) from None
    if not good:
        raise Bad(0, "one of the checkpoints isn't signed with this key")
    if not continued:
        raise Bad(0, "the later log does not begin with the earlier one: the house has rewritten its record")
    return earlier[0], later[0]


def _size_and_root(note):
    lines = note.split("\n")
    return int(lines[1]), base64.b64decode(lines[2], validate=True)


def continues(earlier, later, path):
    """Whether the path proves that one tree begins with another, each as size and root (RFC 9162, 2.1.4.2)."""
    if earlier[0] == later[0]:
        return not path and earlier[1] == later[1]
    if not 0 < earlier[0] < later[0] or not path:
        return False
    if earlier[0] & (earlier[0] - 1) == 0:
        path = [earlier[1]] + path
    first, second = earlier[0] - 1, later[0] - 1
    while first & 1:
        first, second = first >> 1, second >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if second == 0:
            return False
        if first & 1 or first == second:
            before = sha256(b"\1" + sibling + before).digest()
            after = sha256(b"\1" + sibling + after).digest()
            while not first & 1 and first:
                first, second = first >> 1, second >> 1
        else:
            after = sha256(b"\1" + after + sibling).digest()
        first, second = first >> 1, second >> 1
    return second == 0 and before == earlier[1] and after == later[1]


def signed(note, key):
    """Whether a signed note holds a good signature of a verifier key `name+number+key`; ValueError for no key."""
    name, number, public = _verifier_key(key)
    text, _, signatures = note.partition("\n\n")
    if text.split("\n")[0] != name:
        return False
    for line in signatures.split("\n"):
        if line.startswith("\u2014 %s " % name):
            signature = base64.b64decode(line.rsplit(" ", 1)[1], validate=True)
            if signature[:4] == number and ed25519(public, text.encode() + b"\n", signature[4:]):
                return True
    return False


def _verifier_key(key):
    """Name, number and public key."""
    name, number, encoded = key.strip().split("+", 2)
    public, number = base64.b64decode(encoded, validate=True), bytes.fromhex(number)
    if len(public) != 33 or public[:1] != b"\1" or number != sha256(name.encode() + b"\n" + public).digest()[:4]:
        raise ValueError("the number is not the key's")
    return name, number, public[1:]


# Ed25519 as RFC 8032 describes it, for checking alone: nothing secret is handled, so it needn't be fast or constant.
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P


def ed25519(public, message, signature):
    """Whether the signature of the message is that of the public key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment, scalar = _point(public), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= _ORDER:
        return False
    asked = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % _ORDER
    return _same(_times(scalar, _BASE), _plus(commitment, _times(asked, key)))


def _point(data):
    """A point from its 32 bytes, in extended coordinates; None for bytes that are no point."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return (x, y, 1, x * y % _P)


def _plus(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % _P, (p[1] + p[0]) * (q[1] + q[0]) % _P
    c, d = 2 * p[3] * q[3] * _D % _P, 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(n, p):
    total = (0, 1, 1, 0)
    while n:
        total = _plus(total, p) if n & 1 else total
        p, n = _plus(p, p), n >> 1
    return total


def _same(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % _P == 0 and (p[1] * q[2] - q[1] * p[2]) % _P == 0


_BASE = _point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))


def main(arguments):
    """Check what is named on the command line."""
    for stream in (sys.stdout, sys.stderr):
        # A title may hold letters that this terminal doesn't have.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    chain = arguments[:1] == ["--continues"]
    files, key = arguments[1:3] if chain else arguments[:1], arguments[3:] if chain else arguments[1:]
    if len(files) != 1 + chain or len(key) > 1:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        key = key_named(key[0]) if key else None
    except (OSError, ValueError) as error:
        print("that is no verifier key: %s" % error, file=sys.stderr)
        return 2
    try:
        if chain:
            print("the log of %d leaves begins with the one of %d" % check_continues(*map(_text, files), key)[::-1])
        elif zipfile.is_zipfile(files[0]):
            _tell_archive(verify_archive(files[0], key))
        else:
            with open(files[0], encoding="utf-8") as lines:
                _tell(verify(lines, key))
    except (OSError, UnicodeDecodeError) as error:
        print("can't read: %s" % error, file=sys.stderr)
        return 2
    except Bad as bad:
        print("BROKEN at %s" % bad)
        return 1
    return 0


def _tell_archive(summaries):
    print("all %d records hold: %d events" % (len(summaries), sum(summary["events"] for summary in summaries)))
    for line in archive_told(summaries):
        print(line)
    for summary in summaries:
        if "match" not in summary:
            print("the season %(title)r counts the results that its matches' records have" % summary)


def archive_told(summaries):
    """What an archive's checkpoints hold, and what was left unchecked: in sentences without their first capital."""
    signed_ones = [summary for summary in summaries if summary["signed"]]
    whole = sum(summary["covered"] == summary["events"] for summary in signed_ones)
    yield "%d of them are in a checkpoint that is signed with the key" % whole
    if whole < len(signed_ones):
        yield "of %d more a signed checkpoint holds the beginning" % (len(signed_ones) - whole)
    undrawn = sum(not it["draws"] and bool(_PURPOSES.get(it["game"], True)) for it in summaries if it.get("seed"))
    if undrawn:
        yield "%d whose seed is open tell no draws, so none was drawn again there" % undrawn
    yield "the stories were not checked: they tell the records in sentences, and only the records count"


def _tell(summary):
    if "match" not in summary:
        print("%(season)s (season %(title)r) holds: %(events)d events, its ledger adds up" % summary)
    else:
        print("%(match)s (%(game)s) holds: %(events)d events, %(opened)d secrets open" % summary)
        print("the seed is the one promised" if summary["seed"] else "the seed is still sealed")
        if summary["draws"]:
            print("%(draws)d draws come out again as the seed gives them" % summary)
        elif summary["seed"]:
            print("it tells no draws, so none was drawn again")
        if summary["nonces"] is not None:
            print(nonces_told(summary["nonces"]))
    print(checkpoint_told(summary))


def nonces_told(kinds, names=None):
    """Who could have chosen the draws of a match that has begun: sentences. `kinds` as `mixed_by_kind` has them."""
    called = names or ["seat %d" % seat for seat in range(len(kinds))]
    plain, promised, left = (
        ", ".join(called[seat] for seat, it in enumerate(kinds) if it == kind) for kind in (1, 2, 3)
    )
    if promised:
        told = "Nonces promised before any was shown: %s. Whoever trusts one of these knows that neither " % promised
        told += "the house nor others chose the draws: the most they could do was to leave out a promised one, by name."
    elif plain:
        told = "Nonces in plain: %s. The house with the last of them to give one could have chosen the draws." % plain
    else:
        told = "No nonce is in the draws: the house alone could have chosen a seed for them."
    if left:
        told += " Left out, as not shown in time: %s. Each was a choice between two deals, for the house with " % left
        told += "that seat, or for the house alone if it turned the nonce away."
    return told


def checkpoint_told(summary):
    """How much of a record its checkpoint holds: a sentence without its first capital."""
    if not summary["checkpoint"]:
        return "no checkpoint holds it: that the house never wrote it anew is not shown"
    signature = "signed with the key" if summary["signed"] else "its signature was not checked: no key was given"
    if summary["covered"] == summary["events"]:
        return "it is in the checkpoint of %d leaves; %s" % (summary["checkpoint"], signature)
    first = "its first %d of %d events are in the checkpoint of %d leaves; %s"
    told = first % (summary["covered"], summary["events"], summary["checkpoint"], signature)
    return told + "; what came after them no checkpoint holds"


def _text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def key_named(text):
    """A verifier key, or what a file of that name holds; OSError or ValueError where it is none."""
    if not _KEY.match(text) and os.path.exists(text):
        with open(text, encoding="utf-8") as file:
            text = file.read().strip()
    if not _KEY.match(text):
        raise ValueError("it is neither of the form NAME+HASH+KEY nor a file that holds one")
    _verifier_key(text)
    return text.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
