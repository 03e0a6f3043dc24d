"""The stateless endpoint: same decisions as at home, and no position can hurt the server."""

from __future__ import annotations

import signal
from base64 import b64encode

import numpy as np
import pytest

from gangland.agents.registry import make, shipped
from gangland.agents.trained.policy import PolicyAgent
from gangland.envs import load
from gangland.envs.core.errors import NotationError
from gangland.envs.core.view import Detail
from gangland.serving.bots.sandbox import NONSENSE, Job, Sandbox, _ChildLostError, read_state
from gangland.serving.errors import ServingError
from tests.games import CASES, GAMES, TOY, bot_of, random_positions

# --- decisions ------------------------------------------------------------------------------------

REGISTERED = [name for name in GAMES if name != TOY]


def views(game, every=15, seed=2, **options):
    for ply, (_, before, _, _) in enumerate(random_positions(game, seed, every=every, **options)):
        yield game.view(before, int(before.seat), seed=ply)


@pytest.mark.parametrize("name", REGISTERED)
def test_posted_states_get_the_decisions_of_the_bot_itself(client, name):
    bot = make(bot_of(name), load(name))
    for view in list(views(load(name)))[:10]:
        body = {"bot": bot_of(name), "state": view.to_dict(), "seed": view.seed}
        answer = client.post(f"/bots/{name}", body)
        assert answer["action"] == bot.decide(view).action
        assert answer["bot"] == bot_of(name)


def test_a_policy_gives_the_same_answer_for_a_state_and_its_observation(client):
    bot = PolicyAgent(load("five_points"), "five_points/bot")  # which plays its likeliest action
    for view in list(views(load("five_points")))[:12]:
        state = client.post(
            "/bots/five_points", {"state": view.to_dict()}, bot="ppo:five_points/bot"
        )
        arrays = {"observation": view.observation.tolist(), "legal": view.legal_actions}
        seen = client.post("/bots/five_points", {"bot": "ppo:five_points/bot", **arrays})
        arrays["observation"] = b64encode(view.observation.astype("<f4").tobytes()).decode()
        assert client.post("/bots/five_points", {"bot": "ppo:five_points/bot", **arrays}) == seen
        # An observation holds less of its chance: not how many seats there are.
        assert {**seen, "chance": None} == {**state, "chance": None}
        view.detail = Detail.OWN
        decision = bot.decide(view)
        assert state["action"] == decision.action
        assert state["chance"] == pytest.approx(decision.chance(view.seat), abs=1e-6)
        expected = decision.probabilities
        assert {int(a): p for a, p in state["probabilities"].items()} == pytest.approx(
            {a: expected[a] for a in view.legal_actions}
        )
        bare = client.post("/bots/five_points", {**arrays, "explain": False})
        assert bare["probabilities"] is None
        assert bare["chance"] is None


def test_a_batch_is_answered_like_single_questions(client):
    from concurrent.futures import ThreadPoolExecutor

    found = [
        # With a seed, as the newest bot draws its actions.
        {"observation": view.observation.tolist(), "legal": view.legal_actions, "seed": k}
        for k, view in enumerate(list(views(load("chicago"), every=3))[:40])
    ]
    single = [client.post("/bots/chicago", body) for body in found]
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(lambda body: client.post("/bots/chicago", body), found))
    assert together == single


def test_a_games_name_stands_for_its_newest_bot(client):
    view = next(iter(views(load("chicago"))))
    body = {"state": view.to_dict(), "seed": 1}
    newest = f"ppo:{shipped('chicago')[-1]}"
    bots = ("ppo:chicago", newest, None)
    found = [client.post("/bots/chicago", {**body, "bot": bot}) for bot in bots]
    assert found[0]["bot"] == newest
    assert found[1] == found[2] == found[0]
    answer = client.post("/bots/chicago", {**body, "bot": "ppo:five_points"}, status=422)
    assert "no bot 'ppo:five_points'" in answer["message"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "give either state or observation"),
        ({"observation": [0.0], "legal": [1]}, "observation: must be"),
        ({"observation": "AAAA", "legal": [1]}, "observation: not float32 in base64"),
        ({"observation": "A", "legal": [1]}, "observation: not float32 in base64"),
        ({"observation": "AAAAAA==", "legal": [1]}, "observation: must be"),
        ({"observation": "not a number", "legal": [1]}, "observation: not float32 in base64"),
        ({"observation": "size", "legal": [10**6]}, "legal: must be actions 0.."),
        ({"observation": "size", "legal": []}, "legal"),
        ({"observation": "size", "legal": [1], "role": "boss"}, "role: must be one of player"),
        ({"observation": "size", "legal": [1], "bot": "heuristic"}, "heuristic needs a state"),
        ({"observation": "size", "legal": [1], "bot": "ppo:/etc/passwd"}, "no bot"),
        ({"state": {}}, "game=None"),
        ({"state": {"game": "chicago"}}, "rules_version=None"),
        ({"state": {"a": 1}, "observation": [1.0]}, "give either"),
    ],
)
def test_invalid_questions_are_refused_with_the_reason(client, body, words):
    if body.get("observation") == "size":
        body = {**body, "observation": [0.0] * load("chicago").observation_size}
    answer = client.post("/bots/chicago", body, status=422)
    assert words in answer["message"]


