"""Corpora on many machines: counts are made where the rows are, and sums of integers travel."""
