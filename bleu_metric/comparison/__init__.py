"""Compare systems with significance tests, rank them, and explain why two dialects give different scores."""
