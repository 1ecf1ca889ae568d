"""Programs of the user's own: expressions that are checked, compiled at run time, and kept."""
