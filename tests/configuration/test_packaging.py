"""Packaging: dependencies are pinned and hashed, packages contain no secret, and settings are documented."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from packaging.requirements import Requirement

from config.deployment import secret_files
from config.runner import parts

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements-uv.txt", "requirements.txt", "requirements-observability.txt", "requirements-test.txt"]


def entries(name: str) -> list[str]:
    """The requirements of a lock file, each with its continuation lines."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def pins(name: str) -> dict[str, str]:
    matches = (re.match(r"([a-z0-9.-]+)(?:\[[^]]*\])?==([^ ;]+)", entry) for entry in entries(name))
    return {match[1]: match[2] for match in matches if match}


def test_the_release_that_the_service_calls_itself_is_the_packages() -> None:
    """It stands in the database that it prepares, and in the sentence with which the release before ends there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == settings.VERSION


def test_every_page_that_the_docs_link_to_is_there() -> None:
    for page in (ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("games/*/README.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_pinned_and_hashed(name: str) -> None:
    assert entries(name)
    for entry in entries(name):
        assert re.match(r"[a-z0-9.-]+(\[[^]]*\])?==[^ ]+ ", entry), entry
        assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_place_to_install_from(name: str) -> None:
    text = (ROOT / name).read_text()
    assert not re.search(r"index-url|find-links|trusted-host|https?:|file:", text)


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_lacks_nothing_that_its_packages_need(name: str) -> None:
    """bin/setup installs what is listed and looks for no more."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {
        it.name: it.extras
        for it in map(Requirement, project["dependencies"] + project["optional-dependencies"]["test"])
    }
    listed = pins(name)
    for entry in entries(name):
        package = Requirement(entry.partition(" --hash")[0])
        if package.marker and not package.marker.evaluate():
            continue
        for requirement in map(Requirement, metadata.requires(package.name) or ()):
            parts = {"", *extras.get(package.name, ())}
            if not requirement.marker or any(requirement.marker.evaluate({"extra": part}) for part in parts):
                assert re.sub("[-_.]+", "-", requirement.name).lower() in listed, f"{package.name} needs {requirement}"


def test_a_longer_lock_holds_the_shorter_ones() -> None:
    observed = pins("requirements-observability.txt").items()
    assert pins("requirements.txt").items() < observed < pins("requirements-test.txt").items()


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    for lock, wanted in (
        ("requirements.txt", project["dependencies"]),
        ("requirements-observability.txt", extras["observability"]),
        ("requirements-test.txt", [it for it in extras["test"] if it != "croupier[observability]"]),
    ):
        for requirement in wanted:
            match = re.fullmatch(r"([\w.-]+)(?:\[[^]]*\])?==(.+)", requirement)
            assert match, requirement
            assert pins(lock)[match[1].lower().replace(".", "-")] == match[2], requirement


def test_compose_shares_secrets_by_file_only() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    assert set(services) == {"secrets", "postgres", "valkey", "prepare", "web", "worker", "beat"}
    for name, service in services.items():
        assert service["init"] is True, name
        for variable, value in service.get("environment", {}).items():
            assert "://" not in value or "@" not in value or not re.search(r"://[^/@]*:[^/@]*@", value), variable
            if re.search(r"PASSWORD|SECRET|KEY|TOKEN", variable):
                assert variable.endswith("_FILE"), variable


def test_compose_shows_the_owner_to_nobody_who_serves() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    for name in ("web", "worker", "beat"):
        service = services[name]
        assert not any("owner" in volume for volume in service["volumes"]), name
        assert not any("OWNER" in variable for variable in service["environment"]), name
        assert service["environment"]["DATABASE_LOGIN"] == "app"


def test_compose_and_the_manual_run_what_bin_up_runs() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    manual = (ROOT / "docs/operating.md").read_text()
    worker, beat = parts.worker({}, ROOT).arguments, parts.beat(ROOT, {}, ROOT).arguments
    schedule = beat.index("--schedule")
    assert services["worker"]["command"] == worker
    assert services["beat"]["command"] == [*beat[: schedule + 1], "/tmp/beat", *beat[schedule + 2 :]]  # noqa: S108
    assert " ".join(worker[: worker.index("--loglevel")]) in manual
    assert " ".join(beat[:schedule]) in manual
    served = " ".join(["python", "-m", *parts.web(8000, {}, ROOT).arguments[:1]])
    assert served in manual
    image = (ROOT / "Dockerfile").read_text()
    assert f'CMD ["{served.replace(" ", chr(34) + ", " + chr(34))}", "--host", "0.0.0.0"]' in image


