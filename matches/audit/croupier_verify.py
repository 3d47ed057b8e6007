#!/usr/bin/env python3
"""Check the export of a Croupier match without trusting the house: one file, Python's standard library alone.

    python3 croupier_verify.py [--no-draws] FILE [KEY]       the record or the archive holds
    python3 croupier_verify.py --continues NOTE PROOF [KEY]  the log of a checkpoint that you have kept goes on

Exit status 0 says that it holds, and with KEY that checkpoints signed with it cover every event; 1 that it doesn't
hold; 2 that a file can't be read or the words are none of the above; 3 that it holds, but KEY was given and no
checkpoint covers some of its events, so that the house could still write those anew; 4 that the file is not as it was
written: a mail program, an editor or a broken download changes a file so, and it says nothing against the house. Where
the change can be undone, such as other line ends, the record without it is checked and told; the status stays 4.

FILE is the export of a match or a season, or an archive of many (a zip). NOTE is a signed checkpoint, PROOF the answer
of GET /api/v1/checkpoints/consistency?from=SIZE for its size. KEY is the house's verifier key, `name+number+key`, or a
file that holds it (GET /.well-known/croupier-key); with it the signature of the checkpoint is checked too.

What is checked: versions run from 1 without a gap; each event's hash covers its facts and the hash before it;
each opened secret is the one its digest promised; the seed that was revealed is the one promised at the opening, and
each that a match goes on with after its end is the one that the seed before it promised; what the header says is what
the events say; nonces that were promised before they were shown are the promised ones, shown when none could be given
any more, and those left out are named; every draw is what the revealed seed gives, and
the dealt cards are what was drawn; once the seed is open every event that tells a draw has its own, in the order of the
events, and there are no others (--no-draws lets a record pass that tells none at all); each line is written in the one
way that a record is: no other spelling of a number, a name, an id or hex, no other order, nothing beside it; the
checkpoint's tree holds the hash that the chain has at its version. Of a season: no garnets are paid that aren't there;
in its archive, each result that it counts is the one in that match's own record.

What only the rules can tell is left to `manage.py verify --rules`: that the moves were legal, that those of the house's
bots are the ones that the seed gives, that the cards which were shuffled lay in the right order before (here it is
checked for all draws but Peeling the Banana's reshuffles and the groups of Higher or Lower's boards), which cards lay
above those that were reshuffled, and which of the cards drawn for an open group could be laid there.

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
             this end has revealed: it is the commitment of the next seed, which the draws come from since
Lines: the header; the events, whose salt, digest and hash are in hex (`secret` and `salt` are null until the match is
over, and a secret's fields are null in `public`); as many draws as the header's `draws` says; the checkpoint, if the
header says so. A draw: `draw` is the version of the first event of its act, `line` and `at` are the line and the
version that it was drawn for, `steps` lists, from one stream, `choice` or `shuffled`, what from, and the result. The
checkpoint: the signed note, the leaf's version, hash and position, and the hashes on the path to the root, in hex.
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
from datetime import datetime, timedelta, timezone
from hashlib import sha256, sha512
from itertools import combinations
from uuid import UUID

FORMAT = "croupier-export-v1"
SEASON_FORMAT = "croupier-season-v1"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_KEY = re.compile(r"[^+]+[+][0-9a-f]{8}[+]")
_SPACES = re.compile(r"\s*")
_HEX = re.compile(r"[0-9a-f]*")
# A signed checkpoint as the house writes it: origin, size, root, further lines, and one signature under the same name.
_NOTE = re.compile(r"([^\n]+)\n([1-9][0-9]{0,17})\n([^\n]+)\n(?:[^\n]+\n)*\n\u2014 ([^ \n]+) ([^ \n]+)\n")
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
    "version": [int], "type": [str], "schema": [int], "actor": [str], "at": [str], "public": [dict],
    "digest": [str, _NONE], "secret": [dict, _NONE], "salt": [str, _NONE], "audience": [str, _NONE], "hash": [str],
}  # fmt: skip
_DRAW = {"draw": [int], "line": [int], "at": [int], "purpose": [str], "steps": [list]}
_CHECKPOINT = {"checkpoint": [str], "version": [int], "hash": [str], "position": [int], "path": [list]}

# The events that are the host's own, not the game's; the others count as versions of a draw.
_LIFECYCLE = frozenset((
    "match_opened", "seat_taken", "nonce_added", "match_started", "match_paused", "match_resumed", "time_given",
    "time_credited", "match_voided", "match_adjudicated", "seat_substituted", "match_rewound", "ruling_posted",
    "appeal_opened", "appeal_answered", "result_approved", "truth_viewed", "match_finished", "seed_revealed",
    "stand_in_seated", "stand_in_left", "nonce_committed", "nonce_revealed", "nonces_called", "nonce_left_out",
    "seat_accepted", "seat_declined", "match_rescheduled", "offer_made", "offer_accepted", "offer_declined",
    "offer_withdrawn",
))  # fmt: skip
_NONCES = ("nonce_added", "nonce_committed", "nonce_revealed", "nonce_left_out")
# From these on none is given any more.
_CLOSING = ("nonce_revealed", "nonces_called", "match_started")
# What each game draws: for which purpose, in which way, and the type of the event that tells it. A purpose is part of
# what a draw is computed from, so it isn't the house's to choose: it stands here, and not in the record. The event's
# `fields` hold what was drawn; `for_seat` means that it is drawn where the house acts in a seat's place. `items` are
# what it is drawn from, without those that an event has taken and none has given back. Where the match's options have
# the values in `last`, what was drawn is the end of the field. The table is written by `python -m
# matches.audit.rendering` from the games themselves.
GAMES = {
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

# What an archive may hold: bytes in the file, in its list of members and in a member unpacked; and members.
MOST_PACKED = 2 * 1024**3
MOST_LISTED = 16 * 1024**2
MOST_UNPACKED = 256 * 1024**2
MOST_MEMBERS = 50000
_ARCHIVE = "croupier-archive-v1"
_BESIDE = ("README.txt", "croupier_verify.py", "manifest.json")

# What reading a file of a damaged, encrypted or oddly packed zip raises, and parsing what it holds.
_UNREADABLE = (EOFError, KeyError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)


class Bad(Exception):
    """The export does not hold; `version` is the first bad one, 0 for the header."""

    def __init__(self, version, reason):
        super().__init__("version %s: %s" % (version, reason))
        self.version = version
        self.reason = reason


class Changed(Bad):
    """The file is not as it was written: its lines and its chain don't fit together, whatever they say.

    A record that the house forges is one file in itself, and breaks as Bad does.
    """


def canonical(value):
    """The bytes that were hashed for a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def unhex(text, size):
    """So many bytes from hex in small letters; ValueError for any other spelling."""
    if not _HEX.fullmatch(text) or len(text) != 2 * size:
        raise ValueError("%r is no hex of %d bytes in small letters" % (text, size))
    return bytes.fromhex(text)


