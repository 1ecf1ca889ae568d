#!/usr/bin/env bash
# Algorithms on every number of GPUs this host has, see gpu_algorithms.py. Called by
# tools/gpu_check.sh; gpu_runs.bash says what it needs, and -DGOSSAMER_BENCHES=ON. New York's roads
# are taken from GOSSAMER_DATA where they lie (else left out).
set -u
. "$(dirname "$0")/gpu_runs.bash"
roads=()
for file in "$data/USA-road-d.NY.gr" "$data/USA-road-d.NY.gr.xz"; do
  [ -e "$file" ] && roads=(--roads "$file") && break
done
# shellcheck disable=SC2046
python3 "$here/gpu_algorithms.py" "$BUILD" "$OUT/algorithms.json" --gpus $(gpu_counts) "${roads[@]}"
