// Pointer chasing: lists in memory, and walks along them on the ranks of a machine.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "gossamer/algorithm/global_chase.hpp"
#include "gossamer/algorithm/pointer_chase.hpp"
#include "gossamer/base/error.hpp"
#include "machine.hpp"
#include "text.hpp"
#include "work.hpp"

namespace gossamer_python {

namespace {

using gossamer::chase_manager;
using gossamer::chase_options;
using gossamer::chase_way;
using gossamer::node_list;

chase_way way_of(const std::string& name) {
  for (const chase_way way : {chase_way::loop, chase_way::tasks, chase_way::fibers})
    if (to_string(way) == name) return way;
  throw gossamer::usage_error("way: '" + name + "' is none of loop, tasks, fibers");
}

chase_manager manager_of(const std::string& name) {
  for (const chase_manager manager :
       {chase_manager::polled, chase_manager::thread, chase_manager::hardware})
    if (to_string(manager) == name) return manager;
  throw gossamer::usage_error("manager: '" + name + "' is none of polled, thread, hardware");
}

}  // namespace

void bind_pointer_chase(nb::module_& m) {
  nb::class_<node_list>(m, "NodeList")
      .def_prop_ro("nodes", &node_list::size)
      .def_prop_ro("huge_bytes", &node_list::huge_bytes)
      .def_prop_ro("page_bytes", &node_list::page_bytes)
      .def_prop_ro("memory_node", &node_list::memory_node);
  m.def(
      "make_node_list",
      [](std::int64_t nodes, std::uint64_t seed, bool huge_pages, std::optional<int> memory_node) {
        return run_work([=](work_control&) {
          return std::make_shared<node_list>(nodes, seed, huge_pages, memory_node);
        });
      },
      nb::arg("nodes"), nb::arg("seed"), nb::arg("huge_pages"), nb::arg("memory_node").none());
  m.def(
      "chase_pointers",
      [](const machine_handle& machine, const std::shared_ptr<node_list>& list,
         const std::string& way, std::int64_t in_flight, std::int64_t references,
         std::uint64_t draw, double delay, std::int64_t working_set, std::int64_t updates,
         std::optional<int> memory_node) {
        chase_options o;
        o.way = way_of(way);
        o.in_flight = in_flight;
        o.references = references;
        o.draw = draw;
        gossamer::require(delay >= 0 && delay <= 1, "delay: not between 0 and 1 second");
        o.delay = std::chrono::nanoseconds(std::llround(1e9 * delay));
        o.working_set = working_set;
        o.updates = updates;
        o.memory_node = memory_node;
        const auto r = run_work([=](work_control& control) mutable {
          o.run.cancel = control.stop.get_token();
          return gossamer::chase_pointers(*machine, *list, o);
        });
        return std::make_tuple(r.seconds, r.references);
      },
      nb::arg("machine"), nb::arg("list"), nb::arg("way"), nb::arg("in_flight"),
      nb::arg("references"), nb::arg("draw"), nb::arg("delay"), nb::arg("working_set"),
      nb::arg("updates"), nb::arg("memory_node").none(),
      "(seconds of the slowest rank, references of all).");
  m.def(
      "chase_global",
      [](const machine_handle& machine, std::int64_t in_flight, std::int64_t references,
         std::int64_t nodes, const std::string& manager) {
        gossamer::global_chase_options o;
        o.in_flight = in_flight;
        o.references = references;
        o.nodes = nodes;
        o.manager = manager_of(manager);
        const auto r = run_work([=](work_control&) { return gossamer::chase_global(*machine, o); });
        return std::make_tuple(r.seconds, r.references, r.parcels, r.messages_a_parcel);
      },
      nb::arg("machine"), nb::arg("in_flight"), nb::arg("references"), nb::arg("nodes"),
      nb::arg("manager"),
      "(seconds of the slowest rank, references of all, parcels of all, messages a parcel).");
}

}  // namespace gossamer_python
