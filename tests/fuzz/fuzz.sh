#!/bin/sh
# Builds the fuzzers with clang and runs each for a number of executions (default 10000000) over the
# kept corpus: tests/fuzz/fuzz.sh [EXECUTIONS [FUZZER …]]
#
# New inputs go to the build folder, not to the kept corpus; `fuzz.sh --minimise` puts the fewest of
# both into it that cover as much code, beside its named seeds. GOSSAMER_FUZZ_BUILD names the build folder (default build/fuzz).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${GOSSAMER_FUZZ_BUILD:-$root/build/fuzz}
corpus=$root/tests/fuzz/corpus
executions=10000000
minimise=no
case ${1:-} in
  --minimise) minimise=yes; shift ;;
  '') ;;
  *) executions=$1; shift ;;
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
  -DCMAKE_CXX_FLAGS="-fno-sanitize-recover=all -I$root/tests/fuzz/compat" \
  -DGOSSAMER_SANITIZE=fuzzer-no-link,address,undefined -DGOSSAMER_FUZZ=ON -DGOSSAMER_TESTS=OFF \
  -DGOSSAMER_CUDA=OFF -DGOSSAMER_METIS=OFF -DGOSSAMER_OPENMP=OFF -DGOSSAMER_INSTALL=OFF >/dev/null
# shellcheck disable=SC2046 # a list of words
[ $# -gt 0 ] || set -- $(cat "$build/tests/fuzz/names")
for name in "$@"; do targets="${targets:-} fuzz_$name"; done
# shellcheck disable=SC2086 # a list of words
cmake --build "$build" -j2 --target $targets

# What makes a graph reader's execution twice as long and finds nothing more in code that keeps no
# addresses of locals: use after return, and a large quarantine (every page of it is a page fault).
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_stack_use_after_return=0:quarantine_size_mb=16}"

failed=
for name in "$@"; do
  found=$build/found/$name
  mkdir -p "$found" "$corpus/$name"
  dictionary=$root/tests/fuzz/dictionaries/$name.dict
  set --
  [ -f "$dictionary" ] && set -- "-dict=$dictionary"
  if [ $minimise = yes ]; then
    fresh=$(mktemp -d)
    "$build/tests/fuzz/fuzz_$name" -set_cover_merge=1 -use_counters=0 -max_len=1024 "$fresh" \
      "$corpus/$name" "$found"
    find "$corpus/$name" -type f | grep -E '/[0-9a-f]{40}$' | xargs -r rm
    chmod 644 "$fresh"/*
    mv "$fresh"/* "$corpus/$name"
    rmdir "$fresh"
    continue
  fi
  echo "== $name: $executions executions"
  "$build/tests/fuzz/fuzz_$name" -runs="$executions" -max_len=4096 -rss_limit_mb=1024 \
    -malloc_limit_mb=512 -timeout=10 -print_final_stats=1 -verbosity=0 "$@" \
    -artifact_prefix="$found/../$name-" "$found" "$corpus/$name" || failed="$failed $name"
done
if [ -n "$failed" ]; then
  echo "fuzzing failed:$failed" >&2
  exit 1
fi
