#!/usr/bin/env bash
# PageRank on 1, 2 and 4 GPUs of this host, as many as it has: milliseconds an iteration over a
# fixed number of iterations, and one verified run to the tolerance. JSON to $OUT. Called by
# tools/gpu_check.sh; gpu_runs.bash says what it needs, and -DGOSSAMER_BENCHES=ON.
set -u
. "$(dirname "$0")/gpu_runs.bash"
iterate() { # name, graph, machine
  timeout "${LIMIT:-400}" "$BUILD/bench/bench_pagerank" "$2" --machine "$3" --iterations "${ITERATIONS:-50}" --runs 5 \
    --precision "${PRECISION:-32}" --json "$OUT/$1.json" >"$OUT/$1.log" 2>&1
  local rc=$?
  [ $rc -eq 0 ] || { echo "$1: exit $rc"; tail -n 3 "$OUT/$1.log"; failed=1; return; }
  python3 - "$OUT/$1.json" "$1" <<'P'
import json, sys
r = json.load(open(sys.argv[1]))
print(f"{sys.argv[2]:28} {r['median_ms']:9.4f} ms an iteration ({r['min_ms']:.4f} to {r['max_ms']:.4f}), "
      f"{r['arcs'] / r['median_ms'] / 1e6:8.1f} G arcs/s, verified after {r['iterations_to_tolerance']} iterations")
P
}
for graph in ${GRAPHS:-kron:22 kron:24 road:5000}; do
  for n in $(gpu_counts); do
    iterate "pagerank-${graph/:/}-gpu$n" "$graph" "$(gpu_machine "$n")"
  done
done
exit $failed
