"""A module for each figure and table: `run(folder)` writes its files and gives its rows.

Those of paper C also measure on machines that are there, as programs:
``python -m gossamer.reproduce.figures.c_table3_runtimes FOLDER --machine cuda:0 cuda:0-3``.
"""