def unbase64(text):
    """Bytes from the one base64 that gives them; ValueError for any other spelling."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("%r is base64 in another spelling" % text)
    return data


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
        unhex(event["digest"], 32) if event["digest"] is not None else b"",
    )
    return sha256(b"croupier-event-v1\n" + b"".join(len(f).to_bytes(4, "big") + f for f in fields)).digest()


def microseconds(at):
    """An instant such as 2026-11-21T12:00:00.000000Z as microseconds since 1970."""
    if not _INSTANT.fullmatch(at):
        raise ValueError(f"{at} is no instant")
    return (datetime.fromisoformat(at[:-1] + "+00:00") - _EPOCH) // timedelta(microseconds=1)


def verify(lines, key=None, undrawn=False):
    """Check an export, given as lines; gives a summary, raises Bad at the first thing that doesn't hold.

    With `key`, the house's verifier key, the checkpoint's signature is checked as well. With `undrawn` a record may
    tell no draws at all although its seed is open.
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
        _check_chain(event, version, log[-1]["hash"] if log else "", match)
        try:
            opened += _check_event(event, version, header["finished"])
            _check_promises(event, version, header)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise Bad(version, "the line is not an event: %r" % error) from None
        log.append(event)
        if version == header["version"]:
            break
    _check_end(header, log)
    seeds, outcome = _check_ends(header, log)
    given = _check_nonces(match, log)
    draws = _check_draws(header, log, lines, undrawn)
    checkpoint = _check_checkpoint(header, match, log, lines, key)
    told = {
        "match": str(match), "game": header["game"], "events": len(log), "opened": opened,
        "seed": header["finished"], "seeds": len(seeds),
        "draws": draws, "undrawn": undrawn and header["finished"] and not draws,
        "season": log[0]["public"].get("season"),
        "nonces": given if any(event["type"] == "match_started" for event in log) else None,
        "outcome": outcome,
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
        season = _uuid(header["season"])
    except ValueError:
        raise Bad(0, "the season has no id") from None
    log = []
    for line in lines:
        version = len(log) + 1
        event = _read(version, line, _EVENT)
        _check_chain(event, version, log[-1]["hash"] if log else "", season)
        try:
            _check_event(event, version, False)
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise Bad(version, "the line is not an event: %r" % error) from None
        if event["digest"] is not None or (event["type"] == "season_opened") != (version == 1):
            raise Bad(version, "a season keeps no secrets, and is opened by its first event")
        log.append(event)
        if version == header["version"]:
            break
    ends = [event for event in log if event["type"] in ("season_finished", "season_reopened")][-1:]
    champions = [event["public"].get("champion") for event in ends if event["type"] == "season_finished"]
    told = (len(log), log[-1]["hash"] if log else None, log[0]["public"].get("title") if log else None, champions)
    if told != (header["version"], header["hash"], header["title"], [header["champion"]] if header["finished"] else []):
        raise Changed(0, "the header and the events disagree on version, hash, title or champion")
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
    version = len(log)
    if version != header["version"]:
        raise Changed(version + 1, "missing; the header names version %s" % header["version"])
    if log[-1]["hash"] != header["hash"]:
        raise Changed(version, "the header names another hash")


def _check_ends(header, log):
    """Each end reveals one seed, the one that was promised, and only after an end is another one promised; gives the
    seeds, and the outcome that stands."""
    promised, over, seeds, ends, outcome = header["seed_commitment"], False, [], 0, None
    for version, event in enumerate(log, start=1):
        kind, told = event["type"], event["public"]
        if kind in ("match_finished", "match_voided"):
            if over:
                raise Bad(version, "the match is over already")
            over, ends, outcome = True, ends + 1, told if kind == "match_finished" else None
        elif kind == "seed_revealed":
            seed = _seed_in(version, told)
            if not over or len(seeds) == ends:
                raise Bad(version, "a seed is revealed once the match is over, and only then")
            if sha256(seed).hexdigest() != promised:
                raise Bad(version, "the revealed seed is not the one that was promised")
            seeds.append(seed)
        elif kind == "match_rewound":
            again = told.get("seed_commitment")
            if (again is not None) != over:
                raise Bad(version, "a match goes on with another seed after its end, and only then")
            if over and again != seeds[-1].hex():
                raise Bad(version, "the seed before it doesn't promise the one that the match goes on with")
            promised, over, outcome = again if over else promised, False, None if over else outcome
        if over and len(seeds) < ends and (version == len(log) or log[version]["type"] != "seed_revealed"):
            raise Bad(version, "the match is over but its seed is not revealed")
    if over != header["finished"]:
        raise Bad(0, "the header and the events disagree on whether the match is over")
    return seeds, outcome


def _seed_in(version, told):
    try:
        return unhex(told["seed"], 32)
    except (KeyError, TypeError, ValueError) as error:
        raise Bad(version, "the line is not an event: %r" % error) from None


def _header(line):
    header = _read(0, line, _HEADER)
    if header["format"] != FORMAT:
        raise Bad(0, "this is no %s file" % FORMAT)
    if header["version"] < 1:
        raise Bad(0, "it holds no events")
    if header["draws"] < 0:
        raise Bad(0, "it counts fewer draws than none")
    try:
        return header, _uuid(header["match"])
    except ValueError:
        raise Bad(0, "the match has no id") from None


def _uuid(text):
    """An id in its one spelling; ValueError for any other."""
    if str(UUID(text)) != text:
        raise ValueError("%r is an id in another spelling" % text)
    return UUID(text)


def _read(version, line, shape):
    """The object on a line, which has these fields and no others, written in the one way that a record is."""
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
        raise Changed(version, "it says this in another spelling than a record has")
    return value


def _written(version, value, shape):
    """The one way to write an object on a line."""
    try:
        return "{%s}" % ",".join('"%s":%s' % (name, canonical(value[name]).decode()) for name in shape)
    except (ValueError, RecursionError):
        raise Changed(version, "it holds what is no text, or too deep a nest") from None


def _loaded(text):
    """A JSON value: one value to a name, and no numbers but integers; ValueError, RecursionError."""
    return json.loads(text, object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number)


def _no_number(text):
    raise ValueError("%s is no integer" % text)


def _object(pairs):
    """One name, one value: another reader could choose the other."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name stands twice")
    return value


def _check_chain(event, version, previous, match):
    """The event follows the one before, and its hash is that of what the line says."""
    if event["version"] != version:
        raise Changed(version, "missing; version %s follows" % event["version"])
    try:
        expected = event_hash(unhex(previous, 32) if previous else b"", match, event).hex()
    except (ValueError, OverflowError, RecursionError) as error:
        raise Changed(version, "the line is not an event: %r" % error) from None
    if expected != event["hash"]:
        raise Changed(version, "the hash does not match the event's facts")


def _check_event(event, version, finished):
    """Check what one event says; gives 1 where its secret is open, else 0."""
    if event["public"].get("type") != event["type"]:
        raise Bad(version, "its public part is of another type")
    secret, salt = event["secret"], event["salt"]
    if (event["digest"] is None) != (event["audience"] is None):
        raise Bad(version, "a secret has a digest and an audience")
    if (secret is None) != (salt is None) or (secret is not None) != (finished and event["digest"] is not None):
        raise Bad(version, "secrets are open once the match is over, and only then")
    if secret is not None and digest(unhex(salt, 16), secret).hex() != event["digest"]:
        raise Bad(version, _UNPROMISED)
    if secret is not None and any(event["public"].get(name, "") is not None for name in secret):
        raise Bad(version, "a secret fills in what its public part leaves open, and nothing else")
    return int(secret is not None)


def _check_promises(event, version, header):
    """The opening says what the header says."""
    if (event["type"] == "match_opened") != (version == 1):
        raise Bad(version, "a match is opened by its first event")
    seats = event["public"]["seats"] if version == 1 else 1
    if type(seats) is not int or not 1 <= seats <= MOST_SEATS:
        raise Bad(version, "a match has 1 to %d seats" % MOST_SEATS)
    for name in ("game", "seed_commitment", "chance") if version == 1 else ():
        if event["public"][name] != header[name]:
            raise Bad(version, "the header names another %s" % name)


def _opened(path):
    """A zip that isn't too much to unpack: its end says how long its list is before that is read."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 22))
            end = file.read(22)
        if size > MOST_PACKED:
            raise Bad(0, "the archive has %d bytes, and %d is the most" % (size, MOST_PACKED))
        if end[:4] != b"PK\5\6" or end[20:] != b"\0\0":
            raise Changed(0, "the archive doesn't end where a zip does")
        count, listed = int.from_bytes(end[10:12], "little"), int.from_bytes(end[12:16], "little")
        if count > MOST_MEMBERS or listed > MOST_LISTED:
            raise Bad(0, "the archive holds more than %d files" % MOST_MEMBERS)
        return zipfile.ZipFile(path)
    except _UNREADABLE as error:
        raise Changed(0, "the archive can't be read: %r" % error) from None


def _refuse_members(archive):
    """The members are those of an archive, each once, none too long unpacked, and all of them together neither."""
    members, total = archive.infolist(), 0
    names = [member.filename for member in members]
    if len(set(names)) < len(names):
        raise Bad(0, "the archive has several files of one name, and each reader takes another one")
    for member in members:
        total += member.file_size
        if member.file_size > MOST_UNPACKED or total > 4 * MOST_PACKED:
            raise Bad(0, "%s is too long unpacked" % member.filename)
        if not member.filename.startswith(("records/", "seasons/", "stories/")) and member.filename not in _BESIDE:
            raise Changed(0, "%s is no part of an archive" % member.filename)


def _listed(manifest):
    """What the manifest tells of each record, by its file; ValueError where it isn't one."""
    if manifest["format"] != _ARCHIVE:
        raise ValueError("it is no manifest of a %s" % _ARCHIVE)
    told = manifest.get("seasons", []) + manifest["matches"]
    files = {entry["file"]: entry for entry in told}
    if len(files) < len(told) or not all(isinstance(name, str) for name in files):
        raise ValueError("each record has a file of its own, named by a text")
    return files


def verify_archive(path, key=None, undrawn=False):
    """Check every record of an archive; gives their summaries, raises Bad with the record's name in its reason."""
    summaries = []
    with _opened(path) as archive:
        _refuse_members(archive)
        try:
            files = _listed(_loaded(archive.read("manifest.json").decode()))
        except (zipfile.BadZipFile, zlib.error) as error:
            raise Changed(0, "the archive can't be read: %r" % error) from None
        except (AttributeError, TypeError) + _UNREADABLE as error:
            raise Bad(0, "the archive has no manifest: %r" % error) from None
        records = {name for name in archive.namelist() if name.startswith(("records/", "seasons/"))}
        if records != set(files):
            raise Bad(0, "the manifest lists other records than there are: %s" % sorted(records ^ set(files)))
        if not records:
            raise Bad(0, "the archive holds no record, so that there is nothing to check")
        for name in sorted(files):
            summaries.append(_check_record(archive, name, files[name], key, undrawn))
    matches = {summary["match"]: summary for summary in summaries if "match" in summary}
    if len(matches) < sum("match" in summary for summary in summaries):
        raise Bad(0, "the archive holds a match twice")
    for summary in summaries:
        if "log" in summary:
            _check_results(summary.pop("log"), summary["season"], matches)
    return summaries


def _check_results(log, season, matches):
    """Each result that the season counts is the one in its match's own record; seats are the season's players.

    A match that a player left, or didn't come to, is lost by that player, whatever has become of its table. The result
    of a match that was reopened since is another by now; its later one stands in the record of a match that was rewound
    as often.
    """
    seated, successors, left, reopened, undone = {}, {}, {}, {}, _undone(log)
    for event in log:
        told, version = event["public"], event["version"]
        try:
            if event["type"] == "player_substituted":
                successors[told["leaver"]] = told["newcomer"]
            elif event["type"].endswith("_match_scheduled"):
                seated[told["match"]] = told["players"]
            elif event["type"] == "match_forfeited":
                left[told["match"]] = told["player"]
            elif event["type"] == "absence_decided" and told["loser"] is not None:
                left[told["match"]] = told["loser"]
            elif event["type"] == "match_reopened":
                reopened[told["match"]] = reopened.get(told["match"], 0) + 1
            elif version in undone:
                continue
            elif event["type"].endswith("_match_finished") and told["match"] in left:
                _check_forfeit(told, left[told["match"]], seated[told["match"]], successors)
            elif event["type"].endswith("_match_finished"):
                groups = told["ranking"] if "ranking" in told else [[told["winner"]], [told["loser"]]]
                places = _places(matches.get(told["match"]), season, duel="ranking" not in told)
                if matches[told["match"]]["seeds"] != reopened.get(told["match"], 0) + 1:
                    raise Wrong("its match was rewound after its end another number of times")
                _check_result(groups, places, seated[told["match"]], successors)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Bad(version, "the season's record can't be followed: %r" % error) from None
        except Wrong as wrong:
            raise Bad(version, "season %s: %s" % (season, wrong)) from None


def _undone(log):
    """The versions of the results whose matches were reopened since."""
    latest, undone = {}, set()
    for event in log:
        match = event["public"].get("match")
        if event["type"].endswith("_match_finished"):
            latest[match] = event["version"]
        elif event["type"] == "match_reopened":
            undone.add(latest.get(match))
    return undone


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


def _check_forfeit(told, leaver, players, successors):
    """Who left, or didn't come, has lost, and the other one who was seated has won."""
    first, second = players
    pairs = ((told["winner"], told["loser"]), (told["loser"], told["winner"]))
    seated = any(
        _is_or_became(first, one, successors) and _is_or_became(second, other, successors) for one, other in pairs
    )
    if told["loser"] != leaver or not seated:
        raise Wrong("it counts another result than that the player who left or didn't come has lost")


def _is_or_became(player, other, successors):
    """Whether one is the other, or handed over to them."""
    for _ in range(len(successors) + 1):
        if player == other:
            return True
        player = successors.get(player)
    return False


def _check_record(archive, name, told, key, undrawn):
    try:
        data = archive.read(name)
        if sha256(data).hexdigest() != told["sha256"]:
            raise Bad(0, "it is not the record that the manifest lists")
        lines = list(split(data.decode()))
        summary = verify(lines, key, undrawn)
        whose = "season" if name.startswith("seasons/") else "match"
        if (summary[whose], summary["events"]) != (told[whose], told["version"]) or ("log" in summary) != (
            whose == "season"
        ):
            raise Bad(0, "the manifest tells another %s or version" % whose)
        header = json.loads(lines[0])
        for field in sorted(header.keys() & told.keys()):
            if canonical(header[field]) != canonical(told[field]):
                raise Bad(0, "the manifest tells another `%s` than the record" % field)
    except (zipfile.BadZipFile, zlib.error) as error:
        raise Changed(0, "%s: it can't be read: %r" % (name, error)) from None
    except (TypeError,) + _UNREADABLE as error:
        raise Bad(0, "%s: it can't be read: %r" % (name, error)) from None
    except Bad as bad:
        raise Bad(bad.version, "%s: %s" % (name, bad.reason)) from None
    return summary


def split(text):
    """The lines of a record, without their ends; raises Bad where the last one has none."""
    if not text.endswith("\n"):
        raise Changed(text.count("\n"), "the file ends within a line")
    return text[:-1].split("\n")


def check_file(data, key=None, undrawn=False):
    """Check the bytes of a record: its lines, their summary, and what had to be undone first, empty for a whole file.

    Raises Bad, and Changed where the file is not as it was written and nothing here undoes that. Undoing can't make a
    false record hold: a record is written in one way only, and what holds then is that one.
    """
    try:
        lines = split(data.decode("utf-8"))
        return lines, verify(lines, key, undrawn), []
    except UnicodeDecodeError:
        fault = Changed(0, "it is not UTF-8")
    except Bad as bad:
        fault = bad
    for text, undone in _restored(data):
        lines = split(text)
        try:
            return lines, verify(lines, key, undrawn), undone
        except Bad as bad:
            # Its chain holds, so that this is what was written; secrets alone may have been restored wrongly.
            if isinstance(fault, Changed) and not isinstance(bad, Changed) and bad.reason != _UNPROMISED:
                fault = bad
    raise fault


def undone_told(undone):
    """Tell how a file was changed whose record holds: a sentence without its first capital."""
    told = "the file is not as it was written: %s. Without that it holds, as told above, and the house wrote nothing "
    return told % "; ".join(undone) + "else. Keep a copy that no program has changed"


def changed_told(changed):
    """Tell at which place a file was changed and what that means, in sentences that begin with the place."""
    return (
        "%s. The file is not as it was written. A mail program, an editor or a download that broke off does that, and "
        "so does a forger: it proves nothing, and nothing against the house. Get it from the house again. If that one "
        "breaks at the same place, the house's own record is broken." % changed
    )


_UNPROMISED = "the secret is not the one that was promised"
_TYPOGRAPHIC = {
    0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0xAB: '"', 0xBB: '"', 0x201E: '"', 0x201A: "'", 0xA0: " ",
}  # fmt: skip


def _restored(data):
    """Yield texts that a record may have had before programs changed it, each with a list of those changes."""
    seen, undone = set(), []
    if data[:2] == b"\x1f\x8b":
        try:
            data = zlib.decompressobj(31).decompress(data, MOST_UNPACKED)
        except zlib.error:
            return
        undone.append("it is packed by gzip")
    variants = [(data, undone)]
    if re.search(rb"=\r?\n|=3D", data):
        variants.append((binascii.a2b_qp(data), undone + ["it is quoted-printable"]))
    for content, known in variants:
        text, encoding = _decoded(content)
        known = known + (["its encoding is %s" % encoding] if encoding else [])
        if "\r" in text:
            text, known = text.replace("\r\n", "\n").replace("\r", "\n"), known + ["its line ends are not line feeds"]
        for name, change in _TEXT_CHANGES:
            for glue in ("", " "):
                found = _rewritten(change(text), glue)
                if found is None or found in seen:
                    continue
                seen.add(found)
                yield found, known + _named(text, change(text), found, name)


def _decoded(data):
    """The text of bytes in some encoding, and its name where it isn't UTF-8 alone."""
    marks = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
    for mark, encoding in marks:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), encoding + " with a byte order mark"
    zeros = {b"{\0": "utf-16-le", b"\0{": "utf-16-be"}
    for encoding in (zeros.get(data[:2], "utf-8"), "cp1252"):
        try:
            return data.decode(encoding), "" if encoding == "utf-8" else encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def _unmixed(text):
    """UTF-8 that was read as Windows' encoding, read as UTF-8."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except (UnicodeDecodeError, UnicodeEncodeError):
        return text


def _unescaped(text):
    """HTML's escapes undone, where there are none of a number too long to read."""
    try:
        return html.unescape(text)
    except ValueError:
        return text


