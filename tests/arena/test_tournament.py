"""The arena as a whole: fair, repeatable, the same for any number of workers."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from gangland.agents.base import BatchAgent
from gangland.agents.decision import Decisions
from gangland.agents.registry import make
from gangland.arena import ArenaError, as_csv, as_tables, play, play_pool, play_table, rate
from gangland.arena.ratings.online import rate_in_order
from gangland.arena.statistics import design_effect, mean_score, win_share, win_shares
from gangland.envs import load
from gangland.envs.core.errors import GanglandError, IllegalActionError
from gangland.envs.core.game import Rules
from gangland.envs.core.kernel import kernel
from gangland.envs.core.rng import stream
from tests.games import GAMES, TOY, slow_but
from tests.toy import game as toy


class Policy(BatchAgent):
    """Like a trained policy: a matrix product over the batch, float32, then the best action."""

    spec = "policy"

    def __init__(self, game, seed=0):
        rng = np.random.default_rng(seed)
        self.first = rng.normal(size=(game.observation_size, 256)).astype(np.float32)
        self.second = rng.normal(size=(256, game.num_actions)).astype(np.float32)
        self.batches = set()

    def decide_batch(self, views):
        self.batches.add(len(views))
        logits = np.tanh(views.observations @ self.first) @ self.second
        return Decisions(np.where(views.masks, logits, -np.inf).argmax(axis=1))


class First(BatchAgent):
    """The first legal action; keeps what it is shown."""

    spec = "first"

    def __init__(self):
        self.seen = []
        self.seeds = []

    def decide_batch(self, views):
        self.seen.append(views.observations.copy())
        self.seeds += views.seeds.tolist()
        return Decisions(views.masks.argmax(axis=1))


@pytest.mark.parametrize("name", slow_but([TOY, "chicago"], GAMES))
def test_any_number_of_workers_gives_the_same_result(name, monkeypatch):
    count = 90 if name in (TOY, "chicago") else 18
    monkeypatch.setattr(play, "CHUNK", max(3, count // 6))
    results = []
    for workers in (1, 2, 3, 5) if name == TOY else (1, 3):
        agents = [Policy(load(name)), "random", "heuristic:fickle" if name == TOY else "random"]
        results.append(play_pool(name, agents, count, seed=5, workers=workers))
    for other in results[1:]:
        assert other == results[0]
        for field in ("line_ups", "deals", "places", "scores", "lengths", "capped", "decisions"):
            first, second = (getattr(r.records, field) for r in (results[0], other))
            np.testing.assert_array_equal(first, second)
    assert results[0] != play_pool(name, [Policy(load(name)), "random"], count, seed=6)


def test_the_seed_decides_everything():
    first, same, other = (play_pool(TOY, ["random", "heuristic"], 300, seed=s) for s in (1, 1, 2))
    assert first == same
    assert (first.records.scores == same.records.scores).all()
    assert (first.records.scores != other.records.scores).any()


def test_every_rotation_plays_the_same_deals():
    """The hidden cards that seats are dealt repeat from rotation to rotation, deal by deal."""
    result = play_table(TOY, ["heuristic", "random", "random"], 60, seed=9, replays=True)
    seeds = [replay.seed for replay in result.records.replays]
    assert result.deals == 20
    for deal in range(20):
        assert len(set(seeds[3 * deal : 3 * deal + 3])) == 1
    assert len(set(seeds)) == 20
    pool = play_pool(TOY, ["random", "heuristic", "heuristic:fickle"], 60, seed=9, replays=True)
    assert {replay.seed for replay in pool.records.replays} == set(seeds), "other pairings too"


def test_players_have_randomness_of_their_own():
    agent = First()
    play_table(TOY, [agent] * 3, 40, seed=2)
    assert len(set(agent.seeds)) == len(agent.seeds)
    deals = play_table(TOY, [agent] * 3, 40, seed=2, replays=True).records.replays
    assert not set(agent.seeds) & {replay.seed for replay in deals}


def test_replays_are_genuine_and_match_the_records():
    game = load(TOY)
    result = play_pool(TOY, ["random", "heuristic"], 40, seed=3, replays=True, players=4)
    assert len(result.records.replays) == result.games
    for k, replay in enumerate(result.records.replays):
        outcome = replay.verify(game)
        assert outcome.places == tuple(result.records.places[k])
        assert outcome.scores == tuple(result.records.scores[k])
        assert len(replay.actions) == result.records.lengths[k]
        names = [result.agents[a].spec for a in result.records.line_ups[k]]
        assert list(replay.players) == names


def test_tables_are_played_in_batches_and_finished_ones_rest():
    agent = Policy(load(TOY))
    result = play_table(TOY, [agent] * 3, 50)
    assert max(agent.batches) == 50
    assert sum(result.records.lengths) == result.agents[0].decisions
    assert set(result.records.lengths) <= {3, 4, 5, 6}


def test_figures_of_a_small_arena_by_hand():
    result = play_table(TOY, ["heuristic", "heuristic:reckless", "random"], 30, seed=1)
    records = result.records
    for index, agent in enumerate(result.agents):
        wins = score = place = 0.0
        for line_up, places, scores in zip(
            records.line_ups, records.places, records.scores, strict=True
        ):
            seat = list(line_up).index(index)
            wins += (places[seat] == 1) / (places == 1).sum()
            score += scores[seat]
            place += places[seat]
        assert agent.win.share == pytest.approx(wins / 30)
        assert agent.score == pytest.approx(score / 30)
        assert agent.place == pytest.approx(place / 30)
        assert (agent.games, agent.seats) == (30, 30)
        assert np.mean(agent.seat_shares) == pytest.approx(agent.win.share)
        assert agent.role_shares == {}
        assert agent.score_low < agent.score < agent.score_high
        assert agent.truncated == 0
    assert sum(agent.win.share for agent in result.agents) == pytest.approx(1)
    assert result.par == pytest.approx(1 / 3)
    assert result.of("random") is result.agents[2]
    assert result.stats.truncated == 0
    assert (result.intervals.cluster, result.intervals.clusters) == ("deal", 10)
    assert result.stats.length["mean"] == records.lengths.mean()
    assert result.stats.shared_wins == ((records.places == 1).sum(axis=1) > 1).mean()


def test_better_agents_come_out_better():
    result = play_pool(TOY, ["heuristic", "random", "heuristic:reckless"], 1200, seed=1)
    good, middling, bad = result.agents
    assert good.win.low > middling.win.high
    assert middling.win.low > bad.win.high
    assert good.rating.low > middling.rating.high
    assert middling.rating.low > bad.rating.high
    assert result.ahead[0][2] > result.ahead[0][1] > 0.5 > result.ahead[2][1]
    assert result.ahead[0][1] + result.ahead[1][0] == pytest.approx(1)


def test_intervals_are_by_deals():
    result = play_table(TOY, ["heuristic", "random", "random"], 60, seed=1)
    records = result.records
    mine = records.line_ups == 0
    won = win_shares(records.places, np.zeros(60, bool))
    assert records.deals.tolist() == [deal for deal in range(20) for _ in range(3)]
    for deals, equal in ((records.deals, True), (np.arange(60), False)):
        effect = max(design_effect(won, m, deals) for m in (mine, ~mine))
        assert (result.agents[0].win == win_share(won, mine, deals, effect)) == equal
        mean = mean_score(records.scores, mine, deals)
        agent = result.agents[0]
        assert ((agent.score_low, agent.score_high) == (mean.low, mean.high)) == equal
        rated = rate(records.line_ups, records.places, deals, 2, seed=1)
        assert (result.agents[0].rating == rated[0]) == equal


@kernel
def apply_with_a_cap(state, action):
    toy.apply(state, action)
    if state.over and state.cards[0] < 5:
        state.capped = 3
        state.rewards[:] = 0.0


class Unpaid(toy.HighCard):
    """The toy, ended by a cap that pays nobody if the first seat's card is low."""

    name = "unpaid"
    truncating_caps = (3,)
    rules = Rules(
        toy.reset,
        toy.legal_actions,
        apply_with_a_cap,
        toy.observe,
        toy.redact,
        toy.resample_hidden,
    )


