#!/usr/bin/env python3
"""Check the export of a Croupier match without trusting the house: one file, Python's standard library alone.

    python3 croupier_verify.py [--no-draws] FILE [KEY]       the record or the archive holds
    python3 croupier_verify.py --continues NOTE PROOF [KEY]  a later log continues the one of a checkpoint that you kept

Exit status:
    0  it holds, and with KEY signed checkpoints cover every event
    1  the record contradicts itself in data that its hashes prove to be unchanged
    2  a file can't be read, is too large or too new for this verifier, or the arguments are wrong
    3  it holds, but KEY was given and no checkpoint covers some of its events, so the house could still rewrite them
    4  something doesn't fit that a change in transit (a mail program, an editor, a broken download) can explain, so it
       proves nothing against the house; a change that can be undone, such as other line ends, is undone and reported
    5  it holds as far as it can be checked, but a match in it is over and sealed until the end of its season: its
       secrets, seed and draws can be checked in a copy from after that

FILE is the export of a match or a season, or an archive of many (a zip). NOTE is a signed checkpoint, PROOF the
response to GET /api/v1/checkpoints/consistency?from=SIZE for its size. KEY is the house's verifier key,
`name+number+key`, or a file that contains it (GET /.well-known/croupier-key); with it the signature of the checkpoint
is checked too.

These are checked:
- Versions run from 1 without a gap. Each event's hash covers its facts and the hash before it.
- Each opened secret fits its digest. The header agrees with the events.
- Each sealed part of the options that the header or an event publishes is one that the opening promised.
- Each text that the header has is one that an event names. A text that was withdrawn is missing, which is no fault.
- The revealed seed is the one promised at the opening; each seed with which a match goes on after its end is the one
  that the seed before it promised. Only a match whose opening says so can be over without its seed; in an archive,
  only a main match of a season whose options say so.
- Nonces that were promised before they were shown are the promised ones, shown when none could be given any more, and
  those left out are named.
- Every draw is what the revealed seed gives, and the dealt cards are what was drawn. Once the seed is open, every event
  with a drawn result has its draw, in the order of the events, and there are no other draws (--no-draws accepts a
  record without any draws).
- Each line is in canonical form: one spelling of a number, a name, an id or hex, one order, and nothing besides.
- The checkpoint's tree contains the hash that the chain has at its version.
- Of a season: no garnets are paid that aren't there; in its archive, each result that it counts is the one in that
  match's own record.

These need the rules and are left to `manage.py verify --rules`: that the moves were legal; that those of the house's
bots are the ones that the seed gives; that shuffled cards lay in the right order before (here it is checked for all
draws but Peeling the Banana's reshuffles and the groups of Higher or Lower's boards); which cards lay above those that
were reshuffled; and which of the cards drawn for an open group could be laid there.

The formats, for a reader who writes their own check. Canonical bytes: UTF-8 JSON, keys sorted, no spaces, no numbers
but integers.
A line has its fields in the order in which they stand in `_HEADER`, `_EVENT` and so on, each value in canonical bytes,
no spaces, and a line feed at its end. Hex is in small letters, base64 without another way to write it.
    digest = SHA-256("croupier-secret-v1\\n" || salt || canonical secret)
    hash   = SHA-256("croupier-event-v1\\n" || field || field ...), each field after its length in 4 bytes, big-endian:
             previous hash (empty for version 1), match id (16 bytes), version (8 bytes big-endian), type,
             schema (2 bytes big-endian), actor, microseconds since 1970-01-01 UTC (8 bytes big-endian),
             canonical public part (which names the type again), audience and digest (both empty without a secret)
    commitment = SHA-256(seed); a `match_rewound` with a `seed_commitment` comes after an end, and names the seed that
             this end has revealed: it is the commitment to the next seed, from which all later draws come
Secrets are open once the seed is revealed. The end of the match is followed by `seed_revealed`; if `match_opened` has
`"secrets_open":"season"`, that comes later, when the `season` of the match has ended.
Lines: the header; the events, whose salt, digest and hash are in hex (`secret` and `salt` are null until secrets are
open, and a secret's fields are null in `public`); as many draws as the header's `draws` says; the checkpoint, if the
header says so. A draw: `draw` is the version of the first event of its act, `line` and `at` are the line and the
version that it was drawn for, `steps` lists, from one stream, `choice` or `shuffled`, what from, and the result. The
checkpoint: the signed note, the leaf's version, hash and position, and the hashes on the path to the root, in hex.
Parts: where the options of `match_opened` contain `{"sealed": COMMITMENT}`, the commitment is the SHA-256 of the
canonical part `{"salt": ..., "value": ...}`, in hex. An event publishes a part as this object. The header of such a
match has `parts`, all of them by commitment, once secrets are open.
Texts: where `{"text": COMMITMENT}` stands in an event or a part, the commitment is that to a part whose value is the
text. The header of such a match has `texts`, all that its lines name by commitment, null for one that was withdrawn.
Draws: see docs/chance.md. Checkpoints: C2SP's tlog-checkpoint in a signed note; the tree is RFC 6962's, its leaf
    "croupier-head-v1\\n" || match id (16 bytes) || version (8 bytes big-endian) || hash.
"""

import base64
import binascii
import codecs
import hmac
import html
import json
import os
import re
import sys
import unicodedata
import zipfile
import zlib
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from hashlib import sha256, sha512
from itertools import combinations
from uuid import UUID

FORMAT = "croupier-export-v1"
SEASON_FORMAT = "croupier-season-v1"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_KEY = re.compile(r"[^+]+[+][0-9a-f]{8}[+]")
_SPACES = re.compile(r"\s*")
_LINE_ENDS = re.compile(r"\r\n?|\n")
_HEX = re.compile(r"[0-9a-f]*")
# A signed checkpoint in the house's form: origin, size, root, further lines, and one signature under the same name.
_NOTE = re.compile(r"([^\n]+)\n([1-9][0-9]{0,17})\n([^\n]+)\n(?:[^\n]+\n)*\n\u2014 ([^ \n]+) ([^ \n]+)\n")
_NONE = type(None)
_HEADER = {
    "format": [str], "match": [str], "game": [str], "version": [int], "hash": [str], "finished": [bool],
    "seed_commitment": [str], "chance": [str], "draws": [int], "checkpoint": [bool],
}  # fmt: skip
_MORE = {"parts": [dict], "texts": [dict]}
# What only some matches have is in the header only of those.
_HEADERS = (_HEADER, *(dict(_HEADER, **{it: _MORE[it]}) for it in _MORE), dict(_HEADER, **_MORE))
_SEASON = {
    "format": [str], "season": [str], "title": [str], "version": [int], "hash": [str], "finished": [bool],
    "champion": [str, _NONE], "checkpoint": [bool],
}  # fmt: skip
_EVENT = {
    "version": [int], "type": [str], "schema": [int], "actor": [str], "at": [str], "public": [dict],
    "digest": [str, _NONE], "secret": [dict, _NONE], "salt": [str, _NONE], "audience": [str, _NONE], "hash": [str],
}  # fmt: skip
_DRAW = {"draw": [int], "line": [int], "at": [int], "purpose": [str], "steps": [list]}
_CHECKPOINT = {"checkpoint": [str], "version": [int], "hash": [str], "position": [int], "path": [list]}
_SHAPES = (*_HEADERS, _SEASON, _EVENT, _DRAW, _CHECKPOINT)

