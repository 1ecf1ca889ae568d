#!/bin/sh
# Builds without each optional dependency in turn (CPU only), and checks what is promised of such a
# build: the rest works, and asking for what is missing gives one line that names the option.
#
#   tools/option_builds.sh [FOLDER [OPTION…]]
#
# FOLDER (default build/options) keeps one build tree an option; OPTION is one of ZLIB LZMA ZSTD
# METIS HWLOC OPENMP MPI BOOST_CONTEXT (default: all). Each build runs the tests of the parts that the option touches,
# without it. `ON` for what is not there must fail at configuring; that is checked once, with a
# library hidden from CMake.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/build/options}
[ $# -gt 0 ] && shift
options=${*:-ZLIB LZMA ZSTD METIS HWLOC OPENMP MPI BOOST_CONTEXT}
jobs=${GOSSAMER_JOBS:-2}
data=$root/tests/data
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "option_builds: $*" >&2
  exit 1
}

# configure TREE ARGUMENT… : quiet unless it fails.
configure() {
  tree=$1
  shift
  cmake -G Ninja -S "$root" -B "$tree" -DGOSSAMER_CUDA=OFF -DGOSSAMER_PYTHON=ON \
    "$@" > "$scratch/configure.log" 2>&1
}

# What Python runs before a command line that is to be refused.
before=pass

# refuses TEXT ARGUMENT… : the command line ends with exit code 2 and one line holding TEXT.
refuses() {
  text=$1
  shift
  code=0
  PYTHONPATH=$tree/python python -c "$before; from gossamer.cli import main; main()" "$@" > /dev/null 2> "$scratch/error" || code=$?
  [ "$code" = 2 ] || fail "$option: 'gossamer $*' ended with $code, not 2"
  [ "$(wc -l < "$scratch/error")" = 1 ] || fail "$option: more than one line of error"
  grep -qF -- "$text" "$scratch/error" || fail "$option: no '$text' in: $(cat "$scratch/error")"
  echo "  refused: $(cat "$scratch/error")"
}

works() {
  PYTHONPATH=$tree/python python -c "from gossamer.cli import main; main()" "$@" > /dev/null || fail "$option: 'gossamer $*' failed"
}

for option in $options; do
  tree=$folder/no-$(echo "$option" | tr '[:upper:]' '[:lower:]')
  echo "== GOSSAMER_$option=OFF"
  configure "$tree" "-DGOSSAMER_$option=OFF" || { cat "$scratch/configure.log"; fail "$option"; }
  grep -q "gossamer: $option OFF" "$scratch/configure.log" || fail "$option is still in the build"
  case $option in
    ZLIB | ZSTD) tests="test_graph_io" ;;
    LZMA) tests="test_graph_io test_graph_statistics_data test_worklist_paths" ;;
    METIS) tests="test_graph_partition" ;;
    HWLOC) tests="test_machine_binding test_machine_rank_threads" ;;
    OPENMP) tests="test_graph_builder test_graph_statistics test_graph_stop test_bfs" ;;
    MPI) tests="test_machine_spec test_bfs" ;;
    BOOST_CONTEXT) tests="test_plans_sim" ;;
    *) fail "unknown option $option" ;;
  esac
  # shellcheck disable=SC2086
  cmake --build "$tree" -j "$jobs" --target gossamer_python $tests > "$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log"; fail "$option: the build failed"; }
  for test in $tests; do
    program=$(find "$tree/tests" -name "$test" -type f)
    "$program" > "$scratch/test.log" 2>&1 || { cat "$scratch/test.log"; fail "$option: $test"; }
    echo "  passed: $test ($(grep -c '^\[       OK' "$scratch/test.log") tests)"
  done
  case $option in
    ZLIB)
      refuses "-DGOSSAMER_ZLIB=ON" stats "$data/tiny.mtx.gz"
      works stats "$data/tiny.mtx.xz"
      ;;
    LZMA)
      # Python reads them instead, unless it has no lzma either.
      works stats "$data/tiny.mtx.xz"
      before="import sys; sys.modules['_lzma'] = None"
      refuses "-DGOSSAMER_LZMA=ON" stats "$data/tiny.mtx.xz"
      before=pass
      works stats "$data/tiny.mtx.zst"
      ;;
    ZSTD)
      refuses "-DGOSSAMER_ZSTD=ON" stats "$data/tiny.mtx.zst"
      works stats "$data/tiny.mtx.gz"
      ;;
    METIS)
      refuses "-DGOSSAMER_METIS=ON" stats grid:20x20 --partition 2:metis
      refuses "-DGOSSAMER_METIS=ON" bfs grid:20x20 --machine cpu:2x1 --partition metis
      works bfs grid:20x20 --machine cpu:2x1 --partition hash --verify
      ;;
    MPI)
      refuses "-DGOSSAMER_MPI=ON" bfs kron:10 --machine mpi
      works bfs kron:10 --machine cpu:2x1 --verify
      ;;
    BOOST_CONTEXT) works simulate allgather --system peach2 --ranks 4 --bytes 8 ;;
    HWLOC | OPENMP) works bfs kron:10 --machine cpu:2x2 --verify ;;
  esac
  refuses "-DGOSSAMER_CUDA=ON" bfs grid:20x20 --machine cuda
  # Insisting on it where it cannot be found is an error that names it, not a build without it.
  case $option in
    ZLIB) hide="-DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON" ;;
    LZMA) hide="-DCMAKE_DISABLE_FIND_PACKAGE_LibLZMA=ON" ;;
    OPENMP) hide="-DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON" ;;
    MPI) hide="-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON" ;;
    *) hide="-D${option}_INCLUDE=OFF -D${option}_LIBRARY=OFF" ;;
  esac
  # shellcheck disable=SC2086
  if configure "$scratch/insists" "-DGOSSAMER_$option=ON" $hide; then
    fail "$option=ON was accepted without it"
  fi
  grep -q "GOSSAMER_$option=ON, but it was not found" "$scratch/configure.log" ||
    { cat "$scratch/configure.log"; fail "$option=ON: another error"; }
  echo "  configuring with $option=ON where it is missing: refused by name"
  rm -rf "$scratch/insists"
done
echo "option_builds: all as promised"
