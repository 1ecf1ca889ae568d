// Class Machine: ranks, devices and links; and the hardware without a machine.
#include "machine.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "gossamer/machine/hosts.hpp"
#include "gossamer/machine/spec.hpp"
#include "gossamer/machine/system.hpp"
#include "gossamer/machine/topology.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

using gossamer::device;
using gossamer::link;
using gossamer::machine;

const char* name_of(gossamer::reach how) {
  using enum gossamer::reach;
  return how == self     ? "self"
         : how == nvlink ? "nvlink"
         : how == pcie   ? "pcie"
         : how == host   ? "host"
                         : "none";
}

fields to_python(const device& d) {
  fields out = GOSSAMER_NAMED(d.ordinal, d.threads, d.share, d.name, d.memory, d.units, d.pci);
  out["kind"] = d.is_cuda() ? "cuda" : "cpu";
  return out;
}

fields to_python(const link& l) {
  fields out = GOSSAMER_NAMED(l.transport, l.load_store, l.atomic, l.proxied);
  out["reach"] = name_of(l.how);
  return out;
}

auto to_python(const std::vector<device>& devices) {
  return list_of(devices, [](const device& d) { return to_python(d); });
}

}  // namespace

void bind_machine(nb::module_& m) {
  nb::class_<machine>(m, "Machine", "The devices a program runs on, one per rank.")
      .def_prop_ro("size", &machine::size)
      .def_prop_ro("spec", [](const machine& self) { return self.spec(); })
      .def_prop_ro("fabric", &machine::fabric)
      .def_prop_ro("all_direct", &machine::all_direct)
      .def_prop_ro("gpu_messages",
                   [](const machine& self) { return std::string(gossamer::gpu_messages(self)); })
      .def_prop_ro("beyond",
                   [](const machine& self) {
                     const auto& model = self[0].model;
                     return model ? model->beyond(self.size()) : std::string();
                   })
      .def(
          "here",
          [](const machine& self, int rank) {
            gossamer::require(rank >= 0 && rank < self.size(), "here: no such rank");
            return self.here(rank);
          },
          nb::arg("rank"))
      .def("sharing",
           [](const machine_handle& self) {  // may wait for a run that has the GPUs
             return run_work([self](work_control&) {
               std::vector<std::string> names;
               for (int r = 0; r < self->size(); ++r)
                 names.emplace_back(gossamer::to_string(gossamer::shared_kernels((*self)[r])));
               return names;
             });
           })
      .def("hosts",
           [](const machine& self) {
             return list_of(gossamer::hosts(self), [](const auto& host) {
               return std::make_tuple(host.ranks, host.cores);
             });
           })
      .def("devices",
           [](const machine& self) {
             std::vector<device> all;
             for (int r = 0; r < self.size(); ++r) all.push_back(self[r]);
             return to_python(all);
           })
      .def(
          "link",
          [](const machine& self, int from, int to) {
            gossamer::require(from >= 0 && from < self.size() && to >= 0 && to < self.size(),
                              "link: no such rank");
            return to_python(self.between(from, to));
          },
          nb::arg("source"), nb::arg("target"));
  m.def(
      "open_machine",
      [](const std::string& spec) {
        return run_work(
            [spec](work_control&) { return std::make_shared<machine>(machine::open(spec)); });
      },
      nb::arg("spec"));
  m.def(
      "resolve_spec",
      [](const std::string& spec) {
        return to_python(run_work([spec](work_control&) { return gossamer::resolve_spec(spec); }));
      },
      nb::arg("spec"), "The devices a spec names, one per rank, without opening them.");
  m.def(
      "hardware",
      [] {
        struct found {
          std::vector<device> gpus;
          std::string reason;
          gossamer::host_processor host;
          std::vector<std::vector<const char*>> reach;
        };
        const found f = run_work([](work_control&) {
          found all{
              gossamer::cuda_devices(), gossamer::cuda_unavailable_reason(), gossamer::host(), {}};
          for (const auto& a : all.gpus) {
            all.reach.emplace_back();
            for (const auto& b : all.gpus)
              all.reach.back().push_back(name_of(a.ordinal == b.ordinal
                                                     ? gossamer::reach::self
                                                     : gossamer::cuda_reach(a.ordinal, b.ordinal)));
          }
          return all;
        });
        fields out = GOSSAMER_NAMED(f.reach);
        out["gpus"] = to_python(f.gpus);
        out["no_gpu_because"] = f.reason;
        out["processor"] = f.host.name;
        out["cores"] = f.host.cores;
        return out;
      },
      "Every GPU and the processor of this host, and which GPUs reach which.");
}

}  // namespace gossamer_python
