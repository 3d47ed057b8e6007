#!/usr/bin/env python3
"""Check the export of a Croupier match without trusting the house: one file, Python's standard library alone.

    python3 croupier_verify.py FILE        exit status 0: it holds; 1: it doesn't; 2: the file can't be read

What is checked: versions run from 1 without a gap; each event's hash covers its facts and the hash before it;
each opened secret is the one its digest promised; the seed that was revealed is the one promised at the opening;
what the header says is what the events say.

The formats, for a reader who writes their own check. Canonical bytes: UTF-8 JSON, keys sorted, no spaces.
    digest = SHA-256("croupier-secret-v1\\n" || salt || canonical secret)
    hash   = SHA-256("croupier-event-v1\\n" || field || field ...), each field after its length in 4 bytes, big-endian:
             previous hash (empty for version 1), match id (16 bytes), version (8 bytes big-endian), type,
             schema (2 bytes big-endian), actor, microseconds since 1970-01-01 UTC (8 bytes big-endian),
             canonical public part, audience and digest (both empty without a secret)
    commitment = SHA-256(seed)
"""

import json
import sys
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from uuid import UUID

FORMAT = "croupier-export-v1"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NONE = type(None)
_HEADER = {
    "format": [str], "match": [str], "game": [str], "version": [int], "hash": [str], "finished": [bool],
    "seed_commitment": [str], "chance": [str],
}  # fmt: skip
_EVENT = {
    "version": [int], "type": [str], "schema": [int], "actor": [str], "at": [str], "public": [dict], "hash": [str],
    "digest": [str, _NONE], "secret": [dict, _NONE], "salt": [str, _NONE], "audience": [str, _NONE],
}  # fmt: skip


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
    moment = datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def verify(lines):
    """Check an export, given as lines; gives a summary, raises Bad at the first thing that doesn't hold."""
    lines = iter(lines)
    header, match = _header(next(lines, ""))
    previous, version, opened, finished, seed = b"", 0, 0, False, False
    for line in lines:
        version += 1
        event = _read(version, line, _EVENT)
        try:
            opened += _check_event(event, version, previous, match, header["finished"])
            _check_promises(event, version, header)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise Bad(version, "the line is not an event: %r" % error) from None
        finished = finished or event["type"] in ("match_finished", "match_voided")
        seed = seed or event["type"] == "seed_revealed"
        previous = bytes.fromhex(event["hash"])
    if version != header["version"]:
        raise Bad(version + 1, "missing; the header names version %s" % header["version"])
    if previous.hex() != header["hash"]:
        raise Bad(version, "the header names another hash")
    if finished != header["finished"]:
        raise Bad(0, "the header and the events disagree on whether the match is over")
    if finished and not seed:
        raise Bad(version, "the match is over but its seed is not revealed")
    return {"match": str(match), "game": header["game"], "events": version, "opened": opened, "seed": seed}


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
    if event_hash(previous, match, event).hex() != event["hash"]:
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
