"""`gossamer filter ARRAY PREDICATE`: what a predicate keeps, over every rank of a machine."""
