#!/usr/bin/env bash
# BFS on every number of GPUs this host has: 64 verified sources a graph, JSON for the README's
# table. Called by tools/gpu_check.sh with BUILD and OUT set; needs -DGOSSAMER_PYTHON=ON there.
# Real graphs are taken from GOSSAMER_DATA where they lie (else left out).
set -u
gpus=$(nvidia-smi -L | wc -l)
export PYTHONPATH="$BUILD/python"
command="python3 -c 'from gossamer.cli import main; main()'"
data=${GOSSAMER_DATA:-../shared/data}
failed=0
search() { # name, arguments of `gossamer bfs`
  local name=$1
  shift
  eval "timeout 200 $command bfs $* --use all --verify --json \"$OUT/$name.json\"" >"$OUT/$name.log" 2>&1
  local rc=$?
  [ $rc -eq 0 ] || { echo "$name: exit $rc"; tail -n 3 "$OUT/$name.log"; failed=1; }
  python3 - "$OUT/$name.json" "$name" <<'P'
import json, sys
try:
    r = json.load(open(sys.argv[1]))
except OSError:
    sys.exit()
s = r["summary"]
print(f"{sys.argv[2]:24} {s.get('median_milliseconds', 0):9.3f} ms  "
      f"{s.get('harmonic_mean_teps', 0) / 1e9:8.2f} GTEPS  verified "
      f"{sum(bool(x.get('verified')) for x in r['runs'])}/{len(r['runs'])}")
P
}
for n in ${GPUS:-1 2 4}; do
  [ "$n" -le "$gpus" ] || continue
  machine=cuda:0-$((n - 1))
  [ "$n" -eq 1 ] && machine=cuda:0
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
exit $failed