_TEXT_CHANGES = (
    ("", str),
    ("its letters are composed in another way", lambda text: unicodedata.normalize("NFC", text)),
    ("it is escaped as HTML", _unescaped),
    ("its quotation marks are typographic", lambda text: text.translate(_TYPOGRAPHIC)),
    ("its encoding was taken for another", _unmixed),
)


def _named(text, changed, found, name):
    """Name the changes between a text and the record in it."""
    told = [name] if changed != text else []
    if changed == found:
        return told
    if changed.strip("\n") + "\n" == found:
        return told + ["line ends are missing or added at its end"]
    return told + ["its lines are wrapped, spaced or written in another way, or something stands around them"]


def _rewritten(text, glue):
    """The record in a text, written as records are; None where there is none, or not all of it.

    `glue` is what stood where a line is broken now.
    """
    lines = [line for line in text.split("\n") if line]
    if all(line.startswith(">") for line in lines):
        lines = [re.sub(r"^(?:> ?)+", "", line) for line in lines]
    text = glue.join(lines)
    start = re.search(r'\{\s*"[a-z_]+"\s*:', text)
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=_no_number, parse_constant=_no_number)
    place, written, shapes = start.start() if start else len(text), [], None
    try:
        while shapes is None or shapes:
            value, place = decoder.raw_decode(text, place)
            shapes = _shapes(value) if shapes is None else shapes
            written.append(_written(0, value, shapes.pop()))
            place = _SPACES.match(text, place).end()
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError, Bad):
        return None
    return "\n".join(written) + "\n"


