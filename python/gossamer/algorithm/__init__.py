"""Algorithms over every rank of a machine, a file or folder each, and what their results share."""