def test_every_secret_of_the_service_reaches_each_part_of_compose() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    wanted = {f"{name.upper()}_FILE": f"/secrets/app/{name}" for name in secret_files.NAMES}
    for name in ("prepare", "web", "worker", "beat"):
        assert wanted.items() <= services[name]["environment"].items(), name


def test_every_variable_that_is_read_is_documented() -> None:
    pattern = re.compile(r"""(?:environ\.get|environ\[|env\.get|flag|words|given)[(]?\s*"([A-Z][A-Z_]+)\"""")
    read = {name for path in (ROOT / "config").rglob("*.py") for name in pattern.findall(path.read_text())}
    read |= {"SECRET_KEY", "SEED_KEY", "CHECKPOINT_KEY"}
    read -= {"PATH", "DJANGO_SETTINGS_MODULE"}
    manual = (ROOT / "docs/operating.md").read_text() + (ROOT / "docs/monitoring.md").read_text()
    rows = re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+)", manual, re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"[A-Z_]+", row)}
    assert len(read) > 10
    assert read <= documented


@pytest.mark.parametrize("name", ["setup", "up", "test", "bench", "browser"])
def test_the_commands_are_plain_sh(name: str) -> None:
    script = ROOT / "bin" / name
    assert script.stat().st_mode & 0o111
    subprocess.run(["/bin/sh", "-n", script], check=True)


def test_setup_is_quiet_once_it_is_done() -> None:
    if Path(sys.prefix) != ROOT / ".venv":
        pytest.skip("runs on another Python than the checkout's own")
    done = subprocess.run([ROOT / "bin/setup", "--test"], check=True, capture_output=True, text=True)
    assert done.stdout + done.stderr == ""


def checkout(folder: Path, locks: dict[str, str]) -> Path:
    """A copy of bin/setup in a folder of its own, with other locks beside it."""
    (folder / "bin").mkdir()
    shutil.copy(ROOT / "bin/setup", folder / "bin")
    for name in LOCKS:
        (folder / name).write_text(locks.get(name, ""))
    return folder / "bin/setup"


def wheel(folder: Path, name: str, files: dict[str, str]) -> str:
    """Make a wheel of release 1 in the folder; its line of a lock."""
    path = folder / f"{name}-1-py3-none-any.whl"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files = files | {f"{name}-1.dist-info/{file}": text for file, text in about.items()}
    record = f"{name}-1.dist-info/RECORD"
    with zipfile.ZipFile(path, "w") as packed:
        for file, text in files.items():
            info = zipfile.ZipInfo(file)
            info.external_attr = 0o755 << 16
            packed.writestr(info, text)
        packed.writestr(record, "".join(f"{file},,\n" for file in (*files, record)))
    return f"{name}==1 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.mark.slow
def test_pip_installs_if_uv_fails(tmp_path: Path) -> None:
    refusing = "#!python\nimport sys\nsys.exit('--version' not in sys.argv)\n"
    locks = {
        "requirements-uv.txt": wheel(tmp_path, "uv", {"uv-1.data/scripts/uv": refusing}),
        "requirements.txt": wheel(tmp_path, "stake", {"stake.py": ""}),
    }
    variables = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_USER": "1"}
    subprocess.run([checkout(tmp_path, locks)], check=True, env=os.environ | variables)
    subprocess.run([tmp_path / ".venv/bin/python", "-c", "import stake"], check=True)
    assert not (tmp_path / ".venv/unfinished").exists()


def test_a_named_python_that_is_none_is_not_passed_over(tmp_path: Path) -> None:
    named = f"{tmp_path}/no such/python3"
    variables = os.environ | {"CROUPIER_PYTHON": named}
    done = subprocess.run([checkout(tmp_path, {})], check=False, env=variables, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, f"CROUPIER_PYTHON names no Python 3.11 or later: {named}\n")
    assert not (tmp_path / ".venv").exists()


def test_installation_works_without_write_permission() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may become another")
    with tempfile.TemporaryDirectory(prefix="croupier-ground-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        setup = checkout(folder, {})

        def by_another() -> tuple[int, str]:
            done = subprocess.run([setup], check=False, capture_output=True, text=True, user=65533, group=65533)
            return done.returncode, done.stderr

        refused, output = by_another()
        assert refused == 1 and output.endswith(f" may not write to {folder}: run bin/setup as its owner first.\n")
        (folder / ".venv/bin").mkdir(parents=True)
        shutil.copy("/bin/true", folder / ".venv/bin/python")
        nothing = subprocess.run(["cksum"], input="", check=True, capture_output=True, text=True).stdout
        (folder / ".venv/installed-requirements.txt").write_text(nothing)
        (folder / ".venv.lock").touch()
        assert by_another() == (0, "")
