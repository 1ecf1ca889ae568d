# What the scripts gpu_*.sh share: runs of `gossamer` on GPUs, verified, JSON and a log each, a line
# printed. Sourced, with BUILD and OUT set; needs -DGOSSAMER_PYTHON=ON there. `failed` is 1 after a
# run that failed.
# shellcheck disable=SC2034  # those scripts read `data` and `failed`
export PYTHONPATH="$BUILD/python"
here=$(dirname "${BASH_SOURCE[0]}")
gpus=$(nvidia-smi -L | wc -l)
data=${GOSSAMER_DATA:-../shared/data}
failed=0

# Numbers of GPUs to run on: those of GPUS that the host has.
gpu_counts() {
  local n
  for n in ${GPUS:-1 2 4}; do [ "$n" -gt "$gpus" ] || echo "$n"; done
}
# The machine of that many.
gpu_machine() {
  if [ "$1" -eq 1 ]; then echo cuda:0; else echo "cuda:0-$(($1 - 1))"; fi
}
# verified_run NAME SECONDS, then what `gossamer` gets beside --verify and --json.
verified_run() {
  local name=$1 limit=$2
  shift 2
  timeout "$limit" python3 -c 'from gossamer.cli import main; main()' "$@" --verify \
    --json "$OUT/$name.json" >"$OUT/$name.log" 2>&1
  local rc=$?
  [ $rc -eq 0 ] || { echo "$name: exit $rc"; tail -n 3 "$OUT/$name.log"; failed=1; }
  python3 "$here/print_run.py" "$OUT/$name.json"
}
