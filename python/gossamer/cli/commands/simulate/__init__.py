"""`gossamer simulate`: a collective, conjugate gradient or a search on a modelled system."""
