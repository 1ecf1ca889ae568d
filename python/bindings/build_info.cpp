// What this build holds: versions and optional parts, for `gossamer info`.
#include <nanobind/stl/tuple.h>

#include <limits>

#include "bindings.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/memory_use.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace gossamer_python {

void bind_build_info(nb::module_& m) {
  m.attr("version") = GOSSAMER_PYTHON_VERSION;
  m.def(
      "build_info",
      [] {
        const fields features{{"cuda", bool(GOSSAMER_PYTHON_CUDA)},
                              {"cusparse", bool(GOSSAMER_PYTHON_CUSPARSE)},
                              {"nccl", bool(GOSSAMER_PYTHON_NCCL)},
                              {"metis", bool(GOSSAMER_PYTHON_METIS)},
                              {"hwloc", bool(GOSSAMER_PYTHON_HWLOC)},
                              {"openmp", bool(GOSSAMER_PYTHON_OPENMP)},
                              {"boost_context", bool(GOSSAMER_PYTHON_BOOST_CONTEXT)},
                              {"mpi", bool(GOSSAMER_PYTHON_MPI)},
                              {"gzip", bool(GOSSAMER_PYTHON_ZLIB)},
                              {"xz", bool(GOSSAMER_PYTHON_LZMA)},
                              {"zstd", bool(GOSSAMER_PYTHON_ZSTD)}};
        return fields{{"version", GOSSAMER_PYTHON_VERSION},
                      {"compiler", GOSSAMER_PYTHON_COMPILER},
                      {"build_type", GOSSAMER_PYTHON_BUILD_TYPE},
                      {"features", features}};
      },
      "Version, compiler, build type and optional parts of this build.");
  m.def(
      "cuda_versions",
      [] {
        const auto v = cuda_versions();
        return std::make_tuple(v.runtime, v.driver);
      },
      "CUDA runtime and driver version (13000 = 13.0); 0 where there is none.");
  m.def("parse_bytes", &gossamer::configuration::parse_bytes, nb::arg("text"),
        "\"16G\" as a number of bytes.");
  m.def(
      "format_bytes",
      [](const nb::int_& bytes) {
        // Sums of plans may have more bits.
        int beyond = 0;
        const std::int64_t n = PyLong_AsLongLongAndOverflow(bytes.ptr(), &beyond);
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        return gossamer::configuration::format_bytes(beyond == 0 ? n : beyond * most);
      },
      nb::arg("bytes"), "A number of bytes for people; beyond 63 bits, the largest of these.");
  m.def(
      "memory_in_use",
      [](int ordinal) {
        const auto use = gossamer::memory_in_use(ordinal);
        return std::make_tuple(use.now, use.peak);
      },
      nb::arg("ordinal"),
      "Bytes that are allocated on a GPU (-1: the host), and their peak since begin_peaks().");
  m.def("begin_peaks", &gossamer::begin_peaks, "Peaks count from now on.");
  m.def("peak_bytes", &gossamer::peak_resident_bytes, "Largest resident size so far.");
  m.def(
      "host_memory",
      [] {
        const auto limit = gossamer::host_memory_limit();
        return std::make_tuple(limit.bytes, limit.source);
      },
      "Bytes of host memory that a run may plan with, and where the limit comes from.");
}

}  // namespace gossamer_python
