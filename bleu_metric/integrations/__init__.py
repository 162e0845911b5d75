"""BLEU where other libraries ask for it: data sets, training loops, rewards."""
