"""The portrait of an account: a drawn face that it chose, or a picture that it uploaded."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from threading import Lock
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import QuerySet

from matches.accounts import access_log
from matches.accounts.access_log import Actor
from matches.domain.portraits import FACES
from matches.models import Account, UploadedPicture

log = structlog.get_logger(__name__)

TYPES = ("image/png", "image/jpeg", "image/webp")
MOST_BYTES = 2 * 1024 * 1024
# Only the separate program loads the decoders.
_PROGRAM = Path(__file__).with_name("picture_program.py")
_REFUSED = 3
"""The program's exit status for a refused picture."""
_LONGEST_SECONDS = 15
_LONGEST_WAIT_SECONDS = 5

_drawing = Lock()


class BadPicture(Exception):
    """The picture breaks a rule, which the message names."""


class Busy(Exception):
    """Too many pictures are being uploaded."""


def choose_face(account: UUID, number: int) -> None:
    """Show one of the faces and delete an uploaded picture; raise ValueError for an unknown number."""
    if number not in range(FACES):
        raise ValueError(f"Faces are numbered from 0 to {FACES - 1}.")
    with transaction.atomic():
        _delete_picture(account)
        _in_use(account).update(portrait_face=number)


def upload(account: UUID, data: bytes) -> None:
    """Show this picture instead of the current portrait; raise BadPicture and Busy."""
    if len(data) > MOST_BYTES:
        raise BadPicture(f"A picture's file holds at most {MOST_BYTES} bytes.")
    jpeg = redrawn(data)
    name = sha256(account.bytes + jpeg).hexdigest()[:32]
    with transaction.atomic():
        _delete_picture(account)
        # The account may have been erased during the conversion.
        if not _in_use(account).update(portrait_picture=name):
            raise BadPicture("The account is switched off or erased.")
        UploadedPicture.objects.create(name=name, account_id=account, jpeg=jpeg)


def remove(account: UUID) -> bool:
    """Delete the uploaded picture, so that the face shows again; return True if there was one."""
    with transaction.atomic():
        return _delete_picture(account)


def take_down(account: UUID, reason: str, actor: Actor) -> bool:
    """Delete the picture for an official, with a reason for the access log; return True if there was one."""
    with transaction.atomic():
        picture = UploadedPicture.objects.filter(account=account).values_list("name", flat=True).first()
        if not _delete_picture(account):
            return False
        access_log.note(account, "portrait_removed", actor, reason=reason, picture=picture)
        return True


def erase(account: UUID) -> None:
    """Delete picture and face."""
    with transaction.atomic():
        _delete_picture(account)
        Account.objects.filter(id=account).update(portrait_face=None)


def redrawn(data: bytes) -> bytes:
    """Return the picture in its stored form, made by a process of its own, one at a time; raise BadPicture and Busy."""
    if not _drawing.acquire(timeout=_LONGEST_WAIT_SECONDS):
        raise Busy
    try:
        program = [sys.executable, "-I", str(_PROGRAM)]
        done = subprocess.run(program, input=data, capture_output=True, timeout=_LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        raise BadPicture("It takes too long to read; save it anew, smaller.") from None
    finally:
        _drawing.release()
    if done.returncode == 0 and done.stdout:
        return done.stdout
    error_lines = done.stderr.decode(errors="replace").strip().splitlines()
    if done.returncode == _REFUSED and error_lines:
        raise BadPicture(error_lines[-1])
    log.warning("picture_program_died", status=done.returncode, said=error_lines[-3:])
    raise BadPicture("It can't be read; save it anew, as a PNG or a JPEG.")


def _in_use(account: UUID) -> QuerySet[Account]:
    return Account.objects.filter(id=account, is_active=True)


def _delete_picture(account: UUID) -> bool:
    """Delete the picture; the account stays locked until the transaction ends, so that simultaneous acts take turns."""
    Account.objects.select_for_update().values_list("id").get(id=account)
    gone, _ = UploadedPicture.objects.filter(account=account).delete()
    Account.objects.filter(id=account).update(portrait_picture="")
    return bool(gone)
