"""Metrics of sets of texts: pairwise BLEU, minimum Bayes risk, Self-BLEU, distinct n-grams."""
