"""Adapters for other libraries: evaluate, datasets, training loops and rewards."""