# The events of the host, not of the game; all others count as versions for draws.
_LIFECYCLE = frozenset((
    "match_opened", "seat_taken", "nonce_added", "match_started", "match_paused", "match_resumed", "time_given",
    "time_credited", "match_voided", "match_adjudicated", "seat_substituted", "match_rewound", "ruling_posted",
    "appeal_opened", "appeal_answered", "result_approved", "truth_viewed", "match_finished", "seed_revealed",
    "stand_in_seated", "stand_in_left", "nonce_committed", "nonce_revealed", "nonces_called", "nonce_left_out",
    "seat_accepted", "seat_declined", "match_rescheduled", "offer_made", "offer_accepted", "offer_declined",
    "offer_withdrawn", "text_withdrawn",
))  # fmt: skip
_NONCES = ("nonce_added", "nonce_committed", "nonce_revealed", "nonce_left_out")
_ENDS = ("match_finished", "match_voided")
# After one of these no nonce can be given.
_CLOSING = ("nonce_revealed", "nonces_called", "match_started")
# What each game draws: for which purpose, in which way, and the type of the event that tells it. A purpose is an input
# of the draw, so the house must not choose it: the table is part of the verifier, not of the record. The event's
# `fields` hold what was drawn; `for_seat` means that it is drawn only when the house acts for a seat. `items` are what
# it is drawn from, without those that an event has taken and none has given back. If the match's options have the
# values in `last`, the drawn values are the end of the field. `python -m matches.audit.rendering` writes the table from
# the games.
GAMES = {
    "contest": [
        {'purpose': 'roles', 'way': 'shuffle', 'event': 'roles_drawn', 'fields': ['roles']},
        {'purpose': 'teams', 'way': 'shuffle', 'event': 'teams_drawn', 'fields': ['order']},
        {'purpose': 'deck', 'way': 'shuffle', 'event': 'deck_shuffled', 'fields': ['cards']},
        {'purpose': 'order', 'way': 'shuffle', 'event': 'order_drawn', 'fields': ['order']},
        {'purpose': 'tie', 'way': 'shuffle', 'event': 'tie_broken', 'fields': ['order']},
    ],
    "higher_or_lower": [
        {'purpose': 'colour',
         'way': 'choice',
         'event': 'colour_chosen',
         'fields': ['colour'],
         'for_seat': True,
         'items': ['cyan', 'pink']},
        {'purpose': 'fill',
         'way': 'filled',
         'event': 'groups_filled',
         'fields': ['groups'],
         'suits': {'A': 'ABE', 'B': 'ABC', 'C': 'BCD', 'D': 'CDE', 'E': 'ADE'}},
        {'purpose': 'board A',
         'way': 'laid',
         'event': 'board_dealt',
         'fields': ['cards'],
         'where': {'board': 'A'},
         'items': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
         'options': 'boards',
         'named': 'board',
         'mark': 'g'},
        {'purpose': 'board B',
         'way': 'laid',
         'event': 'board_dealt',
         'fields': ['cards'],
         'where': {'board': 'B'},
         'items': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
         'options': 'boards',
         'named': 'board',
         'mark': 'g'},
        {'purpose': 'board C',
         'way': 'laid',
         'event': 'board_dealt',
         'fields': ['cards'],
         'where': {'board': 'C'},
         'items': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
         'options': 'boards',
         'named': 'board',
         'mark': 'g'},
        {'purpose': 'board D',
         'way': 'laid',
         'event': 'board_dealt',
         'fields': ['cards'],
         'where': {'board': 'D'},
         'items': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
         'options': 'boards',
         'named': 'board',
         'mark': 'g'},
        {'purpose': 'board E',
         'way': 'laid',
         'event': 'board_dealt',
         'fields': ['cards'],
         'where': {'board': 'E'},
         'items': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
         'options': 'boards',
         'named': 'board',
         'mark': 'g'},
        {'purpose': 'board',
         'way': 'choice',
         'event': 'board_chosen',
         'fields': ['board'],
         'for_seat': True,
         'items': ['A', 'B', 'C', 'D', 'E'],
         'changes': [{'event': 'board_chosen', 'fields': ['board'], 'takes': True}]},
        {'purpose': 'order',
         'way': 'choice',
         'event': 'board_chosen',
         'fields': ['order'],
         'for_seat': True,
         'items': ['first', 'second']},
    ],
    "peeling_the_banana": [
        {'purpose': 'deck', 'way': 'shuffle', 'event': 'deck_shuffled', 'fields': ['order'], 'numbered': True},
        {'purpose': 'first',
         'way': 'choice',
         'event': 'first_chosen',
         'fields': ['seat'],
         'for_seat': True,
         'items': [0, 1]},
        {'purpose': 'reshuffle',
         'way': 'shuffle',
         'event': 'deck_reshuffled',
         'fields': ['order'],
         'last': {'reshuffle': 'short'}},
    ],
    "pentagram": [
        {'purpose': 'deck',
         'way': 'shuffle',
         'event': 'deck_shuffled',
         'fields': ['order'],
         'items': ['orange>yellow+', 'orange>yellow+', 'orange>yellow-', 'orange>black+', 'orange>black+',
                   'orange>black-', 'orange>purple+', 'orange>purple+', 'orange>purple-', 'orange>blue+',
                   'orange>blue+', 'orange>blue-', 'yellow>orange+', 'yellow>orange+', 'yellow>orange-',
                   'yellow>black+', 'yellow>black+', 'yellow>black-', 'yellow>purple+', 'yellow>purple+',
                   'yellow>purple-', 'yellow>blue+', 'yellow>blue+', 'yellow>blue-', 'black>orange+', 'black>orange+',
                   'black>orange-', 'black>yellow+', 'black>yellow+', 'black>yellow-', 'black>purple+',
                   'black>purple+', 'black>purple-', 'black>blue+', 'black>blue+', 'black>blue-', 'purple>orange+',
                   'purple>orange+', 'purple>orange-', 'purple>yellow+', 'purple>yellow+', 'purple>yellow-',
                   'purple>black+', 'purple>black+', 'purple>black-', 'purple>blue+', 'purple>blue+', 'purple>blue-',
                   'blue>orange+', 'blue>orange+', 'blue>orange-', 'blue>yellow+', 'blue>yellow+', 'blue>yellow-',
                   'blue>black+', 'blue>black+', 'blue>black-', 'blue>purple+', 'blue>purple+', 'blue>purple-']},
        {'purpose': 'placement',
         'way': 'choice',
         'event': 'card_placed',
         'fields': ['colour', 'space'],
         'for_seat': True,
         'items': [['orange', 0], ['orange', 1], ['orange', 2], ['orange', 3], ['orange', 4], ['yellow', 0],
                   ['yellow', 1], ['yellow', 2], ['yellow', 3], ['yellow', 4], ['black', 0], ['black', 1],
                   ['black', 2], ['black', 3], ['black', 4], ['purple', 0], ['purple', 1], ['purple', 2],
                   ['purple', 3], ['purple', 4], ['blue', 0], ['blue', 1], ['blue', 2], ['blue', 3], ['blue', 4]],
         'changes': [{'event': 'zero_dealt',
                      'items': [['orange', 0], ['yellow', 0], ['black', 0], ['purple', 0], ['blue', 0]],
                      'takes': True},
                     {'event': 'card_placed', 'fields': ['colour', 'space'], 'takes': True},
                     {'event': 'space_paid', 'fields': ['colour', 'space'], 'takes': False}]},
    ],
    "pyramid_poker": [
        {'purpose': 'first',
         'way': 'choice',
         'event': 'first_chosen',
         'fields': ['seat'],
         'for_seat': True,
         'items': [0, 1]},
        {'purpose': 'brick',
         'way': 'choice',
         'event': 'brick_dealt',
         'fields': ['brick'],
         'items': ['AS', '2S', '3S', '4S', '5S', '6S', '7S', '8S', '9S', '10S', 'AH', '2H', '3H', '4H', '5H', '6H',
                   '7H', '8H', '9H', '10H', 'AD', '2D', '3D', '4D', '5D', '6D', '7D', '8D', '9D', '10D', 'AC', '2C',
                   '3C', '4C', '5C', '6C', '7C', '8C', '9C', '10C'],
         'changes': [{'event': 'brick_dealt', 'fields': ['brick'], 'takes': True}]},
    ],
    "reality_benders": [
    ],
}  # fmt: skip
# The end of the table.

_HOUSE = ("clock", "dealer")

MOST_SEATS = 100
# Limits of records, so that checking takes time in proportion to their length: digits in a number, bytes in a nonce and
# in the options, cards in an event, substitutes of one player, marks on one letter.
MOST_DIGITS = 100
MOST_IN_A_NONCE = 10000
MOST_IN_OPTIONS = 1000000
MOST_CARDS = 1000
MOST_SUBSTITUTES = 1000
MOST_MARKS = 30
# At most this many signatures of a note are read.
MOST_SIGNATURES = 16

# Limits of an archive: bytes in the file, in its list of members and in an unpacked member; and members.
MOST_PACKED = 2 * 1024**3
MOST_LISTED = 16 * 1024**2
MOST_UNPACKED = 256 * 1024**2
MOST_MEMBERS = 50000
_ARCHIVE = "croupier-archive-v1"
_BESIDE = ("README.txt", "croupier_verify.py", "manifest.json")

# Exceptions raised by reading and parsing a file of a damaged, encrypted or unusually packed zip.
_UNREADABLE = (EOFError, KeyError, OSError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)


class Bad(Exception):
    """The export does not hold; `version` is the first bad one, 0 for the header.

    Bad itself, and not a subclass, is raised for a contradiction within data that hashes prove to be unchanged: the
    events without their secrets, secrets that match their digests, and leaves whose proof leads to a root.
    """

    status, verdict, advice = 1, "BROKEN at", ""

    def __init__(self, version, reason):
        super().__init__("version %s: %s" % (version, reason))
        self.version = version
        self.reason = reason

    def report(self):
        """Return the verdict, the fault and the advice for the reader."""
        return "%s %s%s" % (self.verdict, self, self.advice)


class Changed(Bad):
    """A fault in data that no hash proves to be unchanged, so a change in transit can explain it."""

    status, verdict = 4, "CHANGED at"
    advice = (
        ". The file is not as it was written, or not all of it. A mail program, an editor or a download that broke off "
        "does that, and so does a forger: it proves nothing, and nothing against the house. Download it again, "
        "directly from the house. If a fresh copy says the same, the fault is the house's."
    )


class Unsupported(Bad):
    """This verifier can't check the file: it is too large, or of a newer kind."""

    status, verdict = 2, "can't check what this holds:"


class Wrong(Exception):
    """An event contradicts the format or the seed."""


@contextmanager
def _blamed_on(version, whose=""):
    """Raise Bad at this version if the event lacks a field or is Wrong."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise Bad(version, "%sit lacks what its type has: %r" % (whose, error)) from None
    except Wrong as wrong:
        raise Bad(version, "%s%s" % (whose, wrong)) from None


def canonical(value):
    """Return the bytes that are hashed for a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def unhex(text, size):
    """Return `size` bytes from lower-case hex; raise ValueError for any other spelling."""
    if not _HEX.fullmatch(text) or len(text) != 2 * size:
        raise ValueError("%r is no hex of %d bytes in small letters" % (text, size))
    return bytes.fromhex(text)


