"""Compare systems with significance tests, rank them, and find out which settings make up a score or a difference."""
