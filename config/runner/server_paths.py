"""Folders and accounts of the embedded servers, so that they also start for root.

Postgres refuses to run as root. A server that runs as another account can't enter a folder below a closed one such as
/root, and this program must not open that folder. The server's data and programs are then stored elsewhere, in one
place for each data folder.
"""

import hashlib
import os
import pwd
import shutil
import subprocess
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from config.runner.process import Account, StartFailed, run_as

ELSEWHERE = Path("/var/lib/croupier")


def server_account() -> Account | None:
    """Return the account for servers; None means the caller's own."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise StartFailed("Postgres does not run as root, and there is no account `postgres` or `nobody`.")


def settle(folder: Path, account: Account | None) -> Path:
    """Return a folder that a server of `account` can use for `folder`: itself, or one elsewhere that it links to."""
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "elsewhere"
    _refuse_foreign(link.readlink() if link.is_symlink() else folder, account)
    folder.chmod(0o700)
    if account is None:
        return folder
    if not link.is_symlink():
        os.chown(folder, account.uid, account.gid)
        if _may(account, 'cd "$1" && test -w .', folder):
            return folder
    home = _elsewhere(folder, link)
    home.mkdir(parents=True, exist_ok=True)
    ELSEWHERE.chmod(0o755)
    home.chmod(0o700)
    os.chown(home, account.uid, account.gid)
    (home / "of").write_text(f"{folder}\n")
    if not link.is_symlink():
        link.symlink_to(home)
    return home


def _refuse_foreign(home: Path, account: Account | None) -> None:
    """Raise StartFailed for a folder that another account's server uses; taking it over would lock that account out."""
    try:
        owner = (home / "data").stat().st_uid
    except FileNotFoundError:
        return
    except PermissionError:
        owner = home.stat().st_uid
    own_uid = account.uid if account else os.geteuid()
    # Root's half-finished folders are handed over.
    if owner not in (own_uid, os.geteuid()):
        raise StartFailed(
            f"{home} is kept by the account {_name(owner)}, and this start would run its server as {_name(own_uid)}. "
            "Start as whoever has started it until now, or choose another folder with --data."
        )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _elsewhere(folder: Path, link: Path) -> Path:
    """Return the other place for a folder. The link moves with the folder; a copy of the folder must not use it."""
    if not link.is_symlink():
        return ELSEWHERE / hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    home = link.readlink()
    origin = Path((home / "of").read_text().strip()) if (home / "of").exists() else folder
    if origin != folder and (origin / "elsewhere").is_symlink():
        raise StartFailed(
            f"{folder} is a copy of {origin}, and both point at {home}. To begin anew, remove {link}; "
            "to carry the data over, dump the one and restore into the other."
        )
    return home


def vacate(folder: Path) -> None:
    """Remove a server's folder and its place elsewhere."""
    link = folder / "elsewhere"
    if link.is_symlink() and link.readlink().parent == ELSEWHERE:
        shutil.rmtree(link.readlink(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def packaged(package: str, program: str) -> Path | None:
    """Return the path of `program` inside an installed package, without importing it."""
    spec = find_spec(package)
    for place in spec.submodule_search_locations or () if spec else ():
        for path in sorted(Path(place).rglob(program)):
            if path.is_file():
                return path
    return None


def reachable(package: str, program: Path, home: Path, account: Account | None) -> Path:
    """Return `program`, or a copy below `home` if the account can't run it in place."""
    usable = 'test -x "$1" && test -r "$1" && test -r "$2"'
    if account is None or _may(account, usable, program, program.parent):
        return program
    site = program
    while site.name != package:
        site = site.parent
    site = site.parent
    copies = home / f"{package}-{metadata.version(package)}"
    if not copies.exists():
        _copy_package(package, site, copies, account)
    return copies / program.relative_to(site)


def _copy_package(package: str, site: Path, copies: Path, account: Account) -> None:
    unfinished = copies.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    # The libraries lie beside the package, where its programs look for them.
    for name in (package, f"{package}.libs"):
        if (site / name).is_dir():
            shutil.copytree(site / name, unfinished / name, symlinks=True)
    own(unfinished, account)
    unfinished.rename(copies)


def own(path: Path, account: Account | None) -> None:
    """Make the account the owner of `path` and everything below it."""
    if account is None:
        return
    for each in (path, *path.rglob("*")):
        os.chown(each, account.uid, account.gid, follow_symlinks=False)


def _may(account: Account, test: str, *paths: Path) -> bool:
    command = ["/bin/sh", "-c", test, "sh", *map(str, paths)]
    result = subprocess.run(command, check=False, cwd="/", stderr=subprocess.DEVNULL, **run_as(account))
    return result.returncode == 0