def _shapes(header):
    """The shapes of a record's lines, the last first; ValueError where there would be too many."""
    is_season = header["format"] == SEASON_FORMAT
    lines = header["version"], 0 if is_season else header["draws"]
    if not all(type(count) is int and 0 <= count <= MOST_UNPACKED // 100 for count in lines):
        raise ValueError("these are no numbers of lines")
    if type(header["checkpoint"]) is not bool:
        raise ValueError("a checkpoint is there or not")
    shapes = [_SEASON if is_season else _HEADER] + lines[0] * [_EVENT] + lines[1] * [_DRAW]
    return (shapes + header["checkpoint"] * [_CHECKPOINT])[::-1]


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


def _check_draws(header, log, lines, undrawn):
    """Draw everything again; gives how many draws there were."""
    if not header["finished"]:
        if header["draws"]:
            raise Bad(0, "draws can't be told before the seed is revealed")
        return 0
    if undrawn and not header["draws"]:
        return 0
    if header["game"] not in GAMES:
        raise Bad(0, "what %r draws isn't known here; a newer verifier may know it" % header["game"])
    specs = GAMES[header["game"]]
    try:
        keys, befores, found = _keys(log), _befores(log, specs), {}
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise Bad(0, "an event lacks what its type has: %r" % error) from None
    for place in range(len(log) + 1, len(log) + 1 + header["draws"]):
        draw = _read(place, next(lines, ""), _DRAW)
        try:
            _check_draw(header["game"], draw, keys, befores)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError) as error:
            raise Bad(place, "the line is not a draw: %r" % error) from None
        except Wrong as wrong:
            raise Bad(place, str(wrong)) from None
        if found.setdefault((draw["draw"], draw["purpose"]), draw) is not draw:
            raise Bad(place, "no act draws twice for one purpose")
    told = _check_drawn(specs, log, befores, found)
    for place, draw in enumerate(found.values()):
        if place == len(told) or draw is not told[place]:
            raise Bad(len(log) + 1 + place, "no event tells what was drawn here, or another draw comes before it")
    return header["draws"]


