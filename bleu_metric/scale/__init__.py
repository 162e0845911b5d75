"""Corpora on many machines. Each machine counts its own rows, and only sums of integers are sent."""
