// Predictions: schedules replayed on modelled systems, without payload.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/collective/replay.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

namespace model = gossamer::model;

model::memory memory_of(const std::string& name) {
  if (name == "device") return model::memory::device;
  if (name == "host") return model::memory::host;
  throw gossamer::usage_error("buffers: '" + name + "' is neither device nor host");
}

fields replay(const gossamer::schedule& what, const std::string& system,
              const std::vector<std::string>& changes, const std::string& buffers) {
  const auto where = memory_of(buffers);
  const auto found = run_work([=](work_control&) {
    return model::replay(what, model::load_system(system, changes), where);
  });
  const auto& p = found.parts;
  const fields parts = GOSSAMER_NAMED(p.software, p.start, p.setup, p.latency, p.moving,
                                      p.contention, p.copying, p.computing);
  fields out = GOSSAMER_NAMED(found.seconds, found.slowest, found.transfers, found.bytes);
  out["parts"] = parts;
  out["largest"] = p.largest();
  return out;
}

}  // namespace

void bind_simulate(nb::module_& m) {
  m.def("system_names", &model::system_names, "The modelled systems that are compiled in.");
  m.def(
      "system_title", [](const std::string& name) { return model::load_system(name)->title; },
      nb::arg("name"));
  m.def(
      "system_text", [](const std::string& name) { return std::string(model::system_text(name)); },
      nb::arg("name"), "The description that is compiled in.");
  m.def(
      "system_nodes",
      [](const std::string& system, const std::vector<std::string>& changes) {
        return model::load_system(system, changes)->nodes;
      },
      nb::arg("system"), nb::arg("changes"), "Nodes of the hardware described; 0 = any number.");
  m.def(
      "system_beyond",
      [](const std::string& system, const std::vector<std::string>& changes, int ranks) {
        const auto on = model::load_system(system, changes);
        on->check_ranks(ranks);
        return on->beyond(ranks);
      },
      nb::arg("system"), nb::arg("changes"), nb::arg("ranks"),
      "A sentence when there are more ranks than nodes, else empty; UsageError when they are more "
      "than the description may be extended to.");
  m.def(
      "system_software",
      [](const std::string& system, const std::vector<std::string>& changes) {
        const auto& software = model::load_system(system, changes)->software;
        return std::make_tuple(software.via_host, software.searched);
      },
      nb::arg("system"), nb::arg("changes"),
      "What holds for all collectives: (via host memory, mapping searched).");
  m.def(
      "system_collective",
      [](const std::string& system, const std::vector<std::string>& changes,
         const std::string& operation, std::size_t bytes, int ranks,
         const std::string& buffers) -> std::optional<std::tuple<std::string, bool, bool>> {
        const auto on = model::load_system(system, changes);
        const auto* row = on->collective_of(operation, bytes, ranks, memory_of(buffers));
        if (row == nullptr) return {};
        return {{row->algorithm, row->via_host, row->searched}};
      },
      nb::arg("system"), nb::arg("changes"), nb::arg("operation"), nb::arg("bytes"),
      nb::arg("ranks"), nb::arg("buffers"),
      "What the system's own software does: (algorithm, via host memory, mapping searched), or "
      "None.");
  m.def("replay", &replay, nb::arg("schedule"), nb::arg("system"), nb::arg("changes"),
        nb::arg("buffers"), "What one epoch of a schedule takes on a modelled system.");
  m.def(
      "conflicts",
      [](const gossamer::schedule& what, const std::string& system,
         const std::vector<std::string>& changes) {
        return run_work([=](work_control&) {
          return model::conflicts(what, model::load_system(system, changes));
        });
      },
      nb::arg("schedule"), nb::arg("system"), nb::arg("changes") = std::vector<std::string>(),
      "By round: how many flows the busiest link carries beyond one.");
  m.def(
      "search_mapping",
      [](const gossamer::schedule& what, const std::string& system,
         const std::vector<std::string>& changes) {
        return run_work([=](work_control&) {
          return model::search_mapping(what.request(), std::string(what.algorithm().name),
                                       model::load_system(system, changes));
        });
      },
      nb::arg("schedule"), nb::arg("system"), nb::arg("changes") = std::vector<std::string>(),
      "A mapping whose transfers meet less often.");
}

}  // namespace gossamer_python