@pytest.mark.parametrize("play", [play_table, play_pool])
def test_two_agents_of_one_name_are_not_counted_as_one(play):
    first = First()
    fitting = play(TOY, [first, first, "random"], 30, seed=1, players=3)
    assert sorted(agent.spec for agent in fitting.agents) == ["first", "random"]
    for pair in ([First(), First()], ["random", make("random", load(TOY))]):
        with pytest.raises(ArenaError, match=r"two agents are called '(first|random)'"):
            play(TOY, [*pair, "heuristic"], 30, seed=1, players=3)


def test_a_game_that_a_cap_cuts_off_is_won_by_nobody():
    result = play_table(Unpaid(), ["random", *[First()] * 2], 60, seed=1)
    records = result.records
    assert (records.truncated == records.capped).all()
    cut = int(records.truncated.sum())
    assert 10 < cut < 50
    assert result.stats.truncated == cut
    assert sum(result.stats.seat_shares) == pytest.approx(1 - cut / 60)
    wins = sum(agent.win.share * agent.seats for agent in result.agents)
    assert wins == pytest.approx(60 - cut)
    assert [agent.truncated for agent in result.agents] == [cut, cut]
    decided = ~records.truncated
    better = records.places[decided, :, None] < records.places[decided, None, :]
    level = records.places[decided, :, None] == records.places[decided, None, :]
    mine = records.line_ups[decided] == 0
    pairs = mine[:, :, None] & ~mine[:, None, :]
    ahead = (better + 0.5 * level)[pairs].sum() + 0.5 * 2 * cut
    assert result.ahead[0][1] == pytest.approx(ahead / 120)
    places = records.places[decided][mine].sum() + 2 * cut
    assert result.agents[0].place == pytest.approx(places / 60)
    drawn = np.where(records.truncated[:, None], 1, records.places)
    mu, _ = rate_in_order(records.line_ups, drawn, 2)
    assert [agent.rating.mu for agent in result.agents] == pytest.approx(mu.tolist())


