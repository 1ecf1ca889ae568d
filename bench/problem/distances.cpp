// Times distances from many sources on one machine, verifies in the same run, writes JSON.
//
//   bench_distances GRAPH [--sources K] [--measure NAME] [--machine SPEC] [--engine NAME] [--runs
//   K]
//                    [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. K sources are those of bfs's benches (draw_sources), 0: all
// vertices. `one_ms`: bfs from the first of them, by its usual engine. --export writes the graph
// for peers (bench_run.hpp).
#include <cstdio>

#include "bench_run.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/distances.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/placement/kept.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  const std::vector<std::pair<std::string, option_value>> asked{{"engine", args["engine"]},
                                                                {"measure", args["measure"]}};
  auto options = options_from<distances_options>(asked);
  distances_search search(m, g, options);
  const auto sources = draw_sources(g, std::max(1LL, std::stoll(args["sources"])), 1);
  const bool all = std::stoll(args["sources"]) == 0;
  std::vector<double> times, processor, alone;
  distances_result result;
  bfs_search one(kept::place(m, g, {}));
  for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
    const double before = bench::processor_milliseconds();
    result = all ? search.run() : search.run(sources);
    processor.push_back(bench::processor_milliseconds() - before);
    times.push_back(result.milliseconds);
    alone.push_back(one.run(sources.at(0)).milliseconds);
  }
  if (!result.eccentricities.empty()) {
    std::vector<std::int64_t> of = sources;
    if (all)
      for (of.clear(); std::ssize(of) < g.vertices();) of.push_back(std::ssize(of));
    const std::vector<double> found(result.eccentricities.begin(), result.eccentricities.end());
    const auto v = verify_distances(g, distance_kind::eccentricity, false, of, found, 64);
    if (!v.ok) throw verification_error(v.reason);
  } else {
    const std::vector<std::int64_t> end{result.end};
    const std::vector<double> found{static_cast<double>(result.diameter)};
    const auto v = verify_distances(g, distance_kind::eccentricity, false, end, found);
    if (!v.ok) throw verification_error(v.reason);
  }
  char json[1024];
  std::snprintf(
      json, sizeof json,
      "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
      "\"engine\": \"%s\", \"measure\": \"%s\", "
      "\"diameter\": %d, \"searches\": %lld, \"alone\": %lld, \"runs\": %zu, "
      "\"verified\": 1, \"median_ms\": %.4f, \"min_ms\": %.4f, \"max_ms\": %.4f, "
      "\"processor_ms\": %.4f, \"one_ms\": %.4f, \"min_one_ms\": %.4f}",
      g.name.c_str(), static_cast<long long>(g.vertices()), static_cast<long long>(g.arcs()),
      m.spec().c_str(), result.engine.c_str(), args["measure"].c_str(), result.diameter,
      static_cast<long long>(result.searches), static_cast<long long>(result.alone), times.size(),
      bench::quantile(times, 0.5), bench::quantile(times, 0), bench::quantile(times, 1),
      bench::quantile(processor, 0.5), bench::quantile(alone, 0.5), bench::quantile(alone, 0));
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_distances", [&] {
    measure(
        bench::read_arguments(argc, argv,
                              {{"graph", ""},
                               {"sources", "64"},
                               {"measure", "sums"},
                               {"machine", "cpu"},
                               {"engine", "auto"},
                               {"runs", "9"},
                               {"json", ""},
                               {"export", ""}},
                              "bench_distances GRAPH [options]: see the head of distances.cpp"));
  });
}
