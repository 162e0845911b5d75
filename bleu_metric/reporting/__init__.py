"""Draw figures of scores, and write a report as one HTML file."""
