// Times distances from many sources on one machine, verifies in the same run, writes JSON.
//
//   bench_distances GRAPH [--sources K] [--measure NAME] [--machine SPEC] [--engine NAME]
//       [--runs K] [--verify 0] [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. K sources are those of bfs's benches (draw_sources), 0: all
// vertices. `one_ms`: bfs from the first of them, by its usual engine. --export writes the graph
// for peers (bench_run.hpp).
#include "gossamer/algorithm/distances.hpp"
#include "algorithm_run.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/placement/kept.hpp"

namespace {

using namespace gossamer;

void check(const graph& g, const distances_result& result, bool all,
           const std::vector<std::int64_t>& sources) {
  std::vector<std::int64_t> of{result.end};
  std::vector<double> found{static_cast<double>(result.diameter)};
  std::int64_t most = 0;  // all of them
  if (!result.eccentricities.empty()) {
    of = sources;
    if (all)
      for (of.clear(); std::ssize(of) < g.vertices();) of.push_back(std::ssize(of));
    found.assign(result.eccentricities.begin(), result.eccentricities.end());
    most = 64;
  }
  bench::expect_right(verify_distances(g, distance_kind::eccentricity, false, of, found, most));
}

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
  const bench::measured_runs runs(args, [&] { return all ? search.run() : search.run(sources); });
  bfs_search one(kept::place(m, g, {}));
  const bench::measured_runs alone(args, [&] { return one.run(sources.at(0)); });
  const auto& result = runs.last;
  if (args["verify"] == "1") check(g, result, all, sources);
  runs.write(args, bench::row_of(g, m, result.engine)
                       .add("measure", args["measure"])
                       .add("diameter", result.diameter)
                       .add("searches", result.searches)
                       .add("alone", result.alone)
                       .add("one_ms", bench::quantile(alone.times.wall, 0.5))
                       .add("min_one_ms", bench::quantile(alone.times.wall, 0)));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("distances", argc, argv, {{"sources", "64"}, {"measure", "sums"}},
                              measure);
}
