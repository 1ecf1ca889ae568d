#!/bin/sh
# Builds the fuzzers with clang and runs them over the kept corpus and what earlier runs found.
#
#   fuzz.sh [N [FUZZER …]]          N executions of each (default 10000000)
#   fuzz.sh --part K N              the same of every K-th fuzzer; the seed says which is the first
#   fuzz.sh --hours H [FUZZER …]    until each has had H hours, or 10^8 executions, in all runs;
#                                   stopped at any time, it goes on from there
#   fuzz.sh --table                 executions of all runs so far, as a table for Markdown
#   fuzz.sh --minimise [FUZZER …]   puts the fewest of the corpus and what was found into the
#                                   corpus that cover as much code, beside its named seeds
#
# New inputs go to the build folder, not to the kept corpus. What each run did is a line of
# `executions` there: fuzzer, executions, seconds, those of the processor, date.
#
# Variables: GOSSAMER_FUZZ_BUILD, the build folder (default build/fuzz); GOSSAMER_FUZZ_JOBS, how many
# fuzzers run at a time (default: one a core); GOSSAMER_FUZZ_SEED, for a run that was seen before.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/fuzz
build=${GOSSAMER_FUZZ_BUILD:-$root/build/fuzz}
corpus=$here/corpus
record=$build/executions
python=$root/.venv/bin/python
jobs=${GOSSAMER_FUZZ_JOBS:-$(nproc 2>/dev/null || echo 2)}
export GOSSAMER_FUZZ_SEED="${GOSSAMER_FUZZ_SEED:-$(date +%s)}"
slice=120 # seconds that one fuzzer runs before the next has its turn

# What makes a graph reader's execution twice as long and finds nothing more in code that keeps no
# addresses of locals: use after return, and a large quarantine (every page of it is a page fault).
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_stack_use_after_return=0:quarantine_size_mb=16}"

# sums [FUZZER]: of the record, a line each, as its own.
sums() {
  [ ! -f "$record" ] || awk -v only="${1:-}" '
    only == "" || $1 == only { n[$1] += $2; s[$1] += $3; cpu[$1] += $4; last[$1] = $5 }
    END { for (f in n) printf "%s %.0f %.0f %.2f %s\n", f, n[f], s[f], cpu[f], last[f] }' "$record" | sort
}

# Those in Python run under atheris: libFuzzer over Python's own coverage.
in_python() { [ -f "$here/$1.py" ]; }

# fuzzer NAME ARGUMENTS…: the program itself.
fuzzer() {
  name=$1
  shift
  mkdir -p "$build/found/$name" "$corpus/$name"
  dictionary=$here/dictionaries/${name%_structure}.dict
  [ ! -f "$dictionary" ] || set -- "-dict=$dictionary" "$@"
  if in_python "$name"; then
    "$python" "$here/$name.py" "$@"
  else
    "$build/tests/fuzz/fuzz_$name" "$@"
  fi
}

# used: seconds of the processor, from what `times` said of this shell's children before and
# after.
used() {
  awk 'FNR == 2 {
      for (i = 1; i < 3; ++i) { split($i, t, /[ms]/); sum[NR > 2] += 60 * t[1] + t[2] }
    } END { print sum[1] - sum[0] }' "$build/before.$$" "$build/after.$$"
  rm "$build/before.$$" "$build/after.$$"
}

# one NAME ARGUMENTS…: a run over the corpus, which is added to the record; fails as it does.
one() {
  name=$1
  shift
  begun=$(date +%s)
  times >"$build/before.$$"
  status=0
  fuzzer "$name" -max_len=4096 -rss_limit_mb=1024 -malloc_limit_mb=64 -timeout=10 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$name-" "$@" \
    "$build/found/$name" "$corpus/$name" >"$build/$name.log" 2>&1 || status=$?
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
  seconds=$(($(date +%s) - begun))
  times >"$build/after.$$"
  echo "$name ${count:-0} $seconds $(used) $(date +%F)" >>"$record"
  echo "== $name: ${count:-0} executions, $seconds s"
  [ $status != 0 ] || return 0
  cat "$build/$name.log"
  echo "fuzz: $name failed (GOSSAMER_FUZZ_SEED=$GOSSAMER_FUZZ_SEED)"
  return 1
}

# turn NAME: that and how long it runs now; nothing when it has had its hours.
turn() {
  sums "$1" | awk -v name="$1" -v hours="$amount" -v slice=$slice '
    { n = $2; s = $3 }
    END {
      left = int(hours * 3600 - s)
      if (n < 1e8 && left >= 1) print name, "-max_total_time=" (left < slice ? left : slice)
    }'
}

