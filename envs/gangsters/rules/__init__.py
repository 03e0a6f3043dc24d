"""The rules. Read ``engine`` first: it plays a game from decision to decision.

``phases`` says which module knows the legal actions and the effect of each kind of decision, and
which one carries out what happens between decisions. A module of the game holds both for the phases
that its docstring names. What the police do stands in ``police``, and a shootout in ``shootout``.
"""
