"""What every game shares: kernels, chance, records, options, views, replays."""
