#!/usr/bin/env bash
# Components on every number of GPUs this host has: verified runs, the median of their times, JSON.
# Called by tools/gpu_check.sh; gpu_runs.bash says what it needs.
set -u
. "$(dirname "$0")/gpu_runs.bash"
for n in $(gpu_counts); do
  for graph in ${GRAPHS:-kron:22 kron:24 road:5000}; do
    verified_run "components-${graph/:/}-gpu$n" 400 components "$graph" --use all \
      --machine "$(gpu_machine "$n")" --repeat "${REPEAT:-5}"
  done
done
exit $failed
