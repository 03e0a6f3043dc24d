"""What the conformance suite needs to know of Pig."""

SCORED = ({"max_turns": 3},)


def violations(game, state):
    """What is wrong with a position, in words."""
    wrong = ["points below zero"] if state.total < 0 or (state.banked < 0).any() else []
    ended = (state.banked >= state.target).any() or state.turns >= state.max_turns
    return wrong if state.over == ended else [*wrong, f"over={state.over}: {state.banked}"]
