"""Many equal requests at the same moment: one is accepted, whatever comes between them."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx
import pytest

from gangland.serving.settings import Limits, Settings
from tests.serving.client import HUMAN, Client
from tests.serving.live import running
from tests.toy.game import HighCard

POSTS = 50


async def race(url, match, token):
    """Answers to equal decisions, all of which are under way before one is answered."""
    limits = httpx.Limits(max_connections=POSTS)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60) as http:
        request = {
            "json": {"decision": 0, "action": 0},
            "headers": {"authorization": f"Bearer {token}"},
        }
        posts = (http.post(f"/api/v1/matches/{match}/actions", **request) for _ in range(POSTS))
        return await asyncio.gather(*posts)


@pytest.mark.parametrize("races", [3, pytest.param(24, marks=pytest.mark.slow)])
def test_of_fifty_equal_decisions_one_is_accepted(tmp_path, races):
    free = Limits(rate=0.0, connections_each=0)
    settings = Settings(f"sqlite:///{tmp_path / 'matches.db'}", limits=free)
    with running(settings) as (url, hub), httpx.Client(base_url=url, timeout=60) as http:
        client = Client(http)
        for _ in range(races):
            match, tokens = client.create(HighCard.name, [HUMAN, HUMAN, HUMAN])
            answers = asyncio.run(race(url, match, tokens[0]))
            assert Counter(answer.status_code for answer in answers) == {200: 1, 409: POSTS - 1}
            refused = {answer.json()["code"] for answer in answers if answer.status_code == 409}
            assert refused == {"stale_decision"}
            stored = hub.disk.storage.read(match)[1]
            assert len([entry for entry in stored if entry.seat == 0]) == 1
