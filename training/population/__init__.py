"""Whom the policy plays: the league of its snapshots and exploiters."""