def unbase64(text):
    """Return the bytes of canonical base64; raise ValueError for any other spelling."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("%r is base64 in another spelling" % text)
    return data


def digest(salt, secret):
    """Return the digest that commits to a secret."""
    return sha256(b"croupier-secret-v1\n" + salt + canonical(secret)).digest()


def event_hash(previous, match, event):
    """Return the hash that an event must have after the previous hash."""
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
        unhex(event["digest"], 32) if event["digest"] is not None else b"",
    )
    return sha256(b"croupier-event-v1\n" + b"".join(len(f).to_bytes(4, "big") + f for f in fields)).digest()


def microseconds(at):
    """Return an instant such as 2026-11-21T12:00:00.000000Z as microseconds since 1970."""
    if not _INSTANT.fullmatch(at):
        raise ValueError(f"{at} is no instant")
    return (datetime.fromisoformat(at[:-1] + "+00:00") - _EPOCH) // timedelta(microseconds=1)


def verify(lines, key=None, undrawn=False):
    """Check an export, given as lines; return a summary, or raise Bad for the first fault.

    With `key`, the house's verifier key, the checkpoint's signature is checked as well. With `undrawn` a record may
    contain no draws at all although its seed is open.
    """
    lines = iter(lines)
    first = next(lines, "")
    if is_season(first):
        return _verify_season(first, lines, key)
    more = {name: kinds for name, kinds in _MORE.items() if name in _fields(first)}
    header, match = _header(first, FORMAT, dict(_HEADER, **more), "match")
    if header["draws"] < 0:
        raise Changed(0, "its number of draws is negative")
    # What the hashes prove is checked before all else.
    log = _read_log(header, match, lines, "match_opened")
    _check_opening(log[0]["public"])
    seeds, ends, outcome, over = _check_ends(log)
    sealed = sealed_until(log)
    opens = over and sealed is None
    given = _check_nonces(match, log)
    draws = [_read_draw(len(log) + 1 + place, next(lines, "")) for place in range(header["draws"])]
    checkpoint = _check_checkpoint(header, match, log, len(log) + 1 + len(draws), lines, key)
    _check_header(header, log[0]["public"], over)
    opened = _check_secrets(log, opens)
    _check_parts(header, log, opens)
    withdrawn = _check_texts(header, log)
    _check_draws(header, log, draws, undrawn, opens)
    summary = {
        "match": str(match), "game": header["game"], "events": len(log), "opened": opened,
        "seed": opens, "seeds": len(seeds), "ends": ends, "over": over, "sealed_until": sealed,
        "draws": len(draws), "undrawn": undrawn and opens and not draws,
        "season": log[0]["public"].get("season"),
        "withdrawn": withdrawn,
        "nonces": given if any(event["type"] == "match_started" for event in log) else None,
        "outcome": outcome,
    }  # fmt: skip
    return dict(checkpoint, **summary)


def is_season(line):
    """True if this is the first line of a season's record."""
    return _fields(line).get("format") == SEASON_FORMAT


