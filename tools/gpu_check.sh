#!/usr/bin/env bash
# Everything that needs a GPU, in one call.
# Usage: tools/gpu_check.sh [build] [test] [python] [sanitize] [gpu_bfs] [gpu_algorithms]
#        [gpu_graph500] [gpu_vector_queue] [soak]
#   (default: all of them but soak)
# CTEST_OPTIONS: more of `test`, as "-j 10 -I 100," from the hundredth test on.
# SOAK_MINUTES: how long `soak` runs random cases on GPUs beside SciPy, 10 unless it is said.
# SANITIZE_TOOL: what `sanitize` runs, memcheck unless it says racecheck, initcheck or synccheck;
# SANITIZE_FILTER: which tests, as --gtest_filter has it. racecheck takes minutes for each program.
# Results (logs, JSON) go to $OUT, default build/gpu-results. Works without network: takes what the
# machine has.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit
OUT=${OUT:-build/gpu-results}
mkdir -p "$OUT"
BUILD=${BUILD:-build/gpu}
steps=${*:-build test python sanitize gpu_bfs gpu_algorithms gpu_graph500 gpu_vector_queue}
failed=0

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }
check() { if [ "$1" -ne 0 ]; then echo "FAILED: $2 ($1)"; failed=1; fi; }

for s in $steps; do
  step "$s"
  case $s in
    build)
      {
        cmake -G Ninja -S . -B "$BUILD" -DGOSSAMER_CUDA=ON -DGOSSAMER_TESTS=GPU -DGOSSAMER_BENCHES=ON -DGOSSAMER_PYTHON=ON \
          -DPython_EXECUTABLE="$(command -v python3)" &&
          cmake --build "$BUILD"
      } >"$OUT/build.log" 2>&1
      rc=$?
      tail -n 3 "$OUT/build.log"
      [ $rc -eq 0 ] || grep -E -A3 'error|FAILED' "$OUT/build.log" | head -n 60
      check $rc build
      [ $rc -eq 0 ] || exit 1
      ;;
    test)
      read -r -a more <<<"${CTEST_OPTIONS:-}"
      ctest --test-dir "$BUILD" -L gpu -j 4 --timeout 300 --output-on-failure "${more[@]}" \
        >"$OUT/ctest.log" 2>&1
      check $? tests
      grep -E 'tests passed|\*\*\*|Failed|Timeout' "$OUT/ctest.log" | tail -n 60
      ;;
    sanitize)
      # Left out: tests that break a device on purpose, those where ranks share a GPU or wait for
      # other kernels (mixed machines too), because the tool runs kernels one after the other, and
      # jobs of several processes.
      filter=${SANITIZE_FILTER:--*cuda0by*:*andcuda*}
      for t in $(ctest --test-dir "$BUILD" -L gpu -N | sed -n 's/.*Test *#[0-9]*: //p' |
        grep -v -e lost_device -e multi -e mixed -e mpi_gpu -e planned_peaks); do
        program=$(find "$BUILD/tests" -name "test_$t" -type f -perm -u+x)
        [ -n "$program" ] || continue  # examples, which know no filter
        timeout 240 compute-sanitizer --tool "${SANITIZE_TOOL:-memcheck}" --report-api-errors no \
          --error-exitcode 9 "$program" --gtest_brief=1 --gtest_filter="$filter" \
          >"$OUT/sanitizer.$t.log" 2>&1
        check $? "compute-sanitizer $t"
        grep -E 'ERROR SUMMARY|PASSED|FAILED' "$OUT/sanitizer.$t.log" | head -n 4
      done
      ;;
    python)
      PYTHONPATH=$BUILD/python python3 -m pytest -q -m gpu python/tests >"$OUT/pytest.log" 2>&1
      check $? "Python tests"
      tail -n 3 "$OUT/pytest.log"
      ;;
    soak)
      PYTHONPATH=$BUILD/python python3 tools/soak --minutes "${SOAK_MINUTES:-10}" --machine cuda:0 \
        'cuda:0*2' 'cuda:0*3' cpu:1x2+cuda:0 'cuda:0*2+cpu:2x1' 2>&1 | tee "$OUT/soak.log"
      check $? soak
      ;;
    *)
      if [ -x "bench/problem/$s.sh" ]; then
        BUILD=$BUILD OUT=$OUT "bench/problem/$s.sh"
        check $? "$s"
      else
        echo "no such step: $s"
        failed=1
      fi
      ;;
  esac
done
exit $failed
