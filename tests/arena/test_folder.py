"""Tournaments of the bots in a folder."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import count

import numpy as np
import pytest

from gangland.agents.outside.bot_file import FileAgent
from gangland.agents.registry import make
from gangland.arena.folder import (
    Field,
    Moment,
    as_html,
    as_tables,
    decisive_moments,
    find_entrants,
    play_folder,
)
from gangland.arena.folder.moments import judge_of
from gangland.arena.folder.page import caption
from gangland.arena.folder.play import ROUND, rounds_of
from gangland.arena.play import play_schedules
from gangland.arena.schedule import pool_schedule
from gangland.arena.tournament import ArenaError
from gangland.envs import load
from gangland.envs.core.errors import GanglandError
from gangland.envs.core.view import Detail
from tests.agents.checkpoints import write_checkpoint
from tests.games import TOY

GAME = load(TOY)
LOW = "def act(view):\n    return view.legal_actions[0]\n"
LUCKY = "def act(view):\n    return view.legal_actions[view.seed % len(view.legal_actions)]\n"
BROKEN = """def act(view):
    if view.seed % 5 == 0:
        return view.nothing
    if view.seed % 5 == 1:
        return 10**6
    return view.legal_actions[-1]
"""
BOTS = {"low.py": LOW, "lucky.py": LUCKY, "broken.py": BROKEN}
NUMBERS = iter(count())


@pytest.fixture
def folder(tmp_path):
    """A folder of its own for each test: a bot's file is run once by a process."""
    place = tmp_path / f"bots{next(NUMBERS)}"
    place.mkdir()
    for name, text in BOTS.items():
        (place / name).write_text(text)
    return place


@pytest.fixture
def played(monkeypatch):
    """The schedules that tournaments have played."""
    found = []

    def counted(players, schedules, **settings):
        found.extend(schedules)
        return play_schedules(players, schedules, **settings)

    monkeypatch.setattr("gangland.arena.folder.play.play_schedules", counted)
    return found


def play(folder, also=(), games=300, **settings):
    return play_folder(GAME, find_entrants(folder, GAME, also), games, **settings)


def standing(result, name):
    return next(one for one in result.standings if one.name == name)


# --- who takes part -------------------------------------------------------------------------------


def test_bots_are_files_with_act_and_folders_with_a_model(folder):
    (folder / "helper.py").write_text("X = 1\nclass A:\n    def act(self): ...\n")
    (folder / "borrowed.py").write_text("from low import act\n")
    (folder / "_resting.py").write_text(LOW)
    (folder / ".hidden.py").write_text(LOW)
    (folder / "notes.txt").write_text("def act(view): ...")
    (folder / "empty").mkdir()
    write_checkpoint(folder / "net", GAME)
    field = find_entrants(folder, GAME, ["random", "heuristic", "random"])
    names = ("borrowed", "broken", "heuristic", "low", "lucky", "net", "random")
    assert field.names == names
    assert field.refused == {"helper": f"{folder / 'helper.py'} has no function act(view)"}
    agents = dict(zip(names, field.agents, strict=True))
    assert isinstance(agents["low"], FileAgent)
    assert agents["net"].folder == folder / "net"


def test_what_cannot_be_loaded_does_not_take_part(folder):
    (folder / "typo.py").write_text("def act(view)\n")
    (folder / "leaves.py").write_text("def act(view): ...\nexit(1)\n")
    (folder / "zero.py").write_bytes(b"def act(view): ...\0\n")
    write_checkpoint(folder / "net", GAME)
    (folder / "net" / "model.json").write_text("{}")
    field = find_entrants(folder, GAME)
    assert field.names == ("broken", "low", "lucky")
    assert "typo.py:1: SyntaxError" in field.refused["typo"]
    assert "leaves.py:2: SystemExit: 1" in field.refused["leaves"]
    assert "zero.py" in field.refused["zero"]
    assert "net" in field.refused
    assert all("\n" not in why for why in field.refused.values())


def test_bad_folders_are_named(tmp_path):
    def refused(folder, words, also=()):
        with pytest.raises(GanglandError, match=words):
            find_entrants(folder, GAME, also)

    refused(tmp_path / "none", "none: there is no such folder")
    refused(tmp_path, r"holds no bot: neither a Python file .*gangland new-bot")
    file = tmp_path / "one.py"
    file.write_text(LOW)
    refused(file, r"one\.py: is not a folder")
    refused(tmp_path, r"only one can play\. A tournament needs two: .*--with")
    refused(tmp_path, "no agent 'nobody'", ["nobody"])
    assert find_entrants(tmp_path, GAME, ["random"]).names == ("one", "random")
    (tmp_path / "two.py").write_text("def act(view)\n")
    refused(tmp_path, r"only one can play; .*two\.py:1: SyntaxError")
    file.unlink()
    refused(tmp_path, "no bot can play; ")


