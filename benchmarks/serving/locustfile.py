"""People at live matches of a server, for Locust (https://locust.io), a public load generator.

Each creates a match against bots, thinks for some seconds before each move, waits for the answer
with the bots' moves in it, and begins again after the end::

    gangland serve --db /tmp/load.db --rate 0 --connections-each 0 --quiet &
    locust -f benchmarks/serving/locustfile.py --host http://127.0.0.1:8000 \
        --headless --users 1000 --spawn-rate 20 --run-time 3m

The rows of its table are what people wait for: ``move``, a decision and all that bots decide after
it; ``create``, a new match; ``view``, its first position.
"""

from __future__ import annotations

import os
import random
from typing import Any

from locust import FastHttpUser, between, task

GAME = os.environ.get("GAME", "chicago")
BOT = os.environ.get("BOT", "heuristic")
SEATS = [{"kind": "human", "name": "Ann"}] + [{"kind": "bot", "bot": BOT}] * 4


class Person(FastHttpUser):
    """Plays one match after another, a random legal move each time."""

    wait_time = between(2.0, 8.0)
    network_timeout = connection_timeout = 60.0

    def on_start(self) -> None:
        """Sit down at a first match."""
        self._begin()

    @task
    def move(self) -> None:
        """Decide once."""
        if self._view["decision"] is None:
            self._begin()
            return
        chosen = random.choice(self._view["legal"])["id"]
        since = self._view["next_event"]
        self._view = self._call(
            "move",
            "POST",
            f"{self._path}/actions?wait=20&since={since}",
            json={"decision": self._view["decision"], "action": chosen},
        )

    def _begin(self) -> None:
        self._token = ""
        made = self._call("create", "POST", "/matches", json={"game": GAME, "seats": SEATS})
        self._path, self._token = f"/matches/{made['match']}", made["tokens"][0]["token"]
        self._view = self._call("view", "GET", f"{self._path}/view?wait=20")

    def _call(self, name: str, method: str, path: str, **body: Any) -> Any:
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        answer = self.client.request(method, f"/api/v1{path}", name=name, headers=headers, **body)
        answer.raise_for_status()
        return answer.json()