def _fields(line):
    """Return the object on a line, or an empty one."""
    try:
        value = _loaded(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _read_log(header, stream, lines, opening):
    """Return the events, each with a hash that follows from the one before; raise Bad."""
    log = []
    while len(log) < header["version"]:
        version, line = len(log) + 1, next(lines, None)
        if line is None:
            raise Changed(version, "missing; the header names version %s" % header["version"])
        event = _read(version, line, _EVENT)
        _check_chain(event, version, log[-1]["hash"] if log else "", stream)
        if event["public"].get("type") != event["type"]:
            raise Bad(version, "its public part is of another type")
        if (event["digest"] is None) != (event["audience"] is None):
            raise Bad(version, "a secret has a digest and an audience")
        if (event["type"] == opening) != (version == 1):
            raise Bad(version, "%s is the first event, and no other" % opening)
        log.append(event)
    if log[-1]["hash"] != header["hash"]:
        raise Changed(len(log), "the header names another hash")
    return log


def _verify_season(first, lines, key):
    """Check a season's record, which has the same chain and no secrets."""
    header, season = _header(first, SEASON_FORMAT, _SEASON, "season")
    log = _read_log(header, season, lines, "season_opened")
    secret = next((event["version"] for event in log if event["digest"] is not None), None)
    if secret is not None:
        raise Bad(secret, "a season keeps no secrets")
    _check_ledger(log)
    checkpoint = _check_checkpoint(header, season, log, len(log) + 1, lines, key)
    _check_secrets(log, False)
    ends = [event for event in log if event["type"] in ("season_finished", "season_reopened")][-1:]
    champions = [event["public"].get("champion") for event in ends if event["type"] == "season_finished"]
    facts = (log[0]["public"].get("title"), champions)
    if facts != (header["title"], [header["champion"]] if header["finished"] else []):
        raise Changed(0, "the header and the events disagree on title or champion")
    facts = {"season": str(season), "title": header["title"], "champion": header["champion"]}
    return dict(checkpoint, events=len(log), log=log, **facts)


def _check_ledger(log):
    """Raise Bad if garnets are paid that an account doesn't have."""
    held = {}
    for event in log:
        if event["type"] != "garnets_moved":
            continue
        move = event["public"]
        with _blamed_on(event["version"]):
            amount, accounts = move["amount"], (move["from"], move["to"])
            for account, change in ((accounts[0], -amount), (accounts[1], amount)):
                if account is not None:
                    held[account] = held.get(account, 0) + change
        if type(amount) is not int or amount < 0 or any(held.get(account, 0) < 0 for account in accounts):
            raise Bad(event["version"], "garnets are paid that aren't there")


def _check_ends(log):
    """Check that each end reveals the promised seed, at once or with the end of the season, and that only a revealed
    seed is followed by another promise.

    Return the seeds, the number of ends, the outcome that counts, and True if the match is over.
    """
    promised, over, seeds, ends, outcome = log[0]["public"]["seed_commitment"], False, [], 0, None
    revealed, waits = False, _awaited_season(log) is not None
    for version, event in enumerate(log, start=1):
        kind, public = event["type"], event["public"]
        if kind in _ENDS:
            if over:
                raise Bad(version, "the match is over already")
            over, ends, outcome = True, ends + 1, public if kind == "match_finished" else None
        elif kind == "seed_revealed":
            with _blamed_on(version):
                seed = unhex(public["seed"], 32)
            if not over or revealed:
                raise Bad(version, "a seed is revealed once the match is over, and only then")
            if sha256(seed).hexdigest() != promised:
                raise Bad(version, "the revealed seed is not the one that was promised")
            seeds.append(seed)
            revealed = True
        elif kind == "match_rewound":
            again = public.get("seed_commitment")
            if (again is not None) != revealed:
                raise Bad(version, "a match goes on with another seed after its end, and only then")
            if revealed and again != seeds[-1].hex():
                raise Bad(version, "the seed before it doesn't promise the one that the match goes on with")
            promised, over, outcome = again if revealed else promised, False, None
            revealed = False
        if over and not revealed and not waits and (version == len(log) or log[version]["type"] != "seed_revealed"):
            raise Bad(version, "the match is over but its seed is not revealed")
    return seeds, ends, outcome, over


def sealed_until(log):
    """Return the season with whose end the secrets open of a match that is over; None if they are open, or it isn't."""
    ends = [event["type"] for event in log if event["type"] in _ENDS + ("match_rewound", "seed_revealed")]
    return _awaited_season(log) if ends and ends[-1] in _ENDS else None


def _awaited_season(log):
    """Return the season with whose end the match's secrets open; None if they open with its own."""
    opening = log[0]["public"]
    try:
        return str(_uuid(opening["season"])) if opening.get("secrets_open") == "season" else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _header(line, form, shape, stream):
    """Return the header, and the id of its match or season."""
    header = _read(0, line, shape)
    if header["format"] != form:
        raise Changed(0, "this is no %s file" % form)
    if header["version"] < 1:
        raise Changed(0, "it holds no events")
    try:
        return header, _uuid(header[stream])
    except ValueError:
        raise Changed(0, "the %s has no id" % stream) from None


def _check_header(header, opening, over):
    """Raise Changed if the header contradicts the events."""
    for name in ("game", "seed_commitment", "chance"):
        if opening[name] != header[name]:
            raise Changed(1, "the header names another %s" % name)
    if over != header["finished"]:
        raise Changed(0, "the header and the events disagree on whether the match is over")


def _uuid(text):
    """Return an id; raise ValueError unless it is in canonical spelling."""
    if str(UUID(text)) != text:
        raise ValueError("%r is an id in another spelling" % text)
    return UUID(text)


def _read(version, line, shape):
    """Return the object on a line; raise Changed unless it has exactly these fields, in the canonical spelling."""
    if not line:
        raise Changed(version, "missing: the file ends before it")
    line = line[:-1] if line.endswith("\n") else line
    try:
        value = _loaded(line)
    except (ValueError, RecursionError):
        raise Changed(version, "the line is not JSON") from None
    if not isinstance(value, dict) or value.keys() != shape.keys():
        raise Changed(version, "its fields are not %s" % ", ".join(shape))
    for name, kinds in shape.items():
        if type(value[name]) not in kinds:
            raise Changed(version, "%s can't be %r" % (name, value[name]))
    if line != _written(version, value, shape):
        raise Changed(version, "the line is not in canonical form")
    return value


def _written(version, value, shape):
    """Return the canonical line of an object."""
    try:
        return "{%s}" % ",".join('"%s":%s' % (name, canonical(value[name]).decode()) for name in shape)
    except (ValueError, RecursionError):
        raise Changed(version, "it has a text that is not valid Unicode, or is nested too deeply") from None


def _loaded(text):
    """Return a JSON value with unique names and only integers as numbers; raise ValueError or RecursionError."""
    return _JSON.decode(text)


def _integer(text):
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has more than %d digits" % MOST_DIGITS)
    return int(text)


def _no_number(text):
    raise ValueError("%s is no integer" % text)


def _object(pairs):
    """Refuse duplicate names: another reader could choose the other value."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name stands twice")
    return value


_JSON = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number
)


def _check_chain(event, version, previous, match):
    """Raise Changed unless the event follows the one before and its hash fits its fields."""
    if event["version"] != version:
        raise Changed(version, "missing; version %s follows" % event["version"])
    if event["audience"] == "":
        raise Changed(version, "it is for an audience without a name")
    try:
        expected = event_hash(unhex(previous, 32) if previous else b"", match, event).hex()
    except (ValueError, OverflowError, RecursionError) as error:
        raise Changed(version, "the line is not an event: %r" % error) from None
    if expected != event["hash"]:
        raise Changed(version, "the hash does not match the event's facts")


def _check_opening(opening):
    """Raise Bad unless the fields of a match's first event are valid."""
    if type(opening.get("seats")) is not int or not 1 <= opening["seats"] <= MOST_SEATS:
        raise Bad(1, "a match has 1 to %d seats" % MOST_SEATS)
    for name in ("game", "seed_commitment", "chance"):
        if type(opening.get(name)) is not str:
            raise Bad(1, "%s can't be %r" % (name, opening.get(name)))
    if len(canonical(opening.get("options"))) > MOST_IN_OPTIONS:
        raise Unsupported(1, "its options have more than %d bytes" % MOST_IN_OPTIONS)


def _check_secrets(log, revealed):
    """Check that secrets are open exactly if the seed is, and match their digests; return how many are open."""
    opened = 0
    for version, event in enumerate(log, start=1):
        secret, salt = event["secret"], event["salt"]
        opens = revealed and event["digest"] is not None
        if (secret is not None, salt is not None) != (opens, opens):
            raise Changed(version, "secrets are open once the seed is revealed, and only then")
        if not opens:
            continue
        try:
            fits = digest(unhex(salt, 16), secret).hex() == event["digest"]
        except ValueError:
            fits = False
        if not fits:
            raise Changed(version, "the secret is not the one that was promised, or its salt isn't")
        if any(event["public"].get(name, "") is not None for name in secret):
            raise Bad(version, "a secret fills in what its public part leaves open, and nothing else")
        opened += 1
    return opened


def _check_parts(header, log, revealed):
    """Check that the parts of the options are open exactly if the seed is, and that they and those that events
    have published match their commitments."""
    sealed = (value["sealed"] for value in _objects(log[0]["public"].get("options"), ["sealed"]))
    promised = {it for it in sealed if type(it) is str and len(it) == 64 and _HEX.fullmatch(it)}
    for version, event in enumerate(log, start=1) if promised else ():
        for part in _objects([event["public"], event["secret"]], ["salt", "value"]):
            if sha256(canonical(part)).hexdigest() not in promised:
                raise Bad(version, "it publishes a part that the options didn't promise")
    parts = header.get("parts", {})
    if set(parts) != (promised if revealed else set()) or ("parts" in header and not parts):
        raise Changed(0, "the parts of the options are open once the seed is revealed, and only then")
    for commitment, part in parts.items():
        if sha256(canonical(part)).hexdigest() != commitment:
            raise Changed(0, "the part %s of the options is not the one that was promised" % commitment)


def _check_texts(header, log):
    """Check that the header has all texts that the lines name, and that they match their commitments; return how many
    were withdrawn."""
    values = [header.get("parts"), [[event["public"], event["secret"]] for event in log]]
    named = {it["text"] for it in _objects(values, ["text"]) if type(it["text"]) is str}
    named = {it for it in named if len(it) == 64 and _HEX.fullmatch(it)}
    texts = header.get("texts", {})
    if set(texts) != named or ("texts" in header and not texts):
        raise Changed(0, "the header has all texts that the events name, and no others")
    for commitment, text in texts.items():
        if text is not None and sha256(canonical(text)).hexdigest() != commitment:
            raise Changed(0, "the text %s is not the one that an event names" % commitment)
    return sum(text is None for text in texts.values())


def _objects(value, names):
    """Yield the objects within a JSON value that have these names and no others."""
    values = [value]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            if sorted(value) == names:
                yield value
            values += value.values()
        elif isinstance(value, list):
            values += value


def _opened(path):
    """Return an open zip; its end gives the length of its list before the list is read."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 22))
        end = file.read(22)
    if size > MOST_PACKED:
        raise Unsupported(0, "the archive has %d bytes, and %d is the most" % (size, MOST_PACKED))
    if end[:4] != b"PK\5\6" or end[20:] != b"\0\0":
        raise Changed(0, "the archive doesn't end where a zip does")
    count, listed = int.from_bytes(end[10:12], "little"), int.from_bytes(end[12:16], "little")
    if count > MOST_MEMBERS or listed > MOST_LISTED:
        raise Unsupported(0, "the archive holds more than %d files" % MOST_MEMBERS)
    try:
        return zipfile.ZipFile(path)
    except _UNREADABLE as error:
        raise Changed(0, "the archive can't be read: %r" % error) from None


def _refuse_members(archive):
    """Raise unless the members are those of an archive, each once, and short enough, alone and together."""
    members, total = archive.infolist(), 0
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        raise Changed(0, "the archive has several files of one name, and each reader takes another one")
    for member in members:
        total += member.file_size
        if member.file_size > MOST_UNPACKED or total > 4 * MOST_PACKED:
            raise Unsupported(0, "%s is too long unpacked" % member.filename)
        if not member.filename.startswith(("records/", "seasons/", "stories/")) and member.filename not in _BESIDE:
            raise Changed(0, "%s is no part of an archive" % member.filename)


def _listed(manifest):
    """Return the manifest's entries by file; raise ValueError if it is invalid."""
    if manifest["format"] != _ARCHIVE:
        raise ValueError("it is no manifest of a %s" % _ARCHIVE)
    entries = manifest.get("seasons", []) + manifest["matches"]
    files = {entry["file"]: entry for entry in entries}
    if len(files) < len(entries) or not all(isinstance(name, str) for name in files):
        raise ValueError("each record has a file of its own, named by a text")
    return files


def verify_archive(path, key=None, undrawn=False):
    """Check every record of an archive; return their summaries, or raise Bad with the record's name in the reason."""
    summaries = []
    with _opened(path) as archive:
        _refuse_members(archive)
        try:
            files = _listed(_loaded(archive.read("manifest.json").decode()))
        except (AttributeError, TypeError) + _UNREADABLE as error:
            raise Changed(0, "the archive has no manifest: %r" % error) from None
        records = {name for name in archive.namelist() if name.startswith(("records/", "seasons/"))}
        if records != set(files):
            raise Changed(0, "the manifest lists other records than there are: %s" % sorted(records ^ set(files)))
        if not records:
            raise Changed(0, "the archive holds no record, so that there is nothing to check")
        for name in sorted(files):
            summaries.append(_check_record(archive, name, files[name], key, undrawn))
    matches = {summary["match"]: summary for summary in summaries if "match" in summary}
    if len(matches) < sum("match" in summary for summary in summaries):
        raise Changed(0, "the archive holds a match twice")
    for summary in summaries:
        if "log" in summary:
            _check_results(summary.pop("log"), summary["season"], matches)
    return summaries


def _check_results(log, season, matches):
    """Check each result that the season counts against its match's own record; seats are the season's players.

    A player who left a match, or didn't come, has lost it, whatever its table shows. The result of a reopened match is
    outdated; the later one must be in a record with as many rewinds. Only the main matches of a season whose options
    say so can be sealed after their end.
    """
    seated, successors, left, reopened, undone = {}, {}, {}, {}, _undone(log)
    seals = any(map(_seals_matches, log))
    for event in log:
        public, version = event["public"], event["version"]
        with _blamed_on(version, "season %s: " % season):
            if event["type"] == "player_substituted":
                successors[public["leaver"]] = public["newcomer"]
            elif event["type"].endswith("_match_scheduled"):
                seated[public["match"]] = public["players"]
                sealed = matches.get(public["match"], {}).get("sealed_until")
                if sealed and not (seals and sealed == season and event["type"] == "main_match_scheduled"):
                    raise Wrong("match %s is sealed, although its secrets open with its end" % public["match"])
            elif event["type"] == "match_forfeited":
                left[public["match"]] = public["player"]
            elif event["type"] == "absence_decided" and public["loser"] is not None:
                left[public["match"]] = public["loser"]
            elif event["type"] == "match_reopened":
                reopened[public["match"]] = reopened.get(public["match"], 0) + 1
            elif version in undone:
                continue
            elif event["type"].endswith("_match_finished") and public["match"] in left:
                _check_forfeit(public, left[public["match"]], seated[public["match"]], successors)
            elif event["type"].endswith("_match_finished"):
                groups = public["ranking"] if "ranking" in public else [[public["winner"]], [public["loser"]]]
                match, ends = matches.get(public["match"]), reopened.get(public["match"], 0) + 1
                if match and (match["ends"] != ends or not match["over"]):
                    # Both records may be true, but one is from before the match was reopened.
                    raise Changed(0, "season %s: match %s was recorded at another time" % (season, match["match"]))
                places = _places(match, season, duel="ranking" not in public)
                _check_result(groups, places, seated[public["match"]], successors)


def _seals_matches(event):
    """True if the event lets the secrets of a season's main matches open with its end."""
    name = {"season_opened": "later_options", "options_changed": "changes"}.get(event["type"])
    options = event["public"].get(name)
    return type(options) is dict and options.get("secrets_open") == "season"


def _undone(log):
    """Return the versions of results whose matches were reopened later."""
    latest, undone = {}, set()
    for event in log:
        match = event["public"].get("match")
        if event["type"].endswith("_match_finished"):
            latest[match] = event["version"]
        elif event["type"] == "match_reopened":
            undone.add(latest.get(match))
    return undone


def _places(match, season, duel):
    """Return the seats as the match's own record ranks them."""
    if match is None:
        raise Changed(0, "season %s: it counts a match whose record is not here" % season)
    if match["season"] != season or match["outcome"] is None:
        raise Wrong("the record of match %s is of another season, or void" % match["match"])
    if not duel:
        ranking = match["outcome"]["ranking"]
        if sum(map(len, ranking)) > MOST_SEATS:
            raise Wrong("it ranks more than %d seats" % MOST_SEATS)
        return ranking
    winners = match["outcome"]["winners"]
    return [[winners[0]], [1 - winners[0]]] if len(winners) == 1 else []


def _check_result(groups, places, players, successors):
    """Raise Wrong unless the season ranks the same groups of players as the match, best first."""
    if [len(group) for group in groups] != [len(group) for group in places]:
        raise Wrong("it counts another result than the match's record")
    counted = [player for group in groups for player in group]
    for place, seat in enumerate(seat for group in places for seat in group):
        if not _is_or_became(players[seat], counted[place], successors):
            raise Wrong("it counts another result than the match's record")


def _check_forfeit(result, leaver, players, successors):
    """Raise Wrong unless the player who left or didn't come has lost, and the other seated player has won."""
    first, second = players
    pairs = ((result["winner"], result["loser"]), (result["loser"], result["winner"]))
    seated = any(
        _is_or_became(first, one, successors) and _is_or_became(second, other, successors) for one, other in pairs
    )
    if result["loser"] != leaver or not seated:
        raise Wrong("it counts another result than that the player who left or didn't come has lost")


def _is_or_became(player, other, successors):
    """True if the two are the same player, or if one was substituted by the other."""
    for _ in range(MOST_SUBSTITUTES):
        if player == other or player is None:
            return player == other
        player = successors.get(player)
    raise Unsupported(0, "a player has more than %d substitutes" % MOST_SUBSTITUTES)


def _check_record(archive, name, entry, key, undrawn):
    try:
        data = archive.read(name)
        if sha256(data).hexdigest() != entry["sha256"]:
            raise Changed(0, "it is not the record that the manifest lists")
        lines = list(split(data.decode()))
        summary = verify(lines, key, undrawn)
        whose = "season" if name.startswith("seasons/") else "match"
        if (summary[whose], summary["events"]) != (entry[whose], entry["version"]) or ("log" in summary) != (
            whose == "season"
        ):
            raise Changed(0, "the manifest tells another %s or version" % whose)
        header = json.loads(lines[0])
        for field in sorted(header.keys() & entry.keys()):
            if canonical(header[field]) != canonical(entry[field]):
                raise Changed(0, "the manifest tells another `%s` than the record" % field)
    except (TypeError,) + _UNREADABLE as error:
        raise Changed(0, "%s: it can't be read: %r" % (name, error)) from None
    except Bad as bad:
        raise type(bad)(bad.version, "%s: %s" % (name, bad.reason)) from None
    return summary


def split(text):
    """Return the lines of a record, without line ends; raise Changed if the last one has no line end."""
    if not text.endswith("\n"):
        raise Changed(text.count("\n"), "the file ends within a line")
    return text[:-1].split("\n")


def check_file(data, key=None, undrawn=False):
    """Check the bytes of a record; return its lines, their summary, and the changes that had to be undone first.

    Raise Bad; raise Changed if the file was changed and the change can't be undone. Undoing can't make a false record
    hold, since a record has only one spelling.
    """
    try:
        lines = split(data.decode("utf-8"))
        return lines, verify(lines, key, undrawn), []
    except UnicodeDecodeError:
        fault = Changed(0, "it is not UTF-8")
    except Changed as changed:
        fault = changed
    for text, undone in _restored(data):
        lines = split(text)
        try:
            return lines, verify(lines, key, undrawn), undone
        except Changed:
            continue
    raise fault


def undone_sentence(undone):
    """Return how a file with a valid record was changed. Like all these sentences it begins with a small letter."""
    sentence = (
        "the file is not as it was written: %s. Without that it holds, as said above, and the house wrote nothing "
    )
    return sentence % "; ".join(undone) + "else. Keep a copy that no program has changed"


def _restored(data):
    """Yield texts that a record may have had before programs changed it, each with a list of those changes."""
    yielded, undone = set(), []
    if data[:2] == b"\x1f\x8b":
        try:
            data = zlib.decompressobj(31).decompress(data, MOST_UNPACKED)
        except zlib.error:
            return
        undone.append("it is packed by gzip")
    variants = [(data, undone)]
    if re.search(rb"=\r?\n|=3D", data):
        variants.append((binascii.a2b_qp(data), undone + ["it is quoted-printable"]))
    for content, notes in variants:
        text, encoding = _decoded(content)
        notes = notes + (["its encoding is %s" % encoding] if encoding else [])
        notes = notes + (["its line ends are not line feeds"] if "\r" in text else [])
        text = _LINE_ENDS.sub("\n", text)
        for name, change in _TEXT_CHANGES:
            try:
                changed = change(text)
            except ValueError:
                continue
            for glue in ("", " "):
                candidate = _rewritten(changed, glue)
                if candidate and candidate not in yielded:
                    yielded.add(candidate)
                    yield candidate, notes + [name] * (changed != text) + [_LAID_OUT] * (candidate != changed)


_LAID_OUT = "its lines are wrapped, spaced, ended or written in another way, or something stands around them"
# The first bytes of files in other encodings.
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
    (b"{\0", "utf-16-le"), (b"\0{", "utf-16-be"),
)  # fmt: skip


