"""Figures of scores, and a report as one HTML file."""