def test_two_bots_of_one_name_are_named(folder):
    write_checkpoint(folder / "low", GAME)
    with pytest.raises(ArenaError, match=r"two bots are called low: .*low and .*low\.py; rename"):
        find_entrants(folder, GAME)
    (folder / "low.py").rename(folder / "random.py")
    with pytest.raises(ArenaError, match=r"two bots are called random: .*random\.py and the agent"):
        find_entrants(folder, GAME, ["random"])


# --- the games ------------------------------------------------------------------------------------


def test_all_play_equally_often_and_a_broken_bot_loses_only_its_own_games(folder):
    result = play(folder, ["heuristic"])
    line_ups = result.played.line_ups
    for seat in range(3):
        assert len(set(np.bincount(line_ups[:, seat]).tolist())) == 1
    assert sum(one.win.share for one in result.standings) * 3 / 4 == pytest.approx(1)
    shares = [one.win.share for one in result.standings]
    assert shares == sorted(shares, reverse=True)
    assert all(one.win.low < one.win.share < one.win.high for one in result.standings)
    broken = standing(result, "broken")
    lost = {fault.game for fault in result.faults("broken")}
    assert 0 < broken.forfeits == len(lost) < broken.games
    for fault in result.faults("broken"):
        assert result.places[fault.game, fault.seat] == 3
    assert [one.forfeits for one in result.standings if one.name != "broken"] == [0] * 3
    (illegal, raised) = sorted(result.commonest("broken"))
    assert re.search(r"broken\.py:1: act returned 1000000: must be one of", illegal[0])
    assert re.search(r"broken\.py:3: AttributeError: .*nothing", raised[0])
    assert illegal[1] + raised[1] == len(result.faults("broken"))
    replay = result.played.replays[raised[2].game]
    replay.verify(GAME)
    assert replay.players[raised[2].seat] == "broken"


def test_with_fewer_bots_than_seats_bots_sit_in_several(folder):
    (folder / "broken.py").unlink()
    result = play(folder, games=30)
    assert all(set(line_up) == {0, 1} for line_up in result.played.line_ups.tolist())


def test_the_result_is_the_same_for_any_workers(folder):
    one, two = (play(folder, workers=workers) for workers in (1, 2))
    assert one == two
    assert one.played.faults == two.played.faults
    assert [r.chain for r in one.played.replays] == [r.chain for r in two.played.replays]
    assert play(folder, seed=1) != one


def test_an_interrupted_tournament_continues(folder, tmp_path, played):
    whole, kept = play(folder), tmp_path / "kept"

    def stop(ended, total):
        if len(list(kept.glob("*.npz"))) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(folder, kept=kept, progress=stop)
    assert len(list(kept.glob("*.npz"))) == 2
    played.clear()
    ended, shown = [], []
    again = play(
        folder,
        kept=kept,
        progress=lambda games, total: ended.append(games),
        on_round=lambda standings, par: shown.append(standings),
    )
    rounds = len(rounds_of(pool_schedule(3, (0, 0, 0), 300, 0)))
    assert len(played) == rounds - 2
    assert again == whole
    assert again.played.faults == whole.played.faults
    assert again.played.replays == whole.played.replays
    assert sum(ended) == len(whole.places)
    assert {one.name for one in shown[0]} == {"broken", "low", "lucky"}
    # More games begin with the same ones, and a damaged round is played again.
    played.clear()
    longer = play(folder, games=600, kept=kept)
    assert (
        longer.played.replays[: len(whole.places) - ROUND]
        == (whole.played.replays[: len(whole.places) - ROUND])
    )
    assert len(played) < len(rounds_of(pool_schedule(3, (0, 0, 0), 600, 0))) - rounds + 2
    played.clear()
    file = min(kept.glob("*.npz"))
    file.write_bytes(file.read_bytes()[:50])
    assert play(folder, games=600, kept=kept) == longer
    assert len(played) <= 1


def test_an_edited_bot_plays_again(folder, tmp_path, played):
    play(folder, games=30, kept=tmp_path / "kept")
    played.clear()
    play(folder, games=30, kept=tmp_path / "kept")
    assert played == []
    (folder / "low.py").write_text(f"{LOW}# better\n")
    before = set((tmp_path / "kept").iterdir())
    play(folder, games=30, kept=tmp_path / "kept")
    assert len(played) == len(before) == 1
    assert len(set((tmp_path / "kept").iterdir()) - before) == 1
    assert not before & set((tmp_path / "kept").iterdir()), "what is of no use is removed"