# Runs lines of a fuzzer and its options, $jobs at a time.
at_a_time() { xargs -P "$jobs" -L 1 sh "$0" --one; }

what=executions
amount=10000000
part=1
case ${1:-} in
  --hours)
    what=hours
    amount=${2:?--hours needs a number}
    shift 2
    ;;
  --part)
    part=${2:?--part needs a number}
    amount=${3:?--part needs a number of executions}
    shift 3
    ;;
  --minimise)
    what=minimise
    shift
    ;;
  --table)
    echo '| fuzzer | executions | a second of a core | hours | last run |'
    echo '|---|---|---|---|---|'
    sums | awk '{
      printf "| `%s` | %d | %d | %.2f | %s |\n", $1, $2, $2 / ($4 > 0 ? $4 : 1), $3 / 3600, $5
    }'
    exit
    ;;
  --one) # of many, which have been built: a fuzzer and its own options
    shift
    one "$@" -seed="$GOSSAMER_FUZZ_SEED"
    exit
    ;;
  '') ;;
  *)
    amount=$1
    shift
    ;;
esac

# Any clang from 14 on: compat/ supplies what 14 and 15 lack.
clang=
for name in clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++ clang++-14; do
  clang=$(command -v $name || true)
  [ -z "$clang" ] || break
done
if [ -z "$clang" ]; then
  echo "fuzzing needs clang (Debian and Ubuntu: apt-get install clang)" >&2
  exit 2
fi
cmake -S "$root" -B "$build" -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -gline-tables-only -DNDEBUG -D_GLIBCXX_ASSERTIONS" \
  -DCMAKE_CXX_FLAGS="-fno-sanitize-recover=all -I$here/compat" \
  -DGOSSAMER_SANITIZE=fuzzer-no-link,address,undefined -DGOSSAMER_FUZZ=ON -DGOSSAMER_TESTS=OFF \
  -DGOSSAMER_CUDA=OFF -DGOSSAMER_METIS=OFF -DGOSSAMER_MPI=OFF -DGOSSAMER_OPENMP=OFF \
  -DGOSSAMER_ZLIB=ON -DGOSSAMER_INSTALL=OFF -DGOSSAMER_WERROR=OFF >/dev/null
if [ $# = 0 ]; then
  # shellcheck disable=SC2046 # a list of words
  set -- $(cat "$build/tests/fuzz/names")
  if "$python" -c 'import atheris, gossamer' 2>/dev/null; then
    set -- "$@" expressions traces
  else
    echo "fuzz: without expressions and traces: they need .venv with gossamer and atheris" >&2
  fi
  # shellcheck disable=SC2046 # a list of words
  set -- $(printf '%s\n' "$@" | awk -v k="$part" -v first="$GOSSAMER_FUZZ_SEED" \
    '(NR + first) % k == 0')
  [ $# -gt 0 ] || { echo "fuzz: there are fewer fuzzers than $part" >&2; exit 2; }
fi
targets=
for name in "$@"; do in_python "$name" || targets="$targets fuzz_$name"; done
# shellcheck disable=SC2086 # a list of words
[ -z "$targets" ] || cmake --build "$build" --parallel "$jobs" --target $targets

failed=
case $what in
  minimise)
    for name in "$@"; do
      if in_python "$name"; then continue; fi # libFuzzer would start itself for it
      fresh=$(mktemp -d)
      fuzzer "$name" -set_cover_merge=1 -use_counters=0 -max_len=1024 "$fresh" "$corpus/$name" \
        "$build/found/$name"
      find "$corpus/$name" -type f | grep -E '/[0-9a-f]{40}$' | xargs -r rm
      chmod 644 "$fresh"/*
      mv "$fresh"/* "$corpus/$name"
      rmdir "$fresh"
    done
    ;;
  executions)
    echo "== $amount executions each of $*, seed $GOSSAMER_FUZZ_SEED"
    printf "%s -runs=$amount\n" "$@" | at_a_time || failed=yes
    ;;
  hours)
    while turns=$(for name in "$@"; do turn "$name"; done) && [ -n "$turns" ] && [ -z "$failed" ]; do
      GOSSAMER_FUZZ_SEED=$(date +%s)
      echo "$turns" | at_a_time || failed=yes
    done
    ;;
esac
if [ -n "$failed" ]; then
  echo "fuzzing failed" >&2
  exit 1
fi
