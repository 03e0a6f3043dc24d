"""Batches: jobs that come together are done together, and each gets its own answer or error."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.envs import load
from gangland.envs.core.view import Detail, View
from gangland.serving.batching import Batcher, Overloaded
from gangland.serving.bots.bot import Bot, Question
from gangland.serving.errors import ServingError
from tests.games import views_of

# --- jobs -----------------------------------------------------------------------------------------


@pytest.fixture(params=["in a thread", "at once"])
def pool(request):
    if request.param == "at once":
        yield None
        return
    with ThreadPoolExecutor(1) as executor:
        yield executor


def run(work):
    return asyncio.run(asyncio.wait_for(work, 20))


def test_jobs_submitted_together_form_a_batch(pool):
    batches = []

    def double(jobs):
        batches.append(list(jobs))
        return [2 * job for job in jobs]

    async def ask():
        batcher = Batcher(double, pool, size=4)
        return await asyncio.gather(*(batcher.submit(k) for k in range(6)))

    assert run(ask()) == [0, 2, 4, 6, 8, 10]
    assert batches == [[0, 1, 2, 3], [4, 5]]


def test_an_error_affects_only_its_own_job(pool):
    def halve(jobs):
        return [ValueError(f"{job} is odd") if job % 2 else job // 2 for job in jobs]

    async def ask():
        batcher = Batcher(halve, pool, size=4)
        return await asyncio.gather(*(batcher.submit(k) for k in (2, 3)), return_exceptions=True)

    found, error = run(ask())
    assert found == 1
    assert isinstance(error, ValueError)
    assert str(error) == "3 is odd"


def test_a_failed_batch_fails_its_jobs_only(pool):
    def invert(jobs):
        return [1 / job for job in jobs]

    async def ask():
        batcher = Batcher(invert, pool, size=4)
        first = await asyncio.gather(*(batcher.submit(k) for k in (1, 0)), return_exceptions=True)
        return first, await batcher.submit(4)

    first, then = run(ask())
    assert [type(error) for error in first] == [ZeroDivisionError] * 2
    assert then == 0.25


def test_too_many_jobs_are_refused(pool):
    async def ask():
        batcher = Batcher(list, pool, size=1, waiting=2)
        jobs = (batcher.submit(k) for k in range(5))
        return await asyncio.gather(*jobs, return_exceptions=True)

    answers = run(ask())
    assert answers[:2] == [0, 1]
    assert [type(answer) for answer in answers[2:]] == [Overloaded] * 3


def test_cancelled_jobs_are_skipped(pool):
    seen = []

    def note(jobs):
        seen.extend(jobs)
        return jobs

    async def ask():
        batcher = Batcher(note, pool, size=4)
        gone = asyncio.ensure_future(batcher.submit(1))
        stays = asyncio.ensure_future(batcher.submit(2))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays

    assert run(ask()) == 2
    assert 2 in seen


def test_work_runs_in_the_pool_or_in_the_event_loop():
    def where(jobs):
        return [threading.current_thread() is threading.main_thread() for _ in jobs]

    async def ask():
        with ThreadPoolExecutor(1) as executor:
            here = await Batcher(where, None, size=1).submit(0)
            return here, await Batcher(where, executor, size=1).submit(0)

    assert run(ask()) == (True, False)


# --- a bot's batch of unlike questions ------------------------------------------------------------


def asked(count=12):
    """Views and observations in turn, asked for details in turn."""
    single = views_of("chicago", tables=count, plies=9)
    for k in range(count):
        view, detail = single[k], Detail(k % 3)
        view.detail = detail
        if k % 2 == 0:
            yield view, view
        else:
            detail = min(detail, Detail.OWN)
            view.detail = detail
            yield view, Question(view.observation, view.action_mask, 0, view.seed, detail)


@pytest.mark.parametrize("name", ["chicago/bot"])
def test_every_question_of_a_batch_gets_its_own_answer(name):
    game = load("chicago")
    agent = make(f"ppo:{name}?temperature=1", game)
    pairs = list(asked())
    found = Bot(game, "bot", agent).answer([question for _, question in pairs])
    assert len({decision.action for decision in found}) > 1
    for decision, (view, question) in zip(found, pairs, strict=True):
        alone = agent.decide(view)
        assert decision.action == alone.action
        assert (decision.probabilities is None) == (question.detail == Detail.ACTION)
        if decision.probabilities is not None:
            assert decision.probabilities == pytest.approx(alone.probabilities, abs=1e-5)
            if isinstance(question, Question) and agent.gives_chances:
                # Nobody says who sits there: its own chance alone, with all seats counted.
                assert np.isnan(decision.chances[1:]).all()
                assert decision.chances[0] == pytest.approx(alone.chance(view.seat), abs=0.02)
            elif isinstance(question, Question):  # A value is no chance without a number of seats.
                assert decision.chances is None
            else:
                assert decision.chances == pytest.approx(alone.chances, abs=1e-5, nan_ok=True)
        everybody = decision.chances_of(5) is not None
        if agent.gives_chances:  # They cost nothing then, so that an agent gives them unasked.
            wanted = isinstance(question, View) and question.detail > Detail.ACTION
        else:
            wanted = question.detail == Detail.ALL
        assert everybody == wanted


def test_only_bots_that_need_no_records_answer_without_a_position():
    game = load("chicago")
    questions = [question for _, question in asked()]
    answers = Bot(game, "bot", make("heuristic", game)).answers(questions)
    for question, answer in zip(questions, answers, strict=True):
        assert isinstance(answer, ServingError) == isinstance(question, Question)