def _decoded(data):
    """Return the text, and the encoding's name unless it is plain UTF-8."""
    for start, encoding in _ENCODINGS:
        if data.startswith(start):
            return data.decode(encoding, "replace"), encoding
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), "cp1252"


def _composed(text):
    """Return the text with composed letters; raise ValueError for many marks on one letter, which take
    quadratic time."""
    marks = "" if text.isascii() else "".join("m" if unicodedata.category(it)[0] == "M" else "." for it in text)
    if "m" * (MOST_MARKS + 1) in marks:
        raise ValueError("more than %d marks stand upon one letter" % MOST_MARKS)
    return unicodedata.normalize("NFC", text)


_TYPOGRAPHIC = str.maketrans("\u2018\u2019\u201a\u201c\u201d\u201e\xab\xbb\xa0", '\'\'\'""""" ')
_TEXT_CHANGES = (
    ("", str),
    ("its letters are composed in another way", _composed),
    # Older Pythons take quadratic time for a number of many digits.
    ("it is escaped as HTML", lambda text: html.unescape(re.sub("&#[0-9]{9,}", "", text))),
    ("its quotation marks are typographic", lambda text: text.translate(_TYPOGRAPHIC)),
    ("its encoding was taken for another", lambda text: text.encode("cp1252").decode("utf-8")),
)


def _rewritten(text, glue):
    """Return the record in a text in canonical spelling, as far as it can be read.

    `glue` is what stood where a line is broken now.
    """
    lines = [line for line in text.split("\n") if line]
    if all(line.startswith(">") for line in lines):
        lines = [re.sub(r"^(?:> ?)+", "", line) for line in lines]
    text = glue.join(lines)
    start = re.search(r'\{\s*"[a-z_]+"\s*:', text)
    place, written = start.start() if start else len(text), []
    try:
        while True:
            value, place = _JSON.raw_decode(text, place)
            shape = next(shape for shape in _SHAPES if shape.keys() == value.keys())
            written.append(_written(0, value, shape) + "\n")
            place = _SPACES.match(text, place).end()
    except (AttributeError, StopIteration, ValueError, RecursionError, Changed):
        return "".join(written)


def words(key, version, purpose):
    """Yield the 64-bit words of one draw."""
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
    """Return a uniform integer from 0 to n - 1."""
    limit = 2**64 - 2**64 % n
    return next(word for word in stream if word < limit) % n


def shuffled(stream, items):
    """Return the items in a random order."""
    order = list(items)
    for i, j in _swaps(stream, len(order)):
        order[i], order[j] = order[j], order[i]
    return order


