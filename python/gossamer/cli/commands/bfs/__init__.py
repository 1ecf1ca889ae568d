"""`gossamer bfs GRAPH`: breadth-first search from one vertex or many, verified on request."""
