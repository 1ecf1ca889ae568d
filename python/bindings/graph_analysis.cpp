// Graphs from graphs, statistics, partitions and what they cost.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/graph/partition.hpp"
#include "gossamer/graph/statistics.hpp"
#include "reading.hpp"
#include "text.hpp"

namespace gossamer_python {

using gossamer::graph;

namespace {

nb::object known(std::int64_t count) {
  return count < 0 ? nb::none() : nb::cast(count);
}

fields to_python(const gossamer::weight_statistics& w) {
  fields out = GOSSAMER_NAMED(w.source, w.minimum, w.maximum, w.zeros, w.negatives, w.nans);
  out["kind"] = w.present ? w.type : "none";
  return out;
}

fields statistics(const graph& g, bool strong, bool triangles, int threads, std::int64_t memory,
                  progress_function progress) {
  const auto s = run_reading(g,
                             [=](work_control& c) {
                               gossamer::statistics_options o;
                               o.strong_components = strong;
                               o.triangles = triangles;
                               o.threads = threads;
                               o.memory = memory;
                               o.stop = c.stop.get_token();
                               return gossamer::statistics(g, o);
                             },
                             {.progress = std::move(progress)});
  std::vector<std::tuple<double, std::int64_t>> percentiles;
  for (std::size_t i = 0; i < s.per_mille.size(); ++i)
    percentiles.emplace_back(s.per_mille[i] / 10.0, s.degree_percentiles[i]);
  fields out =
      GOSSAMER_NAMED(s.vertices, s.arcs, s.self_loops, s.parallel_arcs, s.minimum_degree,
                     s.maximum_degree, s.mean_degree, s.degree_histogram, s.isolated_vertices,
                     s.loop_vertices, s.components, s.largest_component);
  out["simple_edges"] = s.undirected_simple_edges;
  out["symmetric"] = s.symmetric == 1;
  out["maximum_degree_vertex"] = known(s.maximum_degree_vertex);
  out["percentiles"] = percentiles;
  out["strong_components"] = known(s.strong_components);
  out["largest_strong_component"] = known(s.largest_strong_component);
  out["triangles"] = known(s.triangles);
  out["weights"] = to_python(s.weights);
  return out;
}

fields partition_quality(const graph& g, const int32s& part_of, int parts, std::int64_t memory) {
  const auto shared = share<std::int32_t>(part_of);
  const auto q = run_reading(g, [=](work_control& c) {
    return gossamer::evaluate(g, gossamer::partition_given(g, shared.span(), parts),
                              c.stop.get_token(), memory);
  });
  fields out =
      GOSSAMER_NAMED(q.cut_arcs, q.cut_share, q.vertex_balance, q.arc_balance, q.halo_total);
  out["parts"] = parts;
  out["arcs"] = g.arcs();
  out["vertices_of"] = q.vertices;
  out["arcs_of"] = q.arcs;
  out["halo_of"] = q.halo;
  return out;
}

/// Bytes of what "rebuilding", "largest component", "counting", "partitioning by METHOD" and
/// "measuring the partition" take beside a graph of these sizes.
std::int64_t plan_work(const std::string& work, std::int64_t vertices, std::int64_t arcs,
                       int weight_bytes, bool symmetric, bool symmetrize, bool strong,
                       bool triangles) {
  const gossamer::graph_sizes sizes{vertices, arcs,
                                    gossamer::configuration::narrow_ids(vertices) ? 4 : 8,
                                    weight_bytes, symmetric};
  constexpr std::string_view by = "partitioning by ";
  if (work.starts_with(by)) return partition_bytes(sizes, work.substr(by.size()));
  if (work == "measuring the partition") return quality_bytes(sizes);
  if (work == "largest component") return component_bytes(sizes);
  if (work == "rebuilding") {
    gossamer::build_options steps;
    steps.symmetrize = symmetrize;
    return rebuild_bytes(sizes, steps);
  }
  gossamer::require(work == "counting", "plan_work: no such work: " + work);
  gossamer::statistics_options counted;
  counted.strong_components = strong;
  counted.triangles = triangles;
  return statistics_bytes(sizes, counted);
}

}  // namespace

void bind_graph_analysis(nb::module_& m) {
  m.def(
      "rebuild",
      [](const graph& g, bool symmetrize, bool deduplicate, bool remove_self_loops, int threads,
         std::int64_t memory) {
        gossamer::build_options o;
        o.symmetrize = symmetrize;
        o.deduplicate = deduplicate;
        o.remove_self_loops = remove_self_loops;
        o.threads = threads;
        o.memory = memory;
        return run_reading(g, [g, o](work_control& c) mutable {
          o.stop = c.stop.get_token();
          return gossamer::rebuild(g, o);
        });
      },
      nb::arg("graph"), nb::arg("symmetrize"), nb::arg("deduplicate"), nb::arg("remove_self_loops"),
      nb::arg("threads"), nb::arg("memory"));
  m.def(
      "largest_component",
      [](const graph& g, int threads, std::int64_t memory) {
        return run_reading(g, [=](work_control& c) {
          return gossamer::largest_component(g, threads, c.stop.get_token(), memory);
        });
      },
      nb::arg("graph"), nb::arg("threads"), nb::arg("memory"));
  m.def(
      "count_triangles",
      [](const graph& g, int threads, progress_function progress) {
        return run_reading(g,
                           [=](work_control& c) {
                             return gossamer::count_triangles(g, threads, c.stop.get_token());
                           },
                           {.progress = std::move(progress)});
      },
      nb::arg("graph"), nb::arg("threads"), nb::arg("progress").none());
  m.def("statistics", &statistics, nb::arg("graph"), nb::arg("strong"), nb::arg("triangles"),
        nb::arg("threads"), nb::arg("memory"), nb::arg("progress").none());
  m.def("plan_work", &plan_work, nb::arg("work"), nb::arg("vertices"), nb::arg("arcs"),
        nb::arg("weight_bytes") = 0, nb::arg("symmetric") = false, nb::arg("symmetrize") = false,
        nb::arg("strong") = true, nb::arg("triangles") = false,
        "Bytes that work on a graph takes beside it, at most.");
  m.def(
      "partition",
      [](const graph& g, const std::string& method, int parts, std::int64_t memory) -> int32s {
        auto p = std::make_shared<gossamer::partition>(run_reading(g, [=](work_control& c) {
          return gossamer::make_partition(g, method, parts, c.stop.get_token(), memory);
        }));
        return numpy_view<std::int32_t>(p->part_of.data(), p->part_of.size(), p);
      },
      nb::arg("graph"), nb::arg("method"), nb::arg("parts"), nb::arg("memory"));
  m.def("partition_quality", &partition_quality, nb::arg("graph"), nb::arg("part_of"),
        nb::arg("parts"), nb::arg("memory"));
}

}  // namespace gossamer_python
