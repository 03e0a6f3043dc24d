"""Measuring: evaluation during a run, the verdict at its end, best responses, speed."""
