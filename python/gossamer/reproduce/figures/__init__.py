"""A module for each figure and table: `run(folder)` writes its files and gives its rows.

Most of paper C's have `on_machines(words)`, too, which measures on machines that are there:
`gossamer reproduce --machine` calls it. As programs they take further options:
``python -m gossamer.reproduce.figures.c_table3_runtimes FOLDER --machine cuda:0 cuda:0-3``.
"""
