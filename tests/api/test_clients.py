"""Clients that know no more than what the API tells: the bot that its page teaches, and one made from the document."""

import html
import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from games import catalogue
from matches.api import schema
from matches.models import Match
from matches.services import playing
from tests.api.document import DOCUMENT
from tests.api.guests import Guest, guest, house
from tests.plain_http import NOBODY
from tests.waiting import wait_until

PATIENCE_SECONDS = 100
MOST_COMMANDS = 3000


def served_until(done: Callable[[], bool], known: set[UUID]) -> None:
    """Do a worker's part at matches that begin from now on."""

    def served() -> bool:
        for match in Match.objects.filter(status=Match.Status.RUNNING).exclude(id__in=known):
            playing.attend(match_id=match.id)
        return done()

    wait_until(served, PATIENCE_SECONDS)


@pytest.mark.slow
def test_example_bot_of_the_docs_plays_a_match(site: str, tmp_path: Path) -> None:
    page = httpx.get(f"{site}/api/docs", verify=NOBODY).text
    found = re.search(r'<pre id="bot"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found is not None
    program = tmp_path / "bot.py"
    program.write_text(html.unescape(found[1]))
    known = set(Match.objects.filter(status=Match.Status.RUNNING).values_list("id", flat=True))
    command = [sys.executable, "-I", program, site, "pentagram"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as bot:
        served_until(lambda: bot.poll() is not None, known)
        bot.kill()
        said = bot.stdout.read() if bot.stdout else ""
    assert re.search(r"[A-Z0-9]+ is over; seats \[[\d, ]+\] won\.\n$", said), said


@contextmanager
def generated(folder: Path) -> Iterator[Any]:
    """The client that openapi-python-client makes from the document, as a package."""
    document = folder / "openapi.json"
    document.write_bytes(schema.document())
    tool = Path(sys.executable).with_name("openapi-python-client")
    making = [tool, "generate", "--path", document, "--meta", "none", "--output-path", folder / "made_client"]
    done = subprocess.run(making, check=False, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("made_client")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def generated_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with generated(tmp_path_factory.mktemp("generated")) as package:
        yield package


def operation(tag: str, name: str) -> Callable[..., Any]:
    call: Callable[..., Any] = importlib.import_module(f"made_client.api.{tag}.{name}").sync
    return call


def model(name: str) -> Any:
    return getattr(importlib.import_module("made_client.models"), name)


def test_generated_client_has_every_operation(generated_package: Any) -> None:
    folder = Path(generated_package.__file__).parent / "api"
    modules = {path.stem for path in folder.glob("*/*.py")} - {"__init__"}
    ids = {told["operationId"] for path in DOCUMENT["paths"].values() for told in path.values()}
    assert {re.sub(r"(?=[A-Z])", "_", it).lower() for it in ids} - modules == set()


@pytest.mark.slow
@pytest.mark.parametrize("slug", catalogue)
def test_a_client_made_from_the_document_alone_plays_to_the_end(
    slug: str, site: str, generated_package: Any, request: pytest.FixtureRequest
) -> None:
    players: list[Guest] = [guest(), guest()]
    clients = [
        generated_package.AuthenticatedClient(base_url=site, token=player.token, verify_ssl=NOBODY)
        for player in players
    ]
    for client in clients:
        request.addfinalizer(client.get_httpx_client().close)
    asked = {"game": slug, "seats": [{"player": player.id} for player in players]}
    match = operation("play", "open_match")(client=clients[0], body=model("OpenBody").from_dict(asked))
    name = str(match.id)
    operation("play", "start_match")(name=name, client=clients[0], body=model("ReasonBody").from_dict({}))
    own = "".join(part.capitalize() for part in slug.split("_"))
    for _ in range(MOST_COMMANDS):
        house(name)
        match = operation("play", "read_match")(name=name, client=clients[0])
        assert (type(match).__name__, type(match.view).__name__) == (f"{own}MatchDocument", f"{own}View")
        if match.status == "finished":
            break
        seat = match.due.prompts[0].seat
        sample = operation("play", "list_legal")(name=name, client=clients[seat], sample=True).sample
        answer = operation("play", "send_command")(
            name=name, client=clients[seat], body=sample, idempotency_key=uuid4().hex
        )
        assert type(answer).__name__ == "AcceptedDocument", answer
    assert match.status == "finished" and match.outcome.winners
