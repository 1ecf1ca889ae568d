// Class Timeline: what runs were given to record into, and the text of the trace.
#include "trace.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "gossamer/base/error.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

void bind_trace(nb::module_& m) {
  using gossamer::timeline;
  nb::class_<timeline>(m, "Timeline", "Events of runs, by rank.")
      .def(
          "__init__",
          [](timeline* self, std::size_t events) {
            gossamer::require(events > 0, "Trace: events is not positive");
            new (self) timeline(events);
          },
          nb::arg("events"))
      .def_prop_ro("events", &timeline::events)
      .def_prop_ro("dropped", &timeline::dropped)
      .def("json",
           [](const std::shared_ptr<timeline>& self) {
             return run_work([self](work_control&) { return self->json(); });
           })
      .def(
          "write",
          [](const std::shared_ptr<timeline>& self, const std::filesystem::path& path) {
            const int failure = run_work([self, path](work_control&) {
              const std::string text = self->json();
              std::ofstream file(path, std::ios::binary);
              file << text;
              file.close();
              return file ? 0 : (errno != 0 ? errno : EIO);
            });
            if (failure == 0) return;
            errno = failure;
            PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
            nb::raise_python_error();
          },
          nb::arg("path"));
  m.def(
      "trace_bytes",
      [](const machine_handle& machine, std::size_t events) {
        return timeline(events).bytes_per_rank(*machine);
      },
      nb::arg("machine"), nb::arg("events"), "Bytes of host memory that recording takes per rank.");
}

}  // namespace gossamer_python
