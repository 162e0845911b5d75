"""BLEU of corpora that are spread over many machines. Each machine counts its own rows and sends only sums."""
