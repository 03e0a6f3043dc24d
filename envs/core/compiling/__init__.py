"""How rules become machine code: Numba, its cache, and what of both is private."""
