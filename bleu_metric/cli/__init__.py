"""The ``bleu-metric`` command line."""
