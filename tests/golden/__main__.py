"""python -m tests.golden --write writes the records of the interfaces anew; without --write it compares them."""

import os
import sys

import pytest

os.environ["WRITE_GOLDEN"] = "1" if sys.argv[1:] == ["--write"] else ""
sys.exit(pytest.main(["tests/golden", "-n", "0", "-q"]))
