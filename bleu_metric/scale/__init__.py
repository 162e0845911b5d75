"""BLEU of corpora spread over many machines. Each machine counts its own rows and sends only sums of integers."""