def test_rounds_are_whole_deals():
    schedule = pool_schedule(7, (0, 0, 0, 0, 1), 1000, 3)
    rounds = rounds_of(schedule)
    assert np.concatenate([one.deals for one in rounds]).tolist() == schedule.deals.tolist()
    seen = [set(one.deals.tolist()) for one in rounds]
    assert sum(map(len, seen)) == len(set.union(*seen))
    assert all(len(one) >= ROUND for one in rounds[:-1])


# --- the report -----------------------------------------------------------------------------------


class Page(HTMLParser):
    """Checks that elements are closed, and collects what is linked and what is said."""

    EMPTY = ("meta",)

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.words, self.tags = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("href", "src", "xlink:href")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def page_of(result, moments, game=GAME, **more):
    text = as_html(result, game, moments, title="<b>", command="x & y", replays="g", **more)
    page = Page(text)
    assert page.open == []
    assert all(link.startswith("#") for link in page.links)
    outside = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//|@import|url\((?!#)|<script|<link", outside)
    return page


def test_the_report_has_standings_faults_and_pictures(folder):
    (folder / "typo.py").write_text("def act(view)\n")
    result = play(folder, ["heuristic"])
    moments = decisive_moments(result, GAME, judge_of(GAME))
    page = page_of(result, moments)
    said = " ".join(page.words)
    for words in ("<b>: High card", "x & y", "broken.py:3: AttributeError", "act returned 1000000"):
        assert words in said
    assert re.search(r"did not take part: +\S*typo\.py:1: SyntaxError", said)
    for one in result.standings:
        assert f"{one.win.share:.1%}" in said
        assert f"{one.win.low:.1%}–{one.win.high:.1%}" in said
    assert page.tags.count("svg") == page.tags.count("figure") == len(moments) == 6
    winners = {moment.name for moment in moments}
    assert {one.name for one in result.standings[:3]} <= winners
    for moment in moments:
        state = list(result.played.replays[moment.game].states(GAME))[moment.ply]
        seat = int(state.seat)
        assert result.places[moment.game, seat] == 1
        assert result.names[result.played.line_ups[moment.game, seat]] == moment.name
        assert moment.action == GAME.describe(
            state, result.played.replays[moment.game].actions[moment.ply]
        )
        assert moment.chances is None, "no network ships for this game"


def test_moments_are_where_the_winners_probability_rises_most_before_the_end():
    game = load("chicago")
    names = ("heuristic", "ppo:chicago")
    field = Field(names, tuple(make(name, game) for name in names), {})
    result = play_folder(game, field, 4, players=2)
    judge = judge_of(game)
    moments = decisive_moments(result, game, judge)
    assert moments
    for moment in moments:
        before, after = moment.chances
        replay = result.played.replays[moment.game]
        states = list(replay.states(game))
        seat = game.seat_to_act(states[moment.ply])
        own = [k for k, state in enumerate(states) if game.seat_to_act(state) == seat]

        chances = [
            judge.decide(game.view(states[k], seat, detail=Detail.OWN)).chance(seat) for k in own
        ]
        rises = np.diff([*chances, 1.0])
        assert moment.last == (rises[:-1].max(initial=0.0) <= rises[-1] / 2)
        rise = rises[-1] if moment.last else rises[:-1].max()
        assert after - before == pytest.approx(rise, abs=1e-6)
        assert rises[own.index(moment.ply)] == pytest.approx(rise, abs=1e-6)
        assert 0 <= before < after <= 1
    page = page_of(result, moments, game, judge=judge.spec)
    assert "ppo:chicago/bot" in " ".join(page.words)


def test_captions_say_what_happened():
    moment = Moment(4, 9, 20, "<mine>", "Capone", "Draw.", (0.25, 0.5), False, "<svg/>")
    assert "<b>&lt;mine&gt;</b>, Capone" in caption(moment)
    assert "game 5. Decision 10 of 20: <b>Draw.</b>" in caption(moment)
    assert caption(moment).endswith("was 25%, and 50% when it decided next.")
    last = Moment(4, 9, 20, "mine", "Capone", "Draw.", (0.25, 1.0), True, "<svg/>")
    assert caption(last).endswith("was 25%; it decided no more.")
    assert caption(Moment(4, 9, 20, "m", "C", "Draw.", None, True, "")).endswith("<b>Draw.</b>")


def test_without_faults_the_report_says_so(folder):
    (folder / "broken.py").unlink()
    result = play(folder, games=30)
    assert "No bot that took part has failed." in " ".join(page_of(result, []).words)
    assert len(as_tables(result)) == 2
