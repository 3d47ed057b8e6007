"""The dashboard and the alert rules name nothing that isn't among the figures, and the manual names all of them."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from events.checkpoints import signing
from matches.api import gauges, scraping
from matches.http import metrics
from tests.events.staging import new_stream
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "monitoring"
PROMTOOL = shutil.which("promtool")
PROMETHEUS_OWN = {"up": {"job", "instance"}}
"""Labels that Prometheus adds to each process."""
OF_TARGET = {"job", "instance"}
SELECTOR = re.compile(r"\b((?:croupier|process)_\w+|up)\b(?:\{([^}]*)\})?")
GROUPED = re.compile(r"\bby \(([^)]*)\)")


@pytest.fixture(scope="module")
def figures() -> dict[str, set[str]]:
    """Each series of /metrics with its labels, as this process tells them once it has counted each."""
    metrics.accepted("pentagram")
    metrics.LOOP_BLOCKED_SECONDS.labels("gc")
    for kind in ("socket", "stream"):
        metrics.CONNECTIONS.labels(kind)
    client = Client(headers={"host": "localhost"})
    client.get("/healthz")
    new_stream(1)
    signing.sign_if_due(after_seconds=0)
    with pytest.MonkeyPatch.context() as patch:
        # What another test found away a moment ago isn't.
        patch.setattr(scraping, "_gauges", gauges.Gauges())
        exposition = client.get("/metrics").content.decode()
    return PROMETHEUS_OWN | {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(exposition)
        for sample in family.samples
    }


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    dashboard = json.loads((FOLDER / "dashboard.json").read_text())
    return [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def questions() -> list[str]:
    return [rule["expr"] for rule in rules()] + [it["expr"] for panel in panels() for it in panel["targets"]]


@pytest.mark.parametrize("question", questions())
def test_every_metric_in_the_alerts_and_dashboards_exists(question: str, figures: dict[str, set[str]]) -> None:
    selections = SELECTOR.findall(question)
    assert selections
    for name, selectors in selections:
        assert name in figures, name
        labels = set(re.findall(r"(\w+)\s*=~?\"", selectors))
        assert labels <= figures[name] | OF_TARGET, name
    grouped = {label.strip() for labels in GROUPED.findall(question) for label in labels.split(",")}
    assert grouped <= OF_TARGET.union(*(figures[name] for name, _ in selections))


def test_the_manual_tells_every_figure(figures: dict[str, set[str]]) -> None:
    manual = (ROOT / "docs" / "monitoring.md").read_text()
    metric_names = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in figures if name.startswith("croupier_")}
    # `croupier_dirty_seconds` and the like end so by themselves.
    assert {name for name in metric_names if f"`{name}" not in manual} == set()


def test_every_panel_has_a_title_a_place_and_a_question() -> None:
    assert len({panel["title"] for panel in panels()}) == len(panels()) > 15
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()}) == len(panels())
    assert all(panel["targets"] and panel["fieldConfig"]["defaults"]["unit"] for panel in panels())


def test_every_alert_says_what_to_do_and_has_a_test() -> None:
    tested = yaml.safe_load((FOLDER / "alerts.test.yml").read_text())["tests"]
    fired = {it["alertname"] for test in tested for it in test["alert_rule_test"] if it["exp_alerts"]}
    named = {rule["alert"] for rule in rules()}
    assert named == fired
    for rule in rules():
        path, _, part = rule["annotations"]["runbook"].partition("#")
        page = (ROOT / path).read_text()
        titles = re.findall(r"^#+ (.+)$", page, flags=re.MULTILINE)
        assert not part or part in {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool here: Debian has it in `prometheus`")
@pytest.mark.parametrize(
    "arguments", ["check rules alerts.yml", "check config prometheus.yml", "test rules alerts.test.yml"]
)
def test_prometheus_takes_them(arguments: str) -> None:
    assert PROMTOOL
    command = [PROMTOOL, *arguments.split()]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
