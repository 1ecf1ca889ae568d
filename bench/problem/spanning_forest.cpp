// Times spanning forests on one machine, verifies in the same run, writes JSON.
//
//   bench_spanning_forest GRAPH [--machine SPEC] [--engine NAME] [--runs K] [--weights 1] [--verify
//   0]
//       [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file; directed ones are made undirected. --weights 1: of
// generators. --export writes the graph for peers (bench_run.hpp).
#include "gossamer/algorithm/spanning_forest.hpp"
#include "algorithm_run.hpp"
#include "gossamer/graph/builder.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  graph g = bench::load(args["graph"], args["weights"] == "1");
  if (!g.symmetric) {
    build_options both;
    both.symmetrize = true;
    g = rebuild(g, both);
  }
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  spanning_forest_options options;
  options.engine = args["engine"];
  spanning_forest_search search(m, g, options);
  const bench::measured_runs runs(args, [&] { return search.run(); });
  const auto& result = runs.last;
  if (args["verify"] == "1") bench::expect_right(verify_spanning_forest(g, result.arcs));
  runs.write(
      args,
      bench::row_of(g, m, result.engine).add("trees", result.trees).add("rounds", result.rounds));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_algorithm("spanning_forest", argc, argv, {{"weights", "0"}}, measure);
}
