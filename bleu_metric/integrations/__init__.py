"""Adapters for other libraries: data sets, training loops, rewards and evaluation frameworks."""
