#!/usr/bin/env bash
# The Graph500 benchmark at the largest scale that this host's GPUs hold, and one GPU alone: made,
# searched from 64 roots and validated on the GPUs; JSON for the README. Called by
# tools/gpu_check.sh; gpu_runs.bash says what it needs.
set -u
. "$(dirname "$0")/gpu_runs.bash"
for n in $(gpu_counts); do
  scale=29 # 64 GiB of columns before repeated ones go, and some 30 beside them
  [ "$n" -gt 1 ] && scale=30
  name=graph500-gpu$n
  timeout 300 python3 -c 'from gossamer.cli import main; main()' graph500 --scale $scale \
    --machine "$(gpu_machine "$n")" --json "$OUT/$name.json" >"$OUT/$name.log" 2>&1
  rc=$?
  [ $rc -eq 0 ] || { echo "$name: exit $rc"; failed=1; }
  grep -E '^(SCALE|NBFS|construction_time|bfs +(mean|harmonic).*)' "$OUT/$name.log" || tail -n 3 "$OUT/$name.log"
done
exit "$failed"
