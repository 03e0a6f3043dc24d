"""The rules. Read ``engine`` first: it plays a decision, and forced ones, up to the next choice.

Each other module holds what is legal and what follows for the decisions that it names.
"""
