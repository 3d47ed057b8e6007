"""Where the embedded servers live and as whom they run, so that they start for root as for anybody else.

Postgres refuses to run as root. A server that runs as another account cannot enter a folder below a closed
one such as /root, and opening that is not this program's business: its data and programs then live
elsewhere, one place for each data folder.
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
    """The account that servers run as; None means the caller's own."""
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
    """The folder that a server of `account` can use for `folder`: itself, or one elsewhere linked from it."""
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
    """Refuse what a server of another account keeps: to take it over would lock out who has started it until now."""
    try:
        keeper = (home / "data").stat().st_uid
    except FileNotFoundError:
        return
    except PermissionError:
        keeper = home.stat().st_uid
    ours = account.uid if account else os.geteuid()
    # What root has left half made is handed on.
    if keeper not in (ours, os.geteuid()):
        raise StartFailed(
            f"{home} is kept by the account {_name(keeper)}, and this start would run its server as {_name(ours)}. "
            "Start as whoever has started it until now, or choose another folder with --data."
        )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _elsewhere(folder: Path, link: Path) -> Path:
    """The place that goes with a folder. It stays with a folder that was moved, not with its copy."""
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
    """Remove a server's folder and what it keeps elsewhere."""
    link = folder / "elsewhere"
    if link.is_symlink() and link.readlink().parent == ELSEWHERE:
        shutil.rmtree(link.readlink(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def packaged(package: str, program: str) -> Path | None:
    """The path of `program` inside an installed package, without importing it."""
    spec = find_spec(package)
    for place in spec.submodule_search_locations or () if spec else ():
        for path in sorted(Path(place).rglob(program)):
            if path.is_file():
                return path
    return None


def reachable(package: str, program: Path, home: Path, account: Account | None) -> Path:
    """`program`, or a copy below `home` where the account cannot run it in place."""
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
    # The libraries lie beside the package, and its programs look for them there.
    for name in (package, f"{package}.libs"):
        if (site / name).is_dir():
            shutil.copytree(site / name, unfinished / name, symlinks=True)
    own(unfinished, account)
    unfinished.rename(copies)


def own(path: Path, account: Account | None) -> None:
    """Hand `path` and all below it to the account."""
    if account is None:
        return
    for each in (path, *path.rglob("*")):
        os.chown(each, account.uid, account.gid, follow_symlinks=False)


def _may(account: Account, test: str, *paths: Path) -> bool:
    command = ["/bin/sh", "-c", test, "sh", *map(str, paths)]
    asked = subprocess.run(command, check=False, cwd="/", stderr=subprocess.DEVNULL, **run_as(account))
    return asked.returncode == 0
