// What this build holds: versions and optional parts, for `gossamer info`.
#include "bindings.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/memory_use.hpp"
#include "streams.hpp"
#include "text.hpp"

namespace gossamer_python {

void bind_build_info(nb::module_& m) {
  m.attr("__version__") = GOSSAMER_PYTHON_VERSION;
  m.def(
      "build_info",
      [] {
        nb::dict features;
        features["cuda"] = bool(GOSSAMER_PYTHON_CUDA);
        features["cusparse"] = bool(GOSSAMER_PYTHON_CUSPARSE);
        features["nccl"] = bool(GOSSAMER_PYTHON_NCCL);
        features["metis"] = bool(GOSSAMER_PYTHON_METIS);
        features["hwloc"] = bool(GOSSAMER_PYTHON_HWLOC);
        features["openmp"] = bool(GOSSAMER_PYTHON_OPENMP);
        features["boost_context"] = bool(GOSSAMER_PYTHON_BOOST_CONTEXT);
        features["mpi"] = bool(GOSSAMER_PYTHON_MPI);
        features["gzip"] = bool(GOSSAMER_PYTHON_ZLIB);
        features["xz"] = bool(GOSSAMER_PYTHON_LZMA);
        features["zstd"] = bool(GOSSAMER_PYTHON_ZSTD);
        nb::dict info;
        info["version"] = GOSSAMER_PYTHON_VERSION;
        info["compiler"] = GOSSAMER_PYTHON_COMPILER;
        info["build_type"] = GOSSAMER_PYTHON_BUILD_TYPE;
        info["features"] = features;
        return info;
      },
      "Version, compiler, build type and optional parts of this build.");
  m.def(
      "cuda_versions",
      [] {
        const auto v = cuda_versions();
        return nb::make_tuple(v.runtime, v.driver);
      },
      "CUDA runtime and driver version (13000 = 13.0); 0 where there is none.");
  m.def("parse_bytes", &gossamer::configuration::parse_bytes, nb::arg("text"),
        "\"16G\" as a number of bytes.");
  m.def("format_bytes", &gossamer::configuration::format_bytes, nb::arg("bytes"),
        "A number of bytes for people.");
  m.def(
      "memory_in_use",
      [](int ordinal) {
        const auto use = gossamer::memory_in_use(ordinal);
        return nb::make_tuple(use.now, use.peak);
      },
      nb::arg("ordinal"),
      "Bytes that are allocated on a GPU (-1: the host), and their peak since begin_peaks().");
  m.def("begin_peaks", &gossamer::begin_peaks, "Peaks count from now on.");
  m.def("peak_bytes", &gossamer::peak_resident_bytes, "Largest resident size so far.");
  m.def(
      "host_memory",
      [] {
        const auto limit = gossamer::host_memory_limit();
        return nb::make_tuple(limit.bytes, limit.source);
      },
      "Bytes of host memory that a run may plan with, and where the limit comes from.");
}

}  // namespace gossamer_python