def unshuffled(stream, order):
    """Return the items whose shuffle gives this order."""
    items = list(order)
    for i, j in reversed(list(_swaps(stream, len(items)))):
        items[i], items[j] = items[j], items[i]
    return items


def _swaps(stream, size):
    for i in range(size - 1, 0, -1):
        yield i, below(stream, i + 1)


def nonce_commitment(match, seat, nonce):
    """Return the commitment of a seat to the 32 bytes of its nonce."""
    return sha256(b"croupier-nonce-commitment-v1\n" + match.bytes + seat.to_bytes(4, "big") + nonce).digest()


def _hmac(key, message):
    return hmac.new(key, message, "sha256").digest()


def _read_draw(place, line):
    draw = _read(place, line, _DRAW)
    kinds = [list(map(type, step)) for step in draw["steps"] if type(step) is list]
    if not kinds or len(kinds) < len(draw["steps"]) or any(it[:2] != [str, list] or len(it) != 3 for it in kinds):
        raise Changed(place, "the line is not a draw")
    return draw


def _check_draws(header, log, draws, undrawn, revealed):
    """Compute the draws again from the seed, and compare them with the events and with the draws' lines.

    An event that contradicts the seed is Bad, as far as that can be decided without the rules.
    """
    if not revealed and draws:
        raise Changed(0, "draws can't be told before the seed is revealed")
    if not revealed or (undrawn and not draws):
        return
    if header["game"] not in GAMES:
        raise Unsupported(0, "what %r draws isn't known here; a newer verifier may know it" % header["game"])
    specs, left, options = GAMES[header["game"]], draws[::-1], log[0]["public"].get("options")
    with _blamed_on(0):
        keys, befores = _keys(log), _befores(log, specs)
    acts = set()
    for version, event in enumerate(log, start=1):
        for spec in specs:
            if event["type"] != spec["event"] or (spec.get("for_seat") and event["actor"] not in _HOUSE):
                continue
            with _blamed_on(version):
                event_fields = _all_fields(event)
                if any(event_fields[name] != value for name, value in spec.get("where", {}).items()):
                    continue
                act = befores[version][3]
                if (act, spec["purpose"]) in acts:
                    raise Wrong("no act draws twice for one purpose")
                acts.add((act, spec["purpose"]))
                if not left:
                    raise Changed(version, "what it tells was not drawn: the file has no draw for it")
                expected = _drawn(spec, event_fields, options, (befores[act], befores[version][2]), keys, left[-1])
            if canonical(left.pop()) != canonical(expected):
                place = len(log) + len(draws) - len(left)
                raise Changed(place, "this is not the draw that the seed gives for the event of version %s" % version)
    if left:
        raise Changed(len(log) + 1 + len(draws) - len(left), "no event tells what was drawn here")


def _drawn(spec, event_fields, options, before, keys, claimed):
    """Return the draw of an event as the seed gives it; raise Wrong if the event has another result."""
    (line, at, _, act), gone = before[0], before[1].get(spec["purpose"], ())
    stream = words(keys[line], at, spec["purpose"])
    if spec["way"] == "laid":
        steps = _laid(spec, event_fields, options, stream, claimed)
    elif spec["way"] == "filled":
        steps = _filled(spec, event_fields, stream)
    else:
        steps = [_drawn_at_once(spec, event_fields, options, gone, stream, claimed)]
    return {"draw": act, "line": line, "at": at, "purpose": spec["purpose"], "steps": steps}


def _keys(log):
    """Return the key of each line of play."""
    nonces, number = _nonces_in(log), 0
    seeds = [event["public"]["seed"] for event in log if event["type"] == "seed_revealed"]
    of_seeds = [_hmac(bytes.fromhex(seed), nonces) for seed in seeds]
    keys = of_seeds[:1]
    for event in log:
        if event["type"] == "match_rewound":
            number += event["public"].get("seed_commitment") is not None
            keys.append(_hmac(of_seeds[number], b"croupier-line-v1\n" + len(keys).to_bytes(8, "big")))
    return keys


def _nonces_in(log):
    """Return the seats' part of the key, in bytes.

    In a match that names croupier-nonces-v2 each seat's value follows a byte for its kind: 0 no nonce, 1 a plain nonce,
    2 a committed nonce, 3 a commitment without its nonce.
    """
    given = _given(log)
    plain = log[0]["public"].get("nonces") is None
    sized = [(b"" if plain else bytes([kind])) + len(value).to_bytes(4, "big") + value for kind, value in given]
    return b"croupier-nonces-v%d\n" % (1 if plain else 2) + b"".join(sized)


def _given(log):
    """Return for each seat the kind of its nonce, numbered as in `_nonces_in`, and its bytes."""
    given, closed = [(0, b"")] * log[0]["public"]["seats"], set()
    for event in log:
        _give(given, closed, event["type"], event["public"])
    return given


def _give(given, closed, kind, public):
    if kind == "nonce_added":
        given[public["seat"]] = (1, public["nonce"].encode())
    elif kind == "nonce_revealed":
        given[public["seat"]] = (2, _of_32_bytes(public["nonce"]))
    elif kind == "nonce_committed":
        given[public["seat"]] = (3, _of_32_bytes(public["commitment"]))
    elif kind in ("seat_substituted", "seat_declined") and not closed and given[public["seat"]][0] == 3:
        given[public["seat"]] = (0, b"")
    closed.update({kind}.intersection(_CLOSING))


def _check_nonces(match, log):
    """Check that commitments were made before any nonce was shown, and that each was kept or is named as left out.

    Return the kind of each seat's nonce.
    """
    way = log[0]["public"].get("nonces")
    if way not in (None, "croupier-nonces-v2"):
        raise Unsupported(1, "it mixes nonces in a way that isn't known here: %r" % way)
    given, closed, left = [(0, b"")] * log[0]["public"]["seats"], set(), []
    for version, event in enumerate(log, start=1):
        kind, public = event["type"], event["public"]
        with _blamed_on(version):
            if kind == "nonce_committed" and way is None:
                raise Wrong("in this match nonces are given in plain")
            if kind in _NONCES:
                _check_nonce(match, given, closed, kind, public)
            if kind == "nonce_left_out":
                left.append(public["seat"])
            elif kind == "match_started" and left != [seat for seat, (how, _) in enumerate(given) if how == 3]:
                raise Wrong("who has promised a nonce shows it before the start, or is left out by name")
            _give(given, closed, kind, public)
    if any(len(value) > MOST_IN_A_NONCE for _, value in given):
        raise Unsupported(1, "a nonce has more than %d bytes" % MOST_IN_A_NONCE)
    return [kind for kind, _ in given]


def _check_nonce(match, given, closed, kind, public):
    seat = public["seat"]
    if type(seat) is not int or not 0 <= seat < len(given) or "match_started" in closed:
        raise Wrong("nonces are given by seats before the start")
    if kind in ("nonce_added", "nonce_committed"):
        if given[seat][0] or closed:
            raise Wrong("a seat gives one nonce, and none once a promised one is shown")
    elif given[seat][0] != 3:
        raise Wrong("there is no promised nonce to be shown or left out")
    elif kind == "nonce_left_out" and "nonces_called" not in closed:
        raise Wrong("a nonce is left out once the start was called")
    elif kind == "nonce_revealed" and nonce_commitment(match, seat, _of_32_bytes(public["nonce"])) != given[seat][1]:
        raise Wrong("the nonce is not the one that was promised")


def _of_32_bytes(digits):
    """Return the bytes of 64 hex digits; raise Wrong for any other spelling."""
    value = bytes.fromhex(digits)
    if len(value) != 32 or value.hex() != digits:
        raise Wrong("a nonce that is promised, and its promise, are 64 hex digits")
    return value


def _befores(log, specs):
    """Return for each version the state before it: line of play, version for draws, the items that are gone, and the
    first version of its act.

    Items that an event has taken and none has given back are gone: they can't be drawn. They are listed by purpose.
    """
    changing = [
        (it["purpose"], frozenset(map(canonical, it["items"])), change)
        for it in specs
        for change in it.get("changes", ())
    ]
    now, befores, act = (0, 0, {}), [None], 1
    for version, event in enumerate(log, start=1):
        last = log[version - 2] if version > 1 else None
        # A time credit after an outage is stored in one batch with the next act, before it.
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
            for purpose, items, change in changing:
                if change["event"] == kind:
                    moved = items.intersection(_moved(change, _all_fields(event)))
                    before = gone.get(purpose, frozenset())
                    gone = dict(gone, **{purpose: before | moved if change["takes"] else before - moved})
        now = (line, at, gone)
    return befores


def _moved(change, event_fields):
    """Return the items or fields that an event adds or removes, in canonical bytes."""
    return map(canonical, change["items"] if "items" in change else [_fields_of(event_fields, change["fields"])])


def _all_fields(event):
    """Return the public fields of an event with those of its secret, if it is open."""
    return dict(event["public"], **(event["secret"] or {}))


