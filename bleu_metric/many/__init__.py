"""Metrics of sets of texts: pairwise BLEU, minimum Bayes risk, oracle, Self-BLEU, leave-one-out, distinct n-grams."""
