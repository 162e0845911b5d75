"""The command line, ``bleu-metric``."""
