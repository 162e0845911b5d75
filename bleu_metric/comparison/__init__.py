"""Two systems or more against each other, and one corpus in two dialects: what differs, and whether it is chance."""