class Wrong(Exception):
    """A draw that the seed doesn't give."""


class Respelled(Wrong):
    """It is not as the house writes it, whatever it says."""


def _keys(log):
    """The key of each line of play."""
    seeds = [event["public"]["seed"] for event in log if event["type"] == "seed_revealed"]
    of_seeds, number = [_mixed_in(bytes.fromhex(seed), log) for seed in seeds], 0
    keys = of_seeds[:1]
    for event in log:
        if event["type"] == "match_rewound":
            number += event["public"].get("seed_commitment") is not None
            keys.append(_hmac(of_seeds[number], b"croupier-line-v1\n" + len(keys).to_bytes(8, "big")))
    return keys


def _mixed_in(seed, log):
    """The key that a seed gives with what the seats gave."""
    given = _given(log)
    if log[0]["public"].get("nonces") is None:
        return mixed(seed, [value.decode() for _, value in given])
    return mixed_by_kind(seed, given)


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
        elif kind in ("seat_substituted", "seat_declined") and not closed and given[told["seat"]][0] == 3:
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


def _befores(log, specs):
    """For each version what stood before it: line of play, version of a draw, what is gone, the act's first version.

    Gone is, by purpose, what was taken of the items and not given back: it can't be drawn now.
    """
    changing = [(it["purpose"], change) for it in specs for change in it.get("changes", ())]
    now, befores, act = (0, 0, {}), [None], 1
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
            for purpose, change in changing:
                if change["event"] == kind:
                    gone = dict(gone, **{purpose: _changed(gone.get(purpose, []), change, _told(event))})
        now = (line, at, gone)
    return befores


