"""Scores of corpora on many machines. Each machine counts its own rows and sends only sums of integers."""