def _drawn_at_once(spec, event_fields, options, gone, stream, claimed):
    """Return the step of one choice or shuffle, whose result is in the event; raise Wrong if the seed gives another.

    If the table doesn't list the items of a shuffle, they follow from its result. The draw's line says how many were
    shuffled if the event's field contains more.
    """
    result, kind = _fields_of(event_fields, spec["fields"]), "choice" if spec["way"] == "choice" else "shuffled"
    if spec.get("last") and all(options.get(name) == value for name, value in spec["last"].items()):
        result = result[-len(claimed["steps"][0][1]) :]
    if spec.get("numbered"):
        items = sorted(result, key=lambda card: (card.split("#")[0], int(card.split("#")[1])))
    elif spec.get("items") is None:
        return [kind, unshuffled(stream, result), result]
    else:
        items = [item for item in spec["items"] if canonical(item) not in gone]
    if not items:
        raise Wrong("nothing was left to be drawn for %r" % spec["purpose"])
    drawn = items[below(stream, len(items))] if kind == "choice" else shuffled(stream, items)
    if canonical(drawn) != canonical(result):
        raise Wrong("the seed gives another result for %r" % spec["purpose"])
    return [kind, items, result]


def _fields_of(event_fields, fields):
    """Return one field, or a list of several."""
    return event_fields[fields[0]] if len(fields) == 1 else [event_fields[field] for field in fields]


def _laid(spec, event_fields, options, stream, claimed):
    """Return the steps of covering rows of spaces, which the options mark, with shuffled cards.

    First `items` are shuffled until the rules accept them: they cover the spaces whose mark begins with `mark`, mark by
    mark. Then the cards of every other mark are shuffled, mark by mark, over its spaces. The number of first shuffles
    is taken from the draw's line, since only the rules can tell it.
    """
    name = event_fields[spec["named"]]
    marks = [mark for row in options[spec["options"]][name] for mark in row]
    cards = [card for row in event_fields[spec["fields"][0]] for card in row]
    if len(cards) != len(marks):
        raise Wrong("it has %d cards for %d spaces" % (len(cards), len(marks)))
    laid = {mark: [] for mark in marks}
    for place, card in enumerate(cards):
        laid[marks[place]].append(card)
    others = sorted(mark for mark in laid if not mark.startswith(spec["mark"]))
    steps = [
        ["shuffled", spec["items"], shuffled(stream, spec["items"])]
        for _ in range(max(1, len(claimed["steps"]) - len(others)))
    ]
    first = [card for mark in sorted(laid.keys() - set(others)) for card in laid[mark]]
    if first != ["%s%s" % (name, item) for item in steps[-1][2]][: len(first)]:
        return []
    return steps + [["shuffled", unshuffled(stream, laid[mark]), laid[mark]] for mark in others]


def _filled(spec, event_fields, stream):
    """Return the steps of filling open groups: their order, then for each its pattern of suits and cards of each suit.

    A group takes one suit, or a card of each of several. Whether a card could be laid is left to the rules. Cards are
    drawn from those in no filled group.
    """
    groups = {(group["board"], group["shape"]): group["cards"] for group in event_fields[spec["fields"][0]]}
    left = [card for cards in groups.values() for card in cards]
    if len(left) + len(groups) > MOST_CARDS:
        raise Unsupported(0, "groups of more than %d cards are filled" % MOST_CARDS)
    left.sort(key=lambda card: (card[0], int(card[1:])))
    order = [list(place) for place in sorted(groups)]
    steps = [["shuffled", order, shuffled(stream, order)]]
    for board, shape in steps[0][2]:
        cards, allowed = groups[board, shape], spec["suits"][board]
        suits, size = "".join(sorted(set(card[0] for card in cards))), len(cards)
        mixed = combinations(allowed, size) if 1 < size <= len(allowed) else ()
        patterns = list(allowed) + ["".join(pattern) for pattern in mixed]
        if suits not in patterns:
            raise Wrong("a group can't hold these suits")
        for items in [patterns] + [[card for card in left if card[0] == suit] for suit in suits]:
            steps.append(["shuffled", items, shuffled(stream, items)])
        left = [card for card in left if card not in cards]
    return steps


def _check_checkpoint(header, stream, log, place, lines, key):
    """Check that the checkpoint's tree holds the chain's hash; return the checkpoint's part of a summary.

    `checkpoint` is the number of leaves of its tree, `covered` the number of events that it covers, from the first on.
    Both are 0 without a checkpoint. `signed` is True if a key was given and the signature is good.
    """
    size = covered = 0
    if header["checkpoint"]:
        checkpoint = _read(place, next(lines, ""), _CHECKPOINT)
        size, covered = _check_proof(place, checkpoint, stream, key), checkpoint["version"]
    for line in lines:
        raise Changed(place + header["checkpoint"], "nothing belongs here: %r" % line[:40])
    if covered > len(log):
        raise Changed(len(log) + 1, "missing; the checkpoint holds version %s" % covered)
    # The proof leads to the root, so the house has written this leaf.
    if size and (covered < 1 or log[covered - 1]["hash"] != checkpoint["hash"]):
        raise Bad(place, "the checkpoint holds another hash than the chain at version %s" % covered)
    return {"checkpoint": size, "covered": covered, "signed": bool(key and size)}


def _check_proof(place, checkpoint, stream, key):
    """Return the checkpoint's size; raise Changed unless it is signed with the key and its tree holds the leaf."""
    note = checkpoint["checkpoint"]
    written = _NOTE.fullmatch(note)
    try:
        if written is None or written.group(1) != written.group(4) or len(unbase64(written.group(5))) != 68:
            raise Changed(place, "the checkpoint isn't written as the house writes it")
        size, root = _size_and_root(note)
        leaf = (
            b"croupier-head-v1\n"
            + stream.bytes
            + checkpoint["version"].to_bytes(8, "big")
            + unhex(checkpoint["hash"], 32)
        )
        path = [unhex(hash, 32) for hash in checkpoint["path"]]
        if not _includes(sha256(b"\0" + leaf).digest(), checkpoint["position"], size, path, root):
            raise Changed(place, "the proof doesn't lead to the checkpoint's root")
        if key is not None and not signed(note, key):
            raise Changed(place, "the checkpoint isn't signed with this key")
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise Changed(place, "the line is no checkpoint: %r" % error) from None
    return size


def _includes(leaf, index, size, path, root):
    """True if the path leads from a leaf's hash to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    computed, last = leaf, size - 1
    for sibling in path:
        if last == 0:
            return False
        if index & 1 or index == last:
            computed = sha256(b"\1" + sibling + computed).digest()
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            computed = sha256(b"\1" + computed + sibling).digest()
        index, last = index >> 1, last >> 1
    return last == 0 and computed == root


def check_continues(note, proof, key=None):
    """Check that the log of one checkpoint continues that of another; return both sizes, or raise Bad.

    `note` is the earlier checkpoint as it was kept, `proof` the house's response in JSON, which contains the later one.
    """
    # Programs that store or send a note may change its line ends.
    note = note.replace("\ufeff", "").replace("\r\n", "\n")
    try:
        answer = _loaded(proof)
        path = [unhex(hash, 32) for hash in answer["path"]]
        earlier, later = _size_and_root(note), _size_and_root(answer["to_note"])
        continued = continues(earlier, later, path)
        is_kept = key is None or signed(note, key)
        good = key is None or signed(answer["to_note"], key)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise Changed(0, "it is no checkpoint, or no proof: %r" % error) from None
    if not is_kept:
        raise Changed(0, "the checkpoint that you kept isn't signed with this key")
    if not good:
        raise Changed(0, "the later checkpoint isn't signed with this key")
    if key is not None and _contradict(earlier, later, path):
        raise Bad(
            0,
            "the later log does not begin with the earlier one: the house has rewritten its record, for both "
            "checkpoints are signed with this key",
        )
    if not continued:
        raise Changed(0, "the path doesn't show that the later log begins with the earlier one")
    return earlier[0], later[0]


def _size_and_root(note):
    lines = note.split("\n")
    if not lines[1].isdigit() or str(int(lines[1])) != lines[1]:
        raise ValueError("%r is no number of leaves" % lines[1])
    return int(lines[1]), unbase64(lines[2])


def continues(earlier, later, path):
    """True if the path proves that one tree begins with another, each as size and root (RFC 9162, 2.1.4.2)."""
    if earlier[0] == later[0]:
        return not path and earlier[1] == later[1]
    return _roots(earlier, later[0], path) == (earlier[1], later[1])


def _contradict(earlier, later, path):
    """True if the path proves that the later tree doesn't begin with the earlier one.

    A path that doesn't lead to the later root may have been changed, so it proves nothing.
    """
    if earlier[0] == later[0]:
        return earlier[1] != later[1]
    before, after = _roots(earlier, later[0], path)
    return after == later[1] and before != earlier[1]


def _roots(earlier, size, path):
    """Return the roots that a path gives for the earlier tree and for the one of this size; (None, None) for an invalid
    path.

    If the earlier size is a power of two, its root is itself on the path.
    """
    if not 0 < earlier[0] < size or not path:
        return None, None
    if earlier[0] & (earlier[0] - 1) == 0:
        path = [earlier[1]] + path
    first, second = earlier[0] - 1, size - 1
    while first & 1:
        first, second = first >> 1, second >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if second == 0:
            return None, None
        if first & 1 or first == second:
            before = sha256(b"\1" + sibling + before).digest()
            after = sha256(b"\1" + sibling + after).digest()
            while not first & 1 and first:
                first, second = first >> 1, second >> 1
        else:
            after = sha256(b"\1" + after + sibling).digest()
        first, second = first >> 1, second >> 1
    return (before, after) if second == 0 else (None, None)


def signed(note, key):
    """True if a signed note has a good signature of a verifier key `name+number+key`; raise ValueError for an invalid
    key."""
    name, number, public = _verifier_key(key)
    text, _, signatures = note.partition("\n\n")
    if text.split("\n")[0] != name:
        return False
    for line in signatures.split("\n", MOST_SIGNATURES)[:MOST_SIGNATURES]:
        if line.startswith("\u2014 %s " % name):
            signature = unbase64(line.rsplit(" ", 1)[1])
            if signature[:4] == number and ed25519(public, text.encode() + b"\n", signature[4:]):
                return True
    return False


def _verifier_key(key):
    """Return name, number and public key."""
    name, number, encoded = key.strip().split("+", 2)
    public, number = unbase64(encoded), bytes.fromhex(number)
    if len(public) != 33 or public[:1] != b"\1" or number != sha256(name.encode() + b"\n" + public).digest()[:4]:
        raise ValueError("the number is not the key's")
    return name, number, public[1:]


# Ed25519 by RFC 8032, only for checking: it handles no secret, so it needs neither speed nor constant time.
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P


def ed25519(public, message, signature):
    """True if the signature of the message is that of the public key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment, scalar = _point(public), _point(signature[:32]), int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= _ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % _ORDER
    return _same(_times(scalar, _BASE), _plus(commitment, _times(challenge, key)))