def _changed(gone, change, told):
    """What is gone after an event that takes items or gives them back."""
    items = change["items"] if "items" in change else [_fields_of(told, change["fields"])]
    return gone + items if change["takes"] else [item for item in gone if item not in items]


def _told(event):
    """All fields of an event whose secret is open."""
    return dict(event["public"], **(event["secret"] or {}))


def _check_draw(game, draw, keys, befores):
    line, at, _, act = befores[draw["draw"]]
    if draw["draw"] < 1 or act != draw["draw"] or (line, at) != (draw["line"], draw["at"]):
        raise Wrong("no act of the match drew here")
    way = {it["purpose"]: it["way"] for it in GAMES[game]}.get(draw["purpose"])
    kinds = [kind for kind, _, _ in draw["steps"]]
    several = ["shuffled"] * max(1, len(kinds))
    if kinds != {"choice": ["choice"], "shuffle": ["shuffled"], "laid": several, "filled": several}.get(way):
        raise Wrong("%s draws nothing for %r in this way" % (game, draw["purpose"]))
    stream = words(keys[line], at, draw["purpose"])
    for kind, items, result in draw["steps"]:
        drawn = items[below(stream, len(items))] if kind == "choice" else shuffled(stream, items)
        if type(items) is not list or canonical(drawn) != canonical(result):
            raise Wrong("the seed gives another result for %r" % draw["purpose"])


