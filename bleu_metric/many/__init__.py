"""Metrics of sets of texts: pairwise BLEU, minimum Bayes risk, Self-BLEU."""
