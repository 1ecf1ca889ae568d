#!/usr/bin/env bash
# Components on every number of GPUs this host has: verified runs, the median of their times, JSON.
# Called by tools/gpu_check.sh with BUILD and OUT set; needs -DGOSSAMER_PYTHON=ON there.
set -u
gpus=$(nvidia-smi -L | wc -l)
export PYTHONPATH="$BUILD/python"
failed=0
find_components() { # name, arguments of `gossamer components`
  local name=$1
  shift
  timeout 400 python3 -c 'from gossamer.cli import main; main()' components "$@" --use all --verify \
    --json "$OUT/$name.json" >"$OUT/$name.log" 2>&1
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
phases = "  ".join(f"{k} {v:.3f}" for k, v in runs[len(runs) // 2]["phases"].items())
print(f"{sys.argv[2]:28} {s['median_milliseconds']:8.3f} ms  (from {s['min_milliseconds']:.3f} to "
      f"{s['max_milliseconds']:.3f})  {phases}  verified "
      f"{sum(bool(x.get('verified')) for x in r['runs'])}/{len(r['runs'])}")
P
}
for n in ${GPUS:-1 2 4}; do
  [ "$n" -le "$gpus" ] || continue
  machine=cuda:0-$((n - 1))
  [ "$n" -eq 1 ] && machine=cuda:0
  for graph in ${GRAPHS:-kron:22 kron:24 road:5000}; do
    find_components "components-${graph/:/}-gpu$n" "$graph" --machine "$machine" \
      --repeat "${REPEAT:-5}"
  done
done
exit $failed
