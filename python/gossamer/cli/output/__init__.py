"""What commands print, plot, record and write while they run and when they have."""
