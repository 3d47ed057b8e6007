"""The commands of the README, executed as written; it contains no command that no test executes."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from benchmarks.__main__ import names
from benchmarks.pictures import MOST_BYTES
from tests.journeys.house import ROOT, House
from tests.plain_http import NOBODY

README = (ROOT / "README.md").read_text()
BLOCKS: list[str] = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
TWO_COMMANDS, *CURL, TERMINAL = BLOCKS
STARTING = ("bin/up", "bin/test")
AT_THE_TERMINAL = ("play pyramid_poker", "export MATCH --output match.ndjson", "verify match.ndjson", "rebuild")
FENCE = "-- the next block --"


def commands(block: str) -> list[str]:
    """The lines of a block, without what is said beside them."""
    return [line.partition("#")[0].strip() for line in block.splitlines() if line.partition("#")[0].strip()]


def typed(script: str, folder: Path, env: Mapping[str, str], stdin: str = "") -> str:
    """Execute a script that must succeed, and return its output."""
    path = folder / "typed.sh"
    path.write_text(script)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", path],
        input=stdin, capture_output=True, text=True, check=False, timeout=100, cwd=folder, env=env,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def session(house: House, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """The curl blocks in order in one shell, word for word but for the port; their outputs, and the folder."""
    folder = tmp_path_factory.mktemp("newcomer")
    script = f"\necho '{FENCE}'\n".join(CURL).replace("127.0.0.1:8000", f"127.0.0.1:{house.port}")
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    return typed(script, folder, env).split(f"{FENCE}\n"), folder


def test_the_curl_session_signs_up_and_starts_a_match(session: tuple[list[str], Path]) -> None:
    (first, _, _), _ = session
    assert re.match(r'{"id":"[0-9a-f-]{36}","username":"player\d+"}', first)
    assert first.endswith("running\n")


def test_the_curl_session_plays_by_notation_and_by_json(session: tuple[list[str], Path]) -> None:
    (_, second, _), _ = session
    by_notation, by_json, rest = re.fullmatch(r'({"version":.*?}]})({"version":.*?}]})(.*)', second, re.DOTALL).groups()
    assert '"type":"first_chosen"' in by_notation
    assert '"type":"brick_placed"' in by_json and '"cell":"A1"' in by_json
    sentence, legal = rest.splitlines()
    assert re.fullmatch(r"Seat [01] .+\.", sentence)
    assert "place A2" in legal or legal == "[]"


def test_curl_session_verifies_its_record(session: tuple[list[str], Path]) -> None:
    (_, _, third), folder = session
    lines = third.splitlines()
    assert lines[0] == "The match is over: seat 1 won (by resignation)."
    assert re.fullmatch(r"[0-9a-f-]{36} \(pyramid_poker\) holds: \d+ events, \d+ secrets open", lines[1])
    assert lines[2] == "the seed is the one promised"
    assert (folder / "match.ndjson").stat().st_size > 1000


def test_terminal_commands_of_the_readme_work(house: House, tmp_path: Path) -> None:
    ada = house.guest("ada")
    match = ada.open("pyramid_poker", ada, "bot")
    ada.send(match, {"type": "resign"})
    for name in (".venv", "manage.py"):
        (tmp_path / name).symlink_to(ROOT / name)

    script = re.sub(r"\bMATCH\b", ada.read(match)["code"], TERMINAL)
    output = typed(script, tmp_path, house.beside(), stdin="first me\nlegal\nquit\n")

    assert "Pyramid Poker, match " in output and "place A1  place A2" in output
    assert f"{match} (pyramid_poker) holds: " in output
    assert "Replayed by the rules: the outcome is the recorded one." in output
    assert re.search(r"^results: generation \d+ is current\.$", output, re.MULTILINE)


def test_every_command_of_the_readme_is_run_by_a_test() -> None:
    assert tuple(commands(TWO_COMMANDS)) == STARTING
    assert tuple(commands(TERMINAL)) == tuple(f".venv/bin/python manage.py {words}" for words in AT_THE_TERMINAL)
    assert len(CURL) == 3, "The session's tests know three blocks."
    assert README.count("```") == 2 * len(BLOCKS), "A block that is not marked sh is not run."


def test_every_program_named_in_the_readme_exists() -> None:
    named = {"bin/up", "bin/up [--port 8000] [--data var] [--webs 1] [--no-demo]", "bin/bench peers"}
    assert set(re.findall(r"`(bin/[^`]*)`", README)) == named
    assert "peers" in names()


def test_every_benchmark_is_named_to_contributors() -> None:
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("`bin/bench NAME`")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", section)) == set(names())


def test_files_of_the_curl_session_are_ignored_by_git_and_linter(session: tuple[list[str], Path]) -> None:
    """With git it is ignored; without, where nobody heeds .gitignore, the linter still leaves it alone."""
    _, folder = session
    left = {path.name for path in folder.iterdir()} - {"typed.sh"}
    assert left == {"match.ndjson", "croupier_verify.py"}
    assert {f"/{name}" for name in left} <= set((ROOT / ".gitignore").read_text().splitlines())
    shutil.copy(ROOT / "pyproject.toml", folder)
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "."],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    (folder / "pyproject.toml").unlink()
    assert checked.returncode == 0, checked.stdout


def test_badges_equal_the_project_metadata() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    badges = [unquote(label) for label in re.findall(r"img\.shields\.io/badge/([^)]+)\)", README)]
    assert [re.sub(r"-\w+$", "", label).replace("--", "-") for label in badges] == [
        f"python-{project['requires-python'].removeprefix('>=')}+", f"licence-{project['license']}",
    ]  # fmt: skip
    assert set(re.findall(r"\.\./\.\./actions/workflows/([\w.]+)", README)) == {"ci.yml"}
    assert (ROOT / ".github/workflows/ci.yml").exists()


def test_pictures_of_the_readme_are_small() -> None:
    paths = re.findall(r"!\[[^]]+\]\((docs/pictures/[^)]+)\)", README)
    assert sorted(paths) == sorted(f"docs/pictures/{path.name}" for path in (ROOT / "docs/pictures").iterdir())
    assert all((ROOT / path).stat().st_size < MOST_BYTES for path in paths)


def test_bin_up_accepts_the_options_in_the_readme() -> None:
    usage_text = subprocess.run([ROOT / "bin/up", "--help"], check=True, capture_output=True, text=True).stdout
    usage = " ".join(usage_text.partition("\n\n")[0].split())
    assert usage == "usage: bin/up [-h] [--port PORT] [--data DATA] [--webs WEBS] [--no-demo]"


def test_bin_up_prints_addresses_that_answer(house: House) -> None:
    printed = re.findall(r"http://\S+", house.output)
    assert len(printed) >= 3
    for address in printed:
        # The API's own root is no page.
        if address != f"{house.url}/api/v1/":
            assert httpx.get(address, follow_redirects=True, verify=NOBODY).status_code == 200, address


def test_ci_runs_bin_test() -> None:
    """It is what runs this very test; here, that nothing else stands in its place."""
    assert os.access(ROOT / "bin/test", os.X_OK)
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == 'exec "$(dirname "$0")/../bin/test"'


def test_every_file_linked_in_the_readme_exists() -> None:
    # What lies above is GitHub's own: the workflow's badge.
    for target in re.findall(r"\]\((?!https?:|\.\./\.\./actions/)([^)#]+)", README):
        assert (ROOT / target).exists(), target


def test_the_problem_pages_and_the_docs_open_in_a_browser(house: House) -> None:
    for path in ("/api/docs", "/problems/", "/problems/illegal_move", "/sign-in"):
        page = httpx.get(f"{house.url}{path}", verify=NOBODY)
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html"), path
