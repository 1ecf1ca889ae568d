// Times betweenness on one machine, verifies in the same run, writes JSON.
//
//   bench_betweenness GRAPH [--machine SPEC] [--engine NAME] [--samples K] [--edges 1] [--runs K]
//       [--verify 0] [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file. --samples 0: exact. --export writes the graph for peers
// (bench_run.hpp).
#include "gossamer/algorithm/betweenness.hpp"
#include "algorithm_run.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  betweenness_options options;
  options.engine = args["engine"];
  options.samples = std::stoll(args["samples"]);
  options.edges = args["edges"] == "1";
  betweenness_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1")
    bench::expect_right(verify_betweenness(g, result.scores.get(), result.sources, options));
  runs.write(args, bench::row_of(g, m, result.engine)
                       .add("searches", result.searches)
                       .add("rescaled", result.rescaled));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("betweenness", argc, argv, {{"samples", "16"}, {"edges", "0"}},
                              measure);
}
