"""Comparison of systems, with significance tests, and of dialects on one corpus."""
