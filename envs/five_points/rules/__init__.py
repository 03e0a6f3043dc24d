"""The rules. Read ``engine`` first: it plays a round from decision to decision.

``phases`` says for each decision where it stands what is legal and what an action does. The other
modules hold what that is about, and what follows without a decision.
"""
