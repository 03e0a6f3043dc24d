"""A language model's client over standard input and output: whole games, seat-true, with advice."""

from __future__ import annotations

import json
import subprocess
import sys

import anyio
import numpy as np
import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters, stdio_client

from gangland.envs import load
from gangland.serving.bots.registry import Bots
from gangland.serving.doors.mcp import MAX_TABLES, Tables, make_server
from tests.games import GAMES, TOY

REGISTERED = [name for name in GAMES if name != TOY]


def parsed(result):
    assert not result.is_error, result.content
    return result.structured_content


def conversation(talk):
    """Run ``talk(client)`` against the installed command."""
    chosen = [word for name in REGISTERED for word in ("--game", name)]
    arguments = ["-m", "gangland.cli", "mcp", *chosen]
    server = StdioServerParameters(command=sys.executable, args=arguments)

    async def main():
        async with Client(stdio_client(server)) as client:
            return await talk(client)

    return anyio.run(main)


@pytest.mark.slow
def test_a_model_plays_a_whole_game_of_each_kind_over_stdio():
    async def talk(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        listed = parsed(await client.call_tool("games", {}))["result"]
        ends = []
        for facts in listed:
            opened = {"game": facts["game"], "seat": 1, "bots": ["random"], "seed": 5}
            seen = parsed(await client.call_tool("new_table", opened))
            rng = np.random.default_rng(5)
            events = list(seen["events"])
            while not seen["over"]:
                assert seen["your_turn"]
                assert seen["seat"] == 1
                choice = rng.choice(seen["choices"])
                wanted = choice["action"] if rng.random() < 0.5 else choice["notation"]
                call = {"table": seen["table"], "action": wanted}
                seen = parsed(await client.call_tool("act", call))
                events += seen["events"]
            assert seen["choices"] == []
            assert len(events) > 5
            ends.append((facts["game"], seen["result"]))
        return tools, listed, ends

    tools, listed, ends = conversation(talk)
    assert set(tools) == {"games", "rules", "new_table", "look", "act", "advice"}
    assert all(tool.description for tool in tools.values())
    assert [game for game, _ in ends] == [facts["game"] for facts in listed]
    assert [game for game, _ in ends] == REGISTERED
    for game, result in ends:
        assert len(result) == len(load(game).agent_names(load(game).options.resolve({})))
        assert result[0]["place"] == 1
        assert result[0]["won"]
        assert not result[-1]["won"] or result[-1]["place"] == 1


def test_advice_and_errors_over_stdio():
    async def talk(client):
        call = {"game": "chicago", "bots": ["heuristic"], "options": {"players": 3}, "seed": 1}
        seen = parsed(await client.call_tool("new_table", call))
        table = {"table": seen["table"]}
        advice = parsed(await client.call_tool("advice", {**table, "bot": "ppo:chicago/bot"}))
        plain = parsed(await client.call_tool("advice", {**table, "bot": "heuristic"}))
        again = parsed(await client.call_tool("look", table))
        refused = [
            await client.call_tool("look", {"table": "none"}),
            await client.call_tool("act", {**table, "action": 65_000}),
            await client.call_tool("act", {**table, "action": "dance"}),
            await client.call_tool("act", {**table, "action": True}),
            await client.call_tool("new_table", {"game": "chicago", "seat": True}),
            await client.call_tool("new_table", {"game": "poker"}),
            await client.call_tool("new_table", {"game": "chicago", "seat": 7}),
            await client.call_tool("new_table", {"game": "chicago", "bots": ["cmd:touch /tmp/x"]}),
            await client.call_tool("new_table", {"game": "chicago", "bots": ["random"] * 2}),
            await client.call_tool("new_table", {"game": "chicago", "options": {"players": 99}}),
            await client.call_tool("rules", {"game": "../../secret"}),
            await client.call_tool("act", {**table, "action": 1.5}),
            await client.call_tool("look", {**table, "sea": 1}),
            await client.call_tool("new_table", {"game": "chicago", "options": {"players": 3.0}}),
            await client.call_tool("rules", {"game": "chicago", "language": "../../x"}),
        ]
        rules = parsed(await client.call_tool("rules", {"game": "chicago"}))["result"]
        resource = await client.read_resource("gangland://rules/chicago")
        return seen, advice, plain, again, refused, rules, resource.contents[0].text

    seen, advice, plain, again, refused, rules, resource = conversation(talk)
    assert len(seen["players"]) == 3
    choices = {choice["action"] for choice in seen["choices"]}
    assert {thought["action"] for thought in advice["thoughts"]} == choices
    shares = [thought["probability"] for thought in advice["thoughts"]]
    assert sum(shares) == pytest.approx(1, abs=0.01)
    assert shares == sorted(shares, reverse=True)
    assert advice["best"]["action"] == advice["thoughts"][0]["action"]
    assert len(advice["chances"]) == 3
    assert sum(advice["chances"]) == pytest.approx(1, abs=0.002)
    assert plain["best"]["action"] in choices
    assert plain["chances"] is None
    assert again == seen, "advice plays nothing"
    words = [
        "open: chicago-1",
        "65000",
        "dance",
        "valid integer",
        "valid integer",
        "no game 'poker'",
        "must be 0..4",
        "no bot 'cmd:touch /tmp/x'",
        "needed 1 or 4",
        "players",
        "no game '../../secret'",
        "act: action: Input should be a valid integer or a valid string",
        "look: unknown argument sea: must be table",
        "options.players: Input should be",
        "language: must be one of en, de",
    ]
    for result, word in zip(refused, words, strict=True):
        assert result.is_error
        text = result.content[0].text
        assert word in text
        assert "Traceback" not in text
        assert "pydantic" not in text
    assert "CU-" in rules
    assert resource == rules


@pytest.mark.parametrize("game", REGISTERED)
def test_the_model_is_shown_nothing_that_its_seat_may_not_know(game):
    """Whatever is hidden from the seat is drawn again: it is shown the very same."""
    tables = Tables(Bots())
    table = tables.open(game, 0, ["random"], {}, 3)
    rng = np.random.default_rng(3)
    compared = 0
    for _ in range(25):
        seen = table.seen()
        if seen.over:
            break
        known = table.game.view(table._state, 0).known
        assert table._watch.known.tobytes() == known.tobytes()
        for seed in range(3):
            other = table.game.resample_hidden(table._state, 0, seed)
            assert table.game.redact(other, 0).tobytes() == known.tobytes()
            assert table.game.text(other, 0) == seen.picture
            compared += 1
        table.act(str(rng.choice([choice.action for choice in seen.choices])))
    assert compared > 5


def test_the_same_seed_is_the_same_game():
    def play():
        tables = Tables(Bots())
        table = tables.open("chicago", 2, ["heuristic"], {}, 9)
        lines = []
        for _ in range(15):
            seen = table.seen()
            lines += seen.events
            if seen.over:
                break
            table.act(str(seen.choices[0].action))
        return lines

    assert play() == play()


def test_the_least_recently_used_table_is_closed():
    tables = Tables(Bots())
    first = tables.open("chicago", 0, ["random"], {}, 1)
    for seed in range(MAX_TABLES - 1):
        tables.open("chicago", 0, ["random"], {}, seed)
    assert tables.find(first.name) is first
    second = next(iter(tables._tables))
    tables.open("chicago", 0, ["random"], {}, 1)
    assert tables.find(first.name) is first
    with pytest.raises(Exception, match=f"no table '{second}'"):
        tables.find(second)


def test_tools_have_schemas_that_a_model_can_read():
    async def tools():
        return {tool.name: tool for tool in await make_server().list_tools()}

    found = anyio.run(tools)
    assert found["act"].input_schema["required"] == ["table", "action"]
    assert found["new_table"].input_schema["required"] == ["game"]
    assert "choices" in found["look"].output_schema["properties"]
    json.dumps([tool.model_dump(mode="json") for tool in found.values()])


def test_the_missing_package_is_named():
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "sys.argv = ['gangland', 'mcp']\n"
        "from gangland.cli import main\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "gangland[mcp]" in done.stderr
    assert "Traceback" not in done.stderr
