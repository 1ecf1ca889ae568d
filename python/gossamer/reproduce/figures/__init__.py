"""A module for each figure and table: `run(folder)` writes its files and gives its rows.

Those that `gossamer reproduce --machine` measures take machines that are there: papers A's, B's,
D's and E's as a second argument of `run`, most of paper C's by `on_machines(words)`, instead of
what is predicted. As programs paper C's take further options:
``python -m gossamer.reproduce.figures.c_table3_runtimes FOLDER --machine cuda:0 cuda:0-3``.
"""
