"""People at a deployment: those who play by its proxy, and one who reads by it all the time."""

from collections.abc import Sequence
from random import Random
from threading import Event, Thread
from time import monotonic
from uuid import uuid4

import httpx

from tests.journeys.deployment import Deployment
from tests.journeys.guests import Guest
from tests.journeys.proxies import Anyhow, Front
from tests.waiting import PATIENCE


class Reader(Thread):
    """Asks by the proxy alone, all the time, and keeps what it was refused."""

    def __init__(self, front: Front, token: str) -> None:
        super().__init__(daemon=True)
        self.front, self.token = front, token
        self.refused: list[str] = []
        self.asked = 0
        self.longest = 0.0
        self.enough = Event()

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        with httpx.Client(
            base_url=self.front.url, verify=self.front.trust, headers=headers, timeout=PATIENCE
        ) as client:
            while not self.enough.wait(0.03):
                self.asked += 1
                began = monotonic()
                try:
                    answer = client.get("/api/v1/me")
                except httpx.HTTPError as error:
                    self.refused.append(type(error).__name__)
                else:
                    if answer.status_code != 200:
                        self.refused.append(f"{answer.status_code} {answer.text[:100]}")
                self.longest = max(self.longest, monotonic() - began)


def people(deployment: Deployment, front: Front, webs: Sequence[str], rng: Random) -> list[Guest]:
    """Two who go by the proxy, or by any of these web processes."""
    return [deployment.account(f"guest-{uuid4().hex[:12]}", Anyhow(front, list(webs), rng)) for _ in range(2)]