def test_if_every_game_is_cut_off_nobody_ever_wins():
    result = play_table(Unpaid(), ["random", *[First()] * 2], 30, seed=1, highest=4)
    assert [agent.win.share for agent in result.agents] == [0, 0]
    assert all(agent.win.low == 0 < agent.win.high < 0.5 for agent in result.agents)
    assert result.stats.winning_score is None
    assert result.ahead == ((None, 0.5), (0.5, None))
    assert json.dumps(result.to_dict(), allow_nan=False)
    assert "30 games were cut off" in "".join(str(table) for table in as_tables(result, stats=True))


def test_one_deal_leaves_everything_possible():
    result = play_table(TOY, ["heuristic", "random", "random"], 3, seed=1)
    agent = result.agents[0]
    assert (agent.win.low, agent.win.high, agent.win.effective) == (0, 1, 0)
    assert (agent.score_low, agent.score_high) == (None, None)
    assert (agent.rating.low, agent.rating.high) == (None, None)
    assert json.dumps(result.to_dict(), allow_nan=False)
    assert as_csv(result).splitlines()[1].count(",,") >= 2


def test_equal_agents_in_several_seats_are_one():
    result = play_table(TOY, ["heuristic", "random", "random", "random"], 40, players=4)
    assert [agent.spec for agent in result.agents] == ["heuristic", "random"]
    assert [agent.seats for agent in result.agents] == [40, 120]
    assert result.met == ((0, 120), (120, 0))
    alone = play_pool(TOY, ["random", "random"], 20)
    assert [agent.spec for agent in alone.agents] == ["random"]
    assert alone.agents[0].win.share == pytest.approx(1 / 3)
    assert alone.ahead == ((None,),)


class Town(type(load(TOY))):
    """The toy with a last seat of another kind."""

    name = "town"
    roles = ("gang", "police")

    def seat_roles(self, options):
        return (0,) * (self.num_players(options) - 1) + (1,)


