"""What a seat sees: a vector relative to it, itself first (section 25).

``layout`` names every number, and ``observe`` fills in where everything is and what attacks on a
card would take: the numbers to roll follow from many cards at once, and from no row of a single
one.
"""
