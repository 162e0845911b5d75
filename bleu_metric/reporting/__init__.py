"""Scores for people to look at: pictures, and a report as one HTML file."""