def test_roles_are_rated_apart():
    game = Town()
    result = play_pool(game, ["random", make("heuristic", load(TOY)), First()], 120, players=4)
    for agent in result.agents:
        assert set(agent.role_shares) == {"gang", "police"}
        assert agent.role_shares["police"] == agent.seat_shares[3]
    seats = [(result.records.line_ups == a).sum(axis=0).tolist() for a in range(3)]
    assert seats[0] == seats[1] == seats[2]
    table = play_table(game, ["random", *[First()] * 2, "random"], 30, players=4)
    assert (table.records.line_ups[:, 3] == 0).all()
    assert table.games == 30


def test_illegal_answers_end_the_arena():
    for workers in (1, 2):
        with pytest.raises(IllegalActionError, match="agent heuristic:cheat chose action 0"):
            play_table(TOY, ["heuristic:cheat"] * 3, 600, workers=workers)


@pytest.mark.parametrize(
    "answer", [np.array([0]), np.full(6, 7), np.full(6, -1), np.zeros(6), np.full(6, None)]
)
def test_no_answer_is_mended(answer):
    class Wrong(First):
        spec = "wrong"

        def decide_batch(self, views):
            return Decisions(answer)

    with pytest.raises(IllegalActionError, match="agent wrong"):
        play_table(TOY, [Wrong()] * 3, 6)


def test_an_agent_cannot_change_the_rules_by_writing_into_its_views():
    class Scribbler(First):
        spec = "scribbler"

        def decide_batch(self, views):
            views.masks[:] = True
            views.known["cards"][:] = 9
            views.observations[:] = 0
            return Decisions(np.zeros(len(views), np.int64))

    with pytest.raises(IllegalActionError, match="agent scribbler"):
        play_table(TOY, [Scribbler(), "heuristic:reckless", "heuristic:reckless"], 60)


def test_progress_counts_every_game_once():
    lock, seen = threading.Lock(), []

    def progress(done, total):
        with lock:
            seen.append((done, total))

    result = play_pool(TOY, ["random", "heuristic"], 500, workers=3, progress=progress)
    assert sum(done for done, _ in seen) == result.games
    assert {total for _, total in seen} == {result.games}


def test_results_are_json():
    result = play_pool(TOY, ["random", "heuristic", "heuristic:fickle"], 30)
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert data["format"] == "gangland-arena/1"
    assert data["options"] == {"players": 3, "highest": 9}
    assert data["agents"][1]["win"]["share"] == result.agents[1].win.share
    assert data["ahead"][0][0] is None
    assert "records" not in data
    assert data["intervals"] == {
        "confidence": 0.95,
        "cluster": "deal",
        "clusters": 10,
        "win_share": "Wilson, effective sample size",
        "score": "Student's t, cluster-robust",
        "rating": "bootstrap",
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, "games=0: must be an integer 1..10000000"),
        ({"workers": 0}, "workers=0: must be an integer 1..1024"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**64}, "seed="),
        ({"players": 9}, "players=9: must be 2..4"),
        ({"colour": 1}, "unknown option colour=1"),
        ({"game": "poker"}, "no game 'poker'"),
        ({"agents": ["random"] * 2}, "table of 2 agents: highcard with players=3 needs 3"),
        ({"agents": ["random", "random", "me"]}, "no agent 'me'"),
    ],
)
def test_bad_arguments_are_refused(change, words):
    arguments = {"game": TOY, "agents": ["random"] * 3, "games": 3, **change}
    with pytest.raises(GanglandError) as caught:
        play_table(**arguments)
    assert words in str(caught.value)


def test_an_empty_pool_is_refused():
    with pytest.raises(ArenaError, match="no agents"):
        play_pool(TOY, [], 10)


def test_deals_are_streams_of_the_seed():
    """Written down so that results stay the same from version to version."""
    result = play_table(TOY, ["random"] * 3, 2, seed=7, replays=True)
    base = np.uint64(stream(np.uint64(7), np.uint64(1)))
    expected = [int(stream(np.uint64(stream(base, np.uint64(d))), np.uint64(0))) for d in range(2)]
    assert [replay.seed for replay in result.records.replays] == expected
