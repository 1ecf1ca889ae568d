"""What command lines name: graphs, matrices, files of numbers, partitions, sources."""
