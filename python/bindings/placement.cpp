// Class PlacedGraph: a graph laid over a machine, and the plan of that.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/placement/generated_placement.hpp"
#include "gossamer/placement/kept.hpp"
#include "machine.hpp"
#include "text.hpp"

namespace gossamer_python {

namespace {

using gossamer::graph;
using gossamer::place_options;
using gossamer::placed_graph;

const char* name_of(gossamer::memory_kind kind) {
  using enum gossamer::memory_kind;
  return kind == device ? "device" : kind == pinned ? "pinned" : "host";
}

gossamer::certainty certainty_named(const std::string& name) {
  for (const auto c :
       {gossamer::certainty::exact, gossamer::certainty::at_most, gossamer::certainty::about})
    if (name == gossamer::certainty_name(c)) return c;
  throw gossamer::usage_error("certainty: '" + name + "' is none of exact, at most, about");
}

template <class Graph>
void bind_placement_plan(nb::module_& m) {
  m.def(
      "plan_placement",
      [](const machine_handle& machine, const Graph& g, const std::string& partition,
         const std::optional<int32s>& part_of, const std::string& renumber, bool both_directions,
         bool by_columns, std::int64_t memory, const std::string& spill) {
        auto o = make_place_options(partition, part_of, renumber, both_directions, by_columns,
                                    memory, spill);
        return plan_to_python(run_work([=](work_control& c) mutable {
          o.stop = c.stop.get_token();
          return gossamer::plan_placement(*machine, g, o);
        }));
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("partition"), nb::arg("part_of").none(),
      nb::arg("renumber"), nb::arg("both_directions"), nb::arg("by_columns"), nb::arg("memory"),
      nb::arg("spill"));
}

void bind_generated(nb::module_& m) {
  m.def(
      "generate_placed",
      [](const machine_handle& machine, const std::string& spec, std::int64_t memory,
         progress_function progress) {
        const auto parsed = gossamer::parse_generator(spec);
        return run_work(
            [machine, parsed, memory](work_control& c) {
              constexpr std::int64_t steps = 1'000'000;
              c.total = steps;
              gossamer::generate_placed_options o;
              o.memory = memory;
              o.stop = c.stop.get_token();
              o.progress = [&c](double part) {
                c.done.store(static_cast<std::int64_t>(part * steps), std::memory_order_relaxed);
              };
              return placed_handle{machine, std::make_shared<const placed_graph>(
                                                gossamer::generate_placed(*machine, parsed, o))};
            },
            {.progress = std::move(progress)});
      },
      nb::arg("machine"), nb::arg("spec"), nb::arg("memory"), nb::arg("progress").none(),
      "A generator's graph made on the ranks, in parts.");
  m.def(
      "plan_generate_placed",
      [](const machine_handle& machine, const std::string& spec, std::int64_t memory) {
        gossamer::generate_placed_options o;
        o.memory = memory;
        return plan_to_python(
            gossamer::plan_generate_placed(*machine, gossamer::parse_generator(spec), o));
      },
      nb::arg("machine"), nb::arg("spec"), nb::arg("memory"));
}

}  // namespace

namespace {

gossamer::spilling spilling_named(const std::string& name) {
  using enum gossamer::spilling;
  for (const auto& [value, known] : {std::pair{automatic, "auto"}, {host, "host"}, {none, "none"}})
    if (name == known) return value;
  throw gossamer::usage_error("place: spill '" + name + "' is none of auto, host, none");
}

}  // namespace

place_options make_place_options(const std::string& partition, const std::optional<int32s>& part_of,
                                 const std::string& renumber, bool both_directions, bool by_columns,
                                 std::int64_t memory, const std::string& spill) {
  place_options o;
  o.partition = partition;
  if (part_of) {
    const auto shared = share<std::int32_t>(*part_of);
    o.part_of.assign(shared.begin(), shared.end());
  }
  o.renumber = renumber;
  o.both_directions = both_directions;
  o.by_columns = by_columns;
  o.memory = memory;
  o.spill = spilling_named(spill);
  return o;
}

namespace {

auto bytes_to_python(const gossamer::kept::account_bytes& bytes) {
  nb::typed<nb::dict, nb::str, std::int64_t> out;
  for (const auto& [account, taken] : bytes) {
    const std::string name =
        account == gossamer::host_account ? "host" : "cuda:" + std::to_string(account);
    out[name.c_str()] = taken;
  }
  return out;
}

}  // namespace

fields plan_to_python(const gossamer::memory_plan& plan) {
  const auto entry = [](const auto& e) {
    return std::make_tuple(e.rank, name_of(e.kind), e.purpose, e.bytes,
                           gossamer::certainty_name(e.sure));
  };
  return {{"entries", list_of(plan.entries, entry)},
          {"limits", list_of(plan.limit, [](std::int64_t bytes) { return bytes; })},
          {"total", plan.total()},
          {"kept", bytes_to_python(plan.kept())}};
}

void bind_placement(nb::module_& m) {
  nb::class_<placed_handle>(m, "PlacedGraph", "A graph laid over a machine; kept and reused.")
      .def_prop_ro("machine", [](const placed_handle& h) { return h.machine; })
      .def_prop_ro("graph", [](const placed_handle& h) { return h.placed->source(); })
      .def_prop_ro("whole", [](const placed_handle& h) { return h.placed->whole(); })
      .def_prop_ro("name", [](const placed_handle& h) { return h.placed->name(); })
      .def_prop_ro("vertices", [](const placed_handle& h) { return h.placed->vertices(); })
      .def_prop_ro("arcs", [](const placed_handle& h) { return h.placed->arcs(); })
      .def_prop_ro("symmetric", [](const placed_handle& h) { return h.placed->symmetric(); })
      .def_prop_ro("steps", [](const placed_handle& h) { return h.placed->steps(); })
      .def_prop_ro("seconds", [](const placed_handle& h) { return h.placed->seconds(); })
      .def_prop_ro("uploads", [](const placed_handle& h) { return h.placed->uploads(); })
      .def_prop_ro("identity", [](const placed_handle& h) { return h.placed->identity(); })
      .def_prop_ro("id_width", [](const placed_handle& h) { return h.placed->id_width(); })
      .def("plan", [](const placed_handle& h) { return plan_to_python(h.placed->plan()); })
      .def(
          "vertices_of",
          [](const placed_handle& h, int rank) -> int64s {
            const auto& owners = h.placed->owners();
            gossamer::require(rank >= 0 && rank < owners.ranks(), "vertices_of: no such rank");
            return numpy_view(run_work([placed = h.placed, rank](work_control&) {
              const auto& o = placed->owners();
              const std::int64_t n = o.local_size(rank);
              gossamer::shared_array<std::int64_t> vertices(static_cast<std::size_t>(n));
              for (std::int64_t i = 0; i < n; ++i) vertices[i] = placed->vertex(o.global(rank, i));
              return vertices;
            }));
          },
          nb::arg("rank"), "Vertex of each local index of a rank, -1 for holes.");
  m.def(
      "place",
      [](const machine_handle& machine, const graph& g, const std::string& partition,
         const std::optional<int32s>& part_of, const std::string& renumber, bool both_directions,
         bool by_columns, std::int64_t memory, const std::string& spill) {
        auto o = make_place_options(partition, part_of, renumber, both_directions, by_columns,
                                    memory, spill);
        return run_work([=](work_control& c) mutable {
          o.stop = c.stop.get_token();
          return placed_handle{machine, gossamer::kept::place(*machine, g, o)};
        });
      },
      nb::arg("machine"), nb::arg("graph"), nb::arg("partition"), nb::arg("part_of").none(),
      nb::arg("renumber"), nb::arg("both_directions"), nb::arg("by_columns"), nb::arg("memory"),
      nb::arg("spill"));
  nb::class_<gossamer::graph_shape>(m, "GraphShape", "A graph before it is made or read.")
      .def(
          "__init__",
          [](gossamer::graph_shape* shape, std::int64_t vertices, std::int64_t arcs, bool symmetric,
             const std::string& vertices_are, const std::string& arcs_are,
             std::int64_t longest_row) {
            const int width = gossamer::configuration::narrow_ids(vertices) ? 4 : 8;
            new (shape) gossamer::graph_shape{vertices,
                                              arcs,
                                              width,
                                              symmetric,
                                              certainty_named(vertices_are),
                                              certainty_named(arcs_are),
                                              false,
                                              longest_row};
          },
          nb::arg("vertices"), nb::arg("arcs"), nb::arg("symmetric"), nb::arg("vertices_are"),
          nb::arg("arcs_are"), nb::arg("longest_row"));
  bind_placement_plan<graph>(m);
  bind_placement_plan<gossamer::graph_shape>(m);
  bind_generated(m);
  m.def(
      "kept_items",
      [] {
        return list_of(gossamer::kept::items(), [](const auto& i) {
          return std::make_tuple(i.graph, i.machine, i.what, bytes_to_python(i.bytes), i.uses,
                                 i.in_use);
        });
      },
      "(graph, machine, what, bytes by memory, uses, in use) of each, the least recently used "
      "first.");
  m.def("forget_all", [] { run_work([](work_control&) { gossamer::kept::forget_all(); }); });
  m.def(
      "forget", [](const graph& g) { run_work([g](work_control&) { gossamer::kept::forget(g); }); },
      nb::arg("graph"));
}

}  // namespace gossamer_python
