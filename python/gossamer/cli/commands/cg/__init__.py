"""`gossamer cg MATRIX`: conjugate gradient, verified on request."""
