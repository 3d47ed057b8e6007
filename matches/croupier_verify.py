#!/usr/bin/env python3
"""Check the export of a Croupier match without trusting the house: one file, Python's standard library alone.

    python3 croupier_verify.py FILE        exit status 0: it holds; 1: it doesn't; 2: the file can't be read

What is checked: versions run from 1 without a gap; each event's hash covers its facts and the hash before it;
each opened secret is the one its digest promised; the seed that was revealed is the one promised at the opening;
the last hash is the one the header names.

The formats, for a reader who writes their own check. Canonical bytes: UTF-8 JSON, keys sorted, no spaces.
    digest = SHA-256("croupier-secret-v1\\n" || salt || canonical secret)
    hash   = SHA-256("croupier-event-v1\\n" || field || field ...), each field preceded by its length in 4 bytes, big-endian:
             previous hash (empty for version 1), match id (16 bytes), version (8 bytes big-endian), type,
             schema (2 bytes big-endian), actor, microseconds since 1970-01-01 UTC (8 bytes big-endian),
             canonical public part, audience and digest (both empty without a secret)
    commitment = SHA-256(seed)
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

FORMAT = "croupier-export-v1"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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
    moment = datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def verify(lines):
    """Check an export, given as lines; gives a summary, raises Bad at the first thing that doesn't hold."""
    lines = iter(lines)
    header = _header(next(lines, ""))
    match, commitment = UUID(header["match"]), header["seed_commitment"]
    previous, version, opened, seed = b"", 0, 0, None
    for line in lines:
        event = _parse(version + 1, line)
        try:
            opened += _check_event(event, version + 1, previous, match, header["finished"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise Bad(version + 1, "the line is not an event: %r" % error) from None
        if event["type"] == "match_opened" and event["public"].get("seed_commitment") != commitment:
            raise Bad(event["version"], "the header promises another seed")
        if event["type"] == "seed_revealed":
            seed = bytes.fromhex(event["public"]["seed"])
            if sha256(seed).hexdigest() != commitment:
                raise Bad(event["version"], "the revealed seed is not the one that was promised")
        previous, version = bytes.fromhex(event["hash"]), event["version"]
    if version != header["version"]:
        raise Bad(version + 1, "missing; the header names version %s" % header["version"])
    if previous.hex() != header["hash"]:
        raise Bad(version, "the header names another hash")
    if header["finished"] and seed is None:
        raise Bad(version, "the match has finished but its seed is not revealed")
    return {"match": str(match), "game": header["game"], "events": version, "opened": opened, "seed": seed is not None}


def _header(line):
    header = _parse(0, line)
    if header.get("format") != FORMAT:
        raise Bad(0, "this is no %s file" % FORMAT)
    missing = {"match", "game", "version", "hash", "finished", "seed_commitment"} - header.keys()
    if missing:
        raise Bad(0, "the header lacks %s" % ", ".join(sorted(missing)))
    return header


def _parse(version, line):
    try:
        value = json.loads(line)
    except ValueError:
        raise Bad(version, "the line is not JSON") from None
    if not isinstance(value, dict):
        raise Bad(version, "the line is not an object")
    return value


def _check_event(event, version, previous, match, finished):
    """Check one event; gives 1 where its secret is open, else 0."""
    if event["version"] != version:
        raise Bad(version, "missing; version %s follows" % event["version"])
    if event_hash(previous, match, event).hex() != event["hash"]:
        raise Bad(version, "the hash does not match the event's facts")
    if event["digest"] is None:
        return 0
    if event["secret"] is None:
        if finished:
            raise Bad(version, "the match has finished but this secret is not open")
        return 0
    if digest(bytes.fromhex(event["salt"]), event["secret"]).hex() != event["digest"]:
        raise Bad(version, "the secret is not the one that was promised")
    return 1


def main(arguments):
    """Check the file named on the command line."""
    if len(arguments) != 1:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as lines:
            summary = verify(lines)
    except (OSError, UnicodeDecodeError) as error:
        print("can't read: %s" % error, file=sys.stderr)
        return 2
    except Bad as bad:
        print("BROKEN at %s" % bad)
        return 1
    print("%(match)s (%(game)s) holds: %(events)d events, %(opened)d secrets open" % summary)
    print("the seed is the one promised" if summary["seed"] else "the seed is still sealed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
