"""What every game shares: kernels, chance, records, environments, replays."""
