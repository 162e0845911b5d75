"""Adapters for other libraries: datasets, training loops, rewards and evaluation frameworks."""
