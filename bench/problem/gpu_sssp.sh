#!/usr/bin/env bash
# Shortest paths on one GPU: verified runs from 16 sources a graph, the median of their times, JSON.
# Called by tools/gpu_check.sh; gpu_runs.bash says what it needs. New York's roads are taken from
# GOSSAMER_DATA where they lie (else left out).
set -u
. "$(dirname "$0")/gpu_runs.bash"
find_paths() { # name, then arguments of `gossamer sssp`
  local name=$1
  shift
  verified_run "$name" 500 sssp "$@" --machine cuda:0 --sources "${SOURCES:-16}"
}
for graph in ${GRAPHS:-kron:22 road:5000}; do
  find_paths "sssp-${graph/:/}" "$graph" --weights
done
for roads in "$data/USA-road-d.NY.gr" "$data/USA-road-d.NY.gr.xz"; do
  [ -e "$roads" ] || continue
  find_paths sssp-NY "$roads"
  break
done
exit $failed