def _point(data):
    """Return a point from its 32 bytes, in extended coordinates; None for bytes that are no point."""
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
    """Check what the command line names; return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A title may contain letters that the terminal can't show.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    chain, undrawn = arguments[:1] == ["--continues"], arguments[:1] == ["--no-draws"]
    operands = arguments[chain or undrawn :]
    files, key = operands[: 1 + chain], operands[1 + chain :]
    if len(files) != 1 + chain or len(key) > 1 or any(word.startswith("--") for word in operands):
        print("\n\n".join(__doc__.split("\n\n")[1:3]).strip(), file=sys.stderr)
        return 2
    try:
        key = key_named(key[0]) if key else None
    except (OSError, ValueError) as error:
        print("that is no verifier key: %s" % error, file=sys.stderr)
        return 2
    try:
        if chain:
            print("the log of %d leaves begins with the one of %d" % check_continues(*map(_text, files), key)[::-1])
            return 0
        if zipfile.is_zipfile(files[0]):
            summaries = verify_archive(files[0], key, undrawn)
            _print_archive(summaries)
        else:
            _, summary, undone = check_file(_bytes(files[0]), key, undrawn)
            summaries = [summary]
            _print_summary(summary)
            if undone:
                print("CHANGED IN TRANSIT: %s" % undone_sentence(undone))
                return 4
    except (OSError, UnicodeDecodeError) as error:
        print("can't read: %s" % error, file=sys.stderr)
        return 2
    except Bad as bad:
        print(bad.report(), file=sys.stderr if bad.status == 2 else sys.stdout)
        return bad.status
    except Exception as error:
        print("can't check what this holds: %r" % error, file=sys.stderr)
        return 2
    sealed = sealed_sentence(summaries)
    if sealed:
        print("SEALED UNTIL %s" % sealed)
    if key is not None and uncovered(summaries):
        print("NOT COVERED: %s" % uncovered(summaries))
        return 3
    return 5 if sealed else 0


def uncovered(summaries):
    """Return a sentence about the events that no signed checkpoint covers; empty if all are covered."""
    open_ones = [it for it in summaries if not it["signed"] or it["covered"] < it["events"]]
    if not open_ones:
        return ""
    events = sum(it["events"] - (it["covered"] if it["signed"] else 0) for it in open_ones)
    records = "" if len(summaries) == 1 else " in %d of %d records" % (len(open_ones), len(summaries))
    return "no checkpoint signed with the key covers %d events%s, which the house could write anew" % (events, records)


def sealed_sentence(summaries):
    """Return until when the secrets of matches that are over are sealed, as a sentence; empty if there are none."""
    seasons = sorted({it["sealed_until"] for it in summaries if it.get("sealed_until")})
    if not seasons:
        return ""
    count = sum(bool(it.get("sealed_until")) for it in summaries)
    records = "" if len(summaries) == 1 else " of %d of %d records" % (count, len(summaries))
    sentence = "the end of season %s: secrets, seed and draws%s can be checked in a copy from after that"
    sentence = sentence % (", ".join(seasons), records)
    if any(it.get("champion") for it in summaries if "match" not in it and it["season"] in seasons):
        sentence += "; it has ended by now, so take a fresh copy: if that is sealed too, the fault is the house's"
    return sentence


def _print_archive(summaries):
    print("all %d records hold: %d events" % (len(summaries), sum(summary["events"] for summary in summaries)))
    for line in archive_sentences(summaries):
        print(line)
    for summary in summaries:
        if "match" not in summary:
            print("the season %(title)r counts the results that its matches' records have" % summary)


def archive_sentences(summaries):
    """Yield sentences about what an archive's checkpoints cover, and what was not checked."""
    signed_ones = [summary for summary in summaries if summary["signed"]]
    whole = sum(summary["covered"] == summary["events"] for summary in signed_ones)
    yield "%d of them are in a checkpoint that is signed with the key" % whole
    if whole < len(signed_ones):
        yield "of %d more a signed checkpoint holds the beginning" % (len(signed_ones) - whole)
    undrawn = sum(it["undrawn"] for it in summaries if "match" in it)
    if undrawn:
        yield "--no-draws: %d whose seed is open tell no draws, so none was drawn again there" % undrawn
    yield "the stories were not checked: they describe the records in sentences, and only the records count"


def _print_summary(summary):
    if "match" not in summary:
        print("%(season)s (season %(title)r) holds: %(events)d events, its ledger adds up" % summary)
    else:
        print("%(match)s (%(game)s) holds: %(events)d events, %(opened)d secrets open" % summary)
        print("the seed is the one promised" if summary["seed"] else "the seed is still sealed")
        if summary["seeds"] - summary["seed"]:
            print(reopened_sentence(summary))
        if summary["seed"]:
            print(draws_sentence(summary))
        if summary["nonces"] is not None:
            print(nonces_sentences(summary["nonces"]))
        if summary["withdrawn"]:
            print(withdrawn_sentence(summary))
    print(coverage_sentence(summary))


def nonces_sentences(kinds, names=None):
    """Return sentences about who could have chosen the draws of a match; `kinds` has a kind of nonce for each seat."""
    seat_names = names or ["seat %d" % seat for seat in range(len(kinds))]
    plain, promised, left = (
        ", ".join(seat_names[seat] for seat, it in enumerate(kinds) if it == kind) for kind in (1, 2, 3)
    )
    if promised:
        sentences = (
            "Nonces promised before any was shown: %s. Whoever trusts one of these knows that neither " % promised
        )
        sentences += (
            "the house nor others chose the draws: the most they could do was to leave out a promised one, by name."
        )
    elif plain:
        sentences = (
            "Nonces in plain: %s. The house with the last of them to give one could have chosen the draws." % plain
        )
    else:
        sentences = "No nonce is in the draws: the house alone could have chosen a seed for them."
    if left:
        sentences += (
            " Left out, as not shown in time: %s. Each was a choice between two deals, for the house with " % left
        )
        sentences += "that seat, or for the house alone if it turned the nonce away."
    return sentences


def reopened_sentence(summary):
    """Return a sentence about a match that was played on after its end."""
    times = summary["seeds"] - summary["seed"]
    sentence = (
        "it was rewound after its end %d time%s: what it had drawn until then was known to all, what it drew since "
    )
    return (
        sentence % (times, "" if times == 1 else "s") + "comes from a further seed, which the one before had promised"
    )


def withdrawn_sentence(summary):
    """Return how many texts a record lacks, as a sentence."""
    sentence = "%d of its texts withdrawn: the record has only the commitment to each"
    return sentence % summary["withdrawn"]


def draws_sentence(summary):
    """Return how many draws were computed again, as a sentence."""
    if summary["undrawn"]:
        return "--no-draws: it tells no draws, so none was drawn again"
    if not summary["draws"]:
        return "nothing was drawn in it"
    return "%(draws)d draws come out again as the seed gives them" % summary


def coverage_sentence(summary):
    """Return how much of a record its checkpoint covers, as a sentence."""
    if not summary["checkpoint"]:
        return "no checkpoint holds it: nothing shows that the house never wrote it anew"
    signature = "signed with the key" if summary["signed"] else "its signature was not checked: no key was given"
    if summary["covered"] == summary["events"]:
        return "it is in the checkpoint of %d leaves; %s" % (summary["checkpoint"], signature)
    first = "its first %d of %d events are in the checkpoint of %d leaves; %s"
    sentence = first % (summary["covered"], summary["events"], summary["checkpoint"], signature)
    return sentence + "; what came after them no checkpoint holds"


def _text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def _bytes(path):
    with open(path, "rb") as file:
        return file.read()


def key_named(text):
    """Return a verifier key, given directly or as a file's name; raise OSError or ValueError."""
    if not _KEY.match(text) and os.path.exists(text):
        with open(text, encoding="utf-8") as file:
            text = file.read().strip()
    if not _KEY.match(text):
        raise ValueError("it is neither of the form NAME+HASH+KEY nor a file that holds one")
    _verifier_key(text)
    return text.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
