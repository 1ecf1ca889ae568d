"""Random graphs, algorithms, engines, machines, options and faults against SciPy and NumPy.

`graphs` makes graphs, `calls` what is asked and what must hold of the answer, `faults` what happens
beside, `leaks` finds what is left behind. `batches` runs cases in processes of their own. `python
tools/soak` has the arguments.
"""