def _check_drawn(specs, log, befores, found):
    """Every event that tells a draw is what was drawn in its act; gives the draws in the order of their events."""
    drawn = []
    for version, event in enumerate(log, start=1):
        for spec in specs:
            if event["type"] != spec["event"] or (spec.get("for_seat") and event["actor"] not in _HOUSE):
                continue
            try:
                told = _told(event)
                if all(told[name] == value for name, value in spec.get("where", {}).items()):
                    drawn.append(_drawn_for(spec, told, log, befores[version], found))
            except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
                raise Bad(version, "it lacks what its type has: %r" % error) from None
            except Wrong as wrong:
                raise Bad(version, str(wrong)) from None
    return drawn


def _drawn_for(spec, told, log, before, found):
    """The draw that an event tells; Wrong where that gives something else than the event tells."""
    draw = found.get((before[3], spec["purpose"]))
    if draw is None:
        raise Wrong("what it tells was not drawn")
    _, items, result = draw["steps"][0]
    if spec["way"] == "laid":
        _check_laid(spec, told, log[0]["public"]["options"], draw["steps"])
    elif spec["way"] == "filled":
        _check_filled(spec, told, draw["steps"])
    elif canonical(result) != canonical(_drawn_part(spec, told, log[0]["public"]["options"], result)):
        raise Wrong("what it tells was not drawn")
    elif not _are_the_items(spec, items, before[2].get(spec["purpose"], [])):
        raise Wrong("it was drawn from other things than the rules say")
    return draw


def _drawn_part(spec, told, options, drawn):
    """Return what an event tells of a draw: its fields, or their end where the options say that no more was drawn."""
    part = _fields_of(told, spec["fields"])
    if spec.get("last") and all(options.get(name) == value for name, value in spec["last"].items()):
        return part[-len(drawn) :]
    return part


def _fields_of(told, fields):
    """One field, or a list of several."""
    return told[fields[0]] if len(fields) == 1 else [told[field] for field in fields]


def _are_the_items(spec, items, gone):
    """Whether these are what a draw is made from, where that is known without the rules."""
    if spec.get("numbered"):
        return items == sorted(items, key=lambda card: (card.split("#")[0], int(card.split("#")[1])))
    if spec.get("items") is None:
        return True
    return canonical(items) == canonical([item for item in spec["items"] if item not in gone])


def _check_laid(spec, told, options, steps):
    """Rows of spaces, marked in the options, are covered by what was shuffled.

    First `items` are shuffled until they please: they cover the spaces whose mark begins with `mark`, mark by mark.
    Then the cards of every other mark are shuffled, mark by mark, over its spaces.
    """
    name = told[spec["named"]]
    marks = [mark for row in options[spec["options"]][name] for mark in row]
    others = sorted(set(mark for mark in marks if not mark.startswith(spec["mark"])))
    first, rest = steps[: len(steps) - len(others)], steps[len(steps) - len(others) :]
    if not first or any(canonical(items) != canonical(spec["items"]) for _, items, _ in first):
        raise Wrong("it was drawn from other things than the rules say")
    laid, fresh = {}, iter(first[-1][2])
    for mark in sorted(set(marks) - set(others)):
        laid[mark] = ["%s%s" % (name, next(fresh)) for _ in range(marks.count(mark))]
    for place, mark in enumerate(others):
        laid[mark] = list(rest[place][2])
    if any(len(cards) != marks.count(mark) for mark, cards in laid.items()):
        raise Wrong("so many spaces were not drawn for")
    if [laid[mark].pop(0) for mark in marks] != [card for row in told[spec["fields"][0]] for card in row]:
        raise Wrong("what it tells was not drawn")


def _check_filled(spec, told, steps):
    """Groups that lay open got cards: their order was drawn, then for each its pattern of suits and cards of each suit.

    Whether a card that was drawn could be laid is left to the rules; a group takes one suit, or a card of each of
    several. The cards drawn from are those that lie in no other group: those of the groups that are still to come.
    """
    groups = {(group["board"], group["shape"]): group["cards"] for group in told[spec["fields"][0]]}
    left = sorted((card for cards in groups.values() for card in cards), key=lambda card: (card[0], int(card[1:])))
    expected, awaited = [[list(place) for place in sorted(groups)]], iter(steps[0][2])
    for board, shape in awaited:
        cards, allowed = groups[board, shape], spec["suits"][board]
        suits, size = "".join(sorted(set(card[0] for card in cards))), len(cards)
        mixed = combinations(allowed, size) if 1 < size <= len(allowed) else ()
        expected.append(list(allowed) + ["".join(pattern) for pattern in mixed])
        if suits not in expected[-1]:
            raise Wrong("a group can't hold these suits")
        expected += [[card for card in left if card[0] == suit] for suit in suits]
        left = [card for card in left if card not in cards]
    if canonical([items for _, items, _ in steps]) != canonical(expected):
        raise Wrong("it was drawn from other things than the rules say")


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
        except Respelled as wrong:
            raise Changed(place, str(wrong)) from None
        except Wrong as wrong:
            raise Bad(place, str(wrong)) from None
    for line in lines:
        raise Changed(place + header["checkpoint"], "nothing belongs here: %r" % line[:40])
    return {"checkpoint": size, "covered": covered, "signed": bool(key and size)}


