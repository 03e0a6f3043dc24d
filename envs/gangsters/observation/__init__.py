"""What a seat sees: a vector relative to it, itself first (G-18, G-23).

Everything that the seat may know is in it. Places are encoded in three ways: by node (eight bits
and the map's coordinates, for every piece), by building (who owns it, who stands in it), and for
the question that is due (where the moving piece is and goes, who stands there). Gangs come in
cyclic order without the police, so that the vector means the same to every gang; the marks of
actions on rivals count the police too (G-21.1), and ``rivals`` is in their order. In the last block
stands for every building side by side whose it is, who stands in it and who may go there with the
dice of the turn: what a piece can do depends on that, and no place on a map shows it.

``layout`` names every number, ``observe`` fills in the table, ``reach`` who may go to which
building, and ``question`` what the decision that is due is about.
"""
