#!/usr/bin/env bash
# Shortest paths on one GPU: verified runs from 16 sources a graph, the median of their times, JSON.
# Called by tools/gpu_check.sh with BUILD and OUT set; needs -DGOSSAMER_PYTHON=ON there. New York's
# roads are taken from GOSSAMER_DATA where they lie (else left out).
set -u
export PYTHONPATH="$BUILD/python"
data=${GOSSAMER_DATA:-../shared/data}
failed=0
find_paths() { # name, arguments of `gossamer sssp`
  local name=$1
  shift
  timeout 500 python3 -c 'from gossamer.cli import main; main()' sssp "$@" --machine cuda:0 \
    --sources "${SOURCES:-16}" --verify --json "$OUT/$name.json" >"$OUT/$name.log" 2>&1
  local rc=$?
  [ $rc -eq 0 ] || { echo "$name: exit $rc"; tail -n 3 "$OUT/$name.log"; failed=1; }
  python3 - "$OUT/$name.json" "$name" <<'P'
import json, sys
try:
    r = json.load(open(sys.argv[1]))
except OSError:
    sys.exit()
s = r["summary"]
# Of the run whose time is the median.
runs = sorted(r["runs"], key=lambda x: x["milliseconds"])
run = runs[len(runs) // 2]
looks = run["relaxations"] / max(1, r["graph"]["arcs"])
print(f"{sys.argv[2]:24} {s['median_milliseconds']:8.3f} ms  (from {s['min_milliseconds']:.3f} to "
      f"{s['max_milliseconds']:.3f})  delta {run['delta']:g}  rounds {run['rounds']}  {looks:.2f} looks an arc  "
      f"verified {sum(bool(x.get('verified')) for x in r['runs'])}/{len(r['runs'])}")
P
}
for graph in ${GRAPHS:-kron:22 road:5000}; do
  find_paths "sssp-${graph/:/}" "$graph" --weights
done
roads=$data/USA-road-d.NY.gr.xz
[ ! -e "$roads" ] || find_paths sssp-NY "$roads"
exit $failed
