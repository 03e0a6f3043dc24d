"""The rules. Read ``engine`` first: it plays a game from decision to decision.

``phases`` says for each phase where it stands what is legal and what an action does, and for each
step what is carried out between decisions. Attacks and Gang War stand in ``attack``; how a Mob is
built, falls apart and is inherited in ``mob``.
"""
