#!/usr/bin/env bash
# Paper A's engine on every number of GPUs this host has: queues copied beside queues read where
# they are, with what copies hide, and the ways of the result to the host. Every search is verified;
# JSON for tools/collect_results.py. Called by tools/gpu_check.sh; gpu_runs.bash says what it needs.
set -u
. "$(dirname "$0")/gpu_runs.bash"
search() { # name, graph, number of GPUs, then more options of `gossamer bfs`
  local name=vector-queue-$1-gpu$3 graph=$2 machine
  machine=$(gpu_machine "$3")
  shift 3
  verified_run "$name" 300 bfs "$graph" --machine "$machine" --use all --breakdown "$@"
}
for n in $(gpu_counts); do
  for scale in ${SCALES:-24 25}; do
    for transport in copy direct; do
      [ "$n" -gt 1 ] || [ $transport = copy ] || continue # nothing is exchanged
      search "kron$scale-$transport" "kron:$scale" "$n" --sources "${SOURCES:-6}" \
        --engine vector_queue:transport=$transport
    done
  done
  for results in stay serial slices overlapped; do
    search "results-$results" "kron:${RESULTS_SCALE:-26}" "$n" --sources 3 \
      --engine vector_queue:results=$results
  done
done
exit "$failed"
