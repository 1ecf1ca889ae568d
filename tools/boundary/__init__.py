"""Random use of the `gossamer` command and of the Python API, and what must hold of each."""