def test_nan_is_refused_in_an_observation(client):
    size = load("chicago").observation_size
    headers = {"content-type": "application/json"}
    coded = b64encode(np.full(size, np.nan, "<f4").tobytes()).decode()
    for observation in (f"[{','.join(['1e39'] * size)}]", f'"{coded}"'):
        content = f'{{"legal": [1], "observation": {observation}}}'
        answer = client.http.post("/api/v1/bots/chicago", content=content, headers=headers)
        assert answer.status_code == 422
        assert "finite" in answer.json()["message"]


def test_impossible_states_do_not_harm_the_server(client):
    """Thousands of fields, all wrong: the server answers each and goes on."""
    game = load("chicago")
    view = next(iter(views(load("chicago"))))
    good = {"bot": "heuristic", "state": view.to_dict()}
    expected = client.post("/bots/chicago", {**good, "seed": 1})
    rng = np.random.default_rng(7)
    statuses = []
    for _ in range(40):
        state = view.to_dict()
        for field in rng.choice(sorted(state["fields"]), 3, replace=False):
            kind = game.dtype[field]
            if field != "rng" and kind.base.kind == "i":
                wild = rng.integers(-128, 128, kind.shape).astype(kind.base)
                state["fields"][field] = wild.tolist()
        answer = client.http.post("/api/v1/bots/chicago", json={**good, "state": state})
        statuses.append(answer.status_code)
        assert answer.status_code in (200, 422), answer.text
    assert 422 in statuses
    assert client.post("/bots/chicago", {**good, "seed": 1}) == expected


def test_a_crashed_child_harms_no_other_job():
    """The bad position of a batch fails, the good ones beside it are answered."""
    game = load("chicago")
    view = next(iter(views(load("chicago"))))
    good = Job("chicago", "random", view.to_dict(), 3, True)
    sandbox = Sandbox(20.0)
    try:
        (expected,) = sandbox.run([good])
        assert expected["action"] in view.legal_actions
        assert sum(expected["probabilities"].values()) == pytest.approx(1)
        killed = Killing(sandbox)
        assert killed.run([good, good])[0] == expected
        assert killed.deaths == 1
        bad = Job("chicago", "random", {**view.to_dict(), "viewer": 77}, 3, True)
        first, second = sandbox.run([bad, good])
        assert isinstance(first, ServingError)
        assert second == expected
        sandbox._child.send_signal(signal.SIGSTOP)  # it will not answer
        sandbox._seconds = 0.2
        (late,) = sandbox.run([good])
        assert str(late) == NONSENSE
    finally:
        sandbox.close()
    assert game.is_over(view.known) is False


