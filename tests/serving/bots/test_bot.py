"""A bot answers a batch of unlike questions: each gets its own answer, with what it asked for."""

from __future__ import annotations

import numpy as np
import pytest

from gangland.agents.registry import make
from gangland.envs import load
from gangland.envs.core.view import Detail, View
from gangland.serving.bots.bot import Bot, Question
from gangland.serving.errors import ServingError
from tests.games import views_of


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
