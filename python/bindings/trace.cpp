// Class Timeline: what runs were given to record into, and the text of the trace.
#include "trace.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>

#include "gossamer/base/error.hpp"
#include "gossamer/base/output_file.hpp"
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
          [](const std::shared_ptr<timeline>& self, const std::string& path) {
            // The file ends with its writer, as in write_graph: no abandoning.
            const std::string text = run_work([self](work_control&) { return self->json(); });
            run_work(
                [&text, path](work_control& c) {
                  gossamer::output_file file(path, c.stop.get_token());
                  file.write(text);
                  file.commit();
                },
                {.may_abandon = false});
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
