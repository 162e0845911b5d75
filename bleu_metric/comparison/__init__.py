"""Compare systems with significance tests, rank them, and explain scores: why two differ, or which settings gave one."""
