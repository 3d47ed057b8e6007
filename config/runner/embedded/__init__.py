"""The Postgres and the Valkey that come with the package, used when no URL names other servers."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.runner.embedded.postgres import Postgres
from config.runner.embedded.valkey import Valkey


@contextmanager
def throwaway(within: Path | None = None) -> Iterator[tuple[Postgres, Valkey]]:
    """Run a Postgres and a Valkey that leave nothing behind, for tests and measurements.

    Their data is in a new folder inside `within`, by default the system's folder for temporary files.
    """
    folder = Path(tempfile.mkdtemp(prefix="croupier-", dir=within))
    # The servers' account must be able to pass through; the folders inside are closed.
    folder.chmod(0o711)
    postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    try:
        postgres.start()
        valkey.start()
        yield postgres, valkey
    finally:
        valkey.remove()
        postgres.remove()
        shutil.rmtree(folder, ignore_errors=True)