def _check_proof(told, match, log, key):
    note, version, position = told["checkpoint"], told["version"], told["position"]
    if not 1 <= version <= len(log) or log[version - 1]["hash"] != told["hash"]:
        raise Wrong("the checkpoint holds another hash than the chain at version %s" % version)
    written = _NOTE.fullmatch(note)
    if written is None or written.group(1) != written.group(4) or len(unbase64(written.group(5))) != 68:
        raise Respelled("the checkpoint isn't written as the house writes it")
    size, root = _size_and_root(note)
    leaf = b"croupier-head-v1\n" + match.bytes + version.to_bytes(8, "big") + unhex(told["hash"], 32)
    if not _includes(sha256(b"\0" + leaf).digest(), position, size, [unhex(h, 32) for h in told["path"]], root):
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
    # A program that keeps or sends a note may change its line ends.
    note = note.replace("\ufeff", "").replace("\r\n", "\n")
    try:
        told = _loaded(proof)
        path = [unhex(hash, 32) for hash in told["path"]]
        earlier, later = _size_and_root(note), _size_and_root(told["to_note"])
        continued = continues(earlier, later, path)
        is_kept = key is None or signed(note, key)
        good = key is None or signed(told["to_note"], key)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise Changed(0, "it is no checkpoint, or no proof: %r" % error) from None
    if not is_kept:
        raise Changed(0, "the checkpoint that you kept isn't signed with this key")
    if not good:
        raise Bad(0, "the later checkpoint isn't signed with this key")
    if not continued:
        raise Bad(0, "the later log does not begin with the earlier one: the house has rewritten its record")
    return earlier[0], later[0]


def _size_and_root(note):
    lines = note.split("\n")
    if not lines[1].isdigit() or str(int(lines[1])) != lines[1]:
        raise ValueError("%r is no number of leaves" % lines[1])
    return int(lines[1]), unbase64(lines[2])


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
            signature = unbase64(line.rsplit(" ", 1)[1])
            if signature[:4] == number and ed25519(public, text.encode() + b"\n", signature[4:]):
                return True
    return False


def _verifier_key(key):
    """Name, number and public key."""
    name, number, encoded = key.strip().split("+", 2)
    public, number = unbase64(encoded), bytes.fromhex(number)
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
    chain, undrawn = arguments[:1] == ["--continues"], arguments[:1] == ["--no-draws"]
    words = arguments[chain or undrawn :]
    files, key = words[: 1 + chain], words[1 + chain :]
    if len(files) != 1 + chain or len(key) > 1 or any(word.startswith("--") for word in words):
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
            _tell_archive(summaries)
        else:
            _, summary, undone = check_file(_bytes(files[0]), key, undrawn)
            summaries = [summary]
            _tell(summary)
            if undone:
                print("CHANGED IN TRANSIT: %s" % undone_told(undone))
                return 4
    except (OSError, UnicodeDecodeError) as error:
        print("can't read: %s" % error, file=sys.stderr)
        return 2
    except Changed as changed:
        print("CHANGED at %s" % changed_told(changed))
        return 4
    except Bad as bad:
        print("BROKEN at %s" % bad)
        return 1
    except Exception as error:
        print("can't check what this holds: %r" % error, file=sys.stderr)
        return 2
    if key is not None and uncovered(summaries):
        print("NOT COVERED: %s" % uncovered(summaries))
        return 3
    return 0


def uncovered(summaries):
    """What no signed checkpoint covers: a sentence without its first capital; empty where all events are covered."""
    open_ones = [it for it in summaries if not it["signed"] or it["covered"] < it["events"]]
    if not open_ones:
        return ""
    events = sum(it["events"] - (it["covered"] if it["signed"] else 0) for it in open_ones)
    records = "" if len(summaries) == 1 else " in %d of %d records" % (len(open_ones), len(summaries))
    return "no checkpoint signed with the key covers %d events%s, which the house could write anew" % (events, records)


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
    undrawn = sum(it["undrawn"] for it in summaries if "match" in it)
    if undrawn:
        yield "--no-draws: %d whose seed is open tell no draws, so none was drawn again there" % undrawn
    yield "the stories were not checked: they tell the records in sentences, and only the records count"


def _tell(summary):
    if "match" not in summary:
        print("%(season)s (season %(title)r) holds: %(events)d events, its ledger adds up" % summary)
    else:
        print("%(match)s (%(game)s) holds: %(events)d events, %(opened)d secrets open" % summary)
        print("the seed is the one promised" if summary["seed"] else "the seed is still sealed")
        if summary["seeds"] - summary["seed"]:
            print(reopened_told(summary))
        if summary["seed"]:
            print(draws_told(summary))
        if summary["nonces"] is not None:
            print(nonces_told(summary["nonces"]))
    print(serialized_checkpoint(summary))


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


def reopened_told(summary):
    """That a match was played on after its end: a sentence without its first capital."""
    times = summary["seeds"] - summary["seed"]
    told = "it was rewound after its end %d time%s: what it had drawn until then was known to all, what it drew since "
    return told % (times, "" if times == 1 else "s") + "comes from a further seed, which the one before had promised"


def draws_told(summary):
    """What was drawn again of a match whose seed is open: a sentence without its first capital."""
    if summary["undrawn"]:
        return "--no-draws: it tells no draws, so none was drawn again"
    if not summary["draws"]:
        return "nothing was drawn in it"
    return "%(draws)d draws come out again as the seed gives them" % summary


def serialized_checkpoint(summary):
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


def _bytes(path):
    with open(path, "rb") as file:
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