class Killing:
    """Ends the child of a sandbox once, just when it has been asked."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.deaths = 0

    def run(self, jobs):
        asked = self.sandbox._ask

        def ask(lines, seconds):
            if not self.deaths:
                self.deaths += 1
                self.sandbox._child.kill()
                self.sandbox._child.wait()
                self.sandbox._child.poll = lambda: None  # not noticed yet
            return asked(lines, seconds)

        self.sandbox._ask = ask
        try:
            return self.sandbox.run(jobs)
        finally:
            self.sandbox._ask = asked


def test_each_position_has_its_own_time_limit():
    """A late position is to blame alone; the others of its batch are not asked twice."""
    view = next(iter(views(load("chicago"))))
    good = Job("chicago", "random", view.to_dict(), 3, True)
    sandbox, asked = Sandbox(20.0), []
    try:
        sandbox.run([good])
        inner = sandbox._ask

        def ask(lines, seconds):
            asked.append(len(lines))
            for k, answer in enumerate(inner(lines, seconds)):
                if k == 1 and len(lines) == 3:
                    raise _ChildLostError(late=True)
                yield answer

        sandbox._ask = ask
        first, late, last = sandbox.run([good] * 3)
        assert str(late) == NONSENSE
        assert first["action"] in view.legal_actions
        assert last == first
        assert asked == [3, 1, 1]  # all, the loading of the new process, the one that was left
    finally:
        sandbox.close()


def test_common_fields_are_checked_before_the_rules_run():
    game = load("chicago")
    view = next(iter(views(load("chicago"))))
    state, viewer = read_state(game, view.to_dict())
    assert state.tobytes() == view.known.tobytes()
    assert viewer == view.seat
    for change, words in [
        ({"viewer": None}, "viewer: must be a seat"),
        ({"viewer": (view.seat + 1) % 5}, "must be the seat that is to decide"),
        (
            {"fields": {**view.to_dict()["fields"], "num_seats": 9}},
            "num_seats: must be 1..6, not 9",
        ),
        ({"fields": {**view.to_dict()["fields"], "phase": 99}}, "phase: must be"),
        ({"fields": {**view.to_dict()["fields"], "over": 1}}, "to decide"),
    ]:
        with pytest.raises(Exception, match=words):
            read_state(game, {**view.to_dict(), **change})


# --- positions of unknown origin: true ones pass, impossible ones are refused by name -------------

POSITIONS = 200


def fuzzed(game, count=POSITIONS):
    """Redacted positions with fields that are nearly right, wild in one place, or all wild."""
    rng = np.random.default_rng(7)
    found = [view.to_dict() for view in views(game, every=7)]
    names = [name for name in found[0]["fields"] if game.dtype[name].base.kind in "iu"]
    names.remove("rng")
    for k in range(count):
        data = found[k % len(found)]
        fields = dict(data["fields"])
        for name in rng.choice(names, 1 + k % 3, replace=False):
            kind = game.dtype[name]
            info, value = np.iinfo(kind.base), np.array(fields[name])
            flat = value.reshape(-1)
            if k % 4 == 3:
                flat[:] = rng.integers(max(info.min, -128), min(info.max, 127) + 1, flat.size)
            else:
                near = flat[at := rng.integers(flat.size)] + rng.integers(-3, 4)
                wild = rng.integers(max(info.min, -128), min(info.max, 127) + 1)
                flat[at] = np.clip(near, info.min, info.max) if k % 4 == 0 else wild
            fields[name] = value.tolist()
        yield {**data, "fields": fields}


@pytest.mark.parametrize(("name", "options"), CASES)
def test_every_position_of_a_game_is_consistent(name, options):
    game = load(name)
    for view in views(game, every=11, **options):
        state, viewer = read_state(game, view.to_dict())
        assert state.tobytes() == view.known.tobytes()
        assert viewer == view.seat
    for *_, after in random_positions(game, 3, every=11, **options):
        assert game.from_dict(game.to_dict(after)).tobytes() == after.tobytes()


@pytest.mark.parametrize("name", REGISTERED)
def test_indices_out_of_range_are_refused_with_their_names(name):
    game = load(name)
    view = next(iter(views(game, every=7)))
    for field, (low, high) in game.bounds.items():
        for value in (low - 1, high + 1):
            data = view.to_dict()
            kind = game.dtype[field]
            if not np.iinfo(kind.base).min <= value <= np.iinfo(kind.base).max:
                continue
            data["fields"][field] = np.full(kind.shape, value).tolist()
            with pytest.raises(NotationError, match=f"^{field}: must be {low}..{high}, not"):
                game.from_dict({key: data[key] for key in data if key != "viewer"})


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("chicago", lambda f: f["hand_size"].__setitem__(f["seat"], 9), "hand_size: seat"),
        ("chicago", lambda f: f["owner"].__setitem__(3, 5), "owner: must be seats 0..4"),
        ("five_points", lambda f: f["cell"].__setitem__(1, f["cell"][0]), "cell: each of the"),
        ("five_points", lambda f: f["grid"].__setitem__(0, 4), "grid: must hold"),
        ("five_points", lambda f: f["total"].__setitem__(0, 9), "total: must be the rabble"),
        ("gangsters", lambda f: f["order"].__setitem__(0, f["order"][1]), "order: must hold"),
        ("gangsters", lambda f: f.__setitem__("legal", [0] * 291), "legal: the decision"),
        ("crime_lords", lambda f: f["superior"].__setitem__(4, 4), "superior: nobody"),
        ("crime_lords", lambda f: f["crook_loc"].__setitem__(4, 7), "crook_loc: must be"),
    ],
)
def test_contradictory_positions_are_refused_with_the_reason(name, change, words):
    game = load(name)
    data = next(iter(views(game, every=7))).to_dict()
    change(data["fields"])
    with pytest.raises(ServingError, match=words):
        read_state(game, data)


@pytest.mark.parametrize("name", REGISTERED)
def test_fuzzed_positions_do_not_crash_the_server(name):
    """Each is answered with a legal action or a sentence, by one and the same process."""
    game = load(name)
    sandbox = Sandbox(20.0)
    try:
        jobs = [Job(name, "heuristic", data, 1, False) for data in fuzzed(game)]
        sandbox.run(jobs[:1])
        process = sandbox._child
        answers = sandbox.run(jobs)
        assert sandbox._child is process
        assert process.poll() is None
    finally:
        sandbox.close()
    said = [str(answer) for answer in answers if isinstance(answer, ServingError)]
    assert len(answers) == POSITIONS
    assert len(said) > POSITIONS / 4
    assert all(isinstance(a, ServingError) or 0 <= a["action"] < game.num_actions for a in answers)
    # Nearly all refusals name what is wrong.
    assert sum(text == NONSENSE for text in said) < len(said) / 4
