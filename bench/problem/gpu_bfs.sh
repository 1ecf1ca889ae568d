#!/usr/bin/env bash
# BFS on every number of GPUs this host has: 64 verified sources a graph, JSON for the README's
# table. Called by tools/gpu_check.sh; gpu_runs.bash says what it needs. Real graphs are taken from
# GOSSAMER_DATA where they lie (else left out).
set -u
. "$(dirname "$0")/gpu_runs.bash"
search() { # name, then arguments of `gossamer bfs`
  local name=$1
  shift
  verified_run "$name" 200 bfs "$@" --use all
}
for n in $(gpu_counts); do
  machine=$(gpu_machine "$n")
  search "bfs-kron20-gpu$n" kron:20 --sources 64 --machine "$machine"
  search "bfs-kron24-gpu$n" kron:24 --sources "${SOURCES:-64}" --machine "$machine"
  search "bfs-road2000-gpu$n" road:2000 --sources 8 --machine "$machine"
  for real in USA-road-d.NY.gr soc-Slashdot0902.txt; do # symmetrised: directed sources reach little
    for file in "$data/$real" "$data/$real.xz"; do
      [ -e "$file" ] || continue
      search "bfs-${real%%.*}-gpu$n" "$file" --symmetrize --deduplicate --sources 16 --machine "$machine"
      break
    done
  done
done
exit "$failed"
